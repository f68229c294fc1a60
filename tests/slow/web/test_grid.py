"""The grid of a board's page in a real browser: typed, tapped, by keyboard alone; its sizes."""

import re
from itertools import combinations
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from board_pages import DESK, PHONE, NewPage, check_look, made, rows, run_line, settled, turns
from cases import cases
from servers import ServerProcess

SMALL = {"width": 320, "height": 640}
TOUCH = {"has_touch": True, "is_mobile": True}
MANY = [f"{first}{second} *" for first in "ABCDEF" for second in "ABCDEF"][:27]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def sizes(page: Page, selector: str) -> list[dict[str, float]]:
    """Return the sizes of all visible elements at one moment, in CSS pixels."""
    found: list[dict[str, float]] = page.evaluate(
        "css => [...document.querySelectorAll(css)].map(one => one.getBoundingClientRect())"
        ".map(({width, height, top, left}) => ({width, height, top, left})).filter(b => b.width)",
        selector,
    )
    assert found, selector
    return found


@pytest.mark.parametrize(("game", "keys", "turn"), cases("rows typed on a board's page"))
def test_a_row_is_typed_without_a_field(
    server: ServerProcess, new_page: NewPage, game: str, keys: str, turn: str
) -> None:
    address = made(server, game)
    page = new_page(address, "Ann")
    press(page, *keys.replace(" ", "  ").split(" ")[0])
    if " " in keys:
        press(page, "Space", *keys.split()[1])
    press(page, "Enter")
    expect(rows(page)).to_have_count(1)
    assert turns(address)[0].split()[0] == turn.split()[0]
    wanted = httpx.post(server.url("/api/v1/boards"), json={"game": game, "rows": turn}, timeout=30)
    if wanted.status_code == 201:
        twin = server.url(f"/b/{wanted.json()['board']}")
        assert turns(twin) == turns(address)
    expect(page.locator("#next .spoken").first).to_be_empty()


@pytest.mark.parametrize("case", cases("typed and tapped on a board's page"))
def test_what_is_typed_and_tapped_is_there(
    server: ServerProcess, new_page: NewPage, case: tuple[str, ...]
) -> None:
    """Press keys, `<Enter>`, and tap what `[selectors]` find; seen are selectors with a text."""
    game, given, steps, seen = case
    page = new_page(made(server, game, *filter(None, given.split("; "))), "Ann", viewport=PHONE)
    settled(page)
    for step in steps.split():
        if step[0] == "[":
            page.locator(step[1:-1].replace("_", " ")).first.click()
        else:
            press(page, *[step[1:-1]] if step[1:] and step[0] == "<" else step)
    for one in seen.split("; "):
        css, *told = re.split(" ([~=]) ?", one, maxsplit=1)
        found = expect(page.locator(css).first)
        if told:
            check = found.to_contain_text if told[0] == "~" else found.to_have_text
            check(told[1])
        else:
            found.to_be_visible()


@pytest.mark.parametrize("keys", ["GY... .Y... ....Y", "GY....Y.......Y", "G .Y... ....Y"])
def test_marks_of_several_boards_are_typed_past_those_that_are_solved(
    server: ServerProcess, new_page: NewPage, keys: str
) -> None:
    address = made(server, "quordle", "CRANE GY... won ..Y.. ....G")
    page = new_page(address, "Ann")
    press(page, *"SLOTH", *keys, "Enter")
    expect(rows(page)).to_have_count(2)
    first = "GY..." if keys[1] == "Y" else "G____"
    assert turns(address)[1] == f"SLOTH {first} * .Y... ....Y"


