"""A rule by score alone: all that is derived from the score, against plain Python."""

import math
import random
from collections import Counter
from collections.abc import Hashable
from itertools import product
from typing import Any

import pytest

import puzzlehunt
from puzzlehunt import Channel, Game, Lies
from puzzlehunt.codes.alphabet import default_alphabet
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.engines import open_engine
from puzzlehunt.errors import InvalidClueError, PuzzlehuntError, RuleError
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.rules import ScoreRule, check_rule
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.rules.rule_registry import find_rule, rules_by_name
from puzzlehunt.strategies import Adviser, find_strategy


class Steps(ScoreRule):
    name = "steps"

    def score(self, guess, secret):
        return sum(abs(one - other) for one, other in zip(guess, secret, strict=True))


def game_of(rule: ScoreRule, length: int = 2, symbols: int = 4, **settings: Any) -> Game:
    codes = SymbolSpace(default_alphabet(symbols), range(length, length + 1))
    return Game("a game", codes, codes, rule, **settings)


STEPS = game_of(Steps())
ALIKE = "ignore:no question tells"  # random secrets may be


# All answers, against plain Python.


def random_game(rng: random.Random) -> tuple[Game, dict[tuple[str, str], Hashable]]:
    """Return a game of named values with random scores, and the scores."""
    secrets = [f"S{n} x" for n in range(rng.randint(2, 9))]
    questions = [f"Is it {n}?" for n in range(rng.randint(1, 6))]
    answers = rng.choice([("yes", "no"), (0, 1, 2), (True, None, 3.5), ((1, 0), "a b", -1)])
    scores = {pair: rng.choice(answers) for pair in product((*questions, *secrets), secrets)}
    guesses = None if rng.random() < 0.3 else questions
    if guesses is not None:
        scores = {pair: answer for pair, answer in scores.items() if pair[0] in questions}
    elif rng.random() < 0.5:
        scores |= {(secret, secret): "hit" for secret in secrets}
    return Game.from_function(secrets, guesses, lambda g, s: scores[g, s]), scores


@pytest.mark.filterwarnings(ALIKE)
@pytest.mark.parametrize("seed", range(200))
def test_a_game_made_from_a_function_answers_as_plain_python_does(seed: int) -> None:
    rng = random.Random(seed)
    game, scores = random_game(rng)
    names = [game.format_code(code) for code in game.secrets]
    guesses = [game.format_code(code) for code in game.guesses]
    secret, left, engine = rng.choice(names), list(names), open_engine(game)
    history = []
    for guess in rng.sample(guesses, min(3, len(guesses))):
        answer = scores[guess, secret]
        if answer == "hit":
            continue
        kind = rng.choice(["read", "unread", "either"])
        read: set[Hashable] = {answer}
        if kind == "unread":
            read = set(scores.values()) - {"hit"}
        elif kind == "either":
            read.add(rng.choice([*scores.values()]))
            read.discard("hit")
        text = "*" if kind == "unread" else "|".join(map(str, read))
        turn = game.turn(guess, text)
        assert game.turn(format_turn(game, turn)) == turn
        engine.push(turn)
        history.append(turn)
        left = [name for name in left if scores[guess, name] in read]
    assert [game.format_code(code) for code in engine.candidates().codes] == left
    for name in rng.sample(names, 2):
        explained = puzzlehunt.explain(engine, code=name)
        assert explained.verdicts[0].candidate == (name in left)

    def bits(guess: str) -> float:
        parts = Counter(scores[guess, name] for name in left)
        return sum(-n / len(left) * math.log2(n / len(left)) for n in parts.values())

    advice = puzzlehunt.suggest(game, history, strategy="entropy")
    if len(left) == 1 and game.only_questions:
        assert not advice.suggestions
        assert engine.known_secret() == game.parse_secret(left[0])
    elif len(left) > 1:
        assert advice.suggestions[0].value == pytest.approx(max(map(bits, guesses)), abs=1e-6)


