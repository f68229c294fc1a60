// The line of text, for pastes and commands, and the buttons of the page. What is sent goes one after
// the other, each once; what is not sent yet outlasts a loss of the connection and a reload.

import {
  find, form, make, randomText, recalled, remember, replace, seenNow, tab,
} from "./dom.js";
import { edit, load, restore, state } from "./row.js";
import { goToEnd, own, say, show } from "./shown.js";

const address = form.getAttribute("action"), place = `puzzlehunt ${address}`;
const visitor = recalled("puzzlehunt visitor") ?? randomText();
const queue = [];                // what the server has not answered yet, the oldest first
const LATE = 500;                // milliseconds
let isSending = false, isOnline = true, isRefused = false; // a refused line: none is suggested
let seen = null;                 // version and suggestion when the line was begun
let touched = null;              // the tile that was tapped last

remember("puzzlehunt visitor", visitor);

// The line.

export const line = form.elements.line;

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

line.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit(find(".typed .main"));
});

document.addEventListener("click", ({ target }) => { touched = target.closest(".tile"); }, true);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, value, dataset } = event.submitter, text = line.value;
  const [, edited] = /^\/edit (\d+)$/.exec(value) ?? [];
  if (value === "/help") find("#help").showModal();
  else if (edited) edit(Number(edited), touched);
  else if (dataset.guess && load(dataset.guess)) return;
  else if (name) {
    send(value, name);
    if (dataset.guess) line.focus();       // for a clue that does not fit tiles
  } else if (text.trim()) {
    line.value = "";
    send(text, "line");
  }
  event.submitter.closest("details.menu")?.removeAttribute("open");
});

// What is kept for a page that is loaded again.

export function keep() {
  remember(place, { queue, line: line.value, seen, row: state() }, tab);
  tellState();
}

export function resume() {
  const kept = recalled(place, tab);
  queue.push(...kept?.queue ?? []);
  restore(kept?.row);
  putBack(kept?.line, kept?.seen);
  pump();
}

// Sending.

export function setOnline(is) {
  isOnline = is;
  tellState();
  if (is) pump();
}

// What waits is shown as rows, unless it is on its way and will be answered in a moment.
function tellState() {
  const { length } = queue, place = find("#offline");
  const waiting = `; ${length} ${length > 1 ? "lines wait" : "line waits"} to be sent`;
  const text = isOnline ? "" : `offline, reconnecting${length ? waiting : ""}`;
  if (place.textContent !== text) place.textContent = text;
  document.body.classList.toggle("offline", !isOnline);
  const late = isOnline ? queue.filter((one) => Date.now() - one.since > LATE) : queue;
  find("#waiting").replaceChildren(...late.map((one) => {
    const item = make("li"), said = one.name === "change" ? "a change" : one.text;
    item.append(make("span", said, "code"), make("span", "waiting", "badge"));
    return item;
  }));
}

// `row` is what the tiles held, if the line was typed there.
export function send(text, name, row = null) {
  const isTyped = name === "line" || Boolean(row), once = randomText();
  const state = (isTyped && (row ? row.seen : seen)) || {};
  own.add(once);
  queue.push({ text, name, row, isTyped, once, since: Date.now(),
    ...seenNow(), ...state, ...isRefused && { suggested: "" } });
  if (!row) seen = null;
  goToEnd();
  keep();
  pump();
  setTimeout(tellState, LATE + 50);
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
  const first = queue[0], { text, name, once } = first;
  const body = new URLSearchParams({ [name]: text, version: first.version,
    suggested: first.suggested, once, visitor });
  const headers = { Accept: "application/json" };
  const response = await fetch(address, { method: "POST", body, headers }).catch(() => null);
  isOnline = Boolean(response);
  if (!response) return tellState();
  const problem = { detail: `the server answered ${response.status}` };
  const answer = await response.json().catch(() => problem);
  queue.shift();
  if (response.ok) answered(answer, first);
  else {
    const isLost = first.isTyped && !restore(first.row) && !putBack(text);
    say(answer.detail + (isLost ? ` (not taken: ${text})` : ""));
  }
  return true;
}

function answered(answer, first) {
  if (!first.text.startsWith("/")) isRefused = Boolean(answer.line);
  show(answer);
  replace("said", answer.fragments?.said || "");
  if (answer.line && first.isTyped && !restore(first.row)) putBack(answer.line);
  find("#said").scrollTop = 0;
  // A line that waits was written after this one, and knows what it did.
  for (const other of queue) {
    const knows = other.version === first.version && answer.version <= first.version + 1;
    if (knows) other.version = answer.version;
  }
}
