"""The strategy that plays a decision tree, from a file or from a book."""

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError, TreeError
from puzzlehunt.kernels.codes import array_of
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.tree import Tree, read


class Replay(Strategy):
    """Plays a tree, as long as the turns so far are a path from its first guess.

    Raises TreeError for a file that is no tree or the tree of another game.
    """

    name: ClassVar[str] = "tree"
    measure = "guesses on average"
    allows_for_channel = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = read(path)
        self._checked_game: object = None
        """The last game for which `check_game` found the tree to be made."""

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        if len(position.candidates) == 1:
            return [self.rate(position, position.candidate(0))], True
        tree = self._tree(position)
        rated = self.rate(position, tree.guess)
        return [replace(rated, value=round(tree.total / len(position.candidates), 4))], True

    def _tree(self, position: Position) -> Tree:
        if self._checked_game is not position.game:
            try:
                self._file.check_game(position.game)
            except TreeError as error:
                raise TreeError(f"{self.path}: {error}") from None
            self._checked_game = position.game
        tree = self._file.tree.after(
            (guess, _answer(position, guess)) for guess in position.past_guesses
        )
        if tree is None:
            raise StrategyError(f"{self.path}: the rows are not those of any path of this tree")
        return tree


def _answer(position: Position, guess: Code) -> Feedback:
    """Return the feedback of a past guess. Raises StrategyError where candidates differ in it."""
    rule = position.game.rule
    row = rule.rows(array_of([guess], position.game.length))
    answers = rule.table(row, position.secrets[position.candidates])[0]
    if (answers != answers[0]).any():
        raise StrategyError("a tree can only be played where every answer is read in full")
    return tuple(rule.feedbacks[answers[0]])
