"""The library as somebody types it: games, lines and functions where they are expected to work."""

import pytest

import puzzlehunt


def largest(counts):
    return counts.max(axis=-1)


class FirstCandidate(puzzlehunt.Strategy):
    """Guesses the first candidate: what a strategy of one's own looks like."""

    measure = "nothing"

    def rank(self, position: puzzlehunt.Position, top: int):
        return [self.rate(position, position.candidate(0))], True


@pytest.mark.parametrize(
    "turns",
    [["AAB 1b", "/fact no C"], "AAB 1b\n/fact no C", iter(["AAB 1b", "/fact no C"])],
    ids=["list", "text", "iterator"],
)
def test_suggestions_are_one_call_away(turns):
    game = puzzlehunt.load("3x4")
    engine = puzzlehunt.open_engine(game)
    engine.follow(["AAB 1b", "/fact no C"])
    advice = puzzlehunt.suggest("3x4", turns, top=3)
    assert advice == puzzlehunt.Adviser(game).advise(engine, 3, budget=puzzlehunt.Budget(seconds=1))
    assert advice.guesses == [game.format_code(one.guess) for one in advice.suggestions]
    assert repr(advice) == f"<Advice: {', '.join(advice.guesses)}; {engine.count().exact} left>"


def test_rows_come_after_those_of_the_game_and_are_named_as_people_see_them():
    log = puzzlehunt.load("heart-2018")
    (verdict,) = puzzlehunt.why(log, ["/fact no C", "CHAIR WRRRR"], "CHORD")
    explanation = puzzlehunt.explain(log, ["/fact no C", "CHAIR WRRRR"], "CHORD")
    (fact,) = verdict.history.facts
    assert verdict.because == explanation.verdicts[0].because == (5, 6, 16, 24, 28, fact)
    assert puzzlehunt.why(log, verdict.history, "CHORD") == (verdict,)
    assert len(puzzlehunt.review(log, ["CHAIR WRRRR"])) == 28
    rows = ["/fact no A", "AABB 1b", "/fact no B", "CCDD none"]
    found = puzzlehunt.conflicts("4x6", rows, most=9)
    assert [[str(name) for name in names] for names in found] == [["1", "no A", "no B"]]
    assert puzzlehunt.explain("4x6", rows).conflict == found[0]
    assert puzzlehunt.review("4x6", rows).contradiction == found[0][-1]


def test_suggestions_go_on_from_the_rows_of_the_game_until_it_is_won():
    game = puzzlehunt.load("mastermind", ["turns=[RRGG 1b]"])
    assert puzzlehunt.suggest(game).count == 500
    assert puzzlehunt.suggest(game, ["RYBO 1b 1w"]).count < 100
    assert puzzlehunt.suggest(game, ["RRGG 1b"]).count == 500
    won = puzzlehunt.suggest(game, ["RYBO 4b"])
    assert (won.guesses, won.count) == ([], 1)
    with pytest.raises(puzzlehunt.PuzzlehuntError, match="contradict each other"):
        puzzlehunt.suggest(game, ["RRGY 4b", "RRGO 4b"])


@pytest.mark.parametrize("own", [largest, FirstCandidate, FirstCandidate()])
def test_a_strategy_of_ones_own_is_taken_wherever_a_name_is(own):
    name = "largest" if own is largest else "FirstCandidate"
    twin = "minimax" if own is largest else "first"
    game, twin_game = puzzlehunt.load("3x4"), puzzlehunt.load("3x4", [f"play.strategy={twin}"])
    own_game = game.with_play({"strategy": own})
    expected = puzzlehunt.suggest(twin_game, top=1).guesses
    by_hand = puzzlehunt.Adviser(game, own).advise(puzzlehunt.open_engine(game))
    for advice in (by_hand, puzzlehunt.suggest(game, strategy=own), puzzlehunt.suggest(own_game)):
        assert advice.guesses[:1] == expected
        assert advice.strategy == name
    played = puzzlehunt.run(twin_game).played
    for result in (puzzlehunt.run(own_game), puzzlehunt.run("3x4", strategy=own)):
        assert result.played == played
        assert name in result._repr_html_()
    compared = puzzlehunt.compare(game, [own, twin])
    assert list(compared.results) == [name, twin]
    assert compared.pairs[0].difference.total == 0
    assert isinstance(puzzlehunt.find_strategy(own), puzzlehunt.Strategy)


def test_a_session_keeps_only_strategies_that_have_a_name(tmp_path):
    game = puzzlehunt.load("3x4").with_play({"strategy": largest})
    session = puzzlehunt.Session(game, "3x4")
    session.keep_in(tmp_path / "game.yaml")
    assert session.advise(1, budget=puzzlehunt.Budget()).strategy == "largest"
    assert puzzlehunt.load(tmp_path / "game.yaml").play.strategy == "book"
    session.apply(puzzlehunt.changes.SetStrategy("parts"))
    session.close()
    assert puzzlehunt.load(tmp_path / "game.yaml").play.strategy == "parts"


# Frames have the values of the attributes, one row for each.


@pytest.mark.needs("pandas")
def test_suggestions_and_reviews_have_a_row_each() -> None:
    advice = puzzlehunt.suggest("4x6", ["AABB 1b"])
    made = advice.to_frame()
    assert made["guess"].tolist() == advice.guesses
    assert made["value"].tolist() == [one.value for one in advice]
    review = puzzlehunt.review("4x6", ["AABB 1b", "CDAD 1w"])
    shown = review.to_frame()
    assert shown["guess"].tolist() == ["AABB", "CDAD"]
    assert shown["candidates_left"].tolist() == [turn.candidates_left for turn in review]


@pytest.mark.needs("pandas")
def test_tournaments_have_a_row_for_each_secret() -> None:
    tournament = puzzlehunt.run("2x2", "first")
    made = tournament.to_frame()
    assert made["secret"].tolist() == ["AA", "AB", "BA", "BB"]
    assert made["played"].tolist() == tournament.guesses["played"].tolist()
    assert "lost" not in made
    limited = puzzlehunt.run(puzzlehunt.load("2x2", {"play.attempts": 2}), "first")
    assert limited.to_frame()["lost"].sum() == limited.losses
