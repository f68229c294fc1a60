// The next row on tiles: its guess, then its clue. It is written as a line, as if it were typed, so
// that the server reads it as any other. Guesses and clues that do not fit tiles (names of more
// guesses than there is room for, answers that are free texts) are typed in the line.

import { find, findAll, make } from "./dom.js";
import { plan } from "./people.js";
import { keep, send } from "./queue.js";
import { form, version, suggested } from "./shown.js";

export const game = JSON.parse(find("#keyboard").dataset.game);
const place = find("#next");
const [shortest, longest] = game.lengths;
const kinds = game.marks.filter(([text]) => game.clue === "answers" || text.length === 1);
const classOf = new Map(findAll("[data-symbol]").map((key) => [key.dataset.symbol, key.className.replace("cap ", "")]));
let row = empty();

// `number` is that of a row that is edited, `rest` the doubt and the note behind it.
function empty() {
  return { guess: [], clues: Array.from({ length: game.boards }, () => []), isGuessed: false, number: 0, rest: "" };
}

const isEmpty = () => !row.guess.length && !row.number;
const guessText = () => row.guess.join(game.joiner);
const isGuessed = () => row.isGuessed || row.guess.length >= longest;
const hasMarks = () => row.clues.some((marks) => marks.some(Boolean));
const isSolved = (board) => game.boards > 1 && Boolean(find(`#rows .b${board + 1}.solved`));
const slots = () => ({ tiles: row.guess.length, pegs: game.slots || row.guess.length, counts: kinds.length, answers: 1, text: 0 })[game.clue];
const values = () => (game.clue === "counts"
  ? findAll("#keyboard [data-mark]").map((key) => key.dataset.mark)
  : [...kinds.map(([text]) => text), ...(game.clue === "answers" ? [] : [game.unread])]);

function clueOf(marks) {
  const all = Array.from({ length: slots() }, (_, n) => marks[n]);
  if (!all.some(Boolean)) return "*";
  if (game.clue !== "counts") return all.map((mark) => mark || game.blank).join("");
  const isWhole = all.every(Boolean);
  return all.map((count, n) => count && (isWhole ? "" : "=") + count + kinds[n][0])
    .filter(Boolean).join(isWhole ? "" : ",");
}

function text() {
  const clue = hasMarks() ? row.clues.map(clueOf).join(" ") : "";
  if (row.number) return `/edit ${row.number} ${guessText()} ${clue || "*"}${row.rest}`;
  return form.elements.standing.value === guessText() && clue ? clue : [guessText(), clue].filter(Boolean).join(" ");
}

// The guess that is about to be played, "" for none.
export const planned = () => (isGuessed() && !row.number ? guessText() : "");

// What is kept and put back.

export const state = () => (isEmpty() ? null : row);

export function restore(kept) {
  if (!kept || !isEmpty() || kept.clues?.length !== game.boards) return false;
  row = { ...empty(), ...kept };
  draw();
  return true;
}

// A guess that waits for its clue on the server is shown, unless another row is begun.
export function stand() {
  const standing = form.elements.standing.value;
  if (standing && isEmpty()) load(standing);
}

const graphemes = (code) => Array.from(new Intl.Segmenter().segment(code), ({ segment }) => segment);
export const symbolNamed = (name) => game.keys[name] ?? name;
const symbolsOf = (code) => (game.symbols.includes(code) || !game.symbols.length ? [code]
  : (game.joiner && code.includes(game.joiner) ? code.split(game.joiner) : graphemes(code)).map(symbolNamed));

// Show a guess; its clue has the keyboard if `isFocused`. A guess that is no longer meant does not wait.
export function load(guess, isFocused) {
  const symbols = symbolsOf(guess);
  if (game.clue === "text" || !symbols.every((one) => !game.symbols.length || game.symbols.includes(one))) return false;
  if (isFocused && form.elements.standing.value !== guess) form.elements.standing.value = "";
  row = { ...empty(), guess: symbols, isGuessed: true };
  changed();
  if (isFocused) find("button", place)?.focus();
  return true;
}

