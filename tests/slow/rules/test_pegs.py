"""A large table of pegs."""

from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.packed_codes import space_array
from puzzlehunt.kernels.partitions import table_partitions


def test_a_large_partition_is_the_count_of_its_table():
    game = gamefile.load("nethack")
    rule = game.rule
    guesses = rule.rows(space_array(game.guesses, game.length))
    secrets = rule.rows(space_array(game.secrets, game.length))[::5]
    assert len(guesses) * len(secrets) > 50_000_000
    table = rule.table(guesses, secrets)
    counts = table_partitions(table, len(rule.feedbacks))
    assert (rule.partitions(guesses, secrets) == counts).all()
