import re

import cvc5
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.engines.base import open_engine
from puzzlehunt.engines.smtlib import Encoding, model, read_model, script
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History
from puzzlehunt.game.turn_notation import describe_answer
from random_games import game_of, random_game

games = st.from_type(Game).filter(lambda game: game.boards == 1)


def answer_of_z3(text: str) -> str:
    """What z3 prints when it runs a script, the error of get-model after unsat included."""
    context = z3.Context()
    try:
        return z3.Z3_eval_smtlib2_string(context.ref(), text)
    except z3.Z3Exception as error:
        return error.value.decode()


def answer_of_cvc5(text: str) -> str:
    """What cvc5 prints when it runs a script, read by its own parser."""
    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "game.smt2")
    printed = []
    while not (command := parser.nextCommand()).isNull():
        printed.append(command.invoke(solver, parser.getSymbolManager()))
    return "".join(printed)


def candidates_of(game: Game) -> list:
    engine = open_engine(game, "explicit")
    return list(engine.candidates().codes)


solvers = pytest.mark.parametrize("run", [answer_of_z3, answer_of_cvc5], ids=["z3", "cvc5"])


@solvers
@given(games)
@settings(max_examples=10)
def test_solvers_answer_a_script_as_the_explicit_engine_does(run, game):
    left = candidates_of(game)
    answer = run(script(game, game.history))
    assert answer.split()[0] == ("sat" if left else "unsat")
    code = read_model(game, answer)
    assert game.parse_secret(code) in left if left else code is None


@given(games)
@settings(max_examples=10)
def test_the_models_of_the_formula_are_the_candidates(game):
    left, found = {game.format_code(code) for code in candidates_of(game)}, set()
    posed = model(game)
    manager = posed.environment.formula_manager
    nodes = [node for row in posed.variables for node in row.values()]
    with posed.environment.factory.Solver(name="z3") as solver:
        solver.add_assertion(posed.formula)
        while len(found) < 20 and solver.solve():
            found.add(read_model(game, solver.get_model()))
            solver.add_assertion(manager.Not(manager.And(filter(solver.get_py_value, nodes))))
    assert found <= left
    assert len(found) == min(20, len(left))


@pytest.mark.parametrize("kind", ["repeats", "words", "lengths", "halves", "formulas"])
@given(st.integers(0, 100_000))
@settings(max_examples=3)
def test_a_script_admits_the_candidates_and_no_other_secret(kind, seed):
    game = random_game(seed, kind)
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(script(game, game.history))
    names = [[node.symbol_name() for node in row] for row in Encoding(game).position_booleans]
    left = set(candidates_of(game))
    for secret in list(game.secrets)[:40]:
        ended = [*secret, *[-1] * (game.length - len(secret))]
        places = [z3.Bool(names[p][s], solver.ctx) for p, s in enumerate(ended)]
        assert (solver.check(places) == z3.sat) == (secret in left)


@given(games)
@settings(max_examples=10)
def test_turns_and_facts_are_named_under_a_comment_in_words(game):
    text = script(game, game.history)
    named = re.findall(r"^; (.*)\n\(assert \(! .* :named (.*)\)\)$", text, re.MULTILINE)
    expected, turns, facts = [], 0, 0
    for item in game.history:
        if isinstance(item, Fact):
            facts += 1
            expected.append((item.text, f"fact_{facts}"))
        else:
            turns += 1
            guess, answer = game.format_code(item.code), describe_answer(game, item)
            expected.append((f"{turns}. {guess}: {answer}", f"turn_{turns}"))
    assert named == expected


def test_emoji_are_named_in_a_script_by_another_name_or_their_number():
    symbols = {"❤️": ["heart", "red"], "👍🏽": "", "B": "blue"}
    game = game_of({"secret": {"symbols": symbols, "length": "2"}, "turns": ["❤👍🏽 BB"]})
    text = script(game, game.history)
    assert "; heart is ❤️, symbol_2 is 👍🏽\n" in text
    assert "(declare-const p1_heart Bool)" in text
    assert "(declare-const p1_B Bool)" in text
    assert read_model(game, answer_of_z3(text)) == "❤️👍🏽"


# Lies.


def test_a_script_says_which_rows_may_lie_and_how_many():
    game = game_of(
        "{secret: {symbols: AB, length: 2}, lies: {at_most: 1},"
        " turns: [AA B, AB W ?, 'BA *', AB won], facts: [contains A]}"
    )
    text = script(game, game.history)
    lies = re.findall(r"^\(declare-const (lie_\d) Bool\)$", text, re.MULTILINE)
    assert lies == ["lie_1", "lie_3"]
    assert "\n; lie_N: turn N lies; 1 does at most.\n(assert (! (<= (+ (ite lie_1 1 0)" in text
    assert "lie" not in script(gamefile.load("4x6"), History())


def test_a_model_that_breaks_more_rows_than_may_lie_is_refused(run):
    rows = ("-t", "RRRR BBB ?", "-t", "RRGG none", "-t", "BBYY none")
    model = " ".join(f"(define-fun p{n}_{s} () Bool true)" for n, s in enumerate("RRBB", start=1))
    told = run("export", "liar", *rows, "--read", "-", stdin=f"sat ({model})")
    assert told.status == 1
    assert told.err == "puzzlehunt: RRBB does not fit the game and its rows\n"
    told = run("export", "liar", *rows[:4], "--read", "-", stdin=f"sat ({model})")
    assert (told.status, told.out) == (0, "RRBB\n")


# Models.


@pytest.fixture
def game():
    return game_of("{secret: {symbols: AB, length: 2}, turns: [AA B]}")


AB = "(define-fun p1_A () Bool true) (define-fun p2_B () Bool true)"


@pytest.mark.parametrize(
    "answer",
    [
        f"sat\n({AB})",
        f"sat\n({AB} (define-fun p1_B () Bool false) (define-fun n1_A () Bool true))",
        "((p1_A true) (p1_B false) (p2_A false) (p2_B true))",
        "sat\n((|p1_A| true)\n (|p2_B| true))",
        f"({AB} (define-fun other () Int 5))",
    ],
)
def test_models_and_values_are_read_back(game, answer):
    assert read_model(game, answer) == "AB"


def test_what_is_no_model_of_the_game_is_refused(game):
    for answer, start in (("", "''"), ("sat\n()", "'sat'"), ({"x": True}, "{'x': True}")):
        with pytest.raises(PuzzlehuntError, match=f"no variable of the game .* begins {start}$"):
            read_model(game, answer)
    with pytest.raises(TypeError, match="a solver's answer, or a mapping"):
        read_model(game, 5)
