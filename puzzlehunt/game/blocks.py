"""A block of lines read at once: its turns, or all that is wrong with its lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import Line, parse_next_turn, read_line, try_answer


@dataclass(frozen=True, slots=True)
class Block:
    """The turns that a block writes, or what is wrong with its lines."""

    turns: tuple[Turn, ...]
    problems: tuple[str, ...] = ()


def read_block(game: Game, lines: Sequence[str], history: History, waits: Code | None) -> Block:
    """Return the turns of a block that comes after a history.

    A guess alone may have its clue on the next line; so may `waits`, a guess that was typed before
    the block. Each guess must be allowed in hard mode after the turns before it.
    """
    turns = [] if waits is None else [Turn(waits, game.unread_clue(waits))]
    problems = []
    for number, line in enumerate(_without_numbers(game, lines), start=1):
        try:
            parts = read_line(game, line)
            if not parts.text:
                continue
            if waits is not None and (answer := _answered(game, parts, waits)):
                turns[-1], waits = answer, None
                continue
            turn = parse_next_turn(game, parts, history.add(*turns))
            turns.append(turn)
            waits = None if parts.clue else turn.guess
        except PuzzlehuntError as error:
            problems.append(f"line {number}: {error}")
    return Block(tuple(turns), tuple(problems))


_NUMBERED = re.compile(r"[\s|]*(\d{1,4})[\s,;|]+(\S.*)")


def _without_numbers(game: Game, lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a block without the numbers n, n + 1, ... that stand before all of them.

    Where the first number is itself a guess of the game, the lines stay as they are.
    """
    matches = [_NUMBERED.match(line) for line in lines]
    numbers = [int(match[1]) for match in matches if match]
    if len(numbers) < len(lines) or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return lines
    try:
        game.parse_guess(str(numbers[0]))
    except InvalidCodeError:
        return [match[2] for match in matches if match]
    return lines


def _answered(game: Game, line: Line, guess: Code) -> Turn | None:
    """Return the turn of a guess whose clue is this whole line, None if it is no clue."""
    turn = try_answer(game, line.text, guess)
    several = game.boards == 1 and line.guess and line.clue
    return None if turn is None or (several and not turn.doubted) else turn
