// Rows that a link brings in the fragment of its address are recorded by a click alone.

import { find } from "./dom.js";
import { send } from "./queue.js";
import { say } from "./shown.js";

const brought = find("#brought"), { rows: field } = brought.elements;

export function bring(rows, problem = "") {
  const error = find(".error", brought);
  field.value = rows;
  error.textContent = problem;
  error.hidden = !problem;
  brought.hidden = false;
  brought.scrollIntoView({ block: "nearest" });
  history.replaceState(null, "", `#rows=${encodeURIComponent(rows)}`);   // outlasts the page
}

export function readFragment() {
  const rows = new URLSearchParams(location.hash.slice(1)).get("rows");
  if (rows?.trim()) bring(rows.trimEnd());
  else if (rows !== null) say("The link brought no rows: select some, then click the bookmark.");
}

for (const kind of ["submit", "reset"]) {
  brought.addEventListener(kind, (event) => {
    event.preventDefault();
    brought.hidden = true;
    history.replaceState(null, "", location.pathname + location.search);
    if (kind === "submit") send(field.value, "rows");
  });
}
addEventListener("hashchange", readFragment);
find("#bookmark")?.addEventListener("click", (event) => {
  event.preventDefault();
  say("Drag this link to the bookmarks bar; it works on other pages.");
});
