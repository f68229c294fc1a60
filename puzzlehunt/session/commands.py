"""What a typed line requests: each is parsed, once, into steps.

A line is a turn, a clue alone, a guess alone, or a command such as `/suggest`, whose `argument` is
the text after its name. Several lines at once are a pasted block. A clue alone answers the pending
guess, which waits for it, or else the suggested one. No engine or file is needed.
"""

import re
from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

from puzzlehunt.codes.alphabet import FOREIGN, Alphabet, Code
from puzzlehunt.codes.files import path_written
from puzzlehunt.errors import (
    AmbiguousClueError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
    UnknownNameError,
    did_you_mean,
)
from puzzlehunt.explanation.why import parse_question
from puzzlehunt.game import meaning, turn_notation
from puzzlehunt.game.blocks import filled, is_heading, read_block, read_heading, read_row
from puzzlehunt.game.files.gamefile import wider_games
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, History, Turn, number_of
from puzzlehunt.game.play import names_code
from puzzlehunt.game.turn_notation import Line, parse_plain_turn, read_turn, tried
from puzzlehunt.rules.notation.tiles import only_squares
from puzzlehunt.session import changes, outcomes
from puzzlehunt.session.changes import Change, Question, QuestionKind
from puzzlehunt.session.file_store import game_of_length
from puzzlehunt.session.limits import LONGEST_LIST
from puzzlehunt.session.outcomes import Note, Outcome

if TYPE_CHECKING:
    from puzzlehunt.session.conversation import Conversation

USAGES = {
    "candidates [N|A____]": "what is possible",
    "why CODE": "what rules it out",
    "certain": "what is decided",
    "next [N]": "mark to solve next",
    "fact H____": "contains E, no Q",
    "edit ROW [CLUE]": "change a row",
    "drop ROW": "take a row out",
    "repair [N]": "mend a wrong row",
    "undo [N]": "take it back",
    "quit": "leave; also exit",
    "help [COMMAND|all]": "this; also help, ?",
    "suggest [N]": "the best guesses",
    "try CODE": "what it is worth",
    "review": "how good you were",
    "share": "a text for others",
    "conflicts [N]": "rows at odds",
    "suspect": "rows to doubt",
    "doubt ROW [20%]": "it may be wrong",
    "legend": "what marks mean",
    "rates [KIND=0.1]": "how marks are read",
    "history": "all rows",
    "redo [N]": "undo the undo",
    "widen [LIST]": "a wider word list",
    "strategy [NAME]": "how to guess",
    "save [FILE]": "keep it in a file",
    "new": "start anew",
    "export [FILE]": "SMT-LIB script",
}
"""How each command is typed, without its slash, and its purpose in a few words."""
_MOST_USED = {**dict(islice(USAGES.items(), 10)), "help all": "the other commands"}
"""What `/help` lists; `/help all` has the others, too."""
COMMANDS = {usage.split()[0]: usage for usage in USAGES}
"""How each command is typed, by its name."""
PLAIN_COMMANDS = {"help": "help", "?": "help", "quit": "quit", "exit": "quit"}
"""Words that need no slash, each with the command that it means."""
SHORT_FORMS = {
    "s": "suggest", "c": "candidates", "w": "why", "u": "undo", "e": "edit", "h": "help",
    "q": "quit", **PLAIN_COMMANDS,
}  # fmt: skip
_QUESTIONS: dict[str, QuestionKind] = {
    "suggest": "suggest", "candidates": "candidates", "conflicts": "conflicts", "next": "unread",
    "certain": "certain", "suspect": "suspects", "legend": "legend",
}  # fmt: skip
"""Commands that ask a question, with or without a number."""
_LONGEST_REVIEW = 10
"""Time limit of a review that the player asked for (as a multiple of `play.budget`)."""


