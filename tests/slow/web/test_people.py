"""People on a board in a real browser: names, plans, undo, what was taken back, links."""

from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, expect

from board_pages import DESK, PHONE, NewPage, check_look, made, rows, run_line, settled, turns
from servers import ServerProcess


def test_a_name_is_asked_for_once_in_place(server: ServerProcess, new_page: NewPage) -> None:
    address = made(server, "2x3")
    page, other = new_page(address), new_page(address, "Bob")
    expect(other.locator("#people")).to_contain_text("1 guest")
    page.fill("#line", "AB")
    page.fill("#arrive input", " Ann ")
    page.press("#arrive input", "Enter")
    expect(page.locator("#arrive")).to_have_count(0)
    expect(page.locator("#line")).to_have_value("AB")
    for one in (page, other):
        expect(one.locator("#people li[title=Ann]")).to_have_count(1)
        expect(one.locator("#people .guests")).to_have_count(0)
    run_line(page, "AB *")
    row = rows(other).first
    expect(row.locator(".by b")).to_have_text("Ann")
    chip = other.locator("#people li[title=Ann] .who").get_attribute("class")
    assert chip != other.locator("#people li[title=Bob] .who").get_attribute("class")
    assert str(chip).split()[1] in str(row.locator(".number").get_attribute("class"))
    page.reload()
    expect(page.locator("#arrive")).to_have_count(0)
    guest = new_page(address)
    guest.get_by_role("button", name="As a guest").click()
    expect(guest.locator("#arrive")).to_have_count(0)
    guest.reload()
    expect(guest.locator("#arrive")).to_have_count(0)
    # A desk has room for it beside the menus. Who writes a row has said who it is.
    for name, viewport, line in (("Cy", PHONE, "AC *"), ("", DESK, "BC *")):
        late = new_page(address, viewport=viewport)
        top = late.locator(".left").evaluate("left => left.getBoundingClientRect().top")
        assert (top > 90) == (viewport is PHONE)
        late.fill("#arrive input", name)
        run_line(late, line)
        expect(late.locator("#arrive")).to_have_count(0)
        expect(late.locator("#people")).to_contain_text(name or "2 guests")
        expect(rows(page)).to_have_count(2 if name else 3)


def test_a_row_that_somebody_took_back_is_restored(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "2x3", "AB *", "AC *")
    ann, bob = new_page(address, "Ann", viewport=PHONE), new_page(address, "Bob")
    news = ann.locator("#news")
    expect(news).to_have_attribute("aria-live", "polite")
    run_line(bob, "BC *")
    expect(news.locator(".added")).to_contain_text("Bob wrote: 3. BC *")
    run_line(bob, "/drop 1")
    expect(rows(ann)).to_have_count(2)
    gone = ann.locator("#gone .taken")
    expect(gone).to_contain_text("Bob took back: 1. AB *")
    expect(bob.locator("#gone")).to_be_empty()
    expect(ann.locator(".rows > li.new")).to_have_count(0)
    # What is told is in nobody's way, and one line, which stays until it is closed.
    for menu in ("Share", "Board"):
        ann.locator("summary", has_text=menu).click(timeout=1_000)
    rows(ann).last.locator("summary.more").click(timeout=1_000)
    drop = rows(ann).last.get_by_role("button", name="Drop")
    expect(drop).to_be_in_viewport(ratio=1)
    drop.click(trial=True, timeout=1_000)
    ann.keyboard.press("Escape")
    gone.get_by_role("button", name="Restore").click()
    expect(rows(bob)).to_have_count(3)
    assert turns(address) == ["AB *", "AC *", "BC *"]
    expect(rows(bob).first).to_contain_text("Cy")
    expect(bob.locator("#news .added")).to_contain_text("Ann brought back: 1.")
    run_line(bob, "AC b")
    expect(news.locator(".added")).to_contain_text("Bob wrote: 2. AC B")
    expect(gone).to_have_count(0)
    run_line(bob, "/drop 1")
    run_line(bob, "CA *")
    expect(news.locator(".added")).to_contain_text("CA")
    expect(gone).to_be_visible()
    gone.get_by_role("button", name="Close").click()
    expect(gone).to_be_hidden()
    # A row of somebody else is changed by mistake, too.
    run_line(ann, "AC w")
    expect(bob.locator("#gone .taken")).to_contain_text("Ann changed: 1. AC B")
    # What is said of a row goes with a newer board; the own answer stays.
    expect(bob.locator("#said")).to_be_empty()
    expect(ann.locator("#said")).to_contain_text("1. AC: was B, now W")


