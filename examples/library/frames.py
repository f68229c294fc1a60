"""Rows in a pandas frame, and what is known after each, as another frame."""

import pandas as pd

import puzzlehunt

PLAYED = pd.DataFrame(
    {"guess": ["SLATE", "CRONY", "PINCH"], "answer": ["...Y.", "...G.", ".YY.Y"]},
)


def main() -> None:
    """Print the candidates after each row, the best guesses, and how good the rows were."""
    game = puzzlehunt.load("wordle")
    rows = (PLAYED["guess"] + " " + PLAYED["answer"]).tolist()
    counts = [len(puzzlehunt.candidates(game, rows[: n + 1])) for n in range(len(rows))]
    print(PLAYED.assign(left=counts).to_string(index=False))
    advice = puzzlehunt.suggest(game, rows, 3).to_frame()
    print(advice[["guess", "value", "worst"]].round(2).to_string(index=False))
    review = puzzlehunt.review(game, rows).to_frame()
    print(review[["guess", "expected_bits", "gained_bits"]].round(1).to_string(index=False))
    games = puzzlehunt.run(game, "first", secrets=50).to_frame()
    print(games["played"].value_counts().sort_index().to_dict())


if __name__ == "__main__":
    main()
