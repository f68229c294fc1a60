"""The built-in games: what their files say is true of them, and every engine plays them alike."""

import json
import random
import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import BoardSpace, PairSpace, split
from puzzlehunt.codes.spaces import CodeSpace, WordSpace
from puzzlehunt.engines.base import CountingEngine, Engine
from puzzlehunt.engines.boards import BoardsEngine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.gifts import gifts
from puzzlehunt.game.history import History, Turn
from puzzlehunt.kernels.arrays import code_of
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.boards import BoardsClue, BoardsRule
from puzzlehunt.rules.letters import LettersClue
from puzzlehunt.rules.notation.clue import Clue, Feedback
from puzzlehunt.rules.notation.tiles import TileClue

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(gamefile.built_in_games())

SECRETS = {
    "bagels": 10 * 9 * 8,
    "grand": 25**4,
    "logik": 8**5,
    "mini-nerdle": 206,
    "nerdle": 17_723,
    "number-mastermind": 6**4,
    "primel": 8_363,
    "wordle": 3_461,
    "dordle": 3_461**2,
    "quordle": 3_461**4,
    "octordle": 3_461**8,
}
ATTEMPTS = {
    "bagels": 20,
    "dordle": 7,
    "fallout": 4,
    "grand": 10,
    "lingo": 5,
    "mini-nerdle": 6,
    "nerdle": 6,
    "octordle": 13,
    "peaks": 6,
    "primel": 6,
    "quordle": 9,
    "warmle": 6,
    "wordle": 6,
    "xordle": 9,
    "absurdle": None,
    "jotto": None,
}
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


# What the files say.


@pytest.mark.parametrize("name", GAMES)
def test_a_game_file_begins_with_a_comment_and_says_what_it_is(name):
    text = gamefile.built_in_games()[name].read_text(encoding="utf-8")
    comment = text[: text.index("\ntitle: ")].splitlines()
    assert comment
    assert all(line.startswith("# ") for line in comment)
    assert max(map(len, text.splitlines())) <= 100
    game = loaded(name)
    assert game.title
    assert game.about
    assert game.source


@pytest.mark.parametrize(("name", "secrets"), SECRETS.items())
def test_a_game_has_as_many_secrets_as_is_known_of_it(name, secrets):
    assert loaded(name).secrets.size == secrets


@pytest.mark.parametrize(("name", "attempts"), ATTEMPTS.items())
def test_a_game_allows_as_many_attempts_as_is_known_of_it(name, attempts):
    assert loaded(name).play.attempts == attempts


@pytest.mark.parametrize("name", ["dordle", "quordle", "octordle", "xordle"])
def test_games_of_several_words_draw_them_from_the_list_of_wordle(name):
    game = loaded(name)
    assert isinstance(game.secrets, BoardSpace | PairSpace)
    assert list(game.secrets.one) == list(loaded("wordle").secrets)
    assert list(game.guesses) == list(loaded("wordle").guesses)


# Playing them.


def _won(run, name: str, seed: int, budget: int) -> None:
    """Assert that a game is won against a random secret, and that the rule gave every clue."""
    game = loaded(name)
    secret = [] if game.host == "adversarial" else ["--secret", "random"]
    settings = ["--strategy", "entropy", "--set", "play.attempts=100", "--budget", str(budget)]
    done = run("solve", name, *secret, "--seed", str(seed), *settings, "--json")
    played = json.loads(done.out)
    assert (done.status, played["solved"]) == (0, True)
    hidden = game.parse_secret(played["secret"])
    before = len(game.history.turns)
    turns = [game.parse_turn(f"{t['guess']} {t['clue']}") for t in played["turns"]][before:]
    if game.channel.weighs:
        assert game.fits(History(tuple(turns)), hidden)
        return
    for turn in turns:
        assert turn.clue == game.rule.exactly(game.score(turn.guess, hidden), turn.guess)
    if game.play.opening is not None:
        assert turns[0].guess == game.parse_guess(game.play.opening)
    assert len(turns) <= 2 * (game.play.attempts or 10)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_won_from_its_opening(run, name):
    _won(run, name, seed=1, budget=100)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [2, 3])
def test_a_game_is_won_with_every_seed(run, name, seed):
    _won(run, name, seed, budget=1000)


# Engines and the specification.


def _parts(engine: Engine) -> list[Engine]:
    """Return the engines of all boards; an engine of one board is itself."""
    return engine.boards if isinstance(engine, BoardsEngine) else [engine]


