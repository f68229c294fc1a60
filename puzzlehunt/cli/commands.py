"""The commands of the program, each with its options; what a command does is in its own file.

That file is imported when the command is called: help and completion need the options alone.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Context, Option
from typer.core import TyperCommand

from puzzlehunt.cli import options
from puzzlehunt.cli.options import (
    ASKED,
    GUESSES_BUDGET,
    KEYS,
    MORE_ROWS,
    PLAYED,
    ROWS,
    SECONDS_BUDGET,
    WAIT,
    one_of,
    option,
    takes,
)
from puzzlehunt.cli.streams import STDIN, has_input, has_row, note, print_json
from puzzlehunt.errors import LimitError
from puzzlehunt.session.limits import DEFAULT_SECONDS, limited

app = typer.Typer(rich_markup_mode=None)


class Answer(TyperCommand):
    """A command that gives one answer, within `--seconds`.

    Where none is found in time, `--json` prints that nothing is known. Rows that wait on stdin
    unread are told of.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        given = ctx.params
        try:
            with limited(given["seconds"]):
                super().invoke(ctx)
        except LimitError:
            if given.get("json"):
                print_json({"count": None})
            raise
        if "history" in given and not _has_rows(given) and has_input(sys.stdin):
            note("stdin was not read; for the rows that wait there: --history -")


def _has_rows(given: dict[str, Any]) -> bool:
    words = given.get("rows_and_code") or []
    is_code = len(words) == 1 and words != [STDIN] and not has_row(words)
    is_given = any(map(given.get, ("rows", "turns", "history")))
    return bool(is_given or (words and not is_code))


@app.command()
@takes(..., PLAYED, SECONDS_BUDGET)
def play(
    context: Context,
    name: Annotated[
        str | None,
        Argument(
            metavar="GAME",
            help="What to play.",
            autocompletion=options.games,
            callback=options.named_as_listed,
        ),
    ] = None,
    rows: options.Rows = None,
    session_file: Annotated[
        Path | None, option("--session", "FILE", "Keep the game in this file.")
    ] = None,
    coach: Annotated[bool, Option("--coach", help="No suggestions until /suggest.")] = False,
    echo: Annotated[
        bool, Option("--echo", help="Repeat the lines that are read from a pipe.")
    ] = False,
    seconds: Annotated[
        float,
        option(
            "--seconds",
            "SECONDS",
            "How long to wait for each answer; 0: as long as it takes.",
            least=0,
        ),
    ] = DEFAULT_SECONDS,
) -> None:
    r"""Play: type guesses and what you could read of the answers. Without GAME you are asked.

    puzzlehunt play cryptic

    puzzlehunt play wordle 'CRANE GY..G' 'CURSE GGG.G'

    puzzlehunt play mine.yaml (rows are written to this file)

    printf 'HORSE B_WR_\n/candidates 5\n' | puzzlehunt play cryptic
    """
    from puzzlehunt.cli.play import play as run

    run(context, name, rows, session_file, coach, echo, seconds)


@app.command(cls=Answer)
@takes(ROWS, ..., PLAYED, SECONDS_BUDGET, WAIT)
def suggest(
    context: Context,
    top: Annotated[int, option("--top", "N", "How many suggestions.", least=1)] = 5,
    try_: Annotated[str | None, option("--try", "CODE", "How good is a guess of yours?")] = None,
    unread: Annotated[bool, Option("--unread", help="Rank unread marks, not guesses.")] = False,
    json: options.Json = False,
) -> None:
    """The best next guesses, and what each is worth.

    puzzlehunt suggest cryptic "HORSE B_WR_" "WORSE __RW_"

    puzzlehunt suggest heart-2018 --unread
    """
    from puzzlehunt.cli.questions import suggest as run

    run(context, top, try_, unread, json)


