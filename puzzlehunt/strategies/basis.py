"""What was evaluated for advice or in a tournament, if not every guess and candidate was."""

from dataclasses import dataclass
from enum import Enum, auto

from puzzlehunt.engines.base import Sample


class EvaluationScope(Enum):
    """What was evaluated, if not all guesses, all candidates and all clues were."""

    CANDIDATE_SAMPLE = auto()
    """A random sample of `Basis.size` candidates."""
    UNEVEN_SAMPLE = auto()
    """`Basis.size` candidates that a search found, some more likely than others."""
    BOARD_SAMPLES = auto()
    """A sample of the candidates of each board."""
    CANDIDATES_AS_GUESSES = auto()
    """Only candidates as guesses: all guesses are too many to be listed."""
    GUESSES_NEAR_CANDIDATES = auto()
    """Candidates, and codes one or two steps from them: all guesses are too many to be listed."""
    GUESS_SAMPLE = auto()
    """A sample of the guesses."""
    GUESS_SAMPLE_AT_FIRST = auto()
    """A sample of the guesses in positions with many candidates, all guesses in the others."""
    ANSWERS_READ_AND_TRUE = auto()
    """Answers as if all were read in full and true, though clues may be half read or false."""
    ROWS_AS_IF_RIGHT = auto()
    """Candidates alone, though rows may be misread: secrets are too many to be weighed."""
    TURNS = auto()
    """The turns alone: no candidate was found."""
    BOOK = auto()
    """The opening book that `Basis.book` names."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What was evaluated: `size` candidates of a sample, or the opening book `book`."""

    evaluated: EvaluationScope
    size: int | None = None
    book: str = ""


def basis_of_sample(drawn: Sample) -> Basis | None:
    """Return the basis of advice from a sample of the candidates, None if it has them all."""
    scope = EvaluationScope.CANDIDATE_SAMPLE if drawn.even else EvaluationScope.UNEVEN_SAMPLE
    return None if drawn.complete else Basis(scope, len(drawn.codes))


GUESS_SAMPLE = Basis(EvaluationScope.GUESS_SAMPLE)
CANDIDATES_AS_GUESSES = Basis(EvaluationScope.CANDIDATES_AS_GUESSES)


class Purpose(Enum):
    """The purpose of a guess in a huge space, if its value cannot be computed."""

    HOW_OFTEN_SYMBOLS_OCCUR = auto()
    WHERE_SYMBOLS_STAND = auto()
