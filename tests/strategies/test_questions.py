"""Games in which no guess is the secret: they end when one secret is left."""

import random
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import puzzlehunt
from coins import coin_game
from puzzlehunt import Game, Play
from puzzlehunt.errors import GameFileError, StrategyError
from puzzlehunt.kernels.problem import UNSOLVED_COST
from puzzlehunt.kernels.question_search import QuestionSearch, least


def cost_of(table: np.ndarray, members: frozenset[int], attempts: int) -> int:
    """Return the least cost of some candidates, by trying everything."""

    @cache
    def cost(left: frozenset[int], attempts: int) -> int:
        if len(left) == 1:
            return 0
        best = len(left) * UNSOLVED_COST
        for row in table if attempts else ():
            parts: dict[int, set[int]] = {}
            for member in left:
                parts.setdefault(int(row[member]), set()).add(member)
            if len(parts) > 1:
                costs = (cost(frozenset(part), attempts - 1) for part in parts.values())
                best = min(best, len(left) + sum(costs))
        return best

    return cost(members, attempts)


@pytest.mark.parametrize("seed", range(60))
def test_the_search_finds_the_least_cost_of_questions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    answers, secrets = int(rng.integers(2, 4)), int(rng.integers(2, 8))
    table = rng.integers(0, answers, (int(rng.integers(1, 6)), secrets), dtype=np.uint8)
    for attempts in (1, 2, 3, 20):
        search = QuestionSearch(table, answers)
        expected = cost_of(table, frozenset(range(secrets)), attempts)
        assert search.best(np.arange(secrets), attempts)[0] == expected
        assert least(secrets, answers, attempts) <= expected
        assert (
            QuestionSearch(table, answers, width=1).best(np.arange(secrets), attempts)[0]
            >= expected
        )


def test_optimal_weighs_coins_in_the_fewest_weighings() -> None:
    game = coin_game(4)
    numbers = {feedback: number for number, feedback in enumerate(game.rule.feedbacks)}
    rows = [[numbers[game.score(g, s)] for s in game.secrets] for g in game.guesses]
    table = np.array(rows, dtype=np.uint8)
    expected = cost_of(table, frozenset(range(8)), 20)
    result = puzzlehunt.run(game, "optimal")
    assert result.summary("played").total == result.summary("known").total == expected
    assert puzzlehunt.run(game, "optimal", budget=2).summary("played").total >= expected
    comparison = puzzlehunt.compare(game, ["optimal", "deep", "entropy"])
    results = list(comparison.results.values())
    assert results[0].summary("played").total == expected <= results[1].summary("played").total
    assert puzzlehunt.suggest(game, strategy="optimal").suggestions[0].value == expected / 8
    tried = puzzlehunt.Adviser(game, "deep")
    engine = puzzlehunt.open_engine(game)
    assert tried.rate(engine, next(iter(game.guesses))).suggestions[0].value is not None


def test_attempts_limit_the_questions() -> None:
    game = coin_game(3).with_play({"attempts": 1})
    assert puzzlehunt.run(game, "optimal").losses == 6 - puzzlehunt.run(game, "optimal").played[1]


@pytest.mark.parametrize("name", ["first", "consistent"])
def test_strategies_that_guess_candidates_say_that_they_cannot_play(name: str) -> None:
    with pytest.raises(StrategyError, match="try entropy"):
        puzzlehunt.suggest(coin_game(3), strategy=name)


def test_secrets_that_no_question_tells_apart_are_named() -> None:
    game = Game.from_function("abc", ["q"], lambda _q, s: s == "a")
    with pytest.raises(StrategyError, match="b and c"):
        puzzlehunt.suggest(game, ["q False"], strategy="optimal")
    with pytest.raises(StrategyError):
        puzzlehunt.run(game, "entropy")


# Game files, hosts and sessions.

FILE = """
title: Letters asked for
secret: {words: [STOP, POTS, STEP, STAY, PLAY], length: 4}
guess: {words: [SPOT, TYPE, LAPS], only_questions: true}
rule: pegs
"""


@pytest.fixture
def asked(tmp_path: Path) -> Game:
    path = tmp_path / "asked.yaml"
    path.write_text(FILE)
    return puzzlehunt.load(path)


def test_a_game_file_may_have_questions_alone(asked: Game) -> None:
    assert asked.guesses.size == 3
    assert asked.only_questions
    for strategy in ("entropy", "deep", "optimal", "minimax"):
        result = puzzlehunt.run(asked, strategy)
        assert result.played == result.known
    codemaker = puzzlehunt.open_codemaker(asked, "PLAY")
    asked_for = []
    while not codemaker.is_over:
        guess = puzzlehunt.suggest(asked, [t.text for t in codemaker.history.turns]).guesses[0]
        asked_for.append(codemaker.answer(guess))
    rows = [turn.text for turn in asked_for]
    assert puzzlehunt.suggest(asked, rows).count == 1
    assert not puzzlehunt.suggest(asked, rows).suggestions
    assert len(puzzlehunt.review(asked, rows)) == len(rows)
    session = puzzlehunt.Session(asked, "asked.yaml")
    for row in rows:
        assert not session.is_won
        session.play(row)
    assert session.is_won


def test_an_adversarial_host_of_questions_ends_with_one_secret_left() -> None:
    from dataclasses import replace

    codemaker = puzzlehunt.open_codemaker(replace(coin_game(3), host="adversarial"))
    rng, asked = random.Random(1), Counter[str]()
    guesses = list(codemaker.game.guesses)
    while not codemaker.is_over:
        asked[codemaker.answer(rng.choice(guesses)).text] += 1
    assert asked


@pytest.mark.parametrize(
    ("key", "value"),
    [("guess.words", "[STOP, SPOT]"), ("play.pool", "secrets"), ("hard", "true"), ("boards", "2")],
)
def test_a_game_file_of_questions_refuses_what_makes_them_guesses(
    asked: Game, tmp_path: Path, key: str, value: str
) -> None:
    with pytest.raises(GameFileError):
        puzzlehunt.load(tmp_path / "asked.yaml", [f"{key}={value}"])


def test_with_one_question_left_the_one_that_settles_most_secrets_is_asked() -> None:
    """Halving takes fewest questions on average, but settles none at once."""
    table = {f"bit {n}": [secret >> n & 1 for secret in range(8)] for n in range(3)}
    table["first"] = [int(secret == 0) for secret in range(8)]
    play = Play(strategy="optimal", attempts=1)
    game = Game.from_function(range(8), table, lambda name, secret: table[name][secret], play=play)
    assert puzzlehunt.suggest(game).guesses[0] == "first"
    assert puzzlehunt.suggest(game.with_play({"attempts": 9})).guesses[0] == "bit 0"
