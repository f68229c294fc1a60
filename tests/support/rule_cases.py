"""Every rule as game files may ask for it, and strategies for its guesses, secrets and clues."""

from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
from hypothesis import strategies as st

from puzzlehunt.codes.alphabet import FOREIGN, default_alphabet
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.rule_registry import BUILT_IN, find_rule
from random_games import partly_read


@dataclass(frozen=True)
class Case:
    """A rule as a game file may ask for it."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def rule(self, length: int, symbols: tuple[str, ...]) -> Rule:
        return find_rule(self.name)(
            length,
            len(symbols),
            marks=self.marks,
            names=self.names,
            options=self.options,
            alphabet=symbols,
        )


CASES = {name: Case(name) for name in BUILT_IN if name != "columns"} | {
    "pegs with a mark for a miss": Case("pegs", marks={"miss": "R"}, names={"miss": "red"}),
    "pegs of other names": Case("pegs", names={"black": "bull"}),
    "marks of signs": Case(
        "marks", marks={"right": "+", "elsewhere": "b", "absent": "x", "unknown": "-"}
    ),
    "letters with a mark for a miss": Case("letters", marks={"common": "X", "miss": "o"}),
    "near, within 1": Case("near", {"within": "1"}),
    "marks of tiles alone": Case("marks", {"tiles": "alone"}),
    "directions of other names": Case("directions", names={"miss": "equal"}),
}
"""All rules as they are, but for that of columns, which needs a table; and with other notations."""
every_rule = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@st.composite
def rules(draw: st.DrawFn, case: Case) -> Rule:
    length = draw(st.integers(1, 6))
    if case.name == "pairs":
        halves = product("ABC"[: draw(st.integers(1, 3))], "xyz"[: draw(st.integers(1, 3))])
        return case.rule(length, tuple(map("".join, halves)))
    return case.rule(length, default_alphabet(draw(st.integers(1, 8))).symbols)


def secrets_for(rule: Rule):
    symbols = st.integers(0, rule.symbols - 1)
    return st.lists(symbols, min_size=rule.length, max_size=rule.length).map(tuple)


def guesses_for(rule: Rule):
    """Guesses of all lengths that the rule takes, foreign symbols among them where it does."""
    symbols = st.integers(0, rule.symbols - 1)
    if not rule.compares_symbols:
        symbols |= st.just(FOREIGN)
    least = 0 if rule.short_guesses else rule.length
    return st.lists(symbols, min_size=least, max_size=rule.length).map(tuple)


@st.composite
def scored(draw: st.DrawFn, case: Case):
    """A rule, some guesses, and some secrets, of which some are among the guesses."""
    rule = draw(rules(case))
    guesses = draw(st.lists(guesses_for(rule), min_size=1, max_size=6))
    secrets = draw(st.lists(secrets_for(rule), min_size=1, max_size=20))
    whole = [guess for guess in guesses if FOREIGN not in guess]
    return rule, guesses, secrets + [guess for guess in whole if len(guess) == rule.length]


@st.composite
def read(draw: st.DrawFn, case: Case):
    """A rule, a guess, a secret, and what was written about the answer."""
    rule = draw(rules(case))
    guess, secret = draw(guesses_for(rule)), draw(secrets_for(rule))
    if len(guess) == rule.length and FOREIGN not in guess and draw(st.integers(0, 4)) == 0:
        secret = guess
    rng = draw(st.randoms(use_true_random=False))
    return rule, guess, secret, partly_read(rng, rule, guess, rule.score(guess, secret))
