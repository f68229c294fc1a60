"""What shows itself in a notebook shows what it is, and nothing that a text could smuggle in."""

import inspect
import re
from html import unescape

import numpy as np
import pytest

import puzzlehunt
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.views import notebook_html


@pytest.fixture
def mastermind():
    return puzzlehunt.load("mastermind")


def text_of(value):
    """Return what a notebook shows of a value, without its colours."""
    html = value._repr_html_()
    assert html.startswith("<pre>")
    return unescape(re.sub("<[^>]*>", "", html))


def test_texts_are_escaped_wherever_they_come_from():
    game = puzzlehunt.load("4x6", ["title=<img>", "about=<p>", "turns=['AABB BW # <i>']"])
    engine = puzzlehunt.open_engine(game)
    engine.follow(game.history)
    for value in (game, engine):
        html = value._repr_html_()
        assert re.search("<(img|p|i)>", html) is None
        assert "&lt;i&gt;" in html


def test_a_history_alone_shows_rows_as_they_are_written(mastermind):
    history = puzzlehunt.History((mastermind.parse_turn("RRGB BW"), mastermind.parse_fact("no R")))
    assert text_of(history) == "RRGB BW\nno R\n"
    bare = puzzlehunt.Turn(history.turns[0].guess, history.turns[0].clue)
    assert "(0, 0, 1, 2)" in text_of(puzzlehunt.History((bare,)))


def test_an_engine_shows_how_many_are_left_and_the_first_of_them(mastermind):
    engine = puzzlehunt.open_engine(mastermind)
    engine.push(mastermind.parse_turn("RRGB BBB"))
    codes = [mastermind.format_code(code) for code in engine.candidates()]
    shown = text_of(engine).splitlines()
    assert shown[1:] == [f"{len(codes)} left", *codes[:12], f"... and {len(codes) - 12} more"]
    engine.push(mastermind.parse_turn("YYYY BBBB"))
    assert "0 left" in text_of(engine)


def test_a_partition_counts_what_the_specification_scores(mastermind):
    engine = puzzlehunt.open_engine(mastermind)
    engine.push(mastermind.parse_turn("RRGB BW"))
    guess = mastermind.parse_guess("RYOR")
    partition = puzzlehunt.partition(engine, guess)
    scores = [mastermind.score(guess, code) for code in engine.candidates()]
    assert partition.counts == {score: scores.count(score) for score in set(scores)}
    assert list(partition.counts.values()) == sorted(partition.counts.values(), reverse=True)
    assert partition.total == engine.count().exact == sum(partition.counts.values())
    assert (partition.largest, partition.parts) == (max(map(scores.count, scores)), len({*scores}))
    sizes = np.array(list(partition.counts.values()))
    shares = sizes / sizes.sum()
    assert partition.bits == pytest.approx(-(shares * np.log2(shares)).sum())
    assert partition.average_left == pytest.approx((sizes * shares).sum())
    assert len(text_of(partition).splitlines()) == 3 + partition.parts


@pytest.mark.parametrize(
    ("asked", "name", "rows", "said"),
    [
        ("suspects", "heart-2018", (), "Suspects\n5. HORSE BWR__: 16 %\n"),
        (
            "repairs",
            "4x6",
            ("AABB 1b", "ABCD none"),
            "first:\n1) 1. AABB 1b -> none",
        ),
        ("repairs", "4x6", ("AABB 1b",), "Repairs: none\n"),
        ("certain", "mastermind", ("RRGG none",), "Certainties\nno R, G (row 1)\n"),
        ("certain", "mastermind", (), "Certainties: none\n"),
        ("unread_marks", "heart-2018", (), "24. PRATE BR___  0.68"),
        ("unread_marks", "mastermind", (), "Unread marks: none\n"),
    ],
)
def test_what_is_found_is_a_list_that_is_shown_in_words(asked, name, rows, said):
    engine = puzzlehunt.open_engine(name)
    for row in rows:
        engine.push(row)
    found = getattr(puzzlehunt, asked)(engine)
    assert isinstance(found, list)
    assert said in text_of(found)


def test_every_value_that_shows_itself_in_a_notebook_is_shown():
    # A class with slots is made twice, so that its first version may be listed, too.
    own = {kind.__name__ for kind in NotebookShown.__subclasses__()}
    cases = re.findall(r"case ([\w() |]+):", inspect.getsource(notebook_html._show))
    assert own == {*re.findall(r"(\w+)\(\)", " ".join(cases))}
    with pytest.raises(TypeError, match="a notebook cannot show int"):
        notebook_html.value_html(1)