@dataclass(frozen=True, slots=True)
class Local:
    """What only a conversation does, itself or with an engine.

    `stand`: let the guess of a turn wait for its clue; `save`: in a file (None: its own); `export`:
    a script to a file; `repair`: by number; `begin`: a game, and a line.
    """

    name: Literal["stand", "save", "export", "quit", "repair", "begin"]
    value: object = None


@dataclass(frozen=True, slots=True)
class Offer:
    """What is done, in words, if the next line accepts it: y, yes or, if `eager`, an empty line."""

    text: str
    step: Change | Local
    eager: bool = True


Step: TypeAlias = "Outcome | Change | Question | Local | Offer"
"""One thing that a line requests; an outcome among them is a note, shown as it is."""


def needs_engine(step: Step) -> bool:
    """Return whether a step needs an engine."""
    return isinstance(step, Question) or (isinstance(step, Local) and step.name == "repair")


# Lines.


def parse(text: str, at: "Conversation") -> Sequence[Step]:
    """Return the steps that a text requests.

    Two or more lines, blank ones aside, are a pasted block, and so are squares that answer no
    guess. Raises PuzzlehuntError for other texts.
    """
    lines = text.splitlines()
    filled_lines = [line for line in lines if line.strip()]
    is_block = len(filled_lines) > 1 or (at.answered_guess is None and only_squares(text))
    return _block(at, lines) if is_block else _line(at, "".join(filled_lines))


def _line(at: "Conversation", line: str) -> Sequence[Step]:
    if not (text := line.strip()):
        return at.report
    if command := command_of(text, at.game.alphabet):
        return parse_command(at, *command)
    if read_heading(at.game, line):
        raise InvalidTurnError(f"{text!r} is a heading; paste it together with its rows")
    try:
        return _row(at, turn_notation.read_line(at.game, line))
    except PuzzlehuntError as error:
        if isinstance(error, AmbiguousClueError) or not is_heading(text):
            return _other_length(at, text, error)
        return [Note("a heading, passed over; rows are typed GUESS CLUE", "note")]


def _other_length(at: "Conversation", text: str, error: PuzzlehuntError) -> Sequence[Step]:
    """Return the offer of a game with the word of a refused line, or raise `error`."""
    word, lengths = turn_notation.read_line(at.game, text).guess, at.game.secrets.lengths
    code = at.game.alphabet.spell(word) or ()
    length = len(code)
    session, is_other = at.session, length > 2 and length not in lengths and len(lengths) == 1
    whole = session.reference, session.settings, length
    other = tried(game_of_length, *whole) if is_other and not session.is_shared else None
    if other is None or not meaning.is_listed(other, code):
        raise error
    if at.history.items:
        raise InvalidTurnError(f"{error}; --length {length} plays with those") from None
    offer = Offer(f"a game of {length} letters", Local("begin", (other, text)), eager=False)
    return [outcomes.Failed(type(error).__name__, str(error)), offer]


def _row(at: "Conversation", line: Line) -> Sequence[Step]:
    if not line.clue:
        return _lone_word(at, line) if line.guess else []
    if not turn_notation.awaits_answer(at.game, line.clue):
        return _guess_and_clue(at, line) if line.guess else _recorded(at, _answer(at, line))
    # A tune was played: its answer follows, or there is silence.
    turn = parse_plain_turn(at.game, line) if line.guess else _answer(at, line)
    _check_legal(at, turn.code)
    return [Local("stand", turn)]


def _guess_and_clue(at: "Conversation", line: Line) -> Sequence[Step]:
    game, turn = at.game, tried(parse_plain_turn, at.game, line)
    # The guess may be the beginning of a clue of several words, such as `>=1g 1t`.
    may_be_clue = turn is None or game.alphabet.foreign_names(line.guess)
    answer = tried(_answer, at, line) if may_be_clue else None
    if read := answer or turn:
        return _recorded(at, read)
    if turn_notation.begins_with_count(game, line.guess) and not tried(read_turn, game, line):
        _answer(at, line)
    return _row(at, read_turn(game, line)[1])


