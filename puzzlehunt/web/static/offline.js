// Boards of this device, and their pages without the server.

import { find, recalled, remember } from "./dom.js";

const BOARDS = "puzzlehunt boards", MOST = 30;
const root = document.body.dataset.root;
const isKept = isSecureContext && "serviceWorker" in navigator;

document.body.classList.toggle("kept", isKept);   // the page opens without the server, too
if (isKept) navigator.serviceWorker.register(`${root}/sw.js`).catch(() => null);

// The boards that were opened here: path, name and game, the newest first.
export const boards = () => recalled(BOARDS) ?? [];
export const keepBoards = (list) => remember(BOARDS, list.slice(0, MOST));

export function noteBoard() {
  const path = location.pathname, name = find("#board-name").textContent;
  const others = boards().filter((board) => board.path !== path);
  keepBoards([{ path, name, game: find("h1").textContent }, ...others]);
}

