"""Commands that play: with a person, and alone."""

import random
import sys
import time
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlehunt.cli.options import (
    AsJson,
    EngineName,
    GameName,
    Guesses,
    GuessWords,
    Opening,
    PoolName,
    Reads,
    Seconds,
    SecretWords,
    Seed,
    Settings,
    SolverName,
    StrategyName,
    TiesName,
    check_solver,
    fail,
    given,
    open_game,
    open_known,
    open_screen,
    print_json,
)
from puzzlehunt.errors import PuzzlehuntError, SessionError, UnknownNameError

if TYPE_CHECKING:
    from puzzlehunt.codes.alphabet import Code
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.game.game import Game
    from puzzlehunt.session.codemaker import Codemaker
    from puzzlehunt.session.session import Session
    from puzzlehunt.views.screen import Screen


def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="What to play.")] = None,
    session: Annotated[
        Path | None, typer.Option("--session", metavar="FILE", help="Keep the game in this file.")
    ] = None,
    coach: Annotated[bool, typer.Option("--coach", help="No suggestions until /suggest.")] = False,
    echo: Annotated[
        bool, typer.Option("--echo", help="Repeat the lines that are read from a pipe.")
    ] = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    strategy: StrategyName = None,
    pool: PoolName = None,
    ties: TiesName = None,
    opening: Opening = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Seconds = None,
) -> None:
    r"""Play: type guesses and what you could read of the answers.

    puzzlehunt play cryptic

    printf 'HORSE B_WR_\n/candidates 5\n' | puzzlehunt play cryptic
    """
    from puzzlehunt.session.session import Session
    from puzzlehunt.session.settings import whole_reference
    from puzzlehunt.terminal import prompt
    from puzzlehunt.terminal.conversation import Conversation

    options = given(
        {"engine": engine, "solver": solver, "strategy": strategy, "pool": pool, "ties": ties,
         "opening": opening, "seed": seed, "budget": budget}
    )  # fmt: skip
    lists = given({"secret": secret_words, "guess": guess_words})
    if session is not None and session.exists():
        current = _resumed(session, game, options, settings or [], lists)
    elif game is None:
        raise UnknownNameError("play what? puzzlehunt play GAME; puzzlehunt games lists them")
    else:
        loaded = open_game(
            game, settings, reads=reads, secret_words=secret_words, guess_words=guess_words,
            **options,
        )  # fmt: skip
        reference = whole_reference(game, Path())
        current = Session(loaded, reference, _own_settings(settings, options, lists))
        if session is not None:
            current.keep_in(session)
        elif sys.stdin.isatty():
            current = _kept_by_itself(current, options, settings or [], lists)
    try:
        check_solver(current.game)
        prompt.run(Conversation(current, open_screen(), coach), sys.stdin, echo)
        agrees = sys.stdin.isatty() or current.is_won or current.engine.satisfiable()
    finally:
        current.close()
    if not agrees:
        raise SystemExit(1)


def _resumed(
    path: Path,
    game: str | None,
    options: dict[str, str],
    settings: list[str],
    lists: dict[str, str],
) -> "Session":
    """Return the session of a file; it must be one of the game that was asked for."""
    from puzzlehunt.session.session import Session
    from puzzlehunt.session.settings import whole_reference

    current = Session.resume(path, options, settings, lists)
    if game is not None and not current.is_of(whole_reference(game, Path())):
        current.close()
        raise SessionError(f"{path} is a session of {current.reference}, not of {game}")
    return current


def _own_settings(
    settings: list[str] | None, options: dict[str, str], lists: dict[str, str]
) -> dict[str, object]:
    """Return `--set`, the play options and the word lists as a session file keeps them."""
    from puzzlehunt.game.files.document import Document
    from puzzlehunt.session.settings import changed, kept_settings

    return kept_settings(changed(Document({}), options, settings or [], lists))


def _kept_by_itself(
    fresh: "Session", options: dict[str, str], settings: list[str], lists: dict[str, str]
) -> "Session":
    """Return the session to play in a terminal, kept: the one left last time, or a new one."""
    from puzzlehunt.session.session import Session
    from puzzlehunt.session.storage import default_path

    named = [f"{key}.words={name}" for key, name in lists.items()]
    path = default_path(fresh.reference, [*settings, *named])
    try:
        if path.exists():
            old = Session.resume(path, options)
            begun = old.history.items and old.history != fresh.history
            if begun and not old.is_won and _wants_to_resume(len(old.history.turns)):
                return old
            old.close()
        fresh.keep_in(path, replace=True)
    except PuzzlehuntError as error:
        print(f"not saved: {error}", file=sys.stderr)
    return fresh


def _wants_to_resume(rows: int) -> bool:
    noun = "row" if rows == 1 else "rows"
    question = f"Resume your game of {rows} {noun}, or start anew? [R/n]"
    answer: str = typer.prompt(question, default="r", show_default=False)
    return not answer.casefold().startswith("n")


