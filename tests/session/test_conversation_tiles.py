"""What only games of tiles say: squares, hard mode, wider lists, several boards."""

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from player import Player
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.session.session import Session
from puzzlehunt.views.rows import history_lines, turn_lines
from puzzlehunt.views.screen import Screen

Make = Callable[..., Any]

# Tiles.


@pytest.mark.parametrize(
    ("clue", "row"),
    [
        ("gybbg", "GY..G"),
        ("GY--G", "GY..G"),
        ("GY..G", "GY..G"),
        ("21002", "GY..G"),
        ("🟩🟨⬛⬜🟩", "GY..G"),
        ("g y . _ g", "GY._G"),
        ("G[YG].._ ?", "G[YG].._ ?"),
        ("won", "GGGGG"),
        ("*", "*"),
    ],
)
def test_tiles_alone_answer_the_suggestion(clue: str, row: str) -> None:
    player = Player("wordle")
    assert player.say(clue).rows == [f"CRANE {row}"]


def test_a_word_that_could_be_tiles_is_a_clue_only_where_something_stands() -> None:
    player = Player("wordle").say("gybbg")
    assert "read as a clue; the guess is written GYBBG *" in player.notes
    assert Player("wordle", coach=True).say("gybbg").prompt == "GYBBG clue> "


def test_a_guess_and_its_tiles_stand_on_one_line() -> None:
    player = Player("wordle").say("SLATE GY..G")
    assert player.out.splitlines()[0] == "1. SLATE: GY..G (2 right, 1 elsewhere)"


@pytest.mark.parametrize(
    ("game", "line", "problem"),
    [
        ("nerdle", "12+35=48", "12+35=48: 12+35 is 47, not 48"),
        ("nerdle", "12+35+47", "an equation has one ="),
        ("nerdle", "12+35=48 GGGG....", "12+35 is 47, not 48"),
        ("primel", "12345", "12345 is not prime: 3 x 4115"),
        ("wordle", "🟩🟨", "has 2 tiles; the guess has 5"),
        ("wordle", "GY.", "has 3 tiles; the guess has 5"),
        ("wordle", "GGGGY", "cannot happen"),
        ("wordle", "CRANE GGGGY", "cannot happen"),
    ],
)
def test_what_tiles_cannot_be_is_one_line(game: str, line: str, problem: str) -> None:
    player = Player(game).say(line)
    assert problem in player.notes
    assert (player.rows, len(player.notes.splitlines())) == ([], 1)


def test_a_clue_of_digits_is_a_clue_where_the_digits_are_no_guess() -> None:
    player = Player("primel")
    suggested = player.suggested
    assert player.say("00112").rows == [f"{suggested} ..YYG"]


def test_tiles_are_coloured_in_the_echo_and_in_the_history() -> None:
    game = gamefile.load("wordle")
    out = TerminalOut()
    screen = Screen(out, out)
    turn = game.parse_turn("CRANE GY.._")
    screen.lines(turn_lines(game, 1, turn))
    screen.lines(history_lines(game, History((turn,))))
    for line in out.getvalue().splitlines():
        styles = re.findall(r"\x1b\[([\d;]+)m([A-Z.])(?=\x1b)", line)
        cells = dict.fromkeys(style for style, _ in styles)
        assert len(cells) == 3
        assert [sign for _, sign in styles][:4] == list("CRAN")
    plain = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()).splitlines()
    assert plain == ["1. CRANE: GY.._ (1 right, 1 elsewhere, 1 unread)", " 1. CRANE GY.._"]


