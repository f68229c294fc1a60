"""The command that looks back: how good the guesses of a game were."""

import sys

from puzzlehunt.cli.options import (
    AsJson,
    EngineName,
    GameName,
    GuessWords,
    LogFile,
    Reads,
    Seconds,
    SecretWords,
    Seed,
    Settings,
    SolverName,
    Turns,
    explain_away,
    open_game,
    open_known,
    open_screen,
    print_json,
    seconds,
    with_turns,
)


def review(
    game: GameName,
    turn: Turns = None,
    history: LogFile = None,
    as_json: AsJson = False,
    settings: Settings = None,
    secret_words: SecretWords = None,
    guess_words: GuessWords = None,
    engine: EngineName = None,
    solver: SolverName = None,
    reads: Reads = None,
    seed: Seed = None,
    budget: Seconds = None,
) -> None:
    """How good each guess was: what it was expected to tell, what it told, and the best, in bits.

    puzzlehunt review wordle -t "CRANE G...Y" -t "SLOTH Y..YY"

    puzzlehunt review heart-2018 --json
    """
    from puzzlehunt.explain.review import reviewed
    from puzzlehunt.views.review import review_table, skill_line

    loaded = open_game(
        game, settings, reads=reads, engine=engine, solver=solver, seed=seed, budget=budget,
        secret_words=secret_words, guess_words=guess_words,
    )  # fmt: skip
    loaded = with_turns(loaded, turn, history)
    known = open_known(loaded)
    found = reviewed(loaded, loaded.history, seconds(loaded), known)
    known.follow(loaded.history)
    if as_json and found.contradiction is None:
        print_json(found.as_json())
        return
    if found.turns and not as_json:
        screen = open_screen()
        screen.table(review_table(loaded, found))
        screen.line(skill_line(found))
    elif not as_json:
        print("there is no guess to review", file=sys.stderr)
    if found.contradiction is not None:
        explain_away(loaded, found.as_json() if as_json else None, known)
