// The next row on tiles: its guess, then its clue. It is written as a line, as if it were typed, so
// that the server reads it as any other. Guesses and clues that do not fit tiles (names, answers that
// are free texts) are typed in the line.

import { find, findAll, form, make, suggested, version } from "./dom.js";
import { keep, send } from "./queue.js";

export const game = JSON.parse(find("#keyboard").dataset.game);
const place = find("#next");
const [shortest, longest] = game.lengths;
const kinds = game.marks.filter(([text]) => game.clue === "answers" || text.length === 1);
const classOf = new Map(findAll("[data-symbol]").map((key) => (
  [key.dataset.symbol, key.className.replace("cap ", "")])));
const values = game.clue === "counts"
  ? findAll("#keyboard [data-mark]").map((key) => key.dataset.mark)
  : [...kinds.map(([text]) => text), ...(game.clue === "answers" ? [] : [game.unread])];
let row = empty();

// `marks` are those of all boards in turn, `number` is that of a row that is edited, `rest` the
// doubt and the note behind it.
function empty() {
  return { guess: [], marks: [], isGuessed: false, number: 0, rest: "" };
}

export const isBegun = () => row.guess.length > 0 || row.number > 0;
const guessText = () => row.guess.join(game.joiner);
const isGuessed = () => row.isGuessed || row.guess.length >= longest;
const hasMarks = () => row.marks.some(Boolean);
const isWaiting = () => form.elements.standing.value === guessText();
const slots = () => ({ tiles: row.guess.length, pegs: game.slots || row.guess.length,
  counts: kinds.length, answers: 1, text: 0 })[game.clue];
const boardOf = (at) => Math.floor(at / slots());
const isSolved = (board) => game.boards > 1 && Boolean(find(`#rows .b${board + 1}.solved`));

function clueOf(board) {
  const all = Array.from({ length: slots() }, (_, n) => row.marks[board * slots() + n]);
  if (!all.some(Boolean)) return "*";
  if (game.clue !== "counts") return all.map((mark) => mark || game.blank).join("");
  const isWhole = all.every(Boolean);
  return all.map((count, n) => count && (isWhole ? "" : "=") + count + kinds[n][0])
    .filter(Boolean).join(isWhole ? "" : ",");
}

function text() {
  const clue = hasMarks() ? Array.from({ length: game.boards }, (_, n) => clueOf(n)).join(" ") : "";
  if (row.number) return `/edit ${row.number} ${guessText()} ${clue || "*"}${row.rest}`;
  return isWaiting() && clue ? clue : [guessText(), clue].filter(Boolean).join(" ");
}

// What is kept and put back.

export const state = () => (isBegun() ? row : null);

export function restore(kept) {
  if (!kept?.marks || isBegun()) return false;
  row = { ...empty(), ...kept };
  draw();
  return true;
}

// A guess that waits for its clue is shown, unless another row is begun.
export function stand() {
  if (form.elements.standing.value && !isBegun()) load(form.elements.standing.value);
}

export const symbolNamed = (name) => game.keys[name] ?? name;
const digraphs = game.joiner ? [] : game.symbols.filter((symbol) => /^\p{L}{2,}$/u.test(symbol));
const graphemes = (code) => (digraphs.length ? code.match(new RegExp(`${digraphs.join("|")}|.`, "gu"))
  : [...new Intl.Segmenter().segment(code)].map((one) => one.segment));

function symbolsOf(code) {
  if (game.symbols.includes(code)) return [code];
  const isJoined = game.joiner && code.includes(game.joiner);
  return (isJoined ? code.split(game.joiner) : graphemes(code)).map(symbolNamed);
}

// Show a guess, unless it fits no tiles. One that is no longer meant does not wait.
export function load(guess, isFocused) {
  const symbols = symbolsOf(guess);
  if (game.clue === "text" || !symbols.every((one) => game.symbols.includes(one))) return false;
  if (isFocused && form.elements.standing.value !== guess) form.elements.standing.value = "";
  edit({ guess: symbols }, isFocused);
  return true;
}

// Show a row that is to be changed; its clue has the keyboard if `isFocused`.
export function edit(shown, isFocused = true) {
  row = { ...empty(), ...shown, isGuessed: true };
  changed(isFocused ? Math.max(openSlot(), 0) : null);
}

// Typing.

export function take(symbol) {
  if (row.guess.length >= longest || (isGuessed() && hasMarks())) return false;
  if (!isBegun()) row.seen = { version: version(), suggested: suggested() };
  row.isGuessed = false;
  row.guess.push(symbol);
  form.elements.standing.value = "";
  changed();
  return true;
}

function focused() {
  const { key } = document.activeElement?.closest("#next [data-key]")?.dataset ?? {};
  return key === undefined ? null : Number(key);
}

function openSlot() {
  const all = Array.from({ length: game.boards * slots() }, (_, n) => row.marks[n]);
  return all.findIndex((one, n) => !one && !isSolved(boardOf(n)));
}

// The slot behind another one, on a board that is not solved; the same if it is the last.
function slotAfter(at) {
  const most = game.boards * slots();
  let next = at + 1;
  while (next < most && isSolved(boardOf(next))) next += slots();
  return next < most ? next : at;
}

export function mark(value) {
  const here = focused(), at = here ?? openSlot();
  if (row.guess.length < shortest || at < 0) return false;
  row.isGuessed = true;
  row.marks[at] = value;
  changed(here === null ? null : slotAfter(at));
  return true;
}