def press(page: Page, keys: str) -> None:
    for key in [*keys, "Enter"]:
        page.keyboard.press(key)


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("", "")], ids=["named", "guests"])
def test_enter_sends_a_begun_row_and_undo_takes_back_ones_own(
    server: ServerProcess, new_page: NewPage, names: tuple[str, str]
) -> None:
    address = made(server, "3x6")
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    ann, bob = new_page(address, names[0]), new_page(address, names[1], **phone)
    press(ann, "ABCb")
    expect(rows(bob)).to_have_count(1)
    press(bob, "ACDw")
    expect(rows(ann)).to_have_count(2)
    # Undo is clicked; Enter then sends what is begun, and does nothing where nothing is.
    ann.get_by_role("button", name="Undo", exact=True).click()
    expect(rows(bob)).to_have_count(1)
    expect(bob.locator("#next .number")).to_have_text("2")
    press(ann, "BCDww")
    expect(rows(bob)).to_have_count(2)
    press(ann, "")
    ann.get_by_role("button", name="Redo").focus()
    press(ann, "CCDw")
    expect(rows(bob)).to_have_count(3)
    for fold in ("Best guesses", "Share", "\N{HORIZONTAL ELLIPSIS}"):
        ann.locator("summary", has_text=fold).last.click()
        ann.keyboard.press("Escape")
        ann.keyboard.press("B")
        expect(ann.locator("#next .spoken")).to_have_text("B")
        ann.keyboard.press("Escape")
        press(ann, "")
    # On a phone a tap leaves the empty line, and the keys come back.
    bob.focus("#line")
    rows(bob).last.locator("summary.more").tap()
    expect(rows(bob).last.get_by_role("button", name="Drop")).to_be_visible()
    bob.keyboard.press("Escape")
    assert turns(address) == ["ACD W", "BCD WW", "CCD W"]
    # A step is undone once somebody has changed its row since by the row's menu alone.
    press(bob, "/edit 3 b")
    expect(rows(ann).last).to_contain_text("1 black")
    ann.get_by_role("button", name="Undo", exact=True).click()
    name = names[1] or "somebody"
    expect(ann.locator("#said")).to_contain_text(f"{name} has changed CCD W since")
    rows(ann).last.locator("summary.more").click()
    ann.get_by_role(
        "button", name=f"Undo {names[1] or 'a guest'}\N{RIGHT SINGLE QUOTATION MARK}s step"
    ).click()
    expect(rows(bob).last).to_contain_text("1 white")
    ann.get_by_role("button", name="Undo", exact=True).click()
    expect(rows(bob).last).to_contain_text("1 black")
    assert turns(address) == ["ACD W", "BCD WW", "CCD B"]


def test_a_link_that_looks_shows_all_and_offers_nothing(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "2x3", "AB *")
    page = new_page(address, "Ann")
    page.locator("summary", has_text="Share").click()
    expect(page.locator(".share-sheet .error")).to_contain_text(
        "Only this computer can open this link"
    )
    page.get_by_text("A link that only looks").click()
    looking = new_page(page.locator("#view").inner_text(), "Eve", viewport=PHONE)
    assert urlsplit(address).path not in looking.content()
    settled(looking)
    for hidden in (".dock", ".rows > li > .menu"):
        for one in looking.locator(hidden).all():
            expect(one).to_be_hidden()
    for one in looking.locator("#answers button:not(.close)").all():
        expect(one).to_be_disabled()
    run_line(page, "AC *")
    expect(rows(looking)).to_have_count(2)
    expect(page.locator("#people")).to_contain_text("1 guest")
    looking.locator("summary", has_text="Board").click()
    assert looking.locator("form:visible").count() == 0


