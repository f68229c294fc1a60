// The next row on tiles: its guess, then its clue; and the keys that fill it. It is sent as a line, as if
// it were typed. A row of a table has fields; what fits neither (free texts) is typed in the line.

import { find, findAll, make, sendJson } from "./main.js";
import { isViewer, keep, line, page, putInLine, replace, seenNow, send } from "./board.js";

const game = JSON.parse(find("#keyboard").dataset.game);
const place = find("#next"), choices = find("#choices");
const [shortest, longest] = game.lengths;
const isOnGuess = game.clue === "tiles", isLabelled = game.labels.length > 0;
const marks = game.marks.map(([value]) => value);
const looks = new Map(findAll("[data-symbol], [data-mark]").map((key) => (
  [key.dataset.symbol ?? `=${key.dataset.mark}`, key.className.replace("cap ", "")])));
const items = () => findAll("#rows .rows > li:not(.fact)");
let row = empty();
let drawn = 0;                    // the symbols that are shown

// `marks` are those of all boards in turn, `cells` what the fields of a table hold. `at` is the slot
// typed into, if set, `typed` the one typed last, `here` the place in the guess that was tapped; `number`
// that of a row that is edited, `was` its guess, `by` its author, `rest` its doubt.
function empty() {
  return { guess: [], marks: [], cells: [], isGuessed: false, number: 0, rest: "" };
}

const isBegun = () => row.guess.length > 0 || row.cells.some(Boolean) || row.number > 0;
export const guessText = () => row.cells[0]?.trim() ?? row.guess.join(game.joiner);
const isWhole = () => row.guess.length >= shortest && row.guess.every((one) => game.symbols.includes(one) || row.was?.includes(one));
const isGuessed = () => isWhole() && (row.isGuessed || row.guess.length >= longest);
const hasMarks = () => row.marks.some(Boolean);
const slots = () => game.slots || row.guess.length;
const boardOf = (at) => Math.floor(at / slots());
const isSolved = (board) => game.boards > 1 && Boolean(find(`#rows .b${board + 1}.solved`));
const times = (length, made) => Array.from({ length }, (_, n) => made(n));
const boardAt = (tile) => Number(/\bb(\d+)\b/.exec(tile?.closest(".lane")?.className)?.[1] ?? 1) - 1;

const marksOf = (board) => times(slots(), (n) => row.marks[board * slots() + n]);
const openBoards = () => times(game.boards, (n) => n).filter((n) => !isSolved(n));

function clueOf(board) {
  const all = marksOf(board);
  if (!all.some(Boolean) || all.includes("won")) return all.includes("won") ? "won" : "*";
  if (!isLabelled) return all.map((mark) => mark || game.blank).join("");
  const texts = all.map((value, n) => (/^\d/.test(value) ? value + game.suffixes[n] : value));
  if (all.every(Boolean)) return texts.join("");
  return texts.filter(Boolean).map((text) => `=${text}`).join(",");
}

function text() {
  const cells = row.cells.slice(1).map((cell) => cell.trim());
  let clue = hasMarks() ? times(game.boards, clueOf).join(" ") : "*";
  if (cells.some(Boolean)) clue = cells.map((cell) => cell || "_").join(" ");
  return `${row.number ? `/edit ${row.number} ` : ""}${guessText()} ${clue}${row.rest}`;
}

export const state = () => (isBegun() ? row : null);

export function restore(kept) {
  if (!kept?.marks || isBegun()) return false;
  row = { ...empty(), ...kept };
  draw();
  return true;
}

const symbolNamed = (name) => game.keys[name] ?? name;

const filled = (guess, marks = "") => (
  fields.length ? { cells: [guess, ...marks.split("\t")] }
    : { guess: guess.split("\t").map(symbolNamed), marks: marks.split("\t"), isGuessed: true });

// Show a guess, unless it fits neither tiles nor fields.
export function load(guess) {
  const shown = filled(guess);
  if (shown.guess?.some((one) => !game.symbols.includes(one))) return false;
  row = { ...empty(), ...shown };
  return changed(true);
}

function hold(number, { guess, marks, rest } = items()[number - 1].dataset, seen = seenNow()) {
  const by = find(".number", items()[number - 1])?.title;
  row = { ...empty(), ...filled(guess, marks), number, rest, seen, by, was: guess };
}

// Change a row: a mark that was touched at the finger, else on the tiles, or in the line if none fit.
export function edit(number, touched) {
  const item = items()[number - 1];
  if (!item) return;
  if (!item.dataset.guess) return putInLine(find("[name=typed]", item).value);
  const marked = isOnGuess ? ".guess, .lane" : ".clue";
  if (!isWaiting(item) && touched?.closest(marked)) return correct(number, touched);
  hold(number);
  changed(true, { at: Math.max(cursor(), 0) });
  fields[findAll(".column", item).indexOf(touched?.closest(".column")) + 1]?.focus();
}

