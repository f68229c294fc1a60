"""Two strategies of one's own, as functions of a partition's counts, beside a built-in one."""

from typing import Any

import puzzlehunt


def fewest_pairs(counts: Any) -> Any:
    """Return how many pairs of candidates each guess leaves together (smaller is better)."""
    return (counts * (counts - 1)).sum(axis=-1)


def most_alone(counts: Any) -> Any:
    """Return how many candidates are alone with their answer, negative (smaller is better)."""
    return -(counts == 1).sum(axis=-1)


def main() -> None:
    """Let all three play every secret of a small game."""
    comparison = puzzlehunt.compare("3x5", ["minimax", fewest_pairs, most_alone])
    for name in comparison.ranking:
        summary = comparison.results[name].summary("played")
        print(f"{name}: {summary.average:.3f} guesses on average, {summary.worst} at worst")
    for pair in comparison.pairs:
        print(f"{pair.first} - {pair.second}: {pair.difference.total:+} guesses")


if __name__ == "__main__":
    main()
