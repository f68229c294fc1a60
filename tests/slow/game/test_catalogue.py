"""The built-in games, played to their end and asked by every engine."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import BoardSpace, CodeSpace, WordSpace, split
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.boards import BoardsClue, BoardsRule
from puzzlehunt.rules.notation.clue import Clue, Feedback
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.session.codemaker import starting_hints

GAMES = sorted(gamefile.built_in_games())
SMALLER = {
    "bulls-and-cows": ["secret.length=3"],
    "grand": ["secret.pairs=[CST, RGB]", "secret.length=3", "play.opening=CR-CG-SR"],
    "logik": ["secret.length=3"],
    "mansions-hard": ["secret.length=3"],
    "mansions-of-madness": ["secret.length=4"],
    "nethack": ["secret.length=3", "guess.length=0-3"],
    "safe-cracker": ["secret.length=3", "play.opening=555"],
    "super-mastermind": ["secret.length=3"],
}
"""What is changed where a game has too many codes for the symbolic engine to list."""


@cache
def loaded(name: str) -> Game:
    return gamefile.load(name)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_won_from_its_opening_and_the_rule_gives_every_clue(run, name):
    game = loaded(name)
    secret = [] if game.host == "adversarial" else ["--secret", "random"]
    settings = ["--strategy", "entropy", "--set", "play.attempts=100", "--budget", "100"]
    done = run("solve", name, *secret, "--seed", "1", *settings, "--json")
    played = json.loads(done.out)
    assert (done.status, played["solved"]) == (0, True)
    hidden = game.parse_secret(played["secret"])
    before = len(game.history.turns)
    turns = [game.parse_turn(f"{t['guess']} {t['clue']}") for t in played["turns"]][before:]
    if game.channel.weighs:
        assert game.fits(History(tuple(turns)), hidden)
        return
    for turn in turns:
        assert turn.clue == game.rule.notation.full_clue(game.score(turn.guess, hidden), turn.guess)
    if game.play.opening is not None:
        assert turns[0].guess == game.parse_guess(game.play.opening)
    assert len(turns) <= 2 * (game.play.attempts or 10)


def _parts(engine: Engine) -> list[Engine]:
    """Return the engines of all boards; an engine of one board is itself."""
    return [board.engine for board in engine.boards()]


def _blurred(rng: random.Random, rule: Rule, guess: Code, truth: Feedback) -> Clue:
    """Return what might be read of an answer: all of it, some of it, or nothing."""
    clue = rule.notation.full_clue(truth, guess)
    if isinstance(rule, BoardsRule):
        parts = split(truth, rule.boards)
        return BoardsClue(tuple(_blurred(rng, rule.single_rule, guess, part) for part in parts))
    if truth == rule.winning or rng.random() < 0.3:
        return clue
    if isinstance(clue, CellsClue):
        cells = []
        for (digit,), size in zip(clue.cells, clue.sizes, strict=True):
            cells.append(rng.choice([{digit}, {digit, rng.randrange(size)}, ()]))
        return clue.with_cells(tuple(sorted(cell)) for cell in cells)
    counts = truth[: len(clue.ranges) - 1]
    told = []
    for kind, count in zip(rule.notation.kinds, counts, strict=False):
        low, high = max(0, count - rng.randint(0, 1)), count + rng.randint(0, 1)
        told.append(rng.choice([f"={count} {kind.label}", f"{low}-{high} {kind.label}", ""]))
    return rule.parse(", ".join(filter(None, told)) or "*", guess)


def _play(game: Game) -> Iterator[History]:
    """Yield the history of a game of five turns, one by one, after its hints; some rows blurred."""
    rng = random.Random(1)
    secret = game.secrets.random(rng)
    history = History(tuple(starting_hints(game, secret, rng)))
    yield history
    for _ in range(5):
        guess = game.guesses.random(rng)
        feedback = game.score(guess, secret)
        if game.channel.lies.exactly and feedback != game.rule.winning:
            feedback = game.likelihood.draw_lie(feedback, guess, rng)
        clue = _blurred(rng, game.rule, guess, feedback)
        history = history.add(Turn(guess, clue, doubt=0.5 * (rng.random() < 0.1)))
        assert game.fits(history, secret)
        yield history


def _agrees_with_fits(game: Game, engine: Engine, history: History, rng: random.Random) -> None:
    """Assert that an explicit engine holds the secrets that fit: all, or 300 where many."""
    listing = engine.listed
    assert listing is not None
    every, alive = listing.secrets(), listing.candidate_places()
    assert len(every) == game.secrets.size
    asked = range(len(every))
    if len(every) > 1_000:
        some = [*rng.sample(asked, 200), *rng.sample(alive.tolist(), min(len(alive), 100))]
        asked = sorted(set(some))
    expected = [game.fits(history, code_of(every.codes[place])) for place in asked]
    assert np.isin(np.array(asked), alive).tolist() == expected


@pytest.mark.parametrize("name", GAMES)
def test_the_explicit_engine_holds_the_secrets_that_fit(name):
    game = loaded(name)
    engine = open_engine(game, "explicit")
    rng = random.Random(name)
    for history in _play(game):
        engine.follow(history)
        for board, part in enumerate(_parts(engine)):
            one = game.one_board
            known = history if one is game else game.on_board(history, board)
            _agrees_with_fits(one, part, known, rng)


def _fewer(space: CodeSpace, rng: random.Random, most: int) -> CodeSpace:
    """Return a space of some of the words of another."""
    if isinstance(space, BoardSpace):
        return BoardSpace(_fewer(space.single, rng, most), space.boards)
    if not isinstance(space, WordSpace):
        return space
    chosen = rng.sample(list(space), min(most, space.size))
    return WordSpace.of(space.alphabet, sorted(chosen))


def _small(name: str, rng: random.Random) -> Game:
    game = gamefile.load(name, SMALLER[name]) if name in SMALLER else loaded(name)
    fewer = replace(
        game, secrets=_fewer(game.secrets, rng, 60), guesses=_fewer(game.guesses, rng, 200)
    )
    assert fewer.one_board.secrets.size <= 5_000
    return fewer


@pytest.mark.parametrize("name", GAMES)
def test_the_engines_hold_the_same_candidates(name):
    game = _small(name, random.Random(name))
    kinds = ("explicit", "symbolic", "linear", "logic")
    engines = [open_engine(game, kind) for kind in kinds]
    for history in _play(game):
        for engine in engines:
            engine.follow(history)
        for explicit, *others in zip(*map(_parts, engines), strict=True):
            expected = list(islice(explicit.candidates(), 30))
            for other in others:
                assert list(islice(other.candidates(), 30)) == expected
