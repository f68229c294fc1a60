"""What shows itself in a notebook shows what it is, and nothing that a text could smuggle in."""

import inspect
import re

import numpy as np
import pytest

import puzzlehunt
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.views.elements import bar, styled_table, tile
from puzzlehunt.views.notebook_html import code_html, history_html, value_html
from puzzlehunt.views.printed_tables import Table


@pytest.fixture
def mastermind():
    return puzzlehunt.load("mastermind")


def test_texts_are_escaped_wherever_they_come_from():
    table = Table.of(["<b>", "n"], [["<script>", "1 & 2"]], text_columns=["<b>"])
    shown = styled_table(table)
    for written in ("&lt;b&gt;", "&lt;script&gt;", "1 &amp; 2"):
        assert f">{written}<" in shown
    assert "&lt;i&gt;" in tile("<i>")
    game = puzzlehunt.load("4x6", ["title=<img>", "about=<p>", "turns=['AABB BW # <i>']"])
    engine = puzzlehunt.open_engine(game)
    engine.follow(game.history)
    for value in (game, game.history, engine):
        html = value._repr_html_()
        assert re.search("<(img|p|i)>", html) is None
        assert "&lt;i&gt;" in html


def test_bars_are_as_long_as_their_share():
    assert "width:12.00em" in bar(1)
    assert "width:3.00em" in bar(0.25)


def test_a_game_shows_its_title_size_and_rows(mastermind):
    assert "Mastermind" in mastermind._repr_html_()
    assert "1,296 secrets" in mastermind._repr_html_()
    log = puzzlehunt.load("heart-2018")
    assert log._repr_html_().count("<tr>") == 1 + len(log.history)


def test_tiles_of_a_guess_have_the_colours_of_their_marks():
    game = puzzlehunt.load("wordle")
    shown = history_html(game, puzzlehunt.History((game.parse_turn("CRANE GY..G"),)))
    assert [shown.count(f'title="{name}"') for name in ("right", "elsewhere", "absent")] == [
        2,
        1,
        2,
    ]


def test_symbols_that_are_colours_have_them_and_marks_too(mastermind):
    turn = mastermind.parse_turn("RRGB BW")
    shown = history_html(mastermind, puzzlehunt.History((turn,)))
    names = ("red", "green", "blue", "black", "white")
    assert [shown.count(f'title="{name}"') for name in names] == [2, 1, 1, 1, 1]


def test_a_history_alone_shows_rows_as_they_are_written(mastermind):
    history = puzzlehunt.History((mastermind.parse_turn("RRGB BW"), mastermind.parse_fact("no R")))
    assert "RRGB BW" in history._repr_html_()
    assert "no R" in history._repr_html_()
    bare = puzzlehunt.Turn(history.turns[0].guess, history.turns[0].clue)
    assert bare == history.turns[0]
    assert "1-1-2-3" in puzzlehunt.History((bare,))._repr_html_()


def test_an_engine_shows_how_many_are_left_and_the_first_of_them(mastermind):
    engine = puzzlehunt.open_engine(mastermind)
    engine.push(mastermind.parse_turn("RRGB BBB"))
    codes = [code_html(mastermind, code) for code in engine.candidates()]
    shown = engine._repr_html_()
    assert f"<b>{len(codes):,}</b> left" in shown
    assert all(code in shown for code in codes[:11])
    engine.push(mastermind.parse_turn("YYYY BBBB"))
    assert "<b>0</b> left" in engine._repr_html_()


def test_engines_that_cannot_count_say_that_something_is_left():
    engine = puzzlehunt.open_engine(puzzlehunt.load("16x6"))
    assert "left" in engine._repr_html_()


def test_advice_shows_guesses_with_what_they_are_worth(mastermind):
    engine = puzzlehunt.open_engine(mastermind)
    engine.push(mastermind.parse_turn("RRGB BW"))
    advice = puzzlehunt.Adviser(mastermind).advise(engine, top=3)
    shown = advice._repr_html_()
    for suggestion in advice.suggestions:
        assert code_html(mastermind, suggestion.guess) in shown
        assert f">{suggestion.value:.2f}".rstrip("0") in shown


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
    assert partition._repr_html_().count("<tr>") == 1 + partition.parts


def test_results_show_both_counts():
    result = puzzlehunt.run(puzzlehunt.load("2x3"), name="2x3")
    shown = result._repr_html_()
    assert "played" in shown
    assert f"{result.guesses['known'].sum()}" in shown


FOUND = [
    ("suspects", "heart-2018", (), "5. HORSE BWR__: 16 %"),
    ("repairs", "4x6", ("AABB 1b", "ABCD none"), "1) 1. AABB 1b -&gt; clue none"),
    ("repairs", "4x6", ("AABB 1b",), "none"),
    ("certain", "mastermind", ("RRGG none",), "no R, G (row 1)"),
    ("certain", "mastermind", (), "none"),
]


@pytest.mark.parametrize(("asked", "name", "rows", "said"), FOUND)
def test_what_is_found_is_a_list_that_is_shown_in_words(asked, name, rows, said):
    engine = puzzlehunt.open_engine(name)
    for row in rows:
        engine.push(row)
    found = getattr(puzzlehunt, asked)(engine)
    assert isinstance(found, list)
    assert f"<div>{said}</div>" in found._repr_html_()


def test_near_misses_explanations_reviews_and_candidates_are_shown():
    log, torn = puzzlehunt.open_engine("heart-2018"), puzzlehunt.open_engine("4x6")
    torn.follow(["AABB 1b", "ABCD none"])
    shown = {
        "REACT": puzzlehunt.near_misses(log, 1),
        "Try HEART: 1 in 4 to win.": puzzlehunt.suggest("heart-2018"),
        "Play AA: it is the only one left.": puzzlehunt.suggest("2x3", ["AB b", "CB none"]),
        "row 1 needs 1 of A, B": puzzlehunt.explain("4x6", torn),
        "Skill 94 %": puzzlehunt.review("4x6", ["AABB 1b"]),
        "<b>500</b> left": puzzlehunt.candidates("4x6", ["AABB 1b"]),
    }
    for said, value in shown.items():
        assert said in value._repr_html_()


def test_every_value_that_shows_itself_in_a_notebook_is_shown():
    # A class with slots is made twice, so that its first version may be listed, too.
    own = {kind.__name__ for kind in NotebookShown.__subclasses__()}
    assert own == set(re.findall(r"case (\w+)\(\)", inspect.getsource(value_html)))
    with pytest.raises(TypeError, match="a notebook cannot show int"):
        value_html(1)


def test_unread_marks_are_ranked_or_none_is_said_to_be_left():
    game = puzzlehunt.load("heart-2018")
    shown = puzzlehunt.unread_marks(game)._repr_html_()
    assert game.format_turn(game.history.turns[23]) in shown
    assert "<table>" in shown
    assert "none" in puzzlehunt.unread_marks("mastermind")._repr_html_()
