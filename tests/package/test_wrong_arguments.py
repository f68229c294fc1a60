"""A wrong argument is one clear error: what was wrong, and what was expected."""

import random

import pytest

import puzzlehunt as p
from puzzlehunt.errors import (
    GameFileError,
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    PuzzlehuntError,
    SessionError,
    UnknownNameError,
)

PEGS, WORDS = p.load("4x6"), p.load("cryptic")
TURN, FOREIGN = PEGS.turn("AABB", "1b"), WORDS.turn("HORSE", "B_WR_")
MAKERS = {
    "p": lambda: p,
    "pegs": lambda: PEGS,
    "words": lambda: WORDS,
    "letters": lambda: p.Alphabet("ABC"),
    "turn": lambda: TURN,
    "foreign": lambda: FOREIGN,
    "engine": lambda: _following(TURN),
    "symbolic": lambda: p.open_engine(PEGS, "symbolic"),
    "other": lambda: p.open_engine(WORDS),
    "boards": lambda: p.open_engine("quordle"),
    "adviser": lambda: p.Adviser(PEGS),
    "session": lambda: p.Session(PEGS, "4x6"),
    "codemaker": lambda: p.open_codemaker(PEGS),
    "rng": lambda: random.Random(0),
}


def _following(*items):
    engine = p.open_engine(PEGS)
    engine.follow(items)
    return engine


class Names(dict):
    """What the expressions below may use, made when it is first used."""

    def __missing__(self, name):
        if name not in MAKERS:
            raise KeyError(name)
        self[name] = made = MAKERS[name]()
        return made


