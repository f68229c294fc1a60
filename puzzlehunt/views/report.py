"""A comparison as one page of Markdown, with the command that makes it again."""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import indent
from urllib.parse import quote

from puzzlehunt import __version__
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.guess_counts import COUNTS
from puzzlehunt.lab.published import Published
from puzzlehunt.views.escapes import in_markdown, printable
from puzzlehunt.views.tables import Table
from puzzlehunt.views.tournaments import (
    counting_note,
    pair_sentence,
    pairs_table,
    published_table,
    results_table,
    secrets_text,
)

_CAPTIONS = {
    "histogram": "How many games took how many guesses",
    "box": "The middle half of the games, best and worst",
    "shrink": "How the candidates shrink",
}


@dataclass(frozen=True, slots=True)
class Report:
    """What a page holds: a comparison, published rows, and file names of pictures by their kind.

    `command` is the command line that makes the page again.
    """

    comparison: Comparison
    command: str
    published: tuple[Published, ...] = ()
    pictures: Mapping[str, str] | None = None

    def header(self) -> str:
        """Return the line of versions and settings that the page was made with."""
        comparison, play = self.comparison, self.comparison.game.play
        settings = {
            "puzzlehunt": __version__,
            "game": comparison.game_name,
            "hash": fingerprint(comparison.game),
            "secrets": f"{comparison.games:,}" if comparison.sampled else "all",
            "pool": play.pool,
            "ties": play.ties,
            "opening": play.opening or "its own",
            "seed": str(play.seed),
        }
        return ", ".join(f"{key} {value}" for key, value in settings.items())

    def markdown(self) -> str:
        """Return the whole page."""
        comparison = self.comparison
        title = comparison.game.title
        page_title = title if title == comparison.game_name else f"{title} ({comparison.game_name})"
        parts = [f"# Strategies for {in_markdown(page_title)}", in_markdown(self.header())]
        parts.append(indent(printable(self.command), "    "))
        parts += ["## Results", f"{_count_line(comparison)}", results_table(comparison).markdown()]
        parts += ["## How many games took how many guesses", histograms(comparison).markdown()]
        if comparison.pairs:
            sentences = [f"- {in_markdown(pair_sentence(pair))}" for pair in comparison.pairs]
            parts += [
                "## Differences",
                _method_text(comparison),
                pairs_table(comparison).markdown(),
            ]
            parts.append("\n".join(sentences))
        if self.published:
            table = published_table(self.published, comparison.results.values())
            parts += ["## Published", counting_note(self.published), table.markdown()]
        for kind, file in (self.pictures or {}).items():
            parts.append(f"![{_CAPTIONS[kind]}]({quote(file)})")
        return "\n\n".join(parts) + "\n"


def _count_line(comparison: Comparison) -> str:
    secrets = secrets_text(comparison)
    return (
        f"{secrets[:1].upper()}{secrets[1:]}; guesses until the secret is *played*, and until it "
        "is *known*, one candidate being left."
    )


def _method_text(comparison: Comparison) -> str:
    exact_note = (
        " Where every secret was played, and nothing was drawn by lot, a difference is exact; "
        "interval, p and what is beyond chance are inferred, for as many other secrets like these."
    )
    return (
        f"Guesses until {comparison.count}, the first strategy's less the second's on the same "
        "secrets; a bootstrap's 95 % interval of the average, the p of a permutation test, and p "
        f"corrected for the number of pairs (Holm).{'' if comparison.sampled else exact_note}"
    )


def histograms(comparison: Comparison) -> Table:
    """Return a row for each strategy and count: how many games took each number of guesses."""
    summaries = [
        (name, count, result.summary(count))
        for name, result in comparison.results.items()
        for count in COUNTS
    ]
    most = max(summary.worst or 0 for _, _, summary in summaries)
    fewest = min(guesses for _, _, summary in summaries for guesses in summary.histogram)
    numbers = range(fewest, most + 1)
    rows = [
        [name, count, *(f"{summary.histogram.get(guesses, 0):,}" for guesses in numbers)]
        for name, count, summary in summaries
    ]
    return Table.of(
        ["strategy", "until", *map(str, numbers)], rows, text_columns=["strategy", "until"]
    )
