"""Proofs: the bounds of a whole game, reported as they meet."""

from functools import cache
from itertools import product

import pytest

from optimum import optimum
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.compiled.threads import on_cores
from puzzlehunt.lab import growing
from puzzlehunt.rules.pegs import score
from puzzlehunt.strategies import optimal, proof
from puzzlehunt.strategies.base import NO_BUDGET
from puzzlehunt.strategies.optimal import Optimal
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.tree import _lines


class Proved:
    """A proof of a game, by a ledger that keeps what it is told."""

    def __init__(self, name, *settings, found=(), stop_after=None):
        self.game = gamefile.load(name, ["play.strategy=optimal", *settings])
        self.strategy, self.bounds, self.findings = Optimal(), [], []

        def note(finding):
            self.findings.append(finding)
            if len(self.findings) == stop_after:
                raise KeyboardInterrupt

        self.strategy.ledger = proof.Ledger(lambda: found, note, self.bounds.append)

    def run(self):
        position = Position.of(self.game, open_engine(self.game))
        opening = self.game.play.opening
        self.strategy.prepare(position, opening and self.game.parse_guess(opening))
        return self

    def tree(self):
        """The text of the tree that is played."""
        tree = growing.grow(self.game, self.strategy, NO_BUDGET)
        return list(_lines(tree, self.game.alphabet, "", 0))


@pytest.fixture(params=[2, 200])
def small(request, monkeypatch):
    """Parts that are searched as a whole have a few candidates, or all but the largest have."""
    monkeypatch.setattr(proof, "_SMALL", request.param)


@cache
def best_of(name, attempts):
    length, symbols = map(int, name.split("x"))
    codes = list(product(range(symbols), repeat=length))
    return optimum(score, codes, codes, attempts)


@pytest.mark.parametrize(
    ("name", "attempts"), [("3x3", None), ("2x4", None), ("2x4", 3), ("4x2", None), ("4x2", 3)]
)
def test_what_everything_tried_takes_lies_between_the_bounds(name, attempts, small):
    best = best_of(name, attempts)
    proved = Proved(name, *([] if attempts is None else [f"play.attempts={attempts}"])).run()
    for lower, upper, (least_lost, most_lost) in proved.bounds:
        assert (least_lost, lower) <= best <= (most_lost, upper)
    assert proved.bounds[-1].proved
    for before, after in zip(proved.bounds, proved.bounds[1:], strict=False):
        assert (after.lost[0], after.lower) >= (before.lost[0], before.lower)
        assert (after.lost[1], after.upper) <= (before.lost[1], before.upper)
        assert not before.proved


@pytest.mark.parametrize("settings", [[], ["play.opening=AAB", "play.pool=candidates"]])
def test_an_interrupted_proof_goes_on_and_plays_the_same(settings, small):
    whole = Proved("3x5", *settings).run()
    tree = whole.tree()
    assert len(whole.findings) > 3
    stopped = Proved("3x5", *settings, stop_after=len(whole.findings) // 2)
    with pytest.raises(KeyboardInterrupt):
        stopped.run()
    resumed = Proved("3x5", *settings, found=stopped.findings).run()
    assert resumed.bounds[-1] == whole.bounds[-1]
    assert resumed.tree() == tree
    assert len(resumed.findings) < len(whole.findings)


def test_what_is_found_of_a_second_guess_alone_is_taken_up(monkeypatch):
    monkeypatch.setattr(proof, "_SMALL", 2)
    monkeypatch.setattr(proof, "_LONG", -1.0)
    whole = Proved("3x5").run()
    stopped = Proved("3x5", stop_after=len(whole.findings) - 1)
    with pytest.raises(KeyboardInterrupt):
        stopped.run()
    seconds = [finding for finding in stopped.findings if finding.second is not None]
    assert seconds
    resumed = Proved("3x5", found=seconds).run()
    assert resumed.bounds[-1] == whole.bounds[-1]
    assert resumed.tree() == whole.tree()


def test_reports_do_not_depend_on_the_number_of_threads(small):
    with on_cores(1):
        alone = Proved("3x5").run()
    together = Proved("3x5").run()
    assert together.bounds == alone.bounds
    assert sorted(map(str, together.findings)) == sorted(map(str, alone.findings))


def test_too_little_memory_is_said_before_it_is_taken(monkeypatch):
    monkeypatch.setattr(optimal, "_BYTES_WITHOUT_LOOK", 0)
    monkeypatch.setattr(optimal, "_BYTES_BESIDE_TABLE", 10**18)
    with pytest.raises(StrategyError, match=r"needs 1000000000\.0 GB of memory, and .* are free"):
        Proved("3x3").run()
