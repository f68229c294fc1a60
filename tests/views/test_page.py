"""A board's page shows what a conversation prints, obeys no text, and its buttons say lines."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.text import Text

import puzzlehunt
from cases import cases
from player import KeptScreen, page_of
from puzzlehunt.explanation.remaining import CandidatesListed, Remaining
from puzzlehunt.explanation.why import conflicts
from puzzlehunt.game.blocks import example_turn
from puzzlehunt.game.history import History
from puzzlehunt.session.changes import DropRow, EditRows, ReplaceHistory, load_change
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.outcomes import Failed
from puzzlehunt.session.session import Session
from puzzlehunt.views.drawn_tiles import STYLES
from puzzlehunt.views.elements import HtmlScreen, joined
from puzzlehunt.views.page.board_rows import Author, chips, row_item, row_items, stylesheet
from puzzlehunt.views.page.fragments import outcome_html, picture
from puzzlehunt.views.page.keyboard import grid_classes, keyboard, slot_texts, table_fields
from random_games import noisy_game

_HOSTILE = "<script>alert('\u202e\"1\"')</script>"
_ALLOWED = {
    "aria-hidden", "aria-label", "class", "data-command", "data-copy", "data-game", "data-guess",
    "data-key", "data-known", "data-mark", "data-marks", "data-rest", "data-symbol",
    "datetime", "form", "hidden", "id", "name", "role", "scope", "tabindex", "title", "type",
    "value",
}  # fmt: skip


class _Read(HTMLParser):
    """Reads HTML: its text, its buttons' lines and changes, and the classes that it uses."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text, self.classes = "", set()
        self.lines, self.changes = [], []
        self._open: list[str] = []
        self.feed(str(source))
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attrs):
        assert tag not in ("script", "style", "a", "img", "link")
        given = dict(attrs)
        assert {*given} <= _ALLOWED
        self.classes |= {*(given.get("class") or "").split()}
        if given.get("name") in ("tapped", "change"):
            assert given["form"] == "ask"
            (self.lines if given["name"] == "tapped" else self.changes).append(given["value"])
        if tag != "input":
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data


def _conversation(game="2x3", *settings):
    return Conversation(Session(puzzlehunt.load(game, list(settings)), ""))


def _said(conversation, *lines):
    """Return what lines do, as fragments of a page."""
    outcomes = [outcome for line in lines for outcome in conversation.handle(line)]
    return _Read("".join(outcome_html(outcome, conversation.game) for outcome in outcomes))


def _row_list(game, history, writers, troubles=None):
    return joined(row_items(game, history, writers, troubles or {}, row_item))


def _rows(conversation, writers=None):
    return _Read(_row_list(conversation.game, conversation.session.history, writers or {}))


def test_what_is_printed_is_on_the_page_too():
    lines = ["AB B_", "/s", "/c", "/why AC", "/fact no C", "/next", "BC", "/certain", "/suspect"]
    for keys in ([], ["reads.black=0.5", "reads.white=0.5", "reads.misread=0.1"]):
        conversation, screen = _conversation("2x3", *keys), KeptScreen()
        for line in lines:
            for outcome in conversation.handle(line):
                screen.show(conversation, [outcome])
                printed = " ".join(screen.take())
                shown = _Read(outcome_html(outcome, conversation.game)).text
                codes = {word.strip(":") for word in printed.split() if word[:2].isupper()}
                assert all(code in shown for code in codes)
                assert shown.strip() or not printed.strip()


@pytest.mark.parametrize(
    ("game", "settings", "lines"),
    [
        ("2x3", (), ["AB B_", "/c", "/s", "CC", "/suspect"]),
        ("2x3", ("reads.black=0.5", "reads.white=0.5"), ["AB _B ?", "AC *", "/c", "/next"]),
        ("2x3", ("rule=marks",), ["AB G_", "AC [GY].", "/c", "/next"]),
        ("2x3", (), ["AB BW", "CC BB", "/conflicts", "/repair"]),
        ("2x3", ("marks.miss=R",), ["AB [BW]", "/history"]),
    ],
)
def test_every_button_makes_a_change_or_says_a_line_that_the_game_takes(game, settings, lines):
    conversation = _conversation(game, *settings)
    said, shown = _said(conversation, *lines), _rows(conversation)
    changes = [
        load_change(conversation.game, json.loads(text)) for text in said.changes + shown.changes
    ]
    assert DropRow(1) in changes
    session = conversation.session
    history = session.history
    for change in changes:
        session.apply(ReplaceHistory(history))
        session.apply(change)
        assert session.history != history
    for line in dict.fromkeys(said.lines + shown.lines):
        session.apply(ReplaceHistory(history))
        assert not [o for o in conversation.handle(line) if isinstance(o, Failed)], line


