"""A solver that says `unsat` where something fits: no answer rests on that unseen."""

import json

import pytest

from solver_programs import DENIABLE, check_false_unsat, denying

UNCONFIRMED = "nobody can confirm it"
KINDS = ["repeats", "distinct", "words", "tunes", "halves"]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("each", [1, 3])
@pytest.mark.parametrize("question", DENIABLE)
def test_a_false_unsat_is_found_out_by_score_where_codes_can_be_listed(programs, question, each):
    check_false_unsat(programs, DENIABLE[question], each, KINDS)


@pytest.mark.usefixtures("quick")
def test_nothing_is_exact_that_rests_on_an_unsat_that_nobody_confirmed(programs, home, run):
    """Among so many codes only the solver can say that none is left; of the game it tells right."""
    (home / "tiles.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: marks\n")
    solver = denying(programs, "rows")
    asked = ["tiles.yaml", "-t", "ABCDEFGHI GGGGGGYY.", "--set", f"play.solver={solver}"]
    for command in (["candidates"], ["suggest"]):
        told = run(*command, *asked, "--json")
        answer = json.loads(told.out)
        assert told.status == 1
        assert (answer["count"], answer["exact"]) == (None, False)
        assert UNCONFIRMED in told.err


@pytest.mark.parametrize("command", ["candidates", "explain", "suggest"])
@pytest.mark.parametrize("rule", ["marks", "pegs"])
def test_who_denies_everything_is_found_out_or_named(broken, home, run, command, rule):
    (home / "huge.yaml").write_text(f"secret: {{symbols: ABCDEFGHI, length: 9}}\nrule: {rule}\n")
    clue = {"marks": "GGGGGGYY.", "pegs": "BBWW"}[rule]
    solver = broken("says unsat to everything").command
    told = run(
        command, "huge.yaml", "-t", f"ABCDEFGHI {clue}", "--set", f"play.solver={solver}", "--json"
    )
    if told.status == 2:  # our own draws found a candidate
        assert (rule, told.out) == ("pegs", "")
        assert "although" in told.err
    else:
        assert not json.loads(told.out).get("exact")
        assert told.status == 0 or UNCONFIRMED in told.err


@pytest.mark.usefixtures("quick")
@pytest.mark.usefixtures("quick")
def test_what_is_certain_by_an_unsat_that_nobody_confirmed_says_so(programs, home, run):
    (home / "tiles.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: marks\n")
    rows = ["tiles.yaml", "-t", "ABCDEFGHI GGGGGGYY."]
    foreign = ["--set", f"play.solver={programs['cvc5']} -"]
    alone = f"(as {programs['cvc5']} - says; {UNCONFIRMED})"
    own, told = run("explain", *rows), run("explain", *rows, *foreign)
    assert (own.out, own.err) == (told.out, "")
    assert own.out
    assert told.err == f"{alone}\n"
    own, told = (json.loads(run("explain", *rows, *more, "--json").out) for more in ([], foreign))
    assert told == own | {"exact": False}
    typed = "ABCDEFGHI GGGGGGYY.\n/certain\n"
    assert alone not in run("play", *rows[:1], "--session", "own", stdin=typed).err
    told = run("play", *rows[:1], "--session", "foreign", *foreign, stdin=typed)
    assert alone in told.out + told.err


@pytest.mark.usefixtures("quick")
def test_solve_never_says_that_nothing_is_left_where_its_secret_fits(programs, home, run):
    (home / "near.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: near\n")
    asked = ["solve", "near.yaml", "--secret", "ABCDEFGIH", "--strategy", "first"]
    told = run(*asked, "--set", f"play.solver={denying(programs, 'rows')}")
    assert told.status == 2
    assert "ABCDEFGIH fits" in told.err
