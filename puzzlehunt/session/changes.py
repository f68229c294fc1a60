"""Changes and questions: all that can be done and asked, as frozen values.

Typed lines, buttons of a page, HTTP requests and programs all make these values. `timeline` applies
changes, and `dump` and `load_change` convert them to and from JSON: each is an object with its
`kind` and its fields, in which turns, facts and codes are texts in the game's notation. Rows are
turns, numbered from 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

from annotated_types import Interval

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game import facts
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Item, Turn
from puzzlehunt.game.turn_notation import format_row

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Json: TypeAlias = dict[str, Any]
_LONGEST = 2_000
"""Greatest length of the text of a turn or a fact (characters)."""
_MOST_ITEMS = 1_000
"""A history has at most this many turns and facts."""


@dataclass(frozen=True, slots=True)
class InNotation:
    """Marks a field that JSON holds as text in the game's notation, or as a list of such texts.

    pydantic gets the field's schema from it; the game is the context of the validation.
    """

    read: Callable[[Game, Any], Any]
    write: Callable[[Game, Any], Any]
    is_list: bool = False

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> object:
        from pydantic_core import core_schema

        text = core_schema.str_schema(max_length=_LONGEST)
        return core_schema.with_info_after_validator_function(
            lambda written, info: self.read(info.context, written),
            core_schema.list_schema(text, max_length=_MOST_ITEMS) if self.is_list else text,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value, info: self.write(info.context, value), info_arg=True
            ),
        )


def format_item(game: Game, item: Item) -> str:
    """Return an item as a line, as `game.as_item` reads it."""
    return facts.FACT + item.text if isinstance(item, Fact) else format_row(game, item)


TURN = InNotation(Game.parse_turn, format_row)
FACT = InNotation(Game.parse_fact, lambda _, fact: fact.text)
HISTORY = InNotation(
    lambda game, lines: History(tuple(map(game.as_item, lines))),
    lambda game, history: [format_item(game, item) for item in history],
    is_list=True,
)
RowNumber: TypeAlias = Annotated[int, Interval(ge=1, le=1_000_000)]
Steps: TypeAlias = Annotated[int, Interval(ge=1, le=10_000_000)]
Chance: TypeAlias = Annotated[float, Interval(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class RecordTurns:
    """Merge turns into the history, as one step of undo.

    A guess that is already on the board completes or replaces its row, as `game.merging.merge`
    says. `whole_log` means that the turns are a whole log, which may repeat known rows.
    """

    turns: tuple[Annotated[Turn, TURN], ...]
    whole_log: bool = False
    kind: Literal["record_turns"] = "record_turns"


@dataclass(frozen=True, slots=True)
class AddMarks:
    """Complete a row: `turn` has its guess, and all marks of it that were read so far."""

    row: RowNumber
    turn: Annotated[Turn, TURN]
    kind: Literal["add_marks"] = "add_marks"


@dataclass(frozen=True, slots=True)
class EditRows:
    """Replace rows by other turns, as one step of undo; `rows` are pairs (row number, new turn).

    A row whose new guess is also that of another row is merged with that row.
    """

    rows: tuple[tuple[RowNumber, Annotated[Turn, TURN]], ...]
    kind: Literal["edit_rows"] = "edit_rows"


@dataclass(frozen=True, slots=True)
class DropRow:
    """Remove the row with this number."""

    row: RowNumber
    kind: Literal["drop_row"] = "drop_row"


@dataclass(frozen=True, slots=True)
class SetDoubt:
    """Set the probability (0 to 1) that a row is wrong; 0 means that the row is trusted."""

    row: RowNumber
    chance: Chance
    kind: Literal["set_doubt"] = "set_doubt"


@dataclass(frozen=True, slots=True)
class AddFact:
    """Add a fact about the secret at the end of the history."""

    fact: Annotated[Fact, FACT]
    kind: Literal["add_fact"] = "add_fact"


@dataclass(frozen=True, slots=True)
class ReplaceHistory:
    """Replace all turns and facts, as one step of undo."""

    history: Annotated[History, HISTORY]
    kind: Literal["replace_history"] = "replace_history"


@dataclass(frozen=True, slots=True)
class Clear:
    """Remove all turns and facts, as one step of undo."""

    kind: Literal["clear"] = "clear"


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo the newest `steps` steps, or all if there are fewer."""

    steps: Steps = 1
    kind: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class Redo:
    """Redo the last `steps` undone steps, or all if there are fewer."""

    steps: Steps = 1
    kind: Literal["redo"] = "redo"


@dataclass(frozen=True, slots=True)
class SetStrategy:
    """Choose guesses by the strategy with this name; undo does not affect it."""

    name: str
    kind: Literal["set_strategy"] = "set_strategy"


@dataclass(frozen=True, slots=True)
class SetReadRates:
    """Set how often marks are read: `black=0.1,white=0.13` or `learn`; undo does not affect it."""

    rates: str
    kind: Literal["set_read_rates"] = "set_read_rates"


@dataclass(frozen=True, slots=True)
class SetWordList:
    """Take the secrets from another word list (a name or a path); undo does not affect it."""

    name: str
    kind: Literal["set_word_list"] = "set_word_list"


HistoryChange: TypeAlias = (
    RecordTurns | AddMarks | EditRows | DropRow | SetDoubt | AddFact | ReplaceHistory | Clear
)
"""A change of turns and facts, which is one step of undo."""
SettingsChange: TypeAlias = SetStrategy | SetReadRates | SetWordList
"""A change of the game's settings, which undo does not affect."""
Change: TypeAlias = HistoryChange | Undo | Redo | SettingsChange


def dump(game: Game, change: Change) -> Json:
    """Return a change as JSON; `load_change` reads it back."""
    written: Json = change_adapter().dump_python(change, mode="json", context=game)
    return written


def load_change(game: Game, written: object) -> Change:
    """Return the change that a JSON value describes.

    Raises PuzzlehuntError if the value describes no change, and the errors of `Game.parse_turn` and
    `parse_fact` for texts that the game cannot read.
    """
    from pydantic import ValidationError

    try:
        return change_adapter().validate_python(written, context=game)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        raise PuzzlehuntError(": ".join(filter(None, (path, first["msg"])))) from None


@cache
def change_adapter() -> "TypeAdapter[Change]":
    """Return what validates changes as JSON, writes them, and knows their schema."""
    from pydantic import ConfigDict, Field, TypeAdapter

    for kind in get_args(Change):
        kind.__pydantic_config__ = ConfigDict(extra="forbid")
    return TypeAdapter(Annotated[Change, Field(discriminator="kind")])


# Questions.

QuestionKind: TypeAlias = Literal[
    "status", "count", "suggest", "try", "candidates", "why", "certain", "conflicts", "repairs",
    "suspects", "unread", "review", "explain", "rates", "legend", "export",
]  # fmt: skip
"""What can be asked: where the game stands, with (`status`) and without (`count`) the next guess;
the best guesses; what a guess is worth; what is possible; why a code is out; what all candidates
have in common; rows that contradict each other; changes that mend them; rows that are likely wrong;
which mark to read next; how good the guesses were; all that explains the rows; how often marks are
read; what marks mean; an SMT-LIB script."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the rows.

    `number` is how many answers are listed (None: the usual number), `seconds` the time that a
    review may take (None: any). `code` is the guess to `try`, or the secret that a why is about, on
    one `board` (from 0) or, if that is None, on each.
    """

    kind: QuestionKind
    number: int | None = None
    code: Code | None = None
    board: int | None = None
    seconds: float | None = None
