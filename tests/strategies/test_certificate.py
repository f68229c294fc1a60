"""Certificates: what the package writes proves the optimum, and what is false proves nothing."""

import importlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from certificates import (
    MORE,
    WORDS,
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
CHECKER = Path(__file__).resolve().parents[2] / "tools" / "check_certificate.py"


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


def test_a_certificate_that_is_cut_off_or_lacks_a_lemma_proves_nothing(texts, accepts):
    text = texts[2]  # by other games, the checker needs no lemma but the last
    head, _, lemmas = text.partition("\n\n")
    assert len(lemmas.splitlines()) > 3
    for end in range(0, len(text), 7):
        assert not accepts(text[:end])
    for one in lemmas.splitlines():
        assert not accepts(f"{head}\n\n{one}\n")


def test_a_mutated_certificate_is_refused_or_true(texts, accepts):
    rng = random.Random(0)
    for _ in range(60):
        text = mutated(rng.choice(texts), rng)
        assert not accepts(text) or is_true(text)


def test_a_certificate_of_other_words_proves_nothing(texts):
    checker = importlib.import_module("check_certificate")
    for words, more in (WORDS | MORE, set()), (WORDS, MORE | {"FEED"}), (set(), set()):
        with pytest.raises(ValueError, match="words"):
            checker.check(texts[-1], words, more)


def head(**changes):
    keys = {
        "rule": "pegs", "length": "2", "symbols": "4", "distinct": "no", "attempts": "0",
        "pool": "all", "small": "200", "lost": "0", "total": "45", **changes,
    }  # fmt: skip
    lines = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"puzzlehunt certificate 1\n{lines}\n{keys['total']}\n"


@pytest.mark.parametrize(
    "text",
    [
        head(total="268435455", attempts="2"),
        head(lost="1"),
        head(hard="yes"),
        head().replace("symbols: 4", "symbols: 4\nsymbols: 4"),
        head(symbols="100"),
        head(symbols="-49"),
        head(symbols="\u0664"),
        head(total="1" * 19),
    ],
)
def test_no_head_claims_what_it_does_not_mean(text):
    with uncompiled_checker() as accepts:
        assert accepts(head())
        assert not accepts(text)


def test_a_loss_among_three_candidates_is_counted():
    with uncompiled_checker() as accepts:
        game = gamefile.load("3x3", ["secret.distinct=true", "play.attempts=3"])
        assert accepts(written(game))


def test_the_program_names_what_is_wrong(texts, tmp_path):
    """It is run without numba's compiler, which takes long for so little."""
    for text, status, part in (texts[0], 0, "no play takes fewer"), (raised(texts[0]), 1, "not 46"):
        file = tmp_path / "certificate"
        file.write_text(text)
        ended = subprocess.run(
            [sys.executable, str(CHECKER), str(file)],
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ended.returncode, part in ended.stdout + ended.stderr) == (status, True)


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


def test_the_checker_is_short_and_imports_nothing_of_the_package():
    text = CHECKER.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    assert "import puzzlehunt" not in text
    assert "from puzzlehunt" not in text
