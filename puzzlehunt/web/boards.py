"""Boards: session files that a team changes together, version by version.

A change is a line, as one types it in a terminal. It says which version of the board its author
saw: new rows are added to what others have written meanwhile, while a row that somebody else has
changed is left as it is, and the author is told. Every change is in the board's file before it is
answered.
"""

import copy
import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from puzzlehunt.codes.words import built_in_lists, resource_folder
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import GameFileError, PuzzlehuntError, SessionError, counted
from puzzlehunt.game.files.document import dump
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import format_turn
from puzzlehunt.game.merging import Merged, merge
from puzzlehunt.game.play import TREE_PREFIX
from puzzlehunt.session.commands import command_of
from puzzlehunt.session.player import Player
from puzzlehunt.session.session import Session
from puzzlehunt.session.session_file import SessionFile
from puzzlehunt.session.storage import acquire_lock
from puzzlehunt.views.page import Writer
from puzzlehunt.web.journal import Entry, Journal, JournalError, digest_of
from puzzlehunt.web.questions import Position, Said, say, stand

Result = TypeVar("Result")
LONGEST_LINE = 20_000
"""Longest line or pasted block (characters)."""
MOST_ROWS = 1_000
"""Most rows and facts of a board."""
_KEPT_VERSIONS = 500
"""How many versions are kept in memory, so that a change can say which one its author saw."""
_LARGE = 2_000_000
"""Number of secrets from which on a game's answers may take seconds."""
_LEFTOVER = re.compile(r"\.{1,2}(?P<file>.+\.yaml|password\.key)(\.journal)?\.[a-z0-9_]{8}")
"""Names of temporary files, as `write_atomically` gives them."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


class EngineNeededError(Exception):
    """A line cannot be answered without an engine, and so by a worker."""


class OvertakenError(PuzzlehuntError):
    """A change was made on an older version, and somebody else has changed the same since then."""


class BrokenBoardError(PuzzlehuntError):
    """The file of a board cannot be read, or was changed by another program."""


class MadeError(PuzzlehuntError):
    """A change that was made before comes again; `version` is the one that it made."""

    def __init__(self, version: int) -> None:
        super().__init__("that was taken before: only its answer was lost")
        self.version = version


class FullError(PuzzlehuntError):
    """There is no room for more rows, or for another board."""


class RefusedLineError(PuzzlehuntError):
    """A line that a board does not take."""


class _BoardSession(Session):
    """The session of a board's file, in the server's process, which has no engines."""

    seen: History | None = None
    """The history that the author of the present change saw; None for the present one."""
    is_held: bool = False
    """Whether changes stay in memory for now."""
    note_text: Callable[[str], None] | None = None
    """What is told the file's text just before it is written."""
    names: Mapping[str, str] = MappingProxyType({})

    @property
    def writers(self) -> Mapping[str, str]:
        """The names of those who wrote turns, by the turn's line."""
        return self.names

    def keep_standing(self, turn: Turn | None) -> None:
        """Do nothing: a guess that waits for its clue is one visitor's, whose page keeps it."""

    @property
    def engine(self) -> Engine:
        """Raises EngineNeededError."""
        raise EngineNeededError

    @property
    def text(self) -> str:
        """The file's text as it was read or written last."""
        return "" if self._file is None else self._file.known_text

    def save(self) -> None:
        """Write the file, unless changes stay in memory for now. Raises SessionError."""
        if self.is_held:
            self.unsaved = None
        else:
            super().save()

    def _write(self, file: SessionFile, text: str, standing: str) -> None:
        if self.note_text is not None:
            self.note_text(text)
        super()._write(file, text, standing)

    def play(self, *turns: Turn | str, is_log: bool = False) -> Merged:
        """Merge turns, but not over a row that the author of the change has not seen.

        Raises OvertakenError.
        """
        played = list(map(self.game.as_turn, turns))
        merged = merge(self.game, self.history, played, is_log)
        seen = self.history.turns if self.seen is None else self.seen.turns
        for placed in merged.changed:
            if placed.effect == "replaced" and placed.old not in seen:
                raise OvertakenError(f"row {placed.number} is another by now")
        return super().play(*played, is_log=is_log)

    def _change(self, history: History) -> None:
        """Take a history. Raises FullError for one that grows too long."""
        if len(history) > max(MOST_ROWS, len(self.history)):
            raise FullError(f"a board has at most {MOST_ROWS:,} rows")
        super()._change(history)


