"""Parses each typed line, once, into the steps that it requests.

A line is a turn, a clue alone, a guess alone, or a command. Several lines at once are a pasted
block. The pending guess is a guess that waits for its clue. A clue alone answers the pending guess
or, if there is none, the suggested guess. This module needs no engine and no file.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import (
    AmbiguousClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
)
from puzzlehunt.game import turn_notation
from puzzlehunt.game.blocks import is_heading, read_block, read_heading
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.shared import filled, read_shared
from puzzlehunt.game.turn_notation import Line, parse_plain_turn, read_turn, tried
from puzzlehunt.session.changes import RecordTurns, ReplaceHistory
from puzzlehunt.session.commands import (
    COMMANDS,
    PLAIN_COMMANDS,
    Local,
    Step,
    command_of,
    parse_command,
    plain_command,
)
from puzzlehunt.session.outcomes import BlockRefused, Note

if TYPE_CHECKING:
    from puzzlehunt.session.conversation import Conversation

HEADING_PASSED = Note("a heading, passed over; rows are typed GUESS CLUE", "note")
_HEADING_READ = Note("a heading; rows are read by its columns, until an empty line", "note")


def parse(text: str, at: "Conversation") -> Sequence[Step]:
    """Return the steps that a text requests.

    Two or more lines, not counting blank lines, are a pasted block. Raises PuzzlehuntError if the
    text is neither a turn nor a command.
    """
    lines = text.splitlines()
    filled_lines = [line for line in lines if line.strip()]
    return _block(at, lines) if len(filled_lines) > 1 else _line(at, "".join(filled_lines))


def _line(at: "Conversation", line: str) -> Sequence[Step]:
    if not (text := line.strip()):
        return [Local("heading"), *at.report]
    if command := command_of(text, at.game.alphabet):
        return parse_command(at, *command)
    if heading := read_heading(at.game, line):
        return [Local("heading", heading), _HEADING_READ]
    if at.heading and (row := at.heading.line(at.game, line)):
        return _recorded(at, parse_plain_turn(at.game, row)) if row.text else []
    try:
        return _row(at, turn_notation.read_line(at.game, line))
    except PuzzlehuntError as error:
        if isinstance(error, AmbiguousClueError) or not is_heading(text):
            raise
        return [HEADING_PASSED]


def _row(at: "Conversation", line: Line) -> Sequence[Step]:
    if not line.clue:
        return _lone_word(at, line) if line.guess else []
    if not turn_notation.awaits_answer(at.game, line.clue):
        return _guess_and_clue(at, line) if line.guess else _recorded(at, _answer(at, line))
    # A tune was played: its answer follows, or there is silence.
    turn = parse_plain_turn(at.game, line) if line.guess else _answer(at, line)
    _check_legal(at, turn.guess)
    return [Local("stand", turn)]


def _guess_and_clue(at: "Conversation", line: Line) -> Sequence[Step]:
    """Return the turn of a line of several words: a guess with its clue, or a clue in words."""
    game, turn = at.game, tried(parse_plain_turn, at.game, line)
    # The guess may be the beginning of a clue of several words, such as `>=1g 1t`.
    may_be_clue = turn is None or game.alphabet.foreign_names(line.guess)
    if may_be_clue and (answer := tried(_answer, at, line)) is not None:
        return _recorded(at, answer)
    if turn is not None:
        return _recorded(at, turn)
    if game.begins_with_count(line.guess) and not tried(read_turn, game, line):
        _answer(at, line)
    return _row(at, read_turn(game, line)[1])


def _check_legal(at: "Conversation", guess: Code) -> None:
    """Raise IllegalGuessError if a guess is new and hard mode forbids it."""
    if at.history.number_of(guess) is None:
        at.game.check_guess(guess, at.history)


def _recorded(at: "Conversation", turn: Turn) -> Sequence[Step]:
    _check_legal(at, turn.guess)
    return [RecordTurns((turn_notation.doubted_by_note(at.game, turn),)), *at.report]


def unlisted(game: Game, guess: Code) -> Sequence[Note]:
    """Return a note if no list of the game has the guess, else nothing."""
    if not game.guesses.listed or game.is_listed(guess):
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
            asks = f"/{word.casefold()}? Commands start with a slash; a guess: {word} *"
            return [Note(asks, "note")]
    answer = tried(_answer, at, line)
    try:
        guess = game.parse_lone_guess(word)
    except InvalidCodeError as error:
        return _no_guess(at, line, error) if answer is None else _recorded(at, answer)
    is_listed = game.guesses.listed and game.is_listed(guess)
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
    turn = at.pending or Turn(guess, at.game.unread_clue(guess))
    answer = turn_notation.parse_answer(
        at.game, line.text, guess, line.note or turn.note, turn.overlong
    )
    return replace(answer, doubt=answer.doubt or turn.doubt)


def _block(at: "Conversation", lines: Sequence[str]) -> Sequence[Step]:
    shared = read_shared(at.game, lines)
    if shared is not None:
        history = filled(at.game, at.history, shared)
        known = Note(f"rows: {len(history.turns)} known")
        return [known if history == at.history else ReplaceHistory(history), *at.report]
    block = read_block(at.game, lines, at.history, at.pending, at.heading)
    if block.problems:
        return [BlockRefused(block.problems)]
    return [RecordTurns(block.turns, whole_log=True), *at.report] if block.turns else []
