"""Changes: everything that can be done to a session, as frozen values.

Typed lines, buttons of a page, HTTP requests and methods of `Session` all make these values.
`timeline` applies them, `rebase` moves them onto a newer history, `codec` writes them as JSON.
Rows are turns, numbered from 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from annotated_types import Interval

from puzzlehunt.game.history import Fact, History, Turn


@dataclass(frozen=True, slots=True)
class InNotation:
    """Marks a field that JSON holds as text, in the game's notation for some `kind` of value.

    pydantic takes the schema from the marker, by the function that `codec` sets.
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
    """Merge turns into the history, as one step; `whole_log` says that they are a whole log.

    A guess that is on the board is completed or replaced, as `game.merging.merge` says.
    """

    turns: tuple[Annotated[Turn, TURN], ...]
    whole_log: bool = False
    kind: Literal["record_turns"] = "record_turns"


@dataclass(frozen=True, slots=True)
class AddMarks:
    """Complete a row: `turn` is its guess with all marks that were read of it by now."""

    row: RowNumber
    turn: Annotated[Turn, TURN]
    kind: Literal["add_marks"] = "add_marks"


@dataclass(frozen=True, slots=True)
class EditRows:
    """Replace rows by other turns, as one step: pairs of a row's number and its new turn.

    A row whose guess is now that of another row is merged into that one.
    """

    rows: tuple[tuple[RowNumber, Annotated[Turn, TURN]], ...]
    kind: Literal["edit_rows"] = "edit_rows"


@dataclass(frozen=True, slots=True)
class DropRow:
    """Remove a row."""

    row: RowNumber
    kind: Literal["drop_row"] = "drop_row"


@dataclass(frozen=True, slots=True)
class SetDoubt:
    """Set the probability (0 to 1) that a row is wrong; 0 trusts it."""

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
    """Replace all turns and facts, as one step."""

    history: Annotated[History, HISTORY]
    kind: Literal["replace_history"] = "replace_history"


@dataclass(frozen=True, slots=True)
class Clear:
    """Remove all turns and facts, as one step."""

    kind: Literal["clear"] = "clear"


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo the newest steps: `steps` of them, or all if there are fewer."""

    steps: Steps = 1
    kind: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class Redo:
    """Redo the steps undone last: `steps` of them, or all if there are fewer."""

    steps: Steps = 1
    kind: Literal["redo"] = "redo"


@dataclass(frozen=True, slots=True)
class SetStrategy:
    """Pick guesses by the strategy of a name; no step of undo."""

    name: str
    kind: Literal["set_strategy"] = "set_strategy"


@dataclass(frozen=True, slots=True)
class SetReadRates:
    """Change how often marks are read, as in `black=0.1,white=0.13` or `learn`; no step of undo."""

    rates: str
    kind: Literal["set_read_rates"] = "set_read_rates"


@dataclass(frozen=True, slots=True)
class SetWordList:
    """Take the secrets from another word list: its name, or the path of a file; no step of undo."""

    name: str
    kind: Literal["set_word_list"] = "set_word_list"


HistoryChange: TypeAlias = (
    RecordTurns | AddMarks | EditRows | DropRow | SetDoubt | AddFact | ReplaceHistory | Clear
)
"""A change of turns and facts, which is one step of undo."""
SettingsChange: TypeAlias = SetStrategy | SetReadRates | SetWordList
"""A change of the game's settings, which undo does not touch."""
Change: TypeAlias = HistoryChange | Undo | Redo | SettingsChange
