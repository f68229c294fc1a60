// Boards of this device, and their pages without the server.

import { find } from "./dom.js";

const BOARDS = "puzzlehunt boards";
const MOST = 30;
const root = document.body.dataset.root;
const isKept = isSecureContext && "serviceWorker" in navigator;

if (isKept) navigator.serviceWorker.register(`${root}/sw.js`).catch(() => null);

// The boards that were opened here: path, name and game, the newest first.
export function boards() {
  try {
    return JSON.parse(localStorage.getItem(BOARDS)) ?? [];
  } catch {
    return [];
  }
}

export function keepBoards(list) {
  try {
    localStorage.setItem(BOARDS, JSON.stringify(list.slice(0, MOST)));
  } catch {
    // They are no more than a convenience.
  }
}

export function noteBoard() {
  const path = location.pathname, name = find("#board-name").textContent;
  const others = boards().filter((board) => board.path !== path);
  keepBoards([{ path, name, game: find("h1").textContent, at: Date.now() }, ...others]);
}

// What the page says while the server is out of reach.
export function tellMissing(isOnline) {
  const place = find("#missing");
  place.hidden = isOnline;
  const text = isKept
    ? "What you write is kept here, and sent when the server is back. This page opens without it, too."
    : "What you write is kept here, and sent when the server is back. Keep this page open: over plain http it cannot open again before that. Its link:";
  find("span", place).textContent = text;
  find(".link", place).hidden = isKept;
}
