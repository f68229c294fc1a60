"""The command `check`: whether a game file is right, and what it means."""

from collections.abc import Iterator
from dataclasses import replace

from typer import Context

from puzzlehunt.cli.opening import build_game, engine_with_history, open_document
from puzzlehunt.cli.streams import fail, note, print_json
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import merge
from puzzlehunt.strategies.adviser import Advice, Adviser
from puzzlehunt.strategies.position import Budget
from puzzlehunt.views.advice import suggestion_line
from puzzlehunt.views.counts import count_line
from puzzlehunt.views.explanations import contradiction_line
from puzzlehunt.views.json import check_json
from puzzlehunt.views.rows import change_line
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.summary import meaning_lines, remarks, size_line


def check(context: Context, file: str, json: bool) -> None:
    """Print what a game file means."""
    document = open_document(context, file)
    game = build_game(context, document)
    engine, adviser = engine_with_history(game), Adviser(game)
    is_open, fits = None in game.winning_guesses(game.history), engine.satisfiable()
    advice = None
    if is_open and fits:
        advice = adviser.advise(engine, 1, Budget(seconds=game.play.budget))
    example = advice.suggestions[0].guess if advice else next(iter(game.one_board.secrets))
    meaning = list(meaning_lines(game, example))
    notes = [*remarks(game), *_rows_again(game, document)]
    if json:
        print_json(check_json(file, engine, advice, meaning, notes))
    else:
        _show_meaning(engine, advice, meaning, notes)
    if not fits:
        fail(contradiction_line(game, engine), 1)


def _show_meaning(
    engine: Engine, advice: Advice | None, meaning: list[str], notes: list[str]
) -> None:
    """Print what a game file means, how many candidates its rows leave, and what to guess."""
    game, screen = engine.game, Screen()
    screen.line(size_line(game))
    screen.lines(meaning)
    if game.history.items:
        fits = engine.satisfiable()
        left = count_line(engine.count()) if fits else "they contradict each other"
        kinds = {"rows": game.history.turns, "facts": game.history.facts}
        known = " and ".join(kind for kind, items in kinds.items() if items)
        screen.line(f"{known}: {left}")
    if advice:
        word = "next" if game.history.items else "first"
        screen.line(f"{word}: {suggestion_line(game, advice)}")
    for remark in notes:
        note(f"note: {remark}")


def _rows_again(game: Game, document: Document) -> Iterator[str]:
    """Yield what each row of a game file did to one before it with the same guess."""
    rows = map(game.as_item, document.value.get("turns", ()))
    turns_of_guess: dict[Code, History] = {}
    numbers: dict[tuple[Code, int], int] = {}  # in the game, by guess and number of its turns
    for turn in (row for row in rows if isinstance(row, Turn)):
        merged = merge(game, turns_of_guess.get(turn.guess, History()), [turn])
        (placed,) = merged.placed
        turns_of_guess[turn.guess] = merged.history
        number = numbers.setdefault((turn.guess, placed.number), len(numbers) + 1)
        if placed.effect == "known":
            yield f"row {number} stands twice: {game.format_turn(placed.turn)}"
        elif placed.effect != "new":
            yield change_line(game, replace(placed, number=number))
