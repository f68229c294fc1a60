"""Boards in a real browser: two people, a paste, a mend by tapping, offline."""

import json

import httpx
import pytest
from playwright.sync_api import Route, expect

from board_pages import PHONE, NewPage, made, rows, run_line, settled, turns
from servers import ServerProcess

CONFLICT = ["RGBY BW", "RGBO BBB", "PPPP BB"]


def test_a_row_typed_by_one_is_seen_by_the_other_who_goes_on_typing(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "2x3")
    ann, bob = new_page(address, "Ann"), new_page(address, "Bob")
    expect(ann.locator("#people")).to_contain_text("Bob")
    bob.focus("#line")
    bob.keyboard.type("AC ")
    run_line(ann, "AB B_")
    expect(ann.locator("#said")).to_contain_text("1. AB")
    expect(rows(bob)).to_have_count(1)
    expect(rows(bob).first).to_contain_text("Ann")
    expect(bob.locator("#line")).to_be_focused()
    bob.keyboard.type("*")
    bob.keyboard.press("Enter")
    expect(rows(ann)).to_have_count(2)
    expect(rows(ann).last).to_contain_text("Bob")
    expect(ann.locator("#said")).to_be_empty()
    expect(ann.locator("#count")).to_contain_text("left")
    # A mark is tapped to be changed, a guess to stand, a clue alone answers it.
    rows(bob).first.locator(".tile.unread").click()
    bob.locator("#choices [data-mark='.']").click()
    expect(rows(ann).first).to_contain_text("1 black, 0 white")
    settled(ann)
    guess = ann.locator("#suggestions td button").first
    name = guess.inner_text()
    guess.click()
    expect(ann.locator("#next .spoken")).to_have_text(name)
    ann.keyboard.press("Enter")
    expect(rows(bob)).to_have_count(3)
    expect(ann.locator("#next .number")).to_have_text("4")
    assert turns(address) == ["AB B", "AC *", f"{name} *"]
    # A row is edited and dropped by its menu.
    rows(ann).nth(1).locator("summary.more").click()
    rows(ann).nth(1).get_by_role("button", name="Edit").click()
    expect(ann.locator("#next .prompt")).to_contain_text("Row 2, by Bob")
    rows(bob).nth(2).locator("summary.more").click()
    rows(bob).nth(2).get_by_role("button", name="Drop").click()
    expect(rows(ann)).to_have_count(2)
    expect(ann.locator("#next .spoken")).to_have_text("AC")


def test_nothing_that_others_write_is_obeyed(server: ServerProcess, new_page: NewPage) -> None:
    hostile = '"><img src=x onerror=document.title=1>'
    board = server.make(file=f"title: '{hostile}'\nsecret: {{symbols: [<b>, c, d], length: 2}}\n")
    body = {"rows": [f"<b>-c * # {hostile}"], "by": hostile}
    assert httpx.post(f"{board}/rows", json=body, timeout=30).status_code == 200
    page = new_page(board.replace("/api/v1/boards/", "/b/"), hostile[:28])
    run_line(page, f"<b>-d * # {hostile}")
    expect(rows(page)).to_have_count(2)
    expect(page.locator("#people")).to_contain_text("<img")
    for row in (rows(page).first, rows(page).last, page.locator("h1")):
        expect(row).to_contain_text("<img src=x")
    assert page.locator("img:not(.qr, .top *)").count() == 0
    assert "<img" in page.title()


def test_what_was_read_of_a_paste_is_recorded_by_a_tap_or_the_rest_is_mended(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "4x6")
    page = new_page(address)
    run_line(page, "AABB B\nCCDX W\nEEFF BB")
    expect(page.locator("#said s")).to_have_text(["CCDX W"])
    expect(page.locator("#line")).to_have_value("AABB B\nCCDX W\nEEFF BB")
    assert turns(address) == []
    page.get_by_role("button", name="Record the 2").click()
    expect(rows(page)).to_have_count(2)
    expect(page.locator("#line")).to_have_value("")
    run_line(page, "AABB B\nCCDD W\nEEFF BB")
    expect(rows(page)).to_have_count(3)
    expect(page.locator("#line")).to_have_value("")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Redo").click()
    expect(rows(page)).to_have_count(3)


