"""Questions about a session, as frozen values.

`codec` converts them to JSON. Rows are turns, numbered from 1; boards are numbered from 0.
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
    """How many candidates are left and, unless `coach` is true, the best next guess."""

    coach: bool = False
    kind: Literal["status"] = "status"


@dataclass(frozen=True, slots=True)
class Suggest:
    """The `top` best next guesses."""

    top: Limit = LISTED_GUESSES
    kind: Literal["suggest"] = "suggest"


@dataclass(frozen=True, slots=True)
class RateGuess:
    """The value of a guess and that of the best guess; with `coach`, the best is not named."""

    guess: Annotated[Code, GUESS]
    coach: bool = False
    kind: Literal["rate"] = "rate"


@dataclass(frozen=True, slots=True)
class Candidates:
    """Up to `limit` candidates of each board (None: all), and codes that nearly fit."""

    limit: Limit | None = LISTED_CANDIDATES
    kind: Literal["candidates"] = "candidates"


@dataclass(frozen=True, slots=True)
class Why:
    """Why a code is ruled out on one board (from 0), or on each board the code is for if None."""

    code: Annotated[Code, SECRET]
    board: Annotated[int, Interval(ge=0)] | None = None
    kind: Literal["why"] = "why"


@dataclass(frozen=True, slots=True)
class Certain:
    """What all candidates have in common, and which turns and facts prove it."""

    kind: Literal["certain"] = "certain"


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Up to `limit` smallest sets of turns and facts that contradict each other."""

    limit: Limit = LISTED_GUESSES
    kind: Literal["conflicts"] = "conflicts"


@dataclass(frozen=True, slots=True)
class Repairs:
    """The smallest changes of turns that leave a candidate, the likeliest first."""

    kind: Literal["repairs"] = "repairs"


@dataclass(frozen=True, slots=True)
class Suspects:
    """The turns that are likeliest to be wrong."""

    kind: Literal["suspects"] = "suspects"


@dataclass(frozen=True, slots=True)
class Unread:
    """The `top` most informative unread marks."""

    top: Limit = LISTED_GUESSES
    kind: Literal["unread"] = "unread"


@dataclass(frozen=True, slots=True)
class ReviewGuesses:
    """How good each guess was; `seconds` limits the time of the review (None: no limit)."""

    seconds: Annotated[float, Interval(gt=0)] | None = None
    kind: Literal["review_guesses"] = "review_guesses"


@dataclass(frozen=True, slots=True)
class Explain:
    """Conflicts, repairs, suspects and certainties; with a code, also why it is ruled out."""

    code: Annotated[Code, SECRET] | None = None
    board: Annotated[int, Interval(ge=0)] | None = None
    kind: Literal["explain"] = "explain"


@dataclass(frozen=True, slots=True)
class ReadRates:
    """How often marks of each kind are read, as estimated from all turns."""

    kind: Literal["read_rates"] = "read_rates"


@dataclass(frozen=True, slots=True)
class Legend:
    """What the marks mean, and the secrets and guesses over all that they may mean."""

    kind: Literal["legend"] = "legend"


@dataclass(frozen=True, slots=True)
class Export:
    """The game and its history as an SMT-LIB 2 script."""

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
    | Legend
    | Export
)
