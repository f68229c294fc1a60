// Boards of this device, and their pages without the server.

import { find } from "./dom.js";

const BOARDS = "puzzlehunt boards";
const MOST = 30;
const root = document.body.dataset.root;
const isKept = isSecureContext && "serviceWorker" in navigator;

if (isKept) navigator.serviceWorker.register(`${root}/sw.js`).catch(() => null);

// The boards that were opened here: path, name and game, the newest first.
export function boards() {
  try { return JSON.parse(localStorage.getItem(BOARDS)) ?? []; } catch { return []; }
}

export function keepBoards(list) {
  try { localStorage.setItem(BOARDS, JSON.stringify(list.slice(0, MOST))); } catch { /* a convenience */ }
}

export function noteBoard() {
  const path = location.pathname, name = find("#board-name").textContent, game = find("h1").textContent;
  keepBoards([{ path, name, game }, ...boards().filter((board) => board.path !== path)]);
}

// What the page says while the server is out of reach.
export function tellMissing(isOnline) {
  const place = find("#missing");
  place.hidden = isOnline;
  find("span", place).textContent = "What you write is kept here, and sent when the server is back. " + (isKept
    ? "This page opens without it, too." : "Keep this page open: over plain http it cannot open again before that. Its link:");
  find(".link", place).hidden = isKept;
}