function cycle(at) {
  const next = ["", ...values];
  row.isGuessed = true;
  row.marks[at] = next[(next.indexOf(row.marks[at] ?? "") + 1) % next.length];
  changed(at);
}

// A space ends the guess. Between the marks of several boards it leads to the next board.
export function space() {
  const at = focused() ?? openSlot();
  if (row.guess.length < shortest) return;
  if (!hasMarks() || game.boards === 1) edit(row);
  else if (at % slots()) changed(slotAfter((boardOf(at) + 1) * slots() - 1));
}

// Take back the mark that has the keyboard, else the last one, else the last symbol of the guess.
export function back() {
  const at = focused(), last = row.marks.findLastIndex(Boolean);
  if (row.marks[at]) row.marks[at] = "";
  else if (last >= 0) row.marks.length = last;
  else {
    row.guess.pop();
    row.isGuessed = false;
    if (!row.number) form.elements.standing.value = "";
  }
  changed(last >= 0 ? at : null);
}

export function clear() {
  row = empty();
  changed();
}

export function enter(word) {
  if (row.guess.length < shortest || (!word && !row.number && !hasMarks() && isWaiting())) {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    place.animate({ translate: ["0", "-.4rem", ".4rem", "0"] }, isCalm ? 0 : 300);
    return;
  }
  const line = word ? `${guessText()} ${word}` : text(), sent = row;
  // A guess alone is no clue of another guess, even if it looks like one.
  const name = word || row.number || hasMarks() ? "line" : "tapped";
  row = empty();
  send(line, name, sent);
  changed();
}

// Drawing.

function prompt() {
  const { empty: whatFirst, marks, rest } = game.prompts;
  if (row.number) return `Row ${row.number} is edited: Enter saves it, Escape leaves it.`;
  if (!row.guess.length) return whatFirst;
  if (!isGuessed()) return row.guess.length < shortest ? "" : "Space, or a mark, ends the guess.";
  if (hasMarks()) return rest;
  return `${marks} ${isWaiting() ? "Its clue is still missing." : "Or Enter: its clue comes later."}`;
}

function slotButton(at, letter) {
  const value = row.marks[at] ?? "", slot = at % slots(), isCount = game.clue === "counts";
  const [, style, name] = kinds.find(([mark]) => mark === value) ?? [];
  const isUnread = value === game.unread || (!value && game.blank);
  const shown = letter ?? (value === "." ? "" : value);
  const button = make("button", shown || (game.clue === "answers" ? "answer" : ""),
    style ?? (isUnread && (value || !isCount) ? "tile unread" : "tile hole"));
  const says = isUnread ? "unread" : name || value || "none";
  const what = isCount ? kinds[slot][2] : `${letter ? `${letter}, tile` : "mark"} ${slot + 1}`;
  button.ariaLabel = `${game.boards > 1 ? `board ${boardOf(at) + 1}, ` : ""}${what}: ${says}`;
  button.classList.toggle("here", isGuessed() && at === openSlot());
  button.type = "button";
  button.onclick = () => cycle(at);
  button.dataset.key = at;
  if (isCount) button.append(make("small", kinds[slot][2]));
  return button;
}

function symbolTile(slot) {
  const symbol = row.guess[slot], isNext = slot === row.guess.length && !row.isGuessed;
  const look = symbol === undefined ? `tile hole${isNext ? " here" : ""}` : classOf.get(symbol);
  return Object.assign(make("span", symbol, look ?? "tile"), { ariaHidden: "true" });
}

function tiles(kind, length, tile) {
  const shown = make("div", "", `tiles ${kind}`);
  shown.append(...Array.from({ length }, (_, slot) => tile(slot)));
  return shown;
}

function lane(_, board) {
  const shown = make("div", "", `lane b${board + 1}${isSolved(board) ? " solved" : ""}`);
  const isMarked = game.clue === "tiles", first = board * slots();
  const least = ["counts", "answers"].includes(game.clue) ? shortest : 1;
  const guess = tiles("guess", isGuessed() ? row.guess.length : longest, (slot) => (
    isMarked && isGuessed() ? slotButton(first + slot, row.guess[slot]) : symbolTile(slot)));
  guess.prepend(make("span", guessText(), "spoken"));
  if (game.boards > 1) shown.title = `board ${board + 1}`;
  shown.append(guess);
  if (isMarked) return shown;
  const length = row.guess.length < least ? 0 : slots();
  shown.append(tiles(`clue ${game.clue}`, length, (slot) => slotButton(first + slot)));
  return shown;
}

export function draw(at = focused()) {
  place.hidden = !game.symbols.length;
  const rows = findAll("#rows .rows > li:not(.fact)").length;
  const number = String(row.number || (isBegun() && isWaiting() ? rows : rows + 1));
  const lanes = Array.from({ length: game.boards }, lane);
  place.replaceChildren(make("span", number, "number"), ...lanes, make("p", prompt(), "prompt"));
  place.classList.toggle("edited", row.number > 0);
  place.tabIndex = find("button", place) ? -1 : 0;
  if (at !== null) find(`[data-key="${at}"]`, place)?.focus({ preventScroll: true });
}

function changed(at) {
  draw(at);
  place.scrollIntoView({ block: "nearest" });
  keep();
}
