"""What typed lines become: rows, a guess that waits for its clue, nothing. No engine is opened."""

import re
from pathlib import Path

import pytest

from player import Player
from puzzlehunt.errors import GameFileError
from puzzlehunt.session.commands import COMMANDS
from puzzlehunt.session.outcomes import Failed, Helped, PartlyRead

TABLE = "Guess\tRed\tWhite\tBlack\nHORSE\t1\t\t2\nFLESH\t\t1\t\nZONES\t\t\t\n"
PROMPT = "What tune are you playing? [5 notes, A-G]"
PLAYED = "You extract a strange sound from the wooden flute!"
SUGGESTED = {
    "cryptic": "TARES", "nethack": "AABCD", "mastermind": "RRGB", "wordle": "CRANE",
    "bulls-and-cows": "0123", "jotto": "CRANE", "primel": "12953",
}  # fmt: skip
READ = {
    "cryptic": [
        ("horse b_wr_", "HORSE BWR__"),
        ("HORSE B_WR_ # from the wall", "HORSE BWR__"),
        ("# nothing yet", ""),
        # A guess alone waits for its clue; another guess records it as unread.
        ("flesh", "FLESH clue>"),
        (["flesh", "RR"], "FLESH RR___"),
        (["FLESH", "?"], "FLESH *"),
        (["FLESH", "flesh"], "FLESH clue>"),
        (["FLESH", "flesh", "FLESH RR"], "FLESH RR___"),
        (["FLESH", ""], "FLESH clue>"),
        (["FLESH", "HORSE"], "FLESH * / HORSE clue>"),
        (["FLESH", "HORSE", "WORSE __RW_"], "FLESH * / HORSE * / WORSE WR___"),
        (["FLESH", "/quit"], "FLESH clue>"),
        (["FLESH", "exit"], "FLESH clue>"),
        (["/fact no Q", "FLESH", "/new"], ""),
        ("HERZL *", "HERZL *"),
        ("clear", "CLEAR clue>"),
        # A clue alone answers the suggestion.
        *[(clue, f"TARES {row}") for clue, row in [
            ("B_WR_", "BWR__"), ("RR ?", "RR___ ?"), ("1 2", "BWW__"), ("B _ W R _", "BWR__"),
            ("B _ W R ?", "BWR__"), ("B_WR_ ?", "BWR__ ?"), ("[BW] R R", "RR[BW]__"),
            ("2 red, 1 white", "WRR__"), ("*", "*"), ("unread", "*"), ("won", "BBBBB"),
        ]],
        (["HORSE", "BW # not sure"], "HORSE BW___ ?"),
        # No clue goes to a guess that nobody made because a line before was refused.
        (["ICE AGE", "BWR__", "BWR__"], ""),
        (["ICE AGE", "/history", "BWR__"], ""),
        (["Cryptic 12 4/9", "⚫⚪🔴❓❓"], ""),
        (["ICE AGE", "HORSE", "BW"], "HORSE BW___"),
        (["FLESH", "ICE AGE", "FLESH BWR__"], "FLESH BWR__"),
        (["FLESH", "BWX", "BWR"], "FLESH BWR__"),
        *[(["ZONES *", "FLESH", word], "ZONES * / FLESH *")
          for word in ("HOR(SE)", "CRANE(xyz)", '"rot"')],
        (["EBONY *", "FLESH", "ICE AGE", "/doubt 1", "BWR__"], "EBONY * ? / FLESH *"),
        # Rows again, doubts, marks more, rows by number and by guess.
        (["HORSE BW", "ZONES RR", "HORSE BWR"], "HORSE BWR__ / ZONES RR___"),
        (["HORSE BW", "ZONES RR", "HORSE BWR", "/undo"], "HORSE BW___ / ZONES RR___"),
        (["HORSE BW", "HORSE RRRRR"], "HORSE RRRRR"),
        (["HORSE BW", "HORSE", "BWR"], "HORSE BWR__"),
        (["HORSE BW", "HORSE", "FLESH"], "HORSE BW___ / FLESH clue>"),
        (["HORSE BW ?", "/doubt 1"], "HORSE BW___"),
        (["HORSE BW", "/doubt HORSE 20%", "/doubt 1 ?"], "HORSE BW___"),
        (["HORSE BW", "WORSE WR", "/edit horse BWRR"], "HORSE BWRR_ / WORSE WR___"),
        (["HORSE BW", "WORSE WR", "/e 2 ZONES RRR ?"], "HORSE BW___ / ZONES RRR__ ?"),
        (["HORSE BW", "HOUSE R", "/edit 2 HORSE RR"], "HORSE BWRR_"),
        (["HORSE BW", "WORSE WR", "/drop HORSE"], "WORSE WR___"),
        (["HORSE BW", "WORSE WR", "/drop 1", "/u"], "HORSE BW___ / WORSE WR___"),
        (["HORSE BW", "WORSE WR", "/drop HORSE WORSE"], "HORSE BW___ / WORSE WR___"),
        (["HORSE *", "/edit 1 ?"], "HORSE *"),
        # Tables and cells.
        (TABLE, "HORSE BBR__ / FLESH W____ / ZONES *"),
        ("HORSE 1,,2", "HORSE BRR__"),
        (["GUESS", "BWR"], "GUESS BWR__"),
        # Blocks.
        *[(block, "HORSE BWR__ / FLESH * / ZONES RR___") for block in (
            "HORSE B_WR_\nFLESH *\nZONES RR",
            "HORSE;B;_;W;R;?\nFLESH\nZONES | RR",
            "# the wall\n\nHORSE B_WR_ # smudged\n\n\nFLESH unread\nZONES RR",
            "HORSE\nB_WR_\nFLESH\nZONES\nRR",
            "horse:b_wr_\nflesh:*\nzones:rr",
        )],
        (["HORSE B_WR_\nFLESH *\nZONES RR", "/undo"], ""),
        ("HORSE B_WR_ ?\nZONES\nRR ?\nFLESH\nB_WR_ ?",
         "HORSE BWR__ ? / ZONES RR___ ? / FLESH BWR__ ?"),
        (["FLESH", "HORSE B_WR_\nZONES RR"], "FLESH * / HORSE BWR__ / ZONES RR___"),
        (["FLESH", "RR\nHORSE B_WR_"], "FLESH RR___ / HORSE BWR__"),
        ("HORSE BB\nZONES RR\nHORSE BW", "HORSE BW___ / ZONES RR___"),
    ],
    "mastermind": [
        ("none", "RRGB none"),
        ("2 1", "RRGB BBW"),
        ("RRGB\t1\t", "RRGB 1b"),
        ("1122", "RRGG clue>"),
        ("RRGG You see a drawbridge coming down!", ""),
        (["RRGG", "_"], "RRGG *"),
    ],
    "bulls-and-cows": [
        ("1A2B", "0123 1A2B"),
        (["0123 1A2B", "4567 1B", "/drop 4567"], "0123 1A2B"),
    ],
    "liar": [
        (["RRGG BW", "RRGG B"], "RRGG BW / RRGG B"),
        (["RRGG BW", "RRGG B", "BBYY none", "RRGG BW\nRRGG B\nBBYY none\nOOPP W"],
         "RRGG BW / RRGG B / BBYY none / OOPP W"),
    ],
    "nethack": [
        *[(clue, f"AABCD {row}") for clue, row in [
            ("You hear 2 tumblers click and 1 gear turn.", "1G2T"), ("silence", "0G0T"),
            ("none", "0G0T"), ("nothing", "0G0T"), ("2t", "2T"), ("2 tumblers", "2T"),
            ("1 gear", "1G"), ("1 gear 2 tumblers", "1G2T"), (">=1g 1t", "1-4G 1T"), ("deaf", "*"),
            ("_", "*"), ("unread", "*"), ("G_", "G_"),
        ]],
        (["EEFGA", "2 tumblers"], "EEFGA 2T"),
        (["EEFGA", "nothing"], "EEFGA 0G0T"),
        ("AABBC\nI heard nothing", "AABBC 0G0T"),
        ("AABBC\tthe drawbridge going down", "AABBC 5G0T"),
        # As the game prints it, on one line or several.
        *[(lines, "AABBC 1G0T") for lines in (
            f"AABBC {PLAYED}  You hear 1 gear turn.", f"AABBC {PLAYED}\nYou hear 1 gear turn.",
            [f"{PROMPT} AABBC", PLAYED, "You hear bubbling water.", "You hear 1 gear turn."],
            [f"Improvise? [ynq] n\n{PROMPT} AABBC\n{PLAYED}--More--\nYou hear 1 gear turn."],
        )],
        (["AABBC", PLAYED], "AABBC 0G0T / AABBC clue>"),
        (["AABBC", PLAYED, f"{PROMPT} AABBD"], "AABBC 0G0T / AABBD clue>"),
        (["AABBC", PLAYED, "/drop 1"], ""),
        (f"{PROMPT} AABBC\n{PLAYED}\n{PROMPT} AABBD\n{PLAYED}", "AABBC 0G0T / AABBD 0G0T"),
        ([f"AABBC {PLAYED}", "You hear 1 gear turn."], "AABBC 1G0T"),
        ("AABBC You can feel the wooden flute emitting vibrations.", "AABBC *"),
        (["AABBC", "You can feel the wooden flute emitting vibrations."], "AABBC *"),
        (f"{PROMPT} AABBC - You hear 1 tumbler click.", "AABBC 0G1T"),
        ("A dead egg falls from the bugle!", ""),
        (["AABBC", "You see a drawbridge coming down!"], "AABBC 5G0T"),
        ("AABBC\nYou hear 1 gear turn.\nDDEEF\nYou hear 2 tumblers click and 1 gear turn.\nGGGGG\n",
         "AABBC 1G0T / DDEEF 1G2T / GGGGG *"),
        ("AABCD\n2 tumblers\nEEFGA\n1g", "AABCD 2T / EEFGA 1G"),
        # More notes than the tune has: five gears mean that it has to be played alone.
        *[(line, "AABBC 5G0T") for line in (
            "AABBCD 5 gears turn", "AABBCDE You hear 5 gears turn.", "AABBCx 5G0T",
            ["AABBCD", "5 gears"], "AABBCD\n5 gears turn",
        )],
        (["AABBCD 5g", "AABBC You see a drawbridge coming down!", "AABBCD 5g"], "AABBC 5G0T"),
        *[(line, "AABBC 5G0T") for line in (
            "AABBCD won", "AABBCD You see a drawbridge coming down!", "AABBC 5 gears",
        )],
        (["AABBCD 2t1g", "AABBCDE"], "AABBC 1G2T / AABBC clue>"),
        ("AABBCDE 2t1g", "AABBC 1G2T"),
        # What is no note.
        ("hello", ""),
        ("BExxx", "BExxx clue>"),
        ("hello 2g", "BExxx 2G"),
        ("aabcdefg", "AABCD clue>"),
        ("deaf 1g", "DEAF 1G"),
    ],
    "jotto": [
        ("three", "THREE clue>"),
        ("HORSE two", "HORSE CC"),
        ("2", "CRANE CC"),
    ],
    "wordle": [
        *[(clue, f"CRANE {row}") for clue, row in [
            ("gybbg", "GY..G"), ("GY--G", "GY..G"), ("GY..G", "GY..G"), ("21002", "GY..G"),
            ("🟩🟨⬛⬜🟩", "GY..G"), ("g y . _ g", "GY._G"), ("G[YG].._ ?", "G[YG].._ ?"),
            ("won", "GGGGG"), ("*", "*"),
        ]],
        ("CRANE\tG\tY\t\t\t", "CRANE GY___"),
        (["CRANE", "?"], "CRANE *"),
        ("silence", ""),
    ],
    "fallout": [("silence", "SILENCE clue>")],
    "dordle": [
        (["CRANE", "_"], "CRANE * *"),
    ],
    "primel": [("00112", "12953 ..YYG")],
}  # fmt: skip
SETTINGS = {
    "both": ("4x4", "secret={symbols: BWRX, length: 4}", "title=both"),
    "words": ("cryptic", "secret={words: [HELP, SAVE, QUIT, LAMB], length: 4}"),
    "slash": ("2x2", "secret={symbols: AU/, length: 2}"),
    "hash": ("2x2", "secret={symbols: 'A#', length: 2}"),
    "hearts": ("3x4", "secret.symbols={❤️: [heart, red], 💚: green, 👍🏽: [], 🇩🇪: germany}"),
    "squares": ("3x4", "secret.symbols=🟦🟨🟩⬛", "rule=marks"),
    "hard": ("wordle", "hard=true"),
}
"""Games with settings of their own."""
READ |= {
    "both": [("BWWB", "BWRX BBWW"), ("BWWB *", "BWWB *")],
    "words": [(["HELP *", "save RRRR"], "HELP * / SAVE RRRR")],
    "slash": [(["1. /u *", "/A 1 0"], "/U * / /A B"), (["1. /u *", "/A 1 0", "/u"], "/U *")],
    "hash": [("A# 1 0", "A# B")],
    "hearts": [
        *[(line, "❤️💚🇩🇪 BW") for line in (
            "❤️💚🇩🇪 BW", "❤💚🇩🇪 BW", "heart-green-germany BW", "❤️-💚-🇩🇪: bw", "red-💚-🇩🇪\tB W",
        )],
        ("❤️💚👍 BW", ""),
    ],
    "squares": [(["🟦🟨🟩 🟩⬛🟨", "🟦🟦⬛\n🟨🟦🟩 *"], "🟦🟨🟩 G.Y / 🟦🟦⬛ * / 🟨🟦🟩 *")],
    "hard": [
        (["CRANE G...Y", "SLOTH"], "CRANE G...Y"),
        (["CRANE G...Y", "SLOTH ....."], "CRANE G...Y"),
        (["CRANE G...Y", "CLUES\nSLOTH ..Y.."], "CRANE G...Y / record the 1? [Y/n]"),
        (["CRANE G...Y", "CHEST", "SLOTH", "SLOTH *"], "CRANE G...Y / CHEST *"),
        (["CRANE G...Y", "CHEST G.G..", "/edit 2 SLOTH ....."], "CRANE G...Y / CHEST G.G.."),
        (["CRANE G...Y", "CHEST G.G..", "/edit 1 SLOTH ....."], "SLOTH ..... / CHEST G.G.."),
    ],
}  # fmt: skip
SUGGESTED["both"] = "BWRX"
LINES = [(game, *case) for game, cases in READ.items() for case in cases]


