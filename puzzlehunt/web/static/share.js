// The system's way to send a link, and print, where there is one.

import { find, findAll } from "./dom.js";

for (const button of findAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => {
    const url = find("#" + button.dataset.share).textContent;
    navigator.share({ title: document.title, url }).catch(() => null);
  });
}

for (const button of findAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