CASES = [
    # Values.
    ("p.Alphabet(5)", TypeError, "symbols: expected texts such as 'ABC', not 5"),
    ("p.Alphabet(['A', 1])", TypeError, "symbols: expected texts, not 1"),
    ("p.Alphabet('AB', ['a'])", TypeError, "aliases: expected a symbol for each other name"),
    ("letters.parse(5)", TypeError, "code: expected a text, not 5"),
    ("letters.format((99, 0))", InvalidCodeError, "symbols are numbers from 0 to 2"),
    ("letters.format('AB')", InvalidCodeError, "'AB' is not a code"),
    ("p.SymbolSpace('ABC', range(3, 4))", TypeError, "alphabet: expected Alphabet, not 'ABC'"),
    ("p.SymbolSpace(letters, 3)", TypeError, "lengths: expected a range such as range(4, 5)"),
    ("p.WordSpace(letters, ['ABC'])", TypeError, "weights: expected a weight for each word"),
    ("p.WordSpace(letters, {'ABC': 1})", TypeError, "WordSpace.of takes texts"),
    ("p.WordSpace(letters, {(0, 1): -1})", ValueError, "a word needs a weight above 0"),
    ("p.WordSpace.of(letters, [(0, 7)])", InvalidCodeError, "7 is not a symbol number of"),
    ("p.WordSpace.of(letters, ['ABD'])", InvalidCodeError, "'D' is not a symbol"),
    ("p.WordSpace.of('ABC', ['ABC'])", TypeError, "alphabet: expected Alphabet"),
    ("p.Rate(2)", ValueError, "mean: expected a number, from 0 to 1, not 2"),
    ("p.Rate('x')", TypeError, "mean: expected a number, from 0 to 1, not 'x'"),
    ("p.Rate(0.5, -1)", ValueError, "pseudo_count: expected a number, 0 or more, not -1"),
    ("p.Lies(chance=5)", ValueError, "chance: expected a number, from 0 to 1, not 5"),
    ("p.Lies(exactly=-1)", ValueError, "exactly: expected a whole number, 0 or more, not -1"),
    ("p.Lies(at_most=1.5)", TypeError, "at_most: expected a whole number, 0 or more, not 1.5"),
    ("p.Channel(0.5)", TypeError, "reads: expected a tuple of Rates, not 0.5"),
    ("p.Channel((0.5,))", TypeError, "reads: expected Rate, not 0.5"),
    ("p.Channel(misread=3)", ValueError, "misread: expected a number, from 0 to 1, not 3"),
    ("p.Channel(lies=2)", TypeError, "lies: expected Lies, not 2"),
    ("p.Play(attempts=0)", ValueError, "attempts: expected a whole number, 1 or more, not 0"),
    ("p.Play(engine='explicitt')", UnknownNameError, "did you mean explicit?"),
    ("p.Play(pool=1)", UnknownNameError, "no pool is called 1"),
    ("p.Play(budget=-1)", ValueError, "budget: expected a number, 0 or more, not -1"),
    ("p.Play(opening=(0, 1))", TypeError, "opening: expected a text, not (0, 1)"),
    ("p.Budget(guesses=1.5)", TypeError, "guesses: expected a whole number, 0 or more"),
    ("p.Budget(seconds=-1)", ValueError, "seconds: expected a number, 0 or more, not -1"),
    ("p.Turn('AABB', turn.clue)", TypeError, "'AABB'; game.turn(guess, answer) makes"),
    ("p.Turn((0, 0, 1, 1), p.Pegs(1, 2))", TypeError, "Pegs(black=1, white=2) is not a clue"),
    ("p.Turn((0, 0, 1, 1), 'BW')", TypeError, "'BW' is not a clue; game.turn(guess, answer)"),
    ("p.Turn((0, 0, 1, 1), turn.clue, 7)", ValueError, "doubt: expected a number, from 0 to 1"),
    ("p.Fact('no A', 'no A')", TypeError, "game.parse_fact makes facts of texts"),
    ("p.History(['AABB 1b'])", TypeError, "game.as_history takes lines"),
    ("p.History((turn,)).turn(5)", SessionError, "no row 5"),
    # Games.
    ("p.load(5)", TypeError, "game: expected a Game, its name, its file or a size such as 4x6"),
    ("p.load('wordle', [5])", TypeError, "setting: expected a text such as 'play.attempts=8'"),
    (
        "p.load('4x6', {'play.seed': None})",
        TypeError,
        "setting play.seed: expected a text, a number",
    ),
    ("p.load('4x6', {'play.sead': 1})", GameFileError, "no such key; did you mean seed?"),
    ("p.Game('x', 5, 5, pegs.rule)", TypeError, "secrets: expected a space of codes, not 5"),
    ("p.Game('x', pegs.secrets, pegs.guesses, 'pegs')", TypeError, "rule: expected Rule"),
    ("pegs.with_play({'strateggy': 'x'})", UnknownNameError, "did you mean strategy?"),
    ("pegs.with_play('minimax')", TypeError, "changes: expected settings"),
    ("pegs.turn('AABB', 'xx')", InvalidClueError, "'x"),
    ("pegs.turn((99, 0, 0, 0), '1b')", InvalidCodeError, "a tuple of symbol numbers from 0 to 5"),
    ("pegs.turn('AABB', (9, 9))", InvalidClueError, "(9, 9) is not a feedback of 4x6; one is Pegs"),
    ("pegs.turn('AABB', (1, 2, 3))", InvalidClueError, "(1, 2, 3) is not a feedback of 4x6"),
    ("pegs.turn('AABB', p.Pegs(3, 1))", ImpossibleClueError, "3 black, 1 white cannot happen"),
    ("pegs.turn('AABB', foreign.clue)", InvalidClueError, "is not a clue of 4x6; game.turn takes"),
    ("pegs.turn('AABB', None)", InvalidClueError, "None is not a clue of 4x6"),
    ("pegs.parse_turn(5)", TypeError, "text: expected a text, not 5"),
    ("pegs.score((0, 0, 1, 99), 'AABB')", InvalidCodeError, "is not a guess of 4x6: a text such"),
    ("pegs.score('AABB', (0, 1))", InvalidCodeError, "(0, 1) is not a secret of 4x6: a text such"),
    ("pegs.fits(p.History(()), (99, 0, 0, 0))", InvalidCodeError, "is not a secret of 4x6"),
    ("pegs.format_turn('AABB 1b')", TypeError, "turn: expected a Turn, as Game.turn makes it"),
    ("pegs.as_history(5)", TypeError, "history: expected a History, or lines"),
    # Engines.
    ("p.open_engine('nosuch')", UnknownNameError, "no game 'nosuch'"),
    ("p.open_engine(pegs, 'nosuch')", UnknownNameError, "no engine is called 'nosuch'"),
    ("p.open_engine(engine)", TypeError, "game: expected a Game, its name, its file or a size"),
    ("engine.push(5)", TypeError, "expected a Turn, a Fact, a line such as 'GUESS CLUE' or a pair"),
    ("engine.push(['AABB 1b'])", TypeError, "expected a Turn, a Fact, a line such as"),
    ("engine.push(p.Turn((99, 0, 0, 0), turn.clue))", InvalidCodeError, "numbers from 0 to 5"),
    ("engine.push(foreign)", InvalidCodeError, "is not a guess of 4x6"),
    ("engine.push(p.Turn((0, 0, 1, 1), foreign.clue))", InvalidClueError, "is not a clue of 4x6"),
    ("engine.push(words.parse_fact('contains H'))", PuzzlehuntError, "is not a fact about 4x6"),
    ("engine.follow(words.as_history('HORSE B_WR_'))", InvalidCodeError, "is not a guess of 4x6"),
    ("engine.satisfiable([7])", IndexError, "no item has the place 7; there are 1 items"),
    ("symbolic.satisfiable([7])", IndexError, "no item has the place 7; there are 0 items"),
    ("engine.satisfiable(3)", TypeError, "chosen: expected places of items such as [0, 2]"),
    ("engine.keep(-1)", ValueError, "height: expected a whole number, 0 or more, not -1"),
    ("engine.sample(-1, rng)", ValueError, "size: expected a whole number, 0 or more, not -1"),
    ("symbolic.sample(3, None)", TypeError, "rng: expected Random, not None"),
    ("engine.likeliest('x')", TypeError, "limit: expected a whole number, 0 or more, not 'x'"),
    # Advice.
    ("p.Adviser('nosuch')", UnknownNameError, "no game 'nosuch'"),
    ("p.Adviser(pegs, 5)", UnknownNameError, "is neither a strategy nor a function of counts"),
    ("adviser.advise(other)", ValueError, "is of another game: 'Cryptic Mastermind', not '4x6'"),
    ("adviser.advise(pegs)", TypeError, "engine: expected an engine, as open_engine returns it"),
    ("adviser.advise(engine, 0)", ValueError, "top: expected a whole number, 1 or more, not 0"),
    ("adviser.advise(engine, 1, budget=5)", TypeError, "budget: expected a Budget such as"),
    ("adviser.rate(other, 'HORSE')", ValueError, "is of another game"),
    ("p.suggest('4x6', [turn], -1)", ValueError, "top: expected a whole number, 1 or more"),
    ("p.suggest('4x6', [turn], 'minimax')", TypeError, "top: expected a whole number"),
    ("p.suggest(words, [turn])", InvalidCodeError, "is not a guess of Cryptic Mastermind"),
    # Tournaments.
    ("p.run('2x2', 'nosuch')", UnknownNameError, "no strategy is called 'nosuch'"),
    ("p.run('2x2', secrets=0)", ValueError, "secrets: expected a whole number, 1 or more"),
    ("p.run('2x2', secrets='AB')", TypeError, "secrets: expected a number, or a list of codes"),
    ("p.run('2x2', secrets=[(9, 9)])", InvalidCodeError, "(9, 9) is not a secret of 2x2"),
    ("p.Execution(jobs=0)", ValueError, "jobs: expected a whole number, 1 or more, not 0"),
    ("p.run('2x2', budget='x')", TypeError, "budget: expected a whole number, 1 or more"),
    ("p.compare('2x2', 5)", TypeError, "contenders: expected strategies such as"),
    ("p.compare('2x2', 'parts')", p.PuzzlehuntError, "expected strategies, as in"),
    ("p.compare('2x2', [max, max])", p.PuzzlehuntError, "once: there are two called 'max'"),
    ("p.compare('2x2', ['parts', 3])", p.PuzzlehuntError, "nor a function of counts, but 3"),
    ("p.compare('2x2', ['parts', int])", p.PuzzlehuntError, "is neither a strategy nor a function"),
    ("p.compare('2x2', ['first', 'parts'], count='x')", UnknownNameError, "no count is called"),
    # Explanations.
    ("p.conflicts(5)", TypeError, "engine: expected an engine, or a game or its name"),
    ("p.conflicts(engine, ['AABB 1b'])", TypeError, "turns: an engine has its own"),
    ("p.conflicts(pegs, most=0)", ValueError, "most: expected a whole number, 1 or more, not 0"),
    ("p.certain(p.History((turn,)))", TypeError, "engine: expected an engine"),
    ("p.near_misses(engine, 'x')", TypeError, "limit: expected a whole number, 0 or more"),
    ("p.partition(symbolic, 'AABB')", p.PuzzlehuntError, "is only known if all are listed"),
    ("p.explain(pegs, engine, 'RRRR', board=5)", ValueError, "board: expected a whole number"),
    ("p.why(pegs, [turn], 'AAB')", InvalidCodeError, "'AAB' has 3 symbols"),
    ("p.review(pegs, [turn], budget=5)", TypeError, "budget: expected a Budget such as"),
    ("p.review(words, p.History((turn,)))", InvalidCodeError, "is not a guess of Cryptic"),
    # The rest.
    ("p.smtlib.read_model(pegs, 5)", TypeError, "answer: expected a solver's answer, not 5"),
    ("p.plot(pegs)", TypeError, "played: expected what compare or run returns"),
    ("p.plot(p.run('2x2'), 'pie')", UnknownNameError, "no kind of picture is called 'pie'"),
    ("p.open_codemaker(pegs, rng=5)", TypeError, "rng: expected"),
    ("p.rules.check_rule(p.Rule)", TypeError, "checked: expected a rule such as PegsRule(4, 6)"),
    ("p.Session.resume('/nosuch.yaml')", p.PuzzlehuntError, "/nosuch.yaml: cannot be read"),
    ("p.Session(5, '4x6')", TypeError, "game: expected a Game, its name, its file or a size"),
    ("p.Session(pegs)", TypeError, "reference: expected the name or file of the game, beside it"),
    ("p.connect(5)", SessionError, "5: no address of a board"),
    ("p.connect('http://[x/b/a-b')", SessionError, "no address of a board"),
]


