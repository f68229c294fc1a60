"""The command line: a thin caller of the library, and the only file that parses options."""

import json
import os
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from puzzlehunt import __version__
from puzzlehunt.errors import (
    GameFileError,
    InvalidTurnError,
    NoCandidatesError,
    PuzzlehuntError,
    SessionError,
    UnknownNameError,
)

if TYPE_CHECKING:
    from puzzlehunt.codes import Code
    from puzzlehunt.engines import Engine
    from puzzlehunt.game import Game
    from puzzlehunt.history import Turn
    from puzzlehunt.render import Screen
    from puzzlehunt.session import Session
    from puzzlehunt.strategies import Advice, Budget

app = typer.Typer(
    name="puzzlehunt",
    help="Play guessing games whose answers you can only half read.\n\n"
    "GAME is a built-in name (see `puzzlehunt games`), a game or session file, or a size such as "
    "4x6 (positions x symbols).",
    epilog="Try: puzzlehunt play cryptic",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
lab = typer.Typer(help="Play whole tournaments and count guesses.", rich_markup_mode=None)
app.add_typer(lab, name="lab")

_CODES = {"ignore_unknown_options": True}
"""Codes may start with `-`."""

SECONDS = 1.0

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A built-in name, a file, or NxK.")]
Turns = Annotated[
    list[str] | None,
    typer.Option("-t", "--turn", metavar='"GUESS CLUE"', help="A row; as often as you like."),
]
LogFile = Annotated[
    str | None, typer.Option("--history", metavar="FILE", help="Rows, one a line; - reads stdin.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a key, as in secret.length=4."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
EngineName = Annotated[
    str | None, typer.Option("--engine", metavar="NAME", help="auto, explicit or symbolic.")
]
StrategyName = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="entropy, minimax, expected-size, parts, consistent, or module:function.",
    ),
]
PoolName = Annotated[
    str | None, typer.Option("--pool", metavar="POOL", help="Guess candidates, secrets or all.")
]
TiesName = Annotated[
    str | None, typer.Option("--ties", metavar="TIES", help="first, or a candidate before it.")
]
Opening = Annotated[str | None, typer.Option("--opening", metavar="CODE", help="The first guess.")]
Reads = Annotated[
    str | None,
    typer.Option("--reads", metavar="RATES", help="How often marks are read (a later version)."),
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The seed of all chance.")]
Seconds = Annotated[
    float | None, typer.Option("--budget", metavar="SECONDS", help="Time for one suggestion.")
]
Guesses = Annotated[
    int | None,
    typer.Option("--budget", metavar="N", min=1, help="Guesses evaluated for one suggestion."),
]


def main() -> NoReturn:
    """Run the command line; every error is one or two lines and an exit status."""
    try:
        with _broken_pipes_are_quiet():
            app(standalone_mode=True)
    except PuzzlehuntError as error:
        _fail(str(error), 1 if isinstance(error, NoCandidatesError) else 2)
    except KeyboardInterrupt:
        _fail("stopped", 2)
    except (MemoryError, RecursionError):
        _fail("that is too large for this machine's memory; a smaller game, or --engine symbolic", 2)
    except Exception as error:
        if os.environ.get("PUZZLEHUNT_TRACEBACK"):
            raise
        kind = type(error).__name__
        _fail(f"this should not happen ({kind}: {error}); PUZZLEHUNT_TRACEBACK=1 shows where", 2)
    raise SystemExit(0)


@contextmanager
def _broken_pipes_are_quiet() -> Iterator[None]:
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, status: int) -> NoReturn:
    lines = message.strip().splitlines() or [""]
    print(f"puzzlehunt: {lines[0]}", *lines[1:], sep="\n", file=sys.stderr)
    raise SystemExit(status)


def _version(shown: bool) -> None:
    if shown:
        print(f"puzzlehunt {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _bare(
    context: typer.Context,
    _version_: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is not None:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print(context.get_help())
        return
    games(None, as_json=False)
    play(typer.prompt("Which game"))


# What the options mean.


def _game(
    name: str,
    settings: list[str] | None,
    *,
    engine: str | None = None,
    strategy: str | None = None,
    pool: str | None = None,
    ties: str | None = None,
    opening: str | None = None,
    reads: str | None = None,
    seed: int | None = None,
) -> "Game":
    """Return the game with `--set` and the options that stand for keys under `play`."""
    from puzzlehunt import gamefile

    document = gamefile.find_document(name, Path())
    document = gamefile.apply_settings(document, settings or [])
    options = {
        "engine": engine, "strategy": strategy, "pool": pool, "ties": ties, "opening": opening,
        "seed": seed,
    }  # fmt: skip
    for key, value in options.items():
        if value is not None:
            document = gamefile.set_option(document, f"--{key}", ("play", key), str(value))
    if reads is not None:
        document = gamefile.set_option(document, "--reads", ("reads",), reads)
    game = gamefile.build(document)
    if strategy is not None:
        from puzzlehunt.strategies import find_strategy

        find_strategy(strategy)
    return game


def _with_turns(game: "Game", turns: list[str] | None, history: str | None) -> "Game":
    """Return the game with rows from `-t` and `--history` after its own."""
    from dataclasses import replace

    rows: list[Turn] = []
    for line in turns or []:
        rows.append(_parse_row(game, line, f"-t {line!r}"))
    if history is not None:
        for number, line in enumerate(_read_lines(history), start=1):
            if game.clean(line):
                rows.append(_parse_row(game, line, f"{history}:{number}"))
    return replace(game, history=game.history.add(*rows))


def _parse_row(game: "Game", line: str, where: str) -> "Turn":
    try:
        return game.parse_turn(line)
    except PuzzlehuntError as error:
        raise InvalidTurnError(f"{where}: {error}") from None


def _read_lines(name: str) -> list[str]:
    try:
        if name == "-":
            return sys.stdin.read().splitlines()
        return Path(name).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise SessionError(f"{name}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise SessionError(f"{name}: this is not a text file in UTF-8") from None


def _engine(game: "Game") -> "Engine":
    from puzzlehunt.engines import open_engine

    engine = open_engine(game)
    engine.follow(game.history)
    return engine


def _screen() -> "Screen":
    from puzzlehunt.render import Screen

    return Screen()


def _seconds(game: "Game", budget: float | None) -> "Budget":
    from puzzlehunt.strategies import Budget

    if budget is not None and not 0 < budget < float("inf"):
        raise UnknownNameError(f"--budget {budget}: expected seconds above 0")
    return Budget(seconds=budget or game.play.budget or SECONDS)


def _print_json(value: dict[str, Any]) -> None:
    print(json.dumps(value, ensure_ascii=False))


def _contradiction(game: "Game", engine: "Engine") -> str:
    """Return one line that names the newest row which made the game impossible."""
    from puzzlehunt.explain import name_item

    place = engine.first_conflict()
    assert place is not None
    named = name_item(game, game.history, place)
    return f"the clues contradict each other: nothing fits since {named}"


# The commands.


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="What to play.")] = None,
    session: Annotated[
        Path | None, typer.Option("--session", metavar="FILE", help="Keep the game in this file.")
    ] = None,
    coach: Annotated[bool, typer.Option("--coach", help="No suggestions until /suggest.")] = False,
    settings: Settings = None,
    engine: EngineName = None,
    strategy: StrategyName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Seconds = None,
) -> None:
    """Play: type guesses and what you could read of the answers.

    puzzlehunt play cryptic

    printf 'HORSE B_WR_\\n/candidates 5\\n' | puzzlehunt play cryptic
    """
    from puzzlehunt import repl
    from puzzlehunt.session import Session

    options = {
        "engine": engine, "strategy": strategy, "pool": pool, "ties": ties, "opening": opening,
        "seed": None if seed is None else str(seed), "budget": None if budget is None else str(budget),
    }  # fmt: skip
    given = {key: value for key, value in options.items() if value is not None}
    if session is not None and session.exists():
        current = _resumed(session, game)
        if given:
            _game(str(session), None, **{k: v for k, v in given.items() if k not in ("budget", "seed")})
            current.set_play(**given)
    elif game is None:
        raise UnknownNameError("play what? puzzlehunt play GAME; puzzlehunt games lists them")
    else:
        if budget is not None:
            settings = [*(settings or []), f"play.budget={budget}"]
        loaded = _game(
            game, settings, engine=engine, strategy=strategy, pool=pool, ties=ties,
            opening=opening, reads=reads, seed=seed,
        )  # fmt: skip
        current = Session(loaded, _reference(game), _own_settings(settings, given))
        if session is not None:
            current.keep_in(session)
        elif sys.stdin.isatty():
            current = _kept_by_itself(current, game)
    try:
        agrees = repl.run(current, _screen(), sys.stdin, coach)
    finally:
        current.close()
    if not agrees and not sys.stdin.isatty():
        raise SystemExit(1)


