import pytest

from optimum import optimum
from puzzlehunt.engines.base import open_engine
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.compiled.threads import thread_limit
from puzzlehunt.lab import tournament, trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search.tree_file import find_book, guesses_of

pytestmark = pytest.mark.needs("numba")


def played(game, budget=None):
    return sum(
        n * times for n, times in tournament.run(game, name="", budget=budget).played.items()
    )


def test_without_compiled_kernels_no_whole_game_is_searched(monkeypatch):
    monkeypatch.setattr(fast, "is_installed", lambda: False)
    game = gamefile.load("3x4", ["play.strategy=optimal"])
    with pytest.raises(StrategyError, match=r"pip install '.\[fast\]'\); try deep"):
        tournament.run(game, name="3x4")
    assert played(gamefile.load("3x4", ["play.strategy=deep"]), 5) > 0


def test_candidates_alone_may_be_what_is_guessed():
    game = gamefile.load("3x3", ["play.strategy=optimal", "play.pool=candidates"])
    free = gamefile.load("3x3", ["play.strategy=optimal"])
    _, total = optimum(game.rule.score, (), game.secrets, None)
    assert played(game) == total >= played(free)


@pytest.mark.parametrize(
    ("settings_", "total", "worst"),
    [
        pytest.param([], 5625, 6, marks=pytest.mark.slow),
        (["play.attempts=5"], 5626, 5),
    ],
)
def test_mastermind_takes_what_koyama_and_lai_proved(settings_, total, worst):
    game = gamefile.load("4x6", ["play.strategy=optimal", *settings_])
    result = tournament.run(game, name="4x6").played
    assert sum(n * times for n, times in result.items()) == total
    assert max(result) == worst


def test_a_larger_budget_does_no_worse_and_all_guesses_are_the_optimum():
    game = gamefile.load("3x6", ["play.strategy=deep"])
    totals = [played(game, budget) for budget in (1, 8, 2000)]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == played(gamefile.load("3x6", ["play.strategy=optimal"]))


@pytest.mark.parametrize(
    ("name", "settings_", "why"),
    [
        ("4x6", ["hard=true"], "optimal: cannot search hard mode; try deep"),
        ("4x6", ["hard=true", "play.pool=candidates"], "hard mode"),
        ("cryptic", ["reads.black=0.5"], "equally likely|may be wrong"),
        ("6x9", [], "too many"),
    ],
)
def test_what_cannot_be_searched_is_said(name, settings_, why):
    game = gamefile.load(name, ["play.strategy=optimal", *settings_])
    with pytest.raises(StrategyError, match=why):
        find_strategy("optimal").choose(Position.of(game, open_engine(game)))


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "total"), [((1, 1), 2992), ((1, 0), 1913), ((0, 0), 1446)])
def test_parts_of_bulls_and_cows_take_what_the_book_says(answer, total):
    game = gamefile.load("bulls-and-cows", ["play.strategy=optimal"])
    book = find_book(game).file
    code, all_guesses = book.after()
    assert all_guesses == 26_274
    assert book.after([(code, answer)])[1] == total
    first = Position.of(game, open_engine(game))
    row = game.rule.rows_of([code])
    answers = game.rule.table(row, first.secrets)[0]
    alive = (answers == game.rule.feedbacks.index(answer)).nonzero()[0]
    position = first.after(code, alive, answer)
    best = find_strategy("optimal").rank(position, 1)[0][0]
    assert best.value == round(total / len(alive), 4)


@pytest.mark.slow
def test_what_is_found_does_not_depend_on_the_number_of_threads():
    game = gamefile.load("4x5", ["play.strategy=deep"])
    found = []
    for count in (1, 2):
        with thread_limit(count):
            tree = trees.tree_of_game(Player(game, 5))
        found.append(guesses_of(tree, game.alphabet))
    assert found[0] == found[1]
