"""Questions: everything that can be asked about a session, as frozen values.

`codec` writes them as JSON. Rows are turns, numbered from 1; boards are numbered from 0.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from annotated_types import Interval

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.session.changes import GUESS, SECRET
from puzzlehunt.session.limits import LISTED_CANDIDATES, LISTED_GUESSES

Limit: TypeAlias = Annotated[int, Interval(ge=1, le=10_000_000)]


@dataclass(frozen=True, slots=True)
class Status:
    """How many candidates are left and, unless a player is coached, the next guess to make."""

    coach: bool = False
    kind: Literal["status"] = "status"


@dataclass(frozen=True, slots=True)
class Suggest:
    """The best next guesses."""

    top: Limit = LISTED_GUESSES
    kind: Literal["suggest"] = "suggest"


@dataclass(frozen=True, slots=True)
class RateGuess:
    """The value of a guess beside that of the best one, which a coached player does not see."""

    guess: Annotated[Code, GUESS]
    coach: bool = False
    kind: Literal["rate"] = "rate"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Up to `limit` candidates of each board, None for all, and what nearly fits."""

    limit: Limit | None = LISTED_CANDIDATES
    kind: Literal["candidates"] = "candidates"


@dataclass(frozen=True, slots=True)
class Why:
    """What rules a code out: on one board, or on every board that the code is for."""

    code: Annotated[Code, SECRET]
    board: Annotated[int, Interval(ge=0)] | None = None
    kind: Literal["why"] = "why"


@dataclass(frozen=True, slots=True)
class Certain:
    """What all candidates have in common, and which turns prove it."""

    kind: Literal["certain"] = "certain"


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Smallest sets of turns and facts that cannot all be right."""

    limit: Limit = LISTED_GUESSES
    kind: Literal["conflicts"] = "conflicts"


@dataclass(frozen=True, slots=True)
class Repairs:
    """The smallest changes after which something fits, the likeliest first."""

    kind: Literal["repairs"] = "repairs"


@dataclass(frozen=True, slots=True)
class Suspects:
    """The turns that are likeliest to be wrong."""

    kind: Literal["suspects"] = "suspects"


@dataclass(frozen=True, slots=True)
class Unread:
    """The most informative unread marks."""

    top: Limit = LISTED_GUESSES
    kind: Literal["unread"] = "unread"


@dataclass(frozen=True, slots=True)
class ReviewGuesses:
    """How good each guess was, as far as `seconds` allow; None for no limit."""

    seconds: Annotated[float, Interval(gt=0)] | None = None
    kind: Literal["review_guesses"] = "review_guesses"


@dataclass(frozen=True, slots=True)
class Explain:
    """Conflicts, repairs, suspects and what is certain; with a code, also why that is out."""

    code: Annotated[Code, SECRET] | None = None
    board: Annotated[int, Interval(ge=0)] | None = None
    limit: Limit = 1
    kind: Literal["explain"] = "explain"


@dataclass(frozen=True, slots=True)
class ReadRates:
    """How often marks of each kind are read, as estimated from all turns."""

    kind: Literal["read_rates"] = "read_rates"


@dataclass(frozen=True, slots=True)
class Export:
    """The game and its history as a script for a solver: SMT-LIB 2, or answer-set programming."""

    format: Literal["smtlib", "lp"] = "smtlib"
    kind: Literal["export"] = "export"


Question: TypeAlias = (
    Status
    | Suggest
    | RateGuess
    | Candidates
    | Why
    | Certain
    | Conflicts
    | Repairs
    | Suspects
    | Unread
    | ReviewGuesses
    | Explain
    | ReadRates
    | Export
)
