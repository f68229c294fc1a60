// What the page shows of the board: its fragments, its version, and what the line is for.

import { find, replace } from "./dom.js";
import { hideOwnPlan, plan, tellNews } from "./people.js";

export const form = find("#ask");
const example = form.elements.line.placeholder;
const rowsShown = [];

export const version = () => Number(form.elements.version.value);
export const suggested = () => new FormData(form).getAll("suggested").at(-1) || "";

export function tellTarget() {
  plan();
  find(".jump").textContent = find("#count .line")?.textContent || "what is left";
  const standing = form.elements.standing.value;
  form.elements.line.placeholder = standing ? "" : example;
  const label = find("#line-label");
  label.textContent = standing ? "Clue of " : "Guess and clue, a paste, or a /command";
  if (standing) {
    const code = document.createElement("b");
    code.className = "code long";
    code.textContent = standing;
    label.append(code);
  } else if (suggested()) {
    label.textContent = `Guess and clue, or clue of ${suggested()}`;
  }
}

// What is late, since an answer to an own line overtook it, still holds: later events do not tell
// it again. Only the rows of an older version are not shown.
export function show(answer) {
  const isLate = answer.version < version();
  const fragments = { ...answer.fragments };
  if (answer.items) {
    // Of the rows only those that changed are sent, each by its place.
    for (const [place, html] of answer.items.changed) rowsShown[place] = html;
    rowsShown.length = answer.items.length;
    fragments.rows = rowsShown.length ? `<ol class="rows">${rowsShown.join("")}</ol>` : "";
  }
  for (const [id, html] of Object.entries(fragments)) {
    if (id !== "said" && !(isLate && id === "rows")) replace(id, html);
  }
  if (isLate) return;
  // Of a version that is shown, events alone know whether its answers are complete by now.
  const isNews = answer.people || answer.version > version();
  form.elements.version.value = answer.version;
  if (isNews) {
    find("#pending").hidden = !answer.pending;
    find("#answers").setAttribute("aria-busy", String(answer.pending));
  }
  if (answer.news) tellNews(answer.news);
  hideOwnPlan();
  tellTarget();
}

export function say(text) {
  const paragraph = document.createElement("p");
  paragraph.className = "error";
  paragraph.textContent = text;
  replace("said", paragraph.outerHTML);
}
