"""Files of decision trees.

A file is text (packed by gzip where its name ends with .gz): a first line, `key: value` lines, an
empty line, and a line for each guess. A line holds the answer that leads to the guess, the guess,
and the number of guesses that all candidates there take together. It is indented one space further
than the line of the guess before:

    AABC 5625
     00 DDEF 246
      00 FFFF

The line of a candidate that is the only one left has no number: it takes one guess. An answer is
written as the digits of the rule's feedback. If a number of it is 10 or more, a comma follows each
number.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import InvalidCodeError, SessionError, TreeError
from puzzlehunt.game.files.atomic import write_new
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.game.game import Game
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.search.decision_tree import DecisionTree

FORMAT = "puzzlehunt tree 1"
_MOST_BYTES = 8_000_000
"""Largest tree that is read, unpacked (bytes): about a million guesses."""


@dataclass(frozen=True, eq=False)
class TreeFile:
    """The `lines` of a decision tree, one for each guess, its symbols, and the `head` of its file.

    The head holds the `key: value` lines except the symbols. Its keys are:

    - `game`, and `print`: the game's name, and its fingerprint without the names of symbols
    - `strategy`, `pool`, `ties`: the settings of the game that made the tree
    - `version`: the version of puzzlehunt
    - `secrets`: the number of secrets
    - `total`, `worst`: the guesses until a secret is played, summed over all secrets, and the most
    - `known`: the guesses until a secret is known, summed over all secrets
    """

    lines: Sequence[str]
    symbols: Alphabet
    head: Mapping[str, str]

    def number(self, key: str) -> int:
        """Return the number of a key in the head. Raises TreeError if the key has no number."""
        text = self.head.get(key, "")
        try:
            return int(text)
        except ValueError:
            raise TreeError(f"{key}: expected a number, not {text!r:.40}") from None

    def check_game(self, game: Game) -> None:
        """Raise TreeError if the tree was made for another game."""
        expected, actual = nameless_fingerprint(game), self.head.get("print", "")
        if expected != actual:
            raise TreeError(
                f"it is a tree of another game than this (its print is {actual}, not {expected}); "
                "name the game, with the --set or --hard that it was made with"
            )

    @cached_property
    def _following(self) -> dict[tuple[int, str], int]:
        """The index of the line that follows an answer (its text) to the guess of a line."""
        following, path = {}, list[int]()
        for place, line in enumerate(self.lines):
            depth = len(line) - len(line.lstrip(" "))
            if depth > len(path) or bool(depth) != bool(path):
                raise self.error(place)
            if depth:
                following[path[depth - 1], line[depth:].partition(" ")[0]] = place
            path[depth:] = [place]
        return following

    def after(self, turns: Iterable[tuple[Code, Feedback]]) -> int | None:
        """Return the index of the line after some turns, None if no line follows them.

        Raises TreeError for a line that is wrongly indented or has no guess.
        """
        place: int | None = 0
        for guess, feedback in turns:
            if place is None or self.guess(place)[0] != guess:
                return None
            place = self._following.get((place, _answer_text(feedback)))
        return place

    def guess(self, place: int = 0) -> tuple[Code, int]:
        """Return the guess of a line, and how many guesses all candidates there take together.

        Raises TreeError for a line without them.
        """
        words = self.lines[place].split()[1 if place else 0 :]
        try:
            guess, total = words if len(words) > 1 else (*words, "1")
            return self.symbols.parse(guess), int(total)
        except (InvalidCodeError, ValueError):
            raise self.error(place) from None

    def error(self, place: int) -> TreeError:
        """Return the error for a line that is not as it should be."""
        number = len([FORMAT, "symbols", *self.head, "", *self.lines[: place + 1]])
        expected = "expected a guess, after an answer one blank further in"
        return TreeError(f"line {number}: {expected}, not {self.lines[place]!r:.40}")


def nameless_fingerprint(game: Game) -> str:
    """Return a game's fingerprint, which ignores the names of symbols and the attempts."""
    return fingerprint(game.with_play({"attempts": None}), by_names=False)


def tree_file(
    game: Game, name: str, tree: DecisionTree, more_lines: Mapping[str, object]
) -> TreeFile:
    """Return a tree with a head that describes its game; `more_lines` are added to the head."""
    play = game.play
    head = {
        "game": name,
        "print": nameless_fingerprint(game),
        "strategy": play.strategy_name,
        "pool": play.pool,
        "ties": play.ties,
        **{key: str(value) for key, value in more_lines.items()},
    }
    symbols = Alphabet(game.alphabet.symbols)
    return TreeFile([*tree_lines(tree, symbols)], symbols, head)


def write(path: Path, file: TreeFile, *, overwrite: bool = False) -> None:
    """Write a tree to a file.

    Raises TreeError if it cannot be written, or if the file exists and `overwrite` is false.
    """
    data = text_of(file).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        write_new(path, data, force=overwrite or None)
    except SessionError as error:
        raise TreeError(str(error)) from None


def read(path: Path) -> TreeFile:
    """Read a tree from a file. Raises TreeError."""
    try:
        data = read_bytes(path, _MOST_BYTES)
        if path.suffix == ".gz":
            with gzip.open(BytesIO(data)) as unpacked:
                data = unpacked.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise OSError("unpacked it is too large")
        return of_text(data.decode())
    except TreeError as error:
        raise TreeError(f"{path}: {error}") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TreeError(f"{path}: cannot be read ({reason})") from None


def text_of(file: TreeFile) -> str:
    """Return the text of a tree; `of_text` reads it back."""
    lines = [FORMAT, f"symbols: {' '.join(file.symbols.symbols)}"]
    lines += [f"{key}: {value}" for key, value in file.head.items()]
    return "\n".join([*lines, "", *file.lines, ""])


def tree_lines(tree: DecisionTree, symbols: Alphabet) -> Iterator[str]:
    """Yield the lines of a tree's guesses, as the file has them."""
    waiting = [(0, "", 0)]
    while waiting:
        node, answer, depth = waiting.pop()
        total = f" {tree.total[node]}" if tree.total[node] > 1 else ""
        yield f"{' ' * depth}{answer}{symbols.format(tree.code(node))}{total}"
        waiting += (
            (child, f"{_answer_text(feedback)} ", depth + 1)
            for feedback, child in sorted(tree.children[node].items(), reverse=True)
        )


def _answer_text(feedback: Feedback) -> str:
    if all(number < 10 for number in feedback):
        return "".join(map(str, feedback))
    return "".join(f"{number}," for number in feedback)


def of_text(text: str) -> TreeFile:
    """Parse the text of a tree. Raises TreeError."""
    lines = text.splitlines()
    end = lines.index("") if "" in lines else len(lines)
    head = dict(line.partition(": ")[::2] for line in lines[1:end])
    names = tuple(head.pop("symbols", "").split())
    if lines[:1] != [FORMAT] or not lines[end + 1 :]:
        raise TreeError(f"this is not a tree (expected {FORMAT!r} in its first line)")
    try:
        return TreeFile(lines[end + 1 :], Alphabet(names), head)
    except ValueError as error:
        raise TreeError(f"symbols: {error}") from None
