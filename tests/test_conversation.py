"""The conversation: what a line means, what is answered, and where it is printed."""

import random
import re
from collections.abc import Callable
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from puzzlehunt import gamefile
from puzzlehunt.commands import COMMANDS
from puzzlehunt.conversation import Conversation
from puzzlehunt.document import Document, apply_settings
from puzzlehunt.errors import GameFileError
from puzzlehunt.history import History
from puzzlehunt.render import Screen
from puzzlehunt.session import Session, kept_settings

ROOT = Path(__file__).resolve().parent.parent
LOG = [
    line.removeprefix("  - ")
    for line in (ROOT / "examples" / "heart-2018.yaml").read_text().splitlines()
    if line.startswith("  - ")
]
Talk = Callable[..., "Player"]
Program = Callable[..., Any]


_load = cache(gamefile.load)
_OPENINGS = {
    "cryptic": ("play.opening=TARES",),
    "nethack": ("play.opening=AABCD",),
    "nerdle": ("play.opening=48-32=16", "play.strategy=entropy"),
    "primel": ("play.opening=12953", "play.strategy=entropy"),
    "peaks": ("play.opening=PILES", "play.strategy=entropy"),
    **dict.fromkeys(
        ["wordle", "dordle", "quordle", "octordle", "xordle"],
        ("play.opening=CRANE", "play.strategy=entropy"),
    ),
}
"""What would be suggested first in any case, given so that it need not be found each time."""


class Player:
    """Types lines, and keeps what the last of them printed."""

    def __init__(self, game: str, coach: bool = False, settings: tuple[str, ...] = ()) -> None:
        settings = settings or _OPENINGS.get(game, ())
        kept = kept_settings(apply_settings(Document({}), settings))
        self.session = Session(_load(game, settings), game, kept)
        self._out, self._notes = StringIO(), StringIO()
        screen = Screen(self._out, self._notes)
        self.conversation = Conversation(self.session, screen, coach)
        self.conversation.start()
        self.greeting, _ = self._take()
        self.out = self.notes = ""

    def say(self, *lines: str) -> "Player":
        """Type lines; `out` and `notes` are what they printed."""
        self._take()
        for line in lines:
            self.conversation.handle(line)
        self.out, self.notes = self._take()
        return self

    def end(self) -> "Player":
        """End the input."""
        self.conversation.end()
        return self

    def _take(self) -> tuple[str, str]:
        taken = self._out.getvalue(), self._notes.getvalue()
        for stream in (self._out, self._notes):
            stream.seek(0)
            stream.truncate()
        return taken

    @property
    def rows(self) -> list[str]:
        """The rows as the session would write them."""
        return [self.session.game.format_turn(turn) for turn in self.session.history.turns]

    @property
    def suggested(self) -> str:
        """The guess that was suggested last."""
        code = self.conversation.suggested
        return "" if code is None else self.session.game.format_code(code)


# Rows.


def test_a_row_is_echoed_as_it_was_understood_and_answered_with_what_is_left() -> None:
    player = Player("cryptic").say("horse b_wr_")
    assert player.out == (
        "1. HORSE: 1 black, 1 white, 1 red, 2 unread\n933 left\ntry HARES - 0.5 bits, wins 0.3 %\n"
    )
    assert player.notes == ""


def test_the_greeting_says_what_is_played_how_clues_are_written_and_what_to_try() -> None:
    lines = Player("heart-2018").greeting.splitlines()
    assert lines[0] == "Cryptic Mastermind, a log of 2018 (3,386 codes)"
    assert [line.split(". ")[1].split()[0] for line in lines[1:28]] == [r.split()[0] for r in LOG]
    assert lines[28].startswith("B black, W white, R red, _ unread")
    assert lines[29] == "47 left"
    assert lines[30].startswith("try ")


def test_a_guess_alone_stands_until_its_clue_comes() -> None:
    player = Player("cryptic").say("flesh")
    assert player.rows == []
    assert player.conversation.prompt == "FLESH clue> "
    player.say("RR")
    assert player.rows == ["FLESH RR___"]
    assert player.conversation.prompt == "> "


def test_another_guess_or_the_end_records_a_standing_one_as_unread() -> None:
    player = Player("cryptic").say("FLESH", "HORSE")
    assert player.rows == ["FLESH *"]
    assert player.conversation.prompt == "HORSE clue> "
    assert player.say("WORSE __RW_").rows == ["FLESH *", "HORSE *", "WORSE WR___"]
    assert player.say("ZONES").end().rows[-1] == "ZONES *"
    assert Player("cryptic").say("FLESH", "/quit").rows == ["FLESH *"]


def test_the_same_guess_again_still_stands() -> None:
    player = Player("cryptic").say("FLESH", "flesh")
    assert player.rows == []
    assert player.say("FLESH RR").rows == ["FLESH RR___"]


def test_a_clue_alone_answers_the_suggestion_and_says_which_guess_that_was() -> None:
    player = Player("cryptic")
    suggested = player.suggested
    assert player.say("B_WR_").rows == [f"{suggested} BWR__"]
    assert player.out.startswith(f"1. {suggested}: 1 black")
    assert player.say("/suggest 3", "RR ?").rows[1].endswith(" RR___ ?")


@pytest.mark.parametrize(
    ("game", "clue", "row"),
    [
        ("cryptic", "1 2", "1b 2w"),
        ("cryptic", "B _ W R _", "BWR__"),
        ("cryptic", "B _ W R ?", "BWR__"),
        ("cryptic", "B_WR_ ?", "BWR__ ?"),
        ("cryptic", "[BW] R R", "RR[BW]__"),
        ("cryptic", "2 red, 1 white", "2b 1w"),
        ("cryptic", "*", "*"),
        ("cryptic", "unread", "*"),
        ("mastermind", "none", "none"),
        ("mastermind", "2 1", "2b 1w"),
        ("bulls-and-cows", "1A2B", "1A2B"),
        ("nethack", "You hear 2 tumblers click and 1 gear turn.", "1G2T"),
        ("nethack", "silence", "0G0T"),
    ],
)
def test_every_way_to_write_a_clue_may_stand_alone(game: str, clue: str, row: str) -> None:
    player = Player(game)
    suggested = player.suggested
    assert player.say(clue).rows == [f"{suggested} {row}"]


