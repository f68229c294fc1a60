// Every page: menus, buttons that copy, and the fields of the pages of forms. Without scripts all
// pages work by forms alone.

import { find, findAll } from "./dom.js";
import "./offline.js";

for (const button of findAll("[data-copy]")) button.hidden = false;

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
  for (const menu of findAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && find("details.menu[open]");
  if (menu) {
    menu.open = false;
    find("summary", menu).focus();
  }
});

document.addEventListener("toggle", ({ target }) => {
  if (target.open) find(".choices", target)?.scrollIntoView({ block: "nearest" });
}, true);

async function copy(button) {
  const source = button.dataset.copy ? find("#" + button.dataset.copy) : find("pre", button.parentElement);
  const text = source.value ?? source.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Off this machine a browser gives the clipboard to https alone: select it for the hand.
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    if (!document.execCommand("copy")) return;
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

// What a link brings in its fragment outlasts the page of the password.
const password = find("#password");
if (password) password.form.action += location.hash;
