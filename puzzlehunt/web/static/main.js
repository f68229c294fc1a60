// Every page: its elements, what it sends, its menus, the button that copies, what the device keeps.

export const find = (selector, within = document) => within.querySelector(selector);
export const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];

export function make(tag, text = "", kind = "", more = {}) {
  const given = { textContent: text, className: kind, ...more };
  return Object.assign(document.createElement(tag), given);
}

// Return the answer of the server, null if it cannot be reached.
export function sendJson(method, address, value, more = {}) {
  const body = JSON.stringify(value), headers = { "Content-Type": "application/json", ...more };
  return fetch(address, { method, headers, body }).catch(() => null);
}

// What the device keeps, or a tab, which keeps it when the page is loaded again. A browser may
// refuse to keep anything; then it lasts as long as the page.
function storage(name) {
  try { return window[name]; } catch { return {}; }
}
const device = storage("localStorage");
export const tab = storage("sessionStorage");
export const recalled = (place, where = device) => JSON.parse(where[place] ?? "null");
export function remember(place, value, where = device) {
  try { where[place] = JSON.stringify(value); } catch { /* full: a convenience, no more */ }
}

// The boards that were opened on this device: path, name and game, the newest first.
export const boards = () => recalled("puzzlehunt boards") ?? [];
export const keepBoards = (list) => remember("puzzlehunt boards", list.slice(0, 30));

document.addEventListener("click", ({ target }) => {
  const { copy } = target.dataset;
  if (copy) toClipboard(target, find(copy, target.closest(".share, details")));
  if (target.matches("dialog")) target.close();       // a tap beside the sheet
  for (const menu of findAll("details.menu[open]")) menu.open = menu.contains(target);
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && find("details.menu[open]");
  if (!menu) return;
  event.preventDefault();
  menu.open = false;
  if (menu.contains(document.activeElement)) find("summary", menu).focus();
});

document.addEventListener("toggle", ({ target }) => {
  if (target.open) find(".choices", target)?.scrollIntoView({ block: "nearest" });
}, true);

function toClipboard(button, source) {
  getSelection().selectAllChildren(source);
  // Off this machine a browser gives the newer clipboard to https alone.
  if (!document.execCommand("copy")) return;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}