def test_a_lone_word_that_could_be_both_is_a_clue_and_the_echo_says_how_to_write_the_other() -> (
    None
):
    both = ("secret={symbols: BWRX, length: 4}", "title=both")
    player = Player("4x4", settings=both)
    suggested = player.suggested
    player.say("BWWB")
    assert player.rows == [f"{suggested} BBWW"]
    assert "read as a clue; the guess is written BWWB *" in player.notes
    assert player.say("BWWB *").rows[1] == "BWWB *"
    assert "read as a clue" not in player.notes


def test_a_clue_that_answers_nothing_asks_for_its_guess() -> None:
    player = Player("cryptic", coach=True)
    for clue in ("B_WR_", "*", "unread", "1 2", "won"):
        assert "to which guess?" in player.say(clue).notes
    assert player.say("FLESH", "B_WR_").rows == ["FLESH BWR__"]


@pytest.mark.parametrize("word", sorted(COMMANDS))
def test_a_word_that_is_a_commands_name_asks_for_the_slash(word: str) -> None:
    player = Player("cryptic").say(word)
    assert player.notes.startswith(f"/{word}? ")
    assert player.say(word.upper()).notes.startswith(f"/{word}? ")
    assert player.rows == []
    assert player.conversation.standing is None


def test_a_commands_name_can_be_guessed_all_the_same() -> None:
    player = Player("cryptic", settings=("secret={words: [HELP, SAVE, QUIT, LAMB], length: 4}",))
    assert player.say("HELP *", "save RRRR").rows == ["HELP *", "SAVE RRRR"]


def test_an_empty_line_records_nothing_and_shows_the_suggestion_again() -> None:
    player = Player("cryptic").say("HORSE B_WR_")
    shown = player.out.splitlines()[1:]
    for empty in ("", "   ", "\t\n"):
        player.say(empty)
        assert player.out.splitlines() == shown
    assert player.rows == ["HORSE BWR__"]
    assert player.say("FLESH", "").conversation.prompt == "FLESH clue> "


def test_a_comment_is_no_line() -> None:
    player = Player("cryptic").say("# nothing yet", "HORSE B_WR_ # from the wall")
    assert player.rows == ["HORSE BWR__"]


def test_a_guess_in_no_list_is_played_with_a_note() -> None:
    player = Player("cryptic").say("HERZL *")
    assert player.rows == ["HERZL *"]
    assert player.notes == "HERZL is in no list; played all the same\n"
    assert player.say("HERZX").notes.startswith("HERZX is in no list")
    assert Player("4x6").say("AABB 1 1").notes == ""


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("HORSES B_WR_", "'HORSES' has 6 symbols; a guess has 5; did you mean "),
        ("HÖRSE B_WR_", "'Ö' is no symbol of this game"),
        ("HORSE X", "'X' is no mark"),
        ("HORSE BBBBW", "cannot happen"),
        ("HORSE BBBBBB", "6 marks for 5 pegs"),
        ("HORSE 3 3", "cannot happen"),
        ("HORSE [B", "never closed"),
        ("HORSE none", "a miss has its own mark"),
        ("HORSE 2 cows", "'cows' is nothing counted here"),
    ],
)
def test_a_bad_line_says_why_and_records_nothing(line: str, problem: str) -> None:
    player = Player("cryptic").say(line)
    assert problem in player.notes
    assert player.notes.startswith("! ")
    assert len(player.notes.splitlines()) == 1
    assert (player.out, player.rows) == ("", [])


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("AABBC You hear 1 gear turn.", "AABBC 1G0T"),
        ("AABBC, you hear 2 tumblers click and 1 gear turn", "AABBC 1G2T"),
        ("1) aabbc -- You hear 1 tumbler click. --", "AABBC 0G1T"),
        ("AABBC You hear 3 gears turn.", "AABBC 3G0T"),
        ("hh You hear 2 tumblers click.", "BB 0G2T"),
        ("hhx 2 tumblers", "BBx 2T"),
        ("AABBCDE 2t1g", "AABBC 1G2T"),
        ("AABBC silence", "AABBC 0G0T"),
    ],
)
def test_nethacks_sentences_are_read_anywhere_in_a_line(line: str, row: str) -> None:
    assert Player("nethack").say(line).rows == [row]


def test_a_doubted_row_rules_out_nothing_but_its_guess() -> None:
    player = Player("cryptic").say("HORSE BBBBR ?")
    assert player.out.startswith("1. HORSE: 4 black, 1 red (doubted)\n3,385 left\n")
    assert player.say("/doubt 1").out.startswith("1. HORSE: 4 black, 1 red\n")
    assert player.rows == ["HORSE BBBBR"]
    assert player.say("/doubt 1").rows == ["HORSE BBBBR ?"]


@pytest.mark.parametrize("line", ["HEART won", "HEART solved", "heart BBBBB", "HEART 5b"])
def test_the_winning_row_ends_the_suggestions(line: str) -> None:
    player = Player("cryptic").say("HORSE B_WR_", line)
    assert "\n2. HEART: solved\nSolved in 2 guesses: HEART\n" in player.out
    assert player.suggested == ""
    assert player.say("", "/suggest").out == "Solved in 2 guesses: HEART\n" * 2
    assert player.say("/undo").out.splitlines()[1] == "933 left"


def test_won_alone_answers_what_stands() -> None:
    player = Player("cryptic")
    suggested = player.suggested
    assert player.say("won").out.splitlines()[1] == f"Solved in 1 guess: {suggested}"


# Contradictions.


