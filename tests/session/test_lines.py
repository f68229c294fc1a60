"""What typed lines become: rows, a guess that waits for its clue, nothing. No engine is opened."""

import re
from pathlib import Path

import pytest
import yaml

from player import Player
from puzzlehunt.errors import GameFileError
from puzzlehunt.session.commands import COMMANDS
from puzzlehunt.session.outcomes import Failed, Helped, PartlyRead

SUGGESTED = {
    "cryptic": "TARES", "nethack": "AABCD", "mastermind": "RRGB", "wordle": "CRANE",
    "bulls-and-cows": "0123", "jotto": "CRANE", "primel": "12953", "both": "BWRX",
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
FILE = Path(__file__).parents[1] / "data" / "typed_lines.yaml"
READ = yaml.safe_load(FILE.read_text(encoding="utf-8"))
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
    ("capitals", ["equal"]), ("capitals", ["Vienna " + "9" * 400]),
    ("worldle", ["France 9km " + "9" * 5_000 + "%"]),
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
