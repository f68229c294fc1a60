// The rows have one stop for the Tab key; arrow keys lead on to what can be tapped in them.

import { find, findAll } from "./dom.js";

const place = find("#rows");
const size = () => `${place.scrollHeight} ${place.clientHeight}`;
let isAtEnd = true, known = "";

// The newest rows stay in sight when rows come and go or their room changes, unless older ones are
// looked at: only a scroll while nothing has another size is somebody's.
place.addEventListener("scroll", () => {
  if (size() !== known) return;
  isAtEnd = place.scrollTop + place.clientHeight > place.scrollHeight - 40;
});
export function stayAtEnd() {
  if (isAtEnd) place.scrollTop = place.scrollHeight;
  known = size();
}
export function goToEnd() {
  isAtEnd = true;
  stayAtEnd();
}
new ResizeObserver(stayAtEnd).observe(place);

const STOPS = ":is(summary, button):not(.choices *)";

export function stopAtOne() {
  for (const one of findAll(`${STOPS}:not([tabindex="-1"])`, place)) one.tabIndex = -1;
  const last = find(".rows > li:last-child .more", place);
  if (last) last.tabIndex = 0;
}

place.addEventListener("keydown", (event) => {
  const { target, key } = event, row = target.closest(".rows > li");
  const next = { ArrowUp: row?.previousElementSibling, ArrowDown: row?.nextElementSibling }[key];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0;
  if (!target.matches(STOPS) || (!step && !next)) return;
  const here = findAll(STOPS, row), there = findAll(STOPS, next ?? row);
  const at = Math.min(here.indexOf(target) + step, there.length - 1);
  event.preventDefault();
  there[at]?.focus();
});
