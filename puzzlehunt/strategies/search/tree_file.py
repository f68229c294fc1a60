"""Files of decision trees, and their verification.

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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Alphabet, Code
from puzzlehunt.codes.files import read_bytes
from puzzlehunt.errors import IllegalGuessError, SessionError, TreeError, counted
from puzzlehunt.game.files.atomic import write_new
from puzzlehunt.game.fingerprint import fingerprint
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.kernels.packed_codes import array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.search.decision_tree import DecisionTree

FORMAT = "puzzlehunt tree 1"
_MOST_BYTES = 8_000_000
"""Largest tree that is read, unpacked (bytes): about a million guesses, in ten seconds."""
_MOST_DIGITS = 18
"""A number has at most this many digits."""


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A decision tree, the symbols of its codes, and the `head` of its file.

    The head holds the `key: value` lines except the symbols. Its keys are:

    - `game`, and `print`: the game's name, and its fingerprint without the names of symbols
    - `strategy`, `pool`, `ties`: the settings of the game that made the tree
    - `version`: the version of puzzlehunt
    - `secrets`: the number of secrets
    - `total`, `worst`: the guesses until a secret is played, summed over all secrets, and the most
    - `known`: the guesses until a secret is known, summed over all secrets
    - `guesses`: the number of guesses after which each path was cut, if it was
    """

    tree: DecisionTree
    symbols: Alphabet
    head: Mapping[str, str]

    def number(self, key: str) -> int:
        """Return the number of a key in the head. Raises TreeError if the key has no number."""
        text = self.head.get(key, "")
        try:
            return _number(text)
        except ValueError:
            raise TreeError(f"{key}: expected a number, not {text[:40]!r}") from None

    def check_game(self, game: Game) -> None:
        """Raise TreeError if the tree was made for another game."""
        expected, actual = nameless_fingerprint(game), self.head.get("print", "")
        if expected != actual:
            raise TreeError(
                f"it is a tree of another game than this (its print is {actual}, not {expected}); "
                "name the game, with the --set or --hard that it was made with"
            )


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise ValueError
    return int(text)


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
    return TreeFile(tree, Alphabet(game.alphabet.symbols), head)


# Files.


def write(path: Path, file: TreeFile, *, overwrite: bool = False) -> None:
    """Write a tree to a file.

    Raises TreeError if it cannot be written, or if the file exists and `overwrite` is false.
    """
    data = text_of(file).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        write_new(path, data, overwrite=overwrite)
    except SessionError as error:
        raise TreeError(str(error)) from None


def read(path: Path, guesses: int | None = None) -> TreeFile:
    """Read a tree from a file, or only the first `guesses` guesses of each path.

    Raises TreeError, which names the wrong line if there is one among the lines that are read.
    """
    try:
        data = read_bytes(path, _MOST_BYTES)
        if path.suffix == ".gz":
            with gzip.open(BytesIO(data)) as unpacked:
                data = unpacked.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise OSError(f"unpacked it is larger than {_MOST_BYTES // 1_000_000} MB")
        return of_text(data.decode(), guesses)
    except TreeError as error:
        raise TreeError(f"{path}{error}") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TreeError(f"{path}: cannot be read ({reason})") from None


def text_of(file: TreeFile) -> str:
    """Return the text of a tree; `of_text` reads it back."""
    lines = [FORMAT, f"symbols: {' '.join(file.symbols.symbols)}"]
    lines += [f"{key}: {value}" for key, value in file.head.items()]
    lines.append("")
    lines += tree_lines(file.tree, file.symbols)
    return "\n".join(lines) + "\n"


def tree_lines(tree: DecisionTree, symbols: Alphabet) -> Iterator[str]:
    """Yield the lines of a tree's guesses, as the file has them."""
    waiting = [(0, "", 0)]
    while waiting:
        node, answer, depth = waiting.pop()
        total = f" {tree.total_of(node)}" if tree.total_of(node) > 1 else ""
        yield f"{' ' * depth}{answer}{symbols.format(tree.code(node))}{total}"
        waiting += (
            (child, f"{_answer_text(feedback)} ", depth + 1)
            for feedback, child in sorted(tree.children(node).items(), reverse=True)
        )


def _answer_text(feedback: Feedback) -> str:
    if all(number < 10 for number in feedback):
        return "".join(map(str, feedback))
    return "".join(f"{number}," for number in feedback)


def of_text(text: str, guesses: int | None = None) -> TreeFile:
    """Parse the text of a tree, or only the first `guesses` guesses of each path.

    Raises TreeError; its message begins with `:LINE:` or `: `.
    """
    lines = text.splitlines()
    end = lines.index("") if "" in lines else len(lines)
    head = dict(line.partition(": ")[::2] for line in lines[1:end])
    names = tuple(head.pop("symbols", "").split())
    if lines[:1] != [FORMAT] or not lines[end + 1 :]:
        raise TreeError(f": this is not a tree (expected {FORMAT!r} in its first line)")
    try:
        if len(names) > MOST_SYMBOLS:
            raise ValueError(f"{len(names)} are too many; at most {MOST_SYMBOLS}")
        symbols = Alphabet(names)
    except ValueError as error:
        raise TreeError(f": symbols: {error}") from None
    numbered: Iterable[tuple[int, str]] = enumerate(lines[end + 1 :], start=end + 2)
    if guesses is not None:
        deeper = " " * guesses
        numbered = (each for each in numbered if not each[1].startswith(deeper))
    return TreeFile(_read_nodes(numbered, symbols), symbols, head)


