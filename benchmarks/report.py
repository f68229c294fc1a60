"""What every benchmark prints: Markdown tables of medians."""

from collections.abc import Iterable, Sequence
from statistics import median


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table: first column to the left, the others to the right."""
    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = [_line(row, widths) for row in cells]
    rule = "|".join(
        ("-" if at == 0 else "") + "-" * (width + 1) + ("" if at == 0 else ":")
        for at, width in enumerate(widths)
    )
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = cells[0].ljust(widths[0])
    rest = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return f"| {' | '.join((first, *rest))} |"


def spread(values: Sequence[float], form: str = ".2f") -> str:
    """Return the median with the least and the greatest: `0.52 (0.50-0.61)`."""
    return f"{median(values):{form}} ({min(values):{form}}-{max(values):{form}})"


def times(slow: Sequence[float], fast: Sequence[float]) -> str:
    """Return the ratio of two medians: `3.1x`."""
    return f"{median(slow) / median(fast):.1f}x"
