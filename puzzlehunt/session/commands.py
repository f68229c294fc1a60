"""The commands of a conversation, such as `/suggest` and `/why`, and what each requests.

In this module `argument` is the text after the command's name.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.codes.files import path_written
from puzzlehunt.errors import (
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    SessionError,
    UnknownNameError,
    did_you_mean,
)
from puzzlehunt.explanation.why import parse_question
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.play import names_code
from puzzlehunt.game.tables import Heading
from puzzlehunt.game.turn_notation import parse_doubt, tried, with_text
from puzzlehunt.session import changes, outcomes
from puzzlehunt.session.changes import Change, Question, QuestionKind
from puzzlehunt.session.limits import LONGEST_LIST
from puzzlehunt.session.outcomes import Note, Outcome, Usage
from puzzlehunt.strategies.registry import find_strategy

_LONGEST_REVIEW = 10
"""Time limit of a review that the player asked for (as a multiple of `play.budget`)."""
_STATUS = Question("status")


@dataclass(frozen=True, slots=True)
class Situation:
    """The context in which a line is parsed: the game, and what was typed and suggested before.

    `pending` is the turn of a guess that waits for its clue. `heading` is the heading of the table
    whose rows are typed one by one. `status` is the question that is asked after a change. `alone`
    means that no other line follows, so that a heading without rows is an error. `refused` means
    that the line before was refused, so that a clue alone may be about its guess.
    """

    game: Game
    history: History
    pending: Turn | None = None
    suggested: Code | None = None
    heading: Heading | None = None
    status: Question = _STATUS
    alone: bool = False
    refused: bool = False

    @property
    def answered_guess(self) -> Code | None:
        """The guess that a clue alone answers: the pending one, or else the suggested one."""
        answered = self.suggested if self.pending is None else self.pending.guess
        return None if self.refused else answered


@dataclass(frozen=True, slots=True)
class Local:
    """What only a conversation does, itself or with an engine.

    `stand`: let the guess of a turn wait for its clue; `heading`: read rows below it (None: no
    longer); `save`: in a file (None: in its own); `export`: a script to a file; `quit`; `repair`:
    apply one by its number ("": list them); `widen`: take the next wider word list.
    """

    name: Literal["stand", "heading", "save", "export", "quit", "repair", "widen"]
    value: object = None


Step: TypeAlias = Outcome | Change | Question | Local
"""One thing that a line requests; an outcome among them is a note, shown as it is."""


def needs_engine(step: Step) -> bool:
    """Return whether a step needs an engine; the status does not, since it can be skipped."""
    if isinstance(step, Question):
        return step.kind not in ("status", "count")
    return isinstance(step, Local) and step.name in ("repair", "widen")


# Names.


def parse_command(at: Situation, line: str) -> Sequence[Step]:
    """Return the steps of a line `/NAME ...`. Raises UnknownNameError for an unknown name."""
    name, argument = _split_command(line)
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS)
    steps = [*COMMANDS[name].parse(at, argument)]
    is_change = any(isinstance(step, Change) or step == Local("widen") for step in steps)
    return [*steps, at.status] if is_change else steps


def command_of(line: str, alphabet: Alphabet) -> tuple[str, str]:
    """Return the full name (in lower case) and the argument of a line's command.

    The name of an unknown command is returned as typed. Both are "" if the line is not a command.
    """
    line = line.strip()
    return _split_command(line) if is_command(line, NAMES, alphabet) else ("", "")


def _split_command(line: str) -> tuple[str, str]:
    name, *argument = line[1:].split(maxsplit=1) or [""]
    return _SHORT_FORMS.get(name.casefold(), name.casefold()), "".join(argument).strip()


def is_command(line: str, names: Container[str], alphabet: Alphabet) -> bool:
    """Return whether a line is a command; `names` are all commands and their short forms.

    A command begins with a slash. If the slash is also a symbol of the game, one of `names` must
    follow it.
    """
    name = "".join(line[1:].split(maxsplit=1)[:1]).casefold()
    return line.startswith("/") and (name in names or alphabet.number("/") is None)


PLAIN_COMMANDS = {"help": "help", "?": "help", "quit": "quit", "exit": "quit"}
"""Words that need no slash, each with the command that it means."""


def plain_command(word: str, game: Game) -> str | None:
    """Return the command that a word without a slash means; None if the word could be a guess."""
    name = PLAIN_COMMANDS.get(word.casefold())
    if name is None:
        return None
    try:
        guess = game.parse_guess(word)
    except InvalidCodeError:
        return name
    return name if FOREIGN in guess else None


def unknown_command(name: str, names: Iterable[str]) -> UnknownNameError:
    """Return the error for an unknown command; its message proposes the nearest of `names`."""
    near = did_you_mean(name, names)
    hint = near.replace("you mean ", "you mean /") if "you mean" in near else "; /help lists them"
    return UnknownNameError(f"no command /{name}{hint}")


# Arguments.


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
    of two turns and for a word that names none.
    """
    name, _, rest = argument.partition(" ")
    turns = at.history.turns
    if not name:
        raise InvalidTurnError(f"which row? e.g. /{command} {len(turns) or 1}")
    rows = [number for number in range(1, len(turns) + 1) if str(number) == name]
    if not rows and (guess := tried(at.game.as_guess, name)) is not None:
        rows = [number for number, turn in enumerate(turns, start=1) if turn.guess == guess]
    if not rows:
        raise InvalidTurnError(f"{name}: no row has this number or guess; /history lists them")
    if len(rows) > 1:
        which = f"in rows {' and '.join(map(str, rows))}: which?"
        raise InvalidTurnError(f"{name.upper()} is {which} e.g. /{command} {rows[-1]}")
    return rows[0], rest.strip()