def test_a_code_is_tapped_to_stand():
    conversation = _conversation()
    said = _said(conversation, "AB B_", "/s", "/c")
    guess = conversation.suggested
    assert conversation.game.format_code(guess) in said.lines
    assert "AC" in said.lines
    _said(conversation, conversation.game.format_code(guess))
    assert conversation.expected_line == guess


@pytest.mark.parametrize(("game", "row"), cases("rows to tap"))
def test_a_row_that_is_tapped_is_the_same_row_on_the_tiles_or_in_the_line(game, row):
    game = puzzlehunt.load(game)
    turn = game.turn(row)
    shown = _row_list(game, History((turn,)), {})
    written = {key: unescape(text) for key, text in re.findall('data-([a-z]+)="([^"]*)"', shown)}
    described, _ = _described(game)
    noted = unescape(re.search('name="typed" value="([^"]*)"', shown)[1])
    assert game.turn(noted.removeprefix("/edit 1 ").removesuffix(" # ")) == turn
    if "guess" not in written:
        return
    # As the script of the page writes it.
    guess = game.alphabet.joiner.join(written["guess"].split("\t"))
    marks = written["marks"].split("\t")
    size = described["slots"] or len(turn.code)
    clues = []
    for slots in [marks[n : n + size] for n in range(0, len(marks), size)]:
        texts = [mark or described["blank"] for mark in slots]
        if described["labels"]:
            texts = [n + suffix for n, suffix in zip(slots, described["suffixes"], strict=True)]
        clues.append("".join(texts) if any(slots) else "*")
    assert game.turn(f"{guess} {' '.join(clues)}{written['rest']}") == turn


def test_rows_say_who_wrote_them_when_and_whether_they_are_doubted():
    conversation = _conversation("2x3", "secret.length=2")
    _said(conversation, "AB B ?20% # seen twice", "/fact no C")
    when = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    shown = _rows(conversation, {1: Author("Ann", when)})
    for text in ("Ann", "12:30 UTC", "doubted, 20 %", "seen twice", "fact: no C", "1 black"):
        assert text in shown.text
    assert _row_list(conversation.game, History(), {}) == ""


def test_whoever_corrects_marks_is_named_behind_whoever_guessed():
    conversation, when = _conversation("2x3"), datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    _said(conversation, "AB B", "AC B")
    read = {"marks": "Ben", "last": "Ben", "version": 2}
    shown = _rows(conversation, {1: Author("Ann", when, **read), 2: Author("", when, **read)})
    assert "Ann, marks by Ben 12:30" in shown.text
    assert "guest, marks by Ben 12:30" in shown.text


def test_the_first_eight_people_have_colours_of_their_own():
    names = [f"{name}{n}" for n, name in enumerate(["Ann", "Ben", "Cem"] * 3)]
    drawn = chips({name: place for place, name in enumerate(names)}, 0)
    colours = re.findall(r"who (p\d)", drawn)
    assert len({*colours[:8]}) == 8
    assert colours[8] == colours[0]


@pytest.mark.parametrize("is_best", [False, True])
def test_what_a_guess_is_worth_is_said_without_figures_unless_these_are_wanted(is_best):
    conversation = _conversation("4x6", "play.strategy=entropy")
    best = conversation.session.suggest(1).guesses[0]
    guess, better = (best, "none") if is_best else ("AAAA", best)
    (tried,) = conversation.handle(f"/try {guess}")
    said, figures = outcome_html(tried, conversation.game).split('<div class="detail">')
    assert said == f'<p class="line">{guess}: {better} seems better</p>'
    assert "bits" in figures


def test_a_strategy_that_measures_nothing_calls_no_guess_better():
    conversation = _conversation("4x6", "play.strategy=first")
    (tried,) = conversation.handle("/try EEEE")
    assert "better" not in outcome_html(tried, conversation.game)


def test_tiles_hold_the_marks_of_a_row_unless_these_would_not_say_that_it_won():
    game = puzzlehunt.load(
        {"secret": {"words": ["care", "cares"], "length": "4-5"}, "rule": "marks"}
    )
    texts = [slot_texts(game, turn) for turn in game.as_history(["CARE GGGG", "CARE won"]).turns]
    assert texts == [["G", "G", "G", "G"], None]