// The marks that a recorded one may be, beside it. The one that is tapped is sent, about the row as it
// was seen here; what has been begun on the tiles stays there.
function correct(number, tile) {
  const place = [...tile.parentElement.children].indexOf(tile), { left, bottom } = tile.getBoundingClientRect();
  const { dataset } = items()[number - 1], seen = seenNow();
  const tiles = [...tile.parentElement.children].sort((one, other) => one.style.order - other.style.order);
  choices.replaceChildren(...findAll("[data-mark]", keyboard).map((key) => {
    const choice = key.cloneNode(true);
    choice.onclick = () => {
      const begun = row;
      choices.hidePopover();
      hold(number, dataset, seen);
      row.marks[boardAt(tile) * slots() + place] = key.dataset.mark;
      const pegs = tiles.map((one) => (one === tile ? key.dataset.mark : one.textContent));
      if (!isOnGuess && !isLabelled) corrected = { guess: dataset.guess, pegs };
      const line = text(), sent = row;
      row = begun;
      send(line, "line", sent);
    };
    return choice;
  }));
  choices.showPopover();
  tile.classList.add("here");
  choices.addEventListener("beforetoggle", () => tile.classList.remove("here"), { once: true });
  choices.style.left = `${Math.max(Math.min(left, innerWidth - choices.offsetWidth - 8), 8)}px`;
  choices.style.top = `${Math.min(bottom + 4, innerHeight - choices.offsetHeight - 8)}px`;
}

// The server sorts pegs; those of a row that is corrected stay where they are until it is left.
let corrected = { guess: "", pegs: [] };

function arrange(pegs = corrected.pegs) {
  const left = [...pegs];
  corrected.pegs = pegs;
  for (const tile of findAll(`#rows [data-guess="${CSS.escape(corrected.guess)}"] .clue > *`)) {
    tile.style.order = left.indexOf(tile.textContent);
    delete left[tile.style.order];
  }
}

// A guess that was sent without its clue.
const isWaiting = ({ dataset }) => dataset.guess && !dataset.marks.trim();

// The place in the guess that is typed into, -1 if all are full.
const placeAt = () => row.here ?? times(longest, (n) => n).find((n) => !row.guess[n]) ?? -1;

// A sign (and what follows a virama) joins the letter before, if some letter of the game begins so.
function take(typed) {
  const next = placeAt(), last = row.here ?? (next < 0 ? row.guess.length : next) - 1;
  const before = row.guess[last] ?? "", isSign = /^\p{M}/u.test(typed) || before.endsWith("\u094d");
  const isJoined = isSign && game.symbols.some((one) => one.startsWith(before + typed));
  const [place, symbol] = isJoined ? [last, before + typed] : [next, typed];
  if (place < 0 || !(isJoined || game.symbols.includes(typed))) return false;
  if (row.here === undefined && isGuessed() && hasMarks()) return false;
  if (!isBegun()) row.seen = seenNow();
  row.isGuessed &&= place < row.guess.length;
  row.guess[place] = symbol;
  return changed(undefined, { at: undefined });
}

const slotButtons = () => findAll(".lane button", place);
const focused = () => slotButtons().indexOf(document.activeElement);
const openSlots = () => openBoards().flatMap((board) => times(slots(), (n) => board * slots() + n));
const slotAfter = (at) => openSlots().find((n) => n > at);
// The slot that is typed into, -1 if all are full. A tap and the Tab key set it.
const cursor = () => row.at ?? openSlots().find((n) => !row.marks[n]) ?? -1;

function mark(value, typed = cursor()) {
  if (!isWhole() || typed < 0) return false;
  row.marks[typed] = value;
  const next = openSlots().find((n) => n > typed && !row.marks[n]) ?? slotAfter(typed);
  return changed(undefined, { isGuessed: true, typed, at: row.at >= 0 ? next : undefined });
}

// A tap on a mark goes on to the next one, on a counter only there.
function cycle(at) {
  const next = ["", ...marks];
  if (!isLabelled) row.marks[at] = next[(next.indexOf(row.marks[at] ?? "") + 1) % next.length];
  changed(true, { isGuessed: true, at });
}

// A space ends the guess. Between the marks of several boards it leads to the next board.
function space() {
  const at = cursor();
  if (!isWhole()) return;
  if (hasMarks() && game.boards > 1 && at % slots()) row.at = slotAfter((boardOf(at) + 1) * slots() - 1);
  changed(true, { isGuessed: true });
}