def test_the_next_row_of_eight_boards_is_in_sight_while_a_name_is_asked_for(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "octordle", f"CRANE won {'..... ' * 7}")
    page = new_page(address, viewport=PHONE, **TOUCH)
    settled(page)
    expect(page.locator("#arrive")).to_be_visible()
    # A phone shows the board whose marks are typed.
    for keys, board in (("", 2), ("SLOTHGGGGG", 3)):
        press(page, *keys)
        expect(page.locator("#next .lane:visible")).to_have_attribute("title", f"board {board}")
        expect(page.locator("#next .lane:visible")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("game", "boards", "size", "in_sight"),
    [("quordle", 4, DESK, 6), ("quordle", 4, PHONE, 4), ("octordle", 8, PHONE, 4)],
)
def test_all_boards_are_in_sight_while_marks_are_entered(
    server: ServerProcess, new_page: NewPage, game: str, boards: int, size: Any, in_sight: int
) -> None:
    words = ("CRANE", "SLOTH", "BUMPY", "FUDGE", "VOWEL", "KAYAK")
    page = new_page(made(server, game, *(f"{word} {'.____ ' * boards}" for word in words)), "Ann")
    page.set_viewport_size(size)
    settled(page)
    press(page, *"LIMBOG")
    lanes = page.locator("#next .lane:visible")
    expect(lanes).to_have_count(4 if size is DESK else 1)
    for lane in lanes.all():
        expect(lane).to_be_in_viewport(ratio=1)
    for row in rows(page).all()[-in_sight:]:
        for lane in row.locator(".lane").all():
            expect(lane).to_be_in_viewport(ratio=1)
    # Of an odd number of rows, too, each board is a grid.
    run_line(page, f"BROWN {'.____ ' * boards}")
    expect(rows(page)).to_have_count(7)
    for n in range(1, boards + 1):
        assert len({box["left"] for box in sizes(page, f".rows .b{n}")}) == 1
    # Where not all have room, the one that is marked is in sight.
    page.set_viewport_size({"width": 844, "height": 390})
    page.locator("#board-name").click()
    press(page, *".....")
    for n in range(2, boards + 1):
        expect(rows(page).last.locator(f".b{n}")).to_be_in_viewport(ratio=1)
        press(page, *".....")


def test_pegs_of_a_row_stay_in_place_while_it_is_corrected(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "cryptic", "HOUSE R____", "WORST BW___")
    page = new_page(address, "Ann", viewport=PHONE, **TOUCH)
    pegs = rows(page).nth(1).locator(".clue .tile")

    def shown() -> str:
        """Return the marks from left to right."""
        tiles = pegs.evaluate_all("all => all.map(t => [t.getBoundingClientRect().x, t.innerText])")
        return "".join(text for _, text in sorted(tiles))

    for text, mark, seen in (("B", "R", "RW___"), ("W", "B", "RB___"), ("R", "W", "WB___")):
        pegs.get_by_text(text, exact=True).tap()
        page.locator(f"#choices [data-mark={mark}]").tap()
        expect(pegs.get_by_text(mark, exact=True)).to_have_count(1)
        assert shown() == seen
    assert turns(address)[1] == "WORST BW___"
    page.locator("#board-name").tap()
    assert shown() == "BW___"


def test_a_phone_has_a_keyboard_of_the_game_for_a_thumb(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "wordle", "RAISE ..Y..")
    page = new_page(address, "Ann", viewport=SMALL, **TOUCH)
    settled(page)
    keys = page.locator("#keyboard")
    for key in sizes(page, "#keyboard button"):
        assert key["width"] >= 27
        assert key["height"] >= 44
    enter = keys.get_by_role("button", name="Enter").bounding_box()
    assert enter is not None
    assert enter["y"] > SMALL["height"] * 2 / 3
    expect(keys.locator("[data-symbol=I]")).to_have_attribute("data-known", "elsewhere")
    expect(keys.locator("[data-symbol=S]")).to_have_attribute("data-known", "absent")
    for letter in "CLINT":
        keys.get_by_role("button", name=letter, exact=True).tap()
    # A tap on a tile leads on through the marks, to unread and to nothing.
    tile = page.locator("#next button").first
    seen = []
    for _ in range(5):
        tile.tap()
        seen.append(str(tile.get_attribute("aria-label")).rpartition(": ")[2])
    assert seen == ["right", "elsewhere", "absent", "unread", "unread"]
    for mark in (".", ".", "Y", ".", "Y"):
        keys.locator(f"[data-mark='{mark}']").tap()
    keys.get_by_role("button", name="delete").tap()
    keys.locator("[data-mark=Y]").tap()
    keys.get_by_role("button", name="Enter").tap()
    expect(rows(page)).to_have_count(2)
    assert turns(address)[1] == "CLINT ..Y.Y"


