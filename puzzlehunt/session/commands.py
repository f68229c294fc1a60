"""The commands of a conversation, such as `/suggest` and `/why`: what each asks for.

`argument` is the text after the command's name.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from puzzlehunt.codes.alphabet import Alphabet
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
from puzzlehunt.game.lines import parse_doubt, with_text
from puzzlehunt.game.play import names_code
from puzzlehunt.session import changes, questions
from puzzlehunt.session.dialogue import PLAIN_COMMANDS, is_command, unknown_command
from puzzlehunt.session.outcomes import Helped, HistoryShown, Shared, TurnToEdit, Usage
from puzzlehunt.session.questions import LISTED_CANDIDATES, LISTED_GUESSES
from puzzlehunt.session.steps import (
    ExportTo,
    Leave,
    SaveAs,
    ShowStrategy,
    Situation,
    Step,
    TakeRepair,
    WidenList,
)
from puzzlehunt.strategies.registry import find_strategy

_LONGEST_REVIEW = 10
"""Longest time of a review that the player asks for (as a multiple of one suggestion's budget)."""


def parse_command(at: Situation, line: str) -> Sequence[Step]:
    """Return what a line `/NAME ...` asks for. Raises UnknownNameError for an unknown name."""
    name, argument = _split_command(line)
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS)
    return [*COMMANDS[name].parse(at, argument)]


def command_of(line: str, alphabet: Alphabet) -> tuple[str, str]:
    """Return the full name of the command that a line is, and its argument; two "" for no command.

    The name is that which is typed, in lower case, where there is no such command.
    """
    line = line.strip()
    return _split_command(line) if is_command(line, NAMES, alphabet) else ("", "")


def _split_command(line: str) -> tuple[str, str]:
    name, *argument = line[1:].split(maxsplit=1) or [""]
    return _full_name(name), "".join(argument).strip()


def _full_name(name: str) -> str:
    """Return the name of the command that a name or its short form means, in lower case."""
    return _SHORT_FORMS.get(name.casefold(), name.casefold())


def _candidates_limit(argument: str) -> int | None:
    return None if argument.casefold() == "all" else _number(argument, LISTED_CANDIDATES)


def _code_text(at: Situation, command: str, argument: str) -> str:
    """Return the text of the code that a command is about. Raises InvalidTurnError for none."""
    if not argument:
        asks_for_pair = command == "why" and at.game.boards < at.game.secrets_at_once
        first = next(iter(at.game.one_board.secrets))
        code = first if asks_for_pair or at.answered_guess is None else at.answered_guess
        raise InvalidTurnError(f"which code? e.g. /{command} {at.game.format_code(code)}")
    return argument


def _rates(at: Situation, argument: str) -> Iterator[Step]:
    if not argument:
        yield questions.ReadRates()
        return
    yield changes.SetReadRates(argument)
    yield questions.ReadRates()
    yield at.status


def _edit(at: Situation, argument: str) -> Iterator[Step]:
    """Yield the change of a turn: its clue, or guess and clue; without either, the turn."""
    row, text = _row_named(at, argument, "edit")
    if not text:
        yield TurnToEdit(row, at.history.turn(row))
        return
    yield row_edited(at.game, at.history, row, text)
    yield at.status


def row_edited(game: Game, history: History, row: int, text: str) -> changes.EditRows:
    """Return the change of a row (from 1) into the clue, or the guess and clue, of a text.

    Raises SessionError for a row that is not there, IllegalGuessError for a guess that the rows
    before it forbid, and what `Game.parse_turn` raises.
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
    """Yield the change that adds marks to a turn."""
    row, text = _row_named(at, argument, "add")
    game, turn = at.game, at.history.turn(row)
    if not text:
        mark = game.rule.named_marks()[0][0]
        raise InvalidTurnError(f"which mark? /add ROW MARK, e.g. /add {row} {mark}")
    clue = game.rule.add_marks(turn.clue, text, turn.guess)
    clue = game.parse_clue(game.rule.format(clue), turn.guess)
    yield changes.AddMarks(row, with_text(game, replace(turn, clue=clue)))
    yield at.status


def _doubt(at: Situation, argument: str) -> Iterator[Step]:
    """Yield the doubt of a turn, by a chance such as 20% where one is given, or its end."""
    row, text = _row_named(at, argument, "doubt")
    chance = parse_doubt(text.lstrip(" ?")) if text.strip(" ?") else None
    yield changes.SetDoubt(row, at.history.doubt_after(row, chance))
    yield at.status


def _strategy(_at: Situation, argument: str) -> Iterator[Step]:
    if not argument:
        yield ShowStrategy()
        return
    if names_code(argument):
        raise UnknownNameError(f"code is only loaded at the start, from --strategy {argument}")
    find_strategy(argument)
    yield changes.SetStrategy(argument)


def _help(_at: Situation, argument: str) -> Iterator[Step]:
    name = _full_name(argument.lstrip("/"))
    if argument and name in COMMANDS:
        yield Helped("command", (COMMANDS[name].usage,))
        return
    yield Helped("conversation", tuple(command.usage for command in COMMANDS.values()))


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its usage, and what it asks for in a situation with an argument."""

    usage: Usage
    parse: Callable[[Situation, str], Iterable[Step]]


