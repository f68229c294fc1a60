"""Proofs: the bounds of a whole game, reported as they meet."""

import json
import signal
import subprocess
import sys
import time
from functools import cache

import pytest

from optimum import optimum
from puzzlehunt.engines.base import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.compiled.threads import thread_limit
from puzzlehunt.lab import trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search import proof
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.tree_file import guesses_of

pytestmark = pytest.mark.needs("numba")


class Proved:
    """A proof of a game, by a ledger that keeps what it is told."""

    def __init__(self, name, *changes, found=(), stop_after=None):
        self.game = gamefile.load(name, ["play.strategy=optimal", *changes])
        self.strategy, self.bounds, self.findings = Optimal(), [], []

        def note(finding):
            self.findings.append(finding)
            if len(self.findings) == stop_after:
                raise KeyboardInterrupt

        self.strategy.proof_log = proof.ProofLog(found, note, self.bounds.append)

    def run(self):
        position = Position.of(self.game, open_engine(self.game))
        opening = self.game.play.opening
        self.strategy.prepare(position, opening and self.game.parse_guess(opening))
        return self

    def tree(self):
        """The guesses of the tree that is played."""
        tree = trees.tree_of_game(Player(self.game.with_play({"strategy": self.strategy})))
        return guesses_of(tree, self.game.alphabet)


@pytest.fixture(params=[(2, 99), (200, 99), (2, 1)], ids=["steps", "parts", "firsts"])
def steps(request, monkeypatch):
    """What is searched at once: parts step by step, whole parts, whole first guesses."""
    monkeypatch.setattr(proof, "_SMALL", request.param[0])
    monkeypatch.setattr(proof, "_WIDTH", request.param[1])


WORDS = "secret.words=[AAB, ABA, ABC, ACB, BAC, BBC, BCC, CAB, CBA, CBC, CCA, CCB, ABB, BCA]"
MORE = "guess.words=[AAB, ACC, BBB, CAC, ABD, DDC]"


@cache
def best_of(*game):
    game = gamefile.load(*game[:1], game[1:])
    return optimum(game.score, list(game.guesses), list(game.secrets), game.play.attempts)


@pytest.mark.parametrize("rule", ["pegs", "marks", "letters"])
@pytest.mark.parametrize(
    "game",
    [
        *(["3x3"], ["2x4"], ["2x4", "play.attempts=3"], ["4x2"], ["2x3", "play.attempts=2"]),
        *(["3x4", WORDS], ["3x4", WORDS, MORE], ["3x4", WORDS, MORE, "play.attempts=3"]),
    ],
    ids=str,
)
def test_what_everything_tried_takes_lies_between_the_bounds(game, rule, steps):
    game = *game, f"rule={rule}"
    best, proved = best_of(*game), Proved(*game).run()
    for lower, upper, (least_lost, most_lost) in proved.bounds:
        assert (least_lost, lower) <= best <= (most_lost, upper)
    assert proved.bounds[-1].proved
    for before, after in zip(proved.bounds, proved.bounds[1:], strict=False):
        assert (after.lost[0], after.lower) >= (before.lost[0], before.lower)
        assert (after.lost[1], after.upper) <= (before.lost[1], before.upper)
        assert not before.proved


@pytest.mark.parametrize("changes", [[], ["play.opening=AAB", "play.pool=candidates"]])
def test_an_interrupted_proof_goes_on_and_plays_the_same(changes, steps):
    whole = Proved("3x5", *changes).run()
    tree = whole.tree()
    assert whole.findings
    stopped = Proved("3x5", *changes, stop_after=(len(whole.findings) + 1) // 2)
    with pytest.raises(KeyboardInterrupt):
        stopped.run()
    resumed = Proved("3x5", *changes, found=stopped.findings).run()
    assert resumed.bounds[-1] == whole.bounds[-1]
    assert resumed.tree() == tree
    assert len(resumed.findings) < len(whole.findings)


def test_reports_do_not_depend_on_the_number_of_threads(steps):
    with thread_limit(1):
        alone = Proved("3x5").run()
    together = Proved("3x5").run()
    assert together.bounds == alone.bounds
    assert sorted(map(str, together.findings)) == sorted(map(str, alone.findings))


@pytest.mark.slow
def test_an_interrupted_program_says_what_is_known_and_goes_on(tmp_path):
    file = tmp_path / "part"
    command = [sys.executable, "-m", "puzzlehunt", "lab", "run", "4x7", "--strategy", "optimal"]
    command += ["--json", "--checkpoint", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        while not file.exists() or len(file.read_text().splitlines()) < 20:
            assert program.poll() is None
            time.sleep(0.05)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate()
    assert program.returncode == 3
    assert str(file) in err.decode()
    stopped = json.loads(out)
    assert stopped["lower"] <= 11_228 <= stopped["upper"]
    assert not stopped["proved"]
    done = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    assert (done["lower"], done["upper"], done["total"]) == (11_228, 11_228, 11_228)
