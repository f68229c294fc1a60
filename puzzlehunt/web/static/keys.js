// Keys: those of the page, and those of the keyboard while no field has it. What is known of each
// symbol is shown on its key.

import { find, findAll, isViewer, make } from "./dom.js";
import {
  back, clear, enter, game, isBegun, mark, space, symbolNamed, take,
} from "./row.js";
import { line, putInLine } from "./send.js";

const keyboard = find("#keyboard");
const marks = findAll("[data-mark]", keyboard).map((key) => key.dataset.mark);
const among = (typed, texts, meant = (one) => one) => (
  [typed, typed.toUpperCase(), typed.toLowerCase()].map(meant).find((one) => texts.includes(one)));

keyboard.hidden = !game.symbols.length;
keyboard.addEventListener("pointerdown", (event) => event.preventDefault());   // the focus stays
keyboard.addEventListener("click", ({ target }) => {
  const { symbol, mark: value, command } = target.closest("button")?.dataset ?? {};
  if (symbol) take(symbol);
  else if (value) mark(value);
  else if (command === "back") back();
  else if (command === "enter") enter();
});

// A character is a symbol of the guess if one is still wanted, otherwise a mark.
function type(typed) {
  const symbol = among(typed, game.symbols, symbolNamed);
  if (symbol && take(symbol)) return true;
  const isUnread = game.boards === 1 && document.activeElement.closest("#next button");
  if (typed === " " && !isUnread) return space(), true;
  const value = typed === " " ? game.unread : among(typed, marks);
  return Boolean(value) && mark(value);
}

// A tool that is clicked does not take the keyboard, so that Enter does not press it again. An empty
// line is left by the click, and not before: the keys that come back move what is clicked.
const isTool = ({ target }) => target.closest("button, summary")
  && !target.closest("#next, dialog, .typed > .main");
document.addEventListener("mousedown", (event) => { if (isTool(event)) event.preventDefault(); });
document.addEventListener("click", (event) => { if (isTool(event) && !line.value) line.blur(); });

const isField = (one) => one.closest("input, textarea, select, dialog, .menu[open]");

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const isOther = event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isViewer;
  if (event.defaultPrevented || isOther || isField(target)) return;
  const isButton = target.closest("button, a, summary") && !target.closest("#keyboard");
  const isSymbol = game.symbols.includes(key) && find("#next .spoken")?.textContent;
  if (key === "/" && !isSymbol) putInLine("/");
  else if (key === "Backspace") back();
  else if (key === "Escape") clear();
  else if (key === "Enter" && (isBegun() || !isButton || target.closest("#next"))) {
    if (!event.repeat) enter();
    if (isButton && !target.closest("#next")) find("#next").focus();
  }
  else if (key.length > 1 || (key === " " && isButton) || !type(key)) return;
  event.preventDefault();
});

// A paste anywhere goes into the line, where it can be read before it is sent.
document.addEventListener("paste", (event) => {
  const pasted = event.clipboardData.getData("text/plain");
  if (isField(event.target) || isViewer || !pasted.trim()) return;
  event.preventDefault();
  putInLine(line.value + pasted);
});

// What the rows say of each symbol: the best of its marks, on each board that has several. Of games
// whose marks are no tiles, the certainties say it.
const ranks = ["absent", "elsewhere", "right"];

export function tellKnown() {
  const boards = Array.from({ length: game.boards }, () => new Map());
  for (const tile of findAll("#rows .guess > *, #rows .lane > *")) {
    const [, name] = /\bt-(right|equal|elsewhere|absent)\b/.exec(tile.className) ?? [];
    if (!name) continue;
    const [, board] = /\bb(\d+)\b/.exec(tile.closest(".lane")?.className) ?? [null, 1];
    const rank = ranks.indexOf(name === "equal" ? "right" : name), best = boards[board - 1];
    const symbol = symbolNamed(tile.textContent);
    if (rank > (best.get(symbol) ?? -1)) best.set(symbol, rank);
  }
  const certain = JSON.parse(find("#certain [data-known]")?.dataset.known ?? "{}");
  for (const [symbol, name] of Object.entries(certain)) boards[0].set(symbol, ranks.indexOf(name));
  for (const key of findAll("[data-symbol]", keyboard)) {
    const names = boards.map((best) => ranks[best.get(key.dataset.symbol)] ?? "");
    const isMixed = new Set(names).size > 1;
    find(".known", key)?.remove();
    key.dataset.known = isMixed ? "mixed" : names[0];
    if (isMixed) {
      const dots = make("span", "", "known");
      dots.append(...names.map((name) => make("i", "", name && `t-${name}`)));
      key.append(dots);
    }
    const where = (n) => (game.boards > 1 ? ` on board ${n + 1}` : "");
    key.title = names.map((name, n) => name && name + where(n)).filter(Boolean).join(", ");
  }
}
