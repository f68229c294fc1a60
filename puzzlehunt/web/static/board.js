// A board's page: it follows what others do, sends lines without leaving the page, and keeps what is
// typed until the server has answered it.

import { dress, findAll } from "./dom.js";
import { readFragment } from "./brought.js";
import { follow } from "./events.js";
import { tellKnown } from "./keys.js";
import { noteBoard } from "./offline.js";
import { sendFormsHere } from "./people.js";
import "./share.js";
import { grow, line, putInLine } from "./line.js";
import { keep, pump, takeOverAll, takeOverOwn } from "./queue.js";
import { draw, stand } from "./row.js";
import { stayAtEnd, stopAtOne } from "./rows.js";
import { form, tellTarget } from "./shown.js";

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
const wasGiven = line.value;
takeOverOwn();
if (wasGiven) putInLine(wasGiven);
stand();
tellTarget();
tellRows();
grow();
keep();
form.addEventListener("rows", tellRows);
takeOverAll();
readFragment();
pump();
follow();
noteBoard();
sendFormsHere(follow);