def _resumed(path: Path, game: str | None) -> "Session":
    from puzzlehunt.session import Session

    current = Session.resume(path)
    asked, kept = game and _reference(game), current.reference
    if asked and kept and asked != kept and Path(asked) != path.absolute():
        there = str((path.parent / kept).absolute())
        if os.path.normpath(asked) != os.path.normpath(there):
            current.close()
            raise SessionError(f"{path} is a session of {kept}, not of {game}; another FILE?")
    return current


def _reference(name: str) -> str:
    """Return how a session file names a game: a file by its whole path, all else as it is."""
    from puzzlehunt.gamefile import built_in_games

    if name not in built_in_games() and Path(name).is_file():
        return str(Path(name).absolute())
    return name


def _own_settings(settings: list[str] | None, options: dict[str, str]) -> dict[str, Any]:
    """Return `--set` and the play options as a session file keeps them."""
    from puzzlehunt import gamefile

    document = gamefile.apply_settings(gamefile.Document({}), settings or [])
    value = document.value
    if options:
        value = {**value, "play": {**value.get("play", {}), **options}}
    return value


def _kept_by_itself(fresh: "Session", name: str) -> "Session":
    """Return the session to play in a terminal: the one left last time, or a new one; kept."""
    import hashlib

    import platformdirs

    from puzzlehunt.session import Session

    stem = Path(name).stem
    if stem != name:
        stem += "-" + hashlib.sha256(_reference(name).encode()).hexdigest()[:8]
    folder = platformdirs.user_state_path("puzzlehunt") / "sessions"
    path = folder / f"{stem}.yaml"
    try:
        if path.exists():
            old = Session.resume(path)
            rows = len(old.history.turns)
            begun = rows and old.history != old.game.history.__class__(fresh.history.items)
            if begun and not old.is_won and _wants_to_resume(rows):
                return old
            old.close()
        fresh.keep_in(path)
    except PuzzlehuntError as error:
        print(f"not saved: {error}", file=sys.stderr)
    return fresh


