#!/usr/bin/env python3
"""Build the word lists in ``english/`` from Debian's ``scowl`` package.

Usage, from the top of the checkout::

    sudo apt-get install scowl
    python3 wordlists/build.py

SCOWL sorts English words into levels, from 10 (everybody knows them) to 95 (hardly anybody does).
A list of ``LEVELS`` has the words up to one level, of the files ``english-words.*`` and
``american-words.*``, that are written with the letters a-z alone: no capitals, accents or
apostrophes. The list ``likely`` has the words up to level 80 of all spellings, accents left off,
each with a weight: how likely somebody is to pick it as a secret. It comes from SCOWL's own classes
alone.

The words of each length are a file, sorted, one a line: the word, the level of the smallest list
that has it (100 if none has) and, if ``likely`` has it, its weight.

The same release of the package always gives the same bytes. The table that is printed is the one
in README.md.
"""

import argparse
import re
import sys
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

LEVELS = {"common": 35, "standard": 60, "large": 80, "huge": 95}
"""The lists, smallest first, and the highest SCOWL level that each takes in."""

DIALECTS = ("english", "american")
"""``english`` is what all dialects share; ``american`` adds the American spellings."""

WEIGHTS = {10: 300, 20: 300, 35: 300, 40: 100, 50: 100, 55: 30, 60: 30, 70: 10, 80: 1}
"""The weight of a word in ``likely``, by its level: known to everybody, to most people, and so on.

SCOWL calls the levels up to 35 small, 50 medium, 70 large and 80 huge, "the strange and unusual
words people like to use in word games"."""

INFLECTED = 30
"""Divides the weight of plurals and verbs in -s and past forms in -ed, which are seldom picked."""

OTHER_SPELLING = 10
"""Divides the weight of a word that is neither in the English nor in the American lists."""

PLAIN_WORD = re.compile(r"[a-z]+")
FILE_OF_WORDS = re.compile(r"(\w+)-words\.(\d+)")
"""A file of SCOWL's words, by spelling and level."""


def main(arguments: list[str] | None = None) -> int:
    """Write the words of each length and print the counts of the lists; return the exit status."""
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
        default=Path(__file__).resolve().parent / "english",
        help="the folder to write to (default: `english` beside this script)",
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

    print("| list | SCOWL levels | words | five letters | five distinct letters |")
    print("|---|---|---|---|---|")
    levels: dict[str, int] = {}
    for name, highest in LEVELS.items():
        words = words_up_to(highest, by_level)
        levels = dict.fromkeys(words, highest) | levels
        print(table_row(name, highest, words))
    likely = weights_of_likely(options.scowl)
    print(table_row("likely", max(WEIGHTS), likely))
    lines: dict[int, list[str]] = {}
    for word in sorted({*levels, *likely}):
        weight = f" {likely[word]:.3g}" if word in likely else ""
        line = f"{word} {levels.get(word, 100)}{weight}\n"
        lines.setdefault(len(word), []).append(line)
    for length, found in lines.items():
        target = options.output / f"{length}.txt"
        target.write_text("".join(found), encoding="ascii", newline="\n")
    return 0


def table_row(name: str, highest: int, words: Collection[str]) -> str:
    """Return the line of the table on a list whose words are of levels up to ``highest``."""
    five = [word for word in words if len(word) == 5]
    distinct = [word for word in five if len(set(word)) == 5]
    counts = f"{len(words):,} | {len(five):,} | {len(distinct):,}"
    return f"| `{name}` | up to {highest} | {counts} |"


def words_by_level(folder: Path) -> dict[int, set[str]]:
    """Return SCOWL level -> the plain words of that level, empty where ``folder`` holds none."""
    levels: dict[int, set[str]] = {}
    for dialect in DIALECTS:
        for path in folder.glob(f"{dialect}-words.*"):
            level = int(path.suffix.removeprefix("."))
            levels.setdefault(level, set()).update(plain_words(lines_of(path)))
    return levels


def words_up_to(highest: int, by_level: dict[int, set[str]]) -> list[str]:
    """Return the words of all levels up to and including ``highest``, sorted, each once."""
    return sorted(set().union(*(words for level, words in by_level.items() if level <= highest)))


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file of SCOWL, which is in UTF-8 or, in older releases, ISO 8859-1."""
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return raw.decode("latin-1").splitlines()


def plain_words(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that are written with the letters a-z alone."""
    return (line for line in lines if PLAIN_WORD.fullmatch(line))


# Likely words.


def weights_of_likely(folder: Path) -> dict[str, float]:
    """Return word -> weight of the list ``likely``."""
    american, other = lowest_levels(folder)
    levels = other | american
    weights = {}
    for word, level in levels.items():
        if level in WEIGHTS:
            weight = float(WEIGHTS[level])
            weight /= INFLECTED if is_inflected(word, levels) else 1
            weight /= 1 if word in american else OTHER_SPELLING
            weights[word] = weight
    return weights


def lowest_levels(folder: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return word -> level, accents left off: of the files of ``DIALECTS``, and of all others."""
    ours: dict[str, int] = {}
    others: dict[str, int] = {}
    for path in folder.iterdir():
        if match := FILE_OF_WORDS.fullmatch(path.name):
            levels = ours if match[1] in DIALECTS else others
            for word in plain_words(map(without_accents, lines_of(path))):
                levels[word] = min(int(match[2]), levels.get(word, 100))
    return ours, others


def without_accents(word: str) -> str:
    """Return a word with its letters' accents left off."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def is_inflected(word: str, levels: Mapping[str, int]) -> bool:
    """Return whether a word is another, no less common one with -s, -es or -ed.

    SCOWL has a word at the level of its inflected forms or below, so that ``virus`` and ``naked``
    are no forms of the rare ``viru`` and ``nake``.
    """
    return any(levels.get(stem, 100) <= levels[word] for stem in stems(word))


def stems(word: str) -> Iterator[str]:
    """Yield the words that a word may be the form in -s or -ed of, in two letters or more."""
    endings = {"s": "", "es": "", "ies": "y", "ves": "f", "d": "", "ed": "", "ied": "y"}
    if word.endswith("ss") or not word.endswith(("s", "ed")):
        return
    for ending, instead in endings.items():
        stem = word.removesuffix(ending) + instead
        if word.endswith(ending) and len(stem) > 1:
            yield stem
            if ending == "ves":
                yield f"{stem}e"
            if ending == "ed" and stem[-1:] == stem[-2:-1]:
                yield stem[:-1]


if __name__ == "__main__":
    sys.exit(main())