def _blurred(rng: random.Random, rule: Rule, guess: Code, truth: Feedback) -> Clue:
    """Return what might be read of an answer: all of it, some of it, or nothing."""
    clue = rule.exactly(truth, guess)
    if isinstance(rule, BoardsRule):
        parts = split(truth, rule.boards)
        return BoardsClue(tuple(_blurred(rng, rule.one, guess, part) for part in parts))
    if truth == rule.winning or rng.random() < 0.3:
        return clue
    if isinstance(clue, TileClue):
        cells = [rng.choice([{d}, {d, rng.randrange(3)}, {0, 1, 2}]) for d in truth]
        return TileClue(tuple(tuple(sorted(cell)) for cell in cells))
    counts = truth[:1] if isinstance(clue, LettersClue) else truth
    told = []
    for kind, count in zip(rule.notation.kinds, counts, strict=False):
        low, high = max(0, count - rng.randint(0, 1)), count + rng.randint(0, 1)
        told.append(rng.choice([f"{count} {kind.label}", f"{low}-{high} {kind.label}", ""]))
    return rule.parse(", ".join(filter(None, told)) or "*", guess)


def _play(game: Game, seed: int, turns: int) -> Iterator[History]:
    """Yield the history of a seeded game turn by turn, after what is given; some rows blurred."""
    rng = random.Random(seed)
    secret = game.secrets.random(rng)
    history = History(tuple(gifts(game, secret, rng)))
    yield history
    for _ in range(turns):
        guess = game.guesses.random(rng)
        feedback = game.score(guess, secret)
        if game.channel.lies.exactly and feedback != game.rule.winning:
            feedback = game.likelihood.falsified(feedback, guess, rng)
        clue = _blurred(rng, game.rule, guess, feedback)
        history = history.add(Turn(guess, clue, doubt=0.5 * (rng.random() < 0.1)))
        assert game.fits(history, secret)
        yield history


def _agrees_with_fits(game: Game, engine: Engine, history: History, rng: random.Random) -> None:
    """Assert that an explicit engine holds the secrets that fit: all, or 300 where many."""
    assert isinstance(engine, CountingEngine)
    every, alive = engine.every(), engine.places()
    assert len(every) == game.secrets.size
    asked = range(len(every))
    if len(every) > 20_000:
        some = [*rng.sample(asked, 200), *rng.sample(alive.tolist(), min(len(alive), 100))]
        asked = sorted(set(some))
    expected = [game.fits(history, code_of(every.codes[place])) for place in asked]
    assert np.isin(np.array(asked), alive).tolist() == expected


def _check_against_fits(name: str, seed: int, turns: int) -> None:
    game = loaded(name)
    engine = open_engine(game, "explicit")
    rng = random.Random(f"{name} {seed}")
    for history in _play(game, seed, turns):
        engine.follow(history)
        for board, part in enumerate(_parts(engine)):
            one = game.one_board
            known = history if one is game else game.on_board(history, board)
            _agrees_with_fits(one, part, known, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_explicit_engine_holds_the_secrets_that_fit(name):
    _check_against_fits(name, seed=1, turns=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_explicit_engine_holds_the_secrets_that_fit_late_in_a_game(name, seed):
    _check_against_fits(name, seed, turns=5)


def _fewer(space: CodeSpace, rng: random.Random, most: int) -> CodeSpace:
    """Return a space of some of the words of another."""
    if isinstance(space, BoardSpace):
        return BoardSpace(_fewer(space.one, rng, most), space.boards)
    if isinstance(space, PairSpace):
        return PairSpace(_fewer(space.one, rng, most), space.disjoint)
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


def _check_against_each_other(name: str, seed: int, turns: int) -> None:
    game = _small(name, random.Random(f"{name} {seed}"))
    kinds = ("explicit", "symbolic", "linear", "logic")
    engines = [open_engine(game, kind) for kind in kinds]
    for history in _play(game, seed, turns):
        for engine in engines:
            engine.follow(history)
        for explicit, *others in zip(*map(_parts, engines), strict=True):
            expected = list(islice(explicit.candidates(), 200))
            for other in others:
                assert list(islice(other.candidates(), 200)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_engines_hold_the_same_candidates(name):
    _check_against_each_other(name, seed=1, turns=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_engines_hold_the_same_candidates_with_every_seed(name, seed):
    _check_against_each_other(name, seed, turns=5)


# What the documents show of them.

_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def _shown() -> list[tuple[str, str]]:
    """Return the commands in the page of the rules, each with the output that stands below it."""
    blocks = _CONSOLE.findall((ROOT / "docs" / "rules.md").read_text(encoding="utf-8"))
    parts = [part for block in blocks for part in f"\n{block}".split("\n$ ")[1:]]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("command", "output"), _shown())
def test_the_page_of_the_rules_shows_what_the_program_prints(run, command, output):
    program, *arguments = shlex.split(command)
    assert program == "puzzlehunt"
    assert run(*arguments).out.strip("\n") == output.strip("\n")


def test_the_page_of_the_games_has_a_line_for_each_that_says_what_its_file_says():
    lines = (ROOT / "docs" / "games.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    told = {row[0].strip("`"): row for row in rows if row[0].startswith("`") and len(row) > 1}
    assert sorted(told) == GAMES
    for name, row in told.items():
        game = loaded(name)
        times = f" x {game.boards}" if game.boards > 1 else ""
        secrets = f"{game.one_board.secrets.size:,}{times}"
        expected = [secrets, str(game.play.attempts or ""), game.source]
        assert [row[1], row[4], row[5]] == expected
