"""The API of a running server: changes, versions, questions, refusals."""

import re
from collections.abc import Iterator

import httpx
import pytest
import yaml

from cases import cases
from servers import ServerProcess, http


@pytest.fixture
def board(server: ServerProcess) -> Iterator[httpx.Client]:
    with httpx.Client(
        base_url=server.make(game="2x3"), timeout=30, follow_redirects=True, verify=False
    ) as client:
        yield client


@pytest.fixture(scope="module")
def untouched(server: ServerProcess) -> str:
    return server.make(game="2x3")


def add(board: httpx.Client, *rows: str, **more: object) -> httpx.Response:
    return board.post("/rows", json={"rows": rows, "by": "Ann", **more})


def type_line(board: httpx.Client, line: str, **more: object) -> httpx.Response:
    return board.post("/lines", json={"line": line, **more})


def test_rows_are_added_changed_and_dropped_each_with_its_version(board: httpx.Client) -> None:
    answer = add(board, "AB b", "AC *")
    assert (answer.status_code, answer.headers["etag"]) == (200, '"1"')
    assert answer.json()["rows"][1] == {"turn": 2, "text": "AC *", "effect": "new"}
    assert add(board, "AB b").json()["rows"][0]["effect"] == "known"
    assert type_line(board, "/edit 2 w", by="Bob").json()["said"]
    type_line(board, "/doubt 2 30%")
    second = board.get("").json()["rows"][1]
    assert [second[key] for key in ("by", "clue", "doubt")] == ["Ann", "W", 0.3]
    type_line(board, "/drop 1")
    known = board.get("").json()
    assert known["version"] == 4
    kept = {"facts": [], **yaml.safe_load(board.get("/file").text)}
    assert kept == {"game": "2x3", **known["history"]}
    header, row = board.get("/rows.csv").text.splitlines()
    assert header == "row,guess,clue,note,by,at"
    assert row.startswith("1,AC,W,,")


def test_an_answer_that_is_known_is_not_sent_again(board: httpx.Client) -> None:
    add(board, "AB b")
    tag = board.get("/candidates").headers["etag"]
    for path in ("", "/candidates", "/suggestions", "/rows.csv", "/export", "/file"):
        again = board.get(path, headers={"If-None-Match": f'"9", W/{tag}'})
        assert (again.status_code, again.headers["etag"], again.content) == (304, tag, b"")
    add(board, "AC w")
    fresh = board.get("/candidates", headers={"If-None-Match": tag})
    assert (fresh.status_code, fresh.headers["etag"]) == (200, '"2"')


def test_a_change_for_a_version_that_has_passed_is_refused(board: httpx.Client) -> None:
    add(board, "AB b")
    for path, body in (
        ("/rows", {"rows": ["AC w"]}), ("/lines", {"line": "/new"}), ("/restore/1", {}),
        ("/changes", {"change": {"kind": "undo"}}),
    ):  # fmt: skip
        for old in ('"0"', 'W/"1"'):
            answer = board.post(path, json=body, headers={"If-Match": old})
            assert (answer.status_code, answer.headers["etag"]) == (412, '"1"')
    assert type_line(board, "/new", version=0).status_code == 409
    assert type_line(board, "/undo", by="Bob").status_code == 422
    assert board.get("").json()["version"] == 1
    body = {"line": "/undo", "by": "Ann"}
    answer = board.post("/lines", json=body, headers={"If-Match": '"1"'})
    assert answer.status_code == 200


def test_any_change_is_sent_as_the_json_that_buttons_carry(board: httpx.Client) -> None:
    def change(kind: str, version: int | None = None, **keys: object) -> httpx.Response:
        body = {"change": {"kind": kind, **keys}, "by": "Ann", "version": version}
        return board.post("/changes", json=body)

    assert len(change("record_turns", turns=["AB b", "AC *"]).json()["said"]) == 2
    answer = change("add_marks", row=2, turn="AC w_", version=1)
    assert (answer.status_code, answer.json()["rows"][0]["text"]) == (200, "AC W_")
    # A row that others have changed is completed where that agrees, and else left as it is.
    assert change("add_marks", row=2, turn="AC ww", version=1).json()["rows"][0]["text"] == "AC WW"
    assert change("drop_row", row=2, version=1).status_code == 409
    change("set_doubt", row=1, chance=0.2)
    change("add_fact", fact="no C")
    assert change("set_strategy", name="parts").json()["said"]
    change("set_read_rates", rates="5%")
    known = board.get("").json()
    assert known["facts"] == ["no C"]
    shown = [[row[key] for key in ("guess", "clue", "doubt", "by")] for row in known["rows"]]
    assert shown == [["AB", "B", 0.2, "Ann"], ["AC", "WW", 0.0, "Ann"]]
    assert change("undo", steps=2).json()["version"] == 8
    for wrong in ({"kind": "undo", "steps": 0}, {"kind": "nothing"}, {}, {"kind": "drop_row"},
                  {"kind": "set_word_list", "name": "/etc/passwd"}):  # fmt: skip
        answer = board.post("/changes", json={"change": wrong})
        assert (answer.status_code, "\n" in answer.json()["detail"]) == (422, False)


