// Every page: menus, buttons that copy and share.

import { find, findAll } from "./dom.js";

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy], [data-share]");
  const { copy, share } = button?.dataset ?? {};
  if (copy) toClipboard(button, find(copy, button.closest(".share, .share-sheet")));
  if (share) navigator.share({ title: document.title, url: share }).catch(() => null);
  if (target.matches("dialog")) target.close();       // a tap beside the sheet
  for (const menu of findAll("details.menu[open]")) menu.open = menu.contains(target);
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && find("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  if (menu.contains(document.activeElement)) find("summary", menu).focus();
});

document.addEventListener("toggle", ({ target }) => {
  if (target.open) find(".choices", target)?.scrollIntoView({ block: "nearest" });
}, true);

for (const button of findAll("[data-share]")) button.hidden = !navigator.share;

async function toClipboard(button, source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch {
    // Off this machine a browser gives the clipboard to https alone: select it for the hand.
    getSelection().selectAllChildren(source);
    if (!document.execCommand("copy")) return;
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}