def typing(game: str) -> Player:
    """Return somebody who plays a game, to whom a guess was suggested."""
    name, *settings = SETTINGS.get(game, (game,))
    return Player(name, settings=tuple(settings), quiet=True, suggested=SUGGESTED.get(game, ""))


@pytest.mark.parametrize(("game", "lines", "rows"), LINES, ids=lambda value: str(value)[:40])
def test_lines_become_rows_or_a_guess_that_waits(
    game: str, lines: str | list[str], rows: str
) -> None:
    player = typing(game)
    player.say(*([lines] if isinstance(lines, str) else lines))
    waiting = [] if player.prompt == "> " else [player.prompt.strip()]
    read = player.rows[:-1] if waiting and player.session.pending else player.rows
    assert " / ".join([*read, *waiting]) == rows


@pytest.mark.parametrize(("game", "lines"), [
    ("cryptic", ["HORSES B"]), ("cryptic", ["HORSE X"]), ("cryptic", ["HO?SE B"]),
    ("cryptic", ["/x"]), ("cryptic", ["HORSE B, W, ?"]),
    ("cryptic", ["/edit 4 B"]), ("cryptic", ["/save a\0b"]),
    ("cryptic", ["/export a\0b"]), ("cryptic", ["/save " + "x" * 5_000]),
    ("nethack", ["1"]), ("nethack", ["xx 2t"]), ("bulls-and-cows", ["1234" * 1250]),
    ("mansions-of-madness", ["12"]), ("slash", ["/x"]), ("wordle", ["GGGGY"]), ("wordle", ["GY."]),
    ("capitals", ["equal"]),
    *[("cryptic", [line + line[-1] * 10_000])
      for line in ("x", "[", "HORSE [", "HORSE B", "/y", "9", "HORSE 9", "/fact _")],
])  # fmt: skip
def test_a_line_that_cannot_be_read_is_answered_in_one_short_one(
    game: str, lines: list[str], home: Path
) -> None:
    player = typing(game).say(*lines[:-1])
    rows = player.rows
    (failed,) = player.say(lines[-1]).outcomes
    assert isinstance(failed, Failed)
    assert player.notes.count("\n") == 1
    assert len(player.notes) < 2_000
    assert (player.rows, player.out, player.prompt) == (rows, "", "> ")
    assert not [*home.iterdir()]


