// The line of text, for pastes and commands, and the buttons of the page.

import { find } from "./dom.js";
import { plan } from "./people.js";
import { keep, send } from "./queue.js";
import { edit, load } from "./row.js";
import { form, suggested, version } from "./shown.js";

export const line = form.elements.line;
let seen = null;                  // version and suggestion when the line was begun
const sent = [];                  // the lines of this page, to be recalled
let recalled = 0;                 // which of them is in the line, counted from the end

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
  grow();
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
  grow();
  keep();
  line.focus();
  line.setSelectionRange(text.length, text.length);
}

line.addEventListener("input", () => {
  if (!line.value) seen = null;
  else seen ||= now();
  recalled = 0;
  grow();
  keep();
  plan();
});

line.addEventListener("keydown", (event) => {
  if (event.key === "ArrowUp" && (!line.value || recalled)) {
    event.preventDefault();
    recall();
  } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit(find(".typed .main"));
  }
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  const menu = button?.closest("details.menu");
  const isGuess = button?.name === "tapped" && !button.value.startsWith("/");
  if (button?.value === "/help") {
    find("#help").showModal();
  } else if (button?.dataset.edit !== undefined) {
    if (!button.matches(".tiles") || !edit(button.dataset.edit)) putInLine(button.dataset.edit);
  } else if (isGuess && load(button.value, true)) {
    find("#next").scrollIntoView({ block: "nearest" });
  } else if (["tapped", "change", "restore"].includes(button?.name)) {
    send(button.value, button.name);
    if (isGuess) line.focus();       // for a clue that does not fit tiles
  } else if (line.value.trim()) {
    const text = line.value;
    line.value = "";
    sent.push(text);
    recalled = 0;
    send(text, "line");
    grow();
  }
  if (menu) menu.open = false;
});

find("#help").addEventListener("click", ({ target }) => {
  if (target.matches("dialog")) target.close();       // a tap beside the sheet
});
