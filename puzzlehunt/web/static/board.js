// A board's page: it follows what others do, sends lines, and keeps what is typed until it is answered.

import {
  boards, find, findAll, keepBoards, make, recalled, remember, sendJson, tab,
} from "./main.js";
import { edit, enter, guessText, load, restore, showTyping, state, tellRows } from "./row.js";

export const isViewer = document.body.matches(".viewer");    // whether the link only looks
const form = find("#ask"), { api } = form.dataset;
const root = document.body.dataset.root, nickname = find("#nickname"), rows = find("#rows");

const version = () => Number(form.elements.version.value);
export const seenNow = () => (
  { version: version(), suggested: new FormData(form).getAll("suggested").at(-1) || "" });

// The line of text, for pastes and commands, and the buttons of the page.

export const line = form.elements.line;
let seen = null;                 // version and suggestion when the line was begun
let touched = null;              // what was tapped last

// Put a text back into the line, unless another one is there by now.
function putBack(text, state = seen) {
  if (!text || line.value) return false;
  line.value = text;
  seen = state;
  return true;
}

export function putInLine(text) {
  line.value = text;
  seen = seenNow();
  keep();
  line.focus();
  line.setSelectionRange(text.length, text.length);
}

line.addEventListener("input", () => {
  seen = line.value ? seen ?? seenNow() : null;
  keep();
});

form.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !line.value) replace("said", "");
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.target.closest("button")) return;
  event.preventDefault();
  form.requestSubmit(find(".typed .main"));
});

document.addEventListener("click", ({ target }) => { touched = target.closest(".tile, .column"); }, true);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, value, dataset } = event.submitter, text = line.value;
  const [, edited] = /^\/edit (\d+)$/.exec(value) ?? [];
  if (!name && text.trim() === "/help") putInLine("");
  if ((name ? value : text.trim()) === "/help") find("#help").showModal();
  else if (edited) edit(Number(edited), touched);
  else if (name === "typed") putInLine(value);
  else if (dataset.guess && load(dataset.guess)) tellWorth(value);
  else if (name) {
    if (event.submitter.closest(".accept")) line.value = "";
    send(dataset.guess ? `${value} *` : value, name);
    if (dataset.guess) line.focus();       // for a clue that does not fit tiles
  } else if (text.trim()) {
    line.value = "";
    send(text, "line");
  } else enter();
  event.submitter.closest("details.menu")?.removeAttribute("open");
});

// What a guess that was tapped would leave; it holds up no row that is sent meanwhile.
async function tellWorth(code) {
  find("#answers").togglePopover?.(false);
  const asked = { line: `/try ${code}`, version: version() };
  const answer = await sendJson("POST", `${api}/lines`, asked, { Accept: "text/html" });
  if (answer?.ok && code === guessText()) replace("said", await answer.text());
}

// Sending: one after the other, each once. What waits outlasts a loss of the connection, and a reload.

const queue = [];                // what the server has not answered yet, the oldest first
const randomText = () => crypto.getRandomValues(new Uint32Array(3)).join("-");
export const page = randomText();
const own = new Set();           // keys of the changes that this page has sent
const visitor = recalled("puzzlehunt visitor") ?? randomText(), place = `puzzlehunt ${api}`;
let isSending = false, isOnline = true, isRefused = false; // a refused line: none is suggested

export function keep() {
  remember(place, { queue, line: line.value, seen, row: state() }, tab);
  tellState();
}

function setOnline(is) {
  isOnline = is;
  tellState();
  if (is) pump();
}

// What waits for a connection is shown as rows.
function tellState() {
  const place = find("#offline"), text = isOnline ? "" : "offline, reconnecting";
  if (place.textContent !== text) place.textContent = text;
  document.body.classList.toggle("offline", !isOnline);
  find("#waiting").replaceChildren(...(isOnline ? [] : queue).map((one) => {
    const item = make("li"), said = one.name === "change" ? "a change" : one.text;
    item.append(make("span", said, "code"), make("span", "waiting", "badge"));
    return item;
  }));
}

// `row` is what the tiles held, if the line was typed there.
export function send(text, name, row = null) {
  const isTyped = name === "line" || Boolean(row), once = randomText();
  const state = (isTyped && (row ? row.seen : seen)) || {}, arrive = find("#arrive");
  if (arrive) takeName(find("input", arrive).value);
  own.add(once);
  const newest = { ...seenNow(), ...state, ...isRefused && { suggested: "" } };
  queue.push({ text, name, row, isTyped, once, ...newest });
  if (!row) seen = null;
  rows.scrollTop = 0;
  keep();
  pump();
}

async function pump() {
  if (isSending) return;
  isSending = true;
  try {
    while (queue.length && await sendFirst()) keep();
  } finally {
    isSending = false;
  }
  if (queue.length) setTimeout(pump, 3000);
}

async function sendFirst() {
  const first = queue[0], { text, name, once, version, suggested } = first;
  const by = nickname.defaultValue;
  let path = "lines", what = { line: text, suggested };
  if (name === "change") [path, what] = ["changes", { change: JSON.parse(text) }];
  if (name === "restore") [path, what] = [`restore/${text}`, {}];
  const response = await sendJson("POST", `${api}/${path}`, { ...what, by, version },
    { Accept: "text/html", "Idempotency-Key": once, Visitor: visitor });
  if (!response) return setOnline(false);
  const { status, headers } = response, problem = { detail: `the server answered ${status}` };
  // A proxy's own error is HTML, too.
  const isShown = status < 500 && headers.get("Content-Type")?.startsWith("text/html");
  const told = await (isShown ? response.text() : response.json()).catch(() => problem);
  queue.shift();
  if (typeof told === "string") {
    answered(told, Number(/\d+/.exec(headers.get("ETag"))), !response.ok, first);
  } else {
    const isLost = first.isTyped && !giveBack(first);
    say(told.detail + (isLost ? ` (not taken: ${text})` : ""));
  }
  return true;
}

