"""A session: a game being played, with undo and redo, advice, and a file.

Every change is written to the session's file before the call returns, so that a crash loses
nothing. The file is a game file, often with only the keys `game` and `turns`; other text of its
author is preserved. One program at a time writes a file.
"""

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from puzzlehunt import explanation
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.files import read_text
from puzzlehunt.engines.base import CandidateView, Count, Engine
from puzzlehunt.errors import GameFileError, SessionError, SessionInUseError
from puzzlehunt.explanation.why import Certainties, Verdict
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import LineError, read_block, reading_trouble
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import check_free, real_path
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.files.gamefile import GameLike
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName, Row, Rows, Shown, Turn
from puzzlehunt.game.merging import MergeResult, RowEffect, merge
from puzzlehunt.session import changes, file_store
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.changes import Change, SettingsChange, Timeline
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.position import Budget
from puzzlehunt.strategies.registry import find_strategy

INTERRUPTED = SessionError("saving was interrupted")
"""Why a change is in memory only where Ctrl-C came before the file was written."""


class Session(Shown):
    """A game, its history with undo and redo, its engine, and its file.

    `game` is as in `load`, or a game. `reference` is the value of the file's key `game`, as
    `absolute_reference` returns it; by default it is the name or the file, and it is empty if the
    settings describe the whole game. `settings` are the other keys of the file except facts and
    turns, as `kept_settings` returns them. `keep_in` gives a file, `resume` opens one.

    >>> session = puzzlehunt.Session("4x6")
    >>> _ = session.play("AABB 1b", "CCDD none")
    >>> session.undo()
    >>> _ = session.play("AABB none")
    >>> session.count().exact, session.suggest(1).guesses, session.text()
    (256, ['CCDE'], 'AABB none')
    """

    is_shared = False
    """Whether others can change the session, which a server then keeps."""

    def __init__(
        self,
        game: GameLike,
        reference: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        if isinstance(game, str | Path | Mapping) and gamefile.is_text(game):
            settings = settings or file_store.kept_settings(gamefile.document_of(game))
        elif reference is None and isinstance(game, str | Path):
            reference = file_store.absolute_reference(str(game))
        self.game = gamefile.as_game(game)
        self._timeline = Timeline.ending_in(self.game.history)
        self.unsaved: SessionError | None = None
        """The reason why the newest change is in memory only; None if it was saved."""
        self.reference = reference or ""
        self.settings = dict(settings or {})
        self.writers: Mapping[str, str] = {}
        """The author of each turn, by the turn's line; empty if all turns have one author."""
        self._file: file_store.FileStore | None = None
        self.awaited: Code | None = None
        """The guess that was typed alone last; its row tells nothing until a clue comes."""
        self._answers: Answers | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.title!r}: {len(self.history)} items>"

    # The file.

    @classmethod
    def resume(
        cls, path: Path | str, *, changes: Document | None = None, played: str = ""
    ) -> "Session":
        """Return the session that a file holds, and become the file's one writer.

        `changes` are keys of a game file whose values replace those of the session; the next save
        writes them. The file may call its game by the name `played`, as the user typed it. A file
        that cannot be written is played in memory, and `unsaved` is the reason. Raises
        SessionInUseError if another program writes it, GameFileError if it is bad.
        """
        file = file_store.FileStore(Path(path), changes, played)
        session = cls(*file.read())
        session._file, session.awaited = file, file.awaited
        try:
            file.lock()
        except SessionInUseError:
            raise
        except SessionError as error:
            session.unsaved = error
        return session

    @property
    def history(self) -> History:
        """The present turns and facts of the game."""
        return self._timeline.present

    @history.setter
    def history(self, history: History) -> None:
        self._timeline = Timeline((history,))

    @property
    def pending(self) -> Turn | None:
        """The last turn if it waits for its clue; on a server, if nothing of it was read."""
        if self.awaited is None and not self.is_shared:
            return None
        turn = meaning.unread_turn(self.game, self.history)
        return turn if turn and (self.is_shared or turn.code == self.awaited) else None

    @property
    def path(self) -> Path | None:
        """The path of the session's file; None if the session has no file."""
        return None if self._file is None else self._file.path

    @property
    def is_outdated(self) -> bool:
        """Whether others have changed the session since it was last read."""
        return False

    def read_again(self) -> Sequence[LineError]:
        """Read others' changes; return lines that are no row. Raises PuzzlehuntError."""
        return ()

    def keep_in(self, path: str | Path) -> None:
        """Move the session to the file at `path`, and release the lock of its previous file.

        Raises SessionInUseError if another program writes the file, SessionError if it cannot be
        written, or exists and is not that of the session.
        """
        if not (self.reference or self.settings):
            raise SessionError("a program made this game; name its file: Session(game, 'FILE')")
        path, old = Path(path), self._file
        if old is not None and real_path(path) == real_path(old.path):
            self._save()
            return
        new = file_store.FileStore(path) if old is None else old.copied_to(path)
        new.lock()
        try:
            check_free(path)
            self._file = new
            self._save()
        except SessionError:
            self._file = old
            new.close()
            raise
        if old is not None:
            old.close()

    def _save(self) -> None:
        """Write the session to its file, if any, all of it or nothing. Raises SessionError."""
        if self._file is not None:
            game = replace(self.game, history=self.history)
            self._file.awaited = self.awaited
            self._file.save(game, self.reference, self.settings)
        self.unsaved = None

    def save_interrupted(self) -> None:
        """Save a change that is in memory only; if that is impossible, `unsaved` says why."""
        if self.unsaved is not None:
            try:
                self._save()
            except SessionError as error:
                self.unsaved = error

    def close(self) -> None:
        """Release the lock of the session's file, or end the connection to its server."""
        if self._file is not None:
            self._file.close()

    # Changes. If the file cannot be written, the game continues in memory and `unsaved` says why.

    def apply(self, change: Change) -> MergeResult:
        """Make a change; return its effect on each row that it names.

        A change of turns and facts is one step of undo, unless it adds nothing; undo does not
        affect settings. Raises SessionError if a row does not exist, if there is nothing to undo or
        redo, or for a setting that this game cannot have, UnknownNameError for an unknown strategy,
        and GameFileError for a word list or rates that do not fit the game and its rows.
        """
        if isinstance(change, SettingsChange):
            self._set(change)
            return MergeResult(self.game, self.history)
        later, result = changes.apply(self.game, self._timeline, change)
        if later is not self._timeline:
            # One statement, so that an interrupt comes before all of it or after.
            self.unsaved, self._timeline = INTERRUPTED, later
            self.save_interrupted()
        return result

    def play(self, *rows: "Row | explanation.repair.Repair") -> MergeResult:
        """Merge rows into the history and add facts, or make a repair; return what became of rows.

        A text may have several lines. The rows are one step of undo, and so is each fact, such as
        `/fact no F`. Raises OvertakenError if a row that the repair changes is not as it was.
        """
        lone = rows[0] if len(rows) == 1 else None
        if isinstance(lone, explanation.repair.Repair):
            made = changes.EditRows(lone.turns)
            return self.apply(changes.rebase(self.game, made, lone.history, self.history))
        is_block = isinstance(lone, str) and len(lone.splitlines()) > 1
        given = self.game.as_history(cast(Rows, lone if is_block else rows))
        placed = tuple[RowEffect, ...]()
        if given.turns:
            placed = self.apply(changes.RecordTurns(given.turns)).placed
        for fact in given.facts:
            self.apply(changes.AddFact(fact))
        return MergeResult(self.game, self.history, placed)

    def undo(self) -> None:
        """Undo the last step (an `Undo`)."""
        self.apply(changes.Undo())

    def redo(self) -> None:
        """Redo the step that was undone last (a `Redo`)."""
        self.apply(changes.Redo())

    def _set(self, change: SettingsChange) -> None:
        play = self.game.play
        match change:
            case changes.SetStrategy(name):
                find_strategy(name)
                game, keys = self.game, {"play": {"strategy": name}}
                play = replace(play, strategy=name)
            case changes.SetReadRates(rates):
                whole = file_store.whole_game(self.reference, self.settings)
                document = file_store.with_reads(Document({}), rates, "/rates").inherit(whole)
                game, keys = gamefile.build(document), {"reads": document.value["reads"]}
                for number, turn in enumerate(self.history.turns, start=1):
                    if problem := reading_trouble(game, turn):
                        raise GameFileError(f"row {number}: {problem}", f"/rates {rates}")
            case changes.SetWordList(name):
                document = file_store.whole_game(self.reference, self.settings)
                length = self.game.one_board.length
                if document.value.get("secret", {}).get("words") is None:
                    raise SessionError("the secrets of this game come from no word list")
                if not isinstance(self.settings.get("secret", {}).get("words", ""), str):
                    words = "the words are written in this session's file itself"
                    raise SessionError(f"{words}; open the game with another list")
                if not name:
                    raise SessionError("no word list is wider; /widen LIST takes another")
                document = gamefile.with_words(document, "/widen", name, length)
                length = document.value["secret"]["length"]
                game, keys = gamefile.build(document), {"secret": {"words": name, "length": length}}
        self._change_game(replace(game, play=play), keys)

    def _change_game(self, game: Game, keys: dict[str, Any]) -> None:
        self.game, self._answers = game, None
        self.settings = file_store.kept_settings(Document(keys).inherit(Document(self.settings)))
        self.unsaved = INTERRUPTED
        self.save_interrupted()

    # Questions.

    @property
    def answers(self) -> Answers:
        """The answers about the present history, without a row whose clue is awaited."""
        if self._answers is None:
            self._answers = Answers(self.game)
        waits, rows = self.pending is not None, len(self.history.turns)
        self._answers.history = self.history.drop(rows) if waits else self.history
        return self._answers

    @property
    def engine(self) -> Engine:
        """The game's engine, with the turns and facts of the present history."""
        return self.answers.engine

    def count(self) -> Count:
        """Return how many candidates are left."""
        return self.engine.count()

    def candidates(self) -> CandidateView:
        """Return the codes that are still possible, in code order."""
        return self.engine.candidates()

    def suggest(self, top: int = 5, *, budget: Budget | None = None) -> Advice:
        """Return the `top` best next guesses, as the function `suggest` does."""
        return self.answers.advise(top, budget)

    def why(self, code: Hashable, *, board: int | None = None) -> tuple[Verdict, ...]:
        """Return which rows rule a code out, as the function `why` does."""
        return explanation.why.why(self, code=code, board=board)

    def conflicts(self, top: int = 1) -> list[tuple[ItemName, ...]]:
        """Return up to `top` smallest sets of rows that cannot all be right."""
        return explanation.why.conflicts(self, top=top)

    def repairs(self) -> "explanation.repair.Repairs":
        """Return changes after which some candidate is left, the likeliest first."""
        return self.answers.repairs

    def certain(self) -> Certainties:
        """Return what all candidates have in common, with its proof."""
        return explanation.why.certain(self)

    def next_mark(self) -> "explanation.review.UnreadMark | None":
        """Return the unread mark that tells most, None if there is none to read."""
        return next(iter(self.answers.unread(1)), None)

    def identify(
        self, secret: Hashable | None = None
    ) -> "explanation.identification.Identification":
        """Return what unexplained marks mean; `secret` is the secret, if it is known.

        Raises SessionError in a game without `legend: unknown`.
        """
        if meaning.is_explained(self.game):
            raise SessionError("this game explains its marks; load it with `legend: unknown`")
        return self.answers.identify(secret)

    @property
    def is_won(self) -> bool:
        """Whether the secret is found; in a game of questions alone, whether it is known."""
        return self.answers.is_won

    def text(self) -> str:
        """Return the rows as lines, which give the same rows when they are read again."""
        return str(self.history)


