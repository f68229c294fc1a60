"""The lab's commands for people: compare and plot."""

import sys
from pathlib import Path

import numpy as np
import pytest

import puzzlehunt
from puzzlehunt.errors import TooLargeError
from puzzlehunt.game.files import gamefile
from puzzlehunt.lab.trees import candidates_left

TWO = ["--strategy", "entropy", "--strategy", "parts"]


# compare.


def test_rows_that_contradict_each_other_leave_nothing_to_compare(run, home):
    Path("log.yaml").write_text("game: 3x4\nturns: [AAA BBB, BBB BBB]\n")
    done = run("lab", "compare", "log.yaml", *TWO)
    assert done.status == 1
    assert done.out == ""


# Pictures.


def test_plot_writes_what_it_is_asked_for_and_never_over_a_file(run, home):
    assert run("lab", "plot", "2x3", "--kind", "shrink", "-o", "a.svg").status == 0
    before = Path("a.svg").read_bytes()
    done = run("lab", "plot", "2x3", "--kind", "histogram", "-o", "a.svg")
    assert (done.status, Path("a.svg").read_bytes()) == (2, before)
    assert run("lab", "plot", "2x3", "--kind", "histogram", "-o", "a.svg", "--force").status == 0
    assert Path("a.svg").read_bytes() != before


def test_without_matplotlib_one_line_names_the_extra(run, home, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("lab", "plot", "2x3", "-o", "a.svg")
    assert done.status == 2
    assert '"puzzlehunt[plots]"' in done.err


# How candidates shrink.


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("3x4", {"strategy": "entropy"}),
        ("3x4", {"strategy": "parts", "opening": "AAB", "pool": "candidates"}),
        ("3x4", {"strategy": "consistent", "seed": 3}),
        ("3x4 hard", {"strategy": "deep"}),
    ],
)
def test_candidates_shrink_as_they_do_in_games_played_one_by_one(name, settings):
    size, *hard = name.split()
    game = gamefile.load(size, ["hard=true"] * len(hard)).with_play(settings)
    result = puzzlehunt.run(game, name=name)
    left = candidates_left(result)
    assert (left[0] == 64).all()
    assert (np.diff(left, axis=0) <= 0).all()
    assert (left[-1] == 1).all()
    found = (left == 1).argmax(axis=0)
    assert np.array_equal(found, result.guesses["known"])


def test_what_cannot_be_counted_cannot_be_drawn():
    game = gamefile.load("2x3").with_play({"strategy": "consistent", "engine": "symbolic"})
    with pytest.raises(TooLargeError, match="where all can be counted"):
        candidates_left(puzzlehunt.run(game, name="2x3", secrets=1))
