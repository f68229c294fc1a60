"""Files of decision trees, such as opening books, and the strategy that plays one.

A file is text (packed by gzip where its name ends with .gz): a first line, `key: value` lines, an
empty line, and a line for each guess. A line holds the answer that leads to the guess, the guess,
and the number of guesses that all candidates there take together. It is indented one space further
than the line of the guess before:

    AABC 5625
     00 DDEF 246
      00 FFFF

The line of a candidate that is the only one left has no number: it takes one guess. An answer is
written as the digits of the rule's feedback, each with a comma if one is 10 or more.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import cast

from puzzlehunt.codes.alphabet import Alphabet, Code
from puzzlehunt.codes.files import read_bytes
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import InvalidCodeError, SessionError, StrategyError, TreeError
from puzzlehunt.game import meaning
from puzzlehunt.game.files.atomic import write_new
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import PackedCodes, indices_in
from puzzlehunt.rules.notation.clue import Feedback, Parts
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.grow import DecisionTree, grow

FORMAT = "puzzlehunt tree 1"
SUFFIX = ".tree.gz"
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
                "name the game, with the settings that it was made with"
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
    data = read_bytes(path, _MOST_BYTES, TreeError)
    try:
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
    numbers = cast(Parts, feedback)
    if all(number < 10 for number in numbers):
        return "".join(map(str, numbers))
    return "".join(f"{number}," for number in numbers)


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


# Playing a tree.


@lru_cache
def find_book(game: Game) -> "Replay | None":
    """Return what plays a game's opening book, None if there is none.

    The name of its file ends in the game's fingerprint. A book fits if its game has the same pool
    and ties, too, and if its tree finds any secret within the attempts of `game`.
    """
    if not (game.secrets.free and game.guesses.free):
        return None
    for path in sorted(resource_folder("books").glob(f"*-{nameless_fingerprint(game)}{SUFFIX}")):
        book = _opened(path)
        attempts, head = game.play.attempts, book.head
        in_time = attempts is None or book.number("worst") <= attempts
        same_settings = head["pool"] == game.play.pool and head["ties"] == game.play.ties
        if in_time and same_settings:
            return Replay(book)
    return None


_opened = cache(read)


class Replay(Strategy):
    """Plays a decision tree, as long as the past guesses are those of the tree."""

    name = "tree"
    measure = GUESSES_ON_AVERAGE

    def __init__(self, file: TreeFile, path: Path | None = None) -> None:
        self.file, self._where = file, f"{path}: " if path else ""
        self._game: object = None
        """The last game for which `check_game` found the tree to be made."""

    @property
    def title(self) -> str:
        """The title of an opening book: `4x6, optimal`."""
        return f"{self.file.head['game']}, {self.file.head['strategy']}"

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        guess, value = self.guess_in(position)
        return [replace(self.rate(position, guess), value=value)], True

    def _choose(self, position: Position) -> PackedCodes:
        guess, _ = self.guess_in(position)
        return position.row(guess)

    def guess_in(self, position: Position) -> tuple[Code, float]:
        """Return the tree's guess in a position, and the guesses on average from there on.

        Raises TreeError for the position of another game or a wrong file, StrategyError if the tree
        has none, or if a row was read in part.
        """
        try:
            if self._game is not position.game:
                self.file.check_game(position.game)
                self._game = position.game
            turns = ((guess, _answer(position, guess)) for guess in position.past_guesses)
            place = self.file.after(turns)
            if place is None:
                raise StrategyError(f"{self._where}the rows do not follow any path of this tree")
            guess, total = self.file.guess(place)
        except TreeError as error:
            raise TreeError(f"{self._where}{error}") from None
        admitted = meaning.is_listed(position.game, guess)
        if position.game.hard:
            codes = position.choices()[0].codes
            admitted = bool(indices_in(codes, position.row(guess).codes)[0] >= 0)
        if not admitted:
            shown = position.game.format_code(guess)
            raise TreeError(f"{self._where}{shown} may not be guessed here")
        return guess, round(total / len(position.candidates), 4)


def _answer(position: Position, guess: Code) -> Feedback:
    """Return the feedback of a past guess. Raises StrategyError if candidates differ in it."""
    rule = position.game.rule
    answers = rule.table(position.row(guess), position.secrets[position.candidates])[0]
    if (answers != answers[0]).any():
        raise StrategyError("a tree can only be played if every answer is read in full")
    return rule.feedbacks[int(answers[0])]


def verify(file: TreeFile, game: Game) -> dict[str, int]:
    """Play every secret, and return the true `secrets`, `total`, `known` and `worst` of the head.

    Raises TreeError if the tree never plays a secret, if the game or its hard mode does not admit a
    guess, or if a total or a number of the head is wrong.
    """
    file.check_game(game)
    engine = open_engine(game, "explicit").listed
    assert engine is not None
    try:
        tree = grow(Position.of(game, engine), Replay(file))
    except StrategyError as error:
        raise TreeError(str(error)) from None
    for place, (line, true) in enumerate(zip_longest(file.lines, tree_lines(tree, file.symbols))):
        if line != true:
            raise TreeError(
                f"guess {place + 1} of the tree: {true!r:.40} by count, not {line!r:.40}"
            )
    counts = tree.counts()
    for key, value in counts.items():
        if key in file.head and file.number(key) != value:
            raise TreeError(f"{key}: {value:,} by count, and not {file.number(key):,}")
    return counts
