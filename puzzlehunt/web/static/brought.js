// Rows that a link brings in the fragment of its address are recorded by a click alone.

import { find } from "./dom.js";
import { send } from "./queue.js";
import { say } from "./shown.js";

const brought = find("#brought");

export function bring(rows, problem = "") {
  brought.elements.rows.value = rows;
  const error = find(".error", brought);
  error.textContent = problem;
  error.hidden = !problem;
  brought.hidden = false;
  brought.scrollIntoView({ block: "nearest" });
  history.replaceState(null, "", `#rows=${encodeURIComponent(rows)}`);   // outlasts the page
}

export function readFragment() {
  const rows = new URLSearchParams(location.hash.slice(1)).get("rows");
  if (rows?.trim()) bring(rows.trimEnd());
  else if (rows !== null) say("The link brought no rows: select some on a page, then click the bookmark there.");
}

function putAway() {
  brought.hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
}

brought.addEventListener("submit", (event) => {
  event.preventDefault();
  putAway();
  send(brought.elements.rows.value, "rows");
});
brought.addEventListener("reset", putAway);
addEventListener("hashchange", readFragment);
find("#bookmark")?.addEventListener("click", (event) => {
  event.preventDefault();
  say("Drag this link to the bookmarks bar; it works on other pages.");
});
