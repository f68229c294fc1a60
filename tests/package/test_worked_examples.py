"""The games of `examples/worked`, against plain Python."""

import re
from functools import cache
from pathlib import Path

import pytest

import coins
import guess_who
import plain_examples
import pooled_tests
import puzzlehunt

ROOT = Path(__file__).resolve().parents[2]


def test_code_that_the_page_quotes_is_that_of_the_examples() -> None:
    page = (ROOT / "docs" / "worked-examples.md").read_text(encoding="utf-8")
    quoted = re.findall(r"^```python\n(def .*?)^```", page, re.MULTILINE | re.DOTALL)
    modules = [path.read_text(encoding="utf-8") for path in ROOT.glob("examples/worked/*.py")]
    assert quoted
    assert all(any(code in module for module in modules) for code in quoted)


def test_deep_asks_the_fewest_questions_of_guess_who() -> None:
    have = list(guess_who.PROPERTIES.values())

    @cache
    def fewest(left: frozenset[str]) -> int:
        if len(left) == 1:
            return 0
        parts = ((left & animals, left - animals) for animals in have)
        return len(left) + min(fewest(yes) + fewest(no) for yes, no in parts if yes and no)

    result = puzzlehunt.run(guess_who.guess_who(), "deep").summary("played")
    assert result.total == fewest(frozenset(guess_who.ANIMALS)) == 117
    joined = puzzlehunt.run(guess_who.guess_who(most=2), "deep").summary("played")
    assert joined.total == guess_who.huffman([1] * 24) == 112


def test_a_huffman_code_has_the_least_length() -> None:
    assert guess_who.huffman([1] * 8) == 24
    assert guess_who.huffman([5, 9, 12, 13, 16, 45]) == 45 * 1 + (12 + 13 + 16) * 3 + (5 + 9) * 4


@pytest.mark.parametrize(("number", "weighings"), [(3, 2), (4, 3)])
def test_the_plan_finds_every_counterfeit_coin(number: int, weighings: int) -> None:
    weighed = plain_examples.weighings_of_plan(list(coins.tree(coins.coin_game(number))), number)
    assert max(weighed) <= weighings


@pytest.mark.parametrize(("number", "lost"), [(3, 0), (4, 2)])
def test_two_weighings_are_enough_for_three_coins_and_not_for_four(number: int, lost: int) -> None:
    game = coins.coin_game(number).with_play({"attempts": 2})
    assert puzzlehunt.run(game, "deep").losses == lost


def test_the_pool_that_tells_most_is_tested_first_in_every_position() -> None:
    game = pooled_tests.pool_game(6, most=3)
    for rows, best in plain_examples.positions(6, most=3):
        assert puzzlehunt.suggest(game, rows, top=1).guesses == [str(best)]
