"""A solver that says `unsat` where something fits: no answer rests on that unseen."""

import json
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import SolverError
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.conflict import smallest_conflict
from puzzlehunt.explanation.remaining import remaining
from puzzlehunt.game.files import gamefile
from random_games import build, game_of_seed
from solver_programs import asking

QUESTIONS = {
    "candidates": lambda engine: list(engine.candidates()),
    "satisfiable": lambda engine: engine.satisfiable(),
    "each item": lambda engine: [engine.satisfiable([n]) for n in range(len(engine.items))],
    "conflict": smallest_conflict,
    "unsat_core": lambda engine: engine.unsat_core(range(len(engine.items))) is None,
    "certain": certain,
    "min_cost": lambda engine: engine.min_cost(dict.fromkeys(_turns(engine), 3), 4),
    "first conflict": lambda engine: engine.first_conflict(),
}
KINDS = ["repeats", "distinct", "words", "tunes", "halves", "merged"]


def _turns(engine):
    return [place for place, item in enumerate(engine.items) if hasattr(item, "clue")]


def denying(programs, each):
    return f"{programs['cvc5']} denies {each}"


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("each", [1, 2, 5])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_false_unsat_is_found_out_by_score_where_codes_can_be_listed(programs, question, each):
    ask = QUESTIONS[question]
    for seed, kind in enumerate(KINDS):
        game = game_of_seed(seed + 10 * each, kind)
        expected = ask(asking(game, "z3"))
        engine = asking(game, denying(programs, each))
        assert engine.proves
        with suppress(SolverError):
            assert ask(engine) == expected
            continue
        with pytest.raises(SolverError, match=r"answered unsat, although .* fits; try --solver z3"):
            ask(asking(game, denying(programs, each)))


@pytest.mark.usefixtures("quick")
def test_a_true_unsat_of_the_same_program_is_no_error(programs):
    game = gamefile.load("3x3", ["turns=[ABC B, BAC WWW, AAA B]"])
    healthy = asking(game, denying(programs, 10**6))
    right = asking(game, "z3")
    for ask in QUESTIONS.values():
        assert ask(healthy) == ask(right)


@pytest.mark.usefixtures("quick")
def test_codes_known_to_fit_are_held_against_an_unsat_where_codes_are_too_many(programs):
    game = gamefile.load("9x9", ["turns=[ABCDEFGHI BBWW]"])
    engine = asking(game, denying(programs, 2))
    assert not engine.proves
    assert engine.satisfiable([0])
    with pytest.raises(SolverError, match=r"answered unsat, although .* fits"):
        engine.satisfiable([0])
    with pytest.raises(SolverError, match=r"answered unsat, although .* fits"):
        asking(game, denying(programs, 1)).unsat_core([])


@pytest.mark.usefixtures("quick")
def test_nothing_is_exact_that_rests_on_an_unsat_that_nobody_confirmed(programs, home, run):
    """Among so many codes only the solver can say that none is left; of the game it tells right."""
    (home / "tiles.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: marks\n")
    asked = ["tiles.yaml", "-t", "ABCDEFGHI GGGGGGYY.", "--solver", denying(programs, "rows")]
    for command in (["candidates"], ["suggest"]):
        told = run(*command, *asked, "--json")
        answer = json.loads(told.out)
        assert told.status == 1
        assert (answer["count"], answer["exact"]) == (None, False)
        assert "nobody can confirm it" in told.err


@pytest.mark.parametrize("command", ["candidates", "explain", "suggest"])
@pytest.mark.parametrize("rule", ["marks", "pegs"])
def test_who_denies_everything_is_found_out_and_never_answered_with_two_truths(
    broken, home, run, command, rule
):
    (home / "huge.yaml").write_text(f"secret: {{symbols: ABCDEFGHI, length: 9}}\nrule: {rule}\n")
    clue = {"marks": "GGGGGGYY.", "pegs": "BBWW"}[rule]
    solver = broken("says unsat to everything").command
    told = run(command, "huge.yaml", "-t", f"ABCDEFGHI {clue}", "--solver", solver, "--json")
    if told.status == 0:  # our own draws found candidates, without the solver
        assert rule == "pegs"
        assert not json.loads(told.out).get("exact")
    else:
        assert (told.status, told.out) == (2, "")
        assert "answered unsat, although" in told.err


