// What the page shows of the board, which server-sent events change: rows, answers, news.

import { find, findAll, form, make, parsed, replace, replaceItems, version } from "./dom.js";
import { setOnline } from "./send.js";

export const own = new Set();          // keys of the changes that this page has sent
const rows = find("#rows"), news = find("#news"), NEWS = 6000;
const size = () => `${rows.scrollHeight} ${rows.clientHeight}`;
let events, told = version(), isAtEnd = true, sizeThen = "";

// What is late, since an answer to an own line overtook it, still holds: later events do not tell
// it again. Only the rows of an older version are not shown.
export function show(answer) {
  const { fragments = {}, items, news = [] } = answer, before = version();
  form.elements.version.value = Math.max(before, answer.version);
  for (const [id, html] of Object.entries(fragments)) if (id !== "said") replace(id, html);
  if (items && replaceItems("rows", items)) form.dispatchEvent(new Event("rows"));
  if (answer.version < before) return;
  // Of a version that is shown, events alone know whether its answers are complete by now.
  if (items || answer.version > before) {
    find("#pending").hidden = !answer.pending;
    find("#answers").ariaBusy = String(answer.pending);
  }
  tellNews(news);
  if ("certain" in fragments) form.dispatchEvent(new Event("rows"));
}

export function say(text) {
  replace("said", make("p", text, "error").outerHTML);
}

// Sentences on what others did: one is seen, where a row is gone or another one; all are heard.
function tellNews(lines) {
  for (const [version, html] of lines.filter(([version]) => version > told)) {
    told = version;
    const line = parsed(html);
    if (own.has(line.dataset.once)) continue;
    if (!line.matches(".added")) find("p:not(.added)", news)?.remove();
    news.append(line);
    setTimeout(() => line.remove(), NEWS);
  }
}

// Follow the others, and come back after a loss of the connection.
export function follow() {
  events?.close();
  events = new EventSource(`${form.dataset.api}/events`);
  events.addEventListener("open", () => setOnline(true));
  events.addEventListener("state", (event) => show(JSON.parse(event.data)));
  events.addEventListener("error", () => {
    setOnline(false);
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  });
}

addEventListener("online", follow);
addEventListener("offline", () => setOnline(false));

// The newest rows stay in sight when rows come and go or their room changes, unless older ones are
// looked at: only a scroll while nothing has another size is somebody's.
rows.addEventListener("scroll", () => {
  if (size() !== sizeThen) return;
  isAtEnd = rows.scrollTop + rows.clientHeight > rows.scrollHeight - 40;
});
export function stayAtEnd() {
  if (isAtEnd) rows.scrollTop = rows.scrollHeight;
  sizeThen = size();
}
export function goToEnd() {
  isAtEnd = true;
  stayAtEnd();
}
new ResizeObserver(stayAtEnd).observe(rows);

// The rows have one stop for the Tab key, a menu; arrow keys lead from one to the next.
const menus = () => findAll("summary.more", rows);

export function stopAtOne() {
  const all = menus(), stop = find("summary.more:focus", rows) ?? all.at(-1);
  for (const one of all) one.tabIndex = one === stop ? 0 : -1;
}

rows.addEventListener("keydown", (event) => {
  const all = menus(), at = all.indexOf(event.target);
  const next = all[at + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0)];
  if (at < 0 || !next || next === event.target) return;
  event.preventDefault();
  next.focus();
  stopAtOne();
});
