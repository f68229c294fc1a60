"""Which share of the answers of others' word games the words of `secret.language` have.

Usage, from the top of the checkout, with the extra `languages`:

    python benchmarks/foreign_answers.py FOLDER

FOLDER holds text files with one answer a line, named by the language and the game: `de-6mal5.txt`.
They are other people's lists, so none is shipped. Of each list, the answers of its most frequent
length count. The last columns are the average surprise (bits) of a known answer if a word's weight
is its frequency to the power that heads the column: the best power has the fewest.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from puzzlehunt.codes.graphemes import grapheme_count
from puzzlehunt.codes.languages import language_of
from puzzlehunt.codes.word_frequencies import alphabet_of, language_space

_POWERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def measure(path: Path) -> str:
    """Return the row of a list for the table."""
    language = language_of(path.stem.partition("-")[0])
    answers = {language.spelt(line) for line in path.read_text(encoding="utf-8").split()}
    length = Counter(map(grapheme_count, answers)).most_common(1)[0][0]
    lengths = range(length, length + 1)
    alphabet = alphabet_of(language, lengths, False)
    space = language_space(language, alphabet, lengths, False)
    # A word with a letter that the game does not have stands for itself.
    codes = {alphabet.spell(word) or word for word in answers if grapheme_count(word) == length}
    known = [code for code in codes if isinstance(code, tuple) and code in space.weights]
    log_all = np.log2([space.weights[code] for code in space])
    log_known = np.log2([space.weights[code] for code in known])
    surprises = [
        np.log2(np.exp2(2 * power * log_all).sum()) - (2 * power * log_known).mean()
        for power in _POWERS
    ]
    figures = " | ".join(f"{surprise:.1f}" for surprise in surprises)
    return (
        f"| {path.stem} | {length} | {len(codes):,} | {space.size:,} "
        f"| {100 * len(known) / len(codes):.1f} | {figures} |"
    )


def main() -> None:
    """Print the table of the lists in a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    for path in sorted(parser.parse_args().folder.glob("*.txt")):
        print(measure(path), flush=True)


if __name__ == "__main__":
    main()