def test_a_rule_by_score_alone_plays_suggests_explains_reviews_and_runs_in_the_lab() -> None:
    assert STEPS.rule.feedbacks == (1, 2, 3, 4, 5, 6, 0)
    assert STEPS.rule.winning == 0
    assert not STEPS.only_questions
    result = puzzlehunt.run(STEPS, "optimal")
    assert len(result.secrets) == 16
    assert len(puzzlehunt.compare(STEPS, ["entropy", "deep"]).results) == 2
    codemaker = puzzlehunt.open_codemaker(STEPS, "DB")
    assert str(codemaker.answer("AA")) == "AA 4"
    assert str(codemaker.answer("DB")) == "DB 0"
    assert codemaker.is_over
    engine = open_engine(STEPS)
    engine.follow(["AA 4", "DD 1|2"])
    assert [STEPS.format_code(code) for code in engine.candidates().codes] == ["BD", "CC", "DB"]
    assert puzzlehunt.explain(engine, code="AD").verdicts[0].because == (1, 2)
    assert len(puzzlehunt.review(STEPS, ["AA 4", "DB won"])) == 2
    engine.follow(["AA 5", "DD 5"])
    assert puzzlehunt.conflicts(engine) == [(1, 2)]
    assert puzzlehunt.repairs(engine)
    assert puzzlehunt.unread_marks(open_engine(STEPS)) == []


# Lies.


@pytest.mark.parametrize("lies", [Lies(chance=0.2), Lies(at_most=1)])
def test_the_chances_of_secrets_after_lies_are_those_of_bayes(lies: Lies) -> None:
    people = {"Ann": 0b101, "Bob": 0b011, "Cid": 0b110, "Dot": 0b000}
    game = Game.from_function(
        people,
        range(3),
        lambda bit, who: "yes" if people[who] >> bit & 1 else "no",
        channel=Channel(lies=lies),
    ).with_play({"attempts": 3})
    engine = open_engine(game)
    rows = [(0, "yes"), (1, "no"), (2, "yes")]
    for bit, answer in rows:
        engine.push(game.turn(bit, answer))
    wrong = {w: sum((n >> b & 1) != (a == "yes") for b, a in rows) for w, n in people.items()}
    if lies.chance:
        weights = {who: 0.2**k * 0.8 ** (3 - k) for who, k in wrong.items()}
    else:
        weights = {who: {0: 0.5, 1: 0.5 / 3}.get(k, 0.0) for who, k in wrong.items()}
    total = sum(weights.values())
    chances = dict(engine.likeliest(4))
    for who, weight in weights.items():
        assert chances.get(game.parse_secret(who), 0.0) == pytest.approx(weight / total)


# Notation and texts.


@pytest.mark.parametrize("game", [STEPS, random_game(random.Random(5))[0]])
def test_the_checks_of_rules_pass_for_a_game_by_score_alone(game: Game) -> None:
    check_rule(game)


@pytest.mark.parametrize(
    ("secrets", "guesses", "named"),
    [([1, "1"], None, "two values, 1 and '1', have the same text '1'"),
     (["a", "A"], None, "'A'"), (["a", ""], None, "no text"),
     (["/a", "b"], None, "'/a'"), (["a"], None, "two secrets"), (["a", "b"], [], "a guess")],
)  # fmt: skip
def test_values_that_cannot_be_told_apart_are_refused(secrets, guesses, named) -> None:
    with pytest.raises(ValueError, match=named):
        Game.from_function(secrets, guesses, lambda _g, _s: 0)


# What a score must be.


def ambiguous(guess: Any, secret: Any) -> Feedback:
    return 1 if guess == secret else "1"


@pytest.mark.parametrize(
    ("score", "says"),
    [
        (
            lambda g, s: 1 / (g != "b" or s != "c"),
            r"guess b, secret c: test_by_score\.py:\d+: Zero",
        ),
        (lambda g, s: [g == s], "unhashable type"),
        (ambiguous, "'1', the text of '1', cannot be a clue: another feedback has it"),
        (lambda g, s: "Yes" if g == s else "yes", "another feedback has it"),
        (lambda g, s: "" if g == s else 1, "'', the text of '', cannot be a clue: it is empty"),
        (lambda g, s: "a|b" if g == s else 1, r"'a\|b', .* cannot be a clue: it means something"),
        (lambda g, s: "*" if g == s else 1, r"'\*', .* cannot be a clue: it means something else"),
    ],
)
def test_a_score_that_cannot_be_used_is_refused_with_its_codes(score, says) -> None:
    with pytest.raises(RuleError, match=says):
        Game.from_function("abcd", None, score)


# Rules of other packages.