// Show a row that is to be edited, written as `/edit 3 GUESS CLUE`; false if it does not fit tiles.
export function edit(line) {
  const [, number, guess, clue, rest] = /^\/edit (\d+) (\S+) (\S+)(.*)$/.exec(line) ?? [];
  const marks = clue === "*" ? [] : clue === "none" ? ["."] : [...(clue ?? "")];
  const isKnown = marks.every((mark) => values().includes(mark));
  if (!clue || game.boards > 1 || game.clue === "counts" || !isKnown || !load(guess)) return false;
  row = { ...row, clues: [marks], number: Number(number), rest };
  changed();
  find("button", place)?.focus();
  return true;
}

// Typing.

export function take(symbol) {
  if (isGuessed() && (hasMarks() || row.guess.length >= longest)) return false;
  if (row.guess.length >= longest) return false;
  if (isEmpty()) row.seen = { version: version(), suggested: suggested() };
  row.isGuessed = false;
  row.guess.push(symbol);
  form.elements.standing.value = "";
  changed();
  return true;
}

const focused = () => {
  const { board, slot } = document.activeElement?.closest("#next [data-slot]")?.dataset ?? {};
  return slot === undefined ? null : [Number(board), Number(slot)];
};

function firstUnset() {
  for (const [board, marks] of row.clues.entries()) {
    if (isSolved(board)) continue;
    for (let slot = 0; slot < slots(); slot++) if (!marks[slot]) return [board, slot];
  }
  return null;
}

export function mark(value) {
  const at = focused() ?? firstUnset();
  if (row.guess.length < shortest || !at) return false;
  row.isGuessed = true;
  row.clues[at[0]][at[1]] = value;
  changed(focused() && after(at));
  return true;
}

const after = ([board, slot]) => (slot + 1 < slots() ? [board, slot + 1]
  : board + 1 < game.boards ? [board + 1, 0] : [board, slot]);

function cycle([board, slot]) {
  const next = ["", ...values()];
  const now = row.clues[board][slot] ?? "";
  row.isGuessed = true;
  row.clues[board][slot] = next[(next.indexOf(now) + 1) % next.length];
  changed([board, slot]);
}

export function endGuess() {
  if (row.guess.length >= shortest) {
    row.isGuessed = true;
    changed();
    find("button", place)?.focus();
  }
}

// Take back the mark that has the keyboard, else the last one, else the last symbol of the guess.
export function back() {
  const at = focused();
  const board = row.clues.findLastIndex((marks) => marks.some(Boolean));
  if (at && row.clues[at[0]][at[1]]) row.clues[at[0]][at[1]] = "";
  else if (board >= 0) row.clues[board].length = row.clues[board].findLastIndex(Boolean);
  else {
    row.guess.pop();
    row.isGuessed = false;
    if (!row.number) form.elements.standing.value = "";
  }
  changed(board >= 0 ? at : null);
}

export function clear() {
  row = empty();
  changed();
}

export function enter(word) {
  const isWaiting = !word && !row.number && !hasMarks() && form.elements.standing.value === guessText();
  if (row.guess.length < shortest || isWaiting) {
    place.classList.remove("no");
    void place.offsetWidth;               // begins the movement anew
    place.classList.add("no");
    return;
  }
  const line = word ? `${guessText()} ${word}` : text();
  const sent = row, hadMarks = hasMarks();
  row = empty();
  // A guess alone is no clue of another guess, even if it looks like one.
  send(line, word || sent.number || hadMarks ? "line" : "tapped", sent);
  changed();
}

// Drawing.