def _check_legal(at: "Conversation", guess: Code) -> None:
    if number_of(at.history, guess) is None:
        turn_notation.check_guess(at.game, guess, at.history)


def _recorded(at: "Conversation", turn: Turn) -> Sequence[Step]:
    _check_legal(at, turn.code)
    return [changes.RecordTurns((turn_notation.doubted_by_note(at.game, turn),)), *at.report]


def unlisted(game: Game, guess: Code) -> Sequence[Note]:
    """Return a note if no list of the game has the guess, else nothing."""
    if not game.guesses.listed or meaning.is_listed(game, guess):
        return []
    text = f"{game.format_code(guess)} is in no list; it counts as a guess all the same"
    return [Note(text, "note")]


def _lone_word(at: "Conversation", line: Line) -> Sequence[Step]:
    """Return the steps of a word alone: a clue where it can answer a guess, else a guess."""
    game, word = at.game, line.guess
    # After a guess alone `?` is its clue: nothing was read.
    if word != "?" or at.pending is None:
        if command := plain_command(word, game):
            return parse_command(at, command, "")
        if word.casefold() in {*COMMANDS, *PLAIN_COMMANDS}:
            asks = f"/{word.casefold()}? Commands start with a slash"
            written = f"; a guess: {word} *" if tried(game.parse_guess, word) else ""
            return [Note(asks + written, "note")]
    answer = tried(_answer, at, line)
    try:
        guess = turn_notation.parse_typed_guess(game, word)
    except InvalidCodeError as error:
        return _no_guess(at, line, error) if answer is None else _recorded(at, answer)
    is_listed = game.guesses.listed and meaning.is_listed(game, guess)
    if answer is not None and (at.pending is not None or not is_listed):
        read = Note(f"read as a clue; the guess is written {word.upper()} *", "note")
        return [read, *_recorded(at, answer)]
    if at.answered_guess and unlisted(game, guess) and not may_be_guess(game, word):
        _answer(at, line)  # a clue that the answered guess cannot get
    _check_legal(at, guess)
    return [Local("stand", parse_plain_turn(game, line)), *unlisted(game, guess)]


def _no_guess(at: "Conversation", line: Line, error: PuzzlehuntError) -> Sequence[Step]:
    """Return the steps of a word that is neither guess nor clue; raise `error` if it has none."""
    word = line.guess
    if not word.isalnum():  # such as `HORSE(BWR)` or `"HORSE"`
        with suppress(InvalidCodeError, InvalidTurnError):
            return _row(at, read_turn(at.game, line)[1])
    is_code = len(word) > 1 and not word.isalpha() and at.game.alphabet.spell(word) is not None
    is_word = word.casefold() in at.game.rule.notation.clue_words
    if is_word or not (is_code or may_be_guess(at.game, word)):
        _answer(at, line)
    raise error


def may_be_guess(game: Game, text: str) -> bool:
    """Return whether a text that was refused may have been a guess, and not only a clue."""
    signs = "".join(mark for mark, _ in game.one_board.rule.notation.named_marks()).casefold()
    letters = [letter for letter in text.casefold() if letter.isalpha()]
    return 2 * sum(letter in signs for letter in letters) < len(letters)


def _answer(at: "Conversation", line: Line) -> Turn:
    """Return the turn of a line that is a clue alone. Raises InvalidTurnError if none is due."""
    guess = at.answered_guess
    if guess is None:
        raise InvalidTurnError(f"{line.text!r} is a clue, but to which guess? GUESS CLUE")
    turn = at.pending or Turn(guess, at.game.rule.notation.unread_clue(guess))
    answer = turn_notation.parse_answer(at.game, line.text, guess, line.note or turn.note)
    return replace(answer, doubt=answer.doubt or turn.doubt)


