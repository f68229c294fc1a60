"""Commands about files: games, game files, and scripts for solvers."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlehunt.cli.options import (
    AsJson,
    GameName,
    GuessWords,
    LogFile,
    SecretWords,
    Settings,
    Turns,
    fail,
    open_game,
    open_known,
    open_screen,
    print_json,
    read_lines,
    with_turns,
)
from puzzlehunt.errors import SessionError

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game


def export(
    game: GameName,
    turn: Turns = None,
    history: LogFile = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it there.")
    ] = None,
    read: Annotated[
        str | None,
        typer.Option("--read", metavar="MODEL", help="Read a solver's answer back; - is stdin."),
    ] = None,
    written: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="smtlib, or lp for clingo.")
    ] = "smtlib",
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
) -> None:
    """The game and its rows as an SMT-LIB 2 script for any solver, or as a program for clingo.

    puzzlehunt export cryptic -t "HORSE B_WR_" -o horse.smt2 && z3 horse.smt2 > answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --read answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --format lp -o horse.lp && clingo horse.lp 0
    """
    from puzzlehunt.engines import asp, smtlib
    from puzzlehunt.errors import unknown

    formats = {"smtlib": smtlib.script, "lp": asp.script}
    if written not in formats:
        raise unknown("format", written, formats)
    loaded = open_game(game, settings, secret_words=secret_words, guess_words=guess_words)
    loaded = with_turns(loaded, turn, history)
    if read is not None:
        _read_model(loaded, "\n".join(read_lines(read)))
        return
    script = formats[written](loaded, loaded.history)
    if output is None:
        print(script, end="")
    else:
        from puzzlehunt.session.storage import write_whole

        write_whole(output, script)
    if not open_known(loaded).satisfiable():
        raise SystemExit(1)


def _read_model(game: "Game", answer: str) -> None:
    from puzzlehunt.engines import asp, smtlib
    from puzzlehunt.explain.rows import name_item
    from puzzlehunt.explain.why import ruled_out_by

    code = (asp if asp.wrote(answer) else smtlib).read_model(game, answer)
    if code is None:
        fail("the solver says unsat: the clues contradict each other", 1)
    out = ruled_out_by(game, game.history, code)
    named = game.format_code(code)
    if code not in game.secrets:
        fail(f"{named}: the model's code is not among the game's secrets", 1)
    if out and game.channel.lies.at_most:
        fail(f"{named} fits only if more rows lie than may", 1)
    if out:
        fail(f"{named} does not fit {name_item(game, game.history, out[0])}", 1)
    print(named)
    rows = len(game.history.turns)
    print(f"checked against {rows} {'row' if rows == 1 else 'rows'}: it fits", file=sys.stderr)


def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game or session file.")],
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
) -> None:
    """Say whether a game file is right, and what it means.

    puzzlehunt check mygame.yaml
    """
    from puzzlehunt.explain.rows import contradiction
    from puzzlehunt.views.counts import number, size

    loaded = open_game(file, settings, secret_words=secret_words, guess_words=guess_words)
    rows = len(loaded.history.turns)
    print(
        f"{loaded.title}: {size(loaded)} secrets, {number(loaded.guesses.size)} guesses, "
        f"rule {_rule_name(loaded)}, {rows} {'row' if rows == 1 else 'rows'}"
    )
    if loaded.history.items and not (known := open_known(loaded)).satisfiable():
        fail(contradiction(loaded, known), 1)


def _rule_name(game: "Game") -> str:
    """Return the name of a game's rule, as a game file says it."""
    from puzzlehunt.rules.boards import BoardsRule
    from puzzlehunt.rules.merged import MergedRule

    rule = game.rule.one if isinstance(game.rule, BoardsRule | MergedRule) else game.rule
    return rule.name


def games(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Print its YAML; 4x6 is one too.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The built-in games; with NAME, that game's file, to start your own from.

    puzzlehunt games cryptic > mygame.yaml

    puzzlehunt games 5x8 > mine.yaml
    """
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.views.tables import games_table

    files = gamefile.built_in_games()
    if name is not None:
        text = gamefile.text_of(name)
        if as_json:
            print_json({"name": name, "yaml": text})
        else:
            print(text, end="")
        return
    if as_json:
        loaded = {name: gamefile.load(name) for name in files}
        listed = [
            {"name": name, "title": g.title, "about": g.about, "secrets": g.secrets.size,
             "guesses": g.guesses.size, "rule": _rule_name(g), "boards": g.boards,
             "source": g.source}
            for name, g in loaded.items()
        ]  # fmt: skip
        print_json({"games": listed})
        return
    rows = [(name, *_row(name)) for name in files]
    open_screen().table(games_table(rows))


def _row(name: str) -> tuple[str, str, str, str]:
    """Return what is listed of a built-in game; what may be guessed besides is not read for it."""
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.views.counts import size

    document = gamefile.find_document(name, Path())
    guess = {k: v for k, v in document.value.get("guess", {}).items() if k != "words"}
    value = {k: v for k, v in document.value.items() if k not in ("facts", "turns")}
    game = gamefile.build(replace(document, value=value | {"guess": guess}))
    return size(game), game.about, game.rule.told, game.source


def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")] = Path(
        "game.yaml"
    ),
) -> None:
    """Ask a few questions and write a commented game file.

    puzzlehunt init mygame.yaml
    """
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.game.files.document import read_document
    from puzzlehunt.rules.registry import BUILT_IN, find_rule
    from puzzlehunt.session.storage import write_whole
    from puzzlehunt.views.counts import number

    if file.exists():
        raise SessionError(f"{file} exists already; nothing was written")
    title = _ask("What is the game called", "My game")
    kind = _ask("Are secrets words or symbols (colours, digits)", "words")
    if kind.casefold().startswith("w"):
        words = _ask("Which list (common, standard, large, huge, or a file)", "standard")
        secret = {"words": words, "length": _ask("How many letters", "5")}
    else:
        symbols = _ask("The symbols, one character each", "RGBYOP")
        secret = {"symbols": symbols, "length": _ask("How many places", "4")}
    distinct = _ask("Are all symbols of a secret different", "no").casefold().startswith("y")
    kinds = ", ".join(rule for rule in BUILT_IN if rule != "pairs")
    rule = _ask(f"How a guess is answered ({kinds})", "pegs")
    has_miss = "miss" in find_rule(rule).mark_names
    miss = _ask("A mark for a miss, if it has one", "") if has_miss else ""
    text = gamefile.commented(title, secret, distinct, miss, rule)
    document = read_document(text, str(file), file.parent)
    game = gamefile.build(document)
    write_whole(file, text)
    print(f"{file}: {number(game.secrets.size)} secrets. Now: puzzlehunt play {file}")


def _ask(question: str, default: str) -> str:
    """Return a line of stdin; the question goes to stderr, so that stdout is for results."""
    shown = f"{question} [{default}]: " if default else f"{question}: "
    print(shown, end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer:
        fail("nothing was written", 2)
    return answer.strip() or default
