"""Pages: what they show, and what they send."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from html import unescape
from itertools import chain

import segno

from puzzlehunt.game.files import gamefile
from servers import ServerProcess, http


def test_a_button_of_a_page_has_its_change(server: ServerProcess) -> None:
    board = server.make(game="2x3", rows="AB b\nAC w")
    page = board.replace("/api/v1/boards/", "/b/")
    shown = http.get(page).text
    values = map(unescape, re.findall('name="change" value="([^"]+)"', shown))
    change = next(value for value in values if json.loads(value) == {"kind": "drop_row", "row": 1})
    form = {"change": json.loads(change), "version": 1}
    asked = {"headers": {"Accept": "text/html"}}
    answer = http.post(f"{board}/changes", json=form, **asked)
    assert "AB B" in answer.text
    assert gamefile.document_of("2x3").value["about"] in shown
    assert answer.headers["etag"] == '"2"'
    assert http.get(board).json()["history"]["turns"] == ["AC W"]
    assert http.post(f"{board}/changes", json=form, **asked).status_code == 409
    answer = http.post(f"{board}/lines", json={"line": "AB b\nAZ b"}, **asked)
    assert (answer.status_code, "AZ" in answer.text) == (422, True)
    # A guess that is tapped is no clue of the guess that waits.
    for line, turns in (("CC *", ["AC W", "CC *"]), ("BB *", ["AC W", "CC *", "BB *"])):
        http.post(f"{board}/lines", json={"line": line}, **asked)
        assert http.get(board).json()["history"]["turns"] == turns


def test_only_rows_that_contradict_each_other_are_sent_again_with_marks(
    server: ServerProcess,
) -> None:
    board = server.make(game="4x6", rows="AABB none\nEEEE 1b")
    page, sent = board.replace("/api/v1/boards/", "/b/"), []
    with http.stream("GET", f"{board}/events") as answer:
        events = (json.loads(line[6:]) for line in answer.iter_lines() if line[:6] == "data: ")
        while next(events)["pending"]:
            pass
        http.post(f"{board}/rows", json={"rows": ["ABCD 4w"]})
        for event in events:
            sent += [(place, "cannot be" in row) for place, row in event["items"]["changed"]]
            if not event["pending"]:
                break
        # A conflict ends with a change of one of its rows.
        http.post(f"{board}/lines", json={"line": "/edit 3 ABCD 2w"})
        ended = next(event for event in events if event["items"]["changed"])
        assert {place for place, _ in ended["items"]["changed"]} == {0, 2}
        assert not any("cannot be" in row for _, row in ended["items"]["changed"])
    # The new row is sent first while its answers are awaited, if they take long enough.
    assert {(0, True), (2, True)} <= set(sent) <= {(0, True), (2, False), (2, True)}
    http.post(f"{board}/lines", json={"line": "/edit 3 ABCD 3w"})
    shown = http.get(page).text
    mend = re.search('<button class="main"[^>]* name="change" value="([^"]+)"', shown)
    assert mend is not None
    http.post(f"{board}/changes", json={"change": json.loads(unescape(mend[1]))})
    http.get(f"{board}/suggest")
    assert "cannot be" not in http.get(page).text.partition('id="rows"')[2].partition("</ol>")[0]


def test_each_of_several_boards_says_above_its_first_row_what_is_left(
    server: ServerProcess,
) -> None:
    board = server.make(game="dordle", rows="CRANE GG... GGGGG\nCRIMP GGG.. .....")
    rows = dict[int, str]()
    with http.stream("GET", f"{board}/events") as answer:
        events = (json.loads(line[6:]) for line in answer.iter_lines() if line[:6] == "data: ")
        for told in events:
            rows |= told["items"]["changed"]
            if not told["pending"]:
                break
    counted = http.get(f"{board}/candidates").json()["boards"]
    titles = [f"board 1: {counted[0]['count']} left", "board 2: solved"]
    assert [f'title="{title}"' in rows[0] for title in titles] == [True, True]
    assert ": solved" not in rows[1]


def test_a_board_tells_who_follows_it_and_how_many_without_a_name(server: ServerProcess) -> None:
    board = server.make(game="2x3")
    events = []  # a stream that nothing reads is closed
    with ExitStack() as following:
        for name in ("", "Ann", "", "Ann", "Bob", ""):
            headers = {"Cookie": f"puzzlehunt-nickname={name}"} if name else {}
            stream = http.stream("GET", f"{board}/events", headers=headers)
            events.append(following.enter_context(stream).iter_lines())
        heard = (json.loads(line[6:]) for line in events[-1] if line[:6] == "data: ")
        event = next(one for one in heard if one["guests"] == 3)
        for told in (event, http.get(board).json()):
            assert (told["people"], told["guests"]) == (["Ann", "Bob"], 3)
        drawn = (one["fragments"].get("people", "") for one in chain([event], heard))
        colours = next(found for html in drawn if len(found := re.findall(r"who (p\d)", html)) > 1)
        assert len({*colours}) == 2


def test_what_is_typed_on_a_page_is_told_until_it_is_left(server: ServerProcess) -> None:
    board = server.make(game="2x3")
    typed = board.replace("/api/v1/boards/", "/b/") + "/typing"
    with http.stream("GET", f"{board}/events") as answer:
        events = (json.loads(line[6:]) for line in answer.iter_lines() if line[:6] == "data: ")
        headers = {"Cookie": "puzzlehunt-nickname=Ann"}
        with http.stream("GET", f"{board}/events?page=a", headers=headers) as other:
            heard = other.iter_lines()  # a stream that nothing reads is closed
            next(heard)
            for page in ("a", "b"):
                body = {"page": page, "symbols": ["A"]}
                assert http.post(typed, json=body).status_code == 204
            assert next(one["typing"] for one in events if one["typing"]) == [["Ann", "a", ["A"]]]
        assert next(event["typing"] == [] for event in events if not event["people"])
    assert http.post(typed, json=body | {"symbols": ["A" * 101]}).status_code == 422
    view = http.get(board).json()["view"]
    assert http.post(f"{view}/typing", json=body).status_code == 403


# The shell.


def test_files_have_their_digest_in_their_address_and_are_kept(server: ServerProcess) -> None:
    home = http.get(server.url("/"))
    assert home.headers["content-encoding"] == "gzip"
    assert home.headers["cache-control"] == "no-cache, private"
    board = http.get(server.make(game="2x3").replace("/api/v1/boards/", "/b/"))
    files = set(re.findall(r'"(/static/[0-9a-f]{12}/[^"]+)"', home.text + board.text))
    folder = min(files).rpartition("/")[0]
    for file in files:
        answer = http.get(server.url(file))
        assert answer.status_code == 200
        assert answer.headers["cache-control"].endswith("immutable")
        # The modules of a board are loaded at once.
        if file.endswith(".js"):
            modules = re.findall(r'from "\./([^"]+)"', answer.text)
            assert {f"{folder}/{name}" for name in modules} <= files
        if file.endswith(".webmanifest"):
            assert answer.headers["content-type"] == "application/manifest+json"
            told = answer.json()
            assert answer.url.join(told["start_url"]) == server.url("/")
            assert {f"{folder}/{icon['src']}" for icon in told["icons"]} <= files
        if file.endswith(".css"):
            assert ".p0 {" in answer.text
    for path in ("/static/page.css", "/static/0123456789ab/style.css", f"{folder}/x"):
        answer = http.get(server.url(path))
        assert (answer.status_code, answer.headers["cache-control"][:8]) == (404, "no-cache")


def test_the_address_of_a_board_is_drawn_as_a_code(server: ServerProcess) -> None:
    page = server.make(game="2x3").replace("/api/v1/boards/", "/b/")
    code = segno.make_qr(page, error="m").svg_data_uri(light="#fff", omitsize=True)
    assert code in unescape(http.get(page).text)


# The home page.


def test_every_game_is_on_the_home_page_once_with_a_row(server: ServerProcess) -> None:
    page = http.get(server.url("/")).text
    shown = re.findall(r'name="game" value="([^"]+)">(<span class="picture")?', page)
    assert sorted(name for name, _ in shown) == sorted(gamefile.built_in_games())
    assert all(picture for _, picture in shown)
    assert [name for name, _ in shown][:1] == ["wordle"]


def test_the_next_game_is_one_board_for_all_that_has_no_rows(server: ServerProcess) -> None:
    board = server.make(file="HORSE\nHOUSE\nMOUSE\n", name="Слова")  # a sheet of words is a game
    page = board.replace("/api/v1/boards/", "/b/")
    http.post(f"{board}/lines", json={"line": "HOUSE *"})
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(http.post, [f"{page}/next"] * 2)
        first, second = (answer.headers["location"] for answer in answers)
    assert first == second
    made = http.get(server.url(first.replace("/b/", "/api/v1/boards/"))).json()
    assert (made["history"]["turns"], made["name"]) == ([], "Слова")
    shown = http.get(page).text
    assert "Somebody</b> began the next game" in shown
    assert "Own words" in shown
    sheet = shown.partition('<dialog id="help"')[2].partition("</dialog>")[0]
    assert "/suggest" in sheet
