"""Defines the commands of the program, with their options and help.

The module that runs a command is imported when the command is called: help and completion need only
the options.
"""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from puzzlehunt.cli import options
from puzzlehunt.cli.options import Given, one_of, option
from puzzlehunt.cli.streams import answered
from puzzlehunt.session.limits import DEFAULT_SECONDS, LISTED_CANDIDATES, LISTED_GUESSES

app = typer.Typer(rich_markup_mode=None)
lab_app = typer.Typer(rich_markup_mode=None)


@app.command()
def play(
    name: Annotated[str | None, options.game_argument("What to play.")] = None,
    rows: options.Rows = None,
    session_file: Annotated[
        Path | None, option("--session", "FILE", "Keep the game in this file.")
    ] = None,
    coach: Annotated[bool, Option("--coach", help="No suggestions until /suggest.")] = False,
    echo: Annotated[
        bool, Option("--echo", help="Repeat the lines that are read from a pipe.")
    ] = False,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    hard: options.Hard = None,
    reads: options.Reads = None,
    strategy: options.Strategy = None,
    settings: options.Settings = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
) -> None:
    r"""Play: type guesses and what you could read of the answers. Without GAME you are asked.

    puzzlehunt play cryptic

    puzzlehunt play wordle 'CRANE GY..G' 'CURSE GGG.G'

    puzzlehunt play mine.yaml (rows are written to this file)

    printf 'HORSE B_WR_\n/candidates 5\n' | puzzlehunt play cryptic
    """
    from puzzlehunt.cli import playing

    given = Given(
        name or "", settings, words, length, rule, rows, hard=hard, reads=reads, strategy=strategy
    )
    playing.play(given, session_file, coach, echo, seconds)


@app.command()
def suggest(
    name: options.GameName,
    rows: options.Rows = None,
    turns: options.Turns = None,
    history: options.History = None,
    top: options.Top = LISTED_GUESSES,
    try_: Annotated[str | None, option("--try", "CODE", "How good is a guess of yours?")] = None,
    unread: Annotated[bool, Option("--unread", help="Rank unread marks, not guesses.")] = False,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    hard: options.Hard = None,
    reads: options.Reads = None,
    strategy: options.Strategy = None,
    settings: options.Settings = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
    json: options.Json = False,
) -> None:
    """The best next guesses, and what each is worth.

    puzzlehunt suggest cryptic "HORSE B_WR_" "WORSE __RW_"

    puzzlehunt suggest heart-2018 --unread
    """
    from puzzlehunt.cli import suggesting

    given = Given(name, settings, words, length, rule, rows, turns, history, hard, reads, strategy)
    with answered(seconds, json):
        suggesting.suggest(given, top, try_, unread, json)


@app.command()
def candidates(
    name: options.GameName,
    rows: options.Rows = None,
    turns: options.Turns = None,
    history: options.History = None,
    limit: Annotated[
        int, option("--limit", "N", "How many are listed at most.", least=0)
    ] = LISTED_CANDIDATES,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    hard: options.Hard = None,
    reads: options.Reads = None,
    settings: options.Settings = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
    json: options.Json = False,
) -> None:
    """What is still possible, one code per line; of several boards, board by board.

    If rows are weighed, the likeliest code comes first, and each has its chance after a tab.

    puzzlehunt candidates cryptic -t "HORSE B_WR_" --limit 100
    """
    from puzzlehunt.cli import suggesting

    given = Given(name, settings, words, length, rule, rows, turns, history, hard, reads)
    with answered(seconds, json):
        suggesting.candidates(given, limit, json)


# Codes may start with a dash.
@app.command(context_settings={"ignore_unknown_options": True})
def score(
    name: options.GameName,
    secret: Annotated[
        str, Argument(metavar="SECRET", help="The secret; - reads lines SECRET GUESS from stdin.")
    ],
    guess: Annotated[str | None, Argument(metavar="GUESS", help="What is guessed.")] = None,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    settings: options.Settings = None,
    json: options.Json = False,
) -> None:
    r"""The feedback of a guess.

    puzzlehunt score cryptic HEART HORSE

    printf 'HEART HORSE\n' | puzzlehunt score cryptic -
    """
    from puzzlehunt.cli import score as scoring

    given = Given(name, settings, words, length, rule)
    scoring.score(given, secret, guess, json)


@app.command()
def host(
    name: options.GameName,
    secret: Annotated[
        str | None, option("--secret", "CODE", "The secret; without it, one is drawn.")
    ] = None,
    seed: options.Seed = None,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    hard: options.Hard = None,
    settings: options.Settings = None,
) -> None:
    r"""Practise: the program has a secret, and answers your guesses.

    puzzlehunt host mastermind

    printf 'CRANE\nSLOTH\n' | puzzlehunt host wordle --secret CRANE
    """
    from puzzlehunt.cli import hosting

    given = Given(name, settings, words, length, rule, hard=hard, seed=seed)
    hosting.host(given, secret)