def test_questions_are_answered_as_json_of_the_commands(board: httpx.Client) -> None:
    add(board, "AB w")
    left = {"count": 2, "exact": True, "candidates": ["BC", "CA"]}
    assert board.get("/candidates").json() == left
    assert len(board.get("/suggestions?top=2").json()["suggestions"]) == 2
    assert board.get("/worth?code=AB").json()["best"]["guess"]
    assert board.get("/why?code=AB").json()["because"] == [1]
    assert board.get("/export").text.startswith("; ")
    assert board.get("/candidates.csv").text.splitlines() == ["candidate", "BC", "CA"]
    add(board, "AB *", "AC bb")
    assert board.get("/conflicts").json()["conflict"] == [1, 2]
    answer = board.post("/lines", json={"line": "/repair 1", "by": "Bob"})
    assert answer.json()["said"], answer.text
    assert board.get("/explanation").json()["consistent"] is True


def test_a_question_needs_no_board(server: ServerProcess) -> None:
    for rows in ("row=AB+w", "rows=Guess%09Clue%0D%0A%0D%0AAB%09w%0D%0A;AB+w"):
        answer = http.get(server.url(f"/api/v1/candidates?game=2x3&{rows}"))
        assert answer.json()["candidates"] == ["BC", "CA"]
    for query in ("game=/etc/passwd", "game=2x3&row=ZZ", "game=2x3&rows=AB+w;ZZ+b", ""):
        answer = http.get(server.url(f"/api/v1/suggest?{query}"))
        assert answer.status_code == 422
        assert "\n" not in answer.json()["detail"]


def test_a_game_file_is_a_board_unless_it_is_hostile(server: ServerProcess) -> None:
    board = server.make(file="game: 2x3\n", name="Ours", rows="AB b", by="Ann")
    assert http.get(board).json()["rows"][0]["by"] == "Ann"
    for body, problem in (
        ({"game": "no such game"}, "no game is called"),
        ({}, "which game?"),
        ({"game": "2x3", "rows": "AZ b"}, "the rows cannot be read"),
    ):
        answer = http.post(server.url("/api/v1/boards"), json=body)
        assert (answer.status_code, problem in answer.json()["detail"]) == (422, True)
    for text, problem in (
        ("secret: {words: /etc/passwd}\nrule: pegs", "only a list that comes with the program"),
        ("game: 2x3\nturns: [ZZ b]", "Z"),
        ("[" * 10_000, "nesting depth"),
        ("secret: {symbols: 1-9, length: 9, formula: nerdle}\nrule: marks", ""),
    ):
        answer = http.post(server.url("/api/v1/boards"), json={"file": text})
        assert answer.status_code in (422, 503)
        assert problem in answer.json()["detail"]
        assert "/boards" not in answer.json()["detail"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [*cases("bad requests"), ("POST", "/rows", '{"rows": ["' + "A" * 400_000 + '"]}', "413")],
)
def test_bad_requests_are_refused_in_a_sentence_and_change_nothing(
    untouched: str, method: str, path: str, body: str, status: str
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = http.request(method, untouched + path, content=body, headers=headers)
    assert answer.status_code == int(status)
    assert re.fullmatch("(?!.*Traceback).+", answer.json()["detail"])
    assert http.get(untouched).json()["version"] == 0


def test_a_key_that_no_route_knows_is_told_with_the_nearest(untouched: str) -> None:
    answer = http.post(f"{untouched}/lines", json={"line": "AB b", "versoin": 0})
    assert answer.json()["detail"] == "no key is called 'versoin'; did you mean version?"


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/plain"}])
def test_a_body_is_json_and_says_so(untouched: str, headers: dict[str, str]) -> None:
    answer = http.post(f"{untouched}/lines", content=b'{"line": "AB b"}', headers=headers)
    assert (answer.status_code, "send JSON" in answer.json()["detail"]) == (415, True)


def test_changes_come_from_the_boards_own_page_alone(
    server: ServerProcess, board: httpx.Client
) -> None:
    for headers, status in (
        ({"Origin": "http://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": server.url("")}, 200),
    ):
        answer = board.post("/rows", json={"rows": ["AB b"]}, headers=headers)
        assert answer.status_code == status
    for host in ("evil.example", "[", "a]b"):
        assert board.get("", headers={"Host": host}).status_code == 421


def test_every_answer_forbids_what_is_inline_or_from_elsewhere(server: ServerProcess) -> None:
    for path in ("/", "/nothing", "/api/v1/boards/x", "/static/x", "/api/openapi.json"):
        whole, head = http.get(server.url(path)), http.head(server.url(path))
        headers = whole.headers
        assert (head.status_code, head.content) == (whole.status_code, b"")
        assert head.headers["content-length"] == headers["content-length"]
        policy = headers["content-security-policy"]
        assert {"default-src 'none'", "script-src 'self'"} <= set(policy.split("; "))
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_a_board_of_questions_is_won_once_the_secret_is_known(server: ServerProcess) -> None:
    file = "secret: {words: [STOP, STEP, PLAY], length: 4}\n"
    file += "guess: {words: [TYPE, LAPS], only_questions: true}\nrule: pegs\n"
    board = server.make(file=file, rows="TYPE 0b 2w")
    known, page = http.get(board).json(), board.replace("/api/v1/boards/", "/b/")
    assert not known["won"]
    assert "Known" not in http.get(page).text
    assert http.post(f"{board}/rows", json={"rows": ["PLAY won"]}).status_code == 422
    http.post(f"{board}/rows", json={"rows": ["LAPS 0b 3w"]})
    assert http.get(board).json()["won"]
    assert http.get(f"{board}/suggestions").json()["suggestions"] == []
    assert "Known after 2 questions: PLAY" in http.get(page).text
    http.post(f"{board}/lines", json={"line": "/drop 2"})
    assert not http.get(board).json()["won"]
