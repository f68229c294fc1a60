// A board's page: it follows what others do, sends lines without leaving the page, and keeps what
// is typed until the server has answered it.

import { dress, findAll, form } from "./dom.js";
import { tellKnown } from "./keys.js";
import { noteBoard } from "./known.js";
import { keep, takeOverAll } from "./queue.js";
import { draw, stand } from "./row.js";
import { stayAtEnd, stopAtOne } from "./rows.js";
import { follow, tellTarget } from "./shown.js";

function tellRows() {
  stopAtOne();
  tellKnown();
  draw();
  requestAnimationFrame(stayAtEnd);
}

for (const place of findAll(".fragment")) {
  place.shown = place.innerHTML;
  dress(place);
}
stand();
tellTarget();
tellRows();
keep();
form.addEventListener("rows", tellRows);
takeOverAll();
follow();
noteBoard();
