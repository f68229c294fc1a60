"""Checks for the tests of a rule, in this package or in another one.

Each check compares methods of a rule with its `score`. Engines rely on their agreement: the
explicit engine uses `table`, the others use `constraint`, and all must find the same candidates.
`check_rule` runs all checks on codes drawn from a seed; a test can also run a single check on codes
of its own. A check that fails raises RuleError, saying what differs, or what the rule raises.
"""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from puzzlehunt.codes.alphabet import FOREIGN, Code, default_alphabet
from puzzlehunt.codes.constraints import holds
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace
from puzzlehunt.errors import RuleError
from puzzlehunt.kernels.packed_codes import array_of, where_holds
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.by_score import ScoreRule
from puzzlehunt.rules.notation.clue import NEVER, UNREAD_WORDS, Feedback
from puzzlehunt.rules.rule_registry import find_rule

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game


def check_rule(checked: "Rule | Game | object", seed: int = 0, codes: int = 30) -> None:
    """Run all checks on a rule, its class or a function of texts, or on a game of one secret.

    `codes` secrets of the game, or else codes of the rule's symbols, are drawn; a class and a
    function are checked with three positions and four symbols. The guesses are as many of the
    game's guesses, the secrets that may be guessed, and, if foreign symbols or short guesses are
    allowed, some of these guesses with foreign symbols or shorter. `seed` is the seed of all random
    choices. Raises RuleError if a check fails.
    """
    rng, game = random.Random(seed), cast("Game", checked)
    if hasattr(checked, "rule"):
        rule, guesses = game.rule, game.guesses
        secrets, foreign = _drawn(game.secrets, rng, codes), game.alphabet.ignores_foreign
    else:
        found = find_rule(checked)
        rule = found(3, 4) if isinstance(found, type) else found
        alphabet = default_alphabet(rule.symbols or 4)
        guesses = SymbolSpace(alphabet, range(rule.length or 3, (rule.length or 3) + 1))
        if isinstance(rule, ScoreRule):
            rule = rule.for_codes(guesses, guesses)
        secrets, foreign = _drawn(guesses, rng, codes), not rule.compares_symbols
    foreign = foreign and not rule.only_listed
    tried = [secret for secret in secrets if secret in guesses] + _drawn(guesses, rng, codes)
    if foreign:
        tried += [tuple(rng.choice([s, s, FOREIGN]) for s in guess) for guess in tried]
    if not hasattr(checked, "rule") and rule.short_guesses:
        tried += [guess[: rng.randrange(rule.length)] for guess in tried[:codes]]
    tried = list(dict.fromkeys(tried))
    check_scores(rule, tried, secrets)
    marks = {mark for mark, _ in rule.notation.named_marks()}
    names, places = (random.Random(seed).sample(range(n), n) for n in (rule.symbols, rule.length))
    for guess in tried:
        feedback = rule.score(guess, secret := rng.choice(secrets))
        if rule.symmetric and len(guess) == len(secret) == len(places) and FOREIGN not in guess:
            moved = [tuple(names[code[place]] for place in places) for code in (guess, secret)]
            _same("symmetric", (guess, secret), rule.score(*moved), feedback)
        text = rule.notation.format(rule.notation.full_clue(feedback, guess))
        check_clue(rule, guess, feedback, text, secrets)
        if {*text} <= marks:
            unread = rule.notation.unread_mark
            partly = "".join(unread if rng.random() < 0.5 else mark for mark in text)
            check_clue(rule, guess, feedback, partly, secrets)


def _drawn(space: CodeSpace, rng: random.Random, count: int) -> list[Code]:
    return list(dict.fromkeys(space.random(rng) for _ in range(count)))


def check_scores(rule: Rule, guesses: Sequence[Code], secrets: Sequence[Code]) -> None:
    """Check that `feedbacks`, `table` and `partitions` agree with the scores, and who wins.

    Just the secret itself wins or, under a rule without a win, no guess does.
    """
    listed = {feedback: index for index, feedback in enumerate(rule.feedbacks)}
    if len(listed) < len(rule.feedbacks) or rule.winning not in listed:
        raise RuleError(f"feedbacks: one is listed twice, or {rule.winning} is not listed")
    guesses = [*guesses, *secrets] if rule.winning != NEVER else guesses
    asked, hidden = rule.rows_of(guesses), rule.rows_of(secrets)
    indices = []
    for guess, row in zip(guesses, rule.table(asked, hidden).tolist(), strict=True):
        scores, again = ([rule.score(guess, secret) for secret in secrets] for _ in range(2))
        _same("score, asked again", guess, again, scores)
        for secret, feedback in zip(secrets, scores, strict=True):
            _same(f"feedbacks has {feedback}", (guess, secret), feedback in listed, True)
            wins = guess == secret and rule.winning != NEVER
            _same("winning", (guess, secret), feedback == rule.winning, wins)
        indices.append([listed[feedback] for feedback in scores])
        _same("table", guess, row, indices[-1])
    for amounts in (None, np.arange(1, len(secrets) + 1) / 4):
        parts = rule.partitions(asked, hidden, amounts).tolist()
        for guess, row, found in zip(guesses, indices, parts, strict=True):
            expected = np.bincount(row, amounts).tolist()
            _same("partitions", guess, *(sorted(filter(None, each)) for each in (found, expected)))


def check_clue(
    rule: Rule, guess: Code, feedback: Feedback, text: str, secrets: Sequence[Code]
) -> None:
    """Check the clue of a text that is true of a feedback, the full clue, and that of `*`.

    Each admits the feedback, unless the guess won and not all was read; it is written in one line,
    which is read back as the same clue. The constraint of the text's clue holds for just those of
    some secrets whose score is in the clue, and hard mode excludes none of these.
    """
    written, full = rule.notation, rule.notation.full_clue(feedback, guess)
    shown = next(iter(full))  # without the digits after a short guess
    _same("full_clue", guess, (feedback in full, [*full]), (True, [shown]))
    _same("wins", guess, rule.wins(full), feedback == rule.winning)
    unread = rule.parse(UNREAD_WORDS[0], guess)
    _same(f"notation: {feedback} in *", guess, rule.wins(full) or feedback in unread, True)
    said = written.format(unread), written.describe(unread)
    _same("notation: nothing read", guess, said, (UNREAD_WORDS[0], "nothing read"))
    clue = rule.parse(text, guess)
    admits = rule.wins(clue) or feedback != rule.winning or feedback in clue
    _same(f"{feedback} in {text!r}", guess, (feedback in clue, shown in [*clue]), (admits,) * 2)
    for each in (full, clue):
        again = written.format(each)
        _same(f"notation: {again!r}, read back", guess, rule.parse(again, guess), each)
        for line in (written.describe(each), written.legend()):
            _same(f"notation: lines of {line!r}", guess, len(line.strip().splitlines()), 1)
    if rule.no_constraint:
        return
    constraint, demand = rule.constraint(guess, clue), rule.hard_mode_constraint(guess, clue)
    array = array_of(secrets, rule.length)
    for secret, in_array in zip(secrets, where_holds(constraint, array).tolist(), strict=True):
        admitted, found = rule.score(guess, secret) in clue, (holds(constraint, secret), in_array)
        _same(f"constraint of {text}", (guess, secret), found, (admitted, admitted))
        demanded = holds(demand, secret) or not admitted
        _same(f"hard_mode_constraint of {text}", (guess, secret), demanded, True)


def _same(name: str, about: object, actual: object, expected: object) -> None:
    if actual != expected:
        raise RuleError(f"{name}: {about}: {actual!r:.200}, and should be {expected!r:.200}")