def _wants_to_resume(rows: int) -> bool:
    noun = "row" if rows == 1 else "rows"
    try:
        answer: str = typer.prompt(f"Resume your game of {rows} {noun}, or start anew? [R/n]",
                                   default="r", show_default=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    return not answer.casefold().startswith("n")


@app.command(context_settings=_CODES)
def suggest(
    game: GameName,
    turn: Turns = None,
    history: LogFile = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="How many.")] = 5,
    tried: Annotated[
        str | None, typer.Option("--try", metavar="CODE", help="How good is a guess of yours?")
    ] = None,
    as_json: AsJson = False,
    settings: Settings = None,
    engine: EngineName = None,
    strategy: StrategyName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Seconds = None,
) -> None:
    """The best next guesses, and what each is worth.

    puzzlehunt suggest cryptic -t "HORSE B_WR_" -t "WORSE __RW_"
    """
    loaded = _game(
        game, settings, engine=engine, strategy=strategy, pool=pool, ties=ties, opening=opening,
        reads=reads, seed=seed,
    )  # fmt: skip
    loaded = _with_turns(loaded, turn, history)
    from puzzlehunt.strategies import Adviser

    guess = None if tried is None else loaded.parse_guess(tried)
    known = _engine(loaded)
    adviser = Adviser(loaded)
    if not known.satisfiable():
        if as_json:
            _print_json({"count": 0, "exact": True, "strategy": loaded.play.strategy,
                         "measure": adviser.strategy.measure, "suggestions": []})
        _fail(_contradiction(loaded, known), 1)
    limit = _seconds(loaded, budget)
    if guess is None:
        advice = adviser.advise(known, top, limit)
    else:
        advice = adviser.rate(known, guess, limit)
    _print_advice(loaded, advice, as_json)


