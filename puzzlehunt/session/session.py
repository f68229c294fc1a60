"""A session: a game being played, with undo and redo, its advice, and the file that keeps it.

Every change is written to the session's file before the call returns, so that a crash loses
nothing. The file is a game file (`game:` and `turns:`), so whatever reads games reads sessions.
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
from puzzlehunt.explain.remaining import WiderList, wider_candidates
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document, dump, read_file, set_option
from puzzlehunt.game.files.writing import history_keys
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.game.merging import Merged, Placed, merge
from puzzlehunt.game.viewed import Viewed
from puzzlehunt.session.settings import (
    absolute_list,
    absolute_reference,
    kept_settings,
    relative_reference,
    with_reads,
    with_renamed_lists,
)
from puzzlehunt.session.storage import acquire_lock, real_path, write_atomically
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.base import Budget

_UNLIMITED = Budget()


class Session(Viewed):
    """A game, its history with undo and redo, its engine, and the file that it is kept in.

    `reference` is the game that the file's `game:` names, as `absolute_reference` returns it, empty
    where the settings describe the whole game; `settings` are the other keys of the file but for
    facts and turns, as `kept_settings` returns them. A new session has no file until `keep_in`
    gives it one; `resume` opens a session that has a file.
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
        """The histories that undo returns to, the newest last: each first item is one step."""
        self._future: list[History] = []
        """The histories that redo returns to, the next one last."""
        self._lock: FileLock | None = None
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None
        self._advice_given: dict[tuple[History, int, Budget], Advice] = {}
        """The advice given by `_adviser`, by history, number of guesses and budget."""
        self._wider: tuple[History, WiderList | None] | None = None
        """The newest answer of `_wider_for`, with the history that it is for."""

    # Files.

    @classmethod
    def resume(cls, path: Path, changes: Document | None = None) -> "Session":
        """Return the session that a file holds, and become the file's one writer.

        `changes` are keys of a game file whose values replace those of the session; the next save
        writes them. Raises SessionInUseError if another program is the writer, GameFileError for a
        bad file.
        """
        changes = changes or Document({})
        lock = acquire_lock(path)
        try:
            document = changes.inherit(read_file(path))
            whole_document = changes.inherit(gamefile.find_document(str(path.absolute()), Path()))
            reference = absolute_reference(document.value.get("game", ""), path.parent)
            session = cls(gamefile.build(whole_document), reference, kept_settings(document))
        except PuzzlehuntError:
            lock.release()
            raise
        session.path, session._lock = path, lock
        return session

    def keep_in(self, path: Path, overwrite: bool = False) -> None:
        """Write the session to a file from now on, and release the lock of the file it had.

        Raises SessionInUseError if another program writes the file, SessionError if it cannot be
        written, or if it exists, is not the session's own, and `overwrite` is false.
        """
        if self.path is not None and real_path(path) == real_path(self.path):
            self.save()
            return
        lock = acquire_lock(path)
        old_path, old_lock = self.path, self._lock
        self.path, self._lock = path, lock
        try:
            if not overwrite and path.exists():
                raise SessionError(f"{path} exists already; nothing was written")
            self.save()
        except SessionError:
            lock.release()
            self.path, self._lock = old_path, old_lock
            raise
        if old_lock is not None:
            old_lock.release()

    def save(self) -> None:
        """Write the file, whole or not at all; do nothing for a session without a file.

        Raises SessionError if the file cannot be written.
        """
        if self.path is None:
            return
        # A file behind a link is read from two folders: absolute paths are right in both.
        folder = Path() if self.path.is_symlink() else real_path(self.path.parent)
        reference = relative_reference(self.reference, folder)
        game_key = {"game": reference} if reference else {}
        document = {
            **game_key,
            **with_renamed_lists(self.settings, lambda _, name: relative_reference(name, folder)),
            **history_keys(self.game, self.history),
        }
        write_atomically(self.path, dump(document))
        self.unsaved = None

    def close(self) -> None:
        """Release the lock of the session's file, so that another program may write it."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def is_of(self, reference: str) -> bool:
        """Return whether a reference, as `absolute_reference` returns it, names this game.

        The path of the session's own file names it, too. Where the session names no game, every
        reference does.
        """
        file = "" if self.path is None else absolute_reference(self.path.name, self.path.parent)
        return not self.reference or reference in (self.reference, file)

    # Changes of the history; each is one step of undo. Where the file cannot be written, the game
    # goes on in memory and `unsaved` says why.

    def play(self, *turns: Turn, is_log: bool = False) -> Merged:
        """Merge turns into the history, as one step, and return what became of each.

        A guess that is on the board is completed or replaced, as `merge` says; `is_log` says that
        the turns are a whole log. Where they say only what was known there is no step.
        """
        merged = merge(self.game, self.history, turns, is_log)
        if merged.changed:
            self._change(merged.history)
        return merged

    def add_fact(self, fact: Fact) -> None:
        """Add a fact at the end of the history."""
        self._change(self.history.add(fact))

    def edit(self, number: int, turn: Turn) -> Placed:
        """Replace turn `number` (from 1), and return what became of it.

        If its guess is now that of another turn it is merged into that one, but not in a game that
        answers anew by chance; else its effect is `new`. Raises SessionError if there is no such
        turn.
        """
        others = self.history.drop(number)
        if others.number_of(turn.guess) is None or self.game.channel.answers_anew:
            self._change(self.history.replace(number, turn))
            return Placed(number, turn, "new")
        merged = merge(self.game, others, [turn])
        self._change(merged.history)
        return merged.placed[0]

    def drop(self, number: int) -> None:
        """Remove turn `number` (from 1). Raises SessionError if there is none."""
        self._change(self.history.drop(number))

    def doubt(self, number: int, chance: float | None = None) -> None:
        """Set the chance (0 to 1) that turn `number` (from 1) is wrong.

        With None a doubted turn is no longer doubted, and any other turn is doubted with the usual
        chance. Raises SessionError if there is no such turn.
        """
        self._change(self.history.doubt(number, chance))

    def clear(self) -> None:
        """Remove every turn and fact, as one step."""
        self._change(History())

    def revise(self, history: History) -> None:
        """Replace the whole history, as one step."""
        self._change(history)

    def undo(self) -> None:
        """Return to the history before the last step. Raises SessionError if there is none."""
        self._step(self._past, self._future, "undo")

    def redo(self) -> None:
        """Return to the history before the last undo. Raises SessionError if there is none."""
        self._step(self._future, self._past, "redo")

    def _change(self, history: History) -> None:
        self._past.append(self.history)
        self._future.clear()
        self.history = history
        self._try_to_save()

    def _step(self, source: list[History], target: list[History], name: str) -> None:
        """Return to the last history of `source`, and put the present one on `target`."""
        if not source:
            raise SessionError(f"nothing to {name}")
        target.append(self.history)
        self.history = source.pop()
        self._try_to_save()

    # Changes of settings, which the file keeps; undo does not touch them.

    def set_play(self, **changes: Any) -> None:
        """Change keys of the game's `play` settings, such as `strategy`."""
        self.game = self.game.with_play(changes)
        texts = {key: str(value) for key, value in changes.items()}
        self.settings["play"] = {**self.settings.get("play", {}), **texts}
        self._adviser = None
        self._try_to_save()

    def set_reads(self, text: str, option: str = "reads") -> None:
        """Change how often marks are read, written as in `black=0.1,white=0.13` or `learn`.

        Messages of errors call the setting by the name `option`. Raises GameFileError for
        impossible rates, and for rates by which a clue of the history could never have been read.
        """
        document = with_reads(self._document(), text, option)
        history = history_keys(self.game, self.history)
        game = gamefile.build(replace(document, value={**document.value, **history}))
        self.settings["reads"] = document.value["reads"]
        self.game = replace(game, play=self.game.play)
        self._engine = self._adviser = self._wider = None
        self._try_to_save()

    def widen(self, name: str, option: str = "secret.words") -> None:
        """Take the secrets from another word list: a built-in name or the path of a file.

        Messages of errors call the setting by the name `option`. Raises SessionError where the
        secrets come from no list, FixedListError where this session cannot change it,
        GameFileError for a list that is missing, or that does not fit the game.
        """
        document = self._document()
        if document.value.get("secret", {}).get("words") is None:
            raise SessionError("the secrets of this game come from no word list")
        if isinstance(self.game.secrets, PairSpace):
            raise FixedListError("pairs of words are too many to change the list")
        secret = self.settings.get("secret", {})
        if not isinstance(secret.get("words", ""), str):
            raise FixedListError("the words stand in this session itself")
        wider = None if self._wider is None else self._wider[1]
        game = wider.game if wider and wider.name == name else _with_list(document, name, option)
        self.game = replace(game, play=self.game.play)
        self.settings["secret"] = {**secret, "words": absolute_list(name, Path())}
        self._engine = self._adviser = self._wider = None
        self._try_to_save()

    @property
    def list_name(self) -> str:
        """The name or path of the word list that the secrets come from.

        Empty where they come from none, or from words that stand in the game file itself.
        """
        name = self._document().value.get("secret", {}).get("words")
        return name if isinstance(name, str) else ""

    def _document(self) -> Document:
        """Return the game file of the game that is played, with inherited keys, without turns."""
        document = Document(dict(self.settings))
        if not self.reference:
            return document
        return document.inherit(gamefile.find_document(self.reference, Path()))

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
        """Return whether some secret agrees with another history than the session's.

        The secret may come from a wider word list. Where two secrets share one board, the answer is
        always true, since their wider lists are too large to search.
        """
        engine = self.engine
        engine.follow(history)
        if engine.satisfiable() or isinstance(self.game.secrets, PairSpace):
            return True
        return self._wider_for(history) is not None

    def wider(self) -> WiderList | None:
        """Return the candidates of the first wider word list that has any.

        None while the game's own list has candidates, and where no wider list has any candidate.
        """
        return None if self.engine.satisfiable() else self._wider_for(self.history)

    def _wider_for(self, history: History) -> WiderList | None:
        if self._wider is None or self._wider[0] != history:
            self._wider = (history, wider_candidates(self.game, history))
        return self._wider[1]

    def advise(self, top: int = 1, budget: Budget = _UNLIMITED) -> Advice:
        """Return the `top` best next guesses. Raises NoCandidatesError if nothing is left."""
        adviser, key = self.adviser, (self.history, top, budget)
        if key not in self._advice_given:
            self._advice_given[key] = adviser.advise(self.engine, top, budget)
        return self._advice_given[key]

    @property
    def advised(self) -> Mapping[History, Advice]:
        """The advice that the present strategy gave so far, by the history that it was given at."""
        advised = {} if self._adviser is None else self._advice_given
        return {history: advice for (history, _, _), advice in advised.items()}

    @property
    def adviser(self) -> Adviser:
        """The adviser that picks guesses by the game's strategy."""
        if self._adviser is None:
            self._adviser = Adviser(self.game)
            self._advice_given.clear()
        return self._adviser


def _with_list(document: Document, name: str, option: str) -> Game:
    """Return the game of a file, with its secrets from another word list. Raises GameFileError."""
    # Facts and turns of the game file itself do not matter: a session has its own history.
    value = {key: v for key, v in document.value.items() if key not in ("facts", "turns")}
    document = Document(value, document.origins, document.folders)
    return gamefile.build(set_option(document, option, ("secret", "words"), name))
