"""Checks for the tests of a rule, in this package or in another one.

Each check compares methods of a rule with its `score`. Engines rely on their agreement: the
explicit engine uses `table`, the others use `constraint`, and all must find the same candidates.
`check_rule` runs all checks on codes drawn from a seed; a test can also run a single check on codes
of its own. A check that fails raises AssertionError with a message that says what differs.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from puzzlehunt.codes.alphabet import FOREIGN, Code, default_alphabet
from puzzlehunt.codes.constraints import Constraint, holds
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace
from puzzlehunt.errors import InvalidClueError, check_type
from puzzlehunt.kernels.packed_codes import array_of, where_holds
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.notation.clue import UNREAD_WORDS, Clue, Feedback

SMALL = 100
"""The greatest number of codes of a rule for which `check_rule` uses all codes as secrets."""


class GameOfCodes(Protocol):
    """What `check_rule` needs of a game: its rule, its secrets and its guesses."""

    @property
    def rule(self) -> Rule: ...
    @property
    def secrets(self) -> CodeSpace: ...
    @property
    def guesses(self) -> CodeSpace: ...
    @property
    def ignore_foreign(self) -> bool: ...


def check_rule(checked: Rule | GameOfCodes, seed: int = 0, codes: int = 30) -> None:
    """Run all checks on a rule, or on the rule of a game of one secret.

    The secrets are those of the game, or else all codes of the rule's symbols: all of them if there
    are at most `SMALL`, otherwise `codes` random ones. The guesses are `codes` of the game's
    guesses, the secrets that may be guessed, and, if foreign symbols or short guesses are allowed,
    some of these guesses with foreign symbols or shorter. A `ScoreRule` has scores only in a game.
    `seed` is the seed of all random choices.
    """
    given = checked if isinstance(checked, Rule) else getattr(checked, "rule", checked)
    check_type("checked", given, Rule, "a rule such as PegsRule(4, 6), or a game with one")
    rng = random.Random(seed)
    if isinstance(checked, Rule):
        rule, foreign = checked, not checked.compares_symbols
        if rule.only_listed:
            raise AssertionError(f"rule {rule.name}: check a game with it, which lists its codes")
        lengths = range(rule.length, rule.length + 1)
        space: CodeSpace = SymbolSpace(default_alphabet(rule.symbols), lengths)
        secrets, guesses = _drawn(space, rng, codes), space
    else:
        rule, foreign = checked.rule, checked.ignore_foreign and not checked.rule.only_listed
        secrets, guesses = _drawn(checked.secrets, rng, codes), checked.guesses
    tried = [secret for secret in secrets[:codes] if secret in guesses]
    tried += _drawn(guesses, rng, codes)[:codes]
    if foreign:
        tried += [tuple(rng.choice([s, s, FOREIGN]) for s in guess) for guess in tried]
    if isinstance(checked, Rule) and rule.short_guesses:
        tried += [guess[: rng.randrange(rule.length)] for guess in tried[:codes]]
    tried = list(dict.fromkeys(tried))
    check_scores(rule, tried, secrets)
    check_table(rule, tried, secrets)
    check_partitions(rule, tried, secrets, [rng.randint(1, 40) / 4 for _ in secrets])
    for guess in tried:
        feedback = rule.score(guess, rng.choice(secrets))
        check_full_clue(rule, guess, feedback)
        for text in _clue_texts(rule, guess, feedback, rng):
            clue = check_notation(rule, guess, feedback, text)
            if not rule.no_constraint:
                check_constraint(rule, guess, clue, secrets)


def _drawn(space: CodeSpace, rng: random.Random, count: int) -> list[Code]:
    """Return all codes of a small space, shuffled, or else `count` codes drawn at random."""
    if space.size <= SMALL:
        return rng.sample(list(space), space.size)
    return list(dict.fromkeys(space.random(rng) for _ in range(count)))


def _clue_texts(rule: Rule, guess: Code, feedback: Feedback, rng: random.Random) -> list[str]:
    """Return the text of a feedback read in full, and one with random marks unread.

    The second is left out where feedback is not written as marks.
    """
    text = rule.notation.format(rule.notation.full_clue(feedback, guess))
    if not set(text) <= {mark for mark, _ in rule.notation.named_marks()}:
        return [text]
    hidden = [rule.notation.unread_mark if rng.random() < 0.5 else mark for mark in text]
    return [text, "".join(hidden)]


def check_scores(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `feedbacks` has each score once, and that just the secret itself wins.

    Under a rule without a win, no guess wins.
    """
    listed = list(rule.feedbacks)
    if len(set(listed)) < len(listed) or rule.winning not in listed:
        raise AssertionError(f"feedbacks: one is listed twice, or {rule.winning} is not listed")
    pairs = [(guess, secret) for guess in guesses for secret in secrets]
    for guess, secret in [*pairs, *((secret, secret) for secret in secrets if rule.can_win)]:
        feedback = rule.score(guess, secret)
        if feedback not in listed:
            raise AssertionError(f"feedbacks: {feedback} of {guess} against {secret} is not listed")
        wins = guess == secret and rule.can_win
        _same("winning", (guess, secret), feedback == rule.winning, wins)


