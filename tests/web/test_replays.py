"""Changes that come again since their answer was lost, and files that others change."""

import pytest

from servers import ServerProcess, http


def test_a_button_sends_its_change_by_a_form_alone(server: ServerProcess) -> None:
    board = server.make(game="2x3", rows="AB b\nAC w")
    page = board.replace("/api/v1/boards/", "/b/")
    shown = http.get(page).text
    assert 'name="change" value="{&#34;row&#34;: 1, &#34;kind&#34;: &#34;drop_row&#34;}"' in shown
    form = {"change": '{"row": 1, "kind": "drop_row"}', "version": "1", "standing": "BB"}
    answer = http.post(page, data=form, follow_redirects=True)
    assert "AB B" in answer.text.partition('id="said"')[2]
    assert 'name="standing" value="BB"' in answer.text
    assert http.get(board).json()["history"]["turns"] == ["AC W"]
    again = http.post(page, data=form)
    assert (again.status_code, "row 1 is another by now" in again.text) == (409, True)
    for wrong in ("{", "[]", '{"kind": "drop_row"}', '{"kind": "set_word_list", "name": "/x"}'):
        assert http.post(page, data={"change": wrong}).status_code == 422


def test_rows_that_are_added_are_answered_with_numbers_and_effects(server: ServerProcess) -> None:
    board = server.make(game="2x3")

    def add(*rows: str, **headers: str) -> list[tuple[int, str, str]]:
        answer = http.post(f"{board}/rows", json={"rows": rows}, headers=headers)
        return [(row["turn"], row["text"], row["effect"]) for row in answer.json()["rows"]]

    assert add("AB b_", "AC *") == [(1, "AB B_", "new"), (2, "AC *", "new")]
    assert add("AB b", "AC *", "CC w") == [
        (1, "AB B", "completed"),
        (2, "AC *", "known"),
        (3, "CC W", "new"),
    ]
    key = {"Idempotency-Key": "again"}
    assert add("AB ww", **key) == [(1, "AB WW", "replaced")]
    assert add("AB ww", **key) == [(1, "AB WW", "known")]


def test_a_sheet_reads_truth_values_in_lower_case(server: ServerProcess) -> None:
    answer = http.get(server.url("/api/v1/suggest.csv?game=2x3&turn=AB+w"))
    assert answer.text.splitlines()[1].rpartition(",")[2] in ("true", "false")
    assert "True" not in answer.text


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