@pytest.mark.parametrize(("expression", "kind", "said"), CASES, ids=[case[0] for case in CASES])
def test_a_wrong_argument_is_one_clear_error(expression, kind, said):
    with pytest.raises(kind) as error:
        eval(expression, {}, Names())
    message = str(error.value)
    assert said in message
    assert len(message.splitlines()) <= 2
    assert error.value.__cause__ is None


def test_after_a_wrong_argument_an_engine_is_as_it_was():
    engine = p.open_engine("4x6")
    engine.push("AABB 1b")
    for wrong in (lambda: engine.keep(-1), lambda: engine.push(5), lambda: engine.follow("XY 1b")):
        with pytest.raises((TypeError, ValueError, p.PuzzlehuntError)):
            wrong()
        assert (len(engine.items), engine.count().exact) == (1, 500)


# What is taken in several ways.


@pytest.mark.parametrize("guess", ["HORSE", "horse", (7, 14, 17, 18, 4)])
def test_a_turn_is_made_of_text_feedback_or_clue(guess):
    game = p.load("cryptic")
    whole = game.parse_turn("HORSE 1b 2w")
    full = game.rule.notation.full_clue(p.Pegs(1, 2), whole.guess)
    assert game.turn(guess, "B_WR_") == game.parse_turn("HORSE B_WR_")
    assert game.turn(guess, p.Pegs(1, 2)).clue == game.turn(guess, (1, 2)).clue == full
    assert game.turn(guess, whole.clue) == whole
    assert game.turn(guess) == game.parse_turn("HORSE")
    assert game.turn(guess, "B_WR_", doubt=0.2).doubt == 0.2