// Take back the mark typed last, or that under the cursor or before it; else the last one. In the
// guess, take back the symbol under the cursor or before it.
function back() {
  const at = row.typed ?? cursor(), isInGuess = row.here >= 0 || !isGuessed(), place = placeAt();
  const full = isInGuess ? [] : [...row.marks.keys()].filter((n) => row.marks[n]);
  row.at = full.findLast((n) => n <= at) ?? full.at(-1);
  if (row.at >= 0) row.marks[row.at] = "";
  else {
    const end = place < 0 ? row.guess.length : place + Boolean(row.guess[place]);
    row.guess.fill("", end - 1, end);
    row.guess.length = row.guess.findLastIndex(Boolean) + 1;
    row.isGuessed &&= row.guess.includes("");
  }
  changed();
}

function clear() {
  if (!isBegun()) replace("said", "");
  row = empty();
  changed();
}

// Send the row. If only some boards have marks, the first Enter leads to one that has none.
export function enter() {
  arrange([]);
  if (fields.length ? !guessText() : !isWhole()) return;
  const isAsked = hasMarks() && !row.isAsked, isEmpty = (board) => !marksOf(board).some(Boolean);
  const unread = isAsked ? openBoards().find(isEmpty) : undefined;
  if (unread !== undefined) return changed(focused() >= 0, { at: unread * slots(), isAsked });
  // After a refusal the row is as it is seen now, wherever that is.
  if (!row.seen && row.number) row.number = items().findLastIndex((one) => one.dataset.guess === row.was) + 1;
  const line = text(), sent = row;
  row = empty();
  send(line, "line", sent);
  changed();
  fields[0]?.focus();
}

function prompt() {
  const waiting = items().findLastIndex(isWaiting) + 1;
  const done = game.boards - openBoards().filter((board) => !marksOf(board).every(Boolean)).length;
  if (!isBegun() && waiting) return `Row ${waiting} waits for its marks: tap it, or type a guess.`;
  if (!row.guess.length) return "Type a guess, then its clue.";
  if (!isWhole()) return `A guess has ${shortest} symbols${longest > shortest ? " or more" : ""}.`;
  if (!isGuessed()) return "Space, or a mark, ends the guess.";
  if (!hasMarks()) return row.number ? "Its marks." : "Its marks. Or Enter: its clue comes later.";
  if (row.isAsked) return `Enter sends the row, board ${boardOf(row.at) + 1} unread.`;
  if (done < game.boards && game.boards > 1) return `Board ${boardOf(cursor()) + 1}: its marks. ${done} of ${game.boards} done.`;
  return `Enter sends the row. An empty place is ${game.blank ? "unread" : "none"}.`;
}

// A key that does nothing says so.
function refuse(key) {
  draw();
  find(".prompt").prepend(`${key} does nothing here. `);
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
  const onfocus = () => { if (at !== cursor()) draw(true, at); };
  const button = make("button", shown, kind, { ariaLabel, onfocus, onclick: () => cycle(at) });
  if (label) button.append(make("small", label));
  return button;
}