def _block(at: "Conversation", lines: Sequence[str]) -> Sequence[Step]:
    history = filled(at.game, at.history, lines)
    if history is not None:
        change: Change = changes.ReplaceHistory(history)
        if history.facts != at.history.facts:
            change = changes.AddFact(history.facts[-1])
        return [change, *at.report]
    turns, problems = read_block(at.game, lines, at.history, at.pending)
    recorded = changes.RecordTurns(turns, whole_log=True)
    if not problems:
        return [recorded, *at.report] if turns else []
    read = outcomes.PartlyRead(turns, problems)
    return [read, Offer(f"record the {len(turns)}", recorded)] if turns else [read]


# Commands.


def command_of(
    line: str, alphabet: Alphabet, names: Container[str] = COMMANDS
) -> tuple[str, str] | None:
    """Return the name (in full, in lower case) and the argument of a line's command.

    None if the line is no command: that begins with a slash and, if the slash is also a symbol of
    the game, has one of `names` or a short form behind it. An unknown name is returned, too.
    """
    name, *argument = line.strip()[1:].split(maxsplit=1) or [""]
    name = SHORT_FORMS.get(name.casefold(), name.casefold())
    if not line.lstrip().startswith("/") or (
        name not in names and alphabet.number("/") is not None
    ):
        return None
    return name, "".join(argument)


def plain_command(word: str, game: Game) -> str | None:
    """Return the command that a word without a slash means; None if the word could be a guess."""
    guess = tried(game.parse_guess, word)
    return PLAIN_COMMANDS.get(word.casefold()) if guess is None or FOREIGN in guess else None


def unknown_command(name: str, names: Iterable[str]) -> UnknownNameError:
    """Return the error for an unknown command; it proposes the nearest of `names`."""
    near = did_you_mean(name, names)
    hint = near.replace("you mean ", "you mean /") if "you mean" in near else "; /help lists them"
    return UnknownNameError(f"no command /{name}{hint}")


# Arguments.


def _number(text: str) -> int:
    if not (text.isdecimal() and len(text) < 8 and int(text) > 0):
        raise InvalidTurnError(f"{text!r}: expected a number from 1 to 9,999,999")
    return int(text)


def _row_named(at: "Conversation", argument: str) -> tuple[int, str]:
    """Return the number of the turn that an argument begins with, and the rest of the argument.

    A turn is named by its number or its guess. Raises InvalidTurnError unless it is just one.
    """
    name, _, rest = argument.partition(" ")
    guess, turns = tried(at.game.parse_guess, name), [*enumerate(at.history.turns, start=1)]
    rows = [number for number, _ in turns if str(number) == name]
    rows = rows or [number for number, turn in turns if turn.code == guess]
    if len(rows) != 1:
        has = "several rows have" if rows else "no row has"
        raise InvalidTurnError(f"{name}: {has} this number or guess; /history lists them")
    return rows[0], rest.strip()


def _row_edited(at: "Conversation", row: int, text: str) -> changes.EditRows:
    """Return the change that replaces row `row` (from 1) by what `text` says.

    `text` is a new clue, a new guess with its clue, or a note alone; without a `#` the old note
    stays. Raises the errors of `read_row`, and IllegalGuessError if the rows before it forbid the
    new guess.
    """
    game, old = at.game, at.history.turn(row)
    clue, note = turn_notation.split_note(text, game.alphabet)
    if not clue:
        return changes.EditRows(((row, replace(old, note=note)),))
    try:
        new = read_row(game, f"{game.format_code(old.code)} {text}")
    except InvalidClueError:
        if len(text.split()) < 2:
            raise
        new = read_row(game, text)
    if new.code != old.code:
        turn_notation.check_guess(game, new.code, History(at.history.turns[: row - 1]))
    if clue == text:
        new = replace(new, note=new.note or old.note)
    return changes.EditRows(((row, new),))


# What each command requests.


