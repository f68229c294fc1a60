"""Checks for the tests of a rule, in this package or in another one.

Each check compares methods of a rule with its `score`. Engines rely on their agreement: the
explicit engine uses `table`, the others use `constraint`, and all must find the same candidates.
`check_rule` runs all checks on codes drawn from a seed; a test can also run a single check on codes
of its own. A check that fails raises AssertionError with a message that says what differs.
"""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Protocol

import numpy as np

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.constraints import Constraint, holds
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.errors import InvalidClueError, check_type
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of, where_holds
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.by_score import ScoreRule
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
    are at most `SMALL`, otherwise `codes` random ones. Without a game, the guesses are the first
    `codes` secrets and as many random codes, some of them short or with foreign symbols if the rule
    accepts such guesses. With a game, they are `codes` of its guesses, the secrets that may be
    guessed, and, if the game takes foreign symbols, some of these guesses with such symbols. A
    `ScoreRule` has scores only in a game. `seed` is the seed of all random choices.
    """
    given = checked if isinstance(checked, Rule) else getattr(checked, "rule", checked)
    check_type("checked", given, Rule, "a rule such as PegsRule(4, 6), or a game with one")
    rng = random.Random(seed)
    if isinstance(checked, Rule):
        rule = checked
        if rule.only_listed:
            raise AssertionError(f"rule {rule.name}: check a game with it, which lists its codes")
        secrets = _codes(rule, rng, codes)
        guesses = [*secrets[:codes], *_odd_guesses(rule, rng, codes)]
    else:
        rule, secrets = checked.rule, _drawn(checked.secrets, rng, codes)
        own = [secret for secret in secrets[:codes] if secret in checked.guesses]
        guesses = [*own, *_drawn(checked.guesses, rng, codes)[:codes]]
        if checked.ignore_foreign and not rule.only_listed:
            guesses += [_with_foreign(guess, rng) for guess in guesses]
        guesses = list(dict.fromkeys(guesses))
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
        for text in _clue_texts(rule, guess, feedback, rng):
            clue = check_notation(rule, guess, feedback, text)
            if not rule.no_constraint:
                check_constraint(rule, guess, clue, secrets)
                check_hard_mode(rule, guess, clue, secrets)


def _codes(rule: Rule, rng: random.Random, count: int) -> list[Code]:
    """Return all codes of a small rule, shuffled, or else `count` codes drawn at random."""
    if rule.symbols**rule.length <= SMALL:
        codes = list(product(range(rule.symbols), repeat=rule.length))
        rng.shuffle(codes)
        return codes
    symbols = range(rule.symbols)
    return [tuple(rng.choices(symbols, k=rule.length)) for _ in range(count)]


def _drawn(space: CodeSpace, rng: random.Random, count: int) -> list[Code]:
    """Return all codes of a small space, shuffled, or else `count` codes drawn at random."""
    if space.size <= SMALL:
        return rng.sample(list(space), space.size)
    return list(dict.fromkeys(space.random(rng) for _ in range(count)))


def _odd_guesses(rule: Rule, rng: random.Random, count: int) -> list[Code]:
    """Return `count` random guesses, with foreign symbols and short ones if a rule takes them."""
    symbols = [*range(rule.symbols), *[FOREIGN] * (not rule.compares_symbols)]
    lengths = range(0 if rule.short_guesses else rule.length, rule.length + 1)
    return [tuple(rng.choices(symbols, k=rng.choice(lengths))) for _ in range(count)]


def _with_foreign(guess: Code, rng: random.Random) -> Code:
    """Return a guess with each symbol foreign by a chance of one in three."""
    return tuple(FOREIGN if rng.random() < 1 / 3 else symbol for symbol in guess)


def _clue_texts(rule: Rule, guess: Code, feedback: Feedback, rng: random.Random) -> list[str]:
    """Return the text of a feedback read in full, and one with random marks unread.

    The second is left out where feedback is not written as marks.
    """
    text = rule.format(rule.full_clue(feedback, guess))
    if not set(text) <= {mark for mark, _ in rule.named_marks()}:
        return [text]
    hidden = [rule.unread_mark if rng.random() < 0.5 else mark for mark in text]
    return [text, "".join(hidden)]


# Score: the specification.


def check_feedbacks(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `feedbacks` lists every score and the winning feedback, and nothing twice."""
    listed = list(rule.feedbacks)
    if len(set(listed)) < len(listed):
        raise AssertionError("feedbacks: one is listed twice")
    if rule.winning not in listed:
        raise AssertionError(f"feedbacks: the winning one, {rule.winning}, is not listed")
    for guess, secret in product(guesses, secrets):
        if (feedback := rule.score(guess, secret)) not in listed:
            raise AssertionError(f"feedbacks: {feedback} of {_pair(guess, secret)} is not listed")


