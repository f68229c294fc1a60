"""What a conversation does with its game, and the same rows from wherever they come."""

import json
from pathlib import Path

import pytest

from cases import cases
from player import KeptScreen, Player
from positions import read_back
from program import Program
from puzzlehunt.codes.alphabet import FOREIGN
from puzzlehunt.engines.base import Counted
from puzzlehunt.errors import GameFileError
from puzzlehunt.explanation.repair import Suspect
from puzzlehunt.explanation.why import Certainties
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import example_turn
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.rules.notation.clue import NONE_WORDS
from puzzlehunt.session import changes, outcomes
from puzzlehunt.session.session import Session
from terminals import LOG


def left(player: Player) -> int | None:
    """Return how many candidates the newest line left, None where it does not say."""
    counted = [one for one in player.outcomes if isinstance(one, Counted)]
    return counted[-1].counts[0].exact if counted else None


# Rows.


def test_the_log_of_a_hunt_is_one_block_with_one_suggestion_and_one_undo() -> None:
    player = Player("cryptic").say("\n".join(LOG))
    kinds = [type(outcome).__name__ for outcome in player.outcomes]
    assert (kinds.count("RowEffect"), kinds.count("Advice"), left(player)) == (27, 1, 47)
    noted = [one.text[:5] for one in player.outcomes if isinstance(one, outcomes.Note)]
    assert noted == ["PERTH", "HERZL", "CLARE"]
    assert player.rows == Player("heart-2018", quiet=True).rows
    player.say("\n".join(LOG))
    assert player.outcomes[0] == outcomes.Note("rows: 27 known")
    player.say("\n".join(LOG + LOG))
    assert (left(player), len(player.rows)) == (47, 27)
    assert player.say("/undo").rows == []
    assert len(player.say("/redo").rows) == 27


def test_a_shared_result_fills_rows_and_pasted_again_is_known() -> None:
    squares = "Wordle 3/6\n\n🟩🟨⬛⬛🟩\n🟩⬛⬛⬛🟩"
    player = Player("wordle").say("CRANE\nCLOSE", squares)
    assert player.rows == ["CRANE GY..G", "CLOSE G...G"]
    assert not any(isinstance(one, RowEffect) for one in player.say(squares).outcomes)
    player.say("CURVE", squares + "\n🟩🟩🟩🟩🟩")
    assert player.rows == ["CRANE GY..G", "CLOSE G...G", "CURVE GGGGG"]


def test_no_row_of_a_real_log_is_called_misread() -> None:
    player = Player("cryptic", coach=True)
    for turn in gamefile.load("heart-2018").history.turns:
        player.say(format_turn(player.session.game, turn))
        assert not any(isinstance(one, Suspect) for one in player.outcomes)
    assert len(player.rows) > 20


# Commands.


@pytest.mark.parametrize(("game", "row", "fact", "listed"), cases("candidates that have a fact"))
def test_candidates_are_listed_by_a_fact_that_is_not_recorded(
    game: str, row: str, fact: str, listed: str
) -> None:
    player = Player(game).say(row)
    assert sorted(player.say(f"/candidates {fact}").out.split()) == listed.split()
    assert not player.session.history.facts


def test_where_a_slash_is_a_symbol_commands_and_their_short_forms_are_still_commands() -> None:
    player = Player("2x2", settings=("secret={symbols: AU/, length: 2}",))
    assert isinstance(player.say("/certain").outcomes[0], Certainties)
    assert not player.say("/fact A_", "/q").conversation.is_open


def test_save_keeps_the_game_in_a_file_from_now_on(home: Path) -> None:
    player = Player("2x3").say("AB B", "/save")
    assert isinstance(player.outcomes[0], outcomes.Failed)
    player.say("/save s.yaml", "AC *")
    assert len(gamefile.load("s.yaml").history) == 2
    assert player.say("/save").outcomes == [outcomes.Note("saved: s.yaml")]
    player.session.close()


def test_export_writes_what_it_prints(home: Path) -> None:
    player = Player("3x3").say("ABC B").say("/export")
    shown = player.out
    player.say("/export game.smt2")
    assert (home / "game.smt2").read_text() == shown


def test_a_list_of_ones_own_is_not_widened_to_a_shorter_one(home: Path) -> None:
    words = gamefile.load("wordle", ["secret.words=common"]).secrets
    (home / "own.txt").write_text("\n".join(map(words.alphabet.format, words)))
    player = Player("wordle", settings=("secret.words=own.txt",)).say("/widen")
    assert player.session.game.secrets.size > words.size


