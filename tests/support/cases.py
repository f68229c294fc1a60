"""The tables of tests in `data/cases.txt`."""

from pathlib import Path

_TEXT = (Path(__file__).parents[1] / "data" / "cases.txt").read_text(encoding="utf-8")


def cases(title: str) -> list[tuple[str, ...]]:
    """Return the cells of each row below a title, behind which the columns are named.

    A line that begins with `#` says what the rows below it are about.
    """
    _, *rows = _TEXT.split(f"\n== {title}: ")[1].partition("\n\n")[0].splitlines()
    rows = [row for row in rows if not row.startswith("# ")]
    return [tuple(cell.strip() for cell in f"{row} ".split(" | ")) for row in rows]


def unescaped(cell: str) -> str:
    r"""Return a cell in which `\n` and the like stand for what they do in Python."""
    return cell.encode("latin-1", "backslashreplace").decode("unicode_escape")
