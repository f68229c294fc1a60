"""What others wrote is shown, and obeyed by no terminal, browser, picture or spreadsheet."""

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.text import Text

import puzzlehunt
from player import KeptScreen
from program import Program
from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.errors import PuzzlehuntError, printable
from puzzlehunt.lab import tournament
from puzzlehunt.views import escapes
from puzzlehunt.views.elements import HtmlScreen, Markup
from puzzlehunt.views.screen import Table
from puzzlehunt.views.tournaments import result_csv

EVIL = "\x1b[31m\x9b\u202e\ufeff\udcff"
SHOWN = "\\x1b[31m\\x9b\\u202e\\ufeff\\udcff"
PAGE = "<script>x</script> | [a](b) `c` $\\frac$ &lt;"


def test_what_is_obeyed_is_escaped_and_all_else_is_shown() -> None:
    assert printable(EVIL) == SHOWN
    for text in ("a\tb\nc", "👩\u200d👧", "❤\ufe0f", "é", "עברית", "日本"):
        assert printable(text) == text
    quoted = json.dumps({EVIL: EVIL}, ensure_ascii=False)
    assert json.loads(escapes.in_json(quoted)) == {EVIL: EVIL}
    assert escapes.in_json(quoted).isprintable()
    assert Markup.escape(f"<b>{EVIL}") == f"&lt;b&gt;{SHOWN}"
    for sign in ("=", "+", "-", "@", "\t", "\r"):
        assert escapes.csv_cell(f"{sign}1")[0] == "'"
    assert escapes.csv_cell("A=1") == "A=1"


def test_no_way_to_the_screen_is_obeyed() -> None:
    screen = KeptScreen()
    table = Table({EVIL: [Text(EVIL, "red")], "b": [EVIL]})
    screen.line(EVIL)
    screen.line(Text.assemble((EVIL, "bold")))
    screen.table(table)
    screen.typed(EVIL, EVIL)
    screen.note(EVIL)
    screen.error(f"{EVIL}\nthe same line")
    results, notes = screen.take()
    assert results.replace("\n", "").isprintable()
    assert results.count(SHOWN) >= 4
    assert notes == f"{SHOWN}\n! {SHOWN}\\nthe same line\n"


def test_titles_and_cells_are_no_html() -> None:
    html = HtmlScreen()
    html.table(Table({PAGE: [PAGE]}))
    assert "<script" not in html.html
    game = puzzlehunt.load("2x2", [f"title='{PAGE}'", "names={black: x}"])
    assert "&lt;script&gt;" in game._repr_html_()
    assert "<script" not in game._repr_html_()


@pytest.mark.parametrize(
    "arguments",
    [
        ["suggest", "2x2", "--set", f"title={EVIL}"],
        ["suggest", EVIL],
        ["suggest", "2x2", f"--{EVIL}"],
        ["candidates", "2x2", "-t", f"AB {EVIL}"],
        ["candidates", "2x2", "--history", f"{EVIL}.txt"],
        ["play", "2x2", "--session", f"/dev/null/{EVIL}"],
        [EVIL],
    ],
)
def test_no_message_of_an_error_is_obeyed(run: Program, arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.status == 2
    assert done.err.replace("\n", "").isprintable()
    assert "\\x1b[31m" in done.err


LONG = "G" * 5_000


@pytest.mark.parametrize("typed", [EVIL, f"\0{EVIL} x", LONG, f"CRANE {LONG}", "CRANE " * 3_000])
def test_an_error_repeats_the_start_of_what_was_typed_and_nothing_that_is_obeyed(
    typed: str,
) -> None:
    game = puzzlehunt.load("wordle")
    for ask in (
        puzzlehunt.load,
        lambda: puzzlehunt.load("4x6", [f"secret.length={typed}"]),
        lambda: puzzlehunt.load("4x6", {typed: 1}),
        lambda: puzzlehunt.suggest(game, strategy=typed),
        lambda: puzzlehunt.Session(game).play(typed),
        lambda: puzzlehunt.Session(game).play(f"/fact {typed}"),
        lambda: puzzlehunt.why(game, code=typed),
        lambda: game.turn("CRANE", typed),
    ):
        with pytest.raises(PuzzlehuntError) as raised:
            ask(*[typed] * (ask is puzzlehunt.load))
        message = str(raised.value)
        assert message.isprintable()
        assert len(message) <= 600
        assert "G" * 61 not in message


def test_titles_notes_and_names_are_obeyed_by_no_terminal(run: Program, home: Path) -> None:
    (home / "game.yaml").write_text(
        'game: 2x2\ntitle: "a\u202e\\n\\n=b"\nturns: ["AB W # \u202ex ?", "AA B # =y"]\n'
    )
    for command in (["check"], ["play"], ["export"]):
        done = run(*command, "game.yaml", stdin="/history\n/share\n/why BA\n")
        assert "\u202e" not in done.out + done.err
        assert "a\\u202e =b" in done.out


def test_spreadsheets_obey_nothing() -> None:
    minus = Alphabet(("-", "="))
    game = replace(puzzlehunt.load("1x2"), secrets=SymbolSpace(minus, range(1, 2)), title=PAGE)
    result = tournament.run(replace(game, guesses=game.secrets), name=f"{PAGE}\n{EVIL}")
    rows = list(csv.reader(StringIO(result_csv(result))))
    assert [row[0] for row in rows] == ["secret", "'-", "'="]
