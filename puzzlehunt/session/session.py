"""A session: a game being played, that cannot lose what it acknowledged.

Every change is written to the session's file before the call returns, whole or not at all. The
file is a game file (`game:` and `turns:`), so whatever reads games reads sessions.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from filelock import FileLock

from puzzlehunt.codes.boards import PairSpace
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import FixedListError, PuzzlehuntError, SessionError
from puzzlehunt.explain.remaining import Wider, wider_candidates
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document, dump, read_file, set_option
from puzzlehunt.game.files.writing import history_keys
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.game.viewed import Viewed
from puzzlehunt.session.settings import (
    kept_settings,
    reference_from,
    whole_list,
    whole_reference,
    with_lists,
    with_reads,
)
from puzzlehunt.session.storage import locked, real_path, write_whole
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.base import Budget

_EVERYTHING = Budget()


class Session(Viewed):
    """A game, its history with undo and redo, its engine, and the file that it is kept in.

    `reference` is what the file's `game:` says, `settings` what it says beside that, both as
    `whole_reference` and `kept_settings` return them. Without a path nothing is written: see
    `keep_in`, and `resume` for a session that has a file.
    """

    def __init__(
        self, game: Game, reference: str, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.game = game
        self.history = game.history
        self.path: Path | None = None
        self.unsaved: SessionError | None = None
        """Why the newest change is in memory only; None where the file has it."""
        self.reference = reference
        self.settings = dict(settings or {})
        items = game.history.items
        self._past = [History(items[:n]) for n in range(len(items))]
        self._future: list[History] = []
        self._lock: FileLock | None = None
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None
        self._advised: dict[tuple[History, int, Budget], Advice] = {}
        self._wider: tuple[History, Wider | None] | None = None

    # Files.

    @classmethod
    def resume(cls, path: Path, changes: Document | None = None) -> "Session":
        """Return the session that a file holds, and become its one writer.

        `changes` are keys of its game with other values, which are kept. Raises SessionInUseError
        if another program is the writer, GameFileError for a bad file.
        """
        changes = changes or Document({})
        lock = locked(path)
        try:
            own = changes.inherit(read_file(path))
            whole = changes.inherit(gamefile.find_document(str(path.absolute()), Path()))
            reference = whole_reference(own.value.get("game", ""), path.parent)
            session = cls(gamefile.build(whole), reference, kept_settings(own))
        except PuzzlehuntError:
            lock.release()
            raise
        session.path, session._lock = path, lock
        return session

    def keep_in(self, path: Path, replace: bool = False) -> None:
        """Write the session to a file from now on; one that is there already must be its own.

        With `replace` it may be any. Raises SessionInUseError, SessionError.
        """
        if self.path is not None and real_path(path) == real_path(self.path):
            self.save()
            return
        lock = locked(path)
        before = self.path, self._lock
        self.path, self._lock = path, lock
        try:
            if not replace and path.exists():
                raise SessionError(f"{path} exists already; nothing was written")
            self.save()
        except SessionError:
            lock.release()
            self.path, self._lock = before
            raise
        if before[1] is not None:
            before[1].release()

    def save(self) -> None:
        """Write the file, whole or not at all. Raises SessionError if it cannot be written."""
        if self.path is None:
            return
        folder = real_path(self.path.parent)
        if self.path.is_symlink():
            folder = Path()
        reference = reference_from(self.reference, folder)
        kept = {"game": reference} if reference else {}
        document = {
            **kept,
            **with_lists(self.settings, lambda _, name: reference_from(name, folder)),
            **history_keys(self.game, self.history),
        }
        write_whole(self.path, dump(document))
        self.unsaved = None

    def close(self) -> None:
        """Let others write the session's file."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def is_of(self, reference: str) -> bool:
        """Return whether this is a session of the game that a whole reference names."""
        own = "" if self.path is None else whole_reference(self.path.name, self.path.parent)
        return not self.reference or reference in (self.reference, own)

    # Changes; each is one step of undo. Where the file cannot be written, the game goes on in
    # memory and `unsaved` says why.

    def play(self, *turns: Turn) -> None:
        """Add turns as one step."""
        self._change(self.history.add(*turns))

    def add_fact(self, fact: Fact) -> None:
        """Add a fact."""
        self._change(self.history.add(fact))

    def edit(self, number: int, turn: Turn) -> None:
        """Replace turn `number` (from 1). Raises SessionError if there is none."""
        self._change(self.history.replace(number, turn))

    def drop(self, number: int) -> None:
        """Take turn `number` (from 1) out. Raises SessionError if there is none."""
        self._change(self.history.drop(number))

    def doubt(self, number: int, chance: float | None = None) -> None:
        """Doubt turn `number` (from 1) as said, or doubt it no more. Raises SessionError."""
        self._change(self.history.doubt(number, chance))

    def clear(self) -> None:
        """Start anew: forget every turn and fact."""
        self._change(History())

    def revise(self, history: History) -> None:
        """Change to another history, as one step."""
        self._change(history)

    def undo(self) -> None:
        """Take the last step back. Raises SessionError if there is none."""
        self._step(self._past, self._future, "undo")

    def redo(self) -> None:
        """Take the last undo back. Raises SessionError if there is none."""
        self._step(self._future, self._past, "redo")

    def _change(self, history: History) -> None:
        self._past.append(self.history)
        self._future.clear()
        self.history = history
        self._try_to_save()

    def _step(self, source: list[History], target: list[History], name: str) -> None:
        if not source:
            raise SessionError(f"nothing to {name}")
        target.append(self.history)
        self.history = source.pop()
        self._try_to_save()

    def set_play(self, **changes: Any) -> None:
        """Change `play` settings; they are kept in the file."""
        self.game = self.game.with_play(changes)
        kept = {key: str(value) for key, value in changes.items()}
        self.settings["play"] = {**self.settings.get("play", {}), **kept}
        self._adviser = None
        self._try_to_save()

    def set_reads(self, text: str, written: str = "reads") -> None:
        """Change how often marks are read; it is kept in the file, and undo passes it over.

        `written` is what the player calls the setting. Raises GameFileError for rates that cannot
        be, and for turns that could not be read so.
        """
        document = with_reads(self._document(), text, written)
        history = history_keys(self.game, self.history)
        game = gamefile.build(replace(document, value={**document.value, **history}))
        self.settings["reads"] = document.value["reads"]
        self.game = replace(game, play=self.game.play)
        self._engine = self._adviser = self._wider = None
        self._try_to_save()

    def widen(self, name: str, written: str = "secret.words") -> None:
        """Take the secrets from another word list; it is kept in the file, and undo passes it over.

        `written` is what the player calls the setting. Raises SessionError where they come from no
        list, FixedListError for one that cannot be changed, GameFileError for one that does not
        serve.
        """
        document = self._document()
        if document.value.get("secret", {}).get("words") is None:
            raise SessionError("the secrets of this game come from no word list")
        if isinstance(self.game.secrets, PairSpace):
            raise FixedListError("pairs of words are too many to change the list")
        own = self.settings.get("secret", {})
        if not isinstance(own.get("words", ""), str):
            raise FixedListError("the words stand in this session itself")
        found = None if self._wider is None else self._wider[1]
        game = found.game if found and found.name == name else _with_list(document, name, written)
        self.game = replace(game, play=self.game.play)
        self.settings["secret"] = {**own, "words": whole_list(name, Path())}
        self._engine = self._adviser = self._wider = None
        self._try_to_save()

    @property
    def list_name(self) -> str:
        """The name or path of the list that secrets come from; empty where it has none."""
        listed = self._document().value.get("secret", {}).get("words")
        return listed if isinstance(listed, str) else ""

    def _document(self) -> Document:
        """Return the description of the game that is played."""
        own = Document(dict(self.settings))
        if not self.reference:
            return own
        return own.inherit(gamefile.find_document(self.reference, Path()))

    def _try_to_save(self) -> None:
        try:
            self.save()
        except SessionError as error:
            self.unsaved = error

    # Questions.

    @property
    def engine(self) -> Engine:
        """The game's engine, at the present history."""
        if self._engine is None:
            self._engine = open_engine(self.game)
        if self._engine.items != self.history.items:
            self._engine.follow(self.history)
        return self._engine

    @property
    def is_won(self) -> bool:
        """Whether the newest turn says that its guess was the secret, and all others agree."""
        return self.game.is_won(self.history)

    def fits(self, history: History) -> bool:
        """Return whether anything would fit another history, in a wider list if not in this one.

        True where a wider list cannot be looked at.
        """
        engine = self.engine
        engine.follow(history)
        if engine.satisfiable() or isinstance(self.game.secrets, PairSpace):
            return True
        return self._wider_for(history) is not None

    def wider(self) -> Wider | None:
        """Return what is left in a wider word list where nothing fits; None if nothing is."""
        return None if self.engine.satisfiable() else self._wider_for(self.history)

    def _wider_for(self, history: History) -> Wider | None:
        if self._wider is None or self._wider[0] != history:
            self._wider = (history, wider_candidates(self.game, history))
        return self._wider[1]

    def advise(self, top: int = 1, budget: Budget = _EVERYTHING) -> Advice:
        """Return the best next guesses. Raises NoCandidatesError if nothing is left."""
        adviser, asked = self.adviser, (self.history, top, budget)
        if asked not in self._advised:
            self._advised[asked] = adviser.advise(self.engine, top, budget)
        return self._advised[asked]

    @property
    def advised(self) -> Mapping[History, Advice]:
        """What was advised already, by this strategy, after which history."""
        known = {} if self._adviser is None else self._advised
        return {history: advice for (history, _, _), advice in known.items()}

    @property
    def adviser(self) -> Adviser:
        """What gives the advice, by the game's strategy."""
        if self._adviser is None:
            self._adviser = Adviser(self.game)
            self._advised.clear()
        return self._adviser


def _with_list(document: Document, name: str, written: str) -> Game:
    """Return a game with its secrets from another list. Raises GameFileError."""
    bare = {k: v for k, v in document.value.items() if k not in ("facts", "turns")}
    document = Document(bare, document.origins, document.folders)
    return gamefile.build(set_option(document, written, ("secret", "words"), name))
