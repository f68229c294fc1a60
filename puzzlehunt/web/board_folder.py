"""A server's boards: find, create, upload, read from files, remove."""

import re
from contextlib import suppress
from itertools import count
from pathlib import Path
from secrets import compare_digest

from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import GameFileError, PuzzlehuntError, counted
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import make_folder
from puzzlehunt.game.files.document import dump, read_text
from puzzlehunt.web.board import MOST_ROWS, BrokenBoardError, NoRoomError, TeamBoard, plain_title
from puzzlehunt.web.store import BoardsFile, BoardStatus, read_journal
from puzzlehunt.web.uploads import check_upload


class Boards(BoardsFile):
    """The boards of a server, in the sqlite file of its folder.

    Session files that lie in the folder are read into it once, with the journals beside them.
    """

    def __init__(self, folder: Path, most: int) -> None:
        super().__init__(folder)
        self._most = most
        self._boards: dict[str, TeamBoard] = {}
        for path in sorted(folder.glob("*.yaml")):
            with suppress(GameFileError):  # it stays where it is
                self._read_in(path)

    def _read_in(self, path: Path) -> None:
        """Read a session file of the folder into the file of boards, and move it away."""
        journal = path.with_name(f".{path.name}.journal")
        lines = journal.read_text(encoding="utf-8", errors="replace") if journal.is_file() else ""
        text, source = read_text(path), str(path.resolve())
        if self.read_from(source, text) is None:  # else, move it
            read_journal(self, self._free_name(path.stem), text, source, lines)
        make_folder(path.parent / "read")
        for file in (path, journal):
            if file.is_file():
                file.rename(path.parent / "read" / file.name)

    def find(self, board_id: str) -> tuple[TeamBoard, bool] | None:
        """Return the board whose address ends with `board_id`, None if there is none.

        The truth value is whether the address may write; it is false for one that only looks.
        """
        board = self._board(board_id[:-23])
        if board is None or board.status.is_gone:
            return None
        may_write, looks = (
            compare_digest(one.encode(), board_id.encode()) for one in (board.id, board.view_id)
        )
        return (board, may_write) if may_write or looks else None

    def _board(self, name: str) -> TeamBoard | None:
        if name not in self._boards and name in self.names():
            self._boards[name] = TeamBoard(self, name)
        return self._boards.get(name)

    def count(self) -> int:
        """Return the number of boards."""
        return len(self.names())

    def purge(self) -> list[str]:
        """Remove the boards that were deleted a day ago; return their names."""
        boards = filter(None, map(self._board, self.names()))
        gone = [board.name for board in boards if board.status.is_gone]
        for name in gone:
            self.remove(name)
        return gone

    def remove(self, name: str) -> None:
        """Remove a board with all its versions."""
        self._boards.pop(name, None)
        super().remove(name)

    def open_file(self, path: Path) -> TeamBoard:
        """Return the board that was read from a session file with its present text, perhaps now.

        The file stays as it is. Raises BrokenBoardError, and GameFileError for an unreadable file.
        """
        source, text = str(path.resolve()), read_text(path)
        board = self._board(self.read_from(source, text) or "")
        return board or self._make(path.stem, text, source=source)

    def open_game(self, name: str) -> TeamBoard:
        """Return the board with the name of a built-in game or a size; create it if it is new."""
        board = self._board(_plain_name(name))
        return board if board is not None else self.create(name)

    def create(self, game: str, name: str = "") -> TeamBoard:
        """Create a board for a built-in game or a size; return it. Raises PuzzlehuntError."""
        gamefile.load(game)
        return self._make(name or game, dump({"game": game}), name)

    def upload(self, text: str, name: str = "") -> TeamBoard:
        """Create a board from the text of a game or session file. Raises PuzzlehuntError."""
        check_upload(text)
        examples = f"{resource_folder('examples')}/"
        try:
            return self._make(name or "board", text, name)
        except BrokenBoardError as error:
            raise GameFileError(str(error).replace(examples, "")) from None

    def _make(self, name: str, text: str, typed: str = "", source: str = "") -> TeamBoard:
        """Add a board, with its name as it was `typed` if its own name does not say it."""
        if self.count() >= self._most:
            raise NoRoomError(f"{counted(self._most, 'board')} already, and no more may be made")
        name, title = self._free_name(name), plain_title(typed)
        self.add(name, text, source, BoardStatus("" if title == name else title))
        try:
            board = self._boards[name] = TeamBoard(self, name)
            if len(board.session.history) > MOST_ROWS:
                raise NoRoomError(f"a board has at most {MOST_ROWS:,} rows")
        except PuzzlehuntError:
            self.remove(name)
            raise
        return board

    def _free_name(self, name: str) -> str:
        """Return an unused name for a board: the given one in plain letters, perhaps numbered."""
        free = plain = _plain_name(name)
        numbers, taken = count(2), {*self.names()}
        while free in taken:
            free = f"{plain}-{next(numbers)}"
        return free


def _plain_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:50] or "board"
