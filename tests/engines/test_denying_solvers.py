"""A solver that says `unsat` where something fits: no answer rests on that unseen."""

import json
from dataclasses import replace

import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.game.files import gamefile
from solver_programs import DENIABLE, asking, check_false_unsat, denying


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("question", ["candidates", "conflict"])
def test_a_false_unsat_is_found_out_by_score(programs, question):
    check_false_unsat(programs, DENIABLE[question], 2, ["repeats", "words"])


@pytest.mark.usefixtures("quick")
def test_a_true_unsat_of_the_same_program_is_no_error(programs):
    game = gamefile.load("3x3", ["turns=[ABC B, BAC WWW, AAA B]"])
    healthy = asking(game, denying(programs, 10**6))
    right = asking(game, "z3")
    for ask in DENIABLE.values():
        assert ask(healthy) == ask(right)


@pytest.mark.parametrize("solver", [None, "z3", "cvc5"])
@pytest.mark.parametrize("name", ["4x6", "9x9", "dordle"])
def test_what_proves_is_our_own_solver_or_a_listing(solver, name):
    game = replace(gamefile.load(name)).with_play({"solver": solver, "engine": "symbolic"})
    assert open_engine(game).proves == (name != "9x9" or solver in (None, "z3"))


@pytest.mark.usefixtures("quick")
def test_that_nothing_fits_by_the_word_of_a_solver_alone_says_so(programs, home, run):
    (home / "tiles.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: marks\n")
    solver = denying(programs, "rows")
    chosen = ["--set", f"play.solver={solver}"]
    told = run("play", "tiles.yaml", *chosen, stdin="ABCDEFGHI GGGGGGYY.\n")
    assert "Nothing fits: no code agrees with all rows.\n" in told.out
    assert f"(as {solver} says; nobody can confirm it)\n" in told.err
    asked = run("suggest", "tiles.yaml", "-t", "ABCDEFGHI GGGGGGYY.", *chosen, "--json")
    told_again = json.loads(asked.out)
    assert (told_again["count"], told_again["exact"]) == (None, False)
