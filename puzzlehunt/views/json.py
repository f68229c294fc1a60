"""Outcomes as JSON: what `--json` prints, with every key that a program may rely on."""

from typing import Any

from puzzlehunt import __version__
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.lab.comparison import Comparison, Pair
from puzzlehunt.views.comparisons import sentence


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison under the keys of `lab compare --json`."""
    return {
        "game": comparison.name,
        "hash": fingerprint(comparison.game),
        "version": __version__,
        "seed": comparison.game.play.seed,
        "count": comparison.count,
        "games": comparison.games,
        "sampled": comparison.sampled,
        "results": [
            {"name": name, **result.as_json()} for name, result in comparison.results.items()
        ],
        "pairs": [_pair_json(pair) for pair in comparison.pairs],
    }


def _pair_json(pair: Pair) -> dict[str, Any]:
    found = pair.difference
    return {
        "first": pair.first,
        "second": pair.second,
        "mean": round(found.mean, 6),
        "total": found.total,
        "low": found.low,
        "high": found.high,
        "p": found.p,
        "adjusted": pair.adjusted,
        "exact": pair.exact,
        "real": pair.real,
        "sentence": sentence(pair),
    }