def _print_advice(game: "Game", advice: "Advice", as_json: bool) -> None:
    if as_json:
        _print_json(
            {
                "count": advice.count,
                "exact": advice.exact,
                "strategy": advice.strategy,
                "measure": advice.measure,
                "suggestions": [
                    {
                        "guess": game.format_code(suggestion.guess),
                        "value": suggestion.value,
                        "worst": suggestion.worst,
                        "candidate": suggestion.candidate,
                    }
                    for suggestion in advice.suggestions
                ],
            }
        )
        return
    from puzzlehunt import render

    screen = _screen()
    screen.note(render.count_line(advice.count))
    screen.table(render.suggestions_table(game, advice))
    if advice.basis:
        screen.note(f"(from {advice.basis})")


@app.command()
def candidates(
    game: GameName,
    turn: Turns = None,
    history: LogFile = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help="At most so many.")] = 20,
    as_json: AsJson = False,
    settings: Settings = None,
    engine: EngineName = None,
    reads: Reads = None,
) -> None:
    """What is still possible, one code a line.

    puzzlehunt candidates cryptic -t "HORSE B_WR_" --limit 100
    """
    loaded = _with_turns(_game(game, settings, engine=engine, reads=reads), turn, history)
    known = _engine(loaded)
    from puzzlehunt.engines import CountingEngine
    from puzzlehunt.repl import first_codes

    codes, more = first_codes(known.candidates(), limit)
    count = known.count() if isinstance(known, CountingEngine) else None if more else len(codes)
    texts = [loaded.format_code(code) for code in codes]
    if as_json:
        _print_json({"count": count, "exact": True, "candidates": texts})
    else:
        print("".join(f"{text}\n" for text in texts), end="")
        if more:
            left = "more" if count is None else f"{count - len(codes):,} more"
            print(f"... and {left} (--limit N)", file=sys.stderr)
    if not codes and not more:
        _fail(_contradiction(loaded, known), 1)


@app.command(context_settings=_CODES)
def score(
    game: GameName,
    secret: Annotated[str, typer.Argument(metavar="SECRET", help="- reads pairs from stdin.")],
    guess: Annotated[str | None, typer.Argument(metavar="GUESS")] = None,
    as_json: AsJson = False,
    settings: Settings = None,
) -> None:
    """The feedback of a guess.

    puzzlehunt score cryptic HEART HORSE

    printf 'HEART HORSE\\n' | puzzlehunt score cryptic -
    """
    loaded = _game(game, settings)
    if secret == "-" and guess is None:
        for line in sys.stdin:
            if line.strip():
                fields = line.split(maxsplit=1)
                _print_json(_scored_or_error(loaded, fields[0], "".join(fields[1:]).strip()))
        return
    scored = _scored(loaded, secret, guess or "")
    if as_json:
        _print_json(scored)
    else:
        print(scored["feedback"])


def _scored(game: "Game", secret: str, guess: str) -> dict[str, Any]:
    hidden, tried = game.parse_secret(secret), game.parse_guess(guess)
    feedback = game.score(tried, hidden)
    return {
        "secret": game.format_code(hidden),
        "guess": game.format_code(tried) if tried else "",
        "feedback": game.rule.format(game.rule.exactly(feedback, tried)),
        **game.rule.parts(feedback, tried),
    }