def test_the_newest_of_many_rows_are_in_sight(server: ServerProcess, new_page: NewPage) -> None:
    many = [f"{first}{second} *" for first in "ABCDEF" for second in "ABCDEF"]
    address = made(server, "2x6", *many[:30])
    page = new_page(address, viewport=PHONE)
    expect(rows(page).nth(29)).to_be_in_viewport()
    run_line(page, many[30])
    expect(rows(page).nth(30)).to_be_in_viewport()
    # Who looks at an old row is left there when others write.
    rows(page).nth(3).scroll_into_view_if_needed()
    other = new_page(address)
    run_line(other, many[31])
    expect(rows(page)).to_have_count(32)
    expect(rows(page).nth(3)).to_be_in_viewport()
    expect(rows(page).nth(31)).not_to_be_in_viewport()
    # One's own row is in sight, and the newest one after rows that go and come.
    run_line(page, many[32])
    expect(rows(page).nth(32)).to_be_in_viewport()
    for _ in range(3):
        run_line(other, "/drop 30")
        run_line(page, "/undo")
        run_line(page, many[32])
        run_line(other, "/undo")
        expect(rows(page)).to_have_count(33)
        expect(rows(page).nth(32)).to_be_in_viewport()
    run_line(other, "/fact no F")
    expect(rows(page)).to_have_count(34)
    expect(page.locator("#next .number")).to_have_text("34")


