"""A board's life: name, archive, deletion, the link that only looks, what was taken back."""

import asyncio
import gc
from datetime import timedelta
from pathlib import Path
from weakref import ref

import pytest
from starlette.exceptions import HTTPException

from cases import cases
from puzzlehunt.session.changes import Undo
from puzzlehunt.views.page.board_rows import Author, news_html
from puzzlehunt.web import board as web_board
from puzzlehunt.web.board import OutdatedChangeError, Submission, TeamBoard
from puzzlehunt.web.live import Server
from puzzlehunt.web.store import Boards
from servers import ServerProcess, http
from team_boards import names, play, reopened, rows, submit


def test_a_name_is_kept_as_it_was_typed(boards: Boards) -> None:
    board = boards.create("2x3", "Охота  во вторник")
    assert (board.name, board.title) == ("board", "Охота во вторник")
    board.set_status("  Ένας πίνακας ", None, "Ann")
    assert reopened(board).title == "Ένας πίνακας"
    assert boards.create("2x3", "plain").title == "plain"


def test_a_closed_board_is_not_changed_and_opens_again(board: TeamBoard) -> None:
    play(board, "Ann: AB *")
    for before, status in (("open", "archived"), ("archived", "deleted")):
        board.set_status(None, status, "Bob")  # type: ignore[arg-type]
        for known in (board, reopened(board)):
            with pytest.raises(OutdatedChangeError, match=f"this board is {status}"):
                submit(known, "AC *", "Ann")
            assert (rows(known), names(known), known.status.before) == (["AB *"], ["Ann"], before)
    version = board.version
    board.set_status(None, "open", "Ann")
    board.set_status(None, "open", "Ann")
    assert board.version == version + 1
    play(board, "Bob: AC *")
    assert rows(reopened(board)) == ["AB *", "AC *"]


