"""Many random games, huge spaces and a real log, by every engine."""

import random

import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import Turn


@pytest.mark.parametrize(
    ("size", "known", "candidates"),
    [
        ("12x20", "facts=[A-B-C-D-E-F-G-H-I-J-K-L]", 1),
        ("12x20", "facts=['ABCDEFGHIJK[AB]']", 2),
        ("12x20", "facts=['ABCDEFG[ABC]____']", 3 * 20**4),
        ("9x24", "turns=[ABCDEFGHI won]", 1),
        ("4x60", "turns=[1-2-3-4 won]", 1),
        ("4x60", "turns=[1-2-3-4 BBB]", 4 * 59),
    ],
)
def test_a_sample_of_a_huge_space_knows_whether_it_is_all(size, known, candidates):
    game = gamefile.load(size, [known])
    engine = open_engine(game, "symbolic")
    sample = engine.sample(10, random.Random(0))
    assert 1 <= len(sample.codes) <= min(10, candidates)
    assert sample.complete == (len(sample.codes) == candidates)
    assert all(code in engine for code in sample.codes)


@pytest.mark.parametrize("rule", ["marks", "matches", "letters", "order", "near"])
@pytest.mark.parametrize("doubted", [False, True])
def test_a_huge_space_is_sampled_by_every_rule(rule, doubted):
    game = gamefile.load("10x6", [f"rule={rule}"])
    secret, guess = (0, 1, 2, 3, 4, 5, 0, 1, 2, 3), (1, 1, 2, 2, 3, 3, 4, 4, 0, 3)
    engine = open_engine(game, "symbolic")
    clue = game.rule.notation.full_clue(game.score(guess, secret), guess)
    engine.push(Turn(guess, clue, 0.5 * doubted))
    sample = engine.sample(10, random.Random(0))
    assert len(sample.codes) == 10
    assert not sample.complete
    assert all(code in engine for code in sample.codes)
    assert sample == engine.sample(10, random.Random(0))


def test_a_real_log_leaves_the_same_words_at_every_row(brute_force):
    game = gamefile.load("heart-2018")
    explicit, symbolic = ExplicitEngine(game), open_engine(game, "symbolic")
    symbolic.keep(0)
    sizes = [explicit.count().exact]
    for row, turn in enumerate(game.history, start=1):
        explicit.push(turn)
        symbolic.push(turn)
        left = list(explicit.candidates())
        if row in (1, 4, 13, 26):
            assert left == brute_force(game, explicit.items)
        if row in (13, 26):
            assert list(symbolic.candidates()) == left
        sizes.append(len(left))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 3386
    assert game.parse_secret("HEART") in left
