"""A block of lines, such as a pasted log, read at once: its turns, or what is wrong with them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import Line, parse_turn, read_line, try_answer
from puzzlehunt.game.merging import illegal_guesses, merge


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """A line of a block (its number from 1) that cannot be read, and the error message."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Block:
    """The turns that a block writes, and each line that cannot be read."""

    turns: tuple[Turn, ...]
    problems: tuple[Problem, ...] = ()


def read_block(
    game: Game, lines: Sequence[str], history: History, standing: Code | None = None
) -> Block:
    """Return the turns of a block that comes after a history.

    A guess alone may have its clue on the next line. `standing` is a guess that was typed before
    the block and has no clue yet: its clue may be on the first line. In hard mode each new guess
    must use the clues before it.
    """
    turns = [] if standing is None else [Turn(standing, game.unread_clue(standing))]
    line_numbers = [0] * len(turns)
    problems: list[Problem] = []
    for number, line in enumerate(_without_numbers(game, lines), start=1):
        try:
            parts = read_line(game, line)
            if not parts.text:
                continue
            if standing is not None and (answered := _answered(game, parts, standing)):
                turns[-1], standing = answered, None
                continue
            turn = parse_turn(game, parts)
            turns.append(turn)
            line_numbers.append(number)
            standing = None if parts.clue else turn.guess
        except PuzzlehuntError as error:
            problems.append(Problem(number, str(error)))
    merged = merge(game, history, turns, is_log=True)
    for place, illegal in illegal_guesses(game, merged):
        problems.append(Problem(line_numbers[place], str(illegal)))
    return Block(tuple(turns), tuple(sorted(problems)))


_NUMBERED = re.compile(r"[\s|]*(\d{1,4})[\s,;|]+(\S.*)")
"""A line that begins with a number, as in a column of a spreadsheet."""


def _without_numbers(game: Game, lines: Sequence[str]) -> Sequence[str]:
    """Return lines without their numbers, if these are n, n + 1, ... and no line lacks one.

    Where the first number is itself a guess of the game, the lines stay as they are.
    """
    matches = [_NUMBERED.match(line) for line in lines]
    numbers = [int(match[1]) for match in matches if match]
    if not numbers or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return lines
    try:
        game.parse_lone_guess(str(numbers[0]))
    except InvalidCodeError:
        return [match[2] for match in matches if match]
    return lines


def _answered(game: Game, line: Line, guess: Code) -> Turn | None:
    """Return the turn of a guess whose clue is the whole line, None if the line is no such clue.

    On one board a line of several words is a turn of its own, unless it ends with a doubt or its
    first word is no guess: `2 tumblers`.
    """
    turn = try_answer(game, line.text, guess)
    several_words = game.boards == 1 and line.guess and line.clue
    if turn is None or turn.doubted or not several_words:
        return turn
    try:
        game.parse_lone_guess(line.guess)
    except InvalidCodeError:
        return turn
    return None
