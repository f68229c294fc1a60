from dataclasses import replace

import pytest

from cases import cases
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.engines.base import open_engine
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.lab import tournament, trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.lab.tournament import run
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.search.tree_file import find_book, read, text_of, verify

BOOKS = sorted(resource_folder("books").glob("*.tree.gz"))

LARGE = {"4x7", "4x8", "5x5", "5x6", "5x7", "5x8", "6x6", "bulls", "nethack"}
"""Games whose books take more than a quarter of a second to follow."""


def load(name: str, *settings: str) -> Game:
    return gamefile.load(name, list(settings))


def advise(game: Game):
    return Adviser(game).advise(open_engine(game))


def with_rows(game: Game, *rows: str) -> Game:
    return replace(game, history=History().add(*map(game.turn, rows)))


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=name, marks=[pytest.mark.slow] if name in LARGE else [])
        for path in BOOKS
        for name in [path.name.split("-")[0]]
    ],
)
def test_a_book_is_of_the_game_that_it_names_and_solves_all_that_it_follows(path):
    book = read(path)
    game = load(book.head["game"])
    book.check_game(game)
    assert text_of(find_book(game).file) == text_of(book)
    assert verify(book, game)["total"] == book.after()[1] == int(book.head["total"])


def test_a_book_serves_to_the_end_of_a_game():
    game = load("mastermind")
    engine, secret = open_engine(game), game.parse_secret("OPYG")
    rows = History()
    while not meaning.is_won(game, rows):
        engine.follow(rows)
        advice = Adviser(game).advise(engine)
        assert advice.book or advice.count == 1
        guess = advice.suggestions[0].code
        rows = rows.add(game.turn(guess, game.score(guess, secret)))
    assert len(rows.turns) <= 6


def test_without_a_strategy_a_game_is_played_from_its_book_and_off_it_by_looking_ahead():
    game = load("mastermind")
    first = Adviser(game).advise(open_engine(game), top=3)
    assert (first.book, first.strategy, first.exact) == ("4x6, optimal", "book", True)
    assert first.suggestions[0].value == 4.3403
    assert all(s.value >= 4.3403 for s in first.suggestions[1:])
    assert len(first.suggestions) == 3
    off = advise(with_rows(game, "RGBY BW"))
    assert (off.book, off.strategy, off.measure) == ("", "deep", first.measure)
    assert (advise(load("3x4")).strategy, advise(load("10x6")).strategy) == ("deep", "entropy")
    assert advise(load("mastermind", "play.opening=RGBY")).strategy == "deep"
    assert advise(load("mastermind", "play.strategy=entropy")).measure == "bits"
    named = advise(load("mastermind", "play.strategy=deep"))
    assert (named.book, named.strategy) == ("", "deep")


def test_the_lab_plays_the_book_where_no_strategy_is_named_and_else_the_strategy():
    result = run(load("4x6"), name="4x6")
    assert (result.game.play.strategy, result.summary("played").total) == ("book", 5625)
    assert result.basis == "a book: 4x6, optimal"
    assert run(load("4x6"), name="4x6", secrets=2).basis == result.basis
    assert run(load("3x4"), name="3x4").game.play.strategy == "deep"
    named = run(load("4x6"), name="4x6", secrets=2, strategy="deep")
    assert (named.game.play.strategy, named.basis) == ("deep", "")


@pytest.mark.slow
def test_the_book_of_mastermind_can_be_made_anew():
    game = load("4x6", "play.strategy=optimal")
    player = Player(game)
    tournament.run(player, name="4x6")
    tree = trees.tree_of_game(player)
    made = trees.file_of_tree(game, "4x6", tree, None)
    assert text_of(made) == text_of(find_book(game).file)


@pytest.mark.slow
@pytest.mark.parametrize(("row", "setting"), cases("where a book is silent"))
def test_a_book_is_silent_where_it_could_be_wrong(row, setting):
    game = load("mastermind", *filter(None, [setting]))
    assert not advise(game if row == "*" else with_rows(game, row)).book