@pytest.mark.parametrize("solver", [None, "z3", "cvc5"])
@pytest.mark.parametrize("name", ["4x6", "9x9", "dordle"])
def test_what_proves_is_our_own_solver_or_a_listing(solver, name):
    game = replace(gamefile.load(name)).with_play({"solver": solver, "engine": "symbolic"})
    assert open_engine(game).proves == (name != "9x9" or solver in (None, "z3"))


@pytest.mark.usefixtures("quick")
def test_few_are_not_said_to_be_all_where_only_a_solver_says_so(programs):
    rows = ["ABCDEFGHI BBBBBBBBB ?", "ABCDEFGHH BBBBBBBB", "ABCDEFGHI BBBBBBBB"]
    game = gamefile.load("9x9")
    for row in rows[1:]:
        game = replace(game, history=game.history.add(game.parse_turn(row)))
    engine = asking(game, programs["cvc5"] + " -")
    left = remaining(engine, 1000)
    expected = remaining(asking(game, "z3"), 1000)
    assert left.codes == expected.codes
    assert (left.count, expected.count) == (None, len(expected.codes))


@pytest.mark.usefixtures("quick")
def test_a_sample_is_not_said_to_be_complete_where_only_a_solver_says_so(programs):
    game = build("{secret: {symbols: ABCDEFGHI, length: 9}, rule: marks}")
    game = replace(game, history=game.history.add(game.parse_turn("ABCDEFGHI GGGGGGGY.")))
    for solver, complete in ((programs["cvc5"] + " -", False), ("z3", True)):
        sample = asking(game, solver).sample(1000, Random(0))
        assert (len(sample.codes), sample.complete) == (7, complete)


@pytest.mark.usefixtures("quick")
def test_what_is_certain_by_an_unsat_that_nobody_confirmed_says_so(programs, home, run):
    (home / "tiles.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: marks\n")
    rows = ["tiles.yaml", "-t", "ABCDEFGHI GGGGGGYY."]
    foreign = ["--solver", programs["cvc5"] + " -"]
    alone = f"(as {foreign[1]} says; nobody can confirm it)"
    own, told = run("explain", *rows), run("explain", *rows, *foreign)
    assert (own.out, own.err) == (told.out, "")
    assert "position 1 is A" in told.out
    assert told.err == f"{alone}\n"
    own, told = (json.loads(run("explain", *rows, *more, "--json").out) for more in ([], foreign))
    assert told == own | {"exact": False}
    typed = "ABCDEFGHI GGGGGGYY.\n/certain\n"
    assert alone not in run("play", *rows[:1], "--session", "own", stdin=typed).err
    told = run("play", *rows[:1], "--session", "foreign", *foreign, stdin=typed)
    assert alone in told.out + told.err


@pytest.mark.usefixtures("quick")
def test_that_nothing_fits_by_the_word_of_a_solver_alone_says_so(programs, home, run):
    (home / "tiles.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: marks\n")
    solver = denying(programs, "rows")
    told = run("play", "tiles.yaml", "--solver", solver, stdin="ABCDEFGHI GGGGGGYY.\n")
    assert "Nothing fits: no code agrees with all rows.\n" in told.out
    assert f"(as {solver} says; nobody can confirm it)\n" in told.err


@pytest.mark.usefixtures("quick")
def test_solve_never_says_that_nothing_is_left_where_its_secret_fits(programs, home, run):
    (home / "near.yaml").write_text("secret: {symbols: ABCDEFGHI, length: 9}\nrule: near\n")
    asked = ["solve", "near.yaml", "--secret", "ABCDEFGIH", "--strategy", "first"]
    told = run(*asked, "--solver", denying(programs, "rows"))
    assert told.status == 2
    assert "no candidate is left; but ABCDEFGIH fits: the solver errs, try --solver z3" in told.err
