"""The forms of answers to questions, for the description of the API.

Keys that are `NotRequired` are missing where they say nothing. Turns, positions and boards are
numbered from 1.
"""

from typing import Any, NotRequired, TypeAlias

from typing_extensions import TypedDict


class Chance(TypedDict):
    """A candidate with its probability."""

    code: str
    probability: float


Codes: TypeAlias = list[str] | list[Chance]


class BoardCandidates(TypedDict):
    """The candidates of one of several boards; `count` is null if it is unknown."""

    count: int | None
    candidates: Codes


class Estimate(TypedDict):
    """An estimate of a count, and the bounds between which it lies."""

    count: float
    low: float
    high: float


class Wider(TypedDict):
    """What fits in a wider word list, where nothing fits in the game's own."""

    count: int | None
    candidates: list[str]
    list: str


class Near(TypedDict):
    """A code that fits all rows but those of `turns`."""

    code: str
    probability: float
    turns: list[int]


class CandidatesAnswer(TypedDict):
    """What is still possible: the number of candidates, and the first of them."""

    count: int | None
    exact: bool
    candidates: Codes
    estimate: NotRequired[Estimate]
    outside: NotRequired[float]
    nearly: NotRequired[list[Near]]
    boards: NotRequired[list[BoardCandidates]]
    wider: NotRequired[Wider]


class SuggestedGuess(TypedDict):
    """A guess: its value in the measure, how many candidates it leaves at worst."""

    guess: str
    value: float | None
    worst: int | None
    candidate: bool
    chance: NotRequired[float]


class Suggestions(TypedDict):
    """The best guesses, or the value of one guess beside the best."""

    count: int | None
    exact: bool
    strategy: str
    measure: str
    suggestions: list[SuggestedGuess]
    best: NotRequired[SuggestedGuess | None]
    illegal: NotRequired[str]
    book: NotRequired[str]
    outside: NotRequired[float]
    estimate: NotRequired[Estimate]
    boards: NotRequired[list[BoardCandidates]]
    wider: NotRequired[Wider]


class UnreadMarkAnswer(TypedDict):
    """An unread mark, and how much it would tell (bits)."""

    turn: int
    guess: str
    clue: str
    position: NotRequired[int]
    board: NotRequired[int]
    bits: float
    marks: int
    all_bits: float


class UnreadAnswer(TypedDict):
    """The unread marks that would tell most."""

    count: int | None
    exact: bool
    unread: list[UnreadMarkAnswer]
    estimate: NotRequired[Estimate]


class ConflictAnswer(TypedDict):
    """Turns and facts that cannot all be right."""

    turns: list[int]
    facts: list[str]


class ReasonRow(TypedDict):
    """A row against a code: what it would have shown, and how many marks are off."""

    turn: int
    shown: str
    off: int


class ReasonAnswer(TypedDict):
    """A reason against a code: a row, a fact, or that it is no secret of the game."""

    kind: str
    text: str
    turn: NotRequired[int]
    board: NotRequired[int]


class BoardVerdict(TypedDict):
    """Whether a code is a candidate of one of several boards, and why not."""

    board: int
    code: str
    candidate: bool
    because: list[int]
    because_facts: list[str]


class ConflictsAnswer(TypedDict):
    """Smallest sets of turns and facts that contradict each other; [] if all can be right."""

    consistent: bool
    conflict: list[int]
    conflict_facts: list[str]
    reason: str
    conflicts: NotRequired[list[ConflictAnswer]]


class CertainFact(TypedDict):
    """What all candidates have in common, and the turns and facts that prove it."""

    text: str
    symbol: str
    position: NotRequired[int]
    count: NotRequired[int]
    at_least: NotRequired[bool]
    board: NotRequired[int]
    turns: list[int]
    facts: list[str]


class CertainAnswer(TypedDict):
    """All that is certain."""

    certain: list[CertainFact]
    exact: NotRequired[bool]


class SuspectAnswer(TypedDict):
    """A turn, the probability that it is wrong, and whether it is named without a question."""

    turn: int
    probability: float
    named: bool


class SuspectsAnswer(TypedDict):
    """The turns that are likeliest to be wrong."""

    suspects: list[SuspectAnswer]


class RowText(TypedDict):
    """A turn with its guess and its clue."""

    turn: int
    guess: str
    clue: str


_SecondRow = TypedDict("_SecondRow", {"with": NotRequired[RowText]})


class RepairAnswer(RowText, _SecondRow):
    """A changed turn after which something fits; `with` is a second changed turn.

    With several boards, `board` (from 1) is the one on which something fits.
    """

    board: NotRequired[int]
    candidates: int | None
    kind: str
    probability: float


class RepairsAnswer(TypedDict):
    """Changes after which something fits, the likeliest first."""

    repairs: list[RepairAnswer]


class ExplanationAnswer(ConflictsAnswer):
    """Contradictions, certainties, suspects and repairs."""

    certain: list[CertainFact] | None
    suspects: list[SuspectAnswer] | None
    repairs: list[RepairAnswer] | None
    assumed_misread: NotRequired[float]
    exact: NotRequired[bool]
    wider: NotRequired[Wider]


class WhyAnswer(ExplanationAnswer):
    """Whether a code is a candidate, and which rows and facts are against it."""

    code: str
    candidate: bool
    because: list[int]
    because_facts: list[str]
    because_rows: list[ReasonRow]
    why: list[ReasonAnswer]
    boards: NotRequired[list[BoardVerdict]]


class ReviewedRow(RowText):
    """A turn: bits expected and told, the best guess and its bits, candidates left."""

    expected: float
    told: float | None
    best: str
    most: float
    left: int | None
    exact: bool


class ReviewAnswer(TypedDict):
    """How good each guess was; `skill` (0 to 1) and `luck` (bits) of the whole game."""

    turns: list[ReviewedRow]
    skill: float | None
    luck: float | None
    contradiction: str | None
    wider: NotRequired[Wider]


class ChangedItems(TypedDict):
    """The number of rows and facts, and the HTML of those that changed, by place (from 0)."""

    length: int
    changed: list[tuple[int, str]]


class Event(TypedDict):
    """The data of an event `state`: what changed on the board since the last event.

    `news` are pairs of a version and what its change did. All texts in `fragments`, `items` and
    `news` are HTML for the board's page.
    """

    version: int
    pending: bool
    people: list[str]
    guests: int
    news: list[tuple[int, str]]
    fragments: dict[str, str]
    items: ChangedItems


class HypothesisAnswer(TypedDict):
    """What unexplained marks may mean: a rule, and a meaning of each mark, with a probability."""

    rule: str
    options: dict[str, str]
    shown: str
    reversed: bool
    legend: dict[str, str]
    probability: float


class LegendGuess(TypedDict):
    """A guess with its bits on meaning and secret, and the probability that it is the secret."""

    guess: str
    value: float
    probability: float


class LegendAnswer(TypedDict):
    """What marks mean that nobody explained, and what follows from it."""

    hypotheses: list[HypothesisAnswer]
    candidates: list[Chance]
    suggestions: list[LegendGuess]
    exact: bool


def answered_with(form: Any) -> dict[int | str, dict[str, Any]]:
    """Return the description of a response with an answer of a form."""
    return {200: {"model": form}}
