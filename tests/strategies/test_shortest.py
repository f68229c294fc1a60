"""The strategy `shortest` against a plain search for the fewest guesses at worst."""

from collections.abc import Callable
from functools import cache

import pytest

from puzzlehunt.errors import StrategyError
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.registry import find_strategy

pytestmark = pytest.mark.needs("numba")


def fewest(game: Game) -> int:
    """Return the fewest guesses that find every secret, by trying all guesses."""
    score, codes = game.rule.score, list(game.secrets)

    @cache
    def finds_all(candidates: frozenset[tuple[int, ...]], attempts: int) -> bool:
        if len(candidates) == 1 or attempts == 1:
            return len(candidates) == 1
        for guess in codes:
            parts: dict[object, set[tuple[int, ...]]] = {}
            for secret in candidates - {guess}:
                parts.setdefault(score(guess, secret), set()).add(secret)
            smaller = max(map(len, parts.values())) < len(candidates)
            if smaller and all(finds_all(frozenset(p), attempts - 1) for p in parts.values()):
                return True
        return False

    return next(n for n in range(1, 20) if finds_all(frozenset(codes), n))


def worst(game: Game) -> int:
    return max(tournament.run(game, name="", strategy="shortest").outcomes.played)


@pytest.mark.parametrize("size", ["1x4", "2x3", "2x4", "2x5", "3x2", "3x3", "2x7"])
def test_no_play_takes_fewer_guesses_at_worst(size: str) -> None:
    game = load(size)
    assert worst(game) == fewest(game)


@pytest.mark.parametrize(("size", "attempts"), [("4x6", 5), ("4x7", 6), ("3x8", 6)])
def test_a_limit_is_kept_if_any_play_keeps_it(size: str, attempts: int) -> None:
    assert worst(load(size)) == attempts
    assert worst(load(size).with_play({"attempts": attempts})) == attempts
    assert worst(load(size).with_play({"attempts": attempts - 1})) == attempts


def test_candidates_alone_may_take_more_guesses() -> None:
    assert worst(load("4x6").with_play({"pool": "candidates"})) == 6


def test_hard_mode_and_games_of_questions_are_refused(game_of: Callable[[str], Game]) -> None:
    with pytest.raises(StrategyError, match="hard mode"):
        worst(game_of("{secret: {words: [ABC, ABD, ACD]}, rule: marks, hard: true}"))
    with pytest.raises(StrategyError, match="no guess can win"):
        find_strategy("shortest").for_game(
            Game.from_function(range(4), None, lambda q, s: q < s, only_questions=True)
        )
