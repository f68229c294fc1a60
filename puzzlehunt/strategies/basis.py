"""What was evaluated for advice or in a tournament, where that was not all there is."""

from dataclasses import dataclass
from enum import Enum, auto


class Evaluated(Enum):
    """A part that was evaluated, or what was supposed, in place of the whole."""

    CANDIDATE_SAMPLE = auto()
    """So many candidates as `Basis.size` says, drawn at random."""
    BOARD_SAMPLES = auto()
    """A sample of the candidates of each board."""
    CANDIDATES_AS_GUESSES = auto()
    """No guesses but candidates: all guesses are too many to be listed."""
    GUESSES_NEAR_CANDIDATES = auto()
    """Candidates and codes a step or two from them: all guesses are too many to be listed."""
    GUESS_SAMPLE = auto()
    """A sample of the guesses."""
    GUESS_SAMPLE_AT_FIRST = auto()
    """A sample of the guesses in positions with many candidates, all guesses in the others."""
    ANSWERS_READ_AND_TRUE = auto()
    """The feedbacks, though clues may be half read or wrong."""
    TURNS = auto()
    """The turns alone: no candidate is at hand."""
    BOOK = auto()
    """The opening book that `Basis.book` names."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What was evaluated: `size` candidates of a sample, or the opening book `book`."""

    evaluated: Evaluated
    size: int | None = None
    book: str = ""


GUESS_SAMPLE = Basis(Evaluated.GUESS_SAMPLE)
CANDIDATES_AS_GUESSES = Basis(Evaluated.CANDIDATES_AS_GUESSES)


class Question(Enum):
    """What a guess asks that is worth no number: it settles something of a code in huge spaces."""

    HOW_OFTEN_SYMBOLS_OCCUR = auto()
    WHERE_SYMBOLS_STAND = auto()
