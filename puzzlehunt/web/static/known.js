// The boards that were opened on this device: path, name and game, the newest first.

import { find, recalled, remember } from "./dom.js";

const BOARDS = "puzzlehunt boards", MOST = 30;

export const boards = () => recalled(BOARDS) ?? [];
export const keepBoards = (list) => remember(BOARDS, list.slice(0, MOST));

export function noteBoard() {
  const path = location.pathname, name = find("#board-name").textContent;
  const others = boards().filter((board) => board.path !== path);
  keepBoards([{ path, name, game: find("h1").textContent }, ...others]);
}
