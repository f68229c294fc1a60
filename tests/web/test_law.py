"""One law for all built-in games: JSON is as described, and page, text and JSON say the same."""

import json
import random
import re

import pytest

from forms import fits
from player import KeptScreen, page_of
from puzzlehunt.channel.model import SUSPICION
from puzzlehunt.engines.base import Count, Counted
from puzzlehunt.explanation.repair import Suspect
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.changes import Question
from puzzlehunt.session.codemaker import open_codemaker
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.candidates import count_line, outside_lines
from puzzlehunt.views.json import FORMS
from puzzlehunt.views.page.fragments import outcome_html
from puzzlehunt.views.terminal import print_outcome
from puzzlehunt.web.snapshot import answer_of

_FAST = ("capitals", "cryptic", "dordle", "elements", "heart-2018", "liar", "mastermind", "nethack",
         "number-mastermind", "wordle")  # fmt: skip
_CASES = {name: [] for name in gamefile.built_in_games()} | {"4x6": ["reads={misread: 0.97}"]}
_QUESTIONS = [
    *map(Question, ("certain", "suspects", "repairs", "explain", "review")), Question("suggest", 5),
    Question("candidates", 20), Question("unread", 3), Question("conflicts", 20),
]  # fmt: skip


def played(name, rows):
    """A session of a game, with rows that a codemaker has answered."""
    game = gamefile.load(name, [*_CASES[name], "play.budget=1"])
    session, codemaker = Session(game, name), open_codemaker(game, rng=random.Random(5))
    session.history = codemaker.history
    guesses = random.Random(7)
    for _ in range(rows):
        session.history = session.history.add(codemaker.answer(game.guesses.random(guesses)))
    return session


def figures(text):
    """A text without what differs between faces: tags and space."""
    return re.sub(r"<[^>]*>|\s", "", text)


def faces(session, outcome):
    """What a terminal and the page show of an outcome."""
    screen = KeptScreen()
    print_outcome(outcome, screen, session.game)
    return screen.take()[0], figures(str(outcome_html(outcome, session.game)))


@pytest.mark.parametrize("rows", [0, 2])
@pytest.mark.parametrize("name", [
    name if name in (*_FAST, "4x6") else pytest.param(name, marks=pytest.mark.slow)
    for name in _CASES
])  # fmt: skip
def test_answers_are_as_described_and_the_same_on_every_face(name, rows):
    session = played(name, rows)
    game, drawn = session.game, random.Random(3)
    code, guess = game.one_board.secrets.random(drawn), game.guesses.random(drawn)
    answers = {}
    for question in [*_QUESTIONS, Question("why", code=code), Question("try", code=guess)]:
        found = answer_of(session, question, 60)
        form = FORMS[question.kind]
        assert fits(form.schema, json.loads(json.dumps(found))), (question, found)
        answers[question.kind] = found
    skill = answers["review"]["skill"]
    assert skill is None or 0 <= skill <= 1

    page, marked = page_of(session)
    suggested, listed = answers["suggest"], answers["candidates"]
    assert [suggested.get(k) for k in ("count", "outside")] == [
        listed.get(k) for k in ("count", "outside")
    ]
    outside = suggested.get("outside")
    left = [count_line(Count.of(suggested["count"])), *outside_lines(outside)]
    is_suspicious = (outside or 0.0) >= SUSPICION
    assert is_suspicious == (len(left) > 1)
    named = [one["turn"] for one in answers["suspects"]["suspects"] if one["named"]]
    told = list(session.answers.ask(Question("status")))
    for outcome in told:
        if isinstance(outcome, Counted):
            text, html = faces(session, outcome)
            assert figures(text) == html == figures(page["count"])
            assert game.boards > 1 or text.splitlines() == left
    for outcome in session.answers.ask(Question("suggest", 5)):
        assert isinstance(outcome, Advice)
        lines = faces(session, outcome)[0].splitlines()
        lines = [lines[0].removeprefix("try ")] if len(outcome) == 1 else lines[1:]
        assert len(lines) == len(suggested["suggestions"])
        for line, one in zip(lines, suggested["suggestions"], strict=True):
            on_page = page["sentence" if len(outcome) == 1 else "suggestions"]
            assert figures(line) in figures(on_page)
            assert line.startswith(one["guess"])
            if one["value"] is not None and len(outcome) > 1:
                shown = line.removeprefix(one["guess"]).split()[0].replace(",", "")
                assert float(shown) == pytest.approx(one["value"], abs=0.0051)
    if game.channel.misread:
        assert bool(named) == is_suspicious
        said = [one.row for one in told if isinstance(one, Suspect)]
        numbers = session.history.names
        assert said == named[:1]
        assert sorted(numbers[place] for place in marked) == sorted(named)
