"""The command `candidates`: what is still possible."""

from typing import TYPE_CHECKING, NoReturn

from puzzlehunt.cli.asked import Asked, engine_with_history, open_game, takes
from puzzlehunt.cli.options import ENGINES, GAME, JSON, LIMIT, READS, SECONDS, SETTINGS, TURNS
from puzzlehunt.cli.output import fail, fail_without_candidates, note, print_json, result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from puzzlehunt.engines.base import Engine
    from puzzlehunt.explanation.remaining import Remaining
    from puzzlehunt.explanation.suspects import NearMiss
    from puzzlehunt.game.game import Game

_MOST_NEARLY_FITTING = 5
"""Most codes that fit if one turn is wrong and are named in a note below the candidates."""


@takes(GAME, *TURNS, LIMIT, JSON, *SETTINGS, *ENGINES, READS, SECONDS)
def candidates(asked: Asked) -> None:
    """What is still possible, one code a line; of several boards, board by board.

    Where rows are weighed, the likeliest first, each with its chance after a tab.

    puzzlehunt candidates cryptic -t "HORSE B_WR_" --limit 100
    """
    from puzzlehunt.explanation.remaining import remaining, remaining_on_boards
    from puzzlehunt.explanation.suspects import NEAR_CHANCE, near_misses
    from puzzlehunt.views.json import candidates_json

    game, limit = open_game(asked), asked[LIMIT]
    engine = engine_with_history(game)
    remaining_codes, boards = remaining(engine, limit), remaining_on_boards(engine, limit)
    if remaining_codes.stopped or any(board.stopped for board in boards):
        _end_unfinished(asked, engine, remaining_codes, boards)
    near = (
        near_misses(engine, limit)
        if asked[JSON]
        else near_misses(engine, _MOST_NEARLY_FITTING, NEAR_CHANCE)
    )
    answer = candidates_json(engine, remaining_codes, boards, near) if asked[JSON] else None
    if not remaining_codes.codes and not remaining_codes.more:
        fail_without_candidates(game, engine, answer)
    if answer is not None:
        print_json(answer)
    else:
        _show(game, remaining_codes, boards, near)


def _end_unfinished(
    asked: Asked, engine: "Engine", remaining_codes: "Remaining", boards: "Sequence[Remaining]"
) -> NoReturn:
    """Print the candidates that were found before a limit was reached; leave with status 3."""
    from puzzlehunt.session.limits import when_stopped
    from puzzlehunt.views.candidates import unfinished_line
    from puzzlehunt.views.json import candidates_json

    if asked[JSON]:
        print_json(candidates_json(engine, remaining_codes, boards, []))
    elif not boards:
        _print_codes(engine.game, remaining_codes)
    fail(unfinished_line(remaining_codes, when_stopped()), 3)


def _show(
    game: "Game",
    remaining_codes: "Remaining",
    boards: "Sequence[Remaining]",
    near: "Sequence[NearMiss]",
) -> None:
    from puzzlehunt.engines.base import Count
    from puzzlehunt.views.candidates import nearly_line
    from puzzlehunt.views.counts import count_line, misread_line

    for number, board in enumerate(boards, start=1):
        result(f"board {number}: {count_line(Count.of(board.count))}")
        _print_codes(game.one_board, board)
    misread, first = misread_line(remaining_codes.outside)
    if misread and first:
        note(misread)
    if not boards:
        _print_codes(game, remaining_codes)
    if misread and not first:
        note(misread)
    if near:
        note(nearly_line(game, near))


def _print_codes(game: "Game", remaining_codes: "Remaining") -> None:
    from puzzlehunt.views.candidates import listed_codes, more_text

    lines = (f"{line}\n" for line in listed_codes(game, remaining_codes))
    result("".join(lines), end="")
    if remaining_codes.more and not remaining_codes.stopped:
        note(f"{more_text(remaining_codes)} (--limit N)")