def _read_nodes(lines: Iterable[tuple[int, str]], symbols: Alphabet) -> DecisionTree:
    path: list[int] = []
    nodes: list[tuple[int, int, int]] = []
    codes: list[Code] = []
    feedbacks: list[Feedback] = []
    indices = {"": -1}
    place_of = {name: place for place, name in enumerate(symbols.symbols)}
    for number, line in lines:
        depth = len(line) - len(line.lstrip(" "))
        try:
            words = line.split() if depth else ["", *line.split()]
            answer, guess, total = words if len(words) == 3 else (*words, "1")
            if bool(depth) != bool(nodes):
                raise ValueError
            if answer not in indices:
                feedbacks.append(_answer_of(answer))
                indices[answer] = len(feedbacks) - 1
            parts = guess.split(symbols.joiner) if symbols.joiner else guess
            codes.append(tuple([place_of[name] for name in parts]))
            nodes.append((path[depth - 1] if depth else -1, indices[answer], _number(total)))
        except (LookupError, ValueError):
            raise TreeError(
                f":{number}: expected a guess, after an answer one blank further in, not "
                f"{line[:40]!r}"
            ) from None
        path[depth:] = [len(nodes) - 1]
    parent, answer_of, total_of = np.array(nodes).T
    guesses = array_of(codes, max(map(len, codes)))
    return DecisionTree(parent, answer_of, guesses, total_of, feedbacks)


def _answer_of(text: str) -> Feedback:
    numbers = text.removesuffix(",").split(",") if "," in text else text
    return tuple(int(number) for number in numbers)


# Checks, by nothing but the rule's specification.


def guesses_taken(file: TreeFile, game: Game) -> list[tuple[Code, int, int]]:
    """Return (secret, guesses until played, guesses until known) of each secret, in code order.

    The numbers are counted with `rule.score` alone, and in hard mode with its check of guesses.
    Raises TreeError if the tree never plays a secret, if the game or its hard mode does not admit a
    guess, or if a total is wrong.
    """
    tree, played, known = file.tree, dict[Code, int](), dict[Code, int]()
    visited, waiting = [], [(0, list(game.secrets), History())]
    while waiting:
        node, secrets, history = waiting.pop()
        visited.append((node, secrets, len(history)))
        guess, depth = tree.code(node), len(history) + 1
        if len(secrets) == 1:
            known.setdefault(secrets[0], depth - 1)
        if not game.is_listed(guess):
            raise TreeError(f"{game.format_code(guess)} may not be guessed")
        try:
            game.check_guess(guess, history)
        except IllegalGuessError as error:
            raise TreeError(str(error)) from None
        parts: dict[Feedback, list[Code]] = {}
        for secret in secrets:
            parts.setdefault(game.score(guess, secret), []).append(secret)
        for feedback, part in parts.items():
            child = tree.children(node).get(feedback)
            if feedback == game.rule.winning or (game.only_questions and len(part) == 1):
                played[part[0]] = depth
                known.setdefault(part[0], depth)
            elif child is None:
                where = f"after the guess {game.format_code(guess)}"
                raise TreeError(f"{game.format_code(part[0])} is not found: {where}")
            else:
                turn = Turn(guess, game.rule.notation.full_clue(feedback, guess))
                waiting.append((child, part, history.add(turn)))
    for node, secrets, depth in visited:
        total = sum(played[secret] - depth for secret in secrets)
        if total != (said := tree.total_of(node)):
            where = f"after the guess {game.format_code(tree.code(node))}"
            raise TreeError(f"{where}: {counted(total, 'guess')} in all, and not {said}")
    return [(secret, played[secret], known[secret]) for secret in sorted(played)]


def verify(file: TreeFile, game: Game) -> dict[str, int]:
    """Play every secret, and return the true `secrets`, `total`, `known` and `worst` of the head.

    Raises TreeError if the tree never plays a secret, or if a total or a number of the head is
    wrong.
    """
    file.check_game(game)
    if "guesses" in file.head:
        raise TreeError("only the first guesses of each path are kept: there is nothing to count")
    taken = guesses_taken(file, game)
    counted = {
        "secrets": len(taken),
        "total": sum(played for _, played, _ in taken),
        "known": sum(known for _, _, known in taken),
        "worst": max(played for _, played, _ in taken),
    }
    for key, value in counted.items():
        if key in file.head and file.number(key) != value:
            raise TreeError(f"{key}: {value:,} by count, and not {file.number(key):,}")
    return counted