def test_a_broken_plug_in_is_named_with_its_package_and_stops_nothing_else(
    tmp_path, monkeypatch, run
) -> None:
    info = tmp_path / "some_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: some-rules\nVersion: 1.0\n")
    entries = "broken = broken_rule:Rule\nmissing = good_rule:Nothing\nsum = good_rule:Sum\n"
    entries += "number = good_rule:number\nparity = good_rule:parity\npegs = good_rule:Sum\n"
    entries += "total = good_rule:Sum\nabstract = puzzlehunt.rules:ScoreRule\n"
    (info / "entry_points.txt").write_text(
        f"[puzzlehunt.rules]\n{entries}[puzzlehunt.strategies]\nbroken = broken_rule:Play\n"
    )
    (tmp_path / "broken_rule.py").write_text("1 / 0\n")
    (tmp_path / "good_rule.py").write_text(
        "from puzzlehunt.rules import ScoreRule\n"
        "number = 5\n"
        "def parity(guess, secret):\n"
        "    return sum(one == other for one, other in zip(guess, secret)) % 2\n"
        "class Sum(ScoreRule):\n"
        "    'How far the sums are apart.'\n"
        "    name = 'sum'\n"
        "    def score(self, guess, secret):\n"
        "        return (sum(guess) - sum(secret), guess == secret)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("broken", "missing", "number", "abstract"):
        with pytest.raises(RuleError, match="some-rules"):
            find_rule(name)
    with pytest.raises(PuzzlehuntError, match="some-rules"):
        find_strategy("broken")
    game = puzzlehunt.load("3x3", ["rule=sum"])
    assert puzzlehunt.suggest(game, ["ABC (0, False)"]).count == 6
    assert puzzlehunt.load("3x3", ["rule=parity"]).score("ABC", "ACB") == 1
    names = list(rules_by_name())
    assert names == list(dict.fromkeys(names))
    assert names[-5:] == ["missing", "number", "parity", "sum", "total"]
    assert rules_by_name()["sum"] == "How far the sums are apart"
    assert rules_by_name()["missing"] == "of the package some-rules"
    with pytest.raises(InvalidClueError, match=r"known: .* and 2 more$"):
        game.turn("ABC (99, True)")
    assert run("score", "3x3", "ABC", "ABC", "--set", "rule=pegs").out == "BBB\n"
    refused = run("check", "3x3", "--set", "rule.name=parity", "--set", "rule.step=2")
    assert (refused.status, "rule.step" in refused.err) == (2, True)


# What an author gets wrong.


def test_a_guess_wins_unless_all_are_questions() -> None:
    def says(guess: int, secret: int) -> str:
        return "hit" if guess == secret else "less" if guess > secret else "more"

    wins, asks = (
        Game.from_function(range(4), None, says, only_questions=only) for only in (False, True)
    )
    assert (wins.rule.winning, wins.only_questions) == ("hit", False)
    assert asks.only_questions
    assert (puzzlehunt.run(wins).summary("played").total, wins == asks) == (8, False)
    engine = open_engine(asks)
    engine.push((1, "hit"))
    assert engine.known_secret() == asks.parse_secret(1)
    lying = Game.from_function(
        range(4), None, says, channel=Channel(lies=Lies(chance=0.2)), only_questions=True
    )
    left = puzzlehunt.candidates(lying, [(1, "hit")])
    assert [int(text) for text in left] == [0, 1, 2, 3]


def test_values_are_rows_codes_and_secrets_wherever_texts_are() -> None:
    game = Game.from_function(range(8), range(3), lambda bit, n: bool(n >> bit & 1))
    rows = [(2, False), (0, True)]
    texts = ["2 False", "0 True"]
    assert puzzlehunt.suggest(game, rows) == puzzlehunt.suggest(game, texts)
    left = puzzlehunt.candidates(game, rows)
    assert ([*left], 1 in left, 5 in left, "3" in left, 99 in left) == (
        ["1", "3"], True, False, True, False
    )  # fmt: skip
    assert puzzlehunt.explain(game, rows, code=5).verdicts[0].because == (1,)
    assert [one.because for one in puzzlehunt.why(game, rows, code=4)] == [(1, 2)]
    assert puzzlehunt.review(game, rows) == puzzlehunt.review(game, texts)
    assert puzzlehunt.partition(game, rows, guess=1).counts == {False: 1, True: 1}
    assert puzzlehunt.conflicts(game, [*rows, (1, "True|False"), "0 False"], top=2) == []
    engine = open_engine(game)
    engine.follow([*rows, (2, True)])
    assert puzzlehunt.conflicts(game, engine.items) == []  # the last row replaces the first
    assert puzzlehunt.conflicts(engine) == [(1, 3)]
    assert Adviser(game).rate(open_engine(game), 1).guesses == ["1"]
    assert str(puzzlehunt.open_codemaker(game, 5).answer(2)) == "2 True"
    assert game.score_all([0, 1], [6, 7]).tolist() == [[0, 1], [1, 1]]
    session = puzzlehunt.Session(game, "")
    session.play((2, False))
    session.apply(puzzlehunt.changes.EditRows(((1, game.turn(2, True)),)))
    assert [str(turn) for turn in session.history.turns] == ["2 True"]
