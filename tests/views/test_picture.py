"""The picture of a board: well-formed, complete, and harmless."""

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.views.picture import board_picture

_SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("name", "rows", "tiles"),
    [
        ("wordle", ["CRANE ..Y.G", "SLATE _.Y.G", "ABODE won"], 15),
        ("quordle", ["CRANE ..... ..Y.. G.... ....G", "MOIST won Y.... .G... ....."], 40),
        ("quordle", ["CRANE won ..Y.. G.... ....G", "MOIST * Y.... .G... ....."], 35),
        ("cryptic", ["HORSE B_WR_"], 5),
        ("nethack", ["AABBC 1 gear 2 tumblers", "DDE 1 tumbler"], 8),
        ("2x3", [], 0),
    ],
)
def test_a_picture_has_all_tiles_and_whose_they_are(name: str, rows: list[str], tiles: int) -> None:
    game = gamefile.load(name)
    history = History(tuple(map(game.parse_turn, rows)))
    writers = dict.fromkeys(range(1, len(rows) + 1), ("Ann & <Bob>", "#123456"))
    drawn = ElementTree.fromstring(board_picture(game, history, "</svg><script>", writers))
    texts = [text.text for text in drawn.iter(f"{_SVG}text")]
    assert texts.count("</svg><script>") == 1
    assert (f"Ann & <Bob> {len(rows)}" in texts) == bool(rows)
    width, height = (float(drawn.attrib[key]) for key in ("width", "height"))
    places = [*_tiles(drawn)]
    assert len(places) == tiles
    assert all(0 < x < width - 44 and 0 < y < height - 44 for x, y in places)
    for place, (x, y) in enumerate(places):
        assert all(abs(x - right) > 44 or abs(y - low) > 44 for right, low in places[:place])


def _tiles(group: ElementTree.Element, x: float = 0, y: float = 0) -> Iterator[tuple[float, float]]:
    """Yield the place of each tile on the picture."""
    for one in group:
        right, down = map(float, one.get("transform", "translate(0 0)")[10:-1].split())
        if one.get("rx") == "7":
            yield x, y
        yield from _tiles(one, x + right, y + down)