@app.command()
def solve(
    name: options.GameName,
    secret: Annotated[
        str | None, option("--secret", "CODE", "The secret; random draws one.", one_of("random"))
    ] = None,
    seed: options.Seed = None,
    budget: options.Budget = None,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    hard: options.Hard = None,
    reads: options.Reads = None,
    strategy: options.Strategy = None,
    settings: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Play by itself against a secret, and print the transcript.

    puzzlehunt solve cryptic --secret HEART

    puzzlehunt solve absurdle
    """
    from puzzlehunt.cli import hosting

    given = Given(
        name, settings, words, length, rule, hard=hard, reads=reads, strategy=strategy, seed=seed
    )
    hosting.solve(given, secret, budget, json)


@app.command()
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
        int, option("--workers", "N", "How many processes answer questions.", least=1)
    ] = 3,
) -> None:
    """A team's boards in a browser: a page to open, and a link to share.

    puzzlehunt serve cryptic

    puzzlehunt serve --data hunt --port 8080 --password-file secret.txt
    """
    from puzzlehunt.cli import serve as serving

    serving.serve(
        boards=boards or [],
        folder=data,
        host=host,
        port=port,
        name=name or "",
        proxies=proxy or [],
        password_file=password_file,
        most_boards=most_boards,
        workers=workers,
    )


@app.command()
def explain(
    name: options.GameName,
    rows: options.Rows = None,
    turns: options.Turns = None,
    history: options.History = None,
    why: Annotated[str | None, option("--why", "CODE", "Which rows rule this code out?")] = None,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    hard: options.Hard = None,
    reads: options.Reads = None,
    settings: options.Settings = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
    json: options.Json = False,
) -> None:
    """Which rows cannot all be right, and what would mend them; why a code is not the secret.

    With several boards, CODE is 2: B, or one word for any board.

    puzzlehunt explain mastermind "RRRR B" "RGBY none"

    puzzlehunt explain cryptic "HORSE B_WR_" --why HEART
    """
    from puzzlehunt.cli import analysis

    given = Given(name, settings, words, length, rule, rows, turns, history, hard, reads)
    with answered(seconds, json):
        analysis.explain(given, why, json)


@app.command()
def identify(
    name: Annotated[
        str | None,
        options.game_argument(
            "Whose secrets to take; without it, words as long as the first guess."
        ),
    ] = None,
    rows: options.Rows = None,
    turns: options.Turns = None,
    history: options.History = None,
    secret: Annotated[str | None, option("--secret", "CODE", "The secret, if it is known.")] = None,
    top: options.Top = LISTED_GUESSES,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    settings: options.Settings = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
    json: options.Json = False,
) -> None:
    """What marks mean that nobody explained: the likeliest rules and meanings, and the secrets.

    All rules are tried; with --rule NAME, only what the marks of that rule mean.

    puzzlehunt identify "HORSE XYX_Z" "CRANE YYXYY"

    puzzlehunt identify 4x6 "AABB O" "ABCD OX" --secret DBAA
    """
    from puzzlehunt.cli import analysis

    given = Given(name or "", settings, words, length, rule, rows, turns, history)
    with answered(seconds, json):
        analysis.identify(given, secret, top, json)


@app.command()
def review(
    name: options.GameName,
    rows: options.Rows = None,
    turns: options.Turns = None,
    history: options.History = None,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    hard: options.Hard = None,
    reads: options.Reads = None,
    settings: options.Settings = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
    json: options.Json = False,
) -> None:
    """How good each guess was: what it was expected to tell, what it told, and the best, in bits.

    puzzlehunt review wordle "CRANE G...Y" "SLOTH Y..YY"

    puzzlehunt review heart-2018 --json
    """
    from puzzlehunt.cli import analysis

    given = Given(name, settings, words, length, rule, rows, turns, history, hard, reads)
    with answered(seconds, json):
        analysis.review(given, json)


@app.command()
def export(
    name: options.GameName,
    rows: options.Rows = None,
    turns: options.Turns = None,
    history: options.History = None,
    file: Annotated[Path | None, option("-o --output", "FILE", "Write to FILE.")] = None,
    force: options.Force = False,
    model: Annotated[
        str | None, option("--read", "MODEL", "Read a solver's answer from this file; - is stdin.")
    ] = None,
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    settings: options.Settings = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
) -> None:
    """The game and its rows as an SMT-LIB 2 script for any solver.

    puzzlehunt export cryptic -t "HORSE B_WR_" -o horse.smt2 && z3 horse.smt2 > answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --read answer
    """
    from puzzlehunt.cli import export as exporting

    given = Given(name, settings, words, length, rule, rows, turns, history)
    with answered(seconds):
        exporting.export(given, file, force, model)


@app.command()
def check(
    file: Annotated[
        str,
        Argument(metavar="FILE", help="A game or session file.", autocompletion=options.game_files),
    ],
    rule: options.Rule = None,
    settings: options.Settings = None,
    seconds: options.Seconds = DEFAULT_SECONDS,
    json: options.Json = False,
) -> None:
    """Say whether a game file is right, and what it means.

    puzzlehunt check mygame.yaml
    """
    from puzzlehunt.cli import games as game_files

    given = Given(file, settings, rule=rule)
    with answered(seconds, json):
        game_files.check(given, json)


@app.command()
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
    from puzzlehunt.cli import games as game_files

    game_files.games(name, json)


@app.command()
def init(
    file: Annotated[Path, Argument(metavar="FILE", help="The file to write.")] = Path("game.yaml"),
    table: Annotated[
        Path | None, option("--table", "FILE", "A CSV or TSV file, whose rows are the secrets.")
    ] = None,
) -> None:
    """Write a game file for a table.

    puzzlehunt init champions.yaml --table champions.csv
    """
    from puzzlehunt.cli import games as game_files

    game_files.init(file, table)


# The lab.


@lab_app.command()
def run(
    name: options.GameName,
    secrets: Annotated[
        str,
        option(
            "--secrets",
            "all|N|FILE",
            "Play all, a seeded sample of N, or those in a file.",
            one_of("all"),
        ),
    ] = "all",
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
    words: options.Words = None,
    length: options.Length = None,
    rule: options.Rule = None,
    hard: options.Hard = None,
    reads: options.Reads = None,
    strategy: options.Strategy = None,
    pool: options.Pool = None,
    ties: options.Ties = None,
    opening: options.Opening = None,
    seed: options.Seed = None,
    budget: options.Budget = None,
    settings: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Play every secret, and report guesses in two counts: until played, until known.

    puzzlehunt lab run 4x6 --strategy parts

    puzzlehunt lab run nethack --strategy minimax --pool candidates --ties first --opening AABBC

    puzzlehunt lab run 16x6 --secrets 1000 --checkpoint 16x6.part --csv 16x6.csv

    puzzlehunt lab run wordle --secrets answers.txt

    puzzlehunt lab run 5x6 --strategy optimal --checkpoint 5x6.part
    """
    from puzzlehunt.cli import lab
    from puzzlehunt.lab.execution import Execution

    given = Given(
        name, settings, words, length, rule, hard=hard, reads=reads,
        strategy=strategy, pool=pool, ties=ties, opening=opening, seed=seed,
    )  # fmt: skip
    execution = Execution(jobs, cluster, checkpoint)
    files = {"--csv": csv, "--tree": tree, "--certificate": certificate}
    lab.run(given, secrets, budget, execution, files, force, json)


@lab_app.command()
def compare(
    name: options.GameName,
    strategies: options.Strategies = None,
    secrets: options.Sample = "all",
    count: options.Count = "played",
    with_published: Annotated[
        bool, Option("--published", help="Also show published results.")
    ] = False,
    rule: options.Rule = None,
    pool: options.Pool = None,
    ties: options.Ties = None,
    opening: options.Opening = None,
    seed: options.Seed = None,
    budget: options.Budget = None,
    settings: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Play strategies against the same secrets, and say which differences are real.

    puzzlehunt lab compare 4x6 --strategy entropy --strategy parts --published

    puzzlehunt lab compare nethack --strategy minimax --strategy parts --pool candidates
    """
    from puzzlehunt.cli import lab

    given = Given(name, settings, rule=rule, pool=pool, ties=ties, opening=opening, seed=seed)
    compared = lab.Compared(strategies or [], secrets, count, budget)
    lab.compare(given, compared, with_published, json)


@lab_app.command()
def plot(
    name: options.GameName,
    picture: Annotated[Path, option("-o --output", "FILE", "The picture to write: .svg or .png.")],
    kind: Annotated[
        str, option("--kind", "KIND", "histogram or shrink.", one_of("histogram", "shrink"))
    ] = "histogram",
    force: options.Force = False,
    strategies: options.Strategies = None,
    secrets: options.Sample = "all",
    count: options.Count = "played",
    rule: options.Rule = None,
    pool: options.Pool = None,
    ties: options.Ties = None,
    opening: options.Opening = None,
    seed: options.Seed = None,
    budget: options.Budget = None,
    settings: options.Settings = None,
) -> None:
    """Draw how many guesses games took, or how the candidates shrink from guess to guess.

    puzzlehunt lab plot 4x6 --strategy entropy --strategy parts -o guesses.svg

    puzzlehunt lab plot nethack --strategy parts --kind shrink -o shrinking.png
    """
    from puzzlehunt.cli import lab

    given = Given(name, settings, rule=rule, pool=pool, ties=ties, opening=opening, seed=seed)
    compared = lab.Compared(strategies or [], secrets, count, budget)
    lab.plot(given, compared, picture, kind, force)


@lab_app.command()
def verify(
    file: Annotated[Path, Argument(metavar="FILE", help="A tree that lab run --tree wrote.")],
    name: Annotated[
        str | None,
        option(
            "--game", "GAME", "The game, if it is not the one that the file names.", options.games
        ),
    ] = None,
    rule: options.Rule = None,
    settings: options.Settings = None,
    json: options.Json = False,
) -> None:
    """Follow a tree to every secret, and count its guesses anew.

    puzzlehunt lab verify 4x6.tree
    """
    from puzzlehunt.cli import lab

    given = Given(name or "", settings, rule=rule)
    lab.verify(given, file, json)
