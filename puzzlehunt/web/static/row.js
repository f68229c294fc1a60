// The next row on tiles: its guess, then its clue; and the keys that fill it. It is written as a line,
// as if it were typed, so that the server reads it as any other. Guesses and clues that do not fit
// tiles (names, answers that are free texts) are typed in the line.

import { find, findAll, make, sendJson } from "./main.js";
import { isViewer, keep, line, page, putInLine, seenNow, send } from "./board.js";

const game = JSON.parse(find("#keyboard").dataset.game);
const place = find("#next"), choices = find("#choices");
const [shortest, longest] = game.lengths;
const isOnGuess = game.clue === "tiles", isLabelled = game.labels.length > 0;
const marks = game.marks.map(([value]) => value);
const looks = new Map(findAll("[data-symbol]").map((key) => (
  [key.dataset.symbol, key.className.replace("cap ", "")])));
const items = () => findAll("#rows .rows > li:not(.fact)");
let row = empty();
let waiting = "";                 // the guess that was sent without its clue
let drawn = 0;                    // the symbols that are shown

// `marks` are those of all boards in turn, `number` is that of a row that is edited, `rest` the
// doubt and the note behind it.
function empty() {
  return { guess: [], marks: [], isGuessed: false, number: 0, rest: "" };
}

const isBegun = () => row.guess.length > 0 || row.number > 0;
export const guessText = () => row.guess.join(game.joiner);
const isGuessed = () => row.isGuessed || row.guess.length >= longest;
const hasMarks = () => row.marks.some(Boolean);
const slots = () => game.slots || row.guess.length;
const boardOf = (at) => Math.floor(at / slots());
const isSolved = (board) => game.boards > 1 && Boolean(find(`#rows .b${board + 1}.solved`));
const times = (length, made) => Array.from({ length }, (_, n) => made(n));
const boardAt = (tile) => Number(/\bb(\d+)\b/.exec(tile?.closest(".lane")?.className)?.[1] ?? 1) - 1;

function clueOf(board) {
  const all = times(slots(), (n) => row.marks[board * slots() + n]);
  if (!all.some(Boolean)) return "*";
  if (!isLabelled) return all.map((mark) => mark || game.blank).join("");
  const texts = all.map((value, n) => (/^\d/.test(value) ? value + game.suffixes[n] : value));
  if (all.every(Boolean)) return texts.join("");
  return texts.filter(Boolean).map((text) => `=${text}`).join(",");
}

function text() {
  const clue = hasMarks() ? times(game.boards, clueOf).join(" ") : "*";
  return `${row.number ? `/edit ${row.number} ` : ""}${guessText()} ${clue}${row.rest}`;
}

// What is kept and put back.

export const state = () => (isBegun() ? row : null);

export function restore(kept) {
  if (!kept?.marks || isBegun()) return false;
  row = { ...empty(), ...kept };
  draw();
  return true;
}

const symbolNamed = (name) => game.keys[name] ?? name;

// Show a guess, unless it fits no tiles.
export function load(guess) {
  const symbols = guess.split("\t").map(symbolNamed);
  if (!symbols.every((one) => game.symbols.includes(one))) return false;
  row = { ...empty(), guess: symbols, isGuessed: true };
  changed(Math.max(openSlot(), 0));
  return true;
}

function hold(number, { guess, marks, rest } = items()[number - 1].dataset, seen = seenNow()) {
  const symbols = guess.split("\t").map(symbolNamed);
  row = { guess: symbols, marks: marks.split("\t"), isGuessed: true, number, rest, seen };
}

// Change a row: the mark that was touched, at the finger; else on the tiles, or in the line if the row
// does not fit them.
export function edit(number, touched) {
  const item = items()[number - 1];
  if (!item) return;
  if (!item.dataset.guess) return putInLine(find("[name=typed]", item).value);
  if (touched?.closest(isOnGuess ? ".guess, .lane" : ".clue")) return correct(number, touched);
  hold(number);
  changed(Math.max(openSlot(), 0));
}

// The marks that a recorded one may be, beside it. The one that is tapped is sent, about the row as it
// was seen here; what has been begun on the tiles stays there.
function correct(number, tile) {
  const place = [...tile.parentElement.children].indexOf(tile), { left, bottom } = tile.getBoundingClientRect();
  const { dataset } = items()[number - 1], seen = seenNow();
  choices.replaceChildren(...findAll("[data-mark]", keyboard).map((key) => {
    const choice = key.cloneNode(true);
    choice.onclick = () => {
      const begun = row;
      choices.hidePopover();
      hold(number, dataset, seen);
      row.marks[boardAt(tile) * slots() + place] = key.dataset.mark;
      const line = text(), sent = row;
      row = begun;
      send(line, "line", sent);
    };
    return choice;
  }));
  choices.showPopover();
  choices.style.left = `${Math.max(Math.min(left, innerWidth - choices.offsetWidth - 8), 8)}px`;
  choices.style.top = `${Math.min(bottom + 4, innerHeight - choices.offsetHeight - 8)}px`;
}

