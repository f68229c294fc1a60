"""The text of a value is what a conversation prints of it, and what a notebook shows."""

import re
from collections import Counter
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

import puzzlehunt
from catalogue import KINDS, cases
from player import Player
from positions import read_back
from puzzlehunt.engines import open_engine
from puzzlehunt.game.history import Shown
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.views.candidates import count_line, outside_lines


@pytest.fixture
def mastermind():
    return puzzlehunt.load("mastermind")


def text_of(value):
    """Return the text of a value, which is what a notebook shows, too."""
    html = value._repr_html_()
    assert html.startswith("<pre>")
    assert unescape(re.sub("<[^>]*>", "", html)) == str(value)
    return str(value)


def test_texts_are_escaped_wherever_they_come_from():
    game = puzzlehunt.load("4x6", ["title=<img>", "about=<p>", "turns=['AABB BW # <i>']"])
    engine = open_engine(game)
    engine.follow(game.history)
    for value in (game, engine):
        html = value._repr_html_()
        assert re.search("<(img|p|i)>", html) is None
        assert "&lt;i&gt;" in html


CHANNELS = ["reads", "misread+doubts", "at_most", "table+at_most"]
QUESTIONS = ["certain", "suspect", "repair", "next", "review", "suggest", "candidates", "conflicts"]


def played(kind):
    """Yield games of the catalogue whose rows were read from lines, some of which contradict."""
    for case in cases(kind, 2):
        for game in (case.game, case.torn().game):
            yield replace(game, history=read_back(game, game.history))


@pytest.mark.parametrize("kind", [*KINDS, *CHANNELS])
def test_the_text_of_an_answer_is_what_a_conversation_prints(kind):
    for game in played(kind):
        player = Player(puzzlehunt.Session(game, ""), quiet=True)
        why = f"why {game.format_code(next(iter(game.one_board.secrets)))}"
        for question in [*QUESTIONS, why]:
            player.say(f"/{question}")
            printed = Counter(f"{player.out}{player.notes}none".splitlines())
            for answer in player.outcomes:
                if isinstance(answer, puzzlehunt.Advice):
                    count = count_line(puzzlehunt.Count.of(answer.count))
                    printed.update([count, *outside_lines(answer.outside)])
                if isinstance(answer, Shown):
                    assert Counter(text_of(answer).splitlines()) <= printed


@pytest.mark.parametrize("kind", [*KINDS, *CHANNELS])
def test_the_sheet_of_a_history_is_read_back_and_rows_are_told_as_they_are_typed(kind):
    for game in played(kind):
        noted = [replace(turn, note="by Ann") for turn in game.history.turns]
        history = puzzlehunt.History((*game.history, *noted))
        assert game.as_history(text_of(history)) == history
        fresh = replace(game, history=puzzlehunt.History())
        session = puzzlehunt.Session(fresh, "")
        player = Player(puzzlehunt.Session(fresh, ""), quiet=True)
        for turn in game.history.turns:
            told = text_of(session.play(turn))
            assert told in player.say(str(turn)).out
        assert str(session) == f"{game.title}\n{session.history}".strip()


@pytest.mark.parametrize("kind", [*KINDS, *CHANNELS])
def test_texts_stand_beside_their_codes(kind):
    for game in played(kind):
        parsed = game.one_board.alphabet.format
        code = next(iter(game.one_board.secrets))
        for one in [*puzzlehunt.near_misses(game, top=5), *puzzlehunt.why(game, code=code)]:
            assert one.text == parsed(one.code)
        for one in puzzlehunt.certain(game):
            assert one.symbol == parsed(one.code)
        for one in puzzlehunt.repairs(game):
            assert all(str(turn) == format_turn(game, turn) for _, turn in one.turns)
        for one in puzzlehunt.review(game):
            assert (one.guess, one.best) == (parsed(one.turn.code), parsed(one.best_code))
        if not puzzlehunt.candidates(game) or game.boards > 1:
            continue
        for one in puzzlehunt.suggest(game):
            assert one.guess == game.format_code(one.code)
        split = puzzlehunt.partition(game, guess=next(iter(game.guesses)))
        assert split.guess == game.format_code(split.code)
        assert [split[answer] for answer in split] == [*split.counts.values()]


