"""Checks that every rule has to pass, for the tests of a rule of this or of any other package.

`check_rule` draws codes from a seed and makes all checks; each check can also be made of codes that
a test chooses itself. All raise AssertionError with what differs. What engines rely on is that all
faces of a rule agree with its `score`; an engine that holds every code uses `table`, the others
`constraint`, and so a rule that passes gives all of them the same candidates.
"""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.constraints import Constraint, holds
from puzzlehunt.errors import InvalidClueError
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.notation.clue import UNREAD_WORDS, Clue, Feedback

if TYPE_CHECKING:
    from puzzlehunt.kernels.codes import Rows

SMALL = 100
"""Up to so many codes, `check_rule` takes them all."""


def check_rule(rule: Rule, seed: int = 0, codes: int = 30) -> None:
    """Check all faces of a rule whose secrets are single codes, each symbol anywhere.

    A small rule is checked on every pair of codes, any other on `codes` guesses against as many
    secrets, drawn from the seed: repeated symbols, foreign symbols and short guesses among them,
    where the rule takes them.
    """
    rng = random.Random(seed)
    secrets = _codes(rule, rng, codes)
    guesses = [*secrets[:codes], *_odd_guesses(rule, rng, codes)]
    check_feedbacks(rule, guesses, secrets)
    check_winning(rule, guesses, secrets)
    check_table(rule, guesses, secrets)
    weights = [rng.randint(1, 40) / 4 for _ in secrets]
    check_partitions(rule, guesses, secrets, weights)
    check_refusal(rule, guesses, secrets)
    for guess in guesses:
        feedback = rule.score(guess, rng.choice(secrets))
        check_read_in_full(rule, guess, feedback)
        check_unread(rule, guess, feedback)
        for text in _partly_read(rule, guess, feedback, rng):
            clue = check_notation(rule, guess, feedback, text)
            check_constraint(rule, guess, clue, secrets)
            check_hint(rule, guess, clue, secrets)


def _codes(rule: Rule, rng: random.Random, count: int) -> list[Code]:
    """Return all codes of a small rule, in order but for chance; else some drawn at random."""
    if rule.symbols**rule.length <= SMALL:
        every = list(product(range(rule.symbols), repeat=rule.length))
        rng.shuffle(every)
        return every
    symbols = range(rule.symbols)
    return [tuple(rng.choices(symbols, k=rule.length)) for _ in range(count)]


def _odd_guesses(rule: Rule, rng: random.Random, count: int) -> list[Code]:
    """Return guesses with foreign symbols and guesses that are short, where a rule takes them."""
    symbols = [*range(rule.symbols), *[FOREIGN] * (not rule.compares_symbols)]
    lengths = range(0 if rule.short_guesses else rule.length, rule.length + 1)
    return [tuple(rng.choices(symbols, k=rng.choice(lengths))) for _ in range(count)]


def _partly_read(rule: Rule, guess: Code, feedback: Feedback, rng: random.Random) -> list[str]:
    """Return an answer as it is written in full, and with marks that were not read."""
    text = rule.format(rule.exactly(feedback, guess))
    if not set(text) <= {mark for mark, _ in rule.named_marks()}:
        return [text]
    hidden = [rule.unread_mark if rng.random() < 0.5 else mark for mark in text]
    return [text, "".join(hidden)]


# Score: the specification.