def test_a_strategy_stays_where_the_list_is_widened_and_undo_leaves_both() -> None:
    player = Player("cryptic").say("HORSE B_WR_", "/strategy consistent", "/widen")
    kept, session = ("consistent", 7_128), player.session
    assert (session.game.play.strategy, session.game.secrets.size) == kept
    assert (left(player) or 0) > 933
    player.say("/undo")
    assert (session.game.play.strategy, session.game.secrets.size) == kept
    changed, *_ = player.say("/strategy parts").outcomes
    assert isinstance(changed, outcomes.Note)
    assert "/strategy consistent" in changed.text


# What is printed, whatever it is.


class Phone(KeptScreen):
    width = 40


@pytest.mark.parametrize("game", ["cryptic", "heart-2018", "nethack", "mastermind"])
def test_all_that_is_printed_in_play_fits_40_columns(game: str) -> None:
    player = Player(game, settings=("play.strategy=entropy",) if game == "mastermind" else ())
    lines = player.greeting.splitlines()[1:]
    player.screen = Phone()
    for line in ("1 1", "RR", "* ?", "/fact contains A", "/history", "/undo", "/suggest", "/help"):
        lines += player.say(line).out.splitlines()
    legend = player.session.game.rule.notation.legend()
    assert not [line for line in lines if len(line) > 40 and legend not in line]


@pytest.mark.parametrize("name", [*gamefile.built_in_games(), "16x6", "2x2", "12x250"])
def test_every_game_has_an_example_that_can_be_typed(name: str) -> None:
    game = gamefile.load(name)
    example = example_turn(game)
    assert example is not None
    text = format_turn(game, example)
    assert game.turn(f"{text} # {example.note}") == example
    if name != "fibble":  # every row of which lies
        secret = game.parse_secret(example.note.removeprefix("if the secret is "))
        assert meaning.fits(game, History((example,)), secret)
    assert FOREIGN not in example.code
    assert text.split(maxsplit=1)[1] not in NONE_WORDS
    assert example == example_turn(game)


RATES = "black: 0.10, white: 0.13, miss: 0.51"


def test_rows_that_stand_twice_weigh_once_wherever_they_come_from(run: Program, home: Path) -> None:
    log = "\n".join(LOG + LOG)
    rows = "".join(f"  - {row}\n" for row in LOG + LOG)
    (home / "twice.yaml").write_text(f"game: cryptic\nreads: {{{RATES}}}\nturns:\n{rows}")
    option = RATES.replace(": ", "=").replace(" ", "")
    for game in (["twice.yaml"], ["cryptic", "--reads", option, "--history", "-"]):
        told = json.loads(run("candidates", *game, "--limit", "1", "--json", stdin=log).out)
        assert (told["count"], told["candidates"][0]["code"]) == (47, "HEART")


def test_where_the_game_lies_a_row_becomes_unread_as_a_file_of_it_is_read() -> None:
    game = gamefile.load("2x3", ["lies={chance: 0.2}", "turns=[AB B, AB W, BC W]"])
    session = Session(game, "2x3")
    session.apply(changes.EditRows(((1, game.turn("AB *")),)))
    assert [format_turn(game, turn) for turn in session.history.turns] == ["AB W", "BC W"]
    assert read_back(game, session.history) == session.history
    session.undo()
    assert session.history == game.history


def test_rates_by_which_a_row_could_not_be_read_are_refused_and_name_it() -> None:
    game = gamefile.load("2x3", ["turns=['12 *', '13 1 0']"])
    session = Session(game, "2x3")
    with pytest.raises(GameFileError, match=r"^/rates black=0: row 2: 'B' cannot happen"):
        session.apply(changes.SetReadRates("black=0"))
    assert session.game == game
    tiles = Session(gamefile.load("2x3", ["rule=marks", "turns=['12 G_']"]), "2x3")
    tiles.settings["rule"] = "marks"
    with pytest.raises(GameFileError, match="row 1: AB G_ would mean that the guess won"):
        tiles.apply(changes.SetReadRates("absent=1,elsewhere=1,right=0.5"))


# A pipe.


def test_a_pipe_reports_bad_lines_skips_them_and_writes_its_rows(run: Program, home: Path) -> None:
    lines = "HORSE B_WR_\nHORSES B\n/nothing\nWORSE __RW_\n/candidates 1\n/undo\nFLESH"
    done = run("play", "cryptic", "--session", "s.yaml", stdin=lines)
    assert (done.status, done.err.count("!")) == (0, 2)
    game = gamefile.load("s.yaml")
    assert [format_turn(game, turn) for turn in game.history.turns] == ["HORSE BWR__", "FLESH *"]


def test_a_pipe_ends_with_status_1_where_the_rows_contradict_each_other(run: Program) -> None:
    lines = "AA B\nAB none\n"
    for more, status in (("", 1), ("/undo\n", 0), ("/quit\n", 1)):
        assert run("play", "2x3", stdin=lines + more).status == status
    assert run("candidates", "nethack", "-t", "hello").status == 2
    assert run("candidates", "nethack", "-t", "1").status == 2