def _scored_or_error(game: "Game", secret: str, guess: str) -> dict[str, Any]:
    try:
        return _scored(game, secret, guess)
    except PuzzlehuntError as error:
        return {"secret": secret, "guess": guess, "error": str(error)}


@app.command(context_settings=_CODES)
def solve(
    game: GameName,
    secret: Annotated[
        str, typer.Option("--secret", metavar="CODE", help="What to find; random draws one.")
    ],
    as_json: AsJson = False,
    settings: Settings = None,
    engine: EngineName = None,
    strategy: StrategyName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Guesses = None,
) -> None:
    """Play by itself against a secret, and print the transcript.

    puzzlehunt solve cryptic --secret HEART
    """
    from puzzlehunt.strategies import Adviser

    loaded = _game(
        game, settings, engine=engine, strategy=strategy, pool=pool, ties=ties, opening=opening,
        reads=reads, seed=seed,
    )  # fmt: skip
    if secret.casefold() == "random":
        hidden = loaded.secrets.random(random.Random(loaded.play.seed))
    else:
        hidden = loaded.parse_secret(secret)
        if hidden not in loaded.secrets:
            raise UnknownNameError(
                f"{loaded.format_code(hidden)} is not among the game's secrets; "
                "another --secret, or a wider list: --set secret.words=huge"
            )
    started = time.perf_counter()
    turns, solved = _solve(loaded, hidden, Adviser(loaded), budget, None if as_json else _screen())
    seconds = time.perf_counter() - started
    if as_json:
        told = [(loaded.format_code(t.guess), loaded.rule.format(t.clue)) for t in turns]
        _print_json(
            {
                "secret": loaded.format_code(hidden),
                "solved": solved,
                "guesses": len(turns),
                "turns": [{"guess": guess, "clue": clue} for guess, clue in told],
                "seconds": round(seconds, 3),
            }
        )
    elif solved:
        noun = "guess" if len(turns) == 1 else "guesses"
        print(f"Solved in {len(turns)} {noun}: {loaded.format_code(hidden)}")
    else:
        print(f"Not solved in {len(turns)} guesses: {loaded.format_code(hidden)}")
    if not solved:
        raise SystemExit(1)


def _solve(
    game: "Game", secret: "Code", adviser: Any, budget: int | None, screen: "Screen | None"
) -> tuple[list["Turn"], bool]:
    """Return the turns played, the game's own log first, and whether the last one wins."""
    from puzzlehunt.history import Turn
    from puzzlehunt.strategies import Budget

    known = _engine(game)
    turns = list(game.history.turns)
    rng = random.Random(game.play.seed)
    while game.play.attempts is None or len(turns) < game.play.attempts:
        limit = Budget(guesses=budget or (game.play.budget and int(game.play.budget)) or None)
        advice = adviser.advise(known, 1, limit, seed=rng.randrange(2**32))
        guess = advice.suggestions[0].guess
        turn = Turn(guess, game.rule.exactly(game.score(guess, secret), guess))
        turns.append(turn)
        if screen is not None:
            screen.turn(game, len(turns), turn)
        if guess == secret:
            return turns, True
        known.push(turn)
    return turns, False