@app.command(cls=Answer)
@takes(ROWS, ..., ASKED, WAIT)
def candidates(
    context: Context,
    limit: Annotated[
        int, option("--limit", "N", "How many are listed at most.", least=0)
    ] = options.DEFAULT_LIMIT,
    json: options.Json = False,
) -> None:
    """What is still possible, one code a line; of several boards, board by board.

    Where rows are weighed, the likeliest first, each with its chance after a tab.

    puzzlehunt candidates cryptic -t "HORSE B_WR_" --limit 100
    """
    from puzzlehunt.cli.questions import candidates as run

    run(context, limit, json)


@app.command(context_settings=options.DASHED_CODES)
@takes(..., KEYS)
def score(
    context: Context,
    name: options.GameName,
    secret: Annotated[
        str, Argument(metavar="SECRET", help="The secret; - reads lines SECRET GUESS from stdin.")
    ],
    guess: Annotated[str | None, Argument(metavar="GUESS", help="What is guessed.")] = None,
    json: options.Json = False,
) -> None:
    r"""The feedback of a guess.

    puzzlehunt score cryptic HEART HORSE

    printf 'HEART HORSE\n' | puzzlehunt score cryptic -
    """
    from puzzlehunt.cli.score import score as run

    run(context, secret, guess, json)


@app.command()
@takes(..., KEYS)
def host(
    context: Context,
    name: options.GameName,
    secret: Annotated[
        str | None, option("--secret", "CODE", "The secret; one is drawn without this.")
    ] = None,
    seed: Annotated[
        int | None,
        option("--seed", "N", "Draw the same secret again.", least=0),
    ] = None,
    host: Annotated[
        str | None,
        option(
            "--host",
            "HOST",
            "truthful, or adversarial: it evades you.",
            one_of("truthful", "adversarial"),
        ),
    ] = None,
) -> None:
    r"""Practise: the program has a secret, and answers your guesses.

    puzzlehunt host mastermind

    printf 'CRANE\nSLOTH\n' | puzzlehunt host wordle --secret CRANE
    """
    from puzzlehunt.cli.hosting import host as run

    run(context, secret, seed)


@app.command()
@takes(..., PLAYED, GUESSES_BUDGET)
def solve(
    context: Context,
    name: options.GameName,
    secret: Annotated[
        str | None, option("--secret", "CODE", "The secret; random draws one.", one_of("random"))
    ] = None,
    json: options.Json = False,
) -> None:
    """Play by itself against a secret, and print the transcript.

    puzzlehunt solve cryptic --secret HEART

    puzzlehunt solve absurdle
    """
    from puzzlehunt.cli.hosting import solve as run

    run(context, secret, json)


