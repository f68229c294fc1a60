"""Results as pandas frames have the values of their attributes, one row for each."""

import pytest

import puzzlehunt

pytestmark = pytest.mark.needs("pandas")


def test_candidates_come_with_their_chances() -> None:
    log = puzzlehunt.open_engine("heart-2018")
    made = log.candidates().to_frame()
    assert made["candidate"].tolist() == log.candidates().texts()
    best = made.sort_values("probability", ascending=False, kind="stable").head(3)
    likeliest = [(log.game.format_code(code), chance) for code, chance in log.likeliest(3)]
    assert list(best.itertuples(index=False, name=None)) == likeliest
    equal = puzzlehunt.candidates("2x2", ["AB 0b"]).to_frame(limit=1)
    assert equal.to_dict("list") == {"candidate": ["BA"], "probability": [1.0]}
    unknown = puzzlehunt.candidates("2x2", engine="symbolic").to_frame()
    assert unknown["probability"].isna().all()


def test_suggestions_and_reviews_have_a_row_each() -> None:
    advice = puzzlehunt.suggest("4x6", ["AABB 1b"])
    made = advice.to_frame()
    assert made["guess"].tolist() == advice.guesses
    assert made["value"].tolist() == [one.value for one in advice]
    review = puzzlehunt.review("4x6", ["AABB 1b", "CDAD 1w"])
    shown = review.to_frame()
    assert shown["guess"].tolist() == ["AABB", "CDAD"]
    assert shown["candidates_left"].tolist() == [turn.candidates_left for turn in review]


def test_tournaments_and_comparisons_have_a_row_for_each_secret() -> None:
    tournament = puzzlehunt.run("2x2", "first")
    made = tournament.to_frame()
    assert made["secret"].tolist() == ["AA", "AB", "BA", "BB"]
    assert made["played"].tolist() == tournament.outcomes.played.tolist()
    assert "lost" not in made
    limited = puzzlehunt.run(puzzlehunt.load("2x2", {"play.attempts": 2}), "first")
    assert limited.to_frame()["lost"].sum() == limited.losses
    comparison = puzzlehunt.compare("2x2", ["first", "minimax"])
    both = comparison.to_frame()
    assert list(both) == ["secret", "first", "minimax"]
    assert both["first"].sum() == comparison["first"].summary("played").total
