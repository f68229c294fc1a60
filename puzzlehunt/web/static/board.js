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

const root = document.body.dataset.root, nickname = find("#nickname");

// A name is kept in a cookie; the stream of events begins again under it.
function takeName(name) {
  const cookie = `puzzlehunt-nickname=${encodeURIComponent(name.trim())}`;
  document.cookie = `${cookie}; path=${root}/; max-age=31536000; samesite=lax`;
  nickname.defaultValue = name.trim();
  find("#arrive")?.remove();
  follow();
}

// The board's name, and whether it is open.
async function setStatus(status) {
  const body = JSON.stringify({ ...status, by: nickname.defaultValue });
  const sent = { method: "PUT", body, headers: { "Content-Type": "application/json" } };
  const answer = await fetch(`${form.dataset.api}/status`, sent).catch(() => null);
  if (answer?.ok === false) say((await answer.json()).detail);
}

document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (target.dataset.here === undefined) return;
  event.preventDefault();
  const sent = Object.fromEntries(new FormData(target, submitter));
  if ("nickname" in sent) takeName(sent.nickname);
  else setStatus(sent);
  find("details.menu[open]")?.removeAttribute("open");
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