class WatchedSession(Session):
    """A session whose rows are those of the file `watched`, which another program writes.

    Facts and rows of other guesses are kept beside them, and while a line of the file cannot be
    read, its earlier rows.
    """

    def __init__(self, game: GameLike, watched: Path, *kept: Any) -> None:
        super().__init__(game, *kept)
        self.watched = watched
        self._codes = set[Code]()
        """The guesses of the rows that came from the file."""
        self._seen = self._read = self._state()
        """What told versions of the file apart when it was last seen, and when it was read."""

    def _state(self) -> tuple[int, ...] | None:
        with suppress(OSError):
            state = self.watched.stat()
            return state.st_ino, state.st_size, state.st_mtime_ns
        return None

    @property
    def is_outdated(self) -> bool:
        """Whether the file has changed, and since the last look no more: it may be half written."""
        before, self._seen = self._seen, self._state()
        return self._seen == before and self._seen not in (None, self._read)

    def read_again(self) -> Sequence[LineError]:
        """Take the rows of the file; return lines that cannot be read. Raises SessionError."""
        self._read = self._seen
        lines = read_text(self.watched).removeprefix("\ufeff").splitlines()
        turns, problems = read_block(self.game, lines, History())
        turns = merge(self.game, History(), turns).history.turns
        codes = {turn.code for turn in turns}
        both = codes | self._codes
        self._codes, gone = (both, codes) if problems else (codes, both)
        kept = (item for item in self.history if isinstance(item, Fact) or item.code not in gone)
        self.apply(changes.ReplaceHistory(History((*turns, *kept))))
        return problems


def begin(session: Session, game: Game) -> None:
    """Begin with a `game_of_length`; there are no rows yet."""
    play = replace(session.game.play, opening=game.play.opening)
    session._change_game(replace(game, play=play), {"secret": {"length": str(game.length)}})
