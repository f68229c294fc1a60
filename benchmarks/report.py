"""What every benchmark prints: Markdown tables of medians."""

from collections.abc import Iterable, Sequence
from statistics import median


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table: first column to the left, the others to the right."""
    rule = ("---", *["---:"] * (len(header) - 1))
    return "\n".join(f"| {' | '.join(map(str, row))} |" for row in (header, rule, *rows))


def spread(values: Sequence[float], form: str = ".2f") -> str:
    """Return the median with the least and the greatest: `0.52 (0.50-0.61)`."""
    return f"{median(values):{form}} ({min(values):{form}}-{max(values):{form}})"


def times(slow: Sequence[float], fast: Sequence[float]) -> str:
    """Return the ratio of two medians: `3.1x`."""
    return f"{median(slow) / median(fast):.1f}x"