@app.command()
def serve(
    context: Context,
    boards: Annotated[
        list[str] | None,
        Argument(
            metavar="GAME|FILE",
            help="Boards: games, sizes, and files.",
            autocompletion=options.games,
        ),
    ] = None,
    data: Annotated[
        Path | None, option("--data", "DIR", "The folder where boards are kept.")
    ] = None,
    host: Annotated[
        str, option("--host", "HOST", "Who can come: 0.0.0.0 is everybody.")
    ] = "127.0.0.1",
    port: Annotated[int, option("--port", "PORT", "The port.", least=0)] = 8765,
    name: Annotated[
        str | None,
        option("--name", "NAME", "The host name that visitors use, behind another server."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        option(
            "--proxy",
            "ADDRESS",
            "A server on another machine that visitors come by; may be repeated.",
        ),
    ] = None,
    password_file: Annotated[
        Path | None, option("--password-file", "FILE", "Visitors need the password in this file.")
    ] = None,
    most_boards: Annotated[
        int, option("--boards", "N", "How many boards there may be.", least=1)
    ] = 1_000,
    requests: Annotated[
        int, option("--requests", "N", "Requests a minute of one visitor; 0: any.", least=0)
    ] = 1_200,
    workers: Annotated[
        int, option("--workers", "N", "How many processes answer questions.", least=2)
    ] = 3,
) -> None:
    """A team's boards in a browser: a page to open, and a link to share.

    puzzlehunt serve cryptic

    puzzlehunt serve --data hunt --port 8080 --password-file secret.txt
    """
    from puzzlehunt.cli.serve import serve as run

    run(context)


@app.command(cls=Answer, context_settings=options.DASHED_CODES)
@takes(MORE_ROWS, ..., ASKED, WAIT)
def explain(
    context: Context,
    name: options.GameName,
    rows_and_code: Annotated[
        list[str] | None,
        Argument(
            metavar="CODE", help="Why is it out? Rows may stand before it, as in 'GUESS CLUE'."
        ),
    ] = None,
    json: options.Json = False,
    all_: Annotated[
        bool, Option("--all", help="All smallest sets of rows that cannot be right.")
    ] = False,
) -> None:
    """Which rows cannot all be right, and what would mend them; with CODE, which rows rule it out.

    With several boards CODE is A/B (one secret a board), 2: B, or one word for any board.

    puzzlehunt explain mastermind "RRRR B" "RGBY none"

    puzzlehunt explain cryptic "HORSE B_WR_" HEART
    """
    from puzzlehunt.cli.questions import explain as run

    run(context, rows_and_code, json, all_)


@app.command(cls=Answer)
@takes(ROWS, ..., ASKED, SECONDS_BUDGET, WAIT)
def review(
    context: Context,
    json: options.Json = False,
) -> None:
    """How good each guess was: what it was expected to tell, what it told, and the best, in bits.

    puzzlehunt review wordle "CRANE G...Y" "SLOTH Y..YY"

    puzzlehunt review heart-2018 --json
    """
    from puzzlehunt.cli.questions import review as run

    run(context, json)


@app.command(cls=Answer)
@takes(ROWS, ..., KEYS, WAIT)
def export(
    context: Context,
    file: Annotated[Path | None, option("-o --output", "FILE", "Write it there.")] = None,
    force: options.Force = False,
    model: Annotated[
        str | None, option("--read", "MODEL", "Read a solver's answer back; - is stdin.")
    ] = None,
    format_: Annotated[
        str, option("--format", "FORMAT", "smtlib, or lp for clingo.", one_of("smtlib", "lp"))
    ] = "smtlib",
) -> None:
    """The game and its rows as an SMT-LIB 2 script for any solver, or as a program for clingo.

    puzzlehunt export cryptic -t "HORSE B_WR_" -o horse.smt2 && z3 horse.smt2 > answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --read answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --format lp -o horse.lp && clingo horse.lp 0
    """
    from puzzlehunt.cli.export import export as run

    run(context, file, force, model, format_)


@app.command(cls=Answer)
@takes(..., KEYS, WAIT)
def check(
    context: Context,
    file: Annotated[
        str,
        Argument(metavar="FILE", help="A game or session file.", autocompletion=options.game_files),
    ],
    json: options.Json = False,
) -> None:
    """Say whether a game file is right, and what it means.

    puzzlehunt check mygame.yaml
    """
    from puzzlehunt.cli.games import check as run

    run(context, file, json)


@app.command()
def games(
    name: Annotated[
        str | None,
        Argument(
            metavar="NAME", help="Print its YAML; 4x6 is one too.", autocompletion=options.games
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """The built-in games; with NAME, that game's file, to start your own from.

    puzzlehunt games cryptic > mygame.yaml

    puzzlehunt games 5x8 > mine.yaml
    """
    from puzzlehunt.cli.games import games as run

    run(name, json)


@app.command()
def init(
    file: Annotated[Path, Argument(metavar="FILE", help="Where to write it.")] = Path("game.yaml"),
) -> None:
    """Ask a few questions and write a commented game file.

    puzzlehunt init mygame.yaml
    """
    from puzzlehunt.cli.games import init as run

    run(file)
