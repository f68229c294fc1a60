// What the page shows of the board: its fragments, its version, and what the line is for.

import { find, make, replace, replaceItems } from "./dom.js";
import { hideOwnPlan, plan, tellNews } from "./people.js";

export const form = find("#ask");

export const version = () => Number(form.elements.version.value);
export const suggested = () => new FormData(form).getAll("suggested").at(-1) || "";

export function tellTarget() {
  plan();
  const standing = form.elements.standing.value;
  const label = find("#line-label");
  label.textContent = standing ? "Clue of " : "Guess and clue, a paste, or a /command";
  if (standing) label.append(make("b", standing, "code long"));
}

// What is late, since an answer to an own line overtook it, still holds: later events do not tell
// it again. Only the rows of an older version are not shown.
export function show(answer) {
  const isLate = answer.version < version();
  for (const [id, html] of Object.entries(answer.fragments ?? {})) {
    if (id !== "said") replace(id, html);
  }
  if (answer.items) replaceItems("rows", answer.items);
  if (isLate) return;
  // Of a version that is shown, events alone know whether its answers are complete by now.
  const isNews = answer.items || answer.version > version();
  form.elements.version.value = answer.version;
  if (isNews) {
    find("#pending").hidden = !answer.pending;
    find("#answers").setAttribute("aria-busy", String(answer.pending));
  }
  if (answer.news) tellNews(answer.news);
  hideOwnPlan();
  tellTarget();
  const isInRows = answer.items?.changed.length > 0 || answer.items?.length === 0;
  if (isInRows || "certain" in (answer.fragments ?? {})) form.dispatchEvent(new Event("rows"));
}

export function say(text) {
  replace("said", make("p", text, "error").outerHTML);
}
