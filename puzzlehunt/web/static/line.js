// The line of text: typing, recalling a row to edit it, and keys that are tapped.

import { find } from "./dom.js";
import { plan } from "./people.js";
import { keep, send } from "./queue.js";
import { form, suggested, version } from "./shown.js";

export const line = form.elements.line;
let seen = null;                  // version and suggestion when the line was begun
let cursor = line.value.length;   // where symbols go that are tapped

export const begun = () => seen;
export function begin(state) { seen = state; }
const now = () => ({ version: version(), suggested: suggested() });

export function grow() {
  line.style.height = "auto";
  line.style.height = `${line.scrollHeight + 2}px`;
}

// Put a text back into the line, unless another one is there by now.
export function putBack(text) {
  if (line.value) return false;
  line.value = text;
  cursor = text.length;
  grow();
  return true;
}

export function putInLine(text) {
  line.value = text;
  seen = now();
  grow();
  keep();
  line.focus();
  line.setSelectionRange(text.length, text.length);
}

line.addEventListener("blur", () => { cursor = line.selectionStart; });

line.addEventListener("input", () => {
  cursor = line.selectionStart;
  if (!line.value) seen = null;
  else seen ||= now();
  grow();
  keep();
  plan();
});

line.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit(find("button.main", form));
  }
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  const menu = button?.closest("details.menu");
  if (button?.dataset.edit !== undefined) {
    putInLine(button.dataset.edit);
  } else if (["tapped", "change", "restore"].includes(button?.name)) {
    send(button.value, button.name);
  } else if (line.value.trim()) {
    const text = line.value;
    line.value = "";
    send(text, "line");
    grow();
  }
  if (menu) menu.open = false;
});

const palette = find(".palette");
if (palette) {
  palette.hidden = false;
  palette.addEventListener("click", (event) => {
    const key = event.target.closest("[data-insert]");
    if (key) insert(key.dataset.insert, key.dataset.kind);
    else if (event.target.closest("[data-delete]")) remove();
  });
}

// A symbol or mark goes where the cursor is; the blank between guess and clue comes by itself. The
// line is not given the keyboard, which would cover half a phone.
function insert(text, kind) {
  const { length, joiner } = palette.dataset;
  const place = Math.min(cursor, line.value.length);
  const before = line.value.slice(0, place);
  const word = before.split(/\s/).at(-1);
  const isGuess = !before.trim().includes(" ") && !before.startsWith("/") && !form.elements.standing.value;
  const symbols = joiner ? word.split(joiner).filter(Boolean) : [...word];
  let between = "";
  if (kind === "symbol" && joiner && word && !word.endsWith(joiner)) between = joiner;
  if (kind === "mark" && isGuess && symbols.length === Number(length)) between = " ";
  setLine(before + between + text, line.value.slice(place));
}

function remove() {
  setLine(line.value.slice(0, cursor).trimEnd().slice(0, -1), line.value.slice(cursor));
}

function setLine(before, after) {
  line.value = before + after;
  line.setSelectionRange(before.length, before.length);
  line.dispatchEvent(new Event("input"));
  cursor = before.length;
}
