#!/usr/bin/env python3
"""Build the word lists beside this script from Debian's ``scowl`` package.

Usage, from the top of the checkout::

    sudo apt-get install scowl
    python3 wordlists/build.py

SCOWL sorts English words into levels, from 10 (everybody knows them) to 95 (hardly anybody does).
Each list holds the words up to one level, of the files ``english-words.*`` and
``american-words.*``, that are written with the letters a-z alone: no capitals, accents or
apostrophes. A list is sorted, without repeats, lower case, one word a line.

The same release of the package always gives the same bytes. The table that is printed is the one
in README.md.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

LEVELS = {"common": 35, "standard": 60, "large": 80, "huge": 95}
"""The lists, and the highest SCOWL level that each takes in."""

DIALECTS = ("english", "american")
"""``english`` is what all dialects share; ``american`` adds the American spellings."""

PLAIN_WORD = re.compile(r"[a-z]+")


def main(arguments: list[str] | None = None) -> int:
    """Write every list of ``LEVELS`` and print its counts; return the exit status."""
    parser = argparse.ArgumentParser(description="Build the word lists from Debian's scowl.")
    parser.add_argument(
        "--scowl",
        type=Path,
        default=Path("/usr/share/dict/scowl"),
        help="the folder of SCOWL's files (default: %(default)s)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path(__file__).resolve().parent,
        help="the folder to write to (default: the folder of this script)",
    )
    options = parser.parse_args(arguments)

    by_level = words_by_level(options.scowl)
    if not by_level:
        print(
            f"{options.scowl}: no english-words.* here; install the package with"
            " `sudo apt-get install scowl` or name its folder with --scowl",
            file=sys.stderr,
        )
        return 2

    print("| file | SCOWL levels | words | five letters | five distinct letters |")
    print("|---|---|---|---|---|")
    for name, highest in LEVELS.items():
        words = words_up_to(highest, by_level)
        target = options.output / f"{name}.txt"
        target.write_text("".join(f"{word}\n" for word in words), encoding="ascii", newline="\n")
        five = [word for word in words if len(word) == 5]
        distinct = [word for word in five if len(set(word)) == 5]
        print(
            f"| `{name}.txt` | up to {highest} | {len(words):,} | {len(five):,}"
            f" | {len(distinct):,} |"
        )
    return 0


def words_by_level(folder: Path) -> dict[int, set[str]]:
    """Return SCOWL level -> the plain words of that level, empty where ``folder`` holds none."""
    levels: dict[int, set[str]] = {}
    for dialect in DIALECTS:
        for path in folder.glob(f"{dialect}-words.*"):
            level = int(path.suffix.removeprefix("."))
            # SCOWL predates UTF-8: its files are ISO 8859-1.
            lines = path.read_text(encoding="latin-1").splitlines()
            levels.setdefault(level, set()).update(plain_words(lines))
    return levels


def words_up_to(highest: int, by_level: dict[int, set[str]]) -> list[str]:
    """Return the words of all levels up to and including ``highest``, sorted, each once."""
    return sorted(set().union(*(words for level, words in by_level.items() if level <= highest)))


def plain_words(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are written with the letters a-z alone."""
    return (line for line in lines if PLAIN_WORD.fullmatch(line))


if __name__ == "__main__":
    sys.exit(main())
