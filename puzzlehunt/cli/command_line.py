"""Defines the commands of the program, with their options and help.

The work of a command is another function, imported when it is called: help and completion need only
the options.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option
from typer.core import TyperCommand

from puzzlehunt.cli import options
from puzzlehunt.cli.options import (
    ASKED,
    COMPARED,
    COMPARISON,
    GAME,
    GUESSES_BUDGET,
    HOST,
    KEYS,
    MORE_ROWS,
    PLAYED,
    ROWS,
    SECONDS_BUDGET,
    TOURNAMENT,
    WAIT,
    does,
    one_of,
    option,
)
from puzzlehunt.cli.streams import STDIN, has_input, has_row, note, print_json
from puzzlehunt.errors import LimitError
from puzzlehunt.session.limits import DEFAULT_SECONDS, limited

app = typer.Typer(rich_markup_mode=None)
lab = typer.Typer(rich_markup_mode=None)


class Answer(TyperCommand):
    """A command that gives one answer, within `--seconds`.

    Without an answer in time, `--json` prints that the count is unknown. A note mentions rows that
    wait on stdin and were not read.
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
@does("playing.play", ..., PLAYED, SECONDS_BUDGET)
def play(
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


@app.command(cls=Answer)
@does("suggesting.suggest", ROWS, ..., PLAYED, SECONDS_BUDGET, WAIT)
def suggest(
    top: Annotated[int, option("--top", "N", "How many suggestions.", least=1)] = 5,
    try_: Annotated[str | None, option("--try", "CODE", "How good is a guess of yours?")] = None,
    unread: Annotated[bool, Option("--unread", help="Rank unread marks, not guesses.")] = False,
    json: options.Json = False,
) -> None:
    """The best next guesses, and what each is worth.

    puzzlehunt suggest cryptic "HORSE B_WR_" "WORSE __RW_"

    puzzlehunt suggest heart-2018 --unread
    """


@app.command(cls=Answer)
@does("suggesting.candidates", ROWS, ..., ASKED, WAIT)
def candidates(
    limit: Annotated[
        int, option("--limit", "N", "How many are listed at most.", least=0)
    ] = options.DEFAULT_LIMIT,
    json: options.Json = False,
) -> None:
    """What is still possible, one code per line; of several boards, board by board.

    If rows are weighed, the likeliest code comes first, and each has its chance after a tab.

    puzzlehunt candidates cryptic -t "HORSE B_WR_" --limit 100
    """


@app.command(context_settings=options.DASHED_CODES)
@does("score.score", GAME, ..., KEYS)
def score(
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


@app.command()
@does("hosting.host", GAME, ..., HOST, KEYS)
def host(
    secret: Annotated[
        str | None, option("--secret", "CODE", "The secret; without it, one is drawn.")
    ] = None,
    seed: Annotated[
        int | None,
        option("--seed", "N", "Draw the same secret again.", least=0),
    ] = None,
) -> None:
    r"""Practise: the program has a secret, and answers your guesses.

    puzzlehunt host mastermind

    printf 'CRANE\nSLOTH\n' | puzzlehunt host wordle --secret CRANE
    """


@app.command()
@does("hosting.solve", GAME, ..., PLAYED, GUESSES_BUDGET)
def solve(
    secret: Annotated[
        str | None, option("--secret", "CODE", "The secret; random draws one.", one_of("random"))
    ] = None,
    json: options.Json = False,
) -> None:
    """Play by itself against a secret, and print the transcript.

    puzzlehunt solve cryptic --secret HEART

    puzzlehunt solve absurdle
    """


@app.command()
@does("serve.serve")
def serve(
    boards: Annotated[
        list[str] | None,
        Argument(
            metavar="GAME|FILE",
            help="Games, sizes or files to make boards of.",
            autocompletion=options.games,
        ),
    ] = None,
    data: Annotated[
        Path | None, option("--data", "DIR", "The folder where boards are kept.")
    ] = None,
    host: Annotated[
        str, option("--host", "HOST", "The address to listen on; 0.0.0.0 admits other machines.")
    ] = "127.0.0.1",
    port: Annotated[int, option("--port", "PORT", "The port.", least=0)] = 8765,
    name: Annotated[
        str | None,
        option("--name", "NAME", "The public host name, if the server is behind a reverse proxy."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        option(
            "--proxy",
            "ADDRESS",
            "A trusted reverse proxy on another machine; may be repeated.",
        ),
    ] = None,
    password_file: Annotated[
        Path | None, option("--password-file", "FILE", "Visitors need the password in this file.")
    ] = None,
    most_boards: Annotated[
        int, option("--boards", "N", "How many boards there may be.", least=1)
    ] = 1_000,
    workers: Annotated[
        int, option("--workers", "N", "How many processes answer questions.", least=2)
    ] = 3,
) -> None:
    """A team's boards in a browser: a page to open, and a link to share.

    puzzlehunt serve cryptic

    puzzlehunt serve --data hunt --port 8080 --password-file secret.txt
    """


@app.command(cls=Answer, context_settings=options.DASHED_CODES)
@does("analysis.explain", GAME, MORE_ROWS, ..., ASKED, WAIT)
def explain(
    rows_and_code: Annotated[
        list[str] | None,
        Argument(metavar="CODE", help="Why is it out? Rows may precede it, as in 'GUESS CLUE'."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Which rows cannot all be right, and what would mend them; with CODE, which rows rule it out.

    With several boards, CODE is 2: B, or one word for any board.

    puzzlehunt explain mastermind "RRRR B" "RGBY none"

    puzzlehunt explain cryptic "HORSE B_WR_" HEART
    """


@app.command(cls=Answer)
@does("analysis.identify", ..., {"rows": options.Rows} | MORE_ROWS, KEYS, WAIT)
def identify(
    name: Annotated[
        str | None,
        Argument(
            metavar="GAME",
            help="Whose secrets to take; without it, words as long as the first guess.",
            autocompletion=options.games,
            callback=options.named_as_listed,
        ),
    ] = None,
    secret: Annotated[str | None, option("--secret", "CODE", "The secret, if it is known.")] = None,
    top: Annotated[int, option("--top", "N", "How many guesses.", least=1)] = 5,
    json: options.Json = False,
) -> None:
    """What marks mean that nobody explained: the likeliest rules and meanings, and the secrets.

    All rules are tried; with --rule NAME, only what the marks of that rule mean.

    puzzlehunt identify "HORSE XYX_Z" "CRANE YYXYY"

    puzzlehunt identify 4x6 "AABB O" "ABCD OX" --secret DBAA
    """


@app.command(cls=Answer)
@does("analysis.review", ROWS, ..., ASKED, SECONDS_BUDGET, WAIT)
def review(
    json: options.Json = False,
) -> None:
    """How good each guess was: what it was expected to tell, what it told, and the best, in bits.

    puzzlehunt review wordle "CRANE G...Y" "SLOTH Y..YY"

    puzzlehunt review heart-2018 --json
    """


@app.command(cls=Answer)
@does("export.export", ROWS, ..., KEYS, WAIT)
def export(
    file: Annotated[Path | None, option("-o --output", "FILE", "Write to FILE.")] = None,
    force: options.Force = False,
    model: Annotated[
        str | None, option("--read", "MODEL", "Read a solver's answer from this file; - is stdin.")
    ] = None,
) -> None:
    """The game and its rows as an SMT-LIB 2 script for any solver.

    puzzlehunt export cryptic -t "HORSE B_WR_" -o horse.smt2 && z3 horse.smt2 > answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --read answer
    """


@app.command(cls=Answer)
@does("games.check", ..., KEYS, WAIT)
def check(
    file: Annotated[
        str,
        Argument(metavar="FILE", help="A game or session file.", autocompletion=options.game_files),
    ],
    json: options.Json = False,
) -> None:
    """Say whether a game file is right, and what it means.

    puzzlehunt check mygame.yaml
    """


@app.command()
@does("games.games")
def games(
    name: Annotated[
        str | None,
        Argument(
            metavar="NAME",
            help="The game to print as YAML, or a size such as 4x6.",
            autocompletion=options.games,
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """The built-in games; with NAME, that game's file, to start your own from.

    puzzlehunt games cryptic > mygame.yaml

    puzzlehunt games 5x8 > mine.yaml
    """


@app.command()
@does("games.init")
def init(
    file: Annotated[Path, Argument(metavar="FILE", help="The file to write.")] = Path("game.yaml"),
    table: Annotated[
        Path | None,
        option("--table", "FILE", "A CSV or TSV file, whose rows are the secrets."),
    ] = None,
) -> None:
    """Write a game file for a table.

    puzzlehunt init champions.yaml --table champions.csv
    """


# The lab.


@lab.command()
@does("lab.run", GAME, ..., TOURNAMENT, GUESSES_BUDGET)
def run(
    secrets: Annotated[
        str,
        option(
            "--secrets",
            "all|N|FILE",
            "Play all, a seeded sample of N, or those in a file.",
            one_of("all"),
        ),
    ] = "all",
    json: options.Json = False,
    jobs: Annotated[
        int | None,
        option(
            "--jobs", "N", "How many processes share the work; by default one per core.", least=1
        ),
    ] = None,
    cluster: Annotated[
        str | None, option("--cluster", "ADDRESS", "A Dask scheduler that distributes the work.")
    ] = None,
    checkpoint: Annotated[
        Path | None, option("--checkpoint", "FILE", "Save progress in FILE, and resume from it.")
    ] = None,
    csv: Annotated[Path | None, option("--csv", "FILE", "Write one line per game to FILE.")] = None,
    tree: Annotated[
        Path | None, option("--tree", "FILE", "Write the decision tree to FILE.")
    ] = None,
    certificate: Annotated[
        Path | None,
        option("--certificate", "FILE", "Write a proof of `optimal` that others can check."),
    ] = None,
    force: options.Force = False,
) -> None:
    """Play every secret, and report guesses in two counts: until played, until known.

    puzzlehunt lab run 4x6 --strategy parts

    puzzlehunt lab run nethack --strategy minimax --pool candidates --ties first --opening AABBC

    puzzlehunt lab run 16x6 --secrets 1000 --checkpoint 16x6.part --csv 16x6.csv

    puzzlehunt lab run wordle --secrets answers.txt

    puzzlehunt lab run 5x6 --strategy optimal --checkpoint 5x6.part
    """


@lab.command()
@does("lab.compare", GAME, COMPARED, ..., COMPARISON)
def compare(
    with_published: Annotated[
        bool, Option("--published", help="Also show published results.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Play strategies against the same secrets, and say which differences are real.

    puzzlehunt lab compare 4x6 --strategy entropy --strategy parts --published

    puzzlehunt lab compare nethack --strategy minimax --strategy parts --pool candidates
    """


@lab.command()
@does("lab.plot", GAME, ..., COMPARED, COMPARISON)
def plot(
    picture: Annotated[Path, option("-o --output", "FILE", "The picture to write: .svg or .png.")],
    kind: Annotated[
        str,
        option("--kind", "KIND", "histogram or shrink.", one_of("histogram", "shrink")),
    ] = "histogram",
    force: options.Force = False,
) -> None:
    """Draw how many guesses games took, or how the candidates shrink from guess to guess.

    puzzlehunt lab plot 4x6 --strategy entropy --strategy parts -o guesses.svg

    puzzlehunt lab plot nethack --strategy parts --kind shrink -o shrinking.png
    """


@lab.command()
@does("lab.verify", ..., KEYS)
def verify(
    file: Annotated[Path, Argument(metavar="FILE", help="A tree that lab run --tree wrote.")],
    name: Annotated[
        str | None,
        option(
            "--game", "GAME", "The game, if it is not the one that the file names.", options.games
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Follow a tree to every secret, and count its guesses anew.

    puzzlehunt lab verify 4x6.tree
    """