def check_winning(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that a guess wins against itself and against no other secret, if guesses can win."""
    can_win = not isinstance(rule, ScoreRule) or rule.can_win
    for secret in secrets if can_win else ():
        if rule.score(secret, secret) != rule.winning:
            raise AssertionError(f"winning: {secret} does not win against itself")
    for guess, secret in product(guesses, secrets):
        if (guess != secret or not can_win) and rule.score(guess, secret) == rule.winning:
            raise AssertionError(f"winning: {_pair(guess, secret)} wins")


# Arrays: the same as the score.


def check_table(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `table` returns the index in `feedbacks` of each score."""
    table = rule.table(_rows(rule, guesses), _rows(rule, secrets))
    if table.shape != (len(guesses), len(secrets)):
        shape = (len(guesses), len(secrets))
        raise AssertionError(f"table: its shape is {table.shape}, and should be {shape}")
    for guess, indices in zip(guesses, table.tolist(), strict=True):
        for secret, index in zip(secrets, indices, strict=True):
            _same("table", _pair(guess, secret), rule.feedbacks[index], rule.score(guess, secret))


def check_partitions(
    rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code], weights: Sequence[float]
) -> None:
    """Check that `partitions` returns how many secrets have each score, and their weights' sum."""
    rows = _rows(rule, guesses), _rows(rule, secrets)
    counted = rule.partitions(*rows).tolist()
    weighed = rule.partitions(*rows, np.array(weights)).tolist()
    for guess, counts, sums in zip(guesses, counted, weighed, strict=True):
        size_of: Counter[Feedback] = Counter()
        weight_of: Counter[Feedback] = Counter()
        for secret, weight in zip(secrets, weights, strict=True):
            size_of[rule.score(guess, secret)] += 1
            weight_of[rule.score(guess, secret)] += weight  # type: ignore[assignment]
        _same("partitions", guess, sorted(filter(None, counts)), sorted(size_of.values()))
        _same("weighed partitions", guess, sorted(filter(None, sums)), sorted(weight_of.values()))


# Constraint: the same as bounds.


def check_constraint(rule: Rule, guess: Code, clue: Clue, secrets: Sequence[Code]) -> None:
    """Check that `constraint` holds for the secrets whose score is in the clue, and no others."""
    admitted = [rule.score(guess, secret) in clue for secret in secrets]
    name = f"constraint of {rule.format(clue)}"
    _check_holds(name, rule.constraint(guess, clue), guess, secrets, admitted)


def check_hard_mode(rule: Rule, guess: Code, clue: Clue, secrets: Sequence[Code]) -> None:
    """Check that hard mode after a clue excludes no secret that the clue admits."""
    demand = rule.hard_mode_constraint(guess, clue)
    for secret in secrets:
        if rule.score(guess, secret) in clue and not holds(demand, secret):
            raise AssertionError(
                f"hard_mode_constraint of {rule.format(clue)}: {_pair(guess, secret)} breaks it"
            )


def check_refusal(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `is_not_secret` excludes each secret against which a guess wins, and no others."""
    for guess in guesses:
        loses = [rule.score(guess, secret) != rule.winning for secret in secrets]
        _check_holds("is_not_secret", rule.is_not_secret(guess), guess, secrets, loses)


def _check_holds(
    name: str, constraint: Constraint, guess: Code, secrets: Sequence[Code], expected: list[bool]
) -> None:
    """Check for which secrets a constraint holds, one by one and as an array."""
    length = max(map(len, secrets), default=0)
    mask = where_holds(constraint, array_of(secrets, length)).tolist()
    for secret, in_array, expected_of_secret in zip(secrets, mask, expected, strict=True):
        _same(name, _pair(guess, secret), holds(constraint, secret), expected_of_secret)
        _same(f"{name}, for arrays", _pair(guess, secret), in_array, expected_of_secret)


# Notation.


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
    _check_round_trip(rule, guess, clue)
    _check_one_line("describe", rule.describe(clue))
    _check_one_line("legend", rule.legend())
    return clue


def check_read_in_full(rule: Rule, guess: Code, feedback: Feedback) -> None:
    """Check that `full_clue` admits its feedback alone, and wins exactly if the feedback wins."""
    clue = rule.full_clue(feedback, guess)
    _same("exactly", guess, list(clue), [feedback])
    _same("wins", guess, rule.wins(clue), feedback == rule.winning)
    _check_round_trip(rule, guess, clue)


def check_unread(rule: Rule, guess: Code, feedback: Feedback) -> None:
    """Check that the clue `*` (nothing read) admits a feedback that does not win."""
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


# Messages.


def _same(name: str, about: object, actual: object, expected: object) -> None:
    if actual != expected:
        raise AssertionError(f"{name}: {about}: {actual!r}, and should be {expected!r}")


def _pair(guess: Code, secret: Code) -> str:
    return f"{guess} against {secret}"


def _rows(rule: Rule, codes: Sequence[Code]) -> PackedCodes:
    return rule.rows(array_of(codes, rule.length))
