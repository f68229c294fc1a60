// A board's page: it follows what others do, sends lines without leaving the page, and keeps what
// is typed until the server has answered it.

import { boards, dress, find, findAll, form, keepBoards } from "./dom.js";
import { tellKnown } from "./keys.js";
import { draw, fill } from "./row.js";
import { resume } from "./send.js";
import { follow, say, stayAtEnd, stopAtOne } from "./shown.js";

function tellRows() {
  stopAtOne();
  tellKnown();
  fill();
  draw();
  requestAnimationFrame(stayAtEnd);
}

// Names, the archive and the like are sent without leaving the page; the stream of events then
// begins again under the new name.
document.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (target.dataset.here === undefined) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(target, submitter));
  const headers = { Accept: "application/json" };
  const answer = await fetch(target.action, { method: "POST", body, headers }).catch(() => null);
  if (answer?.ok === false) say((await answer.json()).detail);
  if (!answer?.ok) return;
  find("details.menu[open]")?.removeAttribute("open");
  if (!body.has("nickname")) return;
  find("#nickname").value = body.getAll("nickname").at(-1).trim();
  find("#arrive")?.remove();
  follow();
});

for (const place of findAll(".fragment")) {
  place.shown = place.innerHTML;
  dress(place);
}
form.addEventListener("rows", tellRows);
resume();
tellRows();
follow();

const path = location.pathname, others = boards().filter((board) => board.path !== path);
const name = find("#board-name").textContent, game = find("h1").textContent;
keepBoards([{ path, name, game }, ...others]);
