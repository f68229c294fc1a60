"""The commands about game files: `games`, `check`, `init`."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from typer import Context

from puzzlehunt.cli.opening import build_game, open_document
from puzzlehunt.cli.streams import fail, note, print_json, result
from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.languages import language_of
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import GameFileError, PuzzlehuntError, UnknownNameError, counted
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import check_free, write_new
from puzzlehunt.game.files.document import Document, read_document
from puzzlehunt.game.files.secret_and_guess import alphabet_of_symbols
from puzzlehunt.game.files.serialise import commented_file
from puzzlehunt.game.files.table_proposal import game_of_table
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import merge
from puzzlehunt.rules import rule_registry
from puzzlehunt.rules.rule_files import names_file
from puzzlehunt.rules.rule_registry import find_rule, unused
from puzzlehunt.session.answers import Answers
from puzzlehunt.strategies import registry
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


def check(context: Context, file: str, json: bool) -> None:
    """Print a summary of a game file, and warnings about it."""
    document = open_document(context, file)
    game = build_game(context, document)
    # They come first, since there may be no advice.
    alike = list(game.alike_lines())
    for line in () if json else alike:
        note(f"note: {line}")
    answers = Answers(game)
    engine = answers.engine
    is_open, fits = None in game.winning_guesses(game.history), engine.satisfiable()
    advice = None
    if is_open and fits:
        advice = answers.advise(1, answers.budget)
    codes = game.guesses if game.only_questions else game.one_board.secrets
    example = advice.suggestions[0].guess if advice else next(iter(codes))
    meaning = list(meaning_lines(game, example))
    notes = [*remarks(game), *_plug_in_notes(document), *_rows_again(game, document)]
    if json:
        print_json(check_json(file, engine, advice, meaning, [*alike, *notes]))
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


def _plug_in_notes(document: Document) -> Iterator[str]:
    """Yield what is unintended in the entry points of packages, and in that of the game's rule."""
    yield from unused(rule_registry.GROUP, rule_registry.BUILT_IN)
    yield from unused(registry.GROUP, registry.BUILT_IN)
    rule = document.value.get("rule", rule_registry.BUILT_IN["pegs"].name)
    name = rule if isinstance(rule, str) else rule["name"]
    if not names_file(name) and (own := find_rule(name).name) != name:
        yield f"the rule {name!r} calls itself {own!r} in messages; give both one name"


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


Taken = TypeVar("Taken")

_ANSWERS = "answer"
"""Name in error messages of the game file that `init` has not written yet."""


def init(file: Path, table: Path | None) -> None:
    """Write a game file from the answers to questions, or from what a table looks like."""
    check_free(file)
    text, remarks = (
        (_file_from_answers(file.parent), [])
        if table is None
        else game_of_table(table, file.parent)
    )
    game = gamefile.build(read_document(text, str(file), file.parent))
    write_new(file, text)
    result("".join(f"{remark}\n" for remark in remarks), end="")
    result(f"{file}: {count_of(game.secrets.size, 'secret')}. Now: puzzlehunt play {file}")


def _file_from_answers(folder: Path) -> str:
    """Ask questions about a game; return the text of a game file to be written in `folder`."""

    def source(answer: str) -> dict[str, str]:
        try:
            language_of(answer)
        except UnknownNameError:
            words.find(answer, folder)
            return {"words": answer}
        _build({"secret": {"language": answer, "length": "5"}}, folder)
        return {"language": answer}

    def symbols(answer: str) -> str:
        names = alphabet_of_symbols(answer).symbols
        note(f"{counted(len(names), 'symbol')}: {' '.join(names)}")
        return answer

    def length(answer: str) -> str:
        _build({"secret": secret | {"length": answer}}, folder)
        return answer

    def distinct(answer: str) -> bool:
        is_distinct = _one_of(answer, "yes", "no") == "yes"
        _build({"secret": secret | {"distinct": str(is_distinct).lower()}}, folder)
        return is_distinct

    def rule_name(answer: str) -> str:
        _build({"secret": secret, "rule": find_rule(answer).name}, folder)
        return answer

    def miss_mark(answer: str) -> str:
        _build({"secret": secret, "rule": rule, "marks": {"miss": answer}}, folder)
        return answer

    title = _asked("What is the game called", "My game", str)
    kind = _asked("Are secrets words or symbols (colours, digits)", "words", _kind)
    if kind == "words":
        lists = ", ".join(words.ENGLISH_LISTS)
        question = f"Which list ({lists}, a file, or a language such as es)"
        secret = _asked(question, "standard", source)
        secret["length"] = _asked("How many letters", "5", length)
    else:
        question = "The symbols, such as RGBYOP, 1-6, or red green blue"
        secret = {"symbols": _asked(question, "RGBYOP", symbols)}
        secret["length"] = _asked("How many places", "4", length)
    all_differ = _asked("Are all symbols of a secret different", "no", distinct)
    rules = ", ".join(rule for rule in rule_registry.BUILT_IN if rule not in ("pairs", "columns"))
    rule = _asked(f"How a guess is answered ({rules})", "pegs", rule_name)
    has_miss = "miss" in find_rule(rule).mark_names
    miss = _asked("A mark for a miss, if it has one", "", miss_mark) if has_miss else ""
    return commented_file(title, secret, all_differ, miss, rule)


def _build(keys: dict[str, object], folder: Path) -> None:
    gamefile.build(Document(keys, {(): (_ANSWERS, 0)}, {_ANSWERS: folder}))


def _kind(answer: str) -> str:
    if any(noun.startswith(answer.casefold()) for noun in ("colours", "colors", "digits")):
        return "symbols"
    return _one_of(answer, "words", "symbols")


def _one_of(answer: str, *options: str) -> str:
    for option in options:
        if option.startswith(answer.casefold()):
            return option
    raise ValueError(f"expected {' or '.join(options)}, not {answer!r}")


def _asked(question: str, default: str, take: Callable[[str], Taken]) -> Taken:
    """Ask a question until `take` accepts the answer; return the result of `take`."""
    prompt = f"{question} [{default}]: " if default else f"{question}: "
    while True:
        # The question goes to stderr, as stdout is for results.
        print(prompt, end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        if not answer:
            fail("nothing was written", 2)
        try:
            return take(answer.strip() or default)
        except GameFileError as error:
            note(f"! {error.problem}")
        except (PuzzlehuntError, ValueError) as error:
            note(f"! {error}")