class _QuietPlayer(Player):
    """A player who is not told where the game stands: a worker says it."""

    def state(self):  # type: ignore[no-untyped-def]
        """Yield nothing."""
        return iter(())


@dataclass(frozen=True, slots=True)
class Change:
    """A line to say on a board: who says it, and which version its author saw.

    `version` is None where the author saw the newest one. `standing` is the guess that waits for
    its clue, `suggested` the one that was suggested: a clue alone answers one of them. `once` is
    another text for every change: one that comes again, since its answer was lost, is not made
    again.
    """

    line: str
    by: str
    version: int | None = None
    standing: str = ""
    suggested: str = ""
    once: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a board: its history, and who wrote each turn, None where nobody knows."""

    number: int
    history: History
    writers: tuple[Writer | None, ...] = ()


class Board:
    """One board: its file, its newest version, and who wrote which row."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self.journal = Journal(path)
        self._session: _BoardSession | None = None
        self._versions: deque[Version] = deque(maxlen=_KEPT_VERSIONS)
        self._known_state: tuple[int, ...] = ()
        """What the system said of the file when this process read or wrote it last."""
        self._text: str | None = None
        """The file's text when this process read or wrote it last."""
        self.problem = ""
        """Why the board cannot be used, empty where it can."""

    @property
    def id(self) -> str:
        """The last part of the board's address: its name and its token."""
        return f"{self.name}-{self.journal.token}"

    @property
    def version(self) -> int:
        """The number of the newest version."""
        return self.journal.version

    @property
    def session(self) -> _BoardSession:
        """The board's session. Raises BrokenBoardError where its file cannot be used."""
        if self._session is None:
            self._open()
        assert self._session is not None
        return self._session

    @property
    def game(self) -> Game:
        """The game that is played. Raises BrokenBoardError."""
        return self.session.game

    @property
    def position(self) -> Position:
        """The newest version, as a worker takes it. Raises BrokenBoardError."""
        session = self.session
        return Position(self.id, session.reference, session.settings, session.history)

    @property
    def is_large(self) -> bool:
        """Whether questions about the board may take seconds."""
        return self.game.secrets.size > _LARGE

    def _open(self) -> None:
        """Read the file, and become its one writer."""
        # Noted before it is read: what is written meanwhile is then read again.
        self._known_state = self._state()
        try:
            session = _BoardSession.resume(self.path)
        except PuzzlehuntError as error:
            self.problem = self.plain(str(error))
            raise BrokenBoardError(self.problem) from None
        assert isinstance(session, _BoardSession)
        self.problem, self._session = "", session
        session.names = self.journal.names
        is_known = self._text in (None, session.text)
        self._text = session.text
        if self.journal.settle(session.text) and is_known:
            self._note_version(self._known_writers(session.history))
            return
        writer = _now("the file")
        writers = self._writers_after(session.history, writer)
        try:
            self._note_change(writers, Change("", writer.name), writer, session.text)
        except SessionError as error:
            self.close()
            raise BrokenBoardError(self.plain(str(error))) from None

    def _known_writers(self, history: History) -> tuple[Writer | None, ...]:
        """Return who wrote each turn of a history, as the newest version or the journal says."""
        newest = self._versions[-1] if self._versions else None
        if newest is not None and newest.history == history:
            return newest.writers
        return tuple(self.journal.writers.get(text) for text in self._texts(history))

    def refresh(self) -> None:
        """Read the file again if another program has changed it. Raises BrokenBoardError."""
        if self._session is not None and self.has_changed:
            self.close()
        _ = self.session

    @property
    def has_changed(self) -> bool:
        """Whether another program has changed the file since it was read or written last."""
        return self._state() != self._known_state

    def _state(self) -> tuple[int, ...]:
        """Return what the system says of the file: every change shows in it."""
        try:
            stat = self.path.stat()
        except OSError:
            return ()
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def check_newest(self, version: int) -> None:
        """Raise OvertakenError where a version is not the newest."""
        if version != self.version:
            raise OvertakenError(self._meanwhile(version))

    def check_once(self, once: str) -> None:
        """Raise MadeError where a change with this key was made already."""
        if once[:100] in self.journal.made:
            raise MadeError(self.journal.made[once[:100]])

    def close(self) -> None:
        """Let go of the file; the next question opens it again."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def plain(self, message: str) -> str:
        """Return the message of an error without the folder of the board's file."""
        return message.replace(f"{self.path.parent}/", "")

    def file_text(self) -> str:
        """Return the board's file. Raises BrokenBoardError."""
        try:
            return self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise BrokenBoardError(f"{self.path.name} cannot be read") from None

    def game_text(self) -> str:
        """Return the game without its rows as a game file that needs no other file.

        Raises BrokenBoardError.
        """
        session, game = self.session, self.session.game
        whole = session.whole_game().value
        value = {key: v for key, v in whole.items() if key not in ("facts", "turns")}
        for section, space in (("secret", game.one_board.secrets), ("guess", game.guesses)):
            keys = value.get(section, {})
            name = keys.get("words")
            if isinstance(name, str) and name not in built_in_lists():
                words = [space.alphabet.format(code) for code in space]
                value[section] = {**keys, "words": words}
        return dump(value)

    @property
    def game_tag(self) -> str:
        """Return a text that is another whenever the game itself has changed."""
        session = self.session
        described = f"{session.reference} {json.dumps(session.settings, sort_keys=True)}"
        return hashlib.sha256(described.encode(errors="replace")).hexdigest()[:16]

    def writers(self) -> dict[int, Writer]:
        """Return who wrote each turn, by its number (from 1), where that is known."""
        _ = self.session
        numbered = enumerate(self._versions[-1].writers, start=1)
        return {number: writer for number, writer in numbered if writer is not None}

    # Changes.

    def say(self, change: Change) -> Said:
        """Say a line; return what it did, the board's file being written.

        Raises EngineNeededError where a worker has to answer it (settings that it changes are a
        new version already), OvertakenError where it would change what its author has not seen,
        MadeError, FullError, RefusedLineError, BrokenBoardError.
        """
        self._check(change.line)
        with self._changing(change) as session:
            line = self._on_newest_version(change)
            player = _QuietPlayer(session)
            stand(player, change.standing, change.suggested)
            before = session.history
            try:
                said = say(player, line)
            except EngineNeededError:
                if session.history == before:
                    # Settings may have changed before an engine was asked, as by /rates.
                    raise
                said = Said("", (), session.history)
            if said.kind == OvertakenError.__name__:
                raise OvertakenError(self._who_changed(said.failed, change))
        return said

    def commit(self, change: Change, said: Said, version: int) -> bool:
        """Take over the history that a worker's answer to a line has made of a version.

        Returns whether it changed. Raises MadeError, and OvertakenError where the board has a newer
        version.
        """
        with self._changing(change) as session:
            if said.history == session.history:
                return False
            self.check_newest(version)
            session.seen = None
            session.revise(said.history)
        return True

    def apply(self, change: Change, step: Callable[[Session], Result]) -> Result:
        """Make a change that a program asks for, by a function of the session; return its result.

        Raises what the function raises, MadeError, OvertakenError, FullError, BrokenBoardError.
        """
        with self._changing(change) as session:
            return step(session)

    @contextmanager
    def _changing(self, change: Change) -> Iterator[_BoardSession]:
        """Give the session, to be changed in memory; then write the journal and the file.

        Where that fails, or the change does, nothing has changed. Raises MadeError,
        BrokenBoardError.
        """
        session = self._current_session()
        self.check_once(change.once)
        before, settings = session.history, copy.deepcopy(session.settings)
        session.seen, session.is_held = self._seen(change), True
        try:
            yield session
        except BaseException as error:
            if not isinstance(error, EngineNeededError):
                if session.history != before or session.settings != settings:
                    self.close()
                raise
            self._write(session, before, settings, change)
            raise
        finally:
            session.seen, session.is_held = None, False
        self._write(session, before, settings, change)

    def _write(
        self, session: _BoardSession, before: History, settings: object, change: Change
    ) -> None:
        """Write the journal and the file after a change. Raises BrokenBoardError."""
        session.is_held = False
        if session.history == before and session.settings == settings:
            return
        writer = _now(change.by)
        returns = command_of(change.line, self.game.alphabet)[0] in ("undo", "redo")
        writers = self._writers_after(session.history, writer, returns=returns)
        try:
            self._note_change(writers, change, writer)
        except SessionError as error:
            self.close()
            reason = self.plain(str(error))
            raise BrokenBoardError(f"not written, so nothing has changed: {reason}") from None

    def _note_change(
        self, writers: tuple[Writer | None, ...], change: Change, writer: Writer, text: str = ""
    ) -> None:
        """Write the journal's entry of a change, and then the file, unless it has that text.

        Raises SessionError.
        """
        session = self.session
        known, others, rows = self.journal.writers, {}, []
        for row, who in zip(self._texts(session.history), writers, strict=True):
            if who is writer:
                rows.append(row)
            elif who is not None and known.get(row) != who:
                others[row] = who
        entry = Entry(
            self.version + 1, writer, change.line[:200], tuple(rows), others, change.once[:100],
            digest_of(session.text),
        )  # fmt: skip

        def write_journal(new_text: str) -> None:
            nonlocal entry
            entry = replace(entry, after=digest_of(new_text))
            self.journal.write(entry)

        if text:
            write_journal(text)
        else:
            session.note_text = write_journal
            try:
                session.save()
            finally:
                session.note_text = None
                self._known_state, self._text = self._state(), session.text
        self.journal.take(entry)
        self._note_version(writers)

    def _writers_after(
        self, history: History, writer: Writer, *, returns: bool = False
    ) -> tuple[Writer | None, ...]:
        """Return who wrote each turn of a history, where a change that somebody made has led to it.

        A turn whose guess and clue stood there before is still that of whoever wrote it; other
        turns are the writer's, unless the change `returns` to a version that had them.
        """
        if returns:
            # That very one: another version may have had the same rows from somebody else.
            earlier = (v.writers for v in self._versions if v.history is history)
            if (found := next(earlier, None)) is not None:
                return found
        newest = self._versions[-1] if self._versions else Version(0, History())
        there: dict[object, deque[Writer | None]] = {}
        for turn, who in zip(newest.history.turns, newest.writers, strict=True):
            there.setdefault((turn.guess, turn.clue), deque()).append(who)
        writers = []
        for turn, text in zip(history.turns, self._texts(history), strict=True):
            same = there.get((turn.guess, turn.clue))
            known = self.journal.writers.get(text) if returns or not self._versions else None
            writers.append(same.popleft() if same else known or writer)
        return tuple(writers)

    def _check(self, line: str) -> None:
        """Raise RefusedLineError for a line that is too long, or that a board does not take."""
        if len(line) > LONGEST_LINE:
            raise RefusedLineError(f"a line has at most {LONGEST_LINE:,} characters")
        name, argument = command_of(line, self.game.alphabet)
        if name == "save":
            raise RefusedLineError("a board is saved with every change; its page has its file")
        if name == "quit":
            raise RefusedLineError("a board stays open; just leave the page")
        if name == "export" and argument:
            raise RefusedLineError("/export alone shows the script; no file is written here")
        if name == "widen" and argument and argument not in built_in_lists():
            lists = ", ".join(built_in_lists())
            raise RefusedLineError(f"only lists that come with the program: {lists}")
        if name == "strategy" and (argument.startswith(TREE_PREFIX) or ":" in argument):
            raise RefusedLineError("only strategies that come with the program")

    def _current_session(self) -> _BoardSession:
        """Return the session, read again where the file was changed by another program."""
        if self._session is not None and self._session.unsaved is not None:
            self.close()
        self.refresh()
        return self.session

    def _texts(self, history: History) -> list[str]:
        return [format_turn(self.game, turn) for turn in history.turns]

    def _note_version(self, writers: tuple[Writer | None, ...]) -> None:
        version = Version(self.version, self.session.history, writers)
        if not self._versions or self._versions[-1] != version:
            self._versions.append(version)

    # Versions.

    def _seen(self, change: Change) -> History | None:
        """Return the history that the author of a change saw; None for the newest."""
        if change.version is None or change.version == self.version:
            return None
        found = (v.history for v in self._versions if v.number == change.version)
        return next(found, History())

    def _on_newest_version(self, change: Change) -> str:
        """Return the line as it is typed on the newest version: numbers of rows may have moved.

        Raises OvertakenError where it is about what somebody else has changed.
        """
        seen = self._seen(change)
        name, argument = command_of(change.line, self.game.alphabet)
        if seen is None or not name:
            return change.line
        if name in ("undo", "redo", "new", "repair") and (name != "repair" or argument):
            assert change.version is not None
            raise OvertakenError(self._meanwhile(change.version))
        if name not in ("edit", "drop", "doubt", "add"):
            return change.line
        row, *rest = argument.split(maxsplit=1)[:2] or [""]
        turns = self.session.history.turns
        if row.isdecimal() and len(row) < 8:
            number = int(row)
            if not 1 <= number <= len(seen.turns):
                raise OvertakenError(self._who_changed(f"row {number} was not there yet", change))
            if seen.turns[number - 1] not in turns:
                raise OvertakenError(self._who_changed(f"row {number} is another by now", change))
            row = str(turns.index(seen.turns[number - 1]) + 1)
        elif not self._is_unchanged(row, seen):
            raise OvertakenError(self._who_changed(f"the row of {row} is another by now", change))
        return " ".join([f"/{name}", row, *rest])

    def _is_unchanged(self, guess: str, seen: History) -> bool:
        """Return whether the rows of a guess are as they were."""
        try:
            code = self.game.parse_guess(guess)
        except PuzzlehuntError:
            return True
        rows = (
            [turn for turn in h.turns if turn.guess == code] for h in (seen, self.session.history)
        )
        old, new = rows
        return old == new

    def _who_changed(self, what: str, change: Change) -> str:
        last = self.journal.last
        by = f"; {last.writer.name} wrote last" if last is not None and last.writer.name else ""
        return f"{what}{by}: look, and do it again"

    def _meanwhile(self, version: int) -> str:
        """Return what has happened since a version, for whoever has not seen it."""
        last = self.journal.last
        if last is None:
            return "the board has changed meanwhile: look, and do it again"
        did = f": {last.line}" if last.line else ""
        name = last.writer.name or "somebody"
        return f"{name} has changed the board meanwhile ({did.lstrip(': ')}): look, and do it again"


