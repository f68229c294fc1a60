// Lines are sent one after the other, each once. What is typed outlasts the page: each tab has its
// own place in the storage, and takes over from those that are gone.

import { find, make, replace } from "./dom.js";
import { bring } from "./brought.js";
import { tellMissing } from "./offline.js";
import { sent } from "./people.js";
import { begun, begin, line, putBack } from "./line.js";
import { restore, stand, state } from "./row.js";
import { form, say, show, suggested, tellTarget, version } from "./shown.js";

const shelf = `puzzlehunt ${form.getAttribute("action")} `;
const queue = [];               // lines that the server has not answered yet, the oldest first
let tab = ownTab();             // the place on the shelf where this tab keeps what was typed
let isSending = false;
const LATE = 500;                // milliseconds
let isOnline = true;

function randomText() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function ownTab(isNew) {
  try {
    const name = (!isNew && sessionStorage.getItem("puzzlehunt tab")) || randomText();
    sessionStorage.setItem("puzzlehunt tab", name);
    return name;
  } catch {
    return randomText();
  }
}

export function keep() {
  const standing = form.elements.standing.value;
  try {
    const isEmpty = !queue.length && !line.value && !standing && !state();
    const kept = { queue, line: line.value, seen: begun(), standing, row: state() };
    if (isEmpty) localStorage.removeItem(shelf + tab);
    else localStorage.setItem(shelf + tab, JSON.stringify(kept));
  } catch {
    // Without storage it lasts as long as the page.
  }
  tellState();
}

export const takeOverOwn = () => takeOver(shelf + tab);

function takeOver(place) {
  try {
    const kept = JSON.parse(localStorage.getItem(place));
    if (!kept) return;
    queue.push(...kept.queue.filter((one) => queue.every((other) => other.once !== one.once)));
    if (!form.elements.standing.value) form.elements.standing.value = kept.standing;
    restore(kept.row);
    if (kept.line && putBack(kept.line)) begin(kept.seen);
    if (place !== shelf + tab) localStorage.removeItem(place);
  } catch {
    // It is no more than a convenience.
  }
}

// Take over from tabs that are gone; those that are open answer.
export function takeOverAll() {
  if (!("BroadcastChannel" in window)) return;
  const page = randomText(), open = new Set();
  const channel = new BroadcastChannel(shelf);
  channel.addEventListener("message", ({ data }) => {
    if (data.page === page) return;
    if (data.isAsking) channel.postMessage({ page, tab });
    else if (data.tab === tab) tab = ownTab(true);      // a copy of that tab
    open.add(data.tab);
  });
  channel.postMessage({ page, tab, isAsking: true });
  setTimeout(() => {
    try {
      const places = Object.keys(localStorage).filter((place) => place.startsWith(shelf));
      for (const place of places) {
        const other = place.slice(shelf.length);
        if (other !== tab && !open.has(other)) takeOver(place);
      }
    } catch {
      return;
    }
    keep();
    tellTarget();
    pump();
  }, 300);
}

export function setOnline(is) {
  if (isOnline === is) return;
  isOnline = is;
  tellState();
}

// What waits is shown as rows, unless it is on its way and will be answered in a moment.
function tellState() {
  const waiting = queue.length ? `; ${queue.length} ${queue.length > 1 ? "lines wait" : "line waits"} to be sent` : "";
  const text = isOnline ? "" : `offline, reconnecting${waiting}`;
  const place = find("#offline");
  if (place.textContent !== text) place.textContent = text;
  tellMissing(isOnline);
  const late = isOnline ? queue.filter((one) => Date.now() - one.since > LATE) : queue;
  find("#waiting").replaceChildren(...late.map(({ text: said, name }) => {
    const item = make("li", "", "waits");
    item.append(make("span", name === "change" ? "a change" : said, "code"), make("span", "waiting", "badge"));
    return item;
  }));
}

// `row` is what the tiles held, if the line was typed there.
export function send(text, name, row = null) {
  const isTyped = name === "line" || Boolean(row);
  const state = (isTyped && (row ? row.seen : begun())) || { version: version(), suggested: suggested() };
  const once = randomText();
  sent(once);
  queue.push({ text, name, row, isTyped, once, since: Date.now(), ...state });
  if (!row) begin(null);
  keep();
  pump();
  setTimeout(tellState, LATE + 50);
}

export async function pump() {
  if (isSending || !queue.length) return;
  isSending = true;
  try {
    while (queue.length && await sendFirst());
  } finally {
    isSending = false;
    keep();
  }
  if (queue.length) setTimeout(pump, 3000);
}

async function sendFirst() {
  const first = queue[0];
  const body = new URLSearchParams({
    [first.name ?? (first.isTyped ? "line" : "tapped")]: first.text,
    version: first.version,
    standing: first.standing ?? form.elements.standing.value,
    suggested: first.suggested,
    once: first.once,
  });
  first.standing = body.get("standing");
  let response;
  try {
    response = await fetch(form.getAttribute("action"), {
      method: "POST", body, headers: { Accept: "application/json" },
    });
  } catch {
    isOnline = false;
    return false;
  }
  setOnline(true);
  const answer = await response.json().catch(() => ({ detail: `the server answered ${response.status}` }));
  queue.shift();
  if (response.ok) take(answer, first);
  else if (first.name === "rows") bring(first.text, answer.detail);
  else {
    const isLost = first.isTyped && !restore(first.row) && !putBack(first.text);
    say(answer.detail + (isLost ? ` (not taken: ${first.text})` : ""));
  }
  keep();
  return true;
}

function take(answer, sent) {
  form.elements.standing.value = answer.standing || "";
  show(answer);
  replace("said", answer.fragments?.said || "");
  if (answer.line && sent.isTyped && !restore(sent.row)) putBack(answer.line);
  stand();
  tellTarget();
  find("#said").scrollTop = 0;
  // A line that waits was written after this one, and knows what it did.
  for (const other of queue) {
    const knows = other.version === sent.version && answer.version <= sent.version + 1;
    if (knows) other.version = answer.version;
  }
}