def test_a_contradiction_names_the_newest_row_that_made_it_impossible() -> None:
    player = Player("mastermind").say("RRRR B", "GGGG B", "RGBY none", "YYYY B")
    assert player.rows == ["RRRR B", "GGGG B", "RGBY none", "YYYY B"]
    assert (
        "Nothing fits: no code agrees with all rows.\n"
        "It became impossible with 3. RGBY none\n"
        "Rows 1, 3 cannot all be right: row 1\n"
        "  needs 1 of R; row 3 leaves none of\n"
        "  them.\n"
        "Mend a row: /edit 3 CLUE, /drop 3, /undo\n"
    ) in player.out
    for nothing in ("", "/suggest", "/try RGBY"):
        assert "It became impossible with 3. RGBY none" in player.say(nothing).out
    assert player.say("/candidates").notes == "none\n"


@pytest.mark.parametrize("mend", ["/edit 3 BB", "/drop 3", "/undo", "/doubt 3", "/drop 1"])
def test_any_row_can_be_mended(mend: str) -> None:
    player = Player("mastermind").say("RRRR B", "GGGG B", "RGBY none", mend)
    assert player.suggested or mend == "/drop 1"
    assert ("Nothing fits" in player.say("").out) == (mend == "/drop 1")


def test_a_fact_that_makes_the_game_impossible_is_named() -> None:
    player = Player("mastermind").say("RRRR B", "/fact no R")
    assert "It became impossible with fact: no R" in player.out
    assert "Mend a row: /undo\n" in player.out
    assert player.say("/undo").suggested


# Blocks.


def test_the_log_of_a_hunt_is_one_block_with_one_suggestion_and_one_undo() -> None:
    player = Player("cryptic").say("\n".join(LOG))
    assert len(player.rows) == 27
    assert player.out.count("try ") == 1
    assert player.out.splitlines()[-2] == "47 left"
    assert re.findall(r"^(\w+) is in no list", player.notes, re.MULTILINE) == [
        *("PERTH", "HERZL", "CLARE"),
    ]
    assert player.rows == Player("heart-2018").rows
    assert player.say("/undo").rows == []
    assert len(player.say("/redo").rows) == 27


@pytest.mark.parametrize(
    "block",
    [
        "HORSE B_WR_\nFLESH *\nZONES RR",
        "1. HORSE B_WR_\n2. FLESH\n3. ZONES RR",
        "#1 HORSE B_WR_\n#2 FLESH\n#3 ZONES RR",
        "1) HORSE,B_WR_\r\n2) FLESH,*\r\n3) ZONES,RR___\r\n",
        "HORSE\tB\t_\tW\tR\t_\nFLESH\t\t\t\t\t\nZONES\tR\tR\t_\t_\t_",
        "HORSE;B;_;W;R;?\nFLESH\nZONES | RR",
        "# the wall\n\nHORSE B_WR_ # smudged\n\n\nFLESH unread\nZONES RR",
        "HORSE\nB_WR_\nFLESH\nZONES\nRR",
        "horse:b_wr_\nflesh:*\nzones:rr",
    ],
)
def test_a_block_is_read_however_it_is_written(block: str) -> None:
    player = Player("cryptic").say(block)
    assert player.rows == ["HORSE BWR__", "FLESH *", "ZONES RR___"]
    assert player.say("/undo").rows == []


def test_a_block_of_sentences_is_read() -> None:
    block = (
        "AABBC\nYou hear 1 gear turn.\nDDEEF\nYou hear 2 tumblers click and 1 gear turn.\nGGGGG\n"
    )
    assert Player("nethack").say(block).rows == ["AABBC 1G0T", "DDEEF 1G2T", "GGGGG *"]


def test_doubts_in_a_block_stand_with_the_row_or_with_its_clue() -> None:
    player = Player("cryptic").say("HORSE B_WR_ ?\nZONES\nRR ?\nFLESH\nB_WR_ ?")
    assert player.rows == ["HORSE BWR__ ?", "ZONES RR___ ?", "FLESH BWR__ ?"]


def test_bad_lines_of_a_block_are_listed_together_and_nothing_is_recorded() -> None:
    block = "HORSE B_WR_\nZONS RR\nFLESH *\nWORSE XX\n/undo"
    player = Player("cryptic").say("EBONY RRWRR").say(block)
    assert player.rows == ["EBONY WRRRR"]
    assert re.findall(r"^! line (\d):", player.notes, re.MULTILINE) == ["2", "4", "5"]
    assert "nothing was recorded" in player.notes
    assert player.out == ""
    assert player.conversation.take_mend() == block
    assert player.conversation.take_mend() == ""


def test_a_block_records_a_standing_guess_first() -> None:
    player = Player("cryptic").say("FLESH", "HORSE B_WR_\nZONES RR")
    assert player.rows == ["FLESH *", "HORSE BWR__", "ZONES RR___"]
    assert player.say("/undo").rows == ["FLESH *"]


def test_the_first_line_of_a_block_may_answer_a_standing_guess() -> None:
    player = Player("cryptic").say("FLESH", "RR\nHORSE B_WR_")
    assert player.rows == ["FLESH RR___", "HORSE BWR__"]
    assert player.conversation.standing is None


# Commands.


def test_suggest_prints_a_table_of_as_many_guesses_as_asked() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "/suggest 3")
    rows = player.out.splitlines()[-4:]
    assert rows[0].split() == ["guess", "bits", "largest", "may", "win"]
    assert rows[1].split()[0] == "HARES"
    assert len(player.say("/suggest").out.splitlines()) == 6
    assert len(player.say("/s 2").out.splitlines()) == 3


def test_candidates_prints_codes_and_says_whether_there_are_more() -> None:
    player = Player("3x2").say("/candidates 3")
    assert player.out == "AAA\nAAB\nABA\n"
    assert player.notes == "... and more: /candidates 15\n"
    player.say("/c 100")
    assert (len(player.out.split()), player.notes) == (8, "")


