"""All that shows how likely a code is, or what a guess tells, is by one posterior.

Held against plain enumeration: each secret, each row, and all that may happen to the row.
"""

import random
import re
from itertools import count, islice

import numpy as np
import pytest

from bayes import Bayes, Seen
from cases import cases
from player import KeptScreen, page_of
from puzzlehunt.channel.model import SUSPICION
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.explanation.remaining import CandidatesListed, remaining
from puzzlehunt.explanation.repair import near_misses
from puzzlehunt.explanation.review import try_guess
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.views.json import advice_json, candidates_json
from puzzlehunt.views.wording import percent
from random_games import noisy_game

CHANNELS = [parts.split() for (parts,) in cases("channels of chances")]
GAMES = 20
AS_IF = "answers as if all were read and true"
"""Random games of each channel, 200 in all."""


class Enumerated:
    """A random game, its engine, and the chance of each of its secrets by the book."""

    def __init__(self, seed, parts) -> None:
        self.game = noisy_game(seed, *parts, rows=3)
        self.engine = ExplicitEngine(self.game)
        self.engine.follow(self.game.history)
        weights = Bayes(self.game).weights()
        chances = weights / (weights.sum() or 1.0)
        self.chances = dict(zip(self.game.secrets, chances.tolist(), strict=True))
        self.fitting = [
            s for s in self.game.secrets if meaning.fits(self.game, self.game.history, s)
        ]
        tried = {turn.code for turn in self.game.history.turns}
        self.guesses = [guess for guess in self.game.guesses if guess not in tried]

    @property
    def outside(self):
        fitting = {*self.fitting}
        return sum(chance for secret, chance in self.chances.items() if secret not in fitting)

    def bits(self, guess):
        return Seen(self.engine, guess, self.chances).information()

    def check(self, suggestion, basis):
        """The chance and the bits of a guess, and whether it fits."""
        guess = suggestion.code
        assert suggestion.chance == pytest.approx(self.chances.get(guess, 0.0), abs=1e-9)
        if basis != AS_IF:
            assert suggestion.value == pytest.approx(self.bits(guess), abs=1e-9)
        assert suggestion.candidate == (guess in self.fitting)


def enumerated(parts, games=GAMES):
    """The first random games of a channel in which several codes fit."""
    every = (Enumerated(seed, parts) for seed in count())
    told = (one for one in every if len(one.fitting) > 1 and one.guesses)
    return islice((one for one in told if one.engine.weights() is not None), games)


