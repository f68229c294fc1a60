"""A session: a game being played, with undo and redo, advice, and a file.

Every change is written to the session's file before the call returns, so that a crash loses
nothing. The file is a game file, often with only the keys `game` and `turns`; other text of its
author is preserved. One program at a time writes a file; a board on a server has many players.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from puzzlehunt.channel.model import PERFECT
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import GameFileError, PuzzlehuntError, SessionError, check_type
from puzzlehunt.explanation.identification import Identification, identify
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import real_path
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.files.serialise import reading_trouble
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Row, Turn
from puzzlehunt.game.merging import MergeResult
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.session import changes
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.changes import Change, Question
from puzzlehunt.session.file_store import FileStore
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.responses import answer
from puzzlehunt.session.settings import absolute_list, absolute_reference, kept_settings, with_reads
from puzzlehunt.session.store import PendingGuess, Store, Stored
from puzzlehunt.session.timeline import Timeline, TimelineChange, apply
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.position import NO_BUDGET, Budget
from puzzlehunt.strategies.registry import find_strategy

_INTERRUPTED = SessionError("saving was interrupted")
"""Why a change is in memory only where Ctrl-C came before the file was written."""


class Session(NotebookShown):
    """A game, its history with undo and redo, its engine, and its store (a file or a server).

    `game` is a game, its name or its file. `reference` is the value of the file's key `game`, in
    the form that `absolute_reference` returns; by default it is the name or the file, and it is
    empty if the settings describe the whole game. `settings` are the other keys of
    the file except facts and turns, in the form that `kept_settings` returns. A new session has no
    file until `keep_in` gives it one. `resume` opens a session that has a file.

    >>> import puzzlehunt
    >>> session = puzzlehunt.Session("4x6")
    >>> _ = session.play("AABB 1b", "CCDD none")
    >>> session.undo()
    >>> session.history, session.engine.count().exact
    (<History: empty>, 1296)
    """

    def __init__(
        self,
        game: Game | str | Path,
        reference: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        if reference is None:
            check_type("reference", game, str | Path, "the name or file of the game, beside it")
            reference = absolute_reference(str(game), Path())
        game = gamefile.as_game(game)
        self.game = game
        self._timeline = Timeline.ending_in(game.history)
        self.unsaved: SessionError | None = None
        """The reason why the newest change is in memory only; None if it was saved."""
        self.reference = reference
        self.settings = dict(settings or {})
        self.writers: Mapping[str, str] = {}
        """The author of each turn, by the turn's line; empty if all turns have one author."""
        self._pending: PendingGuess | None = None
        self._store: Store | None = None
        """None for a session in memory."""
        self._is_held = False
        """Whether changes stay in memory for now."""
        self._answers: Answers | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.title!r}: {len(self.history)} items>"

    # The store.

    @classmethod
    def kept_by(cls, store: Store, stored: Stored | None = None) -> "Session":
        """Return the session of a store; `stored` is its content if it was read already."""
        stored = store.read() if stored is None else stored
        session = cls(stored.game, stored.reference, stored.settings)
        session._store = store
        session._take(stored)
        return session

    @classmethod
    def resume(
        cls,
        path: Path | str,
        *,
        changes: Document | None = None,
        in_memory: bool = False,
        played: str = "",
    ) -> "Session":
        """Return the session that a file holds, and become the file's one writer.

        `changes` are keys of a game file whose values replace those of the session; the next save
        writes them. `played` is the name of the game as the user typed it; the file may call its
        game by that name. With `in_memory`, a file that cannot be written is played in memory
        (`unsaved` is the reason); without, it raises SessionError. A file that another program
        writes raises SessionInUseError, a bad file GameFileError.
        """
        store = FileStore(Path(path), changes or Document({}))
        unsaved = store.open(in_memory=in_memory)
        try:
            session = cls.kept_by(store, store.read(played))
        except PuzzlehuntError:
            store.close()
            raise
        session.unsaved = unsaved
        return session

    def _take(self, stored: Stored) -> None:
        """Adopt the content of a store; the engine stays if the game is the same."""
        if (stored.reference, stored.settings) != (self.reference, self.settings):
            self.game, self.reference, self._answers = stored.game, stored.reference, None
            self.settings = dict(stored.settings)
        self._timeline = Timeline.ending_in(stored.history)
        self.writers, self._pending = stored.writers, stored.pending

    @property
    def _state(self) -> Stored:
        return Stored(
            self.game, self.reference, self.settings, self.history, self.writers, self._pending
        )

    @property
    def history(self) -> History:
        """The present turns and facts of the game."""
        return self._timeline.present

    @history.setter
    def history(self, history: History) -> None:
        self._timeline = Timeline(history)

    @property
    def file(self) -> FileStore | None:
        """The store of the session's file; None if the session has no file."""
        return self._store if isinstance(self._store, FileStore) else None

    @property
    def path(self) -> Path | None:
        """The path of the session's file; None if the session has no file."""
        return None if self._store is None else self._store.path

    @property
    def is_shared(self) -> bool:
        """Whether others can change the session, which a server then keeps."""
        return self._store is not None and self.file is None

    @property
    def is_outdated(self) -> bool:
        """Whether others have changed the session since it was last read."""
        return self._store is not None and self._store.is_outdated

    def wait_for_news(self, seconds: float) -> bool:
        """Wait up to `seconds` for a change by others; return whether there was one."""
        end = time.monotonic() + seconds
        while not self.is_outdated and time.monotonic() < end:
            time.sleep(0.02)
        return self.is_outdated

    def read_again(self) -> None:
        """Read the changes of others. Raises GameFileError for a bad file, or SessionError."""
        assert self._store is not None
        self._take(self._store.read())

    def keep_in(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Move the session to the file at `path`, and release the lock of its previous file.

        Raises SessionInUseError if another program writes the file. Raises SessionError if the file
        cannot be written, or if it exists, belongs to no session of this process, and `overwrite`
        is false.
        """
        path, old = Path(path), self._store
        if old is not None and not isinstance(old, FileStore):
            raise SessionError("the server keeps this board; its page has the file")
        if old is not None and real_path(path) == real_path(old.path):
            self.save()
            return
        file = FileStore(path) if old is None else old.copied_to(path)
        file.lock()
        self._store = file
        try:
            if not overwrite and path.exists():
                raise SessionError(f"{path} exists already; nothing was written")
            self.save()
        except SessionError:
            file.close()
            self._store = old
            raise
        if old is not None:
            old.close()

    def save(self) -> None:
        """Write the session to its store, if it has one. Raises SessionError.

        A file is written completely or not at all.
        """
        if self._store is not None:
            self._store.save(self._state)
        self.unsaved = None

    @property
    def keeps_pending(self) -> bool:
        """Whether a pending guess survives the end of the program (it does if there is a store)."""
        return self._store is not None

    @property
    def pending(self) -> Turn | None:
        """The pending guess, as an unread turn; None if no guess waits for its clue."""
        return None if self._pending is None else self._pending.turn

    def keep_pending(self, turn: Turn | None) -> None:
        """Store the pending guess, as a turn with nothing read; None removes it.

        A pending guess rules nothing out, and storing it is not a step of undo; on a shared board
        it is a row. If it cannot be written, `unsaved` is the reason.
        """
        if self.is_shared:
            self.unsaved = None
            try:
                if turn is not None:
                    self.apply(changes.RecordTurns((turn,)))
            except SessionError as error:
                self.unsaved = error
            return
        before, number = self._state.pending_line, len(self.history.turns) + 1
        self._pending = None if turn is None else PendingGuess(turn, number)
        if self._state.pending_line != before:
            self._try_to_save()

    def close(self) -> None:
        """Release the lock of the session's file, or end the connection to its server."""
        if self._store is not None:
            self._store.close()

    def is_of(self, reference: str) -> bool:
        """Return whether an absolute reference means this session's game or its file."""
        file = "" if self.path is None else absolute_reference(self.path.name, self.path.parent)
        return reference in (self.reference, file)

    def is_like(self, game: Game) -> bool:
        """Return whether another game has the same secrets, guesses and rule as the session's."""
        own, other = (replace(each, channel=PERFECT) for each in (self.game, game))
        return fingerprint(own) == fingerprint(other)

    # Changes. If the file cannot be written, the game continues in memory and `unsaved` says why.

    def apply(self, change: Change) -> MergeResult:
        """Make a change; return its effect on each row that it names.

        A change of turns and facts is one step of undo, unless it adds nothing. Raises SessionError
        if a row does not exist, or if there is nothing to undo or redo.
        """
        match change:
            case changes.SetStrategy(name):
                self.set_play(strategy=name)
            case changes.SetReadRates(rates):
                self.set_reads(rates, option="/rates")
            case changes.SetWordList(name):
                self.widen(name, option="/widen")
            case _:
                return self._apply(change)
        return MergeResult(self.history, ())

    def _apply(self, change: TimelineChange) -> MergeResult:
        if isinstance(change, changes.Undo | changes.Redo) and self._is_submitted(change):
            return MergeResult(self.history, ())
        timeline, result = apply(self.game, self._timeline, change)
        if timeline is self._timeline:
            return result
        if self._is_submitted(change):
            numbers = [self.history.number_of(one.turn.guess) for one in result.placed]
            placed = zip(result.placed, numbers, strict=True)
            return MergeResult(
                self.history, tuple(replace(one, number=n) if n else one for one, n in placed)
            )
        self._go_to(timeline)
        return result

    def _is_submitted(self, change: Change) -> bool:
        """Submit a change to the store and read the result; False if the store takes none."""
        if self._store is None or not self._store.submit(self.game, change):
            return False
        self.read_again()
        return True

    def _go_to(self, timeline: Timeline) -> None:
        """Adopt a timeline and save it.

        An interrupt before the file is written leaves the session as it was, or sets `unsaved`.
        """
        unsaved = None if self._store is None else _INTERRUPTED
        # One statement, so that an interrupt comes before all of it or after.
        self.unsaved, self._timeline = unsaved, timeline
        self._try_to_save()

    def play(self, *turns: Row, is_log: bool = False) -> MergeResult:
        """Merge turns, or lines that describe turns, into the history (a `RecordTurns`)."""
        return self.apply(changes.RecordTurns(tuple(map(self.game.as_turn, turns)), is_log))

    def undo(self) -> None:
        """Undo the last step (an `Undo`)."""
        self.apply(changes.Undo())

    def redo(self) -> None:
        """Redo the step that was undone last (a `Redo`)."""
        self.apply(changes.Redo())

    def save_interrupted(self) -> None:
        """Save again if an interrupt stopped the last save before the file was written."""
        if self.unsaved is _INTERRUPTED:
            self._try_to_save()

    # Changes of settings, which the file keeps; undo does not touch them.

    def set_play(self, **keys: Any) -> None:
        """Change keys of the game's `play` settings; those that a file can hold are saved."""
        strategy = keys.get("strategy")
        find_strategy(strategy or "book")
        if isinstance(strategy, str) and self._is_submitted(changes.SetStrategy(strategy)):
            del keys["strategy"]
        if not keys:
            return
        self.game = self.game.with_play(keys)
        texts = {
            key: str(value)
            for key, value in keys.items()
            if key != "strategy" or isinstance(value, str)
        }
        kept = kept_settings(Document({"play": texts})).get("play", {})
        if play := {**self.settings.get("play", {}), **kept}:
            self.settings["play"] = play
        if self._answers is not None:
            self._answers.take_play(self.game)
        self._try_to_save()

    def set_reads(self, text: str, *, option: str = "reads") -> None:
        """Change how often marks are read; `text` is like `black=0.1,white=0.13` or `learn`.

        Error messages call the setting by the name `option`. Raises GameFileError for impossible
        rates, and for rates that contradict a clue of the history.
        """
        if self._is_submitted(changes.SetReadRates(text)):
            return
        document = with_reads(self.whole_game(), text, option)
        game = gamefile.build(document.without_rows())
        for number, turn in enumerate(self.history.turns, start=1):
            if problem := reading_trouble(game, turn):
                raise GameFileError(f"row {number}: {problem}", f"{option} {text}")
        self._rebuild(game, "reads", document.value["reads"])

    def widen(self, name: str, *, option: str = "secret.words") -> None:
        """Take the secrets from another word list: a built-in name or the path of a file.

        Error messages call the setting by the name `option`. Raises SessionError if the secrets
        come from no list or the list cannot be replaced, and GameFileError if the new list is
        missing or does not fit the game.
        """
        if self._is_submitted(changes.SetWordList(name)):
            return
        document = self.whole_game()
        if document.value.get("secret", {}).get("words") is None:
            raise SessionError("the secrets of this game come from no word list")
        secret = self.settings.get("secret", {})
        if not isinstance(secret.get("words", ""), str):
            words = "the words are written in this session's file itself"
            raise SessionError(f"{words}; another: play --words LIST")
        length = self.game.secret_length
        game = gamefile.build(gamefile.with_words(document, option, name, length))
        secret = {**secret, "words": absolute_list(name, Path())}
        if "length" not in document.value["secret"]:
            secret["length"] = str(length)
        self._rebuild(game, "secret", secret)

    def _rebuild(self, game: Game, key: str, value: object) -> None:
        """Continue with a game that was built anew, because a key of its file has a new value."""
        self.settings[key] = value
        self.game = replace(game, play=self.game.play)
        self._answers = None
        self._try_to_save()

    @property
    def list_name(self) -> str:
        """The name or path of the word list of secrets; empty if there is none."""
        name = self.whole_game().value.get("secret", {}).get("words")
        return name if isinstance(name, str) else ""

    def whole_game(self) -> Document:
        """Return the complete game file: the session's settings, and the keys of the named game.

        It contains the turns of the named game, if any, and not those of the session.
        """
        document = Document(dict(self.settings))
        if not self.reference:
            return document
        return document.inherit(gamefile.find_document(self.reference, Path()))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the changes of the block in memory, until `save` is called."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False

    def _try_to_save(self) -> None:
        if self._store is None or self._is_held:
            self.unsaved = None
            return
        self.unsaved = _INTERRUPTED
        try:
            self.save()
        except SessionError as error:
            self.unsaved = error

    # Questions.

    @property
    def answers(self) -> Answers:
        """The answers about the present history."""
        if self._answers is None:
            self._answers = Answers(self.game)
        self._answers.history = self.history
        return self._answers

    def ask(self, question: Question) -> Iterator[Outcome]:
        """Yield the outcomes that answer a question, each as soon as it is known."""
        return answer(self.answers, question)

    @property
    def engine(self) -> Engine:
        """The game's engine, with the turns and facts of the present history."""
        return self.answers.engine

    @property
    def is_won(self) -> bool:
        """Whether every secret was found, or in a game of questions alone is known."""
        return self.answers.is_won

    def advise(self, top: int = 1, *, budget: Budget = NO_BUDGET) -> Advice:
        """Return the `top` best next guesses. Raises NoCandidatesError if nothing is left."""
        return self.answers.advise(top, budget)

    def identify(self, secret: Code | str | None = None, *, top: int = 5) -> Identification:
        """Return what the marks of the rows mean if nobody explained them, and the `top` guesses.

        Every rule is tried; in a game with `legend: unknown` and a rule, only that rule. `secret`
        is the secret, if it is known. Raises TooLargeError for more than 50,000 secrets, and
        PuzzlehuntError for rules that tell what their marks mean.

        >>> import puzzlehunt
        >>> session = puzzlehunt.Session("4x6")
        >>> _ = session.play("AABB 1b", "ACDA 2b 1w")
        >>> (best, chance), *_ = session.identify("ABCA").hypotheses
        >>> best.rule, best.legend, round(chance, 2)
        ('pegs', (('B', 'black'), ('W', 'white')), 0.44)
        """
        return identify(replace(self.game, history=self.history), secret=secret, top=top)