def test_why_names_the_rows_that_rule_a_code_out() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "WORSE BB", "/fact no T", "/why heart")
    assert player.out.splitlines()[-3:] == [
        "HEART is out by 2. WORSE BB___",
        "  it would show WWRRR, 2 off",
        "HEART is out by fact: no T",
    ]
    assert player.say("/undo", "/drop 2", "/w HEART").out.splitlines()[-1] == "HEART: still in"
    assert "still in" not in player.say("/w AAAAA").out


def test_try_says_what_a_guess_is_worth_beside_the_best_and_whether_it_may_win() -> None:
    player = Player("mastermind").say("RRGG BW", "/try RGYO", "/try OOOO")
    mine, more, other, rest = player.out.splitlines()[-4:]
    assert re.fullmatch(r"RGYO - \d\.\d bits \(best [A-Z]{4} \d\.\d\),", mine)
    assert re.fullmatch(r"largest group \d+, may be it", more)
    assert re.fullmatch(r"OOOO - \d\.\d bits \(best [A-Z]{4} \d\.\d\),", other)
    assert re.fullmatch(r"largest group \d+, cannot be it", rest)
    assert player.rows == ["RRGG BW"]


def test_history_prints_facts_and_rows_with_the_numbers_that_commands_take() -> None:
    player = Player("cryptic").say("/history")
    assert player.out == "nothing yet\n"
    player.say("HORSE B_WR_", "/fact contains E", "WORSE __RW_ ?", "/history")
    assert player.out.splitlines()[-3:] == [
        " 1. HORSE BWR__",
        "    fact: contains E",
        " 2. WORSE WR___ ?",
    ]


def test_edit_changes_a_clue_or_the_whole_row_or_shows_it() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "WORSE __RW_")
    assert player.say("/edit 1 BB").rows == ["HORSE BB___", "WORSE WR___"]
    assert player.out.startswith("1. HORSE: 2 black, 3 unread\n")
    assert player.say("/e 2 ZONES RR").rows == ["HORSE BB___", "ZONES RR___"]
    assert player.say("/edit 2 RRR ?").rows == ["HORSE BB___", "ZONES RRR__ ?"]
    assert player.say("/edit 1").out == "1. HORSE BB___\n"
    assert "/edit 1 CLUE" in player.notes
    assert player.say("/undo", "/undo", "/undo").rows == ["HORSE BWR__", "WORSE WR___"]


def test_drop_takes_a_row_out_and_undo_puts_it_back() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "WORSE __RW_", "/drop 1")
    assert player.rows == ["WORSE WR___"]
    assert player.out.splitlines()[-3] == "1 row now"
    assert player.say("/u").rows == ["HORSE BWR__", "WORSE WR___"]


def test_facts_restrict_and_undo_as_turns_do() -> None:
    player = Player("cryptic").say("/fact H____")
    assert player.out.startswith("fact: H____\n")
    start = int(player.out.splitlines()[1].split()[0])
    player.say("/fact contains T", "/fact no Q", "HORSE B_WR_")
    left = [player.session.game.format_code(c) for c in player.session.engine.candidates()]
    assert 0 < len(left) < start
    assert all(word[0] == "H" and "T" in word for word in left)
    player.say("/undo", "/undo", "/undo")
    assert player.out.splitlines()[-2] == f"{start} left"
    player.say("/undo")
    assert len(player.session.history) == 0


def test_undo_first_takes_back_a_guess_that_waits() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "FLESH", "/undo")
    assert player.conversation.standing is None
    assert player.rows == ["HORSE BWR__"]


def test_there_is_an_end_to_undo_and_redo() -> None:
    player = Player("cryptic").say("/undo")
    assert player.notes == "! nothing to undo\n"
    assert player.say("/redo").notes == "! nothing to redo\n"


def test_strategy_changes_how_guesses_are_picked_or_says_how() -> None:
    player = Player("cryptic").say("/strategy")
    assert player.out == "entropy\n"
    assert "largest group" in player.say("/strategy minimax").out
    assert player.say("/strategy").out == "minimax\n"
    assert "did you mean minimax?" in player.say("/strategy minmax").notes
    assert player.say("/strategy").out == "minimax\n"


def test_new_forgets_everything_and_can_be_undone() -> None:
    player = Player("heart-2018").say("/fact no Q", "FLESH", "/new")
    assert len(player.session.history) == 0
    assert player.conversation.standing is None
    assert len(player.say("/undo").rows) == 27


def test_save_keeps_the_game_in_a_file_from_now_on(home: Path) -> None:
    player = Player("cryptic").say("HORSE B_WR_", "/save")
    assert "/save FILE" in player.notes
    assert player.say("/save s.yaml", "WORSE __RW_").out.startswith("saved: s.yaml\n")
    assert len(gamefile.load("s.yaml").history) == 2
    assert player.say("/save").out == "saved: s.yaml\n"
    (home / "notes.txt").write_text("precious\n")
    assert "exists already" in player.say("/save notes.txt").notes
    assert (home / "notes.txt").read_text() == "precious\n"
    player.session.close()


def test_export_prints_the_script_or_writes_it(home: Path) -> None:
    player = Player("3x3").say("ABC B", "/export")
    script = player.out[player.out.index("; ") :]
    assert script.endswith("(check-sat)\n(get-model)\n")
    assert player.say("/export game.smt2").out == "written: game.smt2\n"
    assert (home / "game.smt2").read_text() == script


def test_help_explains_every_command() -> None:
    player = Player("cryptic").say("/help")
    for command in COMMANDS.values():
        assert f"/{command.usage}" in player.out
    assert "B black, W white, R red" in player.out
    assert player.say("/h undo").out.split() == ["/undo", "take", "it", "back"]


def test_quit_leaves() -> None:
    for line in ("/quit", "/q", "/QUIT", "/quit now"):
        player = Player("cryptic").say(line)
        assert not player.conversation.open