// What was refused is sent again by Enter as what is seen by then.
const giveBack = ({ row, text }) => restore(row && { ...row, seen: null }) || putBack(text);

function answered(html, after, hasFailed, first) {
  isRefused = first.text.startsWith("/") ? isRefused : hasFailed;
  form.elements.version.value = Math.max(version(), after);
  replace("said", html);
  if (hasFailed && first.isTyped) giveBack(first);
  find("#said").scrollTop = 0;
  // A line that waits was written after this one, and knows what it did.
  for (const other of queue) {
    if (other.version === first.version && after <= first.version + 1) other.version = after;
  }
}

function takeName(name) {
  document.cookie = `puzzlehunt-nickname=${encodeURIComponent(name.trim())}; path=${root}/; max-age=31536000; samesite=lax`;
  nickname.defaultValue = name.trim();
  find("#arrive")?.remove();
  follow();
}

document.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (target.dataset.here === undefined) return;
  event.preventDefault();
  find("details.menu[open]")?.removeAttribute("open");
  const sent = Object.fromEntries(new FormData(target, submitter));
  if ("nickname" in sent) return takeName(sent.nickname);
  const answer = await sendJson("PUT", `${api}/status`, { ...sent, by: nickname.defaultValue });
  if (!answer?.ok) say((await answer?.json())?.detail ?? "the server cannot be reached");
});

// What server-sent events change: rows, answers, what others did.

let events;

function show({ version: shown, fragments, items, pending, typing }) {
  const before = version();
  form.elements.version.value = Math.max(before, shown);
  for (const [id, html] of Object.entries(fragments)) replace(id, html);
  if (replaceRows(items) || "certain" in fragments) tellRows();
  showTyping(typing.filter(([, key]) => key !== page));
  if (shown < before) return;
  if (shown > before && !find("#said .accept")) replace("said", "");     // it was of an older board
  find("#pending").hidden = !pending;
  find("#answers").ariaBusy = String(pending);
}

const say = (text) => replace("said", make("p", text, "error").outerHTML);

// Follow the others, and come back after a loss of the connection.
function follow() {
  events?.close();
  events = new EventSource(`${api}/events?since=${form.dataset.since}&page=${page}`);
  events.addEventListener("open", () => setOnline(true));
  events.addEventListener("state", (event) => show(JSON.parse(event.data)));
  events.addEventListener("error", () => {
    setOnline(false);
    if (events.readyState === EventSource.CLOSED) setTimeout(follow, 3000);
  });
}

for (const change of ["online", "offline"]) addEventListener(change, follow);

const keyOf = (element) => element.dataset.key || element.value || element.parentElement.dataset.key;

// Change what is in a place: open menus stay open, and the keyboard stays where it is.
function staying(place, change) {
  const open = findAll("details[open]", place).map((menu) => menu.dataset.key);
  const focused = find(":focus", place), key = focused && keyOf(focused);
  change();
  for (const menu of findAll("details", place)) menu.open ||= open.includes(menu.dataset.key);
  if (focused?.isConnected === false) {
    const same = findAll(focused.tagName, place).find((one) => keyOf(one) === key);
    (same ?? place).focus({ preventScroll: true });
  }
}

export function replace(id, html) {
  const place = document.getElementById(id);
  if (!place || place.shown === html) return;
  staying(place, () => { place.innerHTML = html; });
  place.shown = html;
  dress(place);
}

// What a row shows, without the words about it.
const shownIn = (row) => find(".line, .boards, .words", row).textContent;

// Change rows, each by its place; those that are new are shown as such. Return whether any did.
function replaceRows({ length, changed }) {
  const list = find("ol", rows), before = findAll(".rows > li");
  if (!changed.length && length === before.length) return false;
  const known = new Set(before.map(shownIn));
  staying(rows, () => {
    while (list.children.length > length) list.lastElementChild.remove();
    for (const [n, html] of changed) {
      const row = make("template", "", "", { innerHTML: html }).content.firstElementChild, old = list.children[n];
      dress(row);
      row.classList.toggle("new", !known.has(shownIn(row)));
      if (old) old.replaceWith(row);
      else list.append(row);
    }
  });
  return true;
}

// Times as they are here; who only looks taps nothing; what one did oneself is no news.
function dress(place) {
  for (const time of findAll("time[datetime]", place)) {
    const when = new Date(time.dateTime), clock = { hour: "2-digit", minute: "2-digit" };
    const isToday = when.toDateString() === new Date().toDateString();
    time.textContent = isToday ? when.toLocaleTimeString([], clock) : when.toLocaleString();
  }
  for (const said of findAll("[data-once]", place)) if (own.has(said.dataset.once)) said.remove();
  for (const button of isViewer ? findAll("[form=ask]", place) : []) button.disabled = true;
}

for (const place of findAll(".fragment")) dress(place);
remember("puzzlehunt visitor", visitor);
const path = location.pathname, others = boards().filter((board) => board.path !== path);
const name = find("#board-name").textContent, game = find("h1").textContent;
keepBoards([{ path, name, game }, ...others]);
const kept = recalled(place, tab);
queue.push(...kept?.queue ?? []);
restore(kept?.row);
putBack(kept?.line, kept?.seen);
pump();
tellRows();
follow();