def test_a_suggestion_fills_the_guess_and_its_clue_has_the_keyboard(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "mastermind", "RGBY BW")
    page, other = new_page(address, "Ann"), new_page(address, "Bob")
    settled(page)
    guess = page.locator("#suggestions td button").first
    code = str(guess.get_attribute("value"))
    guess.click()
    expect(page.locator("#next .spoken")).to_have_text(code)
    expect(page.locator("#next .clue button").first).to_be_focused()
    expect(page.locator("#said")).to_contain_text(code)  # what it would leave
    # Others see it while it is typed.
    expect(other.locator("#typing .tile")).to_have_text([*code])
    expect(other.locator("#typing li")).to_have_attribute("title", "Ann")
    press(page, "w", "b")
    expect(other.locator("#typing .tile")).to_have_text([*code, "W", "B"])
    # What is typed stays while others play, and after a reload.
    httpx.post(f"{address.replace('/b/', '/api/v1/boards/')}/rows", json={"rows": ["GGGG *"]})
    expect(rows(page)).to_have_count(2)
    expect(page.locator("#next .number")).to_have_text("3")
    expect(page.locator("#next .clue button").nth(2)).to_be_focused()
    page.reload()
    expect(page.locator("#next .spoken")).to_have_text(code)
    expect(page.locator("#next .clue")).to_have_text("WB")
    press(page, "Enter")
    expect(rows(other)).to_have_count(3)
    assert turns(address)[2].startswith(code)
    # A guess alone is a row that waits for its marks, which anybody may give.
    press(page, *"RRRR", "Enter")
    rows(page).nth(3).locator(".line").click()
    press(page, "Backspace", "G", "b", "Enter")
    expect(rows(other).last).to_contain_text("1 black")
    assert turns(address)[3:] == ["RRRG B"]
    press(page, *"RRRR", "Enter")
    rows(other).nth(4).locator(".line").click()
    press(other, "w", "Enter")
    expect(rows(page).last).to_contain_text("1 white")
    # A row is edited where it is by now.
    rows(page).last.locator(".line").click()
    run_line(other, "/drop 1")
    expect(rows(page)).to_have_count(4)
    press(page, "Backspace", "b", "Enter")
    expect(rows(page).last).to_contain_text("1 black")
    assert turns(address)[2:] == ["RRRG B", "RRRR B"]
    # What was refused, as somebody changed the row meanwhile, is sent by Enter again.
    rows(page).last.locator(".line").click()
    run_line(other, "/edit 4 bb")
    expect(rows(page).last).to_contain_text("2 black")
    press(page, "Backspace", "w", "Enter")
    expect(page.locator("#said")).to_contain_text("look, and do it again")
    press(page, "Enter")
    expect(rows(page).last).to_contain_text("1 white")


