"""Rows of which one was misread: which one is suspect, what mends it, and a picture."""

import sys
from pathlib import Path

import puzzlehunt

ROWS = ["RRGG 1b 1w", "BBYY 1b", "RBOO 2w", "GRPY none"]


def main() -> None:
    """Say what is wrong with the rows; with the name of a file, draw what they left."""
    engine = puzzlehunt.open_engine("mastermind")
    engine.follow(ROWS)
    game = engine.game
    explanation = puzzlehunt.explain(game, engine)
    print("rows that cannot all be right:", explanation.conflict)
    for repair in puzzlehunt.repairs(engine)[:3]:
        new = [f"row {number}: {game.format_turn(turn)}" for number, turn in repair.turns]
        print(f"{repair.probability:.0%} {repair.kind}: {', '.join(new)}, {repair.count} left")
    for suspect in puzzlehunt.suspects(engine)[:2]:
        print(f"row {suspect.number} is wrong with a chance of {suspect.probability:.0%}")
    if len(sys.argv) > 1:
        puzzlehunt.plot_game(game, ROWS).save(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
