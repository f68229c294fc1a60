"""Pages that work by forms alone."""

import json
import re
from html import unescape
from urllib.parse import unquote

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


def test_only_rows_that_contradict_each_other_are_sent_again_with_marks(
    server: ServerProcess,
) -> None:
    board = server.make(game="4x6", rows="AABB none\nEEEE 1b")
    page, sent = board.replace("/api/v1/boards/", "/b/"), []
    with http.stream("GET", f"{page}/events") as answer:
        events = (json.loads(line[6:]) for line in answer.iter_lines() if line[:6] == "data: ")
        while next(events)["pending"]:
            pass
        http.post(f"{board}/rows", json={"rows": ["ABCD 4w"]})
        for event in events:
            sent += [(place, "cannot be" in row) for place, row in event["items"]["changed"]]
            if not event["pending"]:
                break
    assert sorted(sent) == [(0, True), (2, False), (2, True)]
    shown = http.get(page).text
    mend = re.search('<button class="main"[^>]* name="change" value="([^"]+)"', shown)
    assert mend is not None
    http.post(page, data={"change": unescape(mend[1])})
    http.get(f"{board}/suggest")
    assert "cannot be" not in http.get(page).text.partition('id="rows"')[2].partition("</ol>")[0]


def test_rows_that_a_link_brought_are_recorded_by_a_form_or_put_back(
    server: ServerProcess,
) -> None:
    board = server.make(game="2x3")
    page = board.replace("/api/v1/boards/", "/b/")

    def history() -> list[str]:
        turns: list[str] = http.get(board).json()["history"]["turns"]
        return turns

    shown = http.get(page).text
    assert re.search('<form[^>]* id="brought" [^>]* hidden>', shown)
    for rows, problem in (
        ("AB b\nZZ b\nAC bw", "line 2: 'ZZ' is not a symbol"),
        ("/new", "line 1: "),
        ("/fact no C", "line 1: "),
        ("Guess Clue", "there is no row in it"),
        ("AB b\n" * 5_000, "at most 20,000 characters"),
    ):
        answer = http.post(page, data={"rows": rows}, headers={"Accept": "text/html"})
        assert answer.status_code == 422
        assert problem in unescape(answer.text.partition('id="said"')[2])
        kept = re.search(
            '<textarea id="brought-rows"[^>]*>(.*?)</textarea>', answer.text, re.DOTALL
        )
        assert kept is not None
        assert unescape(kept[1]).splitlines() == rows.splitlines()
        assert not re.search('<form[^>]* id="brought" [^>]* hidden>', answer.text)
        answer = http.post(page, data={"rows": rows}, headers={"Accept": "application/json"})
        assert (answer.status_code, problem in answer.json()["detail"]) == (422, True)
    assert history() == []
    form = {"rows": "Guess\tClue\nAB\tb\n\nAC\t*", "standing": "BB"}
    answer = http.post(page, data=form, follow_redirects=True)
    assert history() == ["AB B", "AC *"]
    assert 'name="standing" value="BB"' in answer.text
    http.post(page, data={"tapped": "/undo"})
    assert history() == []


def test_a_board_has_a_bookmark_that_opens_it_with_what_is_selected(server: ServerProcess) -> None:
    page = server.make(game="2x3", name="Ours \"ab\" <i> 'c'").replace("/api/v1/boards/", "/b/")
    found = re.search('id="bookmark" href="([^"]+)"', http.get(page).text)
    assert found is not None
    script = unquote(unescape(found[1]))
    assert script == (f'javascript:void open("{page}#rows="+encodeURIComponent(getSelection()))')


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