def test_where_a_slash_is_a_symbol_commands_and_their_short_forms_are_still_commands() -> None:
    player = Player("2x2", settings=("secret={symbols: AU/, length: 2}",))
    assert player.say("1. /u *", "/A 1 0").rows == ["/U *", "/A 1b 0w"]
    assert player.say("/u").rows == ["/U *"]
    assert "no symbol" in player.say("/x").notes
    assert player.say("/certain").out == "nothing is certain yet\n"
    assert not player.say("/fact A_", "/q now").conversation.open
    player = Player("nerdle").say("/s 2")
    assert player.suggested in player.out


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("/sugest", "no command /sugest; did you mean /suggest?"),
        ("/sug", "did you mean /suggest?"),
        ("/hist", "did you mean /history?"),
        ("/x", "no command /x"),
        ("/", "no command /"),
        ("/ undo", "nothing to undo"),
        ("/edit", "expected the number of a row"),
        ("/edit 99999999999 B", "expected the number of a row"),
        ("/edit 4 B", "no turn 4"),
        ("/drop 0", "no turn 0"),
        ("/drop -1", "expected the number of a row"),
        ("/doubt x", "expected the number of a row"),
        ("/candidates 0", "expected a number above 0"),
        ("/candidates ²", "expected a number above 0"),
        ("/suggest many", "expected a number above 0"),
        ("/fact", "is no fact"),
        ("/fact contains", "is no fact"),
        ("/fact contains 7", "'7' is no symbol"),
        ("/fact HORS_E", "a pattern has 5 places"),
        ("/why", "0 symbols"),
        ("/try HORSES", "6 symbols"),
        ("/strategy os:nothing", "cannot be loaded"),
        ("/save ~nobody-of-that-name/x", "no such home folder"),
        ("/export ~nobody-of-that-name/x", "no such home folder"),
        ("/save a\0b", "null"),
        ("/export a\0b", "null"),
        ("/save " + "x" * 5_000, "cannot be written"),
        ("/export nowhere/x", "cannot be written (No such file or directory)"),
    ],
)
def test_a_bad_command_is_one_line_and_changes_nothing(line: str, problem: str, home: Path) -> None:
    player = Player("cryptic").say(line)
    assert problem in player.notes
    assert player.notes.startswith("! ")
    assert len(player.notes.splitlines()) == 1
    assert len(player.session.history) == 0
    assert list(home.iterdir()) == []


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
    assert Player("wordle", coach=True).say("gybbg").conversation.prompt == "GYBBG clue> "


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
    game = _load("wordle")
    out = TerminalOut()
    screen = Screen(out, out)
    turn = game.parse_turn("CRANE GY.._")
    screen.turn(game, 1, turn)
    screen.history(game, History((turn,)))
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
    told = "SLOTH does not use what row 1 told (CRANE G...Y); this is hard mode"
    assert player.notes.splitlines()[0].endswith(told)
    assert player.rows == ["CRANE G...Y"]
    assert player.conversation.standing is None


def test_a_refused_guess_leaves_the_standing_one() -> None:
    player = Player("wordle", settings=HARD).say("CRANE G...Y", "CHEST", "SLOTH")
    assert player.conversation.prompt == "CHEST clue> "
    assert player.say("SLOTH *").conversation.prompt == "CHEST clue> "
    assert player.rows == ["CRANE G...Y"]


def test_hard_mode_looks_at_the_rows_before_the_one_that_is_edited() -> None:
    player = Player("wordle", settings=HARD).say("CRANE G...Y", "CHEST G.G..")
    assert "does not use what row 1 told" in player.say("/edit 2 SLOTH .....").notes
    assert player.say("/edit 1 SLOTH .....").rows[0] == "SLOTH ....."
    assert player.notes == ""


def test_a_file_whose_rows_break_hard_mode_is_loaded_all_the_same() -> None:
    log = (*HARD, "turns=[CRANE G...Y, SLOTH .....]")
    assert len(Player("wordle", settings=log).rows) == 2


# Shared results.

GUILT = "Wordle 1,327 X/6*\n\n⬛⬛⬛⬛⬛\n⬜🟨⬜🟨⬜\n⬛🟨🟨⬛🟩\n\nhttps://example.org/share"
FILLED = ["CRANE .....", "SLOTH .Y.Y.", "DIGIT .YY.G"]


def test_a_shared_result_fills_the_rows_that_are_unread() -> None:
    player = Player("wordle").say("CRANE", "SLOTH", "DIGIT")
    assert player.rows == ["CRANE *", "SLOTH *"]
    player.say(GUILT)
    assert player.rows == FILLED
    assert player.out.count("try ") == 1
    assert [line[:9] for line in player.out.splitlines()[:3]] == [
        *("1. CRANE:", "2. SLOTH:", "3. DIGIT:"),
    ]
    assert player.conversation.standing is None
    assert player.say("/undo").rows == ["CRANE *", "SLOTH *"]
    assert len(player.say("/redo").rows) == 3


def test_rows_that_were_read_stay_and_the_others_are_filled_in_order() -> None:
    player = Player("wordle").say("CRANE *", "SLOTH .Y.Y.", "DIGIT *")
    player.say("shared text\n⬛⬛⬛⬛⬛\n⬛🟨🟨⬛🟩")
    assert player.rows == FILLED


def test_guesses_may_stand_before_a_shared_result() -> None:
    player = Player("wordle").say("CRANE\nSLOTH\nnerdlegame 104 4/6\n⬛⬛⬛⬛⬛\n⬛🟨⬛🟨⬛")
    assert player.rows == FILLED[:2]
    assert player.say("/undo").rows == []


