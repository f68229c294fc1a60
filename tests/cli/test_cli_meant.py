"""What people type first at the command line, and where it leads them."""

import json

import pytest

from cases import cases
from puzzlehunt.game.files import gamefile
from puzzlehunt.strategies import BUILT_IN

ROW = "HORSE B_WR_"


def test_the_name_of_a_game_plays_it(run, home):
    by_name = run("cryptic", "--coach", stdin=f"{ROW}\n")
    assert by_name == run("play", "cryptic", "--coach", stdin=f"{ROW}\n")
    assert run("4x6", stdin="/quit\n").out.startswith("4x6 (")
    (home / "mine.yaml").write_text("{title: My own, game: 3x4}")
    assert run("mine.yaml", stdin="/quit\n").out.startswith("My own")


@pytest.mark.parametrize(("name", "meant"), cases("names of games"))
def test_a_game_is_found_however_its_name_is_written(name, meant, run, home):
    assert gamefile.own_name(name) == meant
    assert run("games", name) == run("games", meant)
    assert run("candidates", name, "--limit", "3") == run("candidates", meant, "--limit", "3")
    assert run(name, "--session", "s.yaml", stdin="/quit\n").status == 0
    assert f"game: {meant}\n" in (home / "s.yaml").read_text()
    assert run("play", meant, "--session", "s.yaml", stdin="/quit\n").status == 0
    (home / "mine.yaml").write_text(f"game: {name}\n")
    assert gamefile.load("mine.yaml").secrets == gamefile.load(meant).secrets


def test_a_row_of_several_words_needs_no_quotes(run):
    expected = run("candidates", "cryptic", "-t", ROW, "--json")
    assert run("candidates", "cryptic", *ROW.split(), "--json") == expected
    expected = run("candidates", "nethack", "-t", "AABCD 2 tumblers", "--json")
    assert run("candidates", "nethack", "AABCD", "2", "tumblers", "--json") == expected
    assert json.loads(run("candidates", "cryptic", "HORSE", "--json").out)["count"] == 3385


def test_a_dash_as_a_row_is_the_rows_on_stdin(run):
    stdin = f"{ROW}\nWORSE __RW_\n"
    for command in ("candidates", "explain"):
        expected = run(command, "cryptic", ROW, "WORSE __RW_", "--json")
        for dash in (["-"], ["-t", "-"], ["--history", "-"], ["-", "--history", "-"]):
            assert run(command, "cryptic", *dash, "--json", stdin=stdin) == expected
    assert run("play", "cryptic", "-", stdin=stdin) == run("play", "cryptic", stdin=stdin)
    asked = run("explain", "cryptic", "-", "--why", "HEART", stdin=stdin)
    assert asked.out.startswith("HEART")
    assert asked == run("explain", "cryptic", ROW, "WORSE __RW_", "--why", "HEART")


@pytest.fixture
def complete(monkeypatch, run):
    def complete(*words):
        monkeypatch.setenv("_PUZZLEHUNT_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(["puzzlehunt", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        done = run()
        assert done.err == ""
        return done.out.split()

    return complete


def test_a_shell_completes_commands_options_games_and_strategies(complete):
    assert complete("sug") == ["suggest"]
    assert complete("suggest", "wordle", "--har") == ["--hard"]
    assert complete("play", "wo") == ["word-mastermind", "wordle", "worldle"]
    assert complete("candidates", "") == list(gamefile.built_in_games())
    assert complete("suggest", "wordle", "--strategy", "") == list(BUILT_IN)
    assert complete("wordle", "--strategy", "min") == ["minimax"]
    for command in ("compare", "run"):
        assert complete("lab", command, "nethack", "--strategy", "min") == ["minimax"]
