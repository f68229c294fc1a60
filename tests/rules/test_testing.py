"""The checks that rules have to pass: every rule passes them, and a wrong face is named."""

import random
from dataclasses import replace
from functools import cached_property

import pytest

import puzzlehunt
from puzzlehunt.codes.alphabet import FOREIGN, default_alphabet
from puzzlehunt.codes.constraints import AllOf, AnyOf
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.errors import RuleError
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.rules import ScoreRule
from puzzlehunt.rules.built_in import MatchesRule, NearRule
from puzzlehunt.rules.notation.counts import CountNotation
from puzzlehunt.rules.testing import check_rule
from rule_cases import every_rule


@every_rule
def test_every_rule_passes(case):
    check_rule(case.rule(2, ("Ax", "Ay", "Bx")))
    check_rule(case.rule(4, ("Ax", "Ay", "Az", "Bx", "By", "Bz")), seed=1, codes=8)


def firsts_agree(guess, secret):
    return guess[0] == secret[0]


class FirstsAgree(ScoreRule):
    name = "firsts"

    def score(self, guess, secret):
        return guess[0] == secret[0]


@pytest.mark.parametrize("rule", [firsts_agree, FirstsAgree, FirstsAgree(), NearRule, "near"])
def test_a_rule_is_checked_as_a_class_a_function_or_a_name(rule):
    check_rule(rule)


class TableOfOtherSecrets(MatchesRule):
    def table(self, guesses, secrets):
        return super().table(guesses, self.rows(secrets.codes[:, ::-1]))


class PartitionsOfFewer(MatchesRule):
    def partitions(self, guesses, secrets, weights=None):
        return super().partitions(guesses, self.rows(array_of([(0, 0)] * len(secrets), 2)), weights)


class NoConstraint(MatchesRule):
    def constraint(self, guess, clue):
        return AllOf(())


class Fickle(MatchesRule):
    chance = random.Random(1)

    def score(self, guess, secret):
        return (self.chance.randrange(3),)


class StrictHardMode(NearRule):
    def hard_mode_constraint(self, guess, clue):
        return AnyOf(())


class OneIsNotListed(MatchesRule):
    feedbacks = ((0,), (2,))


class EverythingWins(MatchesRule):
    winning = (1,)


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
        (Fickle, "score, asked again: "),
        (StrictHardMode, "hard_mode_constraint of "),
        (OneIsNotListed, r"feedbacks has \(1,\): "),
        (EverythingWins, "winning: "),
        (type("Alike", (NearRule,), {"symmetric": True}), "symmetric: "),
        (OtherText, "notation: "),
    ],
)
def test_a_wrong_face_is_named(rule, face):
    with pytest.raises(RuleError, match=f"^{face}"):
        check_rule(rule(2, 3))


class ForeignInPlace(MatchesRule):
    def score(self, guess, secret):
        pairs = zip(guess, secret, strict=True)
        return (sum(one in (other, FOREIGN) for one, other in pairs),)


def test_the_guesses_of_a_game_that_takes_foreign_symbols_have_some():
    space = SymbolSpace(default_alphabet(3), range(2, 3))
    for takes in (False, True):
        guesses = replace(space, alphabet=replace(space.alphabet, ignores_foreign=takes))
        game = puzzlehunt.Game("2x3", space, guesses, ForeignInPlace(2, 3))
        if takes:
            with pytest.raises(RuleError, match="-1"):
                check_rule(game)
        else:
            check_rule(game)