class TerminalOut(StringIO):
    """Text that is written as if to a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")


# Hard mode.

HARD = ("hard=true", "play.opening=CRANE", "play.strategy=entropy")


@pytest.mark.parametrize("line", ["SLOTH", "SLOTH .....", "CLUES\nSLOTH ..Y.."])
def test_a_guess_that_hard_mode_forbids_is_refused_in_one_line(line: str) -> None:
    player = Player("wordle", settings=HARD).say("CRANE G...Y", line)
    told = "SLOTH does not use the clue of row 1 (CRANE G...Y); this is hard mode"
    assert player.notes.splitlines()[0].endswith(told)
    assert player.rows == ["CRANE G...Y"]
    assert player.conversation.pending_guess is None


def test_a_refused_guess_leaves_the_standing_one() -> None:
    player = Player("wordle", settings=HARD).say("CRANE G...Y", "CHEST", "SLOTH")
    assert player.prompt == "CHEST clue> "
    assert player.say("SLOTH *").prompt == "CHEST clue> "
    assert player.rows == ["CRANE G...Y"]


def test_hard_mode_looks_at_the_rows_before_the_one_that_is_edited() -> None:
    player = Player("wordle", settings=HARD).say("CRANE G...Y", "CHEST G.G..")
    assert "does not use the clue of row 1" in player.say("/edit 2 SLOTH .....").notes
    assert player.say("/edit 1 SLOTH .....").rows[0] == "SLOTH ....."
    assert player.notes == ""


def test_a_file_whose_rows_break_hard_mode_is_loaded_all_the_same() -> None:
    log = (*HARD, "turns=[CRANE G...Y, SLOTH .....]")
    assert len(Player("wordle", settings=log).rows) == 2


# Words that are weighed.


def test_wordle_knows_rare_words_and_names_the_likeliest_first() -> None:
    player = Player("wordle").say("CRANE GY..G").say("/candidates")
    assert player.out.splitlines()[0].split() == ["CHORE", "30", "%"]
    assert player.out.splitlines()[-1].startswith("CORBE")
    assert "Solved in 2 guesses: CORBE\n" in player.say("CORBE won").out


# When the list runs out.

CZECH = ("CRANE G...Y", "SLOTH ....G")


def test_a_list_that_ran_out_names_the_wider_one_and_its_words() -> None:
    player = Player("wordle").say(*CZECH)
    assert (
        "No word of likely fits; huge has 1: CZECH. /widen switches.\n"
        "It became impossible with 2. SLOTH ....G\n"
        "Rows 1 and 2 cannot both be right.\n"
        "Mend a row: /edit 2 CLUE, /drop 2, /undo\n"
    ) in player.out


def test_a_list_of_words_that_goes_on_ends_with_three_dots(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text("rule: pegs\nsecret: {words: [HORSE, HEART, SLOTH], length: 5}\n")
    player = Player(Session(gamefile.load(file), str(file))).say("TARES none")
    (line,) = [line for line in player.out.splitlines() if line.startswith("No word")]
    assert line.endswith(", ... /widen switches.")


def test_the_only_word_of_a_list_is_told_with_what_wider_lists_hold() -> None:
    common = ("secret.words=common", "play.opening=CRANE")
    player = Player("wordle", settings=common).say("CRANE GY..G", "SLOTH .....")
    assert player.out.splitlines()[-3:] == [
        "1 left",
        "standard has 1 more: CURIE (/widen)",
        "try CURVE - the only one of common",
    ]
    player.say("/fact _U_V_")
    assert player.out.splitlines()[-1] == "try CURVE - the only one in any list"
    without_lists = Player("mastermind").say("/fact RR__", "/fact __GB")
    assert without_lists.out.splitlines()[-1] == "try RRGB - the only one left"


def test_suggest_names_what_wider_lists_hold_beside_the_only_word(run: Make) -> None:
    rows = ("--words", "common", "-t", "CRANE GY..G", "-t", "SLOTH .....")
    assert "standard has 1 more: CURIE (--words standard)" in run("suggest", "wordle", *rows).err
    wider = json.loads(run("suggest", "wordle", *rows, "--json").out)["wider"]
    assert wider == {"list": "standard", "count": 1, "candidates": ["CURIE"]}


def test_widen_switches_and_says_how_to_go_back() -> None:
    player = Player("wordle").say(*CZECH, "/widen")
    assert player.out.splitlines()[-3:] == [
        "secrets: huge; /widen likely goes back",
        "1 left",
        "try CZECH - the only one left",
    ]
    assert len(player.say("/undo").rows) == 1
    assert player.session.list_name == "huge"
    player.say("/widen likely")
    assert player.out.startswith("secrets: likely; /widen huge goes back\n94 left\n")


def test_widen_is_allowed_where_something_fits_still() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "/widen")
    said, left, _ = player.out.splitlines()[-3:]
    assert said == "secrets: large; /widen standard goes back"
    assert int(left.partition(" left")[0].replace(",", "")) > 933


def test_widen_keeps_how_guesses_are_picked() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "/strategy parts", "/widen huge")
    assert player.session.game.play.strategy == "parts"


@pytest.mark.parametrize(
    ("game", "line", "problem"),
    [
        ("mastermind", "/widen", "come from no word list"),
        ("nerdle", "/widen huge", "come from no word list"),
        ("cryptic", "/widen hug", "did you mean huge?"),
        ("xordle", "/widen", "pairs of words are too many to change the list; start with --words"),
        ("xordle", "/widen large", "to change the list; start with --words"),
        ("fallout", "/widen nowhere.txt", "no word list"),
    ],
)
def test_a_list_that_does_not_serve_is_one_line(game: str, line: str, problem: str) -> None:
    player = Player(game).say(line)
    assert problem in player.notes
    assert len(player.notes.splitlines()) == 1


def test_no_list_is_wider_than_the_widest() -> None:
    player = Player("wordle").say("/widen huge", "/widen")
    assert "no list is wider than huge" in player.notes


def test_a_board_whose_list_ran_out_is_named() -> None:
    rows = [f"{row} ....." for row in CZECH]
    player = Player("dordle").say(*rows, "/widen")
    assert "No word of common fits board 1; huge has 1: CZECH. /widen switches." in player.out
    assert "board 1: 1, 2: " in player.out


def test_nothing_is_said_of_lists_where_secrets_come_from_none() -> None:
    player = Player("nerdle").say("12+35=47 .........", "12+35=47 GGGGGGG.", "12+36=48 ........")
    assert "No word" not in player.out


# Several boards.


def test_the_state_of_several_boards_counts_each_and_fits_40_columns() -> None:
    player = Player("octordle").say("SLATE GGGGG" + " ....." * 7)
    lines = player.out.splitlines()
    assert lines[0] == "1. SLATE: solved | ..... | ..... |"
    assert lines[3].startswith("board 1: solved SLATE, 2: ")
    assert max(map(len, lines)) <= 40


def test_candidates_are_listed_board_by_board() -> None:
    player = Player("dordle").say("CRANE ..G.G GGGGG", "SLATE GGG.G ..G.G", "/candidates 1")
    assert player.out.splitlines()[-4:] == ["board 1: 2 left", "SLAKE", "board 2: 1 left", "CRANE"]
    assert player.notes == "... and 1 more: /candidates 2\n"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "SLATE/CRANE",
            [
                "board 1: SLATE is out by 1. CRANE .....",
                "  it would show ..G.G, 2 marks off",
                "board 2: CRANE is still in",
            ],
        ),
        ("2: CRANE", ["board 2: CRANE is still in"]),
        (
            "SLATE",
            [
                "board 1: SLATE is out by 1. CRANE .....",
                "  it would show ..G.G, 2 marks off",
                "board 2: SLATE is out by 1. CRANE GGGGG",
                "  it would show ..G.G, 3 marks off",
            ],
        ),
        ("1: MOUTH", ["board 1: MOUTH is out by fact: 1: no M"]),
    ],
)
def test_why_is_answered_for_each_board(asked: str, told: list[str]) -> None:
    player = Player("dordle").say("CRANE ..... GGGGG", "/fact 1: no M")
    assert player.say(f"/why {asked}").out.splitlines() == told


def test_padding_after_a_board_is_solved_rules_nothing_out() -> None:
    player = Player("dordle").say("CRANE ..... GGGGG", "SLOTH ..Y.. .....", "/why 2: CRANE")
    assert player.out.splitlines()[-1] == "board 2: CRANE is still in"


@pytest.mark.parametrize(
    "asked", ["3: CRANE", "0: CRANE", "x: CRANE", "2: CRAN", "CRANE/", "a/b/c"]
)
def test_a_board_that_does_not_exist_is_one_line(asked: str) -> None:
    player = Player("dordle").say(f"/why {asked}")
    assert player.notes.startswith("! ")
    assert len(player.notes.splitlines()) == 1


def test_two_words_on_one_board_are_written_with_a_slash() -> None:
    words = "secret={words: [CRANE, SLOTH, DUMPY, FIGHT], length: 5}"
    player = Player("wordle", settings=(words, "boards={count: 2, merged: true}"))
    player.say("/candidates 1", "CRANE GGGGG", "/why CRANE/DUMPY")
    assert player.out.splitlines()[0] == "CRANE/DUMPY"
    assert player.out.splitlines()[-1] == "CRANE/DUMPY: still in"
    assert "Solved in 2 guesses: CRANE/DUMPY\n" in player.say("DUMPY won").out


def test_one_row_that_no_word_fits_is_named_alone() -> None:
    player = Player("wordle").say("CLONE YYYYY")
    assert "Row 1 cannot be right: no code of this\n  game fits it.\n" in player.out


def test_a_guess_that_may_miss_has_no_value_and_says_no_unit() -> None:
    rows = ["WATCH .G...", "FUZZY .....", "BABES .G.G.", "GABES .G.G."]
    player = Player("wordle", settings=("secret.words=common",)).say("\n".join(rows))
    assert re.fullmatch(r"try [A-Z]{5} - at worst \d+ left", player.out.splitlines()[-1])


def test_boards_say_how_their_clues_are_written() -> None:
    assert "; a clue for each board, blanks between\n" in Player("dordle").greeting
