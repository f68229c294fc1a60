"""Reviews: what guesses were expected to tell and told, skill and luck, and who is told."""

import math
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from bayes import brute_force
from cases import cases
from positions import followed
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import open_engine
from puzzlehunt.explanation.review import Review, review, try_guess
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.session.codemaker import Codemaker, play_against
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.position import Budget
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.views.wording import name_item
from random_games import game_of, random_game

load = cache(gamefile.load)

KINDS = ("repeats", "distinct", "words", "lengths", "tunes", "halves")

WORDS = "[CAB, BAD, DAB, ACE, BED, FAD, CAD, FED]"


def _entropy(game: Game, guess: Code, left: Iterable[Code], weights: dict[Code, float]) -> float:
    """The bits of the answers to a guess, one secret at a time."""
    answers: Counter[Any] = Counter()
    for secret in left:
        answers[game.score(guess, secret)] += weights.get(secret, 1.0)
    total = sum(answers.values())
    return -sum(n / total * math.log2(n / total) for n in answers.values())


def _history(game: Game, *lines: str) -> History:
    return History(tuple(map(game.turn, lines)))


def review_of(game: Game, history: History, **limits: Any) -> Review:
    """The review of a whole history, whatever rows the game has."""
    return review(replace(game, history=History()), history, **limits)


def _perfectly_played(game: Game, secret: Code) -> History:
    codemaker = Codemaker(game, secret)
    adviser = Adviser(game, find_strategy("entropy"))
    list(play_against(codemaker, adviser, open_engine(game), random.Random(0)))
    return codemaker.history


# What was expected, and what was told.


@pytest.mark.parametrize("seed", range(45))
def test_bits_are_those_of_the_secrets_counted_one_by_one(seed: int) -> None:
    """Of several boards: of all together that are open."""
    game = random_game(seed, *KINDS, "boards")
    history = History(tuple(i for i in game.history if not getattr(i, "doubt", 0)))
    pool = list(game.guesses) if game.boards == 1 and game.guesses.size < 30 else []
    one, whole = game.one_board, review_of(game, history)
    weights = dict(getattr(one.secrets, "weights", {}))
    turns = {turn.row: turn for turn in whole.turns}
    made = 0
    for place, item in enumerate(history):
        made += isinstance(item, Turn)
        before, after = (History(history.items[:end]) for end in (place, place + 1))
        if not isinstance(item, Turn) or not brute_force(game, before):
            continue
        if made not in turns:
            assert meaning.is_won(game, before) or place == whole.contradiction
            break
        solved = meaning.winning_guesses(game, before)
        boards = [board for board in range(game.boards) if game.boards == 1 or not solved[board]]
        was, now = (
            [
                brute_force(one, meaning.on_board(game, known, board) if game.boards > 1 else known)
                for board in boards
            ]
            for known in (before, after)
        )

        def bits(guess: Code, left: list[Any] = was) -> float:
            return sum(_entropy(one, guess, each, weights) for each in left)

        turn = turns[made]
        assert turn.expected_bits == pytest.approx(bits(item.code), abs=1e-6)
        assert turn.best_bits == pytest.approx(bits(turn.best_code), abs=1e-6)
        assert turn.best_bits >= max(map(bits, [item.code, *pool])) - 1e-6
        if all(now):
            fewer = [[sum(weights.get(s, 1.0) for s in each) for each in n] for n in (was, now)]
            told = sum(math.log2(a / b) for a, b in zip(*fewer, strict=True))
            assert turn.gained_bits == pytest.approx(told, abs=1e-6)
            assert game.boards > 1 or turn.candidates_left == len(now[0])


def test_where_secrets_are_weighed_a_row_tells_how_far_it_moves_their_chances() -> None:
    game = game_of(f"""
        secret: {{words: {WORDS}}}
        rule: pegs
        marks: {{black: B, white: W, miss: R, unknown: _}}
        reads: {{black: 0.2, white: 0.3, miss: 0.6}}
    """)
    history = _history(game, "ABE R__", "FED W_R ?", "CAB *", "BAD BB_")
    engine = open_engine(game)
    before = _chances(engine)
    for turn in review_of(game, history).turns:
        engine.push(turn.turn)
        after = _chances(engine)
        moved = sum(p * math.log2(p / before[place]) for place, p in after.items() if p)
        assert turn.gained_bits == pytest.approx(moved, abs=1e-6)
        before = after


def _chances(engine: Any) -> dict[int, float]:
    """The chance of each candidate, and of what fits if a row is misread, by its place."""
    places, weights = engine.candidate_places().tolist(), engine.weights()
    if engine.game.channel.misread:
        places = range(len(engine.secrets()))
    each = [1.0 if weights is None else float(weights[place]) for place in places]
    return {place: weight / sum(each) for place, weight in zip(places, each, strict=True)}


# Skill and luck.


@pytest.mark.parametrize(
    "description",
    [
        "secret: {symbols: ABC, length: 3}\nrule: pegs\n",
        f"secret: {{words: {WORDS}}}\nrule: marks\n",
        f"secret: {{words: {WORDS}}}\nrule: marks\nboards: 2\n",
    ],
)
def test_a_perfect_game_has_all_the_skill(description: str) -> None:
    game = game_of(description)
    for seed in range(5):
        secret = game.secrets.random(random.Random(seed))
        whole = review_of(game, _perfectly_played(game, secret))
        assert whole.skill == 1
        assert all(turn.counts_as_best for turn in whole.turns)