@app.command(context_settings=_CODES)
def explain(
    game: GameName,
    code: Annotated[str | None, typer.Argument(metavar="CODE", help="Why is it out?")] = None,
    turn: Turns = None,
    history: LogFile = None,
    as_json: AsJson = False,
    settings: Settings = None,
    engine: EngineName = None,
) -> None:
    """Which rows cannot all be right; with CODE, which rows rule it out.

    puzzlehunt explain mastermind -t "RRRR B" -t "RGBY none"

    puzzlehunt explain cryptic -t "HORSE B_WR_" HEART
    """
    from puzzlehunt.explain import name_item, ruled_out_by, smallest_conflict, turn_number

    loaded = _with_turns(_game(game, settings, engine=engine), turn, history)
    known = _engine(loaded)
    places = smallest_conflict(known)
    out = ruled_out_by(loaded, loaded.history, loaded.parse_secret(code)) if code else []
    if as_json:
        told: dict[str, Any] = {
            "consistent": not places,
            "conflict": [n for p in places if (n := turn_number(loaded.history, p))],
        }
        if code:
            hidden = loaded.parse_secret(code)
            told["code"] = loaded.format_code(hidden)
            told["candidate"] = not out and hidden in loaded.secrets
            told["because"] = [n for p in out if (n := turn_number(loaded.history, p))]
        _print_json(told)
    else:
        if places:
            print("These cannot all be right; without any one of them the rest agree:")
            for place in places:
                print(f"  {name_item(loaded, loaded.history, place)}")
        elif not code:
            print("The rows agree with each other.")
        if code:
            _print_why(loaded, loaded.parse_secret(code), out)
    if places:
        raise SystemExit(1)


def _print_why(game: "Game", code: "Code", out: list[int]) -> None:
    from puzzlehunt.explain import name_item

    named = game.format_code(code)
    if not out:
        listed = "is still in" if code in game.secrets else "fits every row, but is in no list"
        print(f"{named} {listed}")
    for place in out:
        print(f"{named} is out by {name_item(game, game.history, place)}")


@app.command()
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
    settings: Settings = None,
) -> None:
    """The game and its rows as an SMT-LIB 2 script, for any solver.

    puzzlehunt export cryptic -t "HORSE B_WR_" -o horse.smt2 && z3 horse.smt2 > answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --read answer
    """
    from puzzlehunt import smtlib

    loaded = _with_turns(_game(game, settings), turn, history)
    if read is not None:
        _read_model(loaded, "\n".join(_read_lines(read)))
        return
    script = smtlib.script(loaded, loaded.history)
    if output is None:
        print(script, end="")
    else:
        from puzzlehunt.session import write_whole

        write_whole(output, script)
    if not _engine(loaded).satisfiable():
        raise SystemExit(1)


def _read_model(game: "Game", answer: str) -> None:
    from puzzlehunt import smtlib
    from puzzlehunt.explain import name_item, ruled_out_by

    code = smtlib.read_model(game, answer)
    if code is None:
        _fail("the solver says unsat: the clues contradict each other", 1)
    out = ruled_out_by(game, game.history, code)
    named = game.format_code(code)
    if code not in game.secrets:
        _fail(f"{named}: the model's code is not among the game's secrets", 1)
    if out:
        _fail(f"{named} does not fit {name_item(game, game.history, out[0])}", 1)
    print(named)
    rows = len(game.history.turns)
    print(f"checked against {rows} {'row' if rows == 1 else 'rows'}: it fits", file=sys.stderr)


@app.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game or session file.")],
    settings: Settings = None,
) -> None:
    """Say whether a game file is right, and what it means.

    puzzlehunt check mygame.yaml
    """
    loaded = _game(file, settings)
    from puzzlehunt.strategies import find_strategy

    try:
        find_strategy(loaded.play.strategy)
    except PuzzlehuntError as error:
        raise GameFileError(f"{file}: play.strategy: {error}") from None
    rows = len(loaded.history.turns)
    print(f"{loaded.title}: {loaded.secrets.size:,} secrets, {loaded.guesses.size:,} guesses, "
          f"rule {loaded.rule.name}, {rows} {'row' if rows == 1 else 'rows'}")
    if loaded.history.items and not (known := _engine(loaded)).satisfiable():
        _fail(_contradiction(loaded, known), 1)


