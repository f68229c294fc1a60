"""Commands about files of games: `games`, `check`, `init`, and `export` for solvers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import puzzlehunt
from puzzlehunt.cli import options
from puzzlehunt.cli.options import Asked, File, Given, Text, argument, command, option
from puzzlehunt.cli.streams import answered, fail, note, print_json, read_lines, result
from puzzlehunt.errors import StrategyError, counted

if TYPE_CHECKING:
    from puzzlehunt.views.screen import Table

app = typer.Typer()


@app.command()
def games(
    name: Annotated[
        Text, argument("NAME", "The game to print as YAML, or a size such as 4x6.", options.games)
    ] = None,
    json: options.Json = False,
) -> None:
    """The built-in games; with NAME, that game's file, to start your own from.

    puzzlehunt games cryptic > mygame.yaml
    """
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.views.json import game_json
    from puzzlehunt.views.screen import Screen

    if name is not None and json:
        print_json({"name": name, "yaml": gamefile.yaml_of(name)})
    elif name is not None:
        print(gamefile.yaml_of(name), end="")
    elif json:
        found = {one: gamefile.document_of(one) for one in options.games()}
        shown = [game_json(one, gamefile.build(each), each) for one, each in found.items()]
        print_json({"games": shown})
    else:
        Screen().table(games_table())


def games_table() -> "Table":
    """Return a table of the built-in games; lists of guesses, which take long, are not read."""
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.views.candidates import size_text
    from puzzlehunt.views.screen import Table

    columns = {"game": options.games(), "secrets": [], "what": []}
    for name in columns["game"]:
        document = gamefile.document_of(name).without_rows()
        guess = {k: v for k, v in document.value.get("guess", {}).items() if k != "words"}
        document.value["guess"] = guess
        game = gamefile.build(document)
        columns["secrets"].append(size_text(game))
        columns["what"].append(game.about)
    return Table(columns, ("game", "what"))


@command(app)
def check(given: Given, seconds: options.Seconds = 10, json: options.Json = False) -> None:
    """Say whether a game file is right, and what it means.

    puzzlehunt check mygame.yaml
    """
    from puzzlehunt.cli.opening import build_game, open_document
    from puzzlehunt.game import meaning
    from puzzlehunt.session.answers import Answers
    from puzzlehunt.views.candidates import count_line, suggestion_line
    from puzzlehunt.views.json import advice_json, game_json
    from puzzlehunt.views.screen import Screen
    from puzzlehunt.views.summary import meaning_lines, remarks, size_line
    from puzzlehunt.views.wording import contradiction_line

    document = open_document(given)
    game = build_game(given, document)
    with answered(seconds, game, json):
        answers, screen, notes = Answers(game), Screen(), list[str]()
        fits, advice, first = answers.engine.satisfiable(), None, None
        if fits and not meaning.all_found(game, game.history):
            try:
                advice = answers.advise()
                first = advice.suggestions[0].code if advice else None
            except StrategyError as error:
                notes.append(str(error))
        codes = game.guesses if game.only_questions else game.one_board.secrets
        summary = list(meaning_lines(game, next(iter(codes)) if first is None else first))
        notes += remarks(game)
        if more := len(document.value.get("turns", ())) - len(game.history.turns):
            notes.append(f"{counted(more, 'row')} of a guess that has another row: joined with it")
        if json:
            answer = game_json(given.name, game, document) | {
                "rows": len(game.history.turns),
                "facts": len(game.history.facts),
                "meaning": summary,
                "notes": notes,
                "consistent": fits,
            }
            if advice is None:
                count = answers.engine.count().exact if fits or not answers.engine.proves else 0
                answer |= {"count": count, "exact": count is not None, "suggestions": []}
            else:
                answer |= advice_json(advice)
            print_json(answer)
        else:
            screen.lines([size_line(game), *summary])
            if game.history.items:
                left = count_line(answers.engine.count()) if fits else "they contradict each other"
                kinds = {"rows": game.history.turns, "facts": game.history.facts}
                known = " and ".join(kind for kind, items in kinds.items() if items)
                screen.line(f"{known}: {left}")
            if advice:
                word = "next" if game.history.items else "first"
                screen.line(f"{word}: {suggestion_line(advice)}")
            for remark in notes:
                note(f"note: {remark}")
        if not fits:
            fail(contradiction_line(answers.engine), 1)


@app.command()
def init(
    table: Annotated[Path, option("--table FILE", "A CSV or TSV file of secrets.")],
    file: Annotated[Path, argument("FILE", "The file to write.")] = Path("game.yaml"),
) -> None:
    """Write a game file for a table; for any other game, change a copy: games NAME > mine.yaml.

    puzzlehunt init champions.yaml --table champions.csv
    """
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.game.files.atomic import write_new
    from puzzlehunt.game.files.document import read_document
    from puzzlehunt.game.files.table_files import game_of_table
    from puzzlehunt.views.candidates import count_text

    text, remarks = game_of_table(table, file.parent)
    game = gamefile.build(read_document(text, str(file), file.parent))
    write_new(file, text)
    result("".join(f"{remark}\n" for remark in remarks), end="")
    result(f"{file}: {count_text(game.secrets.size, 'secret')}. Now: puzzlehunt play {file}")


@command(app)
def export(
    given: Asked,
    file: Annotated[File, option("-o --output FILE", "Write to FILE.")] = None,
    force: options.Force = False,
    model: Annotated[Text, option("--read MODEL", "Read a solver's answer; - is stdin.")] = None,
) -> None:
    """The game and its rows as an SMT-LIB 2 script for any solver.

    puzzlehunt export cryptic -t "HORSE B_WR_" -o horse.smt2 && z3 horse.smt2 > answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --read answer
    """
    from puzzlehunt.cli.opening import open_game
    from puzzlehunt.game import meaning
    from puzzlehunt.game.files.atomic import write_new

    game = open_game(given)
    with answered(given.seconds, game):
        if model is not None:
            code = puzzlehunt.smtlib.read_model(game, "\n".join(read_lines(model)))
            if code is None:
                fail("the solver says unsat: the clues contradict each other", 1)
            secret = game.parse_secret(code)
            if secret not in game.secrets or not meaning.fits(game, game.history, secret):
                fail(f"{code} does not fit the game and its rows", 1)
            result(code)
            note(f"checked against {counted(len(game.history.turns), 'row')}: it fits")
            return
        script = puzzlehunt.smtlib.script(game)
        if file is None:
            result(script, end="")
        else:
            write_new(file, script, force=force)
        if not puzzlehunt.candidates(game):
            raise SystemExit(1)