def test_a_deleted_board_can_be_taken_back_for_a_day(
    boards: Boards, board: TeamBoard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = boards.create("2x3")
    board.set_status(None, "deleted", "Ann")
    assert boards.find(board.id) == (board, True)
    assert Boards(tmp_path, 5).find(board.id) is not None
    monkeypatch.setattr(web_board, "KEPT_DELETED", timedelta(-1))
    # They go with the start of a server, or a new board.
    assert Boards(tmp_path, 5).names() == [other.name]
    other.set_status(None, "deleted", "Ann")
    boards.create("4x4")
    assert boards.find(other.id) is None
    assert boards.select("SELECT board FROM versions") == []


def test_so_many_pages_follow_as_may_and_boards_in_use_stay_open(
    boards: Boards, board: TeamBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlehunt.web.live._MOST_IDLE", 1)
    server = Server(boards, 1, 4)

    async def follow() -> None:
        feed, last = await server.feed(board), await server.feed(boards.create("2x3"))
        for number in range(3):
            await server.let_in()
            (last if number else feed).followers[number] = ""
        with pytest.raises(HTTPException, match="too many pages"):
            await server.let_in()
        gone = ref(await server.feed(boards.create("3x4")))
        assert await server.feed(last.board) is last
        gc.collect()
        assert gone() is None

    asyncio.run(follow())


def test_an_address_that_looks_does_not_tell_the_one_that_writes(
    boards: Boards, board: TeamBoard
) -> None:
    assert boards.find(board.view_id) == (board, False)
    assert reopened(board).view_id == board.view_id
    assert boards.find(f"{board.name}-{'a' * 22}") is None
    other = boards.create("2x3")
    assert boards.find(f"{board.name}{other.view_id[-23:]}") is None


def test_whoever_looks_sees_all_and_changes_nothing(server: ServerProcess) -> None:
    board = server.make(game="2x3", rows="AB b_", name="Ours")
    http.post(f"{board}/rows", json={"rows": ["AC *"], "by": "Ann"})
    token = board[-22:]
    view = http.get(board).json()["view"]
    api = view.replace("/b/", "/api/v1/boards/")
    paths = http.get(server.url("/api/openapi.json")).json()["paths"]
    seen = 0
    for path, operations in paths.items():
        if "{board}" not in path or path.endswith("/events"):
            continue
        address = api + path.partition("{board}")[2].format(turn=1, number=1)
        for method in operations:
            answer = http.request(method, address, params={"code": "AB"}, json={"by": "Ann"})
            assert token not in answer.text + str(answer.headers), (method, path)
            if method == "get":
                is_known = path.endswith("/legend")  # an answer for unknown marks alone
                assert answer.status_code == (422 if is_known else 200), (path, answer.text)
                seen += 1
            else:
                assert answer.status_code in (403, 422), (method, path)
    assert seen > 15
    answer = http.get(view)
    assert token not in answer.text + str(answer.headers)
    assert http.post(f"{view}/next").status_code == 403
    with http.stream("GET", f"{api}/events") as events:
        lines = events.iter_lines()
        assert next(lines) == "event: state"
        assert token not in next(line for line in lines if line[:4] == "data")
    known = http.get(board).json()
    assert (known["version"], known["status"], len(known["rows"])) == (2, "open", 2)


def test_a_board_is_archived_and_opened_again(server: ServerProcess) -> None:
    board = server.make(game="2x3", rows="AB *", name="Ours: ä")
    page = board.replace("/api/v1/boards/", "/b/")
    http.put(f"{board}/status", json={"status": "archived", "by": "Ann"})
    known = http.get(board).json()
    assert (known["name"], known["status"], known["version"]) == ("Ours: ä", "archived", 2)
    assert "<b>Ann</b> archived this board" in http.get(page).text
    answer = http.post(f"{board}/rows", json={"rows": ["AC *"]})
    assert (answer.status_code, "archived" in answer.json()["detail"]) == (409, True)
    known = http.put(f"{board}/status", json={"status": "open", "name": "Next", "by": "Bob"}).json()
    assert (known["name"], known["status"]) == ("Next", "open")
    assert http.post(f"{board}/rows", json={"rows": ["AC *"]}).status_code == 200
    assert http.put(f"{board}/status", json={"status": "gone"}).status_code == 422


# What others do, and take back.


@pytest.mark.parametrize(("script", "kind", "said"), cases("news of a board"))
def test_what_somebody_did_is_told(board: TeamBoard, script: str, kind: str, said: str) -> None:
    for line in script.split("; "):
        before, authors = board.snapshot.history, board.authors()
        play(board, line)
    after, last = board.snapshot.history, board.entries[-1]
    verb, by = "brought back" if last.undoes else "wrote", Author(last.by, last.at)
    (html,) = news_html(board.game, before, after, authors, verb, by, "").values()
    assert said in html
    assert f'class="{kind}"' in html
    assert ("Restore" in html) == (kind == "taken")


def test_a_change_that_a_third_takes_back_is_heard_and_not_seen(board: TeamBoard) -> None:
    play(board, "Ann: AB b; Bob: /edit 1 w")
    before, authors = board.snapshot.history, board.authors()
    board.submit(Submission(Undo(), "Cid", restored=2))
    after, by = board.snapshot.history, Author("Cid", board.entries[-1].at)
    for verb, place in (("brought back", "news"), ("wrote", "gone")):
        told = news_html(board.game, before, after, authors, verb, by, "")
        assert [*told] == [place]


def test_rows_that_are_restored_are_in_their_place_with_their_authors(board: TeamBoard) -> None:
    play(board, "Ann: AB *; Bob: AC *; Cid: /drop 1")
    board.submit(Submission(Undo(), "Cid", restored=3))
    assert (rows(board), names(board)) == (["AB *", "AC *"], ["Ann", "Bob"])
    # What has been added meanwhile stays.
    play(board, "Cid: /new; Bob: BC *")
    board.submit(Submission(Undo(), "Cid", restored=5))
    assert (rows(board), names(board)) == (["AB *", "AC *", "BC *"], ["Ann", "Bob", "Bob"])


def test_what_somebody_did_to_a_row_is_taken_back_by_its_menu(board: TeamBoard) -> None:
    play(board, "Ann: AB *; Bob: AB b; Ann: AC *")
    shown = {number: (one.last, one.version) for number, one in board.authors().items()}
    assert shown == {1: ("Bob", 2), 2: ("Ann", 3)}
    # Of a step that wrote several rows, no row's menu takes all of them back.
    submit(board, "CA *\nCB *", "Bob")
    assert [one.version for one in board.authors().values()] == [2, 3, 0, 0]
    play(board, "Bob: /undo")
    board.submit(Submission(Undo(), "Ann", restored=2))
    assert (rows(board), names(board)) == (["AB *", "AC *"], ["Ann", "Ann"])
    # It is then the newest step of whoever did so.
    play(board, "Ann: /undo")
    assert rows(board) == ["AB B", "AC *"]
    play(board, "Bob: BC *; Ann: /redo; Bob: /undo")
    assert rows(board) == ["AB *", "AC *"]


def test_a_change_is_restored_by_its_version(server: ServerProcess) -> None:
    board = server.make(game="2x3", rows="AB *")
    http.post(f"{board}/lines", json={"line": "/drop 1"})
    assert http.post(f"{board}/restore/2", json={"by": "Ann"}).json()["version"] == 3
    assert http.get(board).json()["history"]["turns"] == ["AB *"]
    assert http.post(f"{board}/restore/400", json={}).status_code == 409
