"""Games in which no guess is the secret: they end when one secret is left."""

from functools import partial
from pathlib import Path

import pytest

import puzzlehunt
from coins import coin_game
from puzzlehunt import Game
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines import open_engine
from puzzlehunt.errors import GameFileError, StrategyError
from puzzlehunt.rules.base import Feedback
from puzzlehunt.strategies import Adviser


def least_questions(game: Game, left: frozenset[Code]) -> int:
    """Return the fewest questions that some secrets take together, by trying everything."""
    if len(left) == 1:
        return 0
    costs = []
    for question in game.guesses:
        parts: dict[Feedback, set[Code]] = {}
        for secret in left:
            parts.setdefault(game.score(question, secret), set()).add(secret)
        if len(parts) > 1:
            costs.append(sum(least_questions(game, frozenset(part)) for part in parts.values()))
    return len(left) + min(costs)


@pytest.mark.parametrize("coins", [3, 4])
def test_deep_weighs_few_coins_in_the_fewest_weighings(coins: int) -> None:
    game = coin_game(coins)
    expected = least_questions(game, frozenset(game.secrets))
    result = puzzlehunt.run(game, "deep")
    assert result.summary("played").total == result.summary("known").total == expected
    suggestion = puzzlehunt.suggest(game, strategy="deep").suggestions[0]
    assert suggestion.value == expected / game.secrets.size
    tried = Adviser(game, "deep").rate(open_engine(game), suggestion.code)
    assert tried.suggestions[0].value == suggestion.value
    assert puzzlehunt.run(game, "entropy").summary("played").total >= expected


@pytest.mark.parametrize("budget", [None, 2])
def test_optimal_refuses_questions_and_names_who_plays_them(budget: int | None) -> None:
    game = coin_game(3)
    for ask in (partial(puzzlehunt.run, budget=budget), puzzlehunt.suggest):
        with pytest.raises(StrategyError, match="game of questions alone; try deep"):
            ask(game, strategy="optimal")
    assert puzzlehunt.run(game, "deep", budget=budget).played.total() == 6


@pytest.mark.parametrize("name", ["first", "consistent"])
def test_strategies_that_guess_candidates_say_that_they_cannot_play(name: str) -> None:
    with pytest.raises(StrategyError, match="try entropy"):
        puzzlehunt.suggest(coin_game(3), strategy=name)


def test_secrets_that_no_question_tells_apart_are_named() -> None:
    game = Game.from_function("abc", ["q"], lambda _q, s: s == "a")
    with pytest.raises(StrategyError, match="b and c"):
        puzzlehunt.suggest(game, ["q False"])
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
    for strategy in ("entropy", "deep", "minimax"):
        result = puzzlehunt.run(asked, strategy)
        assert result.played == result.known
    codemaker = puzzlehunt.open_codemaker(asked, "PLAY")
    asked_for = []
    while not codemaker.is_over:
        guess = puzzlehunt.suggest(asked, [t.text for t in codemaker.history.turns]).guesses[0]
        asked_for.append(codemaker.answer(guess))
    rows = [str(turn) for turn in asked_for]
    assert puzzlehunt.suggest(asked, rows).count == 1
    assert not puzzlehunt.suggest(asked, rows).suggestions
    assert len(puzzlehunt.review(asked, rows)) == len(rows)
    session = puzzlehunt.Session(asked, "asked.yaml")
    for row in rows:
        assert not session.answers.is_won
        session.play(row)
    assert session.answers.is_won


@pytest.mark.parametrize(
    ("key", "value"),
    [("guess.words", "[STOP, SPOT]"), ("play.pool", "secrets"), ("hard", "true"), ("boards", "2")],
)
def test_a_game_file_of_questions_refuses_what_makes_them_guesses(
    asked: Game, tmp_path: Path, key: str, value: str
) -> None:
    with pytest.raises(GameFileError):
        puzzlehunt.load(tmp_path / "asked.yaml", [f"{key}={value}"])