def test_the_line_is_for_pastes_and_commands(server: ServerProcess, new_page: NewPage) -> None:
    address = made(server, "2x3")
    page = new_page(address, "Ann")
    press(page, "/")
    expect(page.locator("#line")).to_be_focused()
    page.keyboard.type("fact no C")
    press(page, "Enter")
    expect(page.locator("#said")).to_contain_text("no C")
    page.locator("#board-name").click()
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text/plain", "AB b\\nBA w");
          const event = new ClipboardEvent("paste", {clipboardData: data, bubbles: true});
          document.body.dispatchEvent(event);
        }"""
    )
    expect(page.locator("#line")).to_have_value("AB b\nBA w")
    expect(page.locator("#line")).to_be_focused()
    assert turns(address) == []


def test_the_keyboard_alone_leads_through_a_page_of_27_rows(
    server: ServerProcess, new_page: NewPage
) -> None:
    page = new_page(made(server, "2x6", *MANY), "Ann", viewport=DESK)
    settled(page)
    press(page, "Tab")
    expect(page.locator(".skip")).to_be_focused()
    press(page, *["Tab"] * 30)
    expect(page.locator("#next")).to_be_focused()
    press(page, *"AF")
    expect(page.locator("#next .spoken")).to_have_text("AF")
    press(page, "Escape")
    page.locator(".skip").focus()
    press(page, "Enter")
    press(page, "Tab")
    assert page.evaluate("document.querySelector('.dock').contains(document.activeElement)")
    # Each row has one stop.
    stops = page.locator(".rows :is(summary, button):not([tabindex='-1'], .choices *)")
    expect(stops).to_have_count(27)


def test_marks_of_a_row_are_edited_on_tiles(server: ServerProcess, new_page: NewPage) -> None:
    address = made(server, "16x6", "AABBCCDDEEFFAABB BBBBWWWWWWW # by Cy")
    page = new_page(address, "Ann", viewport=PHONE, **TOUCH)
    expect(rows(page).locator(".clue .tile")).to_have_text(["4", "7"])
    press(page, *"ABC")
    rows(page).locator(".clue .tile").nth(1).tap()
    expect(page.locator("#choices")).to_be_visible()
    assert all(size["height"] >= 44 for size in sizes(page, "#choices button"))
    tapped, choices = sizes(page, ".rows .clue .tile")[1], sizes(page, "#choices")[0]
    assert 0 <= choices["top"] - tapped["top"] < 60
    assert choices["left"] <= tapped["left"] < choices["left"] + choices["width"]
    page.locator("#choices [data-mark='12']").tap()
    expect(rows(page).first).to_contain_text("4 black, 12 white")
    assert turns(address) == [f"AABBCCDDEEFFAABB BBBB{12 * 'W'} # by Cy"]
    # What was begun on the tiles is still there; a number of two digits is typed, a space ends it.
    expect(page.locator("#next .spoken")).to_have_text("ABC")
    press(page, *"DEFABCDEFABCD", *"1 12", "Enter")
    expect(rows(page)).to_have_count(2)
    assert turns(address)[1] == f"ABCDEFABCDEFABCD B{12 * 'W'}"


def test_a_contradiction_on_one_of_several_boards_is_mended_by_a_tap(
    server: ServerProcess, new_page: NewPage
) -> None:
    wrong = ["CRANE GG... .....", "CRIMP .GG.. .....", "CROWD GG... ....."]
    page = new_page(made(server, "dordle", *wrong), viewport=PHONE, **TOUCH)
    expect(page.locator(".rows .trouble").first).to_be_visible()
    page.get_by_role("button", name="Mend").tap()
    expect(page.locator("#trouble")).to_contain_text("on board 1")
    expect(page.locator(".lane.wrong")).to_have_count(2)
    expect(page.locator(".b2.wrong")).to_have_count(0)
    page.locator("#trouble button.main", has_text="board 1: ").tap()
    expect(page.locator(".rows .trouble")).to_have_count(0)
    expect(page.locator("#trouble")).to_be_empty()


def test_help_is_a_sheet_of_examples(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(made(server, "nethack"), "Ann")
    sheet = page.locator("#help")
    cross = sheet.get_by_role("button", name="Close")
    for close in (lambda: press(page, "Escape"), cross.click):
        page.get_by_role("button", name="Help").click()
        expect(sheet).to_be_visible()
        expect(sheet).to_contain_text("G gear, T tumbler")
        press(page, "A")
        close()
        expect(sheet).to_be_hidden()
    expect(page.locator("#next .spoken")).to_be_empty()


def test_a_solved_board_leads_all_to_the_next_game(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = made(server, "wordle", "RAISE ..Y..", "WIDTH won")
    page, other = new_page(address, "Ann"), new_page(address, "Bob")
    for one in (page, other):
        expect(one.locator("#end")).to_contain_text("Skill")
    expect(page.locator("#keyboard")).to_be_hidden()
    page.get_by_role("button", name="Next game").click()
    expect(rows(page)).to_have_count(0)
    assert page.url != address
    expect(page.locator("h1")).to_have_text("Wordle")
    expect(other.locator("#next-game")).to_have_text("Ann began the next game.")
    other.get_by_role("button", name="Next game").click()
    other.wait_for_url(page.url)


def looks(server: ServerProcess) -> list[tuple[str, str]]:
    """Return pages that look different, each with the keys of a row that is begun there."""
    colours = "secret: {symbols: [red, green, blue, yellow, pink, brown], length: 4}\nrule: pegs"
    own = server.make(file=colours, rows="red-red-green-blue BW").replace("/api/v1/boards/", "/b/")
    return [
        (made(server, "cryptic", "HOUSE RR___ ?", "WORST _R___ # the last page"), "HORSEBW"),
        (made(server, "mastermind", "RGBY BW", "RGBO BBB", "PPPP BB"), "RGBYB"),
        (made(server, "quordle", "CRANE G_Y.. ..... ..... YYYYY"), "SLOTHG"),
        (made(server, "nethack", "ABCDE 1G2T"), "ABC1"),
        (made(server, "octordle", f"CRANE {'G_Y.. ' * 8}"), ""),
        (made(server, "32x10", f"{'ABCDEFGHIJ' * 3}AB B_W"), "AABB"),
        (made(server, "wordle", "RAISE ..Y..", "WIDTH won"), ""),
        (made(server, "capitals", "Vienna 1500kmNE = > _"), ""),
        (own, ""),
    ]


@pytest.mark.parametrize("width", [320, 640, 1280])
def test_pages_fit_and_axe_finds_nothing(
    server: ServerProcess, new_page: NewPage, width: int
) -> None:
    size: dict[str, Any] = {"width": width, "height": 400 if width == 640 else 844}
    options: dict[str, Any] = TOUCH if width < 640 else {}
    page = new_page(server.url("/"), "Ann", viewport=size, **options)
    for address, keys in looks(server):
        page.goto(address)
        if "32x10" in address:
            expect(page.locator("#sentence button")).to_be_visible(timeout=20_000)
        else:
            settled(page)
        press(page, *keys)
        page.locator(".rows summary.more").last.click()
        check_look(page, address)


def test_rows_and_targets_have_their_sizes(server: ServerProcess, new_page: NewPage) -> None:
    for game, row in (
        ("cryptic", "HORSE B_WR_"), ("wordle", "CRANE _.Y.G"), ("nerdle", "12+35=47 ..YYY..G"),
        ("8x4", "AABBCCDD BBW_____"),
    ):  # fmt: skip
        page = new_page(made(server, game, row), "Ann", viewport=PHONE, **TOUCH)
        expect(rows(page)).to_have_count(1)
        assert max(size["height"] for size in sizes(page, ".rows > li")) <= 64, game
        targets = (
            ".rows summary, .rows button.line, #next button, #keyboard button, .tools button, #line"
        )
        small = [size for size in sizes(page, targets) if size["height"] < 44]
        assert not small, game
    page = new_page(made(server, "heart-2018"), "Ann", viewport=DESK)
    assert {36 <= size["width"] <= 40 for size in sizes(page, ".rows .guess .tile")} == {True}
    # Nothing but the answers and the rows scrolls.
    assert page.evaluate("document.documentElement.scrollHeight") <= DESK["height"]
    # Boards and what is said of rows have places of their own; answers are beside them on a tablet.
    for game, count in (("quordle", 4), ("octordle", 8)):
        address = made(server, game, f"CRANE {'..... ' * count}", f"SLOTH {'..... ' * count}")
        page = new_page(address, "Ann")
        for width in (360, 390, 820, 1180, 1440):
            page.set_viewport_size({"width": width, "height": 844})
            boards = len({box["left"] for box in sizes(page, ".rows .lane")})
            assert boards == (4 if game == "octordle" or width > 960 else 2)
            for one, other in combinations(sizes(page, ".rows :is(.lane, .told)"), 2):
                is_beside = abs(one["left"] - other["left"]) >= min(one["width"], other["width"])
                assert is_beside or abs(one["top"] - other["top"]) >= 24
            assert page.locator("#answers").is_visible() == (width >= 820)
    # What is said of a row is not under what is said of another one.
    wrong = f"CRANE {'GGG.. ' * 8}", f"CLONE {'..... ' * 8}"
    page = new_page(made(server, "octordle", *wrong), "Ann", viewport=DESK)
    expect(page.locator(".rows .trouble")).to_have_count(2)
    for row in rows(page).all():
        row.locator("summary.more").click(timeout=1_000)
        page.keyboard.press("Escape")


def test_one_more_row_is_little_to_send_and_to_do(server: ServerProcess, new_page: NewPage) -> None:
    address = made(server, "heart-2018")
    page = new_page(address, "Ann")
    received: list[str] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    arrived = "Network.eventSourceMessageReceived"
    session.on(arrived, lambda event: received.append(event["data"]))
    page.reload()
    while not received:  # the whole board comes first
        page.wait_for_timeout(50)
    settled(page)
    received.clear()
    press(page, *"PEARLBW", "Enter")
    expect(rows(page)).to_have_count(28)
    assert len(received[0].encode()) <= 3_000
    assert "PEARL" in turns(address)[-1]


def press_foreign(page: Page, letters: str) -> None:
    """Press keys that no keyboard of the driver has."""
    for key in letters:
        event = f"new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}})"
        page.evaluate(f"document.body.dispatchEvent({event})")


HEBREW = "secret: {words: [שלום, צדיק, נכון], length: 4, alphabet: hebrew}\nrule: marks\n"


def test_letters_go_from_right_to_left_and_end_in_their_final_form(
    server: ServerProcess, new_page: NewPage
) -> None:
    address = server.make(file=HEBREW).replace("/api/v1/boards/", "/b/")
    page = new_page(address, viewport=PHONE)
    press_foreign(page, "נכון")
    press(page, *"G..Y", "Enter")
    expect(rows(page)).to_have_count(1)
    assert turns(address) == ["נכון G..Y"]
    expect(rows(page).locator(".tile").last).to_have_text("ן")  # noqa: RUF001
    assert rows(page).locator(".tile").first.get_attribute("class") == "tile t-right"
    for tiles in (
        "#rows .guess .tile",
        "#next .tile",
        ":nth-child(1 of [aria-label=Symbols]) button",
    ):
        lefts = [size["left"] for size in sizes(page, tiles)]
        assert lefts == sorted(lefts, reverse=True)
    assert abs(sizes(page, "#rows .guess")[0]["left"] - sizes(page, "#next .guess")[0]["left"]) < 1
    expect(page.locator('[data-symbol="נ"]')).to_have_attribute("data-known", "right")


def test_keys_of_small_letters_are_those_of_their_language(
    server: ServerProcess, new_page: NewPage
) -> None:
    game = "secret: {words: [insan, kadar], length: 5, alphabet: turkish}\nrule: marks\n"
    address = server.make(file=game).replace("/api/v1/boards/", "/b/")
    page = new_page(address)
    press(page, "i", "n")
    expect(page.locator("#next .tile").first).to_have_text("İ")
    press_foreign(page, "\u0131")
    expect(page.locator("#next .tile").nth(2)).to_have_text("I")


def test_signs_join_the_letter_before(server: ServerProcess, new_page: NewPage) -> None:
    game = "game: wordle\nsecret: {language: hi, length: 3}\n"
    address = server.make(file=game).replace("/api/v1/boards/", "/b/")
    page = new_page(address, viewport=PHONE)
    for key in "करना":
        page.locator(f'#keyboard [data-symbol="{key}"]').click()
    press(page, *".G", "Enter")
    expect(rows(page)).to_have_count(1)
    assert turns(address) == ["करना .G_"]
    # A conjunct is made of several keys; a half of one is no letter yet.
    press_foreign(page, "कक्षज\u094d")
    press(page, "Enter")
    expect(page.locator("#next .prompt")).to_contain_text("A guess has 3 symbols.")
    press_foreign(page, "ञा")
    expect(page.locator("#next .tile")).to_have_text(["क", "क्ष", "ज्ञा"])
    press(page, "Enter")
    expect(rows(page)).to_have_count(2)
    press_foreign(page, "\u093f")
    expect(page.locator("#next .prompt")).to_contain_text("does nothing here")


def test_digraphs_have_a_tile_each(server: ServerProcess, new_page: NewPage) -> None:
    words = "words: [ljubav, njegov], length: 5, alphabet: croatian, digraphs: [lj, nj]"
    address = server.make(file=f"secret: {{{words}}}\nrule: marks\n")
    page = new_page(address.replace("/api/v1/boards/", "/b/"))
    page.locator("#suggestions td button", has_text="LJUBAV").click()
    expect(page.locator("#next .tile")).to_have_text(["LJ", "U", "B", "A", "V"])