def _now(name: str) -> Writer:
    return Writer(name, datetime.now(UTC).replace(microsecond=0))


class Boards:
    """A folder of boards, and files elsewhere that are boards, too."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder = folder
        self._most = most
        self._boards: dict[str, Board] = {}
        """The boards that were asked for, by name."""

    def find(self, board_id: str) -> Board | None:
        """Return the board of an address's last part; None where there is none."""
        from puzzlehunt.web.journal import check_token

        name, token = board_id[:-23], board_id[-22:]
        board = self._named(name) if board_id[-23:-22] == "-" else None
        return board if board is not None and check_token(board.journal.token, token) else None

    def _named(self, name: str) -> Board | None:
        board = self._boards.get(name)
        if board is None and _NAME.fullmatch(name):
            path = self.folder / f"{name}.yaml"
            if path.is_file():
                try:
                    board = self._boards[name] = Board(name, path)
                except JournalError:
                    raise
                except SessionError as error:
                    problem = str(error).replace(f"{path.parent}/", "")
                    raise BrokenBoardError(problem) from None
        return board

    def count(self) -> int:
        """Return how many boards there are, in the folder and elsewhere."""
        names = {path.stem for path in self.folder.glob("*.yaml")} | self._boards.keys()
        return len(names)

    def open_file(self, path: Path) -> Board:
        """Return the board of a session file that lies anywhere. Raises BrokenBoardError."""
        if path.parent.resolve() == self.folder.resolve() and _NAME.fullmatch(path.stem):
            known = self._named(path.stem)
            if known is not None:
                return known
        remove_leftovers(path.parent, path.name)
        board = Board(self._free_name(path.stem), path)
        _ = board.session
        self._boards[board.name] = board
        return board

    def open_game(self, name: str) -> Board:
        """Return the board of a built-in game or of a size, made where there is none yet."""
        board = self._named(_plain_name(name))
        return board if board is not None else self.create(name)

    def create(self, game: str, name: str = "", settings: Sequence[str] = ()) -> Board:
        """Return a new board of a built-in game or a size. Raises PuzzlehuntError."""
        from puzzlehunt.game.files import gamefile
        from puzzlehunt.game.files.document import Document, apply_settings
        from puzzlehunt.session.settings import kept_settings

        kept = kept_settings(apply_settings(Document({}), settings))
        session = Session(gamefile.load(game, settings), game, kept)
        path = self._free_path(name or game)
        try:
            session.keep_in(path)
        except SessionError as error:
            raise SessionError(str(error).replace(f"{path.parent}/", "")) from None
        session.close()
        board = self._boards[path.stem] = Board(path.stem, path)
        return board

    def upload(self, text: str, name: str = "") -> Board:
        """Return a new board of the text of a game file or a session. Raises PuzzlehuntError."""
        from puzzlehunt.game.files.output import write_atomically
        from puzzlehunt.web.uploads import check_upload

        check_upload(text)
        path = self._free_path(name or "board")
        write_atomically(path, text)
        board = Board(path.stem, path)
        examples = f"{resource_folder('examples')}/"
        try:
            if len(board.session.history) > MOST_ROWS:
                raise FullError(f"a board has at most {MOST_ROWS:,} rows")
        except BrokenBoardError as error:
            self.remove(board)
            raise GameFileError(str(error).replace(examples, "")) from None
        except PuzzlehuntError:
            self.remove(board)
            raise
        self._boards[path.stem] = board
        return board

    def remove(self, board: Board) -> None:
        """Remove a board that was not begun well."""
        board.close()
        self._boards.pop(board.name, None)
        for pattern in (board.path.name, f".{board.path.name}.*"):
            for file in board.path.parent.glob(pattern):
                file.unlink(missing_ok=True)

    def _free_path(self, name: str) -> Path:
        """Return the path of a new board. Raises FullError where there are too many."""
        if sum(1 for _ in self.folder.glob("*.yaml")) >= self._most:
            raise FullError(f"{counted(self._most, 'board')} already, and no more may be made")
        return self.folder / f"{self._free_name(name)}.yaml"

    def _free_name(self, name: str) -> str:
        """Return a name that no board has: the given one in plain letters, with a number."""
        plain = _plain_name(name)
        number = 1
        while True:
            free = plain if number == 1 else f"{plain}-{number}"
            if free not in self._boards and not (self.folder / f"{free}.yaml").exists():
                return free
            number += 1

    def close(self) -> None:
        """Let go of all files."""
        for board in self._boards.values():
            board.close()


def remove_leftovers(folder: Path, file: str = "") -> None:
    """Remove what a process that was killed had begun to write: of one file, or of all boards."""
    for path in folder.glob(".*"):
        found = _LEFTOVER.fullmatch(path.name)
        if found is None or file not in ("", found["file"]):
            continue
        # Somebody may play the board's file in a terminal, and be writing it just now.
        with suppress(SessionError, OSError):
            lock = acquire_lock(folder / found["file"])
            path.unlink()
            lock.release()


def _plain_name(name: str) -> str:
    """Return a name in lower-case letters, digits and dashes, for addresses and files."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:50] or "board"
