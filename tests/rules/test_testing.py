"""The checks that rules have to pass: every rule passes them, and a wrong face is named."""

from functools import cached_property
from pathlib import Path

import pytest

import puzzlehunt
from puzzlehunt.codes.alphabet import FOREIGN, default_alphabet
from puzzlehunt.codes.constraints import AllOf, AnyOf, At
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.built_in import Matches, MatchesRule, NearRule
from puzzlehunt.rules.families import CountRule
from puzzlehunt.rules.notation.counts import CountNotation
from puzzlehunt.rules.pegs import PegsRule
from puzzlehunt.rules.rule_registry import rule_in_file
from puzzlehunt.rules.testing import check_rule
from rule_cases import every_rule

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@every_rule
def test_every_rule_passes(case):
    check_rule(case.rule(2, ("Ax", "Ay", "Bx")))
    check_rule(case.rule(4, ("Ax", "Ay", "Az", "Bx", "By", "Bz")), seed=1, codes=8)


class TableOfOtherSecrets(MatchesRule):
    def table(self, guesses, secrets):
        return super().table(guesses, self.rows(secrets.codes[:, ::-1]))


class PartitionsOfFewer(MatchesRule):
    def partitions(self, guesses, secrets, weights=None):
        return super().partitions(guesses, self.rows(array_of([(0, 0)] * len(secrets), 2)), weights)


class NoConstraint(MatchesRule):
    def constraint(self, guess, clue):
        return AllOf(())


class StrictHardMode(NearRule):
    def hard_mode_constraint(self, guess, clue):
        return AnyOf(())


class OneIsNotListed(MatchesRule):
    feedbacks = (Matches(0), Matches(2))


class EverythingWins(MatchesRule):
    winning = Matches(1)


class OtherNotation(CountNotation):
    def format(self, clue):
        return "1"


class OtherText(MatchesRule):
    @cached_property
    def notation(self):
        own = super().notation
        return OtherNotation(own.kinds)


@pytest.mark.parametrize(
    ("rule", "face"),
    [
        (TableOfOtherSecrets, "table: "),
        (PartitionsOfFewer, "partitions: "),
        (NoConstraint, "constraint of "),
        (StrictHardMode, "hard_mode_constraint of "),
        (OneIsNotListed, r"feedbacks has Matches\(matches=1\): "),
        (EverythingWins, "winning: "),
        (type("Alike", (NearRule,), {"symmetric": True}), "symmetric: "),
        (OtherText, "notation: "),
    ],
)
def test_a_wrong_face_is_named(rule, face):
    with pytest.raises(AssertionError, match=f"^{face}"):
        check_rule(rule(2, 3))


class ForeignInPlace(MatchesRule):
    def score(self, guess, secret):
        pairs = zip(guess, secret, strict=True)
        return Matches(sum(one in (other, FOREIGN) for one, other in pairs))


def test_the_guesses_of_a_game_that_takes_foreign_symbols_have_some():
    space = puzzlehunt.SymbolSpace(default_alphabet(3), range(2, 3))
    for takes in (False, True):
        game = puzzlehunt.Game("2x3", space, space, ForeignInPlace(2, 3), ignore_foreign=takes)
        if takes:
            with pytest.raises(AssertionError, match="-1"):
                check_rule(game)
        else:
            check_rule(game)


# Without a table of its own, a rule that counts has the one of its literals.


def test_the_table_of_literals_is_that_of_the_rule():
    plain = {"table": CountRule.table, "rows": Rule.rows, "partitions": Rule.partitions}
    rule = type("Plain", (PegsRule,), plain | {"pair_offsets": None})
    check_rule(rule(3, 4))


@pytest.mark.parametrize("name", ["Halves", "Steps", "compass"])
def test_the_examples_of_rules_pass(name):
    rule = rule_in_file(f"{EXAMPLES}/own_rules.py:{name}")
    space = puzzlehunt.SymbolSpace(default_alphabet(3), range(3, 4))
    made = rule(3, 3) if isinstance(rule, type) else rule
    check_rule(puzzlehunt.Game("3x3", space, space, made))


def test_literals_whose_counts_are_in_no_feedback_are_an_error():
    class Doubled(MatchesRule):
        def tile_literals(self, place, symbol, earlier):
            return [("match", -2, At(place, (symbol,)))]

    with pytest.raises(AssertionError, match=r"^table: "):
        check_rule(Doubled(2, 3))