function symbolTile(slot) {
  const symbol = row.guess[slot], look = symbol ? looks.get(symbol) ?? "tile" : "tile hole";
  const isNew = slot === row.guess.length - 1 && row.guess.length > drawn;
  const kind = look + (slot === placeAt() ? " here" : "") + (isNew ? " pop" : "");
  const onclick = () => changed(false, { here: Math.min(slot, row.guess.length) });
  return make("span", symbol, kind, { ariaHidden: "true", onclick });
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

export function draw(isFocused = focused() >= 0, moved = row.at) {
  if (row.at !== moved) Object.assign(row, { at: moved, typed: undefined, here: undefined });
  const at = cursor(), number = row.number || items().length + 1;
  const said = (row.number ? `Row ${number}${row.by && `, by ${row.by}`}. ` : "") + prompt();
  const hint = make("p", said, "prompt");
  if (row.number) hint.append(" ", make("button", "Cancel", "", { type: "button", onclick: clear }));
  for (const [n, field] of fields.entries()) field.value = row.cells[n] ?? "";
  const lanes = times(game.boards, lane), shown = lanes[boardOf(at < 0 ? row.marks.length - 1 : at)];
  (shown ?? lanes.find((_, n) => !isSolved(n)))?.classList.add("current");
  place.replaceChildren(make("span", number, "number"), ...(fields.length ? [] : lanes), hint);
  place.classList.toggle("edited", row.number > 0);
  place.tabIndex = find("button", place) ? -1 : 0;
  if (isGuessed() && row.here === undefined) slotButtons()[at]?.classList.add("here");
  if (isFocused) (fields[1] ?? slotButtons()[at] ?? place).focus({ preventScroll: true });
  drawn = row.guess.length;
  arrange();
}

function changed(isFocused, more = {}) {
  Object.assign(row, { isAsked: false, typed: undefined, here: undefined, ...more });
  draw(isFocused);
  const lane = isGuessed() ? find(`.b${boardOf(cursor()) + 1}`, items().at(-1) ?? place) : null;
  for (const one of [lane, place]) one?.scrollIntoView({ block: "nearest" });
  keep();
  clearTimeout(telling);
  telling = setTimeout(tellTyped, 150);
  return true;
}

// Others see the guess and its marks, behind an =, while they are typed.
let telling = 0, typed = "";

function tellTyped() {
  const all = [...row.guess, ...row.marks.filter(Boolean).map((mark) => `=${mark}`)];
  const symbols = row.number ? [] : all.slice(0, 40), now = symbols.join();
  if (now === typed) return;
  typed = now;
  sendJson("POST", find("#ask").dataset.typing, { page, symbols });
}

// What others type, each beside who does.
export function showTyping(rows) {
  find("#typing").replaceChildren(...rows.map(([name, , symbols]) => {
    const item = make("li", "", "", { title: name }), tiles = make("span", "", "tiles");
    tiles.append(...symbols.map((one) => make("span", one.replace(/^=(?=.)/, ""), looks.get(one) ?? "tile")));
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
  if (symbol || value) (symbol ? take(symbol) : mark(value)) || refuse(symbol ?? value);
  else ({ back, enter })[command]?.();
});

// A character is a symbol of the guess if one is still wanted, otherwise a mark.
function type(typed) {
  if (take(among(typed, game.symbols, symbolNamed) ?? typed)) return true;
  const isUnread = game.boards === 1 && focused() >= 0;
  if (typed === " " && !isUnread) return space(), true;
  const value = typed === " " ? game.unread : among(typed, marks);
  // A digit makes a longer number of the one before, up to a space.
  const longer = `${row.marks[row.typed]}${value}`;
  return marks.includes(longer) ? mark(longer, row.typed) : Boolean(value) && mark(value);
}

// A row of a table has a field for the name and for each column.
const fields = findAll("#table input");

find("#table").addEventListener("focusin", ({ target }) => target.select());   // typing replaces it
find("#table").addEventListener("input", () => {
  if (!isBegun()) row.seen = seenNow();
  row.cells = fields.map(({ value }) => value);
  keep();
});

// A tool that is clicked does not take the keyboard, so that Enter does not press it again. An empty
// line is left by the click, and not before: the keys that come back move what is clicked.
const isTool = ({ target }) => target.closest(":is(button, summary, #next .tile):not(dialog *, .typed > .main)");
document.addEventListener("mousedown", (event) => { if (isTool(event)) event.preventDefault(); });
document.addEventListener("click", (event) => {
  if (isTool(event) && !line.value) line.blur();
  const { guess } = event.target.closest("li")?.dataset ?? {};
  if (guess !== corrected.guess && !choices.contains(event.target)) arrange([]);
});

const isField = (one) => one.closest("input, textarea, select, dialog, .menu[open]");

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const isOther = event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isViewer;
  const isLeft = key === "Escape" && target.closest("#table");
  if (event.defaultPrevented || isOther || (isField(target) && !isLeft)) return;
  const isButton = target.closest("button, a, summary") && !target.closest("#keyboard");
  const isSymbol = game.symbols.includes(key) && find("#next .spoken")?.textContent;
  if (fields.length && key.length === 1 && key !== " " && key !== "/") return fields[0].focus();
  if (key === "/" && !isSymbol) putInLine("/");
  else if (key === "Backspace") back();
  else if (key === "Escape" && find(":popover-open")) return;
  else if (key === "Escape") clear();
  else if (key === "Enter" && (isBegun() || !isButton || target.closest("#next"))) {
    if (!event.repeat) enter();
    if (isButton && !target.closest("#next")) find("#next").focus();
  }
  else if (key.length > 1 || (key === " " && isButton)) return;
  else if (!type(key)) return refuse(key);
  event.preventDefault();
});

// A paste anywhere goes into the line, where it can be read before it is sent.
document.addEventListener("paste", (event) => {
  const pasted = event.clipboardData.getData("text/plain");
  if (isField(event.target) || isViewer || !pasted.trim()) return;
  event.preventDefault();
  putInLine(line.value + pasted);
});

// What the rows say of each symbol: the best of its marks on each board; or the certainties say it.
const ranks = ["absent", "elsewhere", "right"];

export function tellRows() {
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
  const keys = findAll("[data-symbol]", keyboard), isComposed = keys.length < game.symbols.length;
  for (const key of isComposed ? [] : keys) {
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
  draw();
}