def test_a_guess_and_its_squares_on_two_lines_are_a_turn_as_ever() -> None:
    player = Player("wordle").say("DIGIT *", "CRANE\n⬛⬛🟨⬛⬛")
    assert player.rows == ["DIGIT *", "CRANE ..Y.."]
    player.say("SLOTH 🟩⬛⬛⬛⬛\nCRANE\n⬛⬛⬛⬛⬛")
    assert player.rows[2:] == ["SLOTH G....", "CRANE ....."]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x\n⬛⬛🟨⬛⬛", "1 row of squares, but 2 guesses are unread"),
        ("⬛⬛🟨⬛⬛\n" * 3, "3 rows of squares, but 2 guesses are unread"),
        ("⬛⬛🟨⬛⬛\n⬛🟩⬛⬛", "row 2 of the text: '⬛🟩⬛⬛' has 4 tiles; the guess has 5"),
        ("⬛⬛🟨⬛⬛\n🟩🟩🟨🟩🟩", "row 2 of the text: '🟩🟩🟨🟩🟩' cannot happen"),
        ("🟩🟩🟩🟩⬛\n🟩🟩🟩🟩⬛", "the text is of another game"),
    ],
)
def test_a_shared_result_that_is_not_of_these_guesses_is_one_line(text: str, problem: str) -> None:
    player = Player("wordle").say("CRANE", "SLOTH").say(text)
    assert problem in player.notes
    assert (len(player.notes.splitlines()), player.out) == (1, "")
    assert player.rows == ["CRANE *"]
    assert player.conversation.prompt == "SLOTH clue> "


def test_a_shared_result_without_guesses_asks_for_them() -> None:
    player = Player("wordle").say("x\n⬛⬛🟨⬛⬛")
    assert "no guess is unread: type the guesses first" in player.notes


def test_a_bad_row_among_squares_is_no_header() -> None:
    player = Player("wordle").say("CRNE ⬛⬛🟨⬛⬛\n⬛🟩⬛⬛⬛")
    assert "! line 1: 'CRNE'" in player.notes
    assert "/undo" not in player.say("⬛🟩⬛⬛⬛\n/undo").out


@pytest.mark.parametrize("bad", ["SL0TH", "2. SL0TH", "SLOTHS", "SLOT"])
def test_a_mistyped_guess_before_squares_is_named_and_no_header(bad: str) -> None:
    player = Player("wordle").say(f"CRANE\n{bad}\nMOUTH\n⬛⬛🟨⬛⬛\n⬛🟩⬛⬛⬛")
    assert f"! {bad} before the squares is no guess: " in player.notes
    assert (len(player.notes.splitlines()), player.rows) == (1, [])
    for text in (f"{bad}\n⬛⬛🟨⬛⬛", f"MOUTH\n⬛⬛🟨⬛⬛\n{bad}\n⬛🟩⬛⬛⬛"):
        player.say("CRANE", text)
        assert f"! {bad} before the squares is no guess: " in player.notes
        assert (player.conversation.prompt, player.rows) == ("CRANE clue> ", [])


@pytest.mark.parametrize("header", ["Peaks #123", "Peaks #1,234", "Peaks 123 4/6", "4/6", "Ok"])
def test_a_header_is_no_guess(header: str) -> None:
    player = Player("peaks").say("CRANE *", "SLOTH *", f"{header}\n🔼🔽🔼🔼🟩\n🔽🔼🔼🔽🔽\nGreat!")
    assert player.rows == ["CRANE ><>>=", "SLOTH <>><<"]
    assert player.notes == ""


def test_a_guess_before_squares_may_have_a_number_and_a_comment() -> None:
    player = Player("wordle").say("#1 CRANE\n2. SLOTH # no idea\n⬛⬛⬛⬛⬛\n⬛🟨⬛🟨⬛")
    assert player.rows == FILLED[:2]


def test_a_shared_result_of_two_boards_holds_a_row_of_each_on_a_line() -> None:
    player = Player("dordle").say("CRANE", "SLATE", "SMITE")
    player.say(
        "Daily Dordle 0597 2&3/7\n"
        "⬛⬛🟩⬛🟩 ⬛⬛⬛⬛🟩\n🟩🟩🟩🟩🟩 🟩⬛⬛🟩🟩\n⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩\nexample.org/dordle"
    )
    assert player.rows == ["CRANE ..G.G ....G", "SLATE GGGGG G..GG", "SMITE * GGGGG"]
    assert player.out.splitlines()[:4] == [
        "1. CRANE: ..G.G | ....G",
        "2. SLATE: solved | G..GG",
        "3. SMITE: done | solved",
        "Solved in 3 guesses: SLATE/SMITE",
    ]


def test_a_shared_result_may_show_its_boards_two_by_two() -> None:
    player = Player("quordle").say("CRANE *", "SLATE *", "SMITE *")
    player.say(
        "Daily Quordle 12\n2️⃣3️⃣\n1️⃣🟥\n"
        "⬛⬛🟩⬛🟩 ⬛⬛⬛⬛🟩\n🟩🟩🟩🟩🟩 🟩⬛⬛🟩🟩\n⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩\n\n"
        "🟩🟩🟩🟩🟩 ⬛⬛⬛⬛🟩\n⬛⬛⬛⬛⬛ 🟩⬛⬛🟩🟩\n⬜⬜⬜⬜⬜ 🟩🟩🟩🟩🟩\n"
    )
    assert player.rows == [
        "CRANE ..G.G ....G GGGGG ....G",
        "SLATE GGGGG G..GG * G..GG",
        "SMITE * GGGGG * GGGGG",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("⬛⬛🟩⬛🟩 ⬛⬛⬛⬛\n⬛⬛🟩⬛🟩 ⬛⬛⬛⬛🟩", "row 1 of the text has 9 squares"),
        ("⬛⬛🟩⬛🟩 ⬛⬛⬛⬛🟩\n⬛⬛🟩⬛🟩 ⬛⬛⬛⬛", "row 2 of the text has 9 squares"),
        ("⬛⬛🟩⬛🟩\n⬛⬛🟩⬛🟩", "the text shows 1 boards; the game has 2"),
        ("⬛⬛🟩⬛🟩\n\n⬛⬛🟩⬛🟩", "1 row of squares, but 2 guesses are unread"),
    ],
)
def test_squares_that_are_not_of_the_boards_are_one_line(text: str, problem: str) -> None:
    player = Player("dordle").say("CRANE *", "SLATE *", text)
    assert problem in player.notes
    assert player.rows == ["CRANE * *", "SLATE * *"]


