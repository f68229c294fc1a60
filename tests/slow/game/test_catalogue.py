"""The built-in games, played to their end and asked by every engine."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from cases import cases
from puzzlehunt.codes.spaces import BoardSpace, CodeSpace, WordSpace
from puzzlehunt.engines.base import Engine, open_engine
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.session.codemaker import Codemaker, give_hints
from random_games import noted_turn

GAMES = sorted(gamefile.built_in_games())
SMALLER = {name: keys.split("; ") for name, keys in cases("games that are made smaller")}
"""What is changed where a game has too many codes for the symbolic engine to list."""


@cache
def loaded(name: str) -> Game:
    return gamefile.load(name)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_won_from_its_opening_and_the_rule_gives_every_clue(run, name):
    game = loaded(name)
    secret = [] if game.host.adversarial else ["--secret", "random"]
    settings = ["--strategy", "entropy", "--set", "play.attempts=100", "--budget", "100"]
    done = run("solve", name, *secret, "--seed", "1", *settings, "--json")
    played = json.loads(done.out)
    assert (done.status, played["solved"]) == (0, True)
    hidden = game.parse_secret(played["secret"])
    before = len(game.history.turns)
    turns = [game.turn(f"{t['guess']} {t['clue']}") for t in played["turns"]][before:]
    if game.channel.weighs:
        assert meaning.fits(game, History(tuple(turns)), hidden)
        return
    for turn in turns:
        assert turn.clue == game.rule.notation.full_clue(game.score(turn.code, hidden), turn.code)
    if game.play.opening is not None:
        assert turns[0].code == game.parse_guess(game.play.opening)
    assert len(turns) <= 2 * (game.play.attempts or 10)


def _parts(engine: Engine) -> list[Engine]:
    """Return the engines of all boards; an engine of one board is itself."""
    return [board.engine for board in engine.boards()]


def _play(game: Game) -> Iterator[History]:
    """Yield the history of a game of five turns, one by one, after its hints."""
    rng = random.Random(1)
    secret = game.secrets.random(rng)
    codemaker = Codemaker(replace(game, history=History()), secret)
    give_hints(codemaker, rng)
    yield (history := codemaker.history)
    for _ in range(5):
        history = history.add(noted_turn(rng, game, secret))
        yield history


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


@pytest.mark.nightly
@pytest.mark.parametrize("name", GAMES)
def test_the_engines_hold_the_same_candidates(name):
    game = _small(name, random.Random(name))
    kinds = ("explicit", "symbolic", "linear", "logic")
    engines = [open_engine(game, kind) for kind in kinds]
    for history in _play(game):
        for engine in engines:
            engine.follow(history)
        for explicit, *others in zip(*map(_parts, engines), strict=True):
            expected = list(islice(explicit.candidates().codes, 30))
            for other in others:
                assert list(islice(other.candidates().codes, 30)) == expected