def test_without_a_suggestion_a_word_that_could_be_tiles_is_a_guess_and_a_clue_asks_for_one() -> (
    None
):
    assert Player("wordle", quiet=True).say("gybbg").prompt == "GYBBG clue> "
    for clue in ("B_WR_", "*", "unread", "1 2", "won"):
        (failed,) = Player("cryptic", quiet=True).say(clue).outcomes
        assert isinstance(failed, Failed)
        assert failed.kind == "InvalidTurnError"


@pytest.mark.parametrize(("answer", "rows"), [("", 3), ("Yes", 3), ("n", 1), ("ZONES RR", 2)])
def test_what_was_read_of_a_block_is_recorded_if_the_next_line_agrees(
    answer: str, rows: int
) -> None:
    block = "HORSE B_WR_\nZONS RR\nFLESH *\nWORSE XX\n/undo"
    player = typing("cryptic").say("EBONY RRWRR").say(block)
    (read,) = player.outcomes
    assert isinstance(read, PartlyRead)
    assert [problem.line for problem in read.problems] == [2, 4, 5]
    assert [turn.guess for turn in read.turns] == ["HORSE", "FLESH"]
    assert (player.rows, player.prompt) == (["EBONY WRRRR"], "record the 2? [Y/n] ")
    player.say(answer)
    assert (len(player.rows), player.prompt) == (rows, "> ")