def test_a_row_without_its_text_shows_its_numbers(mastermind):
    turn = mastermind.turn("RRGB BW")
    bare = puzzlehunt.Turn(turn.code, turn.clue)
    assert "(0, 0, 1, 2)" in text_of(puzzlehunt.History((bare,)))


def test_an_engine_shows_how_many_are_left_and_the_first_of_them(mastermind):
    engine = open_engine(mastermind)
    engine.push(mastermind.turn("RRGB BBB"))
    codes = [mastermind.format_code(code) for code in engine.candidates().codes]
    shown = text_of(engine).splitlines()
    assert shown[1:] == [f"{len(codes)} left", *codes[:12], f"... and {len(codes) - 12} more"]
    engine.push(mastermind.turn("YYYY BBBB"))
    assert "0 left" in text_of(engine)


def test_a_partition_counts_what_the_specification_scores(mastermind):
    engine = open_engine(mastermind)
    engine.push(mastermind.turn("RRGB BW"))
    guess = mastermind.parse_guess("RYOR")
    partition = puzzlehunt.partition(engine, guess=guess)
    scores = [mastermind.score(guess, code) for code in engine.candidates().codes]
    assert partition.counts == {score: scores.count(score) for score in set(scores)}
    assert list(partition.counts.values()) == sorted(partition.counts.values(), reverse=True)
    assert partition.total == engine.count().exact == sum(partition.counts.values())
    assert max(partition.counts.values()) == max(map(scores.count, scores))
    assert len(partition) == len({*scores})
    sizes = np.array(list(partition.counts.values()))
    shares = sizes / sizes.sum()
    assert partition.bits == pytest.approx(-(shares * np.log2(shares)).sum())
    assert partition.average_left == pytest.approx((sizes * shares).sum())
    assert len(text_of(partition).splitlines()) == 3 + len(partition)


def kinds_of(kind):
    """Yield the kinds of values that have a text, and those that only others inherit from."""
    for child in kind.__subclasses__():
        yield child.__name__
        yield from kinds_of(child)


def test_every_kind_of_value_has_a_text_of_its_own():
    torn, log = ["AABB 1b", "ABCD none"], "heart-2018"
    session = puzzlehunt.Session("4x6")
    lists = [puzzlehunt.repairs("4x6", torn), puzzlehunt.certain("4x6", ["AABB none"])]
    lists += [ask(log) for ask in (puzzlehunt.suspects, puzzlehunt.unread_marks)]
    lists += [puzzlehunt.near_misses(log, top=3)]
    values = [session.play(*torn), session, session.game, session.history, session.engine]
    values += [puzzlehunt.partition("4x6", guess="AABB"), puzzlehunt.candidates("4x6")]
    values += [puzzlehunt.explain("4x6", torn), *puzzlehunt.why("4x6", torn, code="AAAA")]
    values += [puzzlehunt.review("4x6", torn), puzzlehunt.suggest("4x6"), session.engine.count()]
    values += [puzzlehunt.run("2x2", "first"), puzzlehunt.compare("2x2", ["first", "parts"])]
    unexplained = puzzlehunt.load("3x3", {"legend": "unknown"})
    values += [puzzlehunt.Session(unexplained, "3x3").answers.identify()]
    values += [value for found in lists for value in (found, found[0])]
    names = {type(value).__name__ for value in values}
    expected = {kind for kind in kinds_of(Shown) if not kind.endswith(("Engine", "Session"))}
    assert expected - {"Finding", "Findings", "Tabled"} <= names
    for value in values:
        assert "<" not in text_of(value)
        assert repr(value) != str(value)
    assert (
        text_of(puzzlehunt.repairs("4x6"))
        == text_of(puzzlehunt.near_misses("4x6", top=3))
        == "none"
    )
