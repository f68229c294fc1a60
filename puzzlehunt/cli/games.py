"""The commands about game files: `games`, `check`, `init`."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from puzzlehunt.cli.opening import build_game, open_document
from puzzlehunt.cli.options import Given
from puzzlehunt.cli.streams import fail, note, print_json, result
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import StrategyError, UnknownNameError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import check_free, write_new
from puzzlehunt.game.files.document import Document, read_document
from puzzlehunt.game.files.table_files import game_of_table
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import merge
from puzzlehunt.session.answers import Answers
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.advice import suggestion_line
from puzzlehunt.views.candidates import count_line, count_of, size_text
from puzzlehunt.views.json import check_json, game_json
from puzzlehunt.views.printed_tables import games_table
from puzzlehunt.views.rows import change_line
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.summary import meaning_lines, remarks, size_line
from puzzlehunt.views.wording import contradiction_line


def games(name: str | None, json: bool) -> None:
    """Print the table of built-in games, or the text of one game's file."""
    names = gamefile.built_in_games()
    if name is not None:
        text = gamefile.yaml_of(name)
        if json:
            print_json({"name": name, "yaml": text})
        else:
            print(text, end="")
    elif json:
        print_json({"games": [game_json(name, gamefile.load(name)) for name in names]})
    else:
        show_games()


def show_games() -> None:
    """Print a table of all built-in games."""
    names, screen = gamefile.built_in_games(), Screen()
    screen.table(games_table([(name, *_columns(name)) for name in names], screen.width))


def _columns(name: str) -> tuple[str, str, str, str]:
    """Return a built-in game's size, description, rule and source, for the list of games.

    The game's word list of guesses is not read, since that would take most of the time.
    """
    document = gamefile.find_document(name, Path()).without_rows()
    guess = {k: v for k, v in document.value.get("guess", {}).items() if k != "words"}
    document.value["guess"] = guess
    game = gamefile.build(document)
    return size_text(game), game.about, game.rule.summary, game.source


def check(given: Given, json: bool) -> None:
    """Print a summary of a game file, and warnings about it."""
    document = open_document(given)
    game = build_game(given, document)
    alike = list(game.alike_lines())
    for line in () if json else alike:
        note(f"note: {line}")
    answers = Answers(game)
    engine = answers.engine
    is_open, fits = None in game.winning_guesses(game.history), engine.satisfiable()
    advice, troubles = None, list[str]()
    try:
        advice = answers.advise(1, answers.budget) if is_open and fits else None
    except StrategyError as error:
        troubles.append(str(error))
    codes = game.guesses if game.only_questions else game.one_board.secrets
    example = advice.suggestions[0].guess if advice else next(iter(codes))
    meaning = list(meaning_lines(game, example))
    notes = [*troubles, *remarks(game), *_rows_again(game, document)]
    if json:
        print_json(check_json(given.name, engine, advice, meaning, [*alike, *notes]))
    else:
        _show_meaning(engine, advice, meaning, notes)
    if not fits:
        fail(contradiction_line(game, engine), 1)


def _show_meaning(
    engine: Engine, advice: Advice | None, meaning: list[str], notes: list[str]
) -> None:
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
    rows = map(game.as_item, document.value.get("turns", ()))
    turns_of_guess: dict[Code, History] = {}
    numbers: dict[tuple[Code, int], int] = {}  # in the game, by guess and number of its turns
    for turn in (row for row in rows if isinstance(row, Turn)):
        merged = merge(game, turns_of_guess.get(turn.guess, History()), [turn])
        (placed,) = merged.placed
        turns_of_guess[turn.guess] = merged.history
        number = numbers.setdefault((turn.guess, placed.number), len(numbers) + 1)
        if placed.effect == "known":
            yield f"row {number} occurs twice: {game.format_turn(placed.turn)}"
        elif placed.effect != "new":
            yield change_line(game, replace(placed, number=number))


def init(file: Path, table: Path | None) -> None:
    """Write a game file for a table, from what its columns look like."""
    if table is None:
        raise UnknownNameError(
            f"init writes a game file for a table, with --table FILE; change a copy of a built-in "
            f"game for any other: puzzlehunt games mastermind > {file}"
        )
    check_free(file)
    text, remarks = game_of_table(table, file.parent)
    game = gamefile.build(read_document(text, str(file), file.parent))
    write_new(file, text)
    result("".join(f"{remark}\n" for remark in remarks), end="")
    result(f"{file}: {count_of(game.secrets.size, 'secret')}. Now: puzzlehunt play {file}")