@pytest.mark.parametrize("games", [4, pytest.param(GAMES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("parts", CHANNELS, ids="+".join)
def test_every_chance_is_that_of_enumeration_and_all_add_up_to_one(parts, games):
    for one in enumerated(parts, games):
        game, engine, outside = one.game, one.engine, None
        if "misread" in parts:
            outside = pytest.approx(one.outside, abs=1e-9)
        # Candidates, and what nearly fits.
        left = remaining(engine, len(one.fitting))
        assert sorted(left.codes) == sorted(one.fitting)
        for code, chance in zip(left.codes, left.chances, strict=True):
            assert chance == pytest.approx(one.chances[code], abs=1e-9)
        assert left.outside == outside
        assert sum(left.chances) + (left.outside or 0.0) == pytest.approx(1, abs=1e-9)
        near = near_misses(engine, top=10)
        for code in near:
            assert code.probability == pytest.approx(one.chances[code.code], abs=1e-9)
            assert code.code not in one.fitting
        # Guesses: those that are suggested, and one that is tried.
        adviser = Adviser(game, "entropy")
        advice = adviser.advise(engine, top=5)
        assert advice.outside == outside
        for suggestion in advice.suggestions:
            one.check(suggestion, advice.basis)
        guess = random.Random(1).choice(one.guesses)
        tried = try_guess(adviser, engine, guess)
        one.check(tried.rated.suggestions[0], tried.rated.basis)
        # The same for programs.
        listed = candidates_json(engine, CandidatesListed(left, near=tuple(near)))
        for code in [*listed["candidates"], *listed.get("nearly", [])]:
            secret = game.parse_guess(code["code"])
            assert code["probability"] == pytest.approx(one.chances[secret], abs=1e-9)
        told = [*advice_json(advice)["suggestions"]]
        told += advice_json(tried.rated)["suggestions"]
        for said in told:
            chance = one.chances.get(game.parse_guess(said["guess"]), 0.0)
            assert said["chance"] == pytest.approx(chance, abs=1e-9)
        for said in (listed, advice_json(advice)):
            assert said.get("outside") == outside


@pytest.mark.parametrize(
    "parts",
    [CHANNELS[1], *(pytest.param(parts, marks=pytest.mark.slow) for parts in CHANNELS[2:4])],
    ids="+".join,
)
def test_where_a_row_is_probably_misread_the_best_guess_is_the_best_by_all_secrets(parts):
    one = next(each for each in enumerated(parts, 200) if each.outside > 0.5)
    bits = np.array([one.bits(guess) for guess in one.guesses])
    chances = np.array([one.chances.get(guess, 0.0) for guess in one.guesses])
    worth = dict(zip(one.guesses, bits + chances * max(0.0, bits.max()), strict=True))
    best = Adviser(one.game, "entropy").advise(one.engine).suggestions[0].code
    assert worth[best] == pytest.approx(max(worth.values()), abs=1e-8)


# What a person sees: five rows of a hunt, one of which is probably misread.

ROWS = ("HORSE BW___", "TRAIN WR___", "CLOUD RRR__", "SPEND W____", "WHEAT BWW__")
OF_A_HUNT = "reads={black: 0.10, white: 0.13, miss: 0.51}"
IF_NO_ROW_IS_MISREAD = "18 %"
"""How likely the best guess is among the 22 codes that fit every row: that is never said alone."""


@pytest.fixture(scope="module")
def session():
    played = Session(gamefile.load("cryptic", [OF_A_HUNT]), "cryptic")
    played.play(*[played.game.turn(row) for row in ROWS])
    return played


def text_of(html):
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def typed(session, *lines):
    conversation = Conversation(session)
    screen = KeptScreen()
    for line in lines:
        screen.show(conversation, conversation.handle(line))
    return "".join(screen.take())


def test_a_guess_wins_as_often_as_its_code_is_likely_on_every_face(session):
    heart = (session.game.parse_guess("HEART"),)
    (best,) = [s for s in session.suggest(5).suggestions if s.code in heart]
    left = remaining(session.engine, 50)
    chance = dict(zip(left.codes, left.chances, strict=True))[best.code]
    assert best.chance == pytest.approx(chance, abs=1e-12)
    assert percent(chance) == "4.3 %"
    said = typed(session, "", "/suggest", "/try HEART", "/candidates 1")
    assert said.count("4.3 %") == 3
    page, _ = page_of(session)
    shown = [page["suggestions"], page["candidates"]]
    shown += [session.suggest(5)._repr_html_(), session.engine._repr_html_()]
    for html in map(text_of, shown):
        assert "4.3 %" in html
    for text in (said, *map(text_of, [*page.values(), *shown])):
        assert IF_NO_ROW_IS_MISREAD not in text


@pytest.mark.parametrize(("share", "is_said"), [(0.05, False), (0.95, True)])
def test_that_no_candidate_is_the_secret_is_said_once_on_every_face(share, is_said):
    game = gamefile.load("cryptic", [OF_A_HUNT[:-1] + f", misread: {share}}}"])
    session = Session(game, "cryptic")
    session.play(*map(game.turn, ROWS))
    outside = remaining(session.engine, 1).outside
    assert (outside >= SUSPICION) == is_said
    said = f"{percent(outside)}: the secret is none of these"
    page, marked = page_of(session)
    assert bool(marked) == is_said
    assert ("If one row is wrong" in page["candidates"]) == is_said
    status = typed(session, "")
    assert ("Probably wrong" in status) == is_said
    shown = [page["count"], session.suggest(1)._repr_html_(), session.engine._repr_html_()]
    for text in (status, typed(session, "/candidates 2"), *map(text_of, shown)):
        assert text.count(said) == is_said
        assert text.count("none of these") == is_said
    if_wrong = f"others, if a row is wrong: {percent(outside)}"
    assert (if_wrong in typed(session, "/candidates 2")) != is_said