def test_a_board_is_renamed_archived_and_opened_by_its_menu(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "2x3", "AB *")
    page, other = new_page(address, "Ann"), new_page(address, "Bob")
    page.locator("summary", has_text="Board").click()
    page.fill("#title", "Вторник")
    page.get_by_role("button", name="Rename").click()
    expect(other.locator("#board-name")).to_have_text("Вторник")
    page.locator("summary", has_text="Board").click()
    page.get_by_role("button", name="Archive").click()
    page.locator("summary", has_text="Board").click()
    expect(page.get_by_role("button", name="Archive")).to_be_hidden()
    expect(page.get_by_role("button", name="Delete it")).to_be_hidden()
    page.locator("summary", has_text="Delete").click()
    page.get_by_role("button", name="Delete it").click()
    expect(other.locator("#status")).to_contain_text("Ann deleted this board")
    run_line(other, "AC *")
    expect(other.locator("#said")).to_contain_text("this board is deleted")
    expect(other.locator("#line")).to_have_value("AC *")
    other.get_by_role("button", name="Take it back").click()
    expect(other.locator("#status")).to_contain_text("Bob archived this board")
    other.get_by_role("button", name="Open it again").click()
    expect(other.locator("#status")).to_be_hidden()
    run_line(other, "AC *")
    expect(rows(page)).to_have_count(2)


# The home page.


def test_a_board_is_among_those_of_the_device(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(server.url("/"))
    expect(page.locator("#known")).to_be_hidden()
    page.locator("button[value=mastermind]").click()
    page.wait_for_url("**/b/*")
    address = page.url
    page.goto(server.url("/"))
    link = page.locator("#known a")
    expect(link).to_have_count(1)
    link.click()
    page.wait_for_url("**/b/*")
    assert page.url.partition("?")[0] == address.partition("?")[0]
    page.goto(server.url("/"))
    page.get_by_title("Forget").click()
    expect(page.locator("#known")).to_be_hidden()


def test_a_sheet_of_words_becomes_a_game(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(server.url("/"))
    sheet = {"name": "words.csv", "mimeType": "text/csv", "buffer": b"HORSE\nHOUSE\nMOUSE\n"}
    page.fill("#game", "filter")
    page.get_by_text("A game of your own").click()
    page.set_input_files("#file", sheet)
    expect(page.locator("#text")).to_have_value("HORSE\nHOUSE\nMOUSE\n")
    page.get_by_role("button", name="Open the board of your own").click()
    page.wait_for_url("**/b/*")
    run_line(page, "HORSE *")
    expect(rows(page)).to_have_count(1)


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "desk"])
def test_pages_of_people_are_open_to_all(
    server: ServerProcess, new_page: NewPage, size: dict[str, int]
) -> None:
    address = made(server, "2x3", "AB *")
    view = httpx.get(address.replace("/b/", "/api/v1/boards/"), timeout=30).json()["view"]
    page = new_page(server.url("/"), viewport=size)
    for link in (address, view, server.url("/b/nothing")):
        page.goto(link)
        check_look(page, link)
    page.goto(server.url("/"))
    expect(page.locator("#known")).to_be_visible()
    page.get_by_label("All games").check()
    check_look(page, "all games")
    page.get_by_text("A game of your own").click()
    page.fill("#text", "secret: {symbols: ABC, lenght: 2}")
    page.get_by_role("button", name="Open the board of your own").click()
    expect(page.locator("#error")).to_contain_text("did you mean length")
    check_look(page, "home, with boards and an error")
    page.goto(address)
    run_line(page, "/help all")
    expect(page.locator("#said")).to_contain_text("/suggest")
    for menu in ("Share", "Board"):
        page.locator("summary", has_text=menu).click()
        check_look(page, menu)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Help").click()
    page.get_by_text("All commands").click()
    check_look(page, "help")
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    run_line(page, "AC *")
    expect(page.locator("#waiting li")).to_have_count(1)
    check_look(page, "offline")
    page.context.set_offline(False)
    expect(rows(page)).to_have_count(2)
    page.locator("summary", has_text="Board").click()
    page.get_by_role("button", name="Archive").click()
    expect(page.locator("#status")).to_contain_text("Somebody archived this board")
    check_look(page, "archived")