def test_a_contradiction_is_mended_by_tapping(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(made(server, "mastermind", *CONFLICT))
    expect(page.locator("#trouble")).to_contain_text("cannot both be right")
    expect(page.locator(".rows > li.conflict")).to_have_count(2)
    expect(rows(page).nth(1)).to_contain_text("cannot be right with row 3")
    expect(page.locator(".rows > li.new")).to_have_count(0)
    page.locator("#trouble button.main").click()
    expect(page.locator(".rows > li.conflict")).to_have_count(0)
    expect(page.locator("#trouble")).to_be_empty()
    expect(page.locator("#trouble-title")).to_be_hidden()
    expect(page.locator("#count")).to_contain_text("left")
    code = page.locator("#candidates button").first
    code.click()
    expect(page.locator("#next .spoken")).to_have_text(str(code.get_attribute("value")))
    page.keyboard.press("Escape")
    # A row is tapped, its clue after its guess.
    for key in ["R red", "G green", "B blue", "Y yellow", *["B black"] * 2, "W white", "delete"]:
        page.locator("#keyboard").get_by_role("button", name=key, exact=True).click()
    expect(page.locator("#next .spoken")).to_have_text("RGBY")
    expect(page.locator("#next .clue")).to_have_text("BB")


def test_one_sentence_comes_first_and_its_guess_is_tapped(
    server: ServerProcess, new_page: NewPage
) -> None:
    page = new_page(made(server, "heart-2018"))
    sentence = page.locator("#sentence")
    expect(sentence).to_contain_text("try HEART", timeout=20_000)
    settled(page)
    expect(page.locator("#suggestions")).to_contain_text("23 %")
    expect(page.locator(".rows > li.suspect")).to_have_count(0)
    sentence.get_by_role("button", name="HEART").click()
    expect(page.locator("#next .spoken")).to_have_text("HEART")


def test_lines_typed_offline_are_kept_and_sent_once(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "2x3")
    page, other = new_page(address, "Ann"), new_page(address, "Bob")
    expect(page.locator("#people")).to_contain_text("Bob")
    for is_offline in (True, False, True):
        page.context.set_offline(is_offline)
        expect(page.locator("#offline")).to_have_text("offline, reconnecting" * is_offline)
    run_line(page, "AB *")
    run_line(page, "AC *")
    expect(page.locator("#waiting li")).to_contain_text(["AB *", "AC *"])
    expect(page.locator("#missing .link")).to_have_text(address)
    page.fill("#line", "BC")
    run_line(other, "CA *")
    expect(rows(other)).to_have_count(1)
    assert turns(address) == ["CA *"]
    page.context.set_offline(False)
    expect(rows(page)).to_have_count(3)
    expect(page.locator("#offline")).to_be_empty()
    expect(page.locator("#waiting li")).to_have_count(0)
    expect(page.locator("#line")).to_have_value("BC")
    assert turns(address) == ["CA *", "AB *", "AC *"]


def test_a_line_whose_answer_is_lost_is_made_once(server: ServerProcess, new_page: NewPage) -> None:
    address = made(server, "2x3")
    page, lost = new_page(address), []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    page.route("**/lines", lose)
    run_line(page, "/fact no C")
    expect(page.locator("#said")).to_contain_text("already been made")
    assert lost == [200]
    facts = httpx.get(address.replace("/b/", "/api/v1/boards/"), timeout=30).json()["facts"]
    assert facts == ["no C"]


@pytest.mark.parametrize("how", ["reload", "saving a name"])
def test_what_is_typed_outlasts_the_page(
    server: ServerProcess, new_page: NewPage, how: str
) -> None:
    address, port = made(server, "2x3"), server.port
    page = new_page(address, "Ann")
    other = page.context.new_page()
    other.goto(address)
    other.fill("#line", "BB")
    run_line(page, "CC")
    expect(rows(page)).to_have_count(1)
    server.kill()
    lines = ["AB *", "/fact no C"]
    for line in lines:
        run_line(page, line)
    expect(page.locator("#waiting li")).to_have_count(2)
    page.fill("#line", "AC b")
    if how == "saving a name":
        # Lines wait, and the name is saved before they are sent.
        page.locator("summary", has_text="Board").click()
        page.fill("#nickname", "Bea")
        page.context.route("**/lines", _lose_posts)
        server.start(port)
        page.click("text=Save")
        page.wait_for_load_state()
        page.context.unroute_all()
    else:
        server.start(port)
        page.reload()
    expect(page.locator("#line")).to_have_value("AC b")
    expect(rows(page)).to_have_count(3)
    expect(page.locator("#offline")).to_be_empty()
    assert turns(address) == ["CC *", *lines]
    expect(other.locator("#line")).to_have_value("BB")
    page.press("#line", "Enter")
    expect(rows(page)).to_have_count(4)
    assert turns(address)[-1] == "AC B"
    page.reload()
    expect(page.locator("#line")).to_have_value("")
    expect(rows(page).last).to_contain_text("Bea" if how == "saving a name" else "Ann")


def _lose_posts(route: Route) -> None:
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def test_without_scripts_a_board_says_that_it_needs_them(
    server: ServerProcess, new_page: NewPage
) -> None:
    page = new_page(made(server, "2x3"), java_script_enabled=False)
    expect(page.locator("noscript p")).to_contain_text("needs scripts")


def test_a_game_is_found_by_a_part_of_its_name(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(server.url("/"))
    page.fill("#game", "drawbridge")
    expect(page.locator("#games button:visible")).to_have_count(1)
    page.fill("#game", "no such game")
    expect(page.locator("#no-game")).to_be_visible()
    page.press("#game", "Enter")
    expect(page.locator("#error")).to_contain_text("no such game")
    expect(page.locator("#game")).to_have_value("no such game")
    page.fill("#game", "2x3")
    page.press("#game", "Enter")
    expect(page.locator("h1")).to_have_text("2x3")


def test_a_small_table_leaves_room_for_the_line(server: ServerProcess, new_page: NewPage) -> None:
    table = [{"name": f"Player {n}", "club": f"Club {n % 5}", "age": str(n)} for n in range(40)]
    columns = {"club": "equal", "age": "order"}
    game = {"secret": {"table": table}, "rule": {"name": "columns", "columns": columns}}
    address = server.make(file=json.dumps(game)).replace("/api/v1/boards/", "/b/")
    page = new_page(address, "Ann", viewport=PHONE)
    settled(page)
    guess = page.locator("#sentence button")
    name = guess.text_content()
    guess.click()
    expect(page.get_by_label("guess", exact=True)).to_have_value(str(name))
    expect(page.get_by_label("club", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1)
    for place in (page.locator("#line"), page.locator("#sentence")):
        expect(place).to_be_in_viewport(ratio=1)
    run_line(page, ". _")
    expect(rows(page).last).not_to_contain_text("nothing read")
    assert turns(address) == [f"{name} . _"]


def test_columns_are_tiles_under_their_titles_and_fit_a_phone(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "capitals")
    page = new_page(address, viewport=PHONE)
    names = ["guess", "place", "continent", "population", "area"]
    for name, text in zip(names, ["Vienna", "1500kmNE", "=", ">", ""], strict=True):
        page.get_by_label(name, exact=True).fill(text)
    page.get_by_label("area", exact=True).press("Enter")
    expect(page.get_by_label("guess", exact=True)).to_be_focused()
    # What is refused can be mended in its fields.
    page.keyboard.type("Atlantis")
    page.keyboard.press("Enter")
    expect(page.get_by_label("guess", exact=True)).to_have_value("Atlantis")
    page.keyboard.press("Escape")
    row = rows(page).first
    expect(row.locator(".column")).to_have_count(4)
    expect(row.locator(".column .title")).to_have_text(["place", "continent", "population", "area"])
    expect(row.locator(".column").nth(1)).to_contain_text("Europe")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    row.locator(".column").last.click()
    page.keyboard.type(">")
    page.keyboard.press("Enter")
    expect(row).to_contain_text("area higher")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
