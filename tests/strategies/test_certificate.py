"""Certificates: what the package writes proves the optimum, and what is false proves nothing."""

import random

import pytest

from certificates import (
    is_true,
    mutated,
    small_games,
    uncompiled_checker,
    written,
)
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.files import gamefile
from puzzlehunt.strategies.search.certificate import check_certifiable

pytestmark = pytest.mark.needs("numba")


@pytest.fixture(scope="module")
def texts():
    """The certificate of each small game."""
    return [written(game) for game in small_games()]


@pytest.fixture(scope="module")
def accepts(texts):  # whose search is compiled before
    with uncompiled_checker() as accepts:
        yield accepts


def raised(text):
    """The certificate with a claim of one guess more."""
    head, _, lemmas = text.partition("\n\n")
    heads, lines = head.splitlines(), lemmas.splitlines()
    heads[-1] = f"total: {int(heads[-1].split()[1]) + 1}"
    lines[-1] = str(int(lines[-1]) + 1)
    return "\n".join([*heads, "", *lines, ""])


def test_a_certificate_proves_the_optimum_and_nothing_more(texts, accepts):
    for text in texts:
        assert is_true(text)
        assert accepts(text)
        assert not accepts(raised(text))
        assert "candidates" in text or not is_true(raised(text))


def test_a_mutated_certificate_is_refused_or_true(texts, accepts):
    rng = random.Random(0)
    for _ in range(60):
        text = mutated(rng.choice(texts), rng)
        assert not accepts(text) or is_true(text)


@pytest.mark.parametrize(
    ("game", "change", "supported"),
    [
        ("4x6", "hard=true", "without options or hard mode"),
        ("4x6", "rule=letters", "pegs and marks"),
        ("4x6", "play.opening=AABC", "no given first guess"),
        ("4x6", "play.attempts=100", "99 attempts"),
        ("4x6", "play.pool=secrets", "the pools"),
        ("10x3", "secret.distinct=false", "of one length"),
        ("nethack", "play.seed=1", "of one length"),
        ("wordle", "secret.digraphs=[sh]", "capital letters"),
    ],
)
def test_what_the_checker_does_not_support_is_refused(game, change, supported):
    with pytest.raises(StrategyError, match=f"a certificate supports only.*{supported}"):
        check_certifiable(gamefile.load(game, [change]))