def test_luck_is_told_in_bits_and_so_only_to_who_wants_them():
    conversation = _conversation("2x3", "secret.length=2")
    _said(conversation, "AB .", "CC BB")
    shown = outcome_html(conversation.session.answers.review(), conversation.game)
    assert re.search(r'>Skill [^<]* %<span class="detail">, luck [^<]* bits</span>', shown)


def test_no_text_is_obeyed():
    names = ["<b>", "'\u200f", '"x']
    settings = [
        f"title={_HOSTILE}",
        "secret.length=2",
        "secret.symbols=[<b>, '&amp', é]",
        "play.strategy=first",
    ]
    conversation = _conversation("2x3", *settings)
    game, first = conversation.game, conversation.game.format_code((0, 1))
    said = _said(conversation, f"{first} B # {_HOSTILE}", "/c", "/s", "/share", _HOSTILE)
    shown = _rows(conversation, {1: Author(_HOSTILE, datetime.now(UTC))})
    palette = _Read(keyboard(game))
    assert "\u202e" not in said.text + shown.text + palette.text
    assert "<script>" in said.text
    assert shown.text.count("<script>") == 2
    assert game.format_code((0, 2)) in said.lines
    assert names[0] in palette.text


@pytest.mark.parametrize("row", cases("keyboards"), ids=lambda row: row[0])
def test_a_keyboard_has_the_symbols_and_marks_of_its_game(row):
    played = puzzlehunt.load(row[0])
    described, count = _described(played)
    lengths = "-".join(map(str, described["lengths"]))
    shown = (described["clue"], lengths, described["blank"], str(described["boards"]))
    assert row[1:] == (*shown, grid_classes(played), str(count))


def test_candidates_are_listed_below_the_name_and_count_of_their_board():
    game = puzzlehunt.load("quordle")
    some = Remaining((game.one_board.parse_guess("CRANE"),), 1_234, more=True)
    shown = _Read(outcome_html(CandidatesListed(some, (some,) * 4, limit=1), game))
    assert "board 3: 1,234 left" in shown.text
    assert shown.lines.count("CRANE") == 4


@pytest.mark.parametrize(
    ("secret", "classes"),
    [
        ("{symbols: [red, green, blue], length: 2}", "n4"),
        ("{symbols: [re, gr, bl], length: 2}", "n4"),
        ("{symbols: [red, green, blue], length: 9}", "n9 long"),
    ],
)
def test_a_grid_has_room_for_the_words_of_its_symbols(secret, classes):
    game = puzzlehunt.load("2x3", [f"secret={secret}"])
    assert grid_classes(game) == classes
    assert grid_classes(puzzlehunt.load("capitals")) == "n1"


def _described(game):
    """Return the description of a game's keyboard, and the number of its symbols and marks."""
    shown = keyboard(game)
    described = json.loads(unescape(re.search('data-game="([^"]*)"', shown)[1]))
    return described, len(re.findall("data-(?:symbol|mark|word)=", shown))


def _distance(one, other):
    return abs(int(one.split()[1]) - int(other.split()[1]))


def test_guesses_with_names_are_typed_in_the_line():
    names = [f"guess {n}" for n in range(3)]
    described, count = _described(puzzlehunt.Game.from_function(names, None, _distance))
    assert (described["clue"], described["symbols"], count) == ("text", [], 0)


def test_a_column_that_was_not_read_looks_so():
    game = puzzlehunt.load("capitals")
    shown = _row_list(game, History((game.turn("Vienna _ . > _"),)), {})
    columns = re.findall(r'"title">(\w+)<.*?"cell">(.*?)<.*?(class="tile[^"]*")', shown)
    assert {title: "unread" in look for title, _, look in columns} == {
        "place": True, "continent": False, "population": False, "area": True,
    }  # fmt: skip
    assert [cell for _, cell, _ in columns] == ["48.21 16.37", "Europe", "8,847,037", "83,858"]
    far = _row_list(game, History((game.turn("Vienna 10500kmW . > _"),)), {})
    assert 'title="place: 10,500 km W"' in far
    assert ">10,500 km W</span>" in far
    elements = puzzlehunt.load("elements")
    shown = _row_list(elements, History((elements.turn("Hafnium *"),)), {})
    assert '"cell">1923</span>' in shown
    fields = dict(table_fields(game))
    assert [*fields] == ["guess", "place", "continent", "population", "area"]
    assert fields["population"] == ["=", "<", ">"]
    assert re.fullmatch(r"\d+km[NESW]+", *fields["place"])
    assert example_turn(game).guess in fields["guess"]
    for played in (game, puzzlehunt.load("wordle")):
        shown = _Read(picture(played))
        for text in (f"Clues: {played.rule.notation.legend()}", example_turn(played).note):
            assert text in shown.text
        assert ("columns" in shown.classes) == (played is game)
    said = "Gear: right symbol, right place; tumbler: right symbol, wrong place. Their order"
    assert said in _Read(picture(puzzlehunt.load("nethack"))).text
    assert "; red: wrong symbol." in _Read(picture(puzzlehunt.load("cryptic"))).text