# Words without a slash, and words of other programs.


@pytest.mark.parametrize("word", sorted({*COMMANDS} - {"help", "quit"}))
def test_a_word_that_is_a_commands_name_asks_for_the_slash(word: str) -> None:
    for typed in (word, word.upper()):
        player = typing("cryptic").say(typed)
        guess = f"; a guess: {typed} *" if len(word) == 5 else ""
        assert player.notes == f"/{word}? Commands start with a slash{guess}\n"
        assert (player.rows, player.prompt) == ([], "> ")


@pytest.mark.parametrize("game", ["wordle", "cryptic", "nethack", "nerdle", "quordle"])
def test_help_and_leaving_need_no_slash(game: str) -> None:
    for word, listed in (("help", 11), ("?", 11), ("Help", 11), ("/help all", len(COMMANDS))):
        (helped,) = Player(game, quiet=True).say(word).outcomes
        assert isinstance(helped, Helped)
        assert len(helped.commands) == listed
    for word in ("quit", "exit", "QUIT", "/exit", "/q", "/QUIT"):
        assert not Player(game, quiet=True).say(word).conversation.is_open


# Notes, facts, control characters.


AGAIN = ["HORSE BW # from 12", "HORSE BWR", "/edit 1 BWRR"]


@pytest.mark.parametrize(("game", "lines", "notes"), [
    ("cryptic", ["HORSE # from 12", "BWR", "ZONES", "RR # the wall"], ["from 12", "the wall"]),
    ("cryptic", ["HORSE # one\nBWR\nZONES RR # two\nFLESH # 3 of us"], ["one", "two", "3 of us"]),
    ("cryptic", AGAIN, ["from 12"]),
    ("cryptic", [*AGAIN, "HORSE BWRR # the wall"], ["the wall"]),
    ("cryptic", [*AGAIN, "HORSE BWRR # the wall", "HORSE BWRR", "/undo"], ["from 12"]),
    *(("cryptic", [*AGAIN, f"/edit 1 {sign}"], [""]) for sign in ("#", "BWRR #", "HORSE BWRR # ")),
    ("cryptic", [*AGAIN, "/edit 1 # the wall"], ["the wall"]),
    ("cryptic", ["HORSE BW # \x1b[2Jwiped"], ["[2Jwiped"]),
    ("hash", ["A# 1 0"], [""]),
])  # fmt: skip
def test_a_note_stays_with_its_row_whatever_becomes_of_it(
    game: str, lines: list[str], notes: list[str]
) -> None:
    player = typing(game).say(*lines)
    assert [turn.note for turn in player.session.history.turns] == notes
    assert not player.rows[0].endswith(" *")  # a note alone leaves the clue


def test_a_terminal_does_not_obey_what_was_typed_or_what_a_file_says() -> None:
    with pytest.raises(GameFileError, match="a control character"):
        Player("cryptic", settings=(r'title="\e[2Jwiped\e]0;x\a"',))
    player = typing("cryptic")
    for line in (
        *("\x1b[31mHORSE B", "HORSE \x1b]0;x\x07", "/fact \u202eabc", "/x\x1b[2J", "HORSE B\x9b"),
        "HO\x08RSE B\nHORSE\x1b B",
    ):
        printed = player.say(line).out + player.notes
        assert printed
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", printed)
