"""Changes and questions as JSON, the form in which they are stored and sent.

Each is an object with its `kind` and its fields. Turns, facts and codes are texts in the game's
notation. A history is a list of lines, in which facts are written `/fact ...`.
"""

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias, TypeVar, get_args

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.facts import FACT
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Item
from puzzlehunt.game.turn_notation import format_row
from puzzlehunt.session.changes import Change, InNotation
from puzzlehunt.session.questions import Question

Json: TypeAlias = dict[str, Any]
Value = TypeVar("Value")
_LONGEST = 2_000
"""Greatest length of the text of a turn, a fact or a code (characters)."""
_MOST_ITEMS = 1_000
"""A history has at most this many turns and facts."""


def dump(game: Game, value: Change | Question) -> Json:
    """Return a change or a question as JSON; `load_change` or `load_question` reads it back."""
    written: Json = _VALUES.dump_python(value, mode="json", context=game)
    return written


def load_change(game: Game, written: object) -> Change:
    """Return the change that a JSON value describes.

    Raises PuzzlehuntError if the value describes no change, and the errors of `Game.parse_turn`,
    `parse_fact` and `parse_guess` for texts that the game cannot read.
    """
    return _load(game, written, CHANGES)


def load_question(game: Game, written: object) -> Question:
    """Return the question that a JSON value describes. Raises the same errors as `load_change`."""
    return _load(game, written, QUESTIONS)


def _load(game: Game, written: object, adapter: TypeAdapter[Value]) -> Value:
    try:
        return adapter.validate_python(written, context=game)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        path = [str(part) for part in first["loc"]]
        raise PuzzlehuntError(": ".join(filter(None, (".".join(path), first["msg"])))) from None


def schema_of(kind: str) -> CoreSchema:
    """Return the pydantic schema of a field that holds a text in the notation of a game.

    The game is the context of the validation.
    """
    read, write = _NOTATIONS[kind]
    text = core_schema.str_schema(max_length=_LONGEST)
    lines = core_schema.list_schema(text, max_length=_MOST_ITEMS)
    return core_schema.with_info_after_validator_function(
        lambda written, info: read(info.context, written),
        lines if kind == "history" else text,
        serialization=core_schema.plain_serializer_function_ser_schema(
            lambda value, info: write(info.context, value), info_arg=True
        ),
    )


def _line_of(game: Game, item: Item) -> str:
    return FACT + item.text if isinstance(item, Fact) else format_row(game, item)


_NOTATIONS: dict[str, tuple[Callable[[Game, Any], Any], Callable[[Game, Any], Any]]] = {
    "turn": (Game.parse_turn, format_row),
    "fact": (Game.parse_fact, lambda _, fact: fact.text),
    "guess": (Game.as_guess, Game.format_code),
    "secret": (lambda game, text: game.one_board.parse_secret(text), Game.format_code),
    "history": (
        lambda game, lines: History(tuple(map(game.as_item, lines))),
        lambda game, history: [_line_of(game, item) for item in history],
    ),
}
"""How each kind of text is read, and how it is written."""
InNotation.schema_of = staticmethod(schema_of)
for _kind in (*get_args(Change), *get_args(Question)):
    _kind.__pydantic_config__ = ConfigDict(extra="forbid")
CHANGES: TypeAdapter[Change] = TypeAdapter(Annotated[Change, Field(discriminator="kind")])
QUESTIONS: TypeAdapter[Question] = TypeAdapter(Annotated[Question, Field(discriminator="kind")])
_VALUES: TypeAdapter[Change | Question] = TypeAdapter(
    Annotated[Change | Question, Field(discriminator="kind")]
)