def test_arrows_are_shared_where_the_rule_has_them() -> None:
    player = Player("peaks").say("CRANE *", "Word Peaks #12 X/6\n🔼🔽🟩🔼🔼")
    assert player.rows == ["CRANE ><=>>"]


def test_counts_have_no_shared_results() -> None:
    player = Player("mastermind").say("RGBY *", "x y\n🟩🟩🟩🟩")
    assert player.rows == ["RGBY *"]
    assert "nothing was recorded" in player.notes


# When the list runs out.

CZECH = ("CRANE G...Y", "SLOTH ....G")


def test_a_list_that_ran_out_names_the_wider_one_and_its_words() -> None:
    player = Player("wordle").say(*CZECH)
    assert (
        "No word of common fits; huge has 1: CZECH. /widen switches.\n"
        "It became impossible with 2. SLOTH ....G\n"
        "Rows 1, 2 cannot all be right.\n"
        "Mend a row: /edit 2 CLUE, /drop 2, /undo\n"
    ) in player.out


def test_widen_switches_and_says_how_to_go_back() -> None:
    player = Player("wordle").say(*CZECH, "/widen")
    assert player.out.splitlines()[-3:] == [
        "secrets: huge; /widen common goes back",
        "1 left",
        "try CZECH - the only one left",
    ]
    assert len(player.say("/undo").rows) == 1
    assert player.session.list_name == "huge"
    player.say("/widen common")
    assert player.out.startswith("secrets: common; /widen huge goes back\n33 left\n")


def test_widen_is_allowed_where_something_fits_still() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "/widen")
    said, left, _ = player.out.splitlines()[-3:]
    assert said == "secrets: large; /widen standard goes back"
    assert int(left.removesuffix(" left").replace(",", "")) > 933


def test_widen_keeps_how_guesses_are_picked() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "/strategy parts", "/widen huge")
    assert player.session.game.play.strategy == "parts"


