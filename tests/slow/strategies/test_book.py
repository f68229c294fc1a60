"""Opening books: one made anew, and where they keep silent."""

from dataclasses import replace

import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.lab import tournament, trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search.book import find_book
from puzzlehunt.strategies.search.tree_file import text_of


def load(name: str, *settings: str) -> Game:
    return gamefile.load(name, list(settings))


def advise(game: Game):
    engine = open_engine(game)
    return Adviser(game).advise(engine)


def with_rows(game: Game, *rows: str) -> Game:
    return replace(game, history=History().add(*map(game.parse_turn, rows)))


def test_the_book_of_mastermind_can_be_made_anew():
    game = load("4x6", "play.strategy=optimal")
    player = Player(game)
    tournament.run(player, name="4x6")
    tree = trees.tree_of_game(player)
    made = trees.file_of_tree(game, "4x6", tree, None)
    found = find_book(game, find_strategy("optimal"))
    assert found is not None
    assert text_of(made) == text_of(found)


@pytest.mark.parametrize(
    ("settings", "rows"),
    [
        (["play.strategy=entropy"], []),
        (["play.pool=candidates"], []),
        (["play.attempts=5"], []),
        (["play.opening=RRGG"], []),
        (["hard=true"], []),
        (["lies.at_most=1"], []),
        (["secret.distinct=true"], []),
        (["facts=[contains R]"], []),
        ([], ["RRGB B_"]),
        ([], ["RRGB BW ?"]),
        ([], ["RRGG BW"]),
    ],
)
def test_a_book_is_silent_where_it_could_be_wrong(settings, rows):
    game = load("mastermind", "play.strategy=deep", *settings)
    assert not advise(with_rows(game, *rows) if rows else game).book
