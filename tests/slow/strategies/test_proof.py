"""Proofs of random games against everything tried, and an interrupt of the program itself."""

import json
import random
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest

from optimum import optimum
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search import proof
from puzzlehunt.strategies.search.optimal import Optimal


def random_game(rng):
    """A game of a few words, some of which may only be guessed; or None for too few."""
    length, symbols = rng.choice([2, 3, 3, 4]), "ABCDE"[: rng.choice([3, 4, 5])]
    codes = ["".join(code) for code in product(symbols, repeat=length)]
    if len(codes) < 16:
        return None
    secrets = rng.sample(codes, rng.randint(13, min(len(codes), 18)))
    guesses = {*secrets, *rng.sample(codes, min(len(codes), 25))}
    value = {
        "secret": {"words": sorted(secrets), "length": str(length)},
        "guess": {"words": sorted(guesses)},
        "rule": rng.choice(["pegs", "marks", "matches", "letters"]),
        "play": {"strategy": "optimal"},
    }
    if attempts := rng.choice([None, 2, 3, 4]):
        value["play"]["attempts"] = str(attempts)
    return gamefile.build(read_document(dump(value), "game.yaml", Path()))


@pytest.mark.parametrize(("small", "at_once"), [(2, 99), (5, 99), (200, 99), (2, 3)])
def test_random_games_take_what_trying_everything_takes(small, at_once, monkeypatch):
    monkeypatch.setattr(proof, "_SMALL", small)
    monkeypatch.setattr(proof, "_WIDTH", at_once)
    rng = random.Random(small + at_once)
    for game in filter(None, (random_game(rng) for _ in range(12))):
        best = optimum(game.score, list(game.guesses), list(game.secrets), game.play.attempts)
        strategy, bounds = Optimal(), []
        strategy.proof_log = proof.ProofLog(report=bounds.append)
        strategy.prepare(Position.of(game, open_engine(game)))
        assert bounds[-1].proved
        for lower, upper, (least_lost, most_lost) in bounds:
            assert (least_lost, lower) <= best <= (most_lost, upper)


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
