"""Pages that work by forms alone."""

import json
import re
from html import unescape

import pytest

from servers import ServerProcess, http


def test_a_button_sends_its_change_by_a_form_alone(server: ServerProcess) -> None:
    board = server.make(game="2x3", rows="AB b\nAC w")
    page = board.replace("/api/v1/boards/", "/b/")
    shown = http.get(page).text
    values = map(unescape, re.findall('name="change" value="([^"]+)"', shown))
    change = next(value for value in values if json.loads(value) == {"kind": "drop_row", "row": 1})
    form = {"change": change, "version": "1", "standing": "BB"}
    answer = http.post(page, data=form, follow_redirects=True)
    assert "AB B" in answer.text.partition('id="said"')[2]
    assert 'name="standing" value="BB"' in answer.text
    assert http.get(board).json()["history"]["turns"] == ["AC W"]
    again = http.post(page, data=form)
    assert again.status_code == 409
    for wrong in ("{", "[]", '{"kind": "drop_row"}', '{"kind": "set_word_list", "name": "/x"}'):
        assert http.post(page, data={"change": wrong}).status_code == 422


@pytest.mark.parametrize(
    ("form", "problem"),
    [
        ({"game": "no such game"}, "no game is called"),
        ({"game": ""}, "which game?"),
        ({"game": "2x3", "rows": "AZ b"}, "the rows cannot be read"),
    ],
)
def test_a_board_that_cannot_be_made_leaves_the_form_filled_in(
    server: ServerProcess, form: dict[str, str], problem: str
) -> None:
    answer = http.post(
        server.url("/boards"), data={"name": "ours", **form},
        headers={"Accept": "text/html"},
    )  # fmt: skip
    assert answer.status_code == 422
    assert problem in answer.text.partition('id="error"')[2]
    assert 'value="ours"' in answer.text
