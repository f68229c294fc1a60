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
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import TypeAlias, cast

from puzzlehunt.codes.alphabet import Alphabet, Code, default_alphabet
from puzzlehunt.codes.files import read_bytes
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.engines.base import open_engine
from puzzlehunt.errors import InvalidCodeError, StrategyError, TreeError
from puzzlehunt.game import meaning
from puzzlehunt.game.files.atomic import write_new
from puzzlehunt.game.game import Game, fingerprint
from puzzlehunt.kernels.packed_codes import PackedCodes, code_of, indices_in
from puzzlehunt.rules.notation.clue import Feedback, Parts
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.grow import DecisionTree, grow

FORMAT = "puzzlehunt tree 1"
SUFFIX = ".tree.gz"
_MOST_BYTES = 8_000_000
"""Largest tree that is read, unpacked (bytes): about a million guesses."""


Way: TypeAlias = tuple[str, ...]
"""The answers that lead to a guess, as the file has them."""


@dataclass(frozen=True, eq=False)
class TreeFile:
    """The guesses of a decision tree, by the answers that lead to them, its symbols, and its head.

    With each guess is the number of guesses that all candidates there take together. The head holds
    the `key: value` lines except the symbols; that of a published tree is empty. Its keys are:

    - `game`, and `print`: the game's name, and its fingerprint without the names of symbols
    - `strategy`, `pool`, `ties`: the settings of the game that made the tree
    - `version`: the version of puzzlehunt
    - `secrets`, `total`, `known`, `worst`: the numbers of `DecisionTree.counts`
    """

    guesses: Mapping[Way, tuple[str, int]]
    symbols: Alphabet
    head: Mapping[str, str]

    def check_game(self, game: Game) -> None:
        """Raise TreeError if the tree was made for another game, or has other symbols."""
        expected, actual = nameless_fingerprint(game), self.head.get("print", "")
        if self.head and expected != actual:
            raise TreeError(
                f"it is a tree of another game than this (its print is {actual}, not {expected}); "
                "name the game, with the settings that it was made with"
            )
        if not self.head and self.symbols.symbols != game.alphabet.symbols:
            raise TreeError("its guesses are words of A to Z, and this game has other symbols")

    def after(self, turns: Iterable[tuple[Code, Feedback]] = ()) -> tuple[Code, int] | None:
        """Return the guess after some turns, and how many guesses all candidates there take.

        None if no path has these turns. Raises InvalidCodeError for a wrong symbol.
        """
        way: Way = ()
        for past, feedback in turns:
            if self.guesses.get(way, ("",))[0] != self.symbols.format(past):
                return None
            way += (_answer_text(feedback),)
        guess, total = self.guesses.get(way, ("", 0))
        return (self.symbols.parse(guess), total) if guess else None

    def lines(self) -> Iterator[str]:
        """Yield the lines of the guesses, as the file has them."""
        for way, (guess, total) in self.guesses.items():
            words = [*way[-1:], guess, *[str(total)] * (total > 1)]
            yield " " * len(way) + " ".join(words)


def nameless_fingerprint(game: Game) -> str:
    """Return a game's fingerprint, which ignores the names of symbols and the attempts."""
    return fingerprint(game.with_play({"attempts": None}), by_names=False)


def write(path: Path, file: TreeFile, *, overwrite: bool = False) -> None:
    """Write a tree to a file.

    Raises SessionError if it cannot be written, or if the file exists and `overwrite` is false.
    """
    data = text_of(file).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    write_new(path, data, force=overwrite or None)


def read(path: Path) -> TreeFile:
    """Read a tree from a file. Raises TreeError."""
    packed = BytesIO(read_bytes(path, _MOST_BYTES, TreeError))
    try:
        with gzip.open(packed) if path.suffix == ".gz" else packed as file:
            text = file.read(_MOST_BYTES).decode()
            if file.read(1):
                raise OSError("unpacked it is too large")
        return of_text(text)
    except TreeError as error:
        raise TreeError(f"{path}: {error}") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TreeError(f"{path}: cannot be read ({reason})") from None


def text_of(file: TreeFile) -> str:
    """Return the text of a tree; `of_text` reads it back."""
    lines = [FORMAT, f"symbols: {' '.join(file.symbols.symbols)}"]
    lines += [f"{key}: {value}" for key, value in file.head.items()]
    return "\n".join([*lines, "", *file.lines(), ""])


def guesses_of(tree: DecisionTree, symbols: Alphabet) -> dict[Way, tuple[str, int]]:
    """Return the guesses of a tree, as a `TreeFile` has them, those after lower answers first."""
    guesses, waiting = dict[Way, tuple[str, int]](), list[tuple[int, Way]]([(0, ())])
    while waiting:
        node, way = waiting.pop()
        guesses[way] = symbols.format(code_of(tree.guess[node])), int(tree.total[node])
        following = sorted(tree.children[node].items(), reverse=True)
        waiting += [(child, (*way, _answer_text(feedback))) for feedback, child in following]
    return guesses