def _code(at: Situation, command: str, argument: str) -> str:
    """Return an argument that is a code. Raises InvalidTurnError, with an example, if none is."""
    if argument:
        return argument
    code = at.answered_guess or next(iter(at.game.one_board.secrets))
    raise InvalidTurnError(f"which code? e.g. /{command} {at.game.format_code(code)}")


# What each command requests.


def _asked(kind: QuestionKind) -> "Parser":
    """Return the parser of a question with a number, which may be left out."""
    return lambda _, number: [Question(kind, _number(number) if number else None)]


def _candidates(_at: Situation, argument: str) -> list[Step]:
    number = str(LONGEST_LIST) if argument.casefold() == "all" else argument
    return [Question("candidates", _number(number) if number else None)]


def _why(at: Situation, argument: str) -> list[Step]:
    code, board = parse_question(at.game, _code(at, "why", argument))
    return [Question("why", code=code, board=board)]


def _try(at: Situation, argument: str) -> list[Step]:
    return [Question("try", code=at.game.parse_guess(_code(at, "try", argument)))]


def _review(at: Situation, _argument: str) -> list[Step]:
    return [Question("review", seconds=_LONGEST_REVIEW * at.game.play.budget)]


def _rates(_at: Situation, argument: str) -> list[Step]:
    asked = Question("rates")
    return [changes.SetReadRates(argument), asked] if argument else [asked]


def _edit(at: Situation, argument: str) -> list[Step]:
    row, text = _row_named(at, argument, "edit")
    if text:
        return [row_edited(at.game, at.history, row, text)]
    return [
        Note(f"{row}. {at.game.format_turn(at.history.turn(row))}"),
        Note(f"write /edit {row} CLUE, or /edit {row} GUESS CLUE", "note"),
    ]


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


def _add(at: Situation, argument: str) -> list[Step]:
    row, text = _row_named(at, argument, "add")
    game, turn = at.game, at.history.turn(row)
    notation = game.rule.notation
    if not text:
        mark = notation.named_marks()[0][0]
        raise InvalidTurnError(f"which mark? /add ROW MARK, e.g. /add {row} {mark}")
    clue = notation.with_more(turn.clue, game.rule.parse(text, turn.guess))
    if clue is None:
        said = notation.format(turn.clue)
        raise InvalidClueError(f"{text!r} contradicts the clue so far, {said}")
    clue = game.parse_clue(notation.format(clue), turn.guess)
    return [changes.AddMarks(row, with_text(game, replace(turn, clue=clue)))]