// A guess that was sent without its clue has the tiles once its row is there, until it has a clue.
export function fill() {
  if (row.number && !hasMarks() && row.guess.join("\t") === waiting) row = empty();
  const isHeld = ({ dataset }) => dataset.guess === waiting && !dataset.marks.trim();
  const number = waiting && !isBegun() ? items().findLastIndex(isHeld) + 1 : 0;
  if (number) hold(number);
  keep();
}

// Typing.

function take(symbol) {
  if (row.guess.length >= longest || (isGuessed() && hasMarks())) return false;
  if (!isBegun()) row.seen = seenNow();
  row.isGuessed = false;
  row.guess.push(symbol);
  changed();
  return true;
}

// The slot that has the keyboard, -1 for none.
const focused = () => findAll("button", place).indexOf(document.activeElement);

function openSlot() {
  const all = times(game.boards * slots(), (n) => row.marks[n]);
  return all.findIndex((one, n) => !one && !isSolved(boardOf(n)));
}

// The slot behind another one, on a board that is not solved; the same if it is the last.
function slotAfter(at) {
  const most = game.boards * slots();
  let next = at + 1;
  while (next < most && isSolved(boardOf(next))) next += slots();
  return next < most ? next : at;
}

// A digit that is typed makes a longer number of the one before, up to a space.
function digit(typed) {
  const last = row.marks.findLastIndex(Boolean), number = `${row.marks[last]}${typed}`;
  if (!marks.includes("10") || row.isEnded || !marks.includes(number)) return false;
  row.marks[last] = number;
  changed(focused());
  return true;
}

function mark(value) {
  const here = focused(), at = here < 0 ? openSlot() : here;
  if (row.guess.length < shortest || at < 0) return false;
  row.isGuessed = true;
  row.isEnded = false;
  row.marks[at] = value;
  changed(here < 0 ? here : slotAfter(at));
  return true;
}

function cycle(at) {
  const next = ["", ...marks];
  row.isGuessed = true;
  row.marks[at] = next[(next.indexOf(row.marks[at] ?? "") + 1) % next.length];
  changed(at);
}

// A space ends the guess. Between the marks of several boards it leads to the next board.
function space() {
  const here = focused(), at = here < 0 ? openSlot() : here;
  if (row.guess.length < shortest) return;
  row.isGuessed = row.isEnded = true;
  if (!hasMarks() || game.boards === 1) changed(Math.max(openSlot(), 0));
  else if (at % slots()) changed(slotAfter((boardOf(at) + 1) * slots() - 1));
}

// Take back the mark that has the keyboard, else the last one, else the last symbol of the guess.
function back() {
  const at = focused(), last = row.marks.findLastIndex(Boolean);
  if (row.marks[at]) row.marks[at] = "";
  else if (last >= 0) row.marks.length = last;
  else {
    row.guess.pop();
    row.isGuessed = false;
  }
  changed(last >= 0 ? at : -1);
}

function clear() {
  waiting = "";
  row = empty();
  changed();
}

function enter() {
  if (row.guess.length < shortest) return;
  const line = text(), sent = row;
  waiting = row.number || hasMarks() ? "" : row.guess.join("\t");
  row = empty();
  send(line, "line", sent);
  changed();
}

// Drawing.

function prompt() {
  if (!row.guess.length) return "Type a guess, then its clue.";
  if (row.guess.length < shortest) return `A guess has ${shortest} symbols or more.`;
  if (!isGuessed()) return "Space, or a mark, ends the guess.";
  const asked = hasMarks() ? "Enter saves it." : "Its marks.";
  if (row.number) return `${asked} Escape leaves row ${row.number}.`;
  if (!hasMarks()) return `${asked} Or Enter: its clue comes later.`;
  return `Enter sends the row. An empty place is ${game.blank ? "unread" : "none"}.`;
}

function slotButton(at, letter) {
  const value = row.marks[at] ?? "", slot = at % slots(), label = game.labels[slot] ?? "";
  const [, style, name] = game.marks.find(([mark]) => mark === value) ?? [];
  const isUnread = value === game.unread || (!value && game.blank);
  const look = isUnread && !isLabelled ? "tile unread" : "tile hole";
  const shown = letter ?? (value === "." ? "" : value), kind = isUnread ? look : style ?? look;
  const board = game.boards > 1 ? `board ${boardOf(at) + 1}, ` : "";
  const what = label || `${letter ? `${letter}, tile` : "mark"} ${slot + 1}`;
  const ariaLabel = `${board}${what}: ${isUnread ? "unread" : name || value || "none"}`;
  const button = make("button", shown, kind, { ariaLabel, onclick: () => cycle(at) });
  button.classList.toggle("here", isGuessed() && at === openSlot());
  if (label) button.append(make("small", label));
  return button;
}

