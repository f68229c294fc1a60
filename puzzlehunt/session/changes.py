"""Changes and questions: all that can be done and asked, as frozen values.

Lines, buttons, requests and programs make these values. `apply` makes a change of the newest
history; `rebase` first translates a change of an older history into one of the newest. `dump` and
`load_change` convert changes to and from JSON: each is an object with its `kind` and its fields;
turns, facts and codes are texts in the game's notation, rows are numbered from 1.

>>> from puzzlehunt import changes
>>> session = puzzlehunt.Session("4x6")
>>> _ = session.apply(changes.RecordTurns((session.game.turn("AABB 1b"),)))
>>> len(session.history), changes.dump(session.game, changes.Undo())
(1, {'steps': 1, 'kind': 'undo'})
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args

from annotated_types import Interval

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import OvertakenError, PuzzlehuntError, SessionError
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import read_item, read_row
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn, number_of
from puzzlehunt.game.merging import Effect, MergeResult, RowEffect, agreed_clue, merge
from puzzlehunt.game.turn_notation import format_item, format_row, with_text

if TYPE_CHECKING:
    from pydantic import TypeAdapter

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


TURN = InNotation(read_row, format_row)
FACT = InNotation(Game.parse_fact, lambda _, fact: fact.text)
HISTORY = InNotation(
    lambda game, lines: History(tuple(read_item(game, line) for line in lines)),
    lambda game, history: [format_item(game, item) for item in history],
    is_list=True,
)
RowNumber: TypeAlias = Annotated[int, Interval(ge=1, le=1_000_000)]
Steps: TypeAlias = Annotated[int, Interval(ge=1, le=10_000_000)]


@dataclass(frozen=True, slots=True)
class RecordTurns:
    """Merge turns into the history.

    A guess that is already on the board completes or replaces its row, as `game.merging.merge`
    says. A `whole_log` may repeat known rows.
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
    """Replace rows by other turns; `rows` are pairs (row number, new turn).

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
    chance: Annotated[float, Interval(ge=0, le=1)]
    kind: Literal["set_doubt"] = "set_doubt"


@dataclass(frozen=True, slots=True)
class AddFact:
    """Add a fact about the secret at the end of the history."""

    fact: Annotated[Fact, FACT]
    kind: Literal["add_fact"] = "add_fact"


@dataclass(frozen=True, slots=True)
class ReplaceHistory:
    """Replace all turns and facts."""

    history: Annotated[History, HISTORY]
    kind: Literal["replace_history"] = "replace_history"


@dataclass(frozen=True, slots=True)
class Clear:
    """Remove all turns and facts."""

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
    | Undo | Redo
)  # fmt: skip
"""A change of turns and facts, which is one step of undo, or leads to another step."""
SettingsChange: TypeAlias = SetStrategy | SetReadRates | SetWordList
"""A change of the game's settings, which undo does not affect."""
Change: TypeAlias = HistoryChange | SettingsChange


# What changes do.


@dataclass(frozen=True, slots=True)
class Timeline:
    """Histories, each a step after the last, and the place (from 0) of the present one."""

    histories: tuple[History, ...]
    place: int = 0

    @classmethod
    def ending_in(cls, history: History) -> "Timeline":
        """Return a timeline that ends in a history, with each turn or fact as one step."""
        count = len(history.items)
        return cls(tuple(History(history.items[:n]) for n in range(count + 1)), count)

    @property
    def present(self) -> History:
        """The present history: undo returns to those before it, redo to those after it."""
        return self.histories[self.place]


def apply(game: Game, timeline: Timeline, change: HistoryChange) -> tuple[Timeline, MergeResult]:
    """Return the timeline after a change, and the effect on each row that the change names.

    The timeline itself if nothing is added. Raises SessionError if there is no such row or step.
    """
    history = timeline.present
    result = MergeResult(game, history)
    match change:
        case Undo(steps) | Redo(steps):
            place = timeline.place + (steps if isinstance(change, Redo) else -steps)
            later = replace(timeline, place=min(max(0, place), len(timeline.histories) - 1))
            if later == timeline:
                raise SessionError(f"nothing to {change.kind}")
            return later, MergeResult(game, later.present)
        case RecordTurns(turns, whole_log):
            result = merge(game, history, turns, whole_log)
        case EditRows(rows):
            for row, turn in rows:
                one = _edited(game, result.history, row, turn)
                result = MergeResult(game, one.history, result.placed + one.placed)
        case AddMarks(row, turn):
            kept = turn.note or history.turn(row).note
            result = _edited(game, history, row, replace(turn, note=kept), "completed")
        case DropRow(row):
            result = MergeResult(game, history.drop(row))
        case SetDoubt(row, chance):
            doubted = replace(history.turn(row), doubt=chance)
            result = MergeResult(game, history.replace(row, doubted))
        case AddFact(fact):
            result = MergeResult(game, history.add(fact))
        case ReplaceHistory():
            result = MergeResult(game, change.history)
        case Clear():
            result = MergeResult(game, History())
    if result.history != history:
        place = timeline.place + 1
        timeline = Timeline((*timeline.histories[:place], result.history), place)
    return timeline, result


