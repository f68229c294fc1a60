"""The picture of a board: well-formed, complete, and harmless."""

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
    boxes = [box for box in drawn.iter(f"{_SVG}rect") if box.get("rx") == "7"]
    assert len(boxes) == tiles
    width, height = (float(drawn.attrib[key]) for key in ("width", "height"))
    for one in drawn.iter(f"{_SVG}g"):
        x, y = map(float, one.attrib["transform"][10:-1].split())
        assert 0 <= x < width
        assert 0 <= y < height
