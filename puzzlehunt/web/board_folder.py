"""A server's boards, in its folder and in files elsewhere: find, create, upload, remove."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from secrets import compare_digest

from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import GameFileError, PuzzlehuntError, SessionError, counted
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import write_atomically
from puzzlehunt.game.files.document import Document, apply_settings
from puzzlehunt.session.file_store import acquire_lock
from puzzlehunt.session.session import Session
from puzzlehunt.session.settings import kept_settings
from puzzlehunt.web.board import MOST_ROWS, BrokenBoardError, NoRoomError, TeamBoard
from puzzlehunt.web.journal import BoardStatus, JournalError, plain_title
from puzzlehunt.web.uploads import check_upload

_LEFTOVER = re.compile(r"\.{1,2}(?P<file>.+\.yaml|password\.key)(\.journal)?\.[a-z0-9_]{8}\.tmp")
"""Names of the temporary files that `write_atomically` makes."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


class Boards:
    """The boards of a server: those in its folder, and those in files elsewhere."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = folder
        self._most = most
        self._boards: dict[str, TeamBoard] = {}

    def find(self, board_id: str) -> tuple[TeamBoard, bool] | None:
        """Return the board whose address ends with `board_id`, None if there is none.

        The truth value is whether the address may write; it is false for one that only looks.
        """
        name, token = board_id[:-23], board_id[-22:].encode()
        board = self._named(name) if board_id[-23:-22] == "-" else None
        if board is None or is_gone(board):
            return None
        may_write = compare_digest(board.journal.token.encode(), token)
        looks = compare_digest(board.journal.view_token.encode(), token)
        return (board, may_write) if may_write or looks else None

    def _named(self, name: str) -> TeamBoard | None:
        path = self.folder / f"{name}.yaml"
        if name not in self._boards and _NAME.fullmatch(name) and path.is_file():
            try:
                self._boards[name] = TeamBoard(name, path)
            except JournalError:
                raise
            except SessionError as error:
                raise BrokenBoardError(str(error).replace(f"{path.parent}/", "")) from None
        return self._boards.get(name)

    def count(self) -> int:
        """Return the number of boards, in the folder and elsewhere."""
        return len({path.stem for path in self.folder.glob("*.yaml")} | self._boards.keys())

    def is_own(self, board: TeamBoard) -> bool:
        """Return whether the file of a board is in the folder, so that it may be deleted."""
        return board.path == self.folder / f"{board.name}.yaml"

    def purge(self) -> list[str]:
        """Remove the boards that were deleted a day ago; return their names."""
        gone = []
        for path in self.folder.glob(".*.yaml.journal"):
            with suppress(OSError, SessionError, BrokenBoardError):
                board = self._named(path.name[1:-13]) if b'"deleted"' in path.read_bytes() else None
                if board is not None and is_gone(board) and self.is_own(board):
                    self.remove(board)
                    gone.append(board.name)
        return gone

    def open_file(self, path: Path) -> TeamBoard:
        """Return the board for a session file in any folder. Raises BrokenBoardError."""
        if path.parent.resolve() == self.folder.resolve() and _NAME.fullmatch(path.stem):
            known = self._named(path.stem)
            if known is not None:
                return known
        board = TeamBoard(self._free_name(path.stem), path)
        _ = board.session
        self._boards[board.name] = board
        return board

    def open_game(self, name: str) -> TeamBoard:
        """Return the board with the name of a built-in game or a size; create it if it is new."""
        board = self._named(_plain_name(name))
        return board if board is not None else self.create(name)

    def create(self, game: str, name: str = "", settings: Sequence[str] = ()) -> TeamBoard:
        """Create a board for a built-in game or a size; return it. Raises PuzzlehuntError."""
        kept = kept_settings(apply_settings(Document({}), settings))
        session = Session(gamefile.load(game, settings), game, kept)
        path = self._free_path(name or game)
        try:
            session.keep_in(path)
        except SessionError as error:
            raise SessionError(str(error).replace(f"{path.parent}/", "")) from None
        session.close()
        board = self._boards[path.stem] = TeamBoard(path.stem, path)
        self._keep_name(board, name)
        return board

    def upload(self, text: str, name: str = "") -> TeamBoard:
        """Create a board from the text of a game or session file. Raises PuzzlehuntError."""
        check_upload(text)
        path = self._free_path(name or "board")
        write_atomically(path, text)
        board = TeamBoard(path.stem, path)
        examples = f"{resource_folder('examples')}/"
        try:
            if len(board.session.history) > MOST_ROWS:
                raise NoRoomError(f"a board has at most {MOST_ROWS:,} rows")
        except PuzzlehuntError as error:
            self.remove(board)
            if not isinstance(error, BrokenBoardError):
                raise
            raise GameFileError(str(error).replace(examples, "")) from None
        self._boards[path.stem] = board
        self._keep_name(board, name)
        return board

    def _keep_name(self, board: TeamBoard, typed: str) -> None:
        """Store a board's name as it was typed, if its file's name does not say it."""
        if (name := plain_title(typed)) not in ("", board.name):
            board.journal.set_status(BoardStatus(name))

    def remove(self, board: TeamBoard) -> None:
        """Delete a board with all its files."""
        board.close()
        self._boards.pop(board.name, None)
        for pattern in (board.path.name, f".{board.path.name}.*"):
            for file in board.path.parent.glob(pattern):
                file.unlink(missing_ok=True)

    def _free_path(self, name: str) -> Path:
        if sum(1 for _ in self.folder.glob("*.yaml")) >= self._most:
            raise NoRoomError(f"{counted(self._most, 'board')} already, and no more may be made")
        return self.folder / f"{self._free_name(name)}.yaml"

    def _free_name(self, name: str) -> str:
        """Return an unused name for a board: the given one in plain letters, perhaps numbered."""
        free = plain = _plain_name(name)
        numbers = count(2)
        while free in self._boards or (self.folder / f"{free}.yaml").exists():
            free = f"{plain}-{next(numbers)}"
        return free

    def close(self) -> None:
        """Close the files of all boards."""
        for board in self._boards.values():
            board.close()


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files of boards, journals and keys left by killed processes."""
    for path in folder.glob(".*.tmp"):
        found = _LEFTOVER.fullmatch(path.name)
        # If another process is writing the board's file, it holds the lock, and nothing is removed.
        with suppress(SessionError, OSError):
            if found is not None:
                lock = acquire_lock(folder / found["file"])
                path.unlink(missing_ok=True)
                lock.release()


def is_gone(board: TeamBoard) -> bool:
    """Return whether a board was deleted so long ago that nobody can take it back."""
    gone_at = board.journal.status.gone_at
    return gone_at is not None and gone_at <= datetime.now(UTC)


def _plain_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:50] or "board"