COMMANDS = {
    "suggest": Command(
        Usage("suggest [N]", "the best guesses"),
        lambda _, number: [questions.Suggest(_number(number, LISTED_GUESSES))],
    ),
    "candidates": Command(
        Usage("candidates [N|all]", "what is possible"),
        lambda _, limit: [questions.Candidates(_candidates_limit(limit))],
    ),
    "why": Command(
        Usage("why CODE", "what rules it out"),
        lambda at, code: [questions.Why(*parse_question(at.game, _code_text(at, "why", code)))],
    ),
    "certain": Command(Usage("certain", "what is decided"), lambda *_: [questions.Certain()]),
    "try": Command(
        Usage("try CODE", "what it is worth"),
        lambda at, code: [
            questions.Rate(at.game.parse_guess(_code_text(at, "try", code)), at.status.coach)
        ],
    ),
    "review": Command(
        Usage("review", "how good you were"),
        lambda at, _: [questions.ReviewGuesses(_LONGEST_REVIEW * at.game.play.budget)],
    ),
    "share": Command(Usage("share", "a text for others"), lambda at, _: [Shared(at.history)]),
    "conflicts": Command(
        Usage("conflicts [N]", "rows at odds"),
        lambda _, limit: [questions.Conflicts(_number(limit, LISTED_GUESSES))],
    ),
    "next": Command(
        Usage("next [N]", "mark to solve next"),
        lambda _, limit: [questions.Unread(_number(limit, LISTED_GUESSES))],
    ),
    "suspect": Command(Usage("suspect", "rows to doubt"), lambda *_: [questions.Suspects()]),
    "rates": Command(Usage("rates [B=0.1 ...]", "how marks are read"), _rates),
    "history": Command(Usage("history", "all rows"), lambda at, _: [HistoryShown(at.history)]),
    "edit": Command(Usage("edit ROW [CLUE]", "change a row"), _edit),
    "add": Command(Usage("add ROW MARK", "a mark more"), _add),
    "repair": Command(Usage("repair [N]", "mend a wrong row"), lambda _, text: [TakeRepair(text)]),
    "drop": Command(
        Usage("drop ROW", "take a row out"),
        lambda at, row: [changes.DropRow(_row_named(at, row, "drop")[0]), at.status],
    ),
    "doubt": Command(Usage("doubt ROW [20%]", "it may be wrong"), _doubt),
    "fact": Command(
        Usage("fact H____", "contains E, no Q"),
        lambda at, fact: [changes.AddFact(at.game.parse_fact(fact)), at.status],
    ),
    "undo": Command(
        Usage("undo [N]", "take it back"),
        lambda at, steps: [changes.Undo(_number(steps, 1)), at.status],
    ),
    "redo": Command(
        Usage("redo [N]", "undo the undo"),
        lambda at, steps: [changes.Redo(_number(steps, 1)), at.status],
    ),
    "widen": Command(
        Usage("widen [LIST]", "a wider word list"),
        lambda at, name: [changes.SetWordList(name) if name else WidenList(), at.status],
    ),
    "strategy": Command(Usage("strategy [NAME]", "how to guess"), _strategy),
    "save": Command(
        Usage("save [FILE]", "keep it in a file"),
        lambda _, file: [SaveAs(_path(file) if file else None)],
    ),
    "new": Command(Usage("new", "start anew"), lambda at, _: [changes.Clear(), at.status]),
    "export": Command(
        Usage("export [FILE]", "SMT-LIB script"),
        lambda _, file: [ExportTo(file, _path(file)) if file else questions.Export()],
    ),
    "help": Command(Usage("help [COMMAND]", "this; also help, ?"), _help),
    "quit": Command(Usage("quit", "leave; also exit"), lambda *_: [Leave()]),
}
_SHORT_FORMS = {
    "s": "suggest", "c": "candidates", "w": "why", "u": "undo", "e": "edit", "h": "help",
    "q": "quit", **PLAIN_COMMANDS,
}  # fmt: skip
NAMES = frozenset([*COMMANDS, *_SHORT_FORMS])
"""The names and short forms of all commands."""
NAMES_WITHOUT_SLASH = frozenset([*COMMANDS, *PLAIN_COMMANDS])
"""Words that are taken for a command whose slash is missing."""


def _number(text: str, default: int) -> int:
    """Return the number, 1 or more, that a text writes; for an empty text, the default."""
    if not text:
        return default
    if not (text.isdecimal() and len(text) < 8 and int(text) > 0):
        raise InvalidTurnError(f"{text!r}: expected a number above 0")
    return int(text)


def _path(text: str) -> Path:
    """Return the path that a player writes, where `~` is the home folder."""
    path = path_written(text)
    if len(path.parts) > 1 and path.parts[0].startswith("~"):
        raise SessionError(f"{text}: there is no such home folder")
    return path


def _row_named(at: Situation, argument: str, command: str) -> tuple[int, str]:
    """Return the number of the turn that an argument begins with, and the rest of the argument.

    A turn is named by its number or by its guess. Raises InvalidTurnError where none is named, or
    two have the guess, and SessionError where there is no such turn.
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
        guess = at.game.parse_guess(name)
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
