"""The commands of a conversation, such as `/suggest` and `/why`, and the steps of each.

In this module `argument` is the text after the command's name.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.files import path_written
from puzzlehunt.errors import (
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    SessionError,
    UnknownNameError,
)
from puzzlehunt.explanation.why import parse_question
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.play import names_code
from puzzlehunt.game.turn_notation import parse_doubt, with_text
from puzzlehunt.session import changes, outcomes, steps
from puzzlehunt.session.changes import Question, QuestionKind
from puzzlehunt.session.dialogue import PLAIN_COMMANDS, is_command, unknown_command
from puzzlehunt.session.limits import LONGEST_LIST
from puzzlehunt.session.outcomes import Note, Usage
from puzzlehunt.session.steps import Situation, Step
from puzzlehunt.strategies.registry import find_strategy

_LONGEST_REVIEW = 10
"""Time limit of a review that the player asked for (as a multiple of `play.budget`)."""


def parse_command(at: Situation, line: str) -> Sequence[Step]:
    """Return the steps of a line `/NAME ...`. Raises UnknownNameError for an unknown name."""
    name, argument = _split_command(line)
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS)
    return [*COMMANDS[name].parse(at, argument)]


def command_of(line: str, alphabet: Alphabet) -> tuple[str, str]:
    """Return the full name (in lower case) and the argument of a line's command.

    The name of an unknown command is returned as typed. Both are "" if the line is not a command.
    """
    line = line.strip()
    return _split_command(line) if is_command(line, NAMES, alphabet) else ("", "")


def _split_command(line: str) -> tuple[str, str]:
    name, *argument = line[1:].split(maxsplit=1) or [""]
    return _full_name(name), "".join(argument).strip()


def _full_name(name: str) -> str:
    return _SHORT_FORMS.get(name.casefold(), name.casefold())


def _asked(kind: QuestionKind) -> Callable[[Situation, str], list[Step]]:
    """Return the parser of a question with a number, which may be left out."""
    return lambda _, number: [Question(kind, _number(number) if number else None)]


def _counted(kind: type[changes.Undo | changes.Redo]) -> Callable[[Situation, str], list[Step]]:
    return lambda at, steps: [kind(_number(steps)) if steps else kind(), at.status]


def _candidates(_at: Situation, limit: str) -> Iterator[Step]:
    if limit.casefold() == "all":
        yield Question("candidates", LONGEST_LIST)
    else:
        yield Question("candidates", _number(limit) if limit else None)


def _why(at: Situation, argument: str) -> Iterator[Step]:
    if not argument:
        raise _no_code(at, "why", at.answered_guess)
    code, board = parse_question(at.game, argument)
    yield Question("why", code=code, board=board)


def _try(at: Situation, argument: str) -> Iterator[Step]:
    if not argument:
        raise _no_code(at, "try", at.answered_guess)
    yield Question("try", code=at.game.parse_guess(argument))


def _no_code(at: Situation, command: str, example: Code | None) -> InvalidTurnError:
    code = next(iter(at.game.one_board.secrets)) if example is None else example
    return InvalidTurnError(f"which code? e.g. /{command} {at.game.format_code(code)}")


def _rates(at: Situation, argument: str) -> Iterator[Step]:
    if not argument:
        yield Question("rates")
        return
    yield changes.SetReadRates(argument)
    yield Question("rates")
    yield at.status


def _edit(at: Situation, argument: str) -> Iterator[Step]:
    row, text = _row_named(at, argument, "edit")
    if not text:
        yield Note(f"{row}. {at.game.format_turn(at.history.turn(row))}")
        yield Note(f"write /edit {row} CLUE, or /edit {row} GUESS CLUE", "note")
        return
    yield row_edited(at.game, at.history, row, text)
    yield at.status


def row_edited(game: Game, history: History, row: int, text: str) -> changes.EditRows:
    """Return a change that replaces row `row` (from 1) by what `text` says.

    `text` is a new clue for the row's guess, or a new guess with its clue. Raises SessionError if
    there is no such row, IllegalGuessError if the rows before it forbid the new guess, and the
    errors of `Game.parse_turn`.
    """
    old = history.turn(row)
    try:
        new = game.parse_turn(f"{game.format_code(old.guess)} {text}")
    except InvalidClueError:
        if len(text.split()) < 2:
            raise
        new = game.parse_turn(text)
    if new.guess != old.guess:
        game.check_guess(new.guess, History(history.turns[: row - 1]))
    return changes.EditRows(((row, new),))


def _add(at: Situation, argument: str) -> Iterator[Step]:
    row, text = _row_named(at, argument, "add")
    game, turn = at.game, at.history.turn(row)
    if not text:
        mark = game.rule.notation.named_marks()[0][0]
        raise InvalidTurnError(f"which mark? /add ROW MARK, e.g. /add {row} {mark}")
    added = game.rule.parse(text, turn.guess)
    clue = game.rule.notation.with_more(turn.clue, added)
    if clue is None:
        said = game.rule.notation.format(turn.clue)
        raise InvalidClueError(f"{text!r} contradicts the clue so far, {said}")
    clue = game.parse_clue(game.rule.notation.format(clue), turn.guess)
    yield changes.AddMarks(row, with_text(game, replace(turn, clue=clue)))
    yield at.status


def _drop(at: Situation, argument: str) -> list[Step]:
    row, more = _row_named(at, argument, "drop")
    if more:
        raise InvalidTurnError(f"one row at a time: /drop {row}, then /drop {more.split()[0]}")
    return [changes.DropRow(row), at.status]


def _doubt(at: Situation, argument: str) -> Iterator[Step]:
    row, text = _row_named(at, argument, "doubt")
    chance = parse_doubt(text.lstrip(" ?")) if text.strip(" ?") else None
    yield changes.SetDoubt(row, at.history.doubt_after(row, chance))
    yield at.status


def _strategy(_at: Situation, argument: str) -> Iterator[Step]:
    if not argument:
        yield steps.ShowStrategy()
        return
    if names_code(argument):
        raise UnknownNameError(f"code is only loaded at the start, from --strategy {argument}")
    find_strategy(argument)
    yield changes.SetStrategy(argument)


def _help(_at: Situation, argument: str) -> Iterator[Step]:
    name = _full_name(argument.lstrip("/"))
    if argument and name in COMMANDS:
        yield outcomes.Helped("command", (COMMANDS[name],))
        return
    yield outcomes.Helped("conversation", tuple(COMMANDS.values()))


@dataclass(frozen=True, slots=True)
class Command(Usage):
    """A command: its usage, and the function that parses its argument into steps."""

    parse: Callable[[Situation, str], Iterable[Step]]


_ALL = [
    Command("suggest [N]", "the best guesses", _asked("suggest")),
    Command("candidates [N|all]", "what is possible", _candidates),
    Command("why CODE", "what rules it out", _why),
    Command("certain", "what is decided", lambda *_: [Question("certain")]),
    Command("try CODE", "what it is worth", _try),
    Command(
        "review",
        "how good you were",
        lambda at, _: [Question("review", seconds=_LONGEST_REVIEW * at.game.play.budget)],
    ),
    Command("share", "a text for others", lambda at, _: [outcomes.Shared(at.history)]),
    Command("conflicts [N]", "rows at odds", _asked("conflicts")),
    Command("next [N]", "mark to solve next", _asked("unread")),
    Command("suspect", "rows to doubt", lambda *_: [Question("suspects")]),
    Command("legend", "what marks mean", lambda *_: [Question("legend")]),
    Command("rates [B=0.1 ...]", "how marks are read", _rates),
    Command("history", "all rows", lambda at, _: [at.history]),
    Command("edit ROW [CLUE]", "change a row", _edit),
    Command("add ROW MARK", "a mark more", _add),
    Command("repair [N]", "mend a wrong row", lambda _, text: [steps.TakeRepair(text)]),
    Command("drop ROW", "take a row out", _drop),
    Command("doubt ROW [20%]", "it may be wrong", _doubt),
    Command(
        "fact H____",
        "contains E, no Q",
        lambda at, fact: [changes.AddFact(at.game.parse_fact(fact)), at.status],
    ),
    Command("undo [N]", "take it back", _counted(changes.Undo)),
    Command("redo [N]", "undo the undo", _counted(changes.Redo)),
    Command(
        "widen [LIST]",
        "a wider word list",
        lambda at, name: [changes.SetWordList(name) if name else steps.WidenList(), at.status],
    ),
    Command("strategy [NAME]", "how to guess", _strategy),
    Command(
        "save [FILE]",
        "keep it in a file",
        lambda _, file: [steps.SaveAs(_path(file) if file else None)],
    ),
    Command("new", "start anew", lambda at, _: [changes.Clear(), at.status]),
    Command(
        "export [FILE]",
        "SMT-LIB script",
        lambda _, file: [steps.ExportTo(file, _path(file)) if file else Question("export")],
    ),
    Command("help [COMMAND]", "this; also help, ?", _help),
    Command("quit", "leave; also exit", lambda *_: [steps.Leave()]),
]
COMMANDS = {command.syntax.split()[0]: command for command in _ALL}
_SHORT_FORMS = {
    "s": "suggest", "c": "candidates", "w": "why", "u": "undo", "e": "edit", "h": "help",
    "q": "quit", **PLAIN_COMMANDS,
}  # fmt: skip
NAMES = frozenset([*COMMANDS, *_SHORT_FORMS])
"""The names and short forms of all commands."""
NAMES_WITHOUT_SLASH = frozenset([*COMMANDS, *PLAIN_COMMANDS])
"""Words that count as a command even without a slash."""


def _number(text: str) -> int:
    if not (text.isdecimal() and len(text) < 8 and int(text) > 0):
        raise InvalidTurnError(f"{text!r}: expected a number above 0")
    return int(text)


def _path(text: str) -> Path:
    path = path_written(text)
    if len(path.parts) > 1 and path.parts[0].startswith("~"):
        raise SessionError(f"{text}: there is no such home folder")
    return path


def _row_named(at: Situation, argument: str, command: str) -> tuple[int, str]:
    """Return the number of the turn that an argument begins with, and the rest of the argument.

    A turn is named by its number or by its guess. Raises InvalidTurnError for no name, for a guess
    of two turns and for a word that names none, SessionError for a number that is too large.
    """
    history = at.history
    name, _, rest = argument.partition(" ")
    last = len(history.turns)
    if not name:
        raise InvalidTurnError(f"which row? e.g. /{command} {last or 1}")
    number = int(name) if name.isdecimal() and len(name) < 8 else None
    if number is not None and 1 <= number <= last:
        return number, rest.strip()
    try:
        guess = at.game.as_guess(name)
    except InvalidCodeError:
        guess = None
    numbers = [n for n, turn in enumerate(history.turns, start=1) if turn.guess == guess]
    if len(numbers) == 1:
        return numbers[0], rest.strip()
    if numbers:
        which = " and ".join(map(str, numbers))
        raise InvalidTurnError(
            f"{name.upper()} is in rows {which}: which? e.g. /{command} {numbers[-1]}"
        )
    if number is not None:
        history.turn(number)
    raise InvalidTurnError(f"{name}: no row has this number or guess; /history lists them")
