"""Proofs: the bounds of a whole game, reported as they meet."""

from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimum import optimum
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.kernels import problem
from puzzlehunt.kernels.compiled.threads import thread_limit
from puzzlehunt.lab import trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.rules import marks
from puzzlehunt.rules.pegs import score
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search import proof
from puzzlehunt.strategies.search.branch_and_bound import Task
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.tree_file import tree_lines

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
        """The text of the tree that is played."""
        tree = trees.tree_of_game(Player(self.game.with_play({"strategy": self.strategy})))
        return list(tree_lines(tree, self.game.alphabet))


@pytest.fixture(params=[(2, 99), (200, 99), (2, 1)], ids=["seconds", "parts", "firsts"])
def steps(request, monkeypatch):
    """What is searched at once: second guesses in their parts, whole parts, whole first guesses."""
    monkeypatch.setattr(proof, "_SMALL", request.param[0])
    monkeypatch.setattr(proof, "_WIDTH", request.param[1])


@cache
def best_of(name, attempts):
    length, symbols = map(int, name.split("x"))
    codes = list(product(range(symbols), repeat=length))
    return optimum(score, codes, codes, attempts)


@pytest.mark.parametrize(
    ("name", "attempts"), [("3x3", None), ("2x4", None), ("2x4", 3), ("4x2", None), ("4x2", 3)]
)
def test_what_everything_tried_takes_lies_between_the_bounds(name, attempts, steps):
    best = best_of(name, attempts)
    proved = Proved(name, *([] if attempts is None else [f"play.attempts={attempts}"])).run()
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


@st.composite
def word_games(draw):
    """A game of a few words of five letters, so alike that guesses separate few of them."""
    words = draw(
        st.lists(st.text("ABCD", min_size=5, max_size=5), min_size=13, max_size=45, unique=True)
    )
    secrets = words[: draw(st.integers(13, len(words)))]
    play = {"pool": draw(st.sampled_from(["all", "candidates"]))}
    if attempts := draw(st.sampled_from([None, 2, 3, 4, 6])):
        play["attempts"] = str(attempts)
    return word_game(secrets, words, play)


def word_game(secrets, guesses, play):
    value = {
        "secret": {"words": sorted(secrets), "length": "5"},
        "guess": {"words": sorted(guesses)},
        "rule": "marks",
        "play": {"strategy": "optimal", **play},
    }
    return gamefile.build(read_document(dump(value), "game.yaml", Path()))


def look_is_exact(game, guesses, every):
    """Assert that one-ply bounds are those of the second guesses that make most parts."""
    position = Position.of(game, open_engine(game))
    search = Optimal().search_of(position)
    table, winning = search.problem.feedback, search.problem.winning
    part = search.state(np.arange(0, len(table), every), position.attempts, ())
    look, most = search.one_ply_bounds(part), search.part_count_bounds(part)[1]
    left, count = problem.after(part.attempts), len(search.codes)
    for guess in range(count)[guesses]:
        floor = len(part.candidates)
        for _, each in search.children(part, guess):
            members, own = each.candidates, search.problem.guess_of[each.candidates]
            seconds = own if search.problem.candidates_only else range(count)
            told = [
                len(set(table[members, second])) + (winning in table[members, second])
                for second in seconds
            ]
            least = problem.tree_size_bound(len(members), most, left)
            floor += max(least, 3 * len(members) - max(told)) if left > 1 else least
        assert look(guess, proof.NO_BOUND) == floor
        assert min(look(guess, floor - 1), floor) >= floor - 1


@given(word_games(), st.integers(1, 2))
@settings(max_examples=5)
def test_a_look_finds_the_best_second_guess_by_the_parts_it_makes(game, every):
    look_is_exact(game, slice(None), every)


def test_a_look_finds_the_best_second_guess_of_large_parts():
    look_is_exact(gamefile.load("4x4"), slice(0, 16, 5), 1)


def test_a_look_finds_a_candidate_that_separates_a_large_part_behind_a_guess_that_tells_more():
    """ABCDE separates all secrets; FGHIJ, one of them, those without a Z, which ZZZZZ leaves."""
    score, words, random = marks.MarksRule(5, 26).score, ["FGHIJ"], Random(1)
    told = {("ABCDE", score("ABCDE", "FGHIJ"))}
    for letters, number in (("ABCDEFGHIJ", 36), ("ABCDEZ", 70)):
        while len(words) < number:
            word = "".join(random.choices(letters, k=5))
            new = {("ABCDE", score("ABCDE", word)), ("FGHIJ", score("FGHIJ", word))}
            if "Z" in word:
                new = {each for each in new if each[0] == "ABCDE"}
            if ("Z" in word) == ("Z" in letters) and not new & told:
                words.append(word)
                told |= new
    game = word_game(words, [*words, "ABCDE", "ZZZZZ"], {})
    look_is_exact(game, slice(None), 1)


@given(word_games())
@settings(max_examples=5)
def test_a_guess_whose_parts_are_raised_in_turn_has_its_value(game):
    position = Position.of(game, open_engine(game))
    search = Optimal().search_of(position)
    part = search.state(np.arange(len(position.candidates)), position.attempts, ())
    for guess in range(0, len(search.codes), max(1, len(search.codes) // 5)):
        value = search.of_guess(part, guess, proof.NO_BOUND)
        for bound in (value - 1, value, value + 1, proof.NO_BOUND):
            fresh = Optimal().search_of(position)
            in_turn, _ = fresh.solve(Task(part, guess, bound, in_turn=True))
            assert in_turn == value if value < bound else bound <= in_turn <= value


# Ties.

WORDS = ["".join(word) for word in product("abc", repeat=3)]
few_words = st.lists(st.sampled_from(WORDS), min_size=8, max_size=16, unique=True)


def proof_of(game, opening=None):
    """A proof of a game's beginning that has run, and value and guess that it found."""
    searched, state = Optimal()._searching_for(Position.of(game, open_engine(game)))
    made = proof.Proof(searched.search, state, proof.ProofLog(), opening)
    return made, *made.run()


@given(
    few_words,
    st.integers(5, 8),
    st.sampled_from([(200, 64), (200, 1), (1, 64)]),
)
@settings(max_examples=8)
def test_of_first_guesses_that_take_as_few_the_first_in_order_is_the_best(words, secrets, sizes):
    lists = {"secret": {"words": words[:secrets]}, "guess": {"words": words}, "rule": "marks"}
    game = gamefile.build(read_document(dump(lists), "game.yaml", Path()))
    with pytest.MonkeyPatch.context() as patch:
        for name, size in zip(("_SMALL", "_WIDTH"), sizes, strict=True):
            patch.setattr(proof, name, size)
        made, value, guess = proof_of(game)
        alone = [proof_of(game, first.guess)[1] for first in made.firsts]
    assert value == min(alone)
    assert guess == made.firsts[alone.index(value)].guess