def host(
    game: GameName,
    secret: Annotated[
        str | None, typer.Option("--secret", metavar="CODE", help="What is to be found.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="Draw the same secret again.")
    ] = None,
    host_name: Annotated[
        str | None,
        typer.Option("--host", metavar="HOST", help="truthful, or adversarial: it evades you."),
    ] = None,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
) -> None:
    r"""Practise: the program has a secret, and answers your guesses.

    puzzlehunt host mastermind

    printf 'CRANE\nSLOTH\n' | puzzlehunt host wordle --secret CRANE
    """
    from puzzlehunt.session.codemaker import open_codemaker
    from puzzlehunt.terminal import prompt
    from puzzlehunt.terminal.practice import Practice

    drawn = randbits(32) if seed is None else seed
    loaded = open_game(
        game, settings, seed=drawn, secret_words=secret_words, guess_words=guess_words,
        host=host_name,
    )  # fmt: skip
    known = open_known(loaded) if loaded.history.items else None
    hidden, trouble = _hidden(loaded, known, secret or "random")
    if trouble:
        fail(trouble, 2 if secret else 1)
    opened = open_codemaker(loaded, hidden, random.Random(f"{drawn}:given"))
    practice = Practice(opened, open_screen())
    prompt.run(practice, sys.stdin)
    if not practice.solved:
        raise SystemExit(1)


def solve(
    game: GameName,
    secret: Annotated[
        str | None,
        typer.Option("--secret", metavar="CODE", help="What to find; random draws one."),
    ] = None,
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
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

    puzzlehunt solve absurdle
    """
    loaded = open_game(
        game, settings, reads=reads, engine=engine, solver=solver, strategy=strategy, pool=pool,
        ties=ties, opening=opening, seed=seed, secret_words=secret_words, guess_words=guess_words,
    )  # fmt: skip
    known = open_known(loaded)
    hidden, trouble = _hidden(loaded, known, secret)
    from puzzlehunt.session.codemaker import open_codemaker

    started = time.perf_counter()
    history = loaded.history
    solved = False
    if not trouble:
        host = open_codemaker(loaded, hidden, random.Random(f"{loaded.play.seed}:given"))
        _solve(known, host, budget, None if as_json else open_screen())
        history, solved, hidden = host.history, host.is_over, host.secret
    seconds = time.perf_counter() - started
    turns = history.turns
    if as_json:
        told = [(loaded.format_code(t.guess), loaded.rule.format(t.clue)) for t in turns]
        print_json(
            {
                "secret": loaded.format_code(hidden),
                "solved": solved,
                "guesses": len(turns),
                "facts": [fact.text for fact in history.facts],
                "turns": [{"guess": guess, "clue": clue} for guess, clue in told],
                "seconds": round(seconds, 3),
            }
        )
    elif trouble:
        pass
    elif solved:
        noun = "guess" if len(turns) == 1 else "guesses"
        print(f"Solved in {len(turns)} {noun}: {loaded.format_code(hidden)}")
    else:
        print(f"Not solved in {len(turns)} guesses: {loaded.format_code(hidden)}")
    if trouble:
        fail(trouble, 1)
    if not solved:
        raise SystemExit(1)


def _hidden(game: "Game", known: "Engine | None", secret: str | None) -> tuple["Code", str]:
    """Return the secret to find, and why the game's own log does not allow it; mostly nothing.

    `known` is an engine that knows that log, None where there is none.
    """
    from puzzlehunt.explain.rows import contradiction, name_item
    from puzzlehunt.explain.why import ruled_out_by
    from puzzlehunt.session.codemaker import drawn

    rng = random.Random(game.play.seed)
    if game.host == "adversarial" and secret not in (None, "random"):
        raise UnknownNameError("an adversarial host has no secret; leave --secret out")
    if game.host != "adversarial" and secret is None:
        raise UnknownNameError("solve against what? --secret CODE, or --secret random")
    if secret is None or secret.casefold() == "random":
        if known is not None and not known.satisfiable():
            return game.secrets.random(rng), contradiction(game, known)
        return drawn(game, rng), ""
    hidden = game.parse_secret(secret)
    named = game.format_code(hidden)
    if hidden not in game.secrets:
        wider = (f", or --words {name}" for name, other in game.wider() if hidden in other.secrets)
        raise UnknownNameError(
            f"{named} is not among the game's secrets; another --secret{next(wider, '')}"
        )
    out = ruled_out_by(game, game.history, hidden)
    return hidden, f"{named} is out by {name_item(game, game.history, out[0])}" if out else ""


def _solve(known: "Engine", host: "Codemaker", budget: int | None, screen: "Screen | None") -> None:
    """Play against a host until all is found, or no attempt is left."""
    from puzzlehunt.session.self_play import play_against
    from puzzlehunt.strategies.adviser import Adviser
    from puzzlehunt.strategies.base import Budget
    from puzzlehunt.views.turns import item_lines, turn_lines

    game = known.game
    rng = random.Random(game.play.seed)
    own = len(game.history.items)
    if screen is not None:
        screen.lines(item_lines(game, host.history, own))
    if game.play.attempts is not None and len(host.history.turns) >= game.play.attempts:
        return
    for turn, _ in play_against(host, Adviser(game), known, rng, Budget(guesses=budget)):
        number = len(host.history.turns)
        if screen is not None:
            screen.lines(turn_lines(game, number, turn))
        if game.play.attempts is not None and number >= game.play.attempts:
            return