@pytest.mark.parametrize("seed", range(30))
def test_skill_is_a_share_and_luck_what_was_told_but_not_expected(seed: int) -> None:
    game = random_game(seed, *KINDS, "boards", "formulas")
    whole = review_of(game, game.history)
    if not whole.turns:
        assert (whole.skill, whole.luck) == (None, None)
        return
    assert whole.skill is not None
    assert 0 <= whole.skill <= 1
    known = [t for t in whole.turns if t.gained_bits is not None]
    assert all(t.gained_bits >= 0 and t.expected_bits <= t.best_bits + 1e-9 for t in known)
    gains = [t.gained_bits - t.expected_bits for t in known]
    expected = sum(gains) if gains else None
    assert whole.luck == (None if expected is None else pytest.approx(expected))


def test_a_guess_is_wasted_where_nothing_is_left_to_be_told() -> None:
    game = game_of("secret: {words: [CAB, BED]}\nguess: {words: [CAB, BED, ABE]}\nrule: matches\n")
    best = review_of(game, _history(game, "BED 0", "CAB won"))
    assert [turn.expected_bits for turn in best.turns] == [1, 0]
    assert (best.skill, best.luck) == (1, 0)
    wasted = review_of(game, _history(game, "BED 0", "ABE 0", "CAB won"))
    assert [turn.counts_as_best for turn in wasted.turns] == [True, False, True]
    assert wasted.skill == pytest.approx(2 / 3)


# Where a review ends.


@pytest.mark.parametrize(
    ("lines", "named", "made"),
    [
        (("ABC B", "ABC W", "ABC *"), "2. ABC W", 2),
        (("no A", "ABC B", "BCC *", "no B", "CCB *"), "fact: no B", 2),
    ],
)
def test_a_review_ends_where_nothing_fits_any_more(
    lines: tuple[str, ...], named: str, made: int
) -> None:
    game = load("3x3")
    items = [game.parse_fact(line) if line.startswith("no") else game.turn(line) for line in lines]
    items[2:2] = [game.parse_fact("contains B")] if named.startswith("fact") else []
    whole = review_of(game, History(tuple(items)))
    assert whole.contradiction is not None
    assert name_item(game, whole.history, whole.contradiction) == named
    assert len(whole.turns) == made
    assert whole.skill is not None
    if not named.startswith("fact"):
        assert (whole.turns[-1].gained_bits, whole.turns[-1].candidates_left) == (None, 0)


def test_a_review_ends_with_the_row_that_finds_everything() -> None:
    game = load("2x3")
    whole = review_of(game, _history(game, "AB W", "CA won", "CC B"))
    assert [turn.candidates_left for turn in whole.turns] == [2, 1]
    assert whole.contradiction is None
    words = game_of(f"secret: {{words: {WORDS}}}\nrule: marks\nboards: 2\n")
    whole = review_of(words, _history(words, "EEE GGG ...", "CAB * GGG"))
    assert [turn.gained_bits for turn in whole.turns] == [None, pytest.approx(math.log2(5))]
    assert [turn.candidates_left for turn in whole.turns] == [5, 1]


def test_a_word_of_no_list_may_have_been_the_secret() -> None:
    game = load("cryptic")
    (turn,) = review_of(game, _history(game, "HERZL won")).turns
    assert (turn.gained_bits, turn.candidates_left) == (None, 1)


def test_rows_that_come_too_late_are_left_out() -> None:
    game = load("mastermind")
    history = _history(game, "RRGG 1b", "RYBO 1b 1w")
    late = review_of(game, history, total_seconds=0)
    assert (late.turns, late.complete, late.skill) == ((), False, None)


def test_the_best_guess_and_the_players_share_the_seconds_of_a_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, seconds, advise = load("mastermind"), [], Adviser.advise

    def note(*arguments: Any, budget: Budget) -> Any:
        seconds.append(budget.seconds)
        return advise(*arguments, budget=budget)

    monkeypatch.setattr(Adviser, "advise", note)
    review_of(game, _history(game, "RRRR 1b"), budget=Budget(seconds=3))
    review_of(game, _history(game, "RRRR 1b", "GGGG 1b"), total_seconds=60)
    assert seconds == pytest.approx([1.5, 15, 30], rel=0.01)


# A guess that was not made yet.


def _tried(game: Game, guess: str, *lines: str) -> Any:
    engine = followed(game, *lines)
    items = engine.items
    found = try_guess(Adviser(game), engine, game.parse_guess(guess))
    assert engine.items == items
    return found


def test_a_guess_is_held_beside_the_best() -> None:
    game = load("mastermind", ("play.strategy=entropy",))
    tried = _tried(game, "RRRR")
    assert not tried.is_best
    assert game.format_code(tried.best.suggestions[0].code) == "RGBY"
    assert _tried(game, "RGBY").is_best
    assert _tried(game, "OPRG").is_best


@pytest.mark.parametrize(
    ("name", "settings", "row", "may_be", "cannot_be"), cases("guesses that may be the secret")
)
def test_whether_a_guess_may_be_it_never_depends_on_a_sample(
    name: str, settings: str, row: str, may_be: str, cannot_be: str
) -> None:
    game = load(name, ("play.strategy=consistent", *settings.split()))
    assert _tried(game, may_be, row).rated.suggestions[0].candidate
    assert not _tried(game, cannot_be, row).rated.suggestions[0].candidate


@pytest.mark.slow
def test_where_candidates_are_not_counted_samples_serve_and_what_was_told_is_unknown() -> None:
    game = load("7x6", ("play.engine=symbolic",))
    history = _history(game, "AABBCCD 3b 1w", "AABCEEE won")
    whole = review(game, history, budget=Budget(seconds=0.1))
    first, last = whole.turns
    assert (first.gained_bits, first.candidates_left, last.candidates_left) == (None, None, 1)
    assert 0 < first.expected_bits <= first.best_bits
    assert not whole.exact
    assert whole.luck is None