def test_letters_are_in_the_order_of_a_keyboard_and_other_keys_in_theirs():
    letters = re.findall('data-symbol="(.)"', keyboard(puzzlehunt.load("wordle")))
    assert "".join(letters) == "QWERTYUIOPASDFGHJKLZXCVBNM"
    # Those of a language are where its own keyboard has them; Hebrew is shown from the right.
    for language, word, first in (
        ("turkish", "insan", "ERTYUIOPĞÜ"),
        ("hebrew", "שלום", "פוטארק"),
        ("greek", "αβγδε", "ΕΡΤΥΘΙΟΠ"),
    ):
        game = {"secret": {"words": [word], "alphabet": language}, "rule": "marks"}
        row = keyboard(puzzlehunt.load(game)).split('"Symbols">')[1]
        letters = re.findall('data-symbol="(.)"', row.partition("</div>")[0])
        assert "".join(letters) == first
    assert keyboard(puzzlehunt.load("2x30", ["secret.length=2"])).count('"Symbols"') == 3
    wool = puzzlehunt.load("2x3", ["secret.symbols=[red, green, sand]", "secret.length=2"])
    assert _Read(keyboard(wool)).classes >= {"c-red", "c-green", "word"}


@pytest.mark.needs("wordfreq")
def test_an_alphabet_of_many_composed_letters_has_keys_for_their_parts():
    hindi = puzzlehunt.load("wordle", ["secret.language=hi", "secret.length=3"])
    keys = re.findall('data-symbol="(.)"', keyboard(hindi))
    assert {*keys} == {*"".join(hindi.alphabet.symbols)}
    assert len(keys) == 57


def test_styles_become_classes_of_the_one_table_of_colours():
    screen, sheet = HtmlScreen(), stylesheet()
    for name, colour in STYLES.items():
        assert f".{name} " in sheet
        screen.line(Text("x", style=name))
        light, dark = sorted(map(_luminance, (colour.ground, colour.ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, name
    assert _Read(screen.html).classes == {"line", *STYLES}


def _luminance(colour):
    """Return the relative luminance of a colour as WCAG 2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@given(st.integers(0, 100_000), st.sampled_from([["reads", "misread"], ["at_most"], ["doubts"]]))
@settings(max_examples=25)
def test_marked_rows_are_those_that_contradict_each_other_or_are_likely_wrong(seed, parts):
    game = noisy_game(seed, *parts)
    session = Session(replace(game, history=History()), "")
    session.history = game.history
    pieces, marked = page_of(session)
    if session.answers.is_won:
        assert not marked
    elif session.engine.satisfiable():
        places = {name: place for place, name in enumerate(game.history.names)}
        likely = {places[one.row] for one in puzzlehunt.suspects(session.engine)[:5] if one.named}
        is_weighed = game.channel.misread or game.channel.lies.at_most
        if is_weighed or any(turn.doubt for turn in game.history.turns):
            assert set(marked) == likely
    else:
        assert len(marked) == len(conflicts(session.engine)[0])
        assert not session.engine.satisfiable(sorted(marked))
        if repairs := puzzlehunt.repairs(session.engine):
            shown = _Read(pieces["trouble"])
            changes = [load_change(game, json.loads(change)) for change in shown.changes]
            edits = [change for change in changes if isinstance(change, EditRows)]
            best = [one for one in repairs if one.probability == repairs[0].probability]
            assert edits[0] == EditRows(max(best, key=lambda one: one.turns[-1][0]).turns)


def test_a_page_says_what_unexplained_marks_mean():
    settings = {"secret.words": "common", "legend": "unknown", "rule": "marks"}
    game = puzzlehunt.load("wordle", settings)
    session = Session(game, "wordle")
    session.history = game.as_history(["CRANE XXOXX", "PILOT XXXOO"])
    pieces, _ = page_of(session)
    assert "marks: X absent, O elsewhere" in _Read(pieces["count"]).text
    assert {"suggestions", "candidates"} >= pieces.keys() - {"count"}
