"""A typed line in plain letters and signs."""

import pytest

from puzzlehunt.game.files.gamefile import load
from puzzlehunt.rules.notation.synonyms import plain


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("\uff28\uff2f\u3000\uff42\uff1f", "HO b?"),
        (":large_green_square::yellow_square: :black_medium_small_square:", "🟩🟨 ⬛"),
        ("2\ufe0f\u20e3 1\u20e3", "2 1"),
        ("CRANE [G][Y] [ ][.][_]", "CRANE GY.._"),
        ("[BW][R][_]", "[BW]R_"),
        ("[HORSE] [BW]_ [14:03] a: :no: ﬁ ẞ Ⅳ", "[HORSE] [BW]_ [14:03] a: :no: ﬁ ẞ Ⅳ"),
    ],
)
def test_wide_letters_short_codes_and_cells_are_read_plainly(typed, read):
    assert plain(typed) == read
    assert plain(read) == read


@pytest.mark.parametrize(
    ("name", "line", "read"),
    [
        ("mastermind", "RRGG\t\t1\t2", "RRGG BWW"),
        ("mastermind", "RRGG | | 1 | 2 |", "RRGG BWW"),
        ("mastermind", "RRGG,,1,2", "RRGG BWW"),
        ("cryptic", "HORSE\t1\t\t2", "HORSE BRR__"),
        ("cryptic", "HORSE\t\tB\tW", "HORSE BW___"),
    ],
)
def test_blank_cells_before_counts_are_layout_and_within_them_unread(name, line, read):
    game = load(name)
    assert game.format_turn(game.parse_turn(line)) == read
