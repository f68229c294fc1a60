"""Commands about game files: `games` lists built-in ones, `check` reads one, `init` writes one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import Asked, engine_with_history, game_of, open_document, takes
from puzzlehunt.cli.interview import file_from_answers
from puzzlehunt.cli.options import GAME_FILE, GAME_NAME, JSON, NEW_FILE, SECONDS, SETTINGS
from puzzlehunt.cli.output import fail, note, open_screen, print_json, result

if TYPE_CHECKING:
    from puzzlehunt.codes.alphabet import Code
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.game.files.document import Document
    from puzzlehunt.game.game import Game
    from puzzlehunt.strategies.adviser import Advice


@takes(GAME_FILE, JSON, *SETTINGS, SECONDS)
def check(asked: Asked) -> None:
    """Say whether a game file is right, and what it means.

    puzzlehunt check mygame.yaml
    """
    from puzzlehunt.strategies.adviser import Adviser
    from puzzlehunt.strategies.base import Budget
    from puzzlehunt.views.explanations import contradiction_line
    from puzzlehunt.views.json import check_json
    from puzzlehunt.views.meaning import meaning_lines, remarks

    document = open_document(asked, asked[GAME_FILE])
    game = game_of(asked, document)
    engine, adviser = engine_with_history(game), Adviser(game)
    is_open, fits = None in game.winning_guesses(game.history), engine.satisfiable()
    advice = None
    if is_open and fits:
        advice = adviser.advise(engine, 1, Budget(seconds=game.play.budget))
    example = advice.suggestions[0].guess if advice else next(iter(game.one_board.secrets))
    meaning = list(meaning_lines(game, example))
    notes = [*remarks(game), *_rows_again(game, document)]
    if asked[JSON]:
        print_json(check_json(asked[GAME_FILE], engine, advice, meaning, notes))
    else:
        _show_meaning(engine, advice, meaning, notes)
    if not fits:
        fail(contradiction_line(game, engine), 1)


def _show_meaning(
    engine: "Engine", advice: "Advice | None", meaning: list[str], notes: list[str]
) -> None:
    """Print what a game file means, how many candidates its rows leave, and what to guess."""
    from puzzlehunt.views.counts import count_line
    from puzzlehunt.views.meaning import size_line
    from puzzlehunt.views.suggestions import suggestion_line

    game, screen = engine.game, open_screen()
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


def _rows_again(game: "Game", document: "Document") -> Iterator[str]:
    """Yield what each row of a game file did to one before it with the same guess."""
    from puzzlehunt.game.history import History, Turn
    from puzzlehunt.game.merging import merge
    from puzzlehunt.views.turns import change_line

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


@takes(GAME_NAME, JSON)
def games(asked: Asked) -> None:
    """The built-in games; with NAME, that game's file, to start your own from.

    puzzlehunt games cryptic > mygame.yaml

    puzzlehunt games 5x8 > mine.yaml
    """
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.views.json import game_json
    from puzzlehunt.views.tables import games_table

    names, name = gamefile.built_in_games(), asked[GAME_NAME]
    if name is not None:
        text = gamefile.yaml_of(name)
        if asked[JSON]:
            print_json({"name": name, "yaml": text})
        else:
            print(text, end="")
    elif asked[JSON]:
        print_json({"games": [game_json(name, gamefile.load(name)) for name in names]})
    else:
        open_screen().table(games_table([(name, *_columns(name)) for name in names]))


def _columns(name: str) -> tuple[str, str, str, str]:
    """Return a built-in game's size, description, rule and source, for the list of games.

    The game's word list of guesses is not read, since that would take most of the time.
    """
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.views.counts import size_text

    document = gamefile.find_document(name, Path())
    guess = {k: v for k, v in document.value.get("guess", {}).items() if k != "words"}
    value = {k: v for k, v in document.value.items() if k not in ("facts", "turns")}
    game = gamefile.build(replace(document, value=value | {"guess": guess}))
    return size_text(game), game.about, game.rule.summary, game.source


@takes(NEW_FILE)
def init(asked: Asked) -> None:
    """Ask a few questions and write a commented game file.

    puzzlehunt init mygame.yaml
    """
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.game.files.atomic import check_free, write_new
    from puzzlehunt.game.files.document import read_document
    from puzzlehunt.views.counts import count_of

    file = asked[NEW_FILE]
    check_free(file)
    text = file_from_answers(file.parent)
    game = gamefile.build(read_document(text, str(file), file.parent))
    write_new(file, text)
    result(f"{file}: {count_of(game.secrets.size, 'secret')}. Now: puzzlehunt play {file}")
