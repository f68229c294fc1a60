// Keys: those of the page, and those of the keyboard while no field has it. What is known of each
// symbol is shown on its key.

import { find, findAll, make } from "./dom.js";
import { putInLine, recall, line } from "./line.js";
import { back, clear, endGuess, enter, game, mark, symbolNamed, take } from "./row.js";

const keyboard = find("#keyboard");
const marks = findAll("[data-mark]", keyboard).map((key) => key.dataset.mark);
const spellings = (typed) => [typed, typed.toUpperCase(), typed.toLowerCase()];
const symbolOf = (typed) => spellings(typed).map(symbolNamed).find((one) => game.symbols.includes(one));
const markOf = (typed) => (typed === " " ? game.unread : spellings(typed).find((one) => marks.includes(one)));

keyboard.hidden = game.clue === "text" && !game.symbols.length;
keyboard.addEventListener("pointerdown", (event) => event.preventDefault());   // the focus stays
keyboard.addEventListener("click", ({ target }) => {
  const { symbol, mark: value, word, back: isBack, enter: isEnter } = target.closest("button")?.dataset ?? {};
  if (symbol) take(symbol);
  else if (value) mark(value);
  else if (word) enter(word);
  else if (isBack !== undefined) back();
  else if (isEnter !== undefined) enter();
});

const isViewer = document.body.matches(".viewer");

// A character is a symbol of the guess if one is still wanted, otherwise a mark.
function type(typed) {
  const symbol = symbolOf(typed), value = markOf(typed);
  if (symbol && take(symbol)) return true;
  if (typed === " " && !document.activeElement.closest("#next button")) return endGuess(), true;
  return Boolean(value) && mark(value);
}

const isField = (element) => element.closest("input, textarea, select, dialog, .menu, [contenteditable]");

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isField(target) || isViewer) return;
  const isButton = target.closest("button, a, summary") && !target.closest("#keyboard");
  if (key === "/" && !(game.symbols.includes("/") && find("#next .spoken")?.textContent)) putInLine("/");
  else if (key === "ArrowUp" && !target.closest("#rows, #answers, #next")) recall();
  else if (key === "Backspace") back();
  else if (key === "Escape") clear();
  else if (key === "Enter" && (!isButton || target.closest("#next"))) enter();
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
const known = ["absent", "elsewhere", "right"];

export function tellKnown() {
  const boards = Array.from({ length: game.boards }, () => new Map());
  for (const tile of findAll("#rows .guess .tile, #rows .lane .tile")) {
    const [, name] = /\bt-(right|equal|elsewhere|absent)\b/.exec(tile.className) ?? [];
    if (!name || tile.closest(".choices")) continue;
    const [, board] = /\bb(\d+)\b/.exec(tile.closest(".lane")?.className) ?? [null, 1];
    const rank = known.indexOf(name === "equal" ? "right" : name), best = boards[board - 1];
    const symbol = symbolNamed(tile.textContent);
    if (rank > (best.get(symbol) ?? -1)) best.set(symbol, rank);
  }
  const certain = JSON.parse(find("#certain [data-known]")?.dataset.known ?? "{}");
  for (const [symbol, name] of Object.entries(certain)) boards[0].set(symbol, known.indexOf(name));
  for (const key of findAll("[data-symbol]", keyboard)) {
    const names = boards.map((best) => known[best.get(key.dataset.symbol)] ?? "");
    find(".known", key)?.remove();
    key.dataset.known = names.every((name) => name === names[0]) ? names[0] : "mixed";
    if (key.dataset.known === "mixed") {
      const dots = make("span", "", "known");
      dots.append(...names.map((name) => make("i", "", name && `t-${name}`)));
      key.append(dots);
    }
    const says = names.map((name, n) => name && (game.boards > 1 ? `${name} on board ${n + 1}` : name)).filter(Boolean);
    key.title = says.join(", ");
  }
}