@app.command()
def games(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Print its YAML.")] = None,
    as_json: AsJson = False,
) -> None:
    """The built-in games; with NAME, that game's file, to start your own from.

    puzzlehunt games cryptic > mygame.yaml
    """
    from puzzlehunt import gamefile, render
    from puzzlehunt.errors import unknown

    files = gamefile.built_in_games()
    if name is not None:
        if name not in files:
            raise unknown("game", name, files)
        print(files[name].read_text(encoding="utf-8"), end="")
        return
    loaded = {name: gamefile.load(name) for name in files}
    if as_json:
        listed = [
            {"name": name, "title": g.title, "about": g.about, "secrets": g.secrets.size,
             "guesses": g.guesses.size, "rule": g.rule.name, "source": g.source}
            for name, g in loaded.items()
        ]  # fmt: skip
        _print_json({"games": listed})
        return
    rows = [
        (name, f"{g.secrets.size:,}", g.about, g.rule.legend(), g.source)
        for name, g in loaded.items()
    ]
    _screen().table(render.games_table(rows))


@app.command()
def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")] = Path("game.yaml"),
) -> None:
    """Ask a few questions and write a commented game file.

    puzzlehunt init mygame.yaml
    """
    from puzzlehunt import gamefile
    from puzzlehunt.session import write_whole

    if file.exists():
        raise SessionError(f"{file} exists already; nothing was written")
    try:
        title = typer.prompt("What is the game called", default="My game")
        kind = typer.prompt("Are secrets words or symbols (colours, digits)? [words/symbols]",
                            default="words", show_default=False)
        if kind.casefold().startswith("w"):
            words = typer.prompt("Which list (common, standard, large, huge, or a file)",
                                 default="standard")
            secret = {"words": words, "length": typer.prompt("How many letters", default="5")}
        else:
            symbols = typer.prompt("The symbols, one character each", default="RGBYOP")
            secret = {"symbols": symbols, "length": typer.prompt("How many places", default="4")}
        distinct = typer.confirm("Are all symbols of a secret different", default=False)
        miss = typer.prompt("A mark for a miss (empty: none)", default="", show_default=False)
    except typer.Abort:
        _fail("nothing was written", 2)
    text = gamefile.commented(title, secret, distinct, miss)
    document = gamefile.read_document(text, str(file), file.parent)
    game = gamefile.build(document)
    write_whole(file, text)
    print(f"{file}: {game.secrets.size:,} secrets. Now: puzzlehunt play {file}")


@lab.callback()
def _lab() -> None:
    """Play whole tournaments and count guesses."""


@lab.command("run", context_settings=_CODES)
def lab_run(
    game: GameName,
    secrets: Annotated[
        str, typer.Option("--secrets", metavar="all|N", help="Play all, or a seeded sample of N.")
    ] = "all",
    as_json: AsJson = False,
    settings: Settings = None,
    engine: EngineName = None,
    strategy: StrategyName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Guesses = None,
) -> None:
    """Play every secret, and report guesses in two counts: until played, until known.

    puzzlehunt lab run 4x6 --strategy parts

    puzzlehunt lab run nethack --strategy minimax --pool candidates --ties first --opening AABBC
    """
    if secrets != "all" and not (secrets.isdecimal() and 0 < int(secrets[:15])):
        raise UnknownNameError(f"--secrets {secrets}: expected all, or a number above 0")
    from puzzlehunt.lab import tournament

    loaded = _game(
        game, settings, engine=engine, strategy=strategy, pool=pool, ties=ties, opening=opening,
        reads=reads, seed=seed,
    )  # fmt: skip
    wanted = None if secrets == "all" else int(secrets)
    result = tournament.run(loaded, game, wanted, budget).as_json()
    if as_json:
        _print_json(result)
        return
    play = f"{result['strategy']}, pool {result['pool']}, ties {result['ties']}"
    print(f"{result['game']}: {play}, opening {result['opening'] or 'its own'}, "
          f"seed {result['seed']}")
    for label, counts in (("played", result), ("known", result["known"])):
        bars = " ".join(f"{n}:{times}" for n, times in counts["histogram"].items())
        print(f"{label:7} average {counts['average']:.4f}  worst {counts['worst']}  "
              f"total {counts['total']}  {bars}")
    print(f"{result['games']} games in {result['seconds']} s", file=sys.stderr)