function prompt() {
  if (row.number) return `Row ${row.number} is edited: Enter saves it, Escape leaves it.`;
  if (!row.guess.length) return "Type a guess, then its clue.";
  if (!isGuessed()) return row.guess.length < shortest ? "" : "Space, or a mark, ends the guess.";
  if (hasMarks()) return game.blank ? "Enter sends the row. What is left alone is unread." : "Enter sends the row. What is left alone is no mark.";
  const waits = form.elements.standing.value === guessText() ? "It waits for its clue." : "Enter lets it wait for its clue.";
  const names = kinds.map(([mark, , name]) => (mark === name || game.clue === "answers" ? mark : `${mark} ${name}`));
  return { tiles: `Tap each tile for its colour: ${names.join(", ")}.`, pegs: `Its marks: ${names.join(", ")}.`,
    counts: `The number of each: ${kinds.map(([, , name]) => name).join(", ")}.`, answers: "What was the answer?" }[game.clue] + ` ${waits}`;
}

function slotButton(board, slot, letter) {
  const value = row.clues[board][slot] ?? "";
  const [, style, name] = kinds.find(([mark]) => mark === value) ?? [];
  const shown = letter ?? (game.clue === "counts" ? value : value && value !== "." ? value : "");
  const says = value === game.unread || (!value && game.blank) ? "unread" : name || value || "none";
  const what = game.clue === "counts" ? kinds[slot][2] : letter ? `${letter}, tile ${slot + 1}` : `mark ${slot + 1}`;
  const look = style ?? (value === game.unread || (!value && game.blank && game.clue !== "counts") ? "tile unread" : "tile hole");
  const button = make("button", shown || (game.clue === "answers" ? "answer" : ""), look);
  Object.assign(button, { type: "button", onclick: () => cycle([board, slot]) });
  Object.assign(button.dataset, { board, slot, key: `${board} ${slot}` });
  button.setAttribute("aria-label", `${game.boards > 1 ? `board ${board + 1}, ` : ""}${what}: ${says}`);
  if (game.clue === "counts") button.append(make("small", kinds[slot][2]));
  return button;
}

function guessTiles(board) {
  const tiles = make("div", "", "tiles guess");
  tiles.append(make("span", guessText(), "spoken"));
  const size = isGuessed() ? row.guess.length : longest;
  for (let slot = 0; slot < size; slot++) {
    const symbol = row.guess[slot];
    if (symbol !== undefined && game.clue === "tiles" && isGuessed()) {
      tiles.append(slotButton(board, slot, symbol));
    } else {
      const here = slot === row.guess.length && !row.isGuessed ? " here" : "";
      const tile = make("span", symbol ?? "", (symbol === undefined ? `tile hole${here}` : classOf.get(symbol) ?? "tile"));
      tile.setAttribute("aria-hidden", "true");
      tiles.append(tile);
    }
  }
  return tiles;
}

function clueTiles(board) {
  const tiles = make("div", "", `tiles clue ${game.clue}`);
  const isShown = game.clue === "counts" || game.clue === "answers" ? row.guess.length >= shortest : row.guess.length;
  for (let slot = 0; isShown && slot < slots(); slot++) tiles.append(slotButton(board, slot));
  return tiles;
}

export function draw(at = focused()) {
  const isOnTiles = game.symbols.length > 0 || row.guess.length > 0;
  place.hidden = !isOnTiles || game.clue === "text" && !game.symbols.length;
  const boards = row.clues.map((_, board) => {
    const lane = make("div", "", `lane b${board + 1}${isSolved(board) ? " solved" : ""}`);
    if (game.boards > 1) lane.title = `board ${board + 1}`;
    lane.append(guessTiles(board));
    if (game.clue !== "tiles") lane.append(clueTiles(board));
    return lane;
  });
  const told = make("p", prompt(), "prompt");
  place.replaceChildren(make("span", String(row.number || findAll("#rows .rows > li").length + 1), "number"), ...boards, told);
  place.classList.toggle("edited", row.number > 0);
  place.tabIndex = find("button", place) ? -1 : 0;
  if (at) find(`[data-key="${at.join(" ")}"]`, place)?.focus({ preventScroll: true });
}

function changed(at) {
  draw(at);
  place.scrollIntoView({ block: "nearest" });
  keep();
  plan();
}
