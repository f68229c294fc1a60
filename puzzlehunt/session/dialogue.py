"""Dialogues: a person types lines, and each is answered by outcomes."""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.session.outcomes import Failed, Outcome


@dataclass(frozen=True, slots=True)
class ExpectedLine:
    """What the next line is expected to hold, for the prompt to say.

    `guess` waits for its clue; `number` (from 1) is the turn whose guess is to come; at most one of
    them is given.
    """

    guess: Code | None = None
    number: int | None = None


class Dialogue(ABC):
    """Answers the lines of one person.

    Outcomes are yielded one by one, each as soon as it is known. A caller must take all outcomes of
    a line before it hands over the next line, since the work is done while they are taken.
    """

    is_open: bool = True
    """Whether another line is wanted."""

    @property
    def is_follower(self) -> bool:
        """Whether another program changes the game, so that there may be news without a line."""
        return False

    @property
    def has_news(self) -> bool:
        """Whether the game has changed since the last line or news."""
        return False

    def news(self) -> Iterator[Outcome]:
        """Yield what has changed since the last line or news."""
        return iter(())

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
    def expected_line(self) -> ExpectedLine:
        """What the next line is expected to hold."""

    @abstractmethod
    def start(self) -> Iterator[Outcome]:
        """Yield the outcomes that come before the first line."""

    @abstractmethod
    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of one line, or of a pasted block; a mistake is an outcome, too."""

    @abstractmethod
    def end(self) -> Iterator[Outcome]:
        """Finish after the last line; yield the outcomes of finishing."""


def with_failures(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield outcomes up to the first error, which is yielded as `Failed` instead of raised."""
    try:
        yield from outcomes
    except PuzzlehuntError as error:
        yield Failed(type(error).__name__, str(error))
    except (MemoryError, RecursionError) as error:
        yield Failed(type(error).__name__, "that is too much for one line")


PLAIN_COMMANDS = {"help": "help", "?": "help", "quit": "quit", "exit": "quit"}
"""Words that are commands without a slash, too, and the names of these commands."""


def plain_command(word: str, game: Game) -> str | None:
    """Return the name of the command that a word means though it has no slash, else None.

    What could be a guess of the game means no command.
    """
    name = PLAIN_COMMANDS.get(word.casefold())
    if name is None:
        return None
    try:
        guess = game.parse_guess(word)
    except InvalidCodeError:
        return name
    return name if FOREIGN in guess else None


def is_command(line: str, names: Container[str], alphabet: Alphabet) -> bool:
    """Return whether a line is a command, given the names and short forms of all commands.

    A command begins with a slash. Where the slash is a symbol of the game, too, one of `names` must
    follow it.
    """
    if not line.startswith("/"):
        return False
    name = "".join(line[1:].split(maxsplit=1)[:1])
    return name.casefold() in names or alphabet.number("/") is None
