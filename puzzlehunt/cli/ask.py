"""Commands that answer about a position: what to guess, what is left, what a guess gets, why."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzlehunt.cli.options import (
    AsJson,
    EngineName,
    GameName,
    GuessWords,
    LogFile,
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
    Turns,
    explain_away,
    open_game,
    open_known,
    open_screen,
    print_json,
    seconds,
    wider_words,
    with_turns,
)
from puzzlehunt.errors import PuzzlehuntError

if TYPE_CHECKING:
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.explain.remaining import Left
    from puzzlehunt.game.game import Game


_LISTED = 20
"""So many candidates are listed where nobody says how many."""
_CONFLICTS = 20
"""So many sets of rows that cannot all be right are listed where all are asked for."""
_NEARLY = 5
"""So many that nearly fit are named beside them."""


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
    """The best next guesses, and what each is worth.

    puzzlehunt suggest cryptic -t "HORSE B_WR_" -t "WORSE __RW_"
    """
    from puzzlehunt.explain.remaining import boards_json, left_on_boards
    from puzzlehunt.explain.review import Tried, try_guess
    from puzzlehunt.strategies.adviser import Advice, Adviser
    from puzzlehunt.views.counts import boards_lines, count_line
    from puzzlehunt.views.suggestions import suggestions_table, tried_lines

    loaded = open_game(
        game, settings, reads=reads, engine=engine, solver=solver, strategy=strategy, pool=pool,
        ties=ties, opening=opening, seed=seed, budget=budget, secret_words=secret_words,
        guess_words=guess_words,
    )  # fmt: skip
    loaded = with_turns(loaded, turn, history)
    guess = None if tried is None else loaded.parse_guess(tried)
    known = open_known(loaded)
    adviser = Adviser(loaded)
    boards = left_on_boards(known, _LISTED if as_json else 1)
    told: dict[str, Any] = {"boards": boards_json(loaded, boards)} if boards else {}
    told |= {} if guess is None else {"best": None}
    worth: Tried | None = None
    if not known.satisfiable():
        none = Advice((), 0, True, loaded.play.strategy, adviser.strategy.measure)
        explain_away(loaded, none.as_json(loaded) | told if as_json else None, known)
    if None not in loaded.found(loaded.history):
        advice = Advice((), 1, True, loaded.play.strategy, adviser.strategy.measure)
    elif guess is None:
        advice = adviser.advise(known, top, seconds(loaded))
    else:
        worth = try_guess(adviser, known, guess, seconds(loaded))
        advice, told = worth.rated, told | worth.as_json(loaded)
    if as_json:
        print_json(advice.as_json(loaded) | _estimate(known, advice.count) | told)
        return
    if not advice.suggestions:
        print("solved: there is nothing left to guess", file=sys.stderr)
        return
    screen = open_screen()
    if boards:
        counted = [board.count for board in boards]
        for line in boards_lines(loaded, loaded.history, counted):
            screen.note(line)
    else:
        screen.note(count_line(advice.count, known))
    if worth is None:
        screen.table(suggestions_table(loaded, advice))
    else:
        screen.line("\n".join(tried_lines(loaded, worth)))
    if advice.basis:
        screen.note(f"(from {advice.basis})")


def candidates(
    game: GameName,
    turn: Turns = None,
    history: LogFile = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=0, help="At most so many.")
    ] = _LISTED,
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    reads: Reads = None,
) -> None:
    """What is still possible, one code a line; of several boards, board by board.

    Where rows are weighed, the likeliest first, each with its chance after a tab.

    puzzlehunt candidates cryptic -t "HORSE B_WR_" --limit 100
    """
    from puzzlehunt.explain.remaining import boards_json, left, left_on_boards
    from puzzlehunt.explain.suspicion import WORTH_SHOWING, nearly

    loaded = open_game(
        game, settings, engine=engine, solver=solver, reads=reads, secret_words=secret_words,
        guess_words=guess_words,
    )  # fmt: skip
    loaded = with_turns(loaded, turn, history)
    known = open_known(loaded)

    found, boards = left(known, limit), left_on_boards(known, limit)
    told: dict[str, Any] = {
        "count": found.count,
        "exact": False,
        "candidates": found.as_json(loaded),
    }
    told |= _estimate(known, found.count) if as_json and not boards else {}
    told["exact"] = told["count"] is not None
    near = nearly(known, limit) if as_json else nearly(known, _NEARLY, WORTH_SHOWING)
    if loaded.channel.misread:
        told["nearly"] = [
            {
                "code": loaded.format_code(one.code),
                "probability": round(one.probability, 6),
                "turns": list(one.numbers),
            }
            for one in near
        ]
    if boards:
        told["boards"] = boards_json(loaded, boards)
    nothing = not found.codes and not found.more
    if nothing:
        explain_away(loaded, told if as_json else None, known)
    if as_json:
        print_json(told)
        return
    from puzzlehunt.views.candidates import nearly_line

    for number, board in enumerate(boards, start=1):
        print(f"board {number}: {_how_many(board)}", flush=True)
        _print_codes(loaded.one_board, board)
    if not boards:
        _print_codes(loaded, found)
    if near:
        print(nearly_line(loaded, near), file=sys.stderr)


def _estimate(engine: "Engine", count: int | None) -> dict[str, Any]:
    """Return what is known of a number of candidates that is not known exactly, as JSON."""
    known = engine.counted() if count is None else None
    if known is None:
        return {}
    if known.exact:
        return {"count": known.number}
    return {"estimate": {"count": known.number, "low": known.low, "high": known.high}}


def _how_many(board: "Left") -> str:
    from puzzlehunt.views.counts import count_line

    return count_line(board.count)


def _print_codes(game: "Game", listed: "Left") -> None:
    from puzzlehunt.views.candidates import listed_codes
    from puzzlehunt.views.counts import number

    lines = (f"{line}\n" for line in listed_codes(game, listed))
    print("".join(lines), end="", flush=True)
    if listed.more:
        rest = "" if listed.count is None else f"{number(listed.count - len(listed.codes))} "
        print(f"... and {rest}more (--limit N)", file=sys.stderr)


def score(
    game: GameName,
    secret: Annotated[str, typer.Argument(metavar="SECRET", help="- reads pairs from stdin.")],
    guess: Annotated[str | None, typer.Argument(metavar="GUESS")] = None,
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
) -> None:
    r"""The feedback of a guess.

    puzzlehunt score cryptic HEART HORSE

    printf 'HEART HORSE\n' | puzzlehunt score cryptic -
    """
    loaded = open_game(game, settings, secret_words=secret_words, guess_words=guess_words)
    if secret == "-" and guess is None:
        for line in sys.stdin:
            if line.strip():
                fields = line.split(maxsplit=1)
                print_json(_scored_or_error(loaded, fields[0], "".join(fields[1:]).strip()))
        return
    scored = _scored(loaded, secret, guess or "")
    if as_json:
        print_json(scored)
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


def explain(
    game: GameName,
    code: Annotated[str | None, typer.Argument(metavar="CODE", help="Why is it out?")] = None,
    turn: Turns = None,
    history: LogFile = None,
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    reads: Reads = None,
    every: Annotated[
        bool, typer.Option("--all", help="All smallest sets of rows that cannot be right.")
    ] = False,
) -> None:
    """Which rows cannot all be right, and what would mend them; with CODE, which rows rule it out.

    With several boards CODE is A/B (one secret a board), 2: B, or one word for any board.

    puzzlehunt explain mastermind -t "RRRR B" -t "RGBY none"

    puzzlehunt explain cryptic -t "HORSE B_WR_" HEART
    """
    from puzzlehunt.explain import certainty, suspicion
    from puzzlehunt.explain.repair import SHOWN, repairs
    from puzzlehunt.explain.why import ask, explained

    loaded = open_game(
        game, settings, engine=engine, solver=solver, reads=reads, secret_words=secret_words,
        guess_words=guess_words,
    )  # fmt: skip
    loaded = with_turns(loaded, turn, history)
    asked, board = (None, None) if code is None else ask(loaded, code)
    known = open_known(loaded)
    explanation = explained(loaded, known, asked, board, _CONFLICTS if every else 1)
    more, hint = wider_words(loaded) if explanation.conflict else ({}, "")
    mended = repairs(known)
    doubtful = suspicion.suspects(known) if as_json or code is None else []
    if as_json:
        more["certain"] = certainty.as_json(loaded, certainty.certain(known))
        more["suspects"] = suspicion.as_json(doubtful)
        more["repairs"] = [repair.as_json(loaded) for repair in mended]
        print_json(explanation.as_json() | more)
    else:
        lines = explanation.lines()
        if mended:
            lines.append("One of these mends it, the likeliest first:")
        for repair in mended[:SHOWN]:
            lines += [f"  {line}" for line in repair.lines(loaded, loaded.history)]
        likely = [one for one in doubtful if one.probability >= suspicion.PROBABLE]
        lines += ["Probably wrong:"] if likely else []
        lines += [f"  {one.line(loaded)}" for one in likely]
        decided = certainty.certain(known) if code is None else []
        if decided:
            lines.append("What is decided:")
            lines += [f"  {line}" for line in certainty.certain_lines(loaded, decided)]
        print(*lines, sep="\n", flush=True)
    if hint:
        print(hint, file=sys.stderr)
    if explanation.conflict:
        raise SystemExit(1)
