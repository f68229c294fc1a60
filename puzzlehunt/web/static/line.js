// The line of text, for pastes and commands, and the buttons of the page.

import { find, form, suggested, version } from "./dom.js";
import { keep, send } from "./queue.js";
import { edit, load } from "./row.js";

export const line = form.elements.line;
const sent = [];                  // the lines of this page, to be recalled
let seen = null;                  // version and suggestion when the line was begun
let recalled = 0;                 // which of them is in the line, counted from the end

export const begun = () => seen;
export function begin(state) { seen = state; }
const now = () => ({ version: version(), suggested: suggested() });

// Put a text back into the line, unless another one is there by now.
export function putBack(text, state = seen) {
  if (!text || line.value) return false;
  line.value = text;
  seen = state;
  return true;
}

// Put the line before the one that is recalled into the line.
export function recall() {
  if (recalled === sent.length) return;
  recalled += 1;
  putInLine(sent.at(-recalled));
}

export function putInLine(text) {
  line.value = text;
  seen = now();
  keep();
  line.focus();
  line.setSelectionRange(text.length, text.length);
}

line.addEventListener("input", () => {
  seen = line.value ? seen ?? now() : null;
  recalled = 0;
  keep();
});

line.addEventListener("keydown", (event) => {
  const isEnter = event.key === "Enter" && !event.shiftKey && !event.isComposing;
  const isUp = event.key === "ArrowUp" && (!line.value || recalled);
  if (isEnter || isUp) event.preventDefault();
  if (isEnter) form.requestSubmit(find(".typed .main"));
  if (isUp) recall();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const { name, value, dataset } = event.submitter, text = line.value;
  const isGuess = name === "tapped" && !value.startsWith("/");
  if (value === "/help") find("#help").showModal();
  else if (dataset.row) edit(JSON.parse(dataset.row));
  else if (dataset.edit) putInLine(dataset.edit);
  else if (["tapped", "change", "restore"].includes(name)) {
    if (isGuess && load(value, true)) return;
    send(value, name);
    if (isGuess) line.focus();       // for a clue that does not fit tiles
  } else if (text.trim()) {
    line.value = "";
    sent.push(text);
    recalled = 0;
    send(text, "line");
  }
  event.submitter.closest("details.menu")?.removeAttribute("open");
});
