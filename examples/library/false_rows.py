"""Rows of which one was misread: which one is suspect, what mends it, and a picture."""

import sys
from pathlib import Path

import puzzlehunt

ROWS = ["RRGG 1b 1w", "BBYY 1b", "RBOO 2w", "GRPY none"]


def main() -> None:
    """Say what is wrong with the rows; with the name of a file, draw what they left."""
    session = puzzlehunt.Session("mastermind")
    session.play(*ROWS)
    print(puzzlehunt.explain(session))
    print(*session.repairs()[:3], *puzzlehunt.suspects(session)[:2], sep="\n")
    if len(sys.argv) > 1:
        puzzlehunt.plot(session).save(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
