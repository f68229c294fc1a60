"""Dialogues: somebody types lines, and each is answered by outcomes."""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.errors import PuzzlehuntError, UnknownNameError, did_you_mean
from puzzlehunt.game.game import Game
from puzzlehunt.session.outcomes import Failed, Outcome


@dataclass(frozen=True, slots=True)
class Awaited:
    """What the next line may answer: a guess by its clue, or a turn by its number; or nothing."""

    guess: Code | None = None
    number: int | None = None


class Dialogue(ABC):
    """Answers the lines of one person.

    Outcomes come one by one, each as soon as it is known. Those of one line are to be taken to the
    end before the next is handled: what is not taken is not done.
    """

    open: bool = True
    """Whether another line is wanted."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that is played."""

    @property
    @abstractmethod
    def commands(self) -> list[str]:
        """The names of the commands, without their slash."""

    @property
    @abstractmethod
    def awaited(self) -> Awaited:
        """What the next line may answer."""

    @abstractmethod
    def start(self) -> Iterator[Outcome]:
        """Yield what there is before the first line."""

    @abstractmethod
    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield what one line does, or one pasted block; what goes wrong is an outcome, too."""

    @abstractmethod
    def end(self) -> Iterator[Outcome]:
        """Yield what is left to do where the lines end."""


def with_failures(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield outcomes, and at the end what went wrong, if anything did."""
    try:
        yield from outcomes
    except PuzzlehuntError as error:
        yield Failed(type(error).__name__, str(error))
    except (MemoryError, RecursionError) as error:
        yield Failed(type(error).__name__, "that is too much for one line")


def is_command(line: str, names: Container[str], alphabet: Alphabet) -> bool:
    """Return whether a line is a command, given the names and short forms of all that there are.

    Where a slash is a symbol of codes, only a line that begins with one of these names is.
    """
    if not line.startswith("/"):
        return False
    name = "".join(line[1:].split(maxsplit=1)[:1])
    return name.casefold() in names or alphabet.number("/") is None


def unknown_command(name: str, names: Iterable[str]) -> UnknownNameError:
    """Return the error for a command that does not exist, with the nearest that does."""
    known = [f"/{known}" for known in names]
    return UnknownNameError(f"no command /{name}{did_you_mean(f'/{name}', known)}")
