"""What unexplained marks mean: with a secret, with signs of all kinds."""

import pytest

import puzzlehunt
from cases import cases
from puzzlehunt.engines.legends import LegendPosterior, Legends
from puzzlehunt.errors import PuzzlehuntError, TooLargeError
from puzzlehunt.explanation import identification
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.game.game import Game
from puzzlehunt.strategies.unexplained import shown_by

WORDLE = puzzlehunt.load("wordle", {"secret.words": "common", "legend": "unknown", "rule": "marks"})
TRUE = puzzlehunt.load("wordle", {"secret.words": "common"})


def rows(secret: str, guesses: str, legend: str) -> list[str]:
    """Return rows of Wordle with the signs of a legend for absent, elsewhere and right."""
    of = [(guess, TRUE.score(guess, secret)) for guess in guesses.split()]
    return [f"{guess} {''.join(legend[digit] for digit in digits)}" for guess, digits in of]


def identify(game: Game | str, lines: list[str], secret: str | None = None) -> Identification:
    """Return what the marks of lines mean, by any rule."""
    plain = game if isinstance(game, Game) else puzzlehunt.load(game, {"legend": "unknown"})
    return identification.identify(plain, plain.as_history(lines), False, secret)


HEART = rows("HEART", "CRANE SLOTH TEARS EARTH", "XOZ")


@pytest.mark.parametrize(("game", "better", "worse", "row"), cases("signs that look better"))
def test_a_sign_that_looks_better_more_likely_means_the_right_place(game, better, worse, row):
    legends = {}
    for signs in ((better, worse), ("X", "Y")):
        for one, other in (signs, signs[::-1]):
            found = identify(game, [row.format(one, other)]).hypotheses
            by_sign = [(dict(each.legend), chance) for each, chance in found]
            legends[one] = sum(p for meant, p in by_sign if meant.get(one) in ("black", "right"))
    assert legends[better] > 1.5 * legends[worse]
    assert legends["X"] == pytest.approx(legends["Y"], rel=0.5)


def test_a_hidden_rule_is_found_for_a_known_secret() -> None:
    found = identify("wordle", ["CRANE 3", "HORSE 3", "TEASE 3"], secret="HEART")
    ((hypothesis, chance),) = found.hypotheses
    assert (hypothesis.rule, hypothesis.legend, chance) == ("letters", (("1.", "common"),), 1)


def test_what_looks_the_same_is_one_answer_whether_or_not_a_miss_has_a_sign() -> None:
    game = puzzlehunt.load("3x3", {"legend": "unknown", "rule": "pegs"})
    posterior = LegendPosterior(Legends(game, own_rule=True), [game.turn("ABC", "X")])
    numbers = {
        (joint.kind_of, joint.reading, joint.silent): {*answers}
        for joint, _, answers, *_ in shown_by(posterior, [game.parse_guess("AAB")], 0)
        if joint.scoring.shown == "tally"
    }
    pairs = [key for key in numbers if key[2] and (*key[:2], False) in numbers]
    assert pairs
    for kind_of, reading, _ in pairs:
        # With no sign for a miss, nothing is shown that could not be shown with one unread.
        same = numbers[kind_of, reading, True] & numbers[kind_of, reading, False]
        assert len(same) > 1


def test_a_row_that_won_leaves_its_guess() -> None:
    found = identify(WORDLE, [*HEART[:2], "HEART won"])
    assert [WORDLE.format_code(code) for code, _ in found.candidates] == ["HEART"]
    assert found.suggestions == ()


def test_nobody_can_answer_without_a_rule() -> None:
    for refused in (
        lambda: WORDLE.score("CRANE", "HEART"),
        lambda: puzzlehunt.open_codemaker(WORDLE),
        lambda: puzzlehunt.run(WORDLE, secrets=1),
        lambda: puzzlehunt.suggest(WORDLE, ["CRANE XYXYX"]),
        lambda: puzzlehunt.candidates(puzzlehunt.Session(WORDLE)),
        lambda: puzzlehunt.why(WORDLE, code="HEART"),
        lambda: puzzlehunt.review(WORDLE, ["CRANE XYXYX"]),
    ):
        with pytest.raises(PuzzlehuntError, match=r"legend: unknown.*Session\.identify"):
            refused()


@pytest.mark.parametrize(("text", "written"), cases("answers kept"))
def test_an_answer_is_kept_as_it_is_written(text: str, written: str) -> None:
    turn = WORDLE.turn("CRANE", text)
    assert str(turn) == f"CRANE {written}"
    assert WORDLE.turn("CRANE", written) == turn


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(TooLargeError, match="1,000,000 secrets"):
        identify("6x10", ["AABBCC XX"])
    with pytest.raises(PuzzlehuntError, match=r"secret\.table"):
        identify("elements", [])
    assert identify("6x10", ["AABBCC XX"], secret="ABCABC").hypotheses


def test_a_rule_of_a_plug_in_joins_by_what_it_declares(tmp_path, monkeypatch) -> None:
    info = tmp_path / "some_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: some-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[puzzlehunt.rules]\nabove = some_rules:Above\nbroken = nothing:Rule\n"
    )
    (tmp_path / "some_rules.py").write_text(
        "from puzzlehunt.rules import ScoreRule\n"
        "class Above(ScoreRule):\n"
        "    name = 'above'\n"
        "    def score(self, guess, secret):\n"
        "        return guess == secret or ('above' if guess > secret else 'below')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    guesses = {"CCA": "P", "ABC": "Q", "BCA": "P", "BBA": "P", "AAA": "Q"}
    found = identify("3x3", [f"{guess} {text}" for guess, text in guesses.items()], secret="BAC")
    first, *_ = [each for each, _ in found.hypotheses if each.rule == "above"]
    assert (dict(first.legend), first.reversed) == ({"P": "above", "Q": "below"}, False)
    distinct = puzzlehunt.load("3x3", {"secret.distinct": True, "legend": "unknown"})
    for rows, is_tried in ((["ABC Q"], True), (["AAB Q"], False)):
        rules = {each.rule for each, _ in identify(distinct, rows, secret="BAC").hypotheses}
        assert ("above" in rules) == is_tried