def check_table(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `table` returns the index in `feedbacks` of each score."""
    codes = (rule.rows(array_of(each, rule.length)) for each in (guesses, secrets))
    table = rule.table(*codes)
    _same("table", "its shape", table.shape, (len(guesses), len(secrets)))
    for guess, indices in zip(guesses, table.tolist(), strict=True):
        for secret, index in zip(secrets, indices, strict=True):
            _same("table", (guess, secret), rule.feedbacks[index], rule.score(guess, secret))


def check_partitions(
    rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code], weights: Sequence[float]
) -> None:
    """Check that `partitions` returns how many secrets have each score, and their weights' sum."""
    rows, columns = (rule.rows(array_of(each, rule.length)) for each in (guesses, secrets))
    for each in (None, np.array(weights)):
        parts = rule.partitions(rows, columns, each).tolist()
        for guess, found in zip(guesses, parts, strict=True):
            expected: Counter[Feedback] = Counter()
            amounts = [1.0] * len(secrets) if each is None else weights
            for secret, weight in zip(secrets, amounts, strict=True):
                expected[rule.score(guess, secret)] += weight  # type: ignore[assignment]
            _same("partitions", guess, sorted(filter(None, found)), sorted(expected.values()))


def check_constraint(rule: Rule, guess: Code, clue: Clue, secrets: Sequence[Code]) -> None:
    """Check that `constraint` holds for just the secrets whose score is in the clue.

    Hard mode after the clue must exclude none of these.
    """
    admitted = [rule.score(guess, secret) in clue for secret in secrets]
    name = f"constraint of {rule.notation.format(clue)}"
    _check_holds(name, rule.constraint(guess, clue), guess, secrets, admitted)
    name, demand = f"hard_mode_{name}", rule.hard_mode_constraint(guess, clue)
    for secret, is_admitted in zip(secrets, admitted, strict=True):
        if is_admitted:
            _same(name, (guess, secret), holds(demand, secret), True)


def _check_holds(
    name: str, constraint: Constraint, guess: Code, secrets: Sequence[Code], expected: list[bool]
) -> None:
    """Check for which secrets a constraint holds, one by one and as an array."""
    array = array_of(secrets, max(map(len, secrets), default=0))
    for found in ([holds(constraint, s) for s in secrets], where_holds(constraint, array).tolist()):
        for secret, of_secret, right in zip(secrets, found, expected, strict=True):
            _same(name, (guess, secret), of_secret, right)


def check_notation(rule: Rule, guess: Code, feedback: Feedback, text: str) -> Clue:
    """Check the clue of a text that is true of a feedback, and return the clue.

    The clue must admit the feedback. Its formatted text must parse to the same clue, and its
    description must be one line.
    """
    try:
        clue = rule.parse(text, guess)
    except InvalidClueError as error:
        raise AssertionError(f"notation: {text!r} is refused about {guess}: {error}") from error
    if feedback not in clue or feedback not in list(clue):
        raise AssertionError(f"notation: {text!r} about {guess} does not admit {feedback}")
    written = rule.notation
    again = written.format(clue)
    _same(f"notation: {again!r}, read back", guess, rule.parse(again, guess), clue)
    for name, line in (
        ("describe", rule.notation.describe(clue)),
        ("legend", rule.notation.legend()),
    ):
        _same(name, "its lines", len(line.strip().splitlines()), 1)
    return clue


def check_full_clue(rule: Rule, guess: Code, feedback: Feedback) -> None:
    """Check that `full_clue` admits its feedback alone, and `*` each feedback that does not win."""
    clue, wins = rule.notation.full_clue(feedback, guess), feedback == rule.winning
    text = rule.notation.format(clue)
    _same("full_clue", guess, list(clue), [feedback])
    _same("wins", guess, rule.wins(clue), wins)
    _same(f"notation: {text!r}, read back", guess, rule.parse(text, guess), clue)
    unread = rule.parse(UNREAD_WORDS[0], guess)
    _same(f"notation: * with {feedback}", guess, wins or feedback in unread, True)
    _same("notation: format", guess, rule.notation.format(unread), UNREAD_WORDS[0])
    _same("notation: describe", guess, rule.notation.describe(unread), "nothing read")


def _same(name: str, about: object, actual: object, expected: object) -> None:
    if actual != expected:
        raise AssertionError(f"{name}: {about}: {actual!r}, and should be {expected!r}")