@pytest.mark.parametrize(
    ("game", "line", "problem"),
    [
        ("mastermind", "/widen", "come from no word list"),
        ("nerdle", "/widen huge", "come from no word list"),
        ("cryptic", "/widen hug", "did you mean huge?"),
        ("xordle", "/widen", "pairs of words are too many"),
        ("xordle", "/widen large", "pairs of words are too many"),
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
    assert player.notes == "... and more: /candidates 5\n"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "SLATE/CRANE",
            [
                "board 1: SLATE is out by 1. CRANE .....",
                "  it would show ..G.G, 2 off",
                "board 2: CRANE is still in",
            ],
        ),
        ("2: CRANE", ["board 2: CRANE is still in"]),
        (
            "SLATE",
            [
                "board 1: SLATE is out by 1. CRANE .....",
                "  it would show ..G.G, 2 off",
                "board 2: SLATE is out by 1. CRANE GGGGG",
                "  it would show ..G.G, 3 off",
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


# Coaching, width, control characters.


def test_a_coach_counts_and_keeps_suggestions_for_when_they_are_asked() -> None:
    player = Player("cryptic", coach=True)
    assert "try " not in player.greeting
    assert player.say("HORSE B_WR_").out.splitlines()[1:] == ["933 left"]
    assert "TARES" in player.say("/suggest").out


@pytest.mark.parametrize("game", ["cryptic", "heart-2018", "nethack", "mastermind", "4x6"])
def test_all_that_is_printed_in_play_fits_40_columns(game: str) -> None:
    player = Player(game)
    lines = player.greeting.splitlines()[1:]
    for line in ("1 1", "RR", "* ?", "/fact contains A", "/history", "/undo", "/suggest", "/help"):
        lines += player.say(line).out.splitlines()
    legend = player.session.game.rule.legend()
    too_long = [line for line in lines if len(line) > 40 and legend not in line]
    assert too_long == []


def test_a_terminal_does_not_obey_what_was_typed_or_what_a_file_says() -> None:
    with pytest.raises(GameFileError, match="a control character"):
        Player("cryptic", settings=(r'title="\e[2Jwiped\e]0;x\a"',))
    player = Player("cryptic")
    for line in (
        *("\x1b[31mHORSE B", "HORSE \x1b]0;x\x07", "/fact \u202eabc", "/x\x1b[2J", "HORSE B\x9b"),
        "HO\x08RSE B\nHORSE\x1b B",
    ):
        printed = player.say(line).out + player.notes
        assert printed
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", printed)


@pytest.mark.parametrize("line", ["x", "[", "HORSE [", "HORSE B", "/y", "9", "HORSE 9", "/fact _"])
def test_an_endless_line_is_answered_with_a_short_one(line: str) -> None:
    player = Player("cryptic").say(line + line[-1] * 100_000)
    assert 0 < len(player.notes) < 2_000


# The pipe.


def test_a_pipe_reads_what_a_terminal_reads(run: Program) -> None:
    lines = "HORSE B_WR_\nWORSE __RW_\n/candidates 5\n/undo\n/quit\nFLESH *\n"
    done = run("play", "cryptic", stdin=lines)
    assert done.status == 0
    assert done.out.splitlines()[4:] == [
        "1. HORSE: 1 black, 1 white, 1 red, 2 unread",
        "933 left",
        "try HARES - 0.5 bits, wins 0.3 %",
        "2. WORSE: 1 white, 1 red, 3 unread",
        "863 left",
        "try HARES - 0.5 bits, wins 0.4 %",
        *(f"{word}  0.3 %" for word in ("HEARS", "HEIRS", "HARES", "HERBS", "HERDS")),
        "1 row now",
        "933 left",
        "try HARES - 0.5 bits, wins 0.3 %",
    ]
    assert done.err == "... and more: /candidates 25\n"


def test_a_shared_result_fills_the_rows_from_a_pipe_too(run: Program) -> None:
    done = run("play", "wordle", stdin="SLATE\nCHORE\n🟩🟨⬜⬜🟩\n⬛⬛⬛⬛🟩\n/history\n")
    assert " 1. SLATE GY..G" in done.out
    assert " 2. CHORE ....G" in done.out


def test_a_pipe_reports_bad_lines_and_skips_them(run: Program, home: Path) -> None:
    lines = "HORSE B_WR_\nHORSES B\n/nothing\nWORSE __RW_\nFLESH"
    done = run("play", "cryptic", "--session", "s.yaml", stdin=lines)
    assert done.status == 0
    assert len(done.err.splitlines()) == 2
    assert [t.guess for t in gamefile.load("s.yaml").history.turns] == [
        gamefile.load("cryptic").parse_guess(word) for word in ("HORSE", "WORSE", "FLESH")
    ]


def test_a_pipe_ends_with_status_1_where_the_rows_contradict_each_other(run: Program) -> None:
    lines = "RRRR B\nRGBY none\n"
    assert run("play", "mastermind", stdin=lines).status == 1
    assert run("play", "mastermind", stdin=lines + "/undo\n").status == 0
    assert run("play", "mastermind", stdin=lines + "/quit\n").status == 1


def test_echo_repeats_the_lines_behind_their_prompts(run: Program) -> None:
    done = run("play", "cryptic", "--echo", stdin="FLESH\nRR\n")
    assert "> FLESH\nFLESH clue> RR\n1. FLESH: 2 red, 3 unread\n" in done.out


# Whatever is typed.

# fmt: off
_PARTS = [
    "HORSE", "horse", "FLESH", "AABB", "AABBC", "1234", "RGBY", "RRGGBB", "red-red-blue-green",
    "B_WR_", "RR", "[BW]", "[", "]", "[]", "[[[", "1b", "2-3 gears", "2t1g", ">=1b", "2 1",
    "1A2B", "*", "?", "none", "won", "unread", ".", "_", "-", ":", "#", "# 3", "/", "//", "1.",
    "2)", '""', "You hear 2 tumblers click and 1 gear turn.", "0", "9" * 30, "\u0663", "\xb2",
    "\xbd", "\u1e9e", "\u0130", "\u01c5", "\x00", "\x1b[2J", "\x07", "\x85", "\u2028", "\u202e",
    "\ufeff", "\ud800", "\U0001f7e9", "\xe9", ",", ";", "|", "\t", "\x0b", "=", "%s", "{}", "\\",
    "'", '"', "[red]", "[/]", "$(x)", "~",
    "/edit 1", "/edit 2 RR", "/edit 99999999999", "/drop 1", "/drop", "/doubt 2", "/fact no Q",
    "/fact contains E", "/fact H____", "/fact [", "/undo", "/redo", "/new", "/history", "/help",
    "/candidates 3", "/candidates 0", "/suggest 2", "/suggest x", "/why HEART", "/try HORSE",
    "/strategy parts", "/strategy nothing", "/strategy", "/u", "/c", "/s", "/h",
    "/certain", "/repair", "/repair 1", "/widen", "/widen common", "/widen huge",
    "/why 2: HEART", "/why A/B",
    "GY..G", "21002", "🟩🟨⬛⬛⬛", "🟩🟨⬛⬛⬛ 🟩🟨⬛⬛⬛", "🟩🟨", "⬛⬛⬛⬛⬛", "Wordle 1,327",
    "CRANE", "SLOTH", "12+35=47", "12+35=48", "12347",
]
# fmt: on
_FILES = ["/save", "/save .", "/save ~nobody-of-that-name", "/export", "/export .", "/export a\0b"]
"""Lines of their own: a path put together by chance might lead to a real place."""


def _line(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.02:
        return rng.choice(_FILES)
    if kind < 0.05:
        return rng.choice(_PARTS) * rng.choice([1_000, 10_000])
    if kind < 0.15:
        return "".join(chr(rng.randrange(rng.choice([128, 0x300, 0x11_0000]))) for _ in range(20))
    if kind < 0.25:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(40))).decode("latin-1")
    if kind < 0.3:
        return "\n".join(_line(rng) for _ in range(rng.randrange(5)))
    chosen = rng.choices(_PARTS, k=rng.randint(1, 3))
    return rng.choice([" ", " ", " ", "", ":", ","]).join(chosen)


_GAMES = [
    *("cryptic", "nethack", "mastermind", "bulls-and-cows", "word-mastermind", "mansions-digits"),
    *("heart-2018", "4x6", "2x30", "1x1"),
]
_SLOWER = ["wordle", "dordle", "nerdle", "primel", "peaks", "jotto"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "lines"), [*((game, 1_000) for game in _GAMES), *((game, 150) for game in _SLOWER)]
)
def test_hundreds_of_lines_of_anything_are_answered(game: str, lines: int, home: Path) -> None:
    rng = random.Random(game)
    player = Player(game)
    player.say("/save s.yaml")
    for _ in range(lines):
        line = _line(rng)
        player.say(line)
        assert "Traceback" not in player.out + player.notes
        player.conversation.open = True
        if len(player.rows) > 60:
            player.say("/new")
    assert gamefile.load("s.yaml").history.turns == player.session.history.turns
    player.session.close()
    assert {path.name for path in home.iterdir()} <= {"s.yaml", ".s.yaml.lock"}


@pytest.mark.slow
@pytest.mark.parametrize("game", [*_GAMES, "wordle", "dordle", "nerdle"])
def test_dozens_of_lines_of_anything_through_a_pipe_end_quietly(
    game: str, start: Program, home: Path
) -> None:
    rng = random.Random(f"pipe {game}")
    lines = [_line(rng).encode("utf-8", "surrogatepass") for _ in range(40)]
    lines += [bytes(rng.randrange(256) for _ in range(30)) for _ in range(20)]
    done = start("play", game, "--session", "s.yaml", input=b"\n".join(lines))
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr
    assert b"should not happen" not in done.stderr
    assert start("check", "s.yaml").returncode in (0, 1)
