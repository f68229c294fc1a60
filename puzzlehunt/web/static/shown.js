// What the page shows of the board, which server-sent events change; and what the line is for.

import { find, form, make, replace, replaceItems, version } from "./dom.js";
import { tellNews } from "./people.js";
import { setOnline } from "./queue.js";

let events;

export function tellTarget() {
  const standing = form.elements.standing.value, label = find("#line-label");
  label.textContent = standing ? "Clue of " : "Guess and clue, a paste, or a /command";
  if (standing) label.append(make("b", standing, "code long"));
}

// What is late, since an answer to an own line overtook it, still holds: later events do not tell
// it again. Only the rows of an older version are not shown.
export function show(answer) {
  const { fragments = {}, items, news = [] } = answer, isLate = answer.version < version();
  for (const [id, html] of Object.entries(fragments)) if (id !== "said") replace(id, html);
  if (items && replaceItems("rows", items)) form.dispatchEvent(new Event("rows"));
  if (isLate) return;
  // Of a version that is shown, events alone know whether its answers are complete by now.
  if (items || answer.version > version()) {
    find("#pending").hidden = !answer.pending;
    find("#answers").ariaBusy = String(answer.pending);
  }
  form.elements.version.value = answer.version;
  tellNews(news);
  tellTarget();
  if ("certain" in fragments) form.dispatchEvent(new Event("rows"));
}

export function say(text) {
  replace("said", make("p", text, "error").outerHTML);
}

// Follow the others, and come back after a loss of the connection.
export function follow() {
  events?.close();
  events = new EventSource(form.dataset.events);
  events.addEventListener("open", () => setOnline(true));
  events.addEventListener("state", (event) => show(JSON.parse(event.data)));
  events.addEventListener("error", () => {
    setOnline(false);
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  });
}

addEventListener("online", follow);
addEventListener("offline", () => setOnline(false));
