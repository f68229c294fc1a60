"""Certificates: what the package writes proves the optimum, and what is false proves nothing."""

import importlib
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import permutations, product
from pathlib import Path
from unittest.mock import patch

import pytest

from cases import cases
from optimum import optimum
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.lab import tournament
from puzzlehunt.lab.batches import Player
from puzzlehunt.rules.built_in import MarksRule, PegsRule
from puzzlehunt.strategies.search import certificate
from puzzlehunt.strategies.search.certificate import check_certifiable
from random_games import game_of

WORDS = {"ABBA", "ACAB", "BACA", "CACA", "DADA", "DACE", "EDDA", "FACE", "FADE", "CAFE", "DEAF"}
MORE = {"BEAD", "DECA", "ABED"}
_SIZES = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2)]
"""Lengths and symbols of games that are small enough to try everything."""


def word_game(**play: object) -> Game:
    value = {
        "secret": {"words": sorted(WORDS)},
        "guess": {"words": sorted(WORDS | MORE)},
        "rule": "marks",
        "play": play,
    }
    return game_of(value)


def small_games() -> list[Game]:
    """Games of every kind that a certificate supports."""
    named = [("2x4",), ("3x3",), ("2x5", "play.pool=candidates"), ("3x3", "play.attempts=4")]
    named += [("2x4", "play.attempts=3"), ("2x5", "secret.distinct=true")]
    return [gamefile.load(name, changes) for name, *changes in named] + [word_game()]


def written(game: Game, small: int = 2) -> str:
    """Return the certificate of a game, with lemmas for parts of more than `small` candidates."""
    player = Player(game.with_play({"strategy": "optimal"}))
    played = tournament.run(player, name="game")
    search, _ = player.strategy.search_of(player.position())
    with patch.multiple(certificate, _FIRST=small, _SMALL=small):
        return certificate.certificate_text(game, search, played.bounds, player.records)


@contextmanager
def uncompiled_checker() -> Iterator[Callable[[str], bool]]:
    """Yield a function: whether the checker accepts a certificate. Tiny games need no compiler."""
    numba = importlib.import_module("numba")
    with patch.object(numba.config, "DISABLE_JIT", True):
        checker = importlib.import_module("check_certificate")

        def accepts(text: str) -> bool:
            lists = (WORDS, MORE) if "words: " in text else (set(), set())
            try:
                return bool(checker.check(text, *lists))
            except (LookupError, ValueError):
                return False

        yield accepts


def head_of(text: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in text.split("\n\n", 1)[0].splitlines()[1:])


@cache
def _least(rule: str, length: int, symbols: int, distinct: bool, attempts: int) -> tuple[int, int]:
    if not length:
        secrets, guesses = sorted(WORDS), sorted(WORDS | MORE)
    else:
        every = permutations if distinct else lambda names, n: product(names, repeat=n)
        secrets = guesses = list(every(range(symbols), length))
    score = {"pegs": PegsRule(4, 6).score, "marks": MarksRule(5, 26).score}[rule]
    return optimum(score, guesses, secrets, attempts or None)


def is_true(text: str) -> bool:
    """Return whether the claim of a certificate is true, by trying every guess everywhere.

    That the guesses may be restricted to candidates is left out: more guesses never take more.
    """
    head = head_of(text)
    sizes = [0, 0] if "words" in head else [int(head["length"]), int(head["symbols"])]
    distinct = head.get("distinct") == "yes"
    lost, total = _least(head["rule"], *sizes, distinct, int(head["attempts"]))
    return (int(head["lost"]), int(head["total"])) <= (lost, total)


def raised(text: str, more: int = 1) -> str:
    """Return a certificate with a claim of some guesses more."""
    head, _, lemmas = text.partition("\n\n")
    heads, lines = head.splitlines(), lemmas.splitlines()
    heads[-1] = f"total: {int(head_of(text)['total']) + more}"
    lines[-1] = str(int(lines[-1]) + more)
    return "\n".join([*heads, "", *lines, ""])


