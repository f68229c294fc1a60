"""Dialogues: each line that a person types yields outcomes."""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator
from typing import ClassVar

from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.errors import (
    InvalidCodeError,
    PuzzlehuntError,
    UnknownNameError,
    did_you_mean,
    in_own_file,
)
from puzzlehunt.game.game import Game
from puzzlehunt.session.outcomes import Failed, Outcome


class Dialogue(ABC):
    """Answers the lines that one person types.

    Outcomes are yielded one by one, each as soon as it is known. The work on a line is done while
    its outcomes are consumed, so a caller must consume all of them before it passes the next line.
    """

    commands: ClassVar[tuple[str, ...]]
    """The names of the commands, without their slash."""
    is_open: bool = True
    """Whether the dialogue accepts another line."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that is played."""

    @property
    @abstractmethod
    def expected_line(self) -> Code | int | None:
        """What is expected: the clue of the returned guess, or the turn with this number (from 1).

        None if neither is expected.
        """

    @abstractmethod
    def start(self) -> Iterator[Outcome]:
        """Yield the outcomes that come before the first line."""

    @abstractmethod
    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of one line, or of a pasted block; an error is an outcome as well."""

    def end(self) -> Iterator[Outcome]:
        """Yield the outcomes that come after the last line."""
        return iter(())

    @property
    def is_follower(self) -> bool:
        """Whether others can change the game, so that there may be news."""
        return False

    @property
    def has_news(self) -> bool:
        """Whether others have changed the game since the last line or news."""
        return False

    def news(self) -> Iterator[Outcome]:
        """Yield what others have changed since the last line or news."""
        return iter(())


def with_failures(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield outcomes until an error is raised; then yield that error as `Failed`."""
    try:
        yield from outcomes
    except PuzzlehuntError as error:
        yield Failed(type(error).__name__, str(error))
    except (MemoryError, RecursionError) as error:
        yield Failed(type(error).__name__, "that is too much for one line")
    except Exception as error:
        if not (message := in_own_file(error)):
            raise
        yield Failed(type(error).__name__, message)


PLAIN_COMMANDS = {"help": "help", "?": "help", "quit": "quit", "exit": "quit"}
"""Words that need no slash, each with the command that it means."""


def plain_command(word: str, game: Game) -> str | None:
    """Return the command that a word without a slash means; None if the word could be a guess."""
    name = PLAIN_COMMANDS.get(word.casefold())
    if name is None:
        return None
    try:
        guess = game.parse_guess(word)
    except InvalidCodeError:
        return name
    return name if FOREIGN in guess else None


def is_command(line: str, names: Container[str], alphabet: Alphabet) -> bool:
    """Return whether a line is a command; `names` are all commands and their short forms.

    A command begins with a slash. If the slash is also a symbol of the game, one of `names` must
    follow it.
    """
    if not line.startswith("/"):
        return False
    name = "".join(line[1:].split(maxsplit=1)[:1])
    return name.casefold() in names or alphabet.number("/") is None


def unknown_command(name: str, names: Iterable[str]) -> UnknownNameError:
    """Return the error for an unknown command; its message proposes the nearest of `names`."""
    near = did_you_mean(name, list(names))
    hint = near.replace("you mean ", "you mean /") if "you mean" in near else "; /help lists them"
    return UnknownNameError(f"no command /{name}{hint}")
