// A board's page: it follows what others do, sends lines without leaving the page, and keeps what is
// typed until the server has answered it.

import { dress, find, findAll } from "./dom.js";
import { readFragment } from "./brought.js";
import { follow } from "./events.js";
import { noteBoard } from "./offline.js";
import { sendFormsHere } from "./people.js";
import "./share.js";
import { grow, line, putInLine } from "./line.js";
import { keep, pump, takeOverAll, takeOverOwn } from "./queue.js";
import { tellTarget } from "./shown.js";

for (const place of findAll(".fragment")) {
  place.shown = place.innerHTML;
  dress(place);
}
find("#rows").scrollTop = find("#rows").scrollHeight;
const wasGiven = line.value;
takeOverOwn();
if (wasGiven) putInLine(wasGiven);
else if (matchMedia("(hover: hover) and (min-width: 60rem)").matches) line.focus({ preventScroll: true });
tellTarget();
grow();
keep();
takeOverAll();
readFragment();
pump();
follow();
noteBoard();
sendFormsHere(follow);
