// Lines are sent one after the other, each once. What is typed outlasts the page: each tab has its
// own place in the storage, and takes over from those that are gone.

import {
  find, form, make, randomText, recalled, remember, replace, storage, suggested, version,
} from "./dom.js";
import { begin, begun, line, putBack } from "./line.js";
import { sent, tab, visitor } from "./people.js";
import { restore, stand, state } from "./row.js";
import { goToEnd } from "./rows.js";
import { say, show, tellTarget } from "./shown.js";

const address = form.getAttribute("action"), shelf = `puzzlehunt ${address} `;
const queue = [];                // lines that the server has not answered yet, the oldest first
const LATE = 500;                // milliseconds
let isSending = false, isOnline = true, isRefused = false; // a refused line: none is suggested

export function keep() {
  const standing = form.elements.standing.value, row = state();
  const isEmpty = !queue.length && !line.value && !standing && !row;
  if (isEmpty) delete storage[shelf + tab];
  else remember(shelf + tab, { queue, line: line.value, seen: begun(), standing, row });
  tellState();
}

// Take what another tab kept; what there is no room for here stays where it is.
function takeOver(place) {
  const kept = recalled(place);
  queue.push(...kept.queue.filter((one) => queue.every((other) => other.once !== one.once)));
  form.elements.standing.value ||= kept.standing;
  if (restore(kept.row)) kept.row = null;
  if (putBack(kept.line, kept.seen)) kept.line = "";
  if (kept.row || kept.line) remember(place, { ...kept, queue: [], standing: "" });
  else delete storage[place];
}

// Take over from tabs that are gone; those that are open answer.
export function takeOverAll() {
  const open = new Set([tab]), channel = new BroadcastChannel(shelf);
  channel.addEventListener("message", ({ data }) => {
    open.add(data.tab);
    if (data.isAsking) channel.postMessage({ tab });
  });
  channel.postMessage({ tab, isAsking: true });
  setTimeout(() => {
    const places = Object.keys(storage).filter((place) => place.startsWith(shelf));
    for (const place of places) if (!open.has(place.slice(shelf.length))) takeOver(place);
    stand();
    keep();
    tellTarget();
    pump();
  }, 200);
}

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
  const state = (isTyped && (row ? row.seen : begun())) || {};
  sent(once);
  queue.push({ text, name, row, isTyped, once, since: Date.now(),
    version: version(), suggested: suggested(), ...state, ...isRefused && { suggested: "" } });
  if (!row) begin(null);
  goToEnd();
  keep();
  pump();
  setTimeout(tellState, LATE + 50);
}

export async function pump() {
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
  first.standing ??= form.elements.standing.value;
  keep();
  const body = new URLSearchParams({ [name]: text, version: first.version,
    standing: first.standing, suggested: first.suggested, once, visitor });
  const headers = { Accept: "application/json" };
  const response = await fetch(address, { method: "POST", body, headers }).catch(() => null);
  isOnline = Boolean(response);
  if (!response) return tellState();
  const problem = { detail: `the server answered ${response.status}` };
  const answer = await response.json().catch(() => problem);
  queue.shift();
  if (response.ok) take(answer, first);
  else {
    const isLost = first.isTyped && !restore(first.row) && !putBack(text);
    say(answer.detail + (isLost ? ` (not taken: ${text})` : ""));
  }
  return true;
}

function take(answer, first) {
  form.elements.standing.value = answer.standing || "";
  if (!first.text.startsWith("/")) isRefused = Boolean(answer.line);
  show(answer);
  replace("said", answer.fragments?.said || "");
  if (answer.line && first.isTyped && !restore(first.row)) putBack(answer.line);
  stand();
  tellTarget();
  find("#said").scrollTop = 0;
  // A line that waits was written after this one, and knows what it did.
  for (const other of queue) {
    const knows = other.version === first.version && answer.version <= first.version + 1;
    if (knows) other.version = answer.version;
  }
}