def _answer_text(feedback: Feedback) -> str:
    numbers = cast(Parts, feedback)
    comma = "," if max(numbers) >= 10 else ""
    return "".join(f"{number}{comma}" for number in numbers)


def of_text(text: str) -> TreeFile:
    """Parse the text of a tree. Raises TreeError."""
    if re.match(r"[a-z]+ [BYG]+1 ", text):
        return _of_published(text)
    lines = text.splitlines()
    end = lines.index("") if "" in lines else len(lines)
    head = dict(line.partition(": ")[::2] for line in lines[1:end])
    names = tuple(head.pop("symbols", "").split())
    if lines[:1] != [FORMAT] or not lines[end + 1 :]:
        raise TreeError(f"this is not a tree (expected {FORMAT!r} in its first line)")
    try:
        symbols = Alphabet(names)
    except ValueError as error:
        raise TreeError(f"symbols: {error}") from None
    guesses, way = dict[Way, tuple[str, int]](), Way()
    for number, line in enumerate(lines[end + 1 :], end + 2):
        depth, words = len(line) - len(line.lstrip(" ")), line.split()
        if depth:
            way = (*way[: depth - 1], *words[:1])
            del words[:1]
        try:
            guess, total = words if len(words) > 1 else (*words, "1")
            if len(way) != depth or way in guesses:
                raise ValueError
            guesses[way] = guess, int(total)
        except ValueError:
            expected = "expected a guess, after an answer one blank further in"
            raise TreeError(f"line {number}: {expected}, not {line!r:.40}") from None
    return TreeFile(guesses, symbols, head)


def _of_published(text: str) -> TreeFile:
    """Parse a tree in the form of A. Selby's for Wordle. Raises TreeError.

    A line is the way to a secret: each guess in small letters, its tiles (B, Y, G) and its number.
    What is blank at its beginning is that of the line before:

        salet BBBBB1 courd BBBBB2 nymph GGGGG3
                           BBBBG2 vivid GGGGG3
    """
    found, shown, digits = dict[Way, tuple[str, int]](), "", str.maketrans("BYG", "012")
    for number, line in enumerate(text.splitlines(), 1):
        shown = shown[: len(line) - len(line.lstrip())] + line.lstrip()
        guesses, answers = shown.upper().split()[::2], shown.translate(digits).split()[1::2]
        if len(guesses) != len(answers) or not answers[-1].startswith("2" * len(guesses[-1])):
            raise TreeError(f"line {number}: expected guesses and their tiles, not {line!r:.40}")
        way = tuple(answer[: len(guess)] for answer, guess in zip(answers, guesses, strict=True))
        for depth, guess in enumerate(guesses):
            _, total = found.get(way[:depth], ("", 0))
            found[way[:depth]] = guess, total + len(guesses) - depth
    return TreeFile(dict(sorted(found.items())), default_alphabet(26), {})


# Playing a tree.


@lru_cache
def find_book(game: Game) -> "Replay | None":
    """Return what plays a game's opening book, None if there is none.

    The name of its file ends in the game's fingerprint. The game's pool, ties and opening have to
    be those of the tree, and the attempts enough for any secret.
    """
    if not (game.secrets.free and game.guesses.free):
        return None
    for path in sorted(resource_folder("books").glob(f"*-{nameless_fingerprint(game)}{SUFFIX}")):
        book = _opened(path)
        attempts, head = game.play.attempts, book.head
        in_time = attempts is None or int(head["worst"]) <= attempts
        same_settings = head["pool"] == game.play.pool and head["ties"] == game.play.ties
        first = game.format_code(book.symbols.parse(book.guesses[()][0]))
        if in_time and same_settings and game.play.opening in (None, first):
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
            found = self.file.after(turns)
        except (TreeError, InvalidCodeError) as error:
            raise TreeError(f"{self._where}{error}") from None
        if found is None:
            raise StrategyError(f"{self._where}the rows do not follow any path of this tree")
        guess, total = found
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

    Raises StrategyError if the tree never plays a secret, TreeError if the game or its hard mode
    does not admit a guess, or if a total or a number of the head is wrong.
    """
    file.check_game(game)
    engine = open_engine(game, "explicit").listed
    assert engine is not None
    tree = grow(Position.of(game, engine), Replay(file))
    counted = replace(file, guesses=guesses_of(tree, file.symbols))
    for number, (line, true) in enumerate(zip_longest(file.lines(), counted.lines()), 1):
        if line != true:
            raise TreeError(f"guess {number} of the tree: {true!r:.40} by count, not {line!r:.40}")
    counts = tree.counts()
    for key, value in counts.items():
        if file.head.get(key, str(value)) != str(value):
            raise TreeError(f"{key}: {value} by count, and not {file.head[key]:.40}")
    return counts
