"""The checks that rules have to pass: every rule passes them, and a wrong face is named."""

import pytest

from puzzlehunt.codes.constraints import AllOf
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.matches import Matches, MatchesRule
from puzzlehunt.rules.near import NearRule
from puzzlehunt.rules.testing import check_rule
from rule_cases import with_one_secret


@with_one_secret
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


class NoRefusal(MatchesRule):
    def is_not_secret(self, guess):
        return AllOf(())


class StrictHardMode(NearRule):
    def hard_mode_constraint(self, guess, clue):
        return self.is_not_secret(guess)


class OneIsNotListed(MatchesRule):
    feedbacks = (Matches(0), Matches(2))


class EverythingWins(MatchesRule):
    winning = Matches(1)


class OtherText(MatchesRule):
    def format(self, clue):
        return "1"


@pytest.mark.parametrize(
    ("rule", "face"),
    [
        (TableOfOtherSecrets, "table: "),
        (PartitionsOfFewer, "partitions: "),
        (NoConstraint, "constraint of "),
        (NoRefusal, "is_not_secret: "),
        (StrictHardMode, "hard_mode_constraint of "),
        (OneIsNotListed, r"feedbacks: Matches\(matches=1\) of "),
        (EverythingWins, "winning: "),
        (OtherText, "notation: "),
    ],
)
def test_a_wrong_face_is_named(rule, face):
    with pytest.raises(AssertionError, match=f"^{face}"):
        check_rule(rule(2, 3))


def test_a_rule_without_a_notation_has_the_words_of_every_game():
    own = dict.fromkeys(Rule.__abstractmethods__) | {"named_marks": lambda _: [("x", "hit")]}
    rule = type("OwnWay", (Rule,), own)(2, 3)
    assert rule.readings((0, 1)) == []
    assert {"*", "won", "none"} < {*rule.clue_words}
    assert rule.legend() == "x hit, _ unread, * nothing read"