@pytest.mark.parametrize("name", ["4x6", "wordle", "jotto", "quordle", "grand", "fibble"])
def test_every_feedback_makes_a_turn_that_leaves_its_secret(name):
    game = p.load(name)
    rng = random.Random(1)
    for _ in range(5):
        guess, secret = game.guesses.random(rng), game.secrets.random(rng)
        feedback = game.score(guess, secret)
        turn = game.turn(guess, feedback)
        assert game.parse_turn(game.format_turn(turn)).clue == turn.clue
        assert game.channel.weighs or game.fits(p.History((turn,)), secret)


def test_whatever_takes_a_game_takes_its_name():
    log = p.load("heart-2018")
    engine = p.open_engine("heart-2018")
    assert engine.items == log.history.items
    advice = p.suggest("4x6", ["AABB 1b"], 2)
    fresh = p.open_engine("4x6")
    fresh.push("AABB 1b")
    assert p.Adviser("4x6").advise(fresh, 2, budget=p.Budget(seconds=1)) == advice
    assert p.published("mastermind") == p.published(p.load("mastermind"))
    script = p.smtlib.script
    assert script("4x6", ["AABB 1b"]) == script(p.load("4x6"), fresh.items)
    assert p.why("4x6", "AABB 1b\nCCDD none", "AEEE") == p.why(
        fresh.game, fresh.game.as_history(["AABB 1b", "CCDD none"]), (0, 4, 4, 4)
    )
    assert list(p.candidates("4x6", ["AABB 1b"])) == list(fresh.candidates())
    assert p.explain("4x6", fresh, "AABB").verdicts[0].because == (1,)
    assert p.open_codemaker("4x6", "ABCD").secret == (0, 1, 2, 3)
    assert p.review("4x6", "AABB 1b") == p.review(fresh.game, p.History(fresh.items))


def test_a_strategy_stands_behind_the_game_in_a_tournament():
    best = p.run("3x4", "minimax")
    assert best.game.play.strategy == "minimax"
    assert best.game_name == "3x4"
    assert best.played == p.run("3x4", strategy="minimax", name="A game").played
    assert p.run("3x4", "minimax", secrets=["ABC", "BBD"]).secrets.tolist() == [
        [0, 1, 2],
        [1, 1, 3],
    ]
