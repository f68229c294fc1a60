"""Changes: every action on a session, as frozen values.

Typed lines, buttons of a page, HTTP requests and methods of `Session` all make these values.
`timeline` applies them, `rebase` moves them onto a newer history, and `codec` converts them to
JSON. Rows are turns, numbered from 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from annotated_types import Interval

from puzzlehunt.game.history import Fact, History, Turn


@dataclass(frozen=True, slots=True)
class InNotation:
    """Marks a field that JSON holds as text in the game's notation; `kind` says what the text is.

    pydantic gets the field's schema from this marker, through the function that `codec` sets.
    """

    kind: str
    schema_of: ClassVar[Callable[[str], object]]

    def __get_pydantic_core_schema__(self, _source: object, _handler: object) -> object:
        return type(self).schema_of(self.kind)


TURN, FACT, GUESS, SECRET, HISTORY = map(InNotation, ("turn", "fact", "guess", "secret", "history"))
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