function symbolTile(slot) {
  const symbol = row.guess[slot], isNext = slot === row.guess.length && !row.isGuessed;
  const look = symbol === undefined ? `tile hole${isNext ? " here" : ""}` : looks.get(symbol);
  const isNew = slot === row.guess.length - 1 && row.guess.length > drawn;
  return make("span", symbol, `${look ?? "tile"}${isNew ? " pop" : ""}`, { ariaHidden: "true" });
}

function lane(board) {
  const shown = make("div", "", `lane b${board + 1}${isSolved(board) ? " solved" : ""}`);
  const first = board * slots(), least = isLabelled ? shortest : 1;
  const guess = make("div", "", "tiles guess"), size = isGuessed() ? row.guess.length : longest;
  guess.append(make("span", guessText(), "spoken"), ...times(size, (slot) => (
    isOnGuess && isGuessed() ? slotButton(first + slot, row.guess[slot]) : symbolTile(slot))));
  if (game.boards > 1) shown.title = `board ${board + 1}`;
  shown.append(guess);
  if (isOnGuess) return shown;
  const clue = make("div", "", `tiles clue ${isLabelled ? "labelled" : "pegs"}`);
  const open = row.guess.length < least ? 0 : slots();
  clue.append(...times(open, (slot) => slotButton(first + slot)));
  shown.append(clue);
  return shown;
}

export function draw(at = focused()) {
  const number = String(row.number || items().length + 1);
  const lanes = times(game.boards, lane), here = at < 0 ? Math.max(openSlot(), 0) : at;
  (lanes[boardOf(here)] ?? lanes.find((_, n) => !isSolved(n)))?.classList.add("current");
  place.replaceChildren(make("span", number, "number"), ...lanes, make("p", prompt(), "prompt"));
  place.classList.toggle("edited", row.number > 0);
  place.tabIndex = find("button", place) ? -1 : 0;
  findAll("button", place)[at]?.focus({ preventScroll: true });
  drawn = row.guess.length;
}

function changed(at) {
  draw(at);
  place.scrollIntoView({ block: "nearest" });
  keep();
  clearTimeout(telling);
  telling = setTimeout(tellTyped, 150);
}

// Others see the guess while it is typed.
let telling = 0, typed = "";

function tellTyped() {
  const symbols = row.number ? [] : row.guess, now = symbols.join();
  if (now === typed) return;
  typed = now;
  sendJson("POST", find("#ask").dataset.typing, { page, symbols });
}

// What others type, each beside who does.
export function showTyping(rows) {
  find("#typing").replaceChildren(...rows.map(([name, , symbols]) => {
    const item = make("li", "", "", { title: name }), tiles = make("span", "", "tiles");
    tiles.append(...symbols.map((one) => make("span", one, looks.get(one) ?? "tile")));
    const who = find(`#people [title="${CSS.escape(name)}"] .who`)?.cloneNode(true);
    item.append(who ?? make("span", "?", "number"), tiles);
    return item;
  }));
}

// Keys: those of the page, and those of the keyboard while no field has it.

const keyboard = find("#keyboard");
const among = (typed, texts, meant = (one) => one) => (
  [typed, typed.toUpperCase(), typed.toLowerCase()].map(meant).find((one) => texts.includes(one)));

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
  return Boolean(value) && (digit(value) || mark(value));
}

// A row of a table has a field for the name and for each column, in which Enter sends it.
const fields = game.fields.map(([title, texts], n) => {
  const list = make("datalist", "", "", { id: `list${n}` });
  const field = make("input", "", "", { placeholder: title, ariaLabel: title, autocomplete: "off" });
  list.append(...texts.map((value) => make("option", "", "", { value })));
  field.setAttribute("list", list.id);
  find("#table").append(field, list);
  return field;
});

find("#table").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !fields[0].value.trim()) return;
  event.preventDefault();
  const [name, ...cells] = fields.map((field) => field.value.trim());
  send([name, ...cells.some(Boolean) ? cells.map((cell) => cell || "_") : ["*"]].join(" "), "line");
  for (const field of fields) field.value = "";
  fields[0].focus();
});

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
  const boards = times(game.boards, () => new Map());
  for (const tile of findAll("#rows .guess > *, #rows .lane > *")) {
    const [, name] = /\bt-(right|equal|elsewhere|absent)\b/.exec(tile.className) ?? [];
    if (!name) continue;
    const rank = ranks.indexOf(name === "equal" ? "right" : name), best = boards[boardAt(tile)];
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
