"""A comparison as one page of Markdown, with the command that makes it again."""

from collections.abc import Mapping
from dataclasses import dataclass

from puzzlehunt import __version__
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.outcomes import COUNTS
from puzzlehunt.lab.published import Published
from puzzlehunt.views.markup import Table
from puzzlehunt.views.tournaments import (
    counting_note,
    pairs_table,
    published_table,
    results_table,
    sentence,
    which,
)

_CAPTIONS = {
    "histogram": "How many games took how many guesses",
    "box": "The middle half of the games, best and worst",
    "shrink": "How the candidates shrink",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What a page holds: a comparison, published rows, and the names of pictures by their kind.

    `command` is what makes the page again.
    """

    comparison: Comparison
    command: str
    rows: tuple[Published, ...] = ()
    pictures: Mapping[str, str] | None = None

    def header(self) -> str:
        """Return the line from which the page can be made again."""
        comparison, play = self.comparison, self.comparison.game.play
        told = {
            "puzzlehunt": __version__,
            "game": comparison.game_name,
            "hash": fingerprint(comparison.game),
            "secrets": f"{comparison.games:,}" if comparison.sampled else "all",
            "pool": play.pool,
            "ties": play.ties,
            "opening": play.opening or "its own",
            "seed": str(play.seed),
        }
        return ", ".join(f"{key} {value}" for key, value in told.items())

    def markdown(self) -> str:
        """Return the whole page."""
        comparison = self.comparison
        title = comparison.game.title
        named = title if title == comparison.game_name else f"{title} ({comparison.game_name})"
        parts = [f"# Strategies for {named}", self.header(), f"    {self.command}"]
        parts += ["## Results", f"{_count_line(comparison)}", results_table(comparison).markdown()]
        parts += ["## How many games took how many guesses", histograms(comparison).markdown()]
        if comparison.pairs:
            sentences = [f"- {sentence(pair)}" for pair in comparison.pairs]
            parts += ["## Differences", _how(comparison), pairs_table(comparison).markdown()]
            parts.append("\n".join(sentences))
        if self.rows:
            table = published_table(self.rows, comparison.results.values())
            parts += ["## Published", counting_note(self.rows), table.markdown()]
        for kind, file in (self.pictures or {}).items():
            parts.append(f"![{_CAPTIONS[kind]}]({file})")
        return "\n\n".join(parts) + "\n"


def _count_line(comparison: Comparison) -> str:
    secrets = which(comparison)
    return (
        f"{secrets[:1].upper()}{secrets[1:]}; guesses until the secret is *played*, and until it "
        "is *known*, one candidate being left."
    )


def _how(comparison: Comparison) -> str:
    """Return how differences were judged, in a paragraph."""
    exact = " Where every secret was played, and nothing was drawn by lot, a difference is exact; "
    exact += "interval and p then say what another set of as many secrets would show."
    return (
        f"Guesses until {comparison.count}, the first strategy's less the second's on the same "
        "secrets; a bootstrap's 95 % interval of the average, the p of a permutation test, and p "
        f"corrected for the number of pairs (Holm).{'' if comparison.sampled else exact}"
    )


def histograms(comparison: Comparison) -> Table:
    """Return a row for each strategy and count: how many games took each number of guesses."""
    told = [
        (name, count, result.summary(count))
        for name, result in comparison.results.items()
        for count in COUNTS
    ]
    worst = max(each.worst or 0 for _, _, each in told)
    least = min(n for _, _, each in told for n in each.histogram)
    numbers = range(least, worst + 1)
    rows = [
        [name, count, *(f"{each.histogram.get(n, 0):,}" for n in numbers)]
        for name, count, each in told
    ]
    return Table.of(["strategy", "until", *map(str, numbers)], rows, left=["strategy", "until"])
