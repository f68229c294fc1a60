"""Strategies that play a decision tree: one from a file, or an opening book of this package."""

from dataclasses import replace
from functools import cache
from itertools import zip_longest
from pathlib import Path

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import StrategyError, TreeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.play import strategy_name
from puzzlehunt.kernels.packed_codes import PackedCodes, array_of, indices_in
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.grow import grow
from puzzlehunt.strategies.search.tree_file import TreeFile, nameless_fingerprint, read, tree_lines

SUFFIX = ".tree.gz"
_MAKERS = {"optimal": ["optimal"], "deep": ["optimal", "deep"], "book": ["optimal", "deep"]}
"""The strategies that make the books of a strategy."""


def find_book(game: Game, strategy: Strategy) -> TreeFile | None:
    """Return the book for a strategy in a game, None if there is none.

    The name of its file ends in the game's fingerprint. A book fits if its game has the same pool
    and ties, too, and if finding any secret with its tree needs no more guesses than the attempts
    of `game`.
    """
    makers = _MAKERS.get(strategy_name(strategy), ())
    if not (makers and game.secrets.free and game.guesses.free):
        return None
    for path in sorted(resource_folder("books").glob(f"*-{nameless_fingerprint(game)}{SUFFIX}")):
        book = _opened(path)
        attempts, head = game.play.attempts, book.head
        in_time = attempts is None or book.number("worst") <= attempts
        same_settings = head["pool"] == game.play.pool and head["ties"] == game.play.ties
        if in_time and same_settings and head["strategy"] in makers:
            return book
    return None


_opened = cache(read)


def title_of(book: TreeFile) -> str:
    """Return the title of a book: `4x6, optimal`."""
    return f"{book.head['game']}, {book.head['strategy']}"


class Replay(Strategy):
    """Plays a decision tree, as long as the past guesses are those of the tree."""

    name = "tree"
    measure = GUESSES_ON_AVERAGE

    def __init__(self, file: TreeFile, path: Path | None = None) -> None:
        self.file, self._where = file, f"{path}: " if path else ""
        self._game: object = None
        """The last game for which `check_game` found the tree to be made."""

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        guess, value = self._guess_at(position)
        return [replace(self.rate(position, guess), value=value)], True

    def choose(self, position: Position) -> PackedCodes:
        guess, _ = self._guess_at(position)
        return position.game.rule.rows(array_of([guess], position.game.length))

    def _guess_at(self, position: Position) -> tuple[Code, float | None]:
        """Return the guess in a position, and the guesses on average from there on."""
        if len(position.candidates) == 1:
            return position.candidate(0), None
        found = self.guess_in(position)
        if found is None:
            raise StrategyError(f"{self._where}the rows do not follow any path of this tree")
        return found

    def guess_in(self, position: Position) -> tuple[Code, float] | None:
        """Return the tree's guess in a position and the guesses on average; None if it has none.

        Raises TreeError for the position of another game or a wrong file, StrategyError if a row
        was read in part.
        """
        try:
            if self._game is not position.game:
                self.file.check_game(position.game)
                self._game = position.game
            turns = ((guess, _answer(position, guess)) for guess in position.past_guesses)
            place = self.file.after(turns)
            if place is None:
                return None
            guess, total = self.file.guess(place)
        except TreeError as error:
            raise TreeError(f"{self._where}{error}") from None
        admitted = position.game.is_listed(guess)
        if position.game.hard:
            row = array_of([guess], position.game.length)
            admitted = bool(indices_in(position.choices()[0].codes, row)[0] >= 0)
        if not admitted:
            shown = position.game.format_code(guess)
            raise TreeError(f"{self._where}{shown} may not be guessed here")
        return guess, round(total / len(position.candidates), 4)


def _answer(position: Position, guess: Code) -> Feedback:
    """Return the feedback of a past guess. Raises StrategyError if candidates differ in it."""
    rule = position.game.rule
    row = rule.rows(array_of([guess], position.game.length))
    answers = rule.table(row, position.secrets[position.candidates])[0]
    if (answers != answers[0]).any():
        raise StrategyError("a tree can only be played if every answer is read in full")
    return rule.feedbacks[answers[0]]


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
