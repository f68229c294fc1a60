"""The command `candidates`: what is still possible."""

from collections.abc import Sequence
from typing import NoReturn

from typer import Context

from puzzlehunt.cli.opening import fail_without_candidates, opened
from puzzlehunt.cli.streams import fail, note, print_json, result
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.count import Count
from puzzlehunt.explanation.remaining import Remaining, remaining, remaining_on_boards
from puzzlehunt.explanation.suspects import NEAR_CHANCE, NearMiss, near_misses
from puzzlehunt.game.game import Game
from puzzlehunt.session.limits import when_stopped
from puzzlehunt.views.counts import (
    count_line,
    listed_codes,
    misread_line,
    more_text,
    nearly_line,
    unfinished_line,
)
from puzzlehunt.views.json import candidates_json

_MOST_NEARLY_FITTING = 5
"""Most codes that fit if one turn is wrong and are named in a note below the candidates."""


def candidates(context: Context, limit: int, json: bool) -> None:
    """Print what is still possible."""
    game, engine = opened(context)
    left, boards = remaining(engine, limit), remaining_on_boards(engine, limit)
    if left.stopped or any(board.stopped for board in boards):
        _end_unfinished(engine, left, boards, json)
    near = (
        near_misses(engine, limit)
        if json
        else near_misses(engine, _MOST_NEARLY_FITTING, NEAR_CHANCE)
    )
    answer = candidates_json(engine, left, boards, near) if json else None
    if not left.codes and not left.more:
        fail_without_candidates(game, engine, answer)
    if answer is not None:
        print_json(answer)
    else:
        _show(game, left, boards, near)


def _end_unfinished(
    engine: Engine, left: Remaining, boards: Sequence[Remaining], as_json: bool
) -> NoReturn:
    """Print the candidates that were found before a limit was reached; leave with status 3."""
    if as_json:
        print_json(candidates_json(engine, left, boards, []))
    elif not boards:
        _print_codes(engine.game, left)
    fail(unfinished_line(left, when_stopped()), 3)


def _show(
    game: Game, left: Remaining, boards: Sequence[Remaining], near: Sequence[NearMiss]
) -> None:
    for number, board in enumerate(boards, start=1):
        result(f"board {number}: {count_line(Count.of(board.count))}")
        _print_codes(game.one_board, board)
    misread, first = misread_line(left.outside)
    if misread and first:
        note(misread)
    if not boards:
        _print_codes(game, left)
    if misread and not first:
        note(misread)
    if near:
        note(nearly_line(game, near))


def _print_codes(game: Game, left: Remaining) -> None:
    result("".join(f"{line}\n" for line in listed_codes(game, left)), end="")
    if left.more and not left.stopped:
        note(f"{more_text(left)} (--limit N)")