def parse_command(at: "Conversation", name: str, argument: str) -> Sequence[Step]:
    """Return the steps of a command, with a report if it changes anything.

    Raises UnknownNameError for an unknown name.
    """
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS)
    usage = COMMANDS[name]
    is_short = len(argument.split()) < len(usage.split(" [")[0].split()) - 1
    if is_short or (argument and usage == name):
        raise InvalidTurnError(f"expected /{usage}: {USAGES[usage]}")
    steps = _steps(at, name, argument)
    return [*steps, *at.report] if any(isinstance(step, Change) for step in steps) else steps


def _of_row(at: "Conversation", name: str, argument: str) -> list[Step]:
    row, text = _row_named(at, argument)
    match name:
        case "edit" if text:
            return [_row_edited(at, row, text)]
        case "edit":
            turn = turn_notation.format_turn(at.game, at.history.turn(row))
            return [Note(f"{row}. {turn}"), Note(f"/edit {row} CLUE or /edit {row} GUESS CLUE")]
        case "doubt":
            chance = 0.0 if at.history.turn(row).doubt else DEFAULT_DOUBT
            if percent := text.lstrip(" ?"):
                chance = turn_notation.parse_doubt(percent)
            return [changes.SetDoubt(row, chance)]
    if text:
        raise InvalidTurnError(f"one row at a time: /drop {row}, then /drop {text.split()[0]}")
    return [changes.DropRow(row)]


def _steps(at: "Conversation", name: str, argument: str) -> list[Step]:
    game = at.game
    match name:
        case "edit" | "drop" | "doubt":
            return _of_row(at, name, argument)
        case "candidates" if argument.casefold() == "all":
            return [Question("candidates", LONGEST_LIST)]
        case "candidates" if argument and not argument.isdecimal():
            fact = game.parse_fact(re.sub(r"^with\b", "contains", argument))
            return [Question("candidates", fact=fact)]
        case _ if name in _QUESTIONS:
            takes_number = argument and "N" in COMMANDS[name]
            return [Question(_QUESTIONS[name], _number(argument) if takes_number else None)]
        case "why":
            code, board = parse_question(game, argument)
            return [Question("why", code=code, board=board)]
        case "try":
            return [Question("try", code=game.parse_guess(argument))]
        case "review":
            return [Question("review", seconds=_LONGEST_REVIEW * game.play.budget)]
        case "share":
            return [outcomes.Shared(at.history)]
        case "history":
            return [at.history]
        case "rates":
            change = [changes.SetReadRates(argument)] if argument else []
            return [*change, Question("rates")]
        case "repair":
            return [Local("repair", _number(argument)) if argument else Question("repairs")]
        case "fact":
            return [changes.AddFact(game.parse_fact(argument))]
        case "undo" | "redo":
            kind = changes.Undo if name == "undo" else changes.Redo
            return [kind(_number(argument or "1"))]
        case "widen":
            games, size = wider_games(game), game.one_board.secrets.size
            wider = (name for name, other in games if other.one_board.secrets.size > size)
            return [changes.SetWordList(argument or next(wider, ""))]
        case "strategy" if not argument:
            return [Note(game.play.strategy_name)]
        case "strategy" if names_code(argument):
            option = f"--strategy {argument}"
            raise UnknownNameError(f"code is only loaded at the start, from {option}")
        case "strategy":
            return [changes.SetStrategy(argument)]
        case "save":
            return [Local("save", path_written(argument) if argument else None)]
        case "new":
            return [changes.Clear()]
        case "export":
            return [Local("export", path_written(argument)) if argument else Question("export")]
        case "help":
            topic = argument.lstrip("/").casefold()
            if topic in ("", "all"):
                return [outcomes.Helped(USAGES if topic else _MOST_USED)]
            if (topic := SHORT_FORMS.get(topic, topic)) not in COMMANDS:
                raise unknown_command(topic, COMMANDS)
            return [Note(f"/{COMMANDS[topic]}  {USAGES[COMMANDS[topic]]}")]
    return [Local("quit")]
