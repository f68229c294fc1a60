// The system's way to send a link, and print, where there is one.

import { find, findAll } from "./dom.js";

const sheets = findAll("[data-share]"), prints = findAll("[data-print]");
for (const button of [...sheets, ...prints]) button.hidden = sheets.includes(button) && !navigator.share;
for (const button of prints) button.addEventListener("click", () => print());
for (const button of sheets) {
  const url = find("#" + button.dataset.share).textContent;
  button.addEventListener("click", () => navigator.share({ title: document.title, url }).catch(() => null));
}