def check_feedbacks(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `feedbacks` lists every score, and each once, the winning one among them."""
    listed = list(rule.feedbacks)
    if len(set(listed)) < len(listed):
        raise AssertionError("feedbacks: one is listed twice")
    if rule.winning not in listed:
        raise AssertionError(f"feedbacks: the winning one, {rule.winning}, is not listed")
    for guess, secret in product(guesses, secrets):
        if (feedback := rule.score(guess, secret)) not in listed:
            raise AssertionError(f"feedbacks: {feedback} of {_pair(guess, secret)} is not listed")


def check_winning(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that the secret itself wins, and nothing else does."""
    for secret in secrets:
        if rule.score(secret, secret) != rule.winning:
            raise AssertionError(f"winning: {secret} does not win against itself")
    for guess, secret in product(guesses, secrets):
        if guess != secret and rule.score(guess, secret) == rule.winning:
            raise AssertionError(f"winning: {_pair(guess, secret)} wins")


# Arrays: the same as the score.


def check_table(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `table` has for each guess and secret the place of their score."""
    table = rule.table(_rows(rule, guesses), _rows(rule, secrets))
    if table.shape != (len(guesses), len(secrets)):
        shape = (len(guesses), len(secrets))
        raise AssertionError(f"table: its shape is {table.shape}, and should be {shape}")
    for guess, line in zip(guesses, table.tolist(), strict=True):
        for secret, place in zip(secrets, line, strict=True):
            _same("table", _pair(guess, secret), rule.feedbacks[place], rule.score(guess, secret))


def check_partitions(
    rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code], weights: Sequence[float]
) -> None:
    """Check that `partitions` counts the secrets of each score, and adds their weights up."""
    import numpy as np

    rows = _rows(rule, guesses), _rows(rule, secrets)
    counted = rule.partitions(*rows).tolist()
    weighed = rule.partitions(*rows, np.array(weights)).tolist()
    for guess, counts, sums in zip(guesses, counted, weighed, strict=True):
        size: Counter[Feedback] = Counter()
        weight: Counter[Feedback] = Counter()
        for secret, one in zip(secrets, weights, strict=True):
            size[rule.score(guess, secret)] += 1
            weight[rule.score(guess, secret)] += one  # type: ignore[assignment]
        _same("partitions", guess, sorted(filter(None, counts)), sorted(size.values()))
        _same("weighed partitions", guess, sorted(filter(None, sums)), sorted(weight.values()))


# Constraint: the same as bounds.


def check_constraint(rule: Rule, guess: Code, clue: Clue, secrets: Sequence[Code]) -> None:
    """Check that `constraint` holds for the secrets whose score is in the clue, and no other."""
    admitted = [rule.score(guess, secret) in clue for secret in secrets]
    name = f"constraint of {rule.format(clue)}"
    _check_holds(name, rule.constraint(guess, clue), guess, secrets, admitted)


def check_hint(rule: Rule, guess: Code, clue: Clue, secrets: Sequence[Code]) -> None:
    """Check that what hard mode demands after a clue never forbids a secret that is in the clue."""
    hint = rule.hint(guess, clue)
    for secret in secrets:
        if rule.score(guess, secret) in clue and not holds(hint, secret):
            raise AssertionError(f"hint of {rule.format(clue)}: {_pair(guess, secret)} breaks it")


def check_refusal(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `refuse_winning` rules out the secrets that a guess wins against, and no other."""
    for guess in guesses:
        lost = [rule.score(guess, secret) != rule.winning for secret in secrets]
        _check_holds("refuse_winning", rule.refuse_winning(guess), guess, secrets, lost)


def _check_holds(
    name: str, constraint: Constraint, guess: Code, secrets: Sequence[Code], expected: list[bool]
) -> None:
    """Check for which secrets a constraint holds, taken one by one and as an array."""
    from puzzlehunt.kernels.codes import array_of, satisfied

    length = max(map(len, secrets), default=0)
    masked = satisfied(constraint, array_of(secrets, length)).tolist()
    for secret, in_array, should in zip(secrets, masked, expected, strict=True):
        _same(name, _pair(guess, secret), holds(constraint, secret), should)
        _same(f"{name}, for arrays", _pair(guess, secret), in_array, should)


# Notation.


def check_notation(rule: Rule, guess: Code, feedback: Feedback, text: str) -> Clue:
    """Check, and return, the clue of a text that truthfully writes what was read of a feedback.

    It admits the feedback; what it is formatted as is read back as the same; it is told in a line.
    """
    try:
        clue = rule.parse(text, guess)
    except InvalidClueError as error:
        raise AssertionError(f"notation: {text!r} is refused about {guess}: {error}") from error
    if feedback not in clue or feedback not in list(clue):
        raise AssertionError(f"notation: {text!r} about {guess} does not admit {feedback}")
    _check_round_trip(rule, guess, clue)
    _check_one_line("describe", rule.describe(clue))
    _check_one_line("legend", rule.legend())
    return clue


def check_read_in_full(rule: Rule, guess: Code, feedback: Feedback) -> None:
    """Check that the clue of an answer read in full admits it alone, and wins where it does."""
    clue = rule.exactly(feedback, guess)
    _same("exactly", guess, list(clue), [feedback])
    _same("wins", guess, rule.wins(clue), feedback == rule.winning)
    _check_round_trip(rule, guess, clue)


def check_unread(rule: Rule, guess: Code, feedback: Feedback) -> None:
    """Check that `*`, of which nothing was read, admits a feedback; it need not admit winning."""
    clue = rule.parse(UNREAD_WORDS[0], guess)
    if feedback != rule.winning and feedback not in clue:
        raise AssertionError(f"notation: * about {guess} does not admit {feedback}")
    _same("format", guess, rule.format(clue), UNREAD_WORDS[0])
    _same("describe", guess, rule.describe(clue), "nothing read")


def _check_round_trip(rule: Rule, guess: Code, clue: Clue) -> None:
    text = rule.format(clue)
    _same(f"notation: {text!r}, read back", guess, rule.parse(text, guess), clue)


def _check_one_line(name: str, text: str) -> None:
    if len(text.strip().splitlines()) != 1:
        raise AssertionError(f"{name}: {text!r} is not one line")


# What differs.


def _same(name: str, about: object, answer: object, expected: object) -> None:
    if answer != expected:
        raise AssertionError(f"{name}: {about}: {answer!r}, and should be {expected!r}")


def _pair(guess: Code, secret: Code) -> str:
    return f"{guess} against {secret}"


def _rows(rule: Rule, codes: Sequence[Code]) -> "Rows":
    from puzzlehunt.kernels.codes import array_of

    return rule.rows(array_of(codes, rule.length))