def mutated(text: str, rng: random.Random) -> str:
    """Return a certificate with a change that a mistake or a forger could make."""
    head, _, lemmas = text.partition("\n\n")
    lines, heads = lemmas.splitlines(), head.splitlines()
    number = rng.randrange(len(lines))
    words = lines[number].split()
    kind = rng.choice(["claim", "claim", "least", "least", "turn", "gone", "head", "order", "cut"])
    if kind == "claim":
        return raised(text, rng.randint(1, 3))
    if kind == "least":
        words[0] = str(max(1, int(words[0]) + rng.choice([-3, -2, -1, 1, 2, 3])))
        lines[number] = " ".join(words)
    elif kind == "turn" and len(words) > 1:
        place = rng.randrange(1, len(words))
        words[place] = "".join(rng.sample(words[place], len(words[place])))
        lines[number] = " ".join(words)
    elif kind == "gone":
        del lines[number]
    elif kind == "order":
        rng.shuffle(lines)
    elif kind == "cut":
        return text[: rng.randrange(len(text))]
    else:
        length, symbols = rng.choice(_SIZES)
        changes = {"distinct": rng.choice(["yes", "no"])}
        changes |= {"attempts": rng.randint(0, 4), "pool": rng.choice(["all", "candidates"])}
        changes |= {"small": rng.randint(0, 30)}
        chosen = dict(rng.sample(sorted(changes.items()), rng.randint(1, 3)))
        if rng.random() < 0.5:
            chosen |= {"length": length, "symbols": symbols}
        heads[1:] = [f"{key}: {chosen.get(key, value)}" for key, value in head_of(text).items()]
    return "\n".join([*heads, "", *lines, ""])


pytestmark = pytest.mark.needs("numba")


@pytest.fixture(scope="module")
def texts():
    """The certificate of each small game."""
    return [written(game) for game in small_games()]


@pytest.fixture(scope="module")
def accepts(texts):  # whose search is compiled before
    with uncompiled_checker() as accepts:
        yield accepts


def test_a_certificate_proves_the_optimum_and_nothing_more(texts, accepts):
    for text in texts:
        assert is_true(text)
        assert accepts(text)
        assert not accepts(raised(text))
        assert "candidates" in text or not is_true(raised(text))


@pytest.mark.parametrize("times", [60, pytest.param(1_000, marks=pytest.mark.slow)])
def test_a_mutated_certificate_is_refused_or_true(texts, accepts, times):
    rng, found = random.Random(times), Counter()
    for _ in range(times):
        text = mutated(rng.choice(texts), rng)
        accepted = accepts(text)
        found[accepted, accepted and is_true(text)] += 1
    assert found[True, False] == 0
    assert found[True, True] > times / 10
    assert found[False, False] > times / 4


@pytest.mark.parametrize(("game", "change", "supported"), cases("no certificates"))
def test_what_the_checker_does_not_support_is_refused(game, change, supported):
    with pytest.raises(StrategyError, match=f"a certificate supports only.*{supported}"):
        check_certifiable(gamefile.load(game, [change]))


CHECKER = Path(__file__).resolve().parents[2] / "tools" / "check_certificate.py"


@pytest.mark.slow
def test_the_program_accepts_a_proved_claim_and_no_greater_one(tmp_path: Path) -> None:
    file, other = tmp_path / "certificate", tmp_path / "other"
    run = [sys.executable, "-m", "puzzlehunt", "lab", "run", "4x6", "--strategy", "optimal"]
    subprocess.run([*run, "--certificate", str(file)], check=True, capture_output=True)
    proved = file.read_text()
    other.write_text(raised(proved))
    last = len(proved.splitlines())
    for path, status, text in (file, 0, "proved: "), (other, 1, f"line {last}: "):
        ended = subprocess.run(
            [sys.executable, str(CHECKER), str(path)], capture_output=True, text=True, check=False
        )
        assert ended.returncode == status, ended
        assert text in ended.stdout + ended.stderr