def _drop(at: Situation, argument: str) -> list[Step]:
    row, more = _row_named(at, argument, "drop")
    if more:
        raise InvalidTurnError(f"one row at a time: /drop {row}, then /drop {more.split()[0]}")
    return [changes.DropRow(row)]


def _doubt(at: Situation, argument: str) -> list[Step]:
    row, text = _row_named(at, argument, "doubt")
    chance = parse_doubt(text.lstrip(" ?")) if text.strip(" ?") else None
    return [changes.SetDoubt(row, at.history.doubt(row, chance).turn(row).doubt)]


def _back(kind: type[changes.Undo | changes.Redo]) -> "Parser":
    return lambda _, steps: [kind(_number(steps)) if steps else kind()]


def _strategy(at: Situation, argument: str) -> list[Step]:
    if not argument:
        return [Note(at.game.play.strategy_name)]
    if names_code(argument):
        raise UnknownNameError(f"code is only loaded at the start, from --strategy {argument}")
    find_strategy(argument)
    return [changes.SetStrategy(argument)]


def _export(_at: Situation, argument: str) -> list[Step]:
    return [Local("export", _path(argument)) if argument else Question("export")]


def _help(_at: Situation, argument: str) -> list[Step]:
    name, _ = _split_command(f"/{argument.lstrip('/')}")
    if argument and name in COMMANDS:
        return [outcomes.Helped("command", (COMMANDS[name],))]
    return [outcomes.Helped("conversation", tuple(COMMANDS.values()))]


Parser: TypeAlias = Callable[[Situation, str], list[Step]]


@dataclass(frozen=True, slots=True)
class Command(Usage):
    """A command: its usage, and the function that parses its argument into steps.

    A change is followed by the status.
    """

    parse: Parser


_ALL = [
    Command("suggest [N]", "the best guesses", _asked("suggest")),
    Command("candidates [N|all]", "what is possible", _candidates),
    Command("why CODE", "what rules it out", _why),
    Command("certain", "what is decided", lambda *_: [Question("certain")]),
    Command("try CODE", "what it is worth", _try),
    Command("review", "how good you were", _review),
    Command("share", "a text for others", lambda at, _: [outcomes.Shared(at.history)]),
    Command("conflicts [N]", "rows at odds", _asked("conflicts")),
    Command("next [N]", "mark to solve next", _asked("unread")),
    Command("suspect", "rows to doubt", lambda *_: [Question("suspects")]),
    Command("legend", "what marks mean", lambda *_: [Question("legend")]),
    Command("rates [B=0.1 ...]", "how marks are read", _rates),
    Command("history", "all rows", lambda at, _: [at.history]),
    Command("edit ROW [CLUE]", "change a row", _edit),
    Command("add ROW MARK", "a mark more", _add),
    Command("repair [N]", "mend a wrong row", lambda _, text: [Local("repair", text)]),
    Command("drop ROW", "take a row out", _drop),
    Command("doubt ROW [20%]", "it may be wrong", _doubt),
    Command(
        "fact H____",
        "contains E, no Q",
        lambda at, fact: [changes.AddFact(at.game.parse_fact(fact))],
    ),
    Command("undo [N]", "take it back", _back(changes.Undo)),
    Command("redo [N]", "undo the undo", _back(changes.Redo)),
    Command(
        "widen [LIST]",
        "a wider word list",
        lambda _, name: [changes.SetWordList(name) if name else Local("widen")],
    ),
    Command("strategy [NAME]", "how to guess", _strategy),
    Command(
        "save [FILE]",
        "keep it in a file",
        lambda _, file: [Local("save", _path(file) if file else None)],
    ),
    Command("new", "start anew", lambda *_: [changes.Clear()]),
    Command("export [FILE]", "SMT-LIB script", _export),
    Command("help [COMMAND]", "this; also help, ?", _help),
    Command("quit", "leave; also exit", lambda *_: [Local("quit")]),
]
COMMANDS = {command.syntax.split()[0]: command for command in _ALL}
_SHORT_FORMS = {
    "s": "suggest", "c": "candidates", "w": "why", "u": "undo", "e": "edit", "h": "help",
    "q": "quit", **PLAIN_COMMANDS,
}  # fmt: skip
NAMES = frozenset([*COMMANDS, *_SHORT_FORMS])
"""The names and short forms of all commands."""
