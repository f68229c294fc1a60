// The rows have one stop for the Tab key; arrow keys lead on to what can be tapped in them.

import { find, findAll } from "./dom.js";

const place = find("#rows");
let isAtEnd = true;

// The newest rows stay in sight when the room for rows changes, unless somebody looks at older ones.
place.addEventListener("scroll", () => {
  isAtEnd = place.scrollTop + place.clientHeight > place.scrollHeight - 40;
});
export function stayAtEnd() {
  if (isAtEnd) place.scrollTop = place.scrollHeight;
}
new ResizeObserver(stayAtEnd).observe(place);

const inRow = (row) => findAll("summary, button", row).filter((one) => one.matches("summary") || !one.closest(".choices"));

export function stopAtOne() {
  for (const one of findAll("summary:not([tabindex]), button:not([tabindex], .choices *)", place)) one.tabIndex = -1;
  const last = find(".rows > li:last-child .more", place);
  if (last && !find("[tabindex='0']", place)) last.tabIndex = 0;
}

place.addEventListener("focusin", ({ target }) => {
  const stop = find("[tabindex='0']", place);
  if (!target.matches("summary, button") || target.closest(".choices") || stop === target) return;
  if (stop) stop.tabIndex = -1;
  target.tabIndex = 0;
});

place.addEventListener("keydown", (event) => {
  const row = event.target.closest(".rows > li");
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const next = { ArrowUp: row?.previousElementSibling, ArrowDown: row?.nextElementSibling }[event.key];
  if (!row || event.target.closest(".choices") || (!step && !next)) return;
  const here = inRow(row), at = here.indexOf(event.target);
  const there = step ? here[at + step] : inRow(next)[Math.min(at, inRow(next).length - 1)];
  if (!there) return;
  event.preventDefault();
  there.focus();
});