def _edited(
    game: Game, history: History, row: int, turn: Turn, effect: Effect = "replaced"
) -> MergeResult:
    """Return a history with a row replaced.

    If another row has the same guess now, the two are merged. In a game whose codemaker may lie,
    only a later row is merged, and only if the clue of the replaced row is unread now.
    """
    others, old = history.drop(row), history.turn(row)
    if turn == old:
        return MergeResult(game, history, (RowEffect(row, turn, "known", old),))
    if number_of(others, turn.code) is not None and not game.channel.answers_anew:
        return merge(game, others, [turn])
    history = history.replace(row, turn)
    if meaning.is_unread(game, turn):
        history = merge(game, History(), history).history
    return MergeResult(game, history, (RowEffect(row, history.turn(row), effect, old),))


def rebase(game: Game, change: Change, seen: History, now: History) -> Change:
    """Return a change of the history `now` with the same meaning as `change` has for `seen`.

    Numbers of rows are updated. Raises OvertakenError if the row was changed in the meantime, if a
    turn would replace a row that its author has not seen, or if the whole history is replaced.
    """
    if seen == now:
        return change
    match change:
        case RecordTurns(turns, whole_log):
            unseen = {row for row, turn in enumerate(now.turns, start=1) if turn not in seen.turns}
            for one in merge(game, now, turns, whole_log).placed:
                if one.effect == "replaced" and one.row in unseen:
                    raise OvertakenError(one.row)
            return change
        case AddMarks():
            return _completed(game, change, seen, now)
        case EditRows(rows):
            return replace(change, rows=tuple((_moved(row, seen, now), turn) for row, turn in rows))
        case DropRow(row) | SetDoubt(row):
            return replace(change, row=_moved(row, seen, now))
        case Undo() | Redo() | ReplaceHistory() | Clear():
            raise OvertakenError
        case _:  # a fact or a setting
            return change


def _moved(row: int, seen: History, now: History) -> int:
    """Return the number in `now` of a row of `seen`. Raises OvertakenError."""
    turn = seen.turns[row - 1] if row <= len(seen.turns) else None
    if now.turns[row - 1 : row] == (turn,):
        return row
    if turn not in now.turns:
        raise OvertakenError(row, was_there=turn is not None)
    return now.turns.index(turn) + 1


def _completed(game: Game, change: AddMarks, seen: History, now: History) -> AddMarks:
    """Return marks of a row in `seen` together with those that others have read since."""
    try:
        return replace(change, row=_moved(change.row, seen, now))
    except OvertakenError:
        row = number_of(now, change.turn.code)
        clue = None if row is None else agreed_clue(game, now.turn(row), change.turn)
        if row is None or clue is None or game.channel.answers_anew:
            raise
        return AddMarks(row, with_text(game, replace(now.turn(row), clue=clue)))


# JSON.


def dump(game: Game, change: Change) -> dict[str, Any]:
    """Return a change as JSON; `load_change` reads it back."""
    written: dict[str, Any] = change_adapter().dump_python(change, mode="json", context=game)
    return written


def load_change(game: Game, written: object) -> Change:
    """Return the change that a JSON value describes.

    Raises PuzzlehuntError for any other value, and what `read_row` and `parse_fact` raise.
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
which mark to read next (`unread`); all that explains the rows (`explain`). `commands.USAGES` has
the purpose of the others."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the rows.

    `number` is how many answers are listed (None: the usual number), `seconds` the time that a
    review may take (None: any). `code` is the guess to `try`, or the secret that a why is about, on
    one `board` (from 0) or, if that is None, on each. `fact` is what listed candidates have.
    """

    kind: QuestionKind
    number: int | None = None
    code: Code | None = None
    board: int | None = None
    seconds: float | None = None
    fact: Fact | None = None
