"""Results as pandas frames have the values of their attributes, one row for each."""

import pytest

import puzzlehunt

pytestmark = pytest.mark.needs("pandas")


def test_suggestions_and_reviews_have_a_row_each() -> None:
    advice = puzzlehunt.suggest("4x6", ["AABB 1b"])
    made = advice.to_frame()
    assert made["guess"].tolist() == advice.guesses
    assert made["value"].tolist() == [one.value for one in advice]
    review = puzzlehunt.review("4x6", ["AABB 1b", "CDAD 1w"])
    shown = review.to_frame()
    assert shown["guess"].tolist() == ["AABB", "CDAD"]
    assert shown["candidates_left"].tolist() == [turn.candidates_left for turn in review]


def test_tournaments_have_a_row_for_each_secret() -> None:
    tournament = puzzlehunt.run("2x2", "first")
    made = tournament.to_frame()
    assert made["secret"].tolist() == ["AA", "AB", "BA", "BB"]
    assert made["played"].tolist() == tournament.guesses["played"].tolist()
    assert "lost" not in made
    limited = puzzlehunt.run(puzzlehunt.load("2x2", {"play.attempts": 2}), "first")
    assert limited.to_frame()["lost"].sum() == limited.losses
