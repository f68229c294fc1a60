"""Several boards: one guess is scored on each board against its own secret (Dordle, Quordle).

A game file with the key `boards` gets this rule, made from the rule for one board. The key `rule`
cannot name it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import split
from puzzlehunt.errors import InvalidClueError, TooLargeError, counted
from puzzlehunt.kernels.feedback_matrix import Table
from puzzlehunt.kernels.packed_codes import PackedCodes
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.notation.clue import UNREAD_WORDS, Clue, Notation, Parts, with_blanks


@dataclass(frozen=True, slots=True)
class BoardsClue:
    """The clues of all boards.

    A feedback joins the feedbacks of the boards in order. It is in this clue if each board's part
    of it is in that board's clue.
    """

    clues: tuple[Clue, ...]

    def __contains__(self, feedback: Parts) -> bool:
        parts = split(feedback, len(self.clues))
        return all(part in clue for part, clue in zip(parts, self.clues, strict=True))

    def __iter__(self) -> Iterator[Parts]:
        for parts in product(*cast(tuple[Iterable[Parts], ...], self.clues)):
            yield tuple(count for part in parts for count in part)

    def __bool__(self) -> bool:
        return True  # without counting

    def __len__(self) -> int:
        return prod(map(len, self.clues))

    def __and__(self, other: "BoardsClue") -> "BoardsClue | None":
        clues = [one & more for one, more in zip(self.clues, other.clues, strict=True)]
        agreed = tuple(clue for clue in clues if clue is not None)
        return BoardsClue(agreed) if len(agreed) == len(clues) else None

    @property
    def shape(self) -> tuple[object, ...]:
        """The shapes of the boards' clues."""
        return tuple(clue.shape for clue in self.clues)


class BoardsRule(Rule, Notation):
    """The rule that scores a guess on several boards, on each of them by `single_rule`.

    The code of a secret joins the secrets of all boards in order.
    """

    name = "boards"

    def __init__(self, single_rule: Rule, boards: int) -> None:
        super().__init__(single_rule.length * boards, single_rule.symbols)
        self.single_rule = single_rule
        self.boards = boards
        self.unread_mark = single_rule.notation.unread_mark
        self.unread_words = single_rule.notation.unread_words

    @property
    def settings(self) -> tuple[object, ...]:
        return self.single_rule, self.boards

    def score(self, guess: Code, secret: Code) -> Parts:
        scores = (self.single_rule.score(guess, part) for part in split(secret, self.boards))
        return tuple(count for score in scores for count in cast(Parts, score))

    @property
    def winning(self) -> Parts:
        """The feedback that wins on all boards; it is possible only if all secrets are equal."""
        return cast(Parts, self.single_rule.winning) * self.boards

    # Each board has an engine of its own, which uses these of its rule.

    @property
    def feedbacks(self) -> Sequence[Parts]:
        raise TooLargeError("the answers of several boards are too many to list")

    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        raise TooLargeError("the answers of several boards are too many to list")

    def parse(self, text: str, guess: Code, checked: bool = True) -> BoardsClue:
        return self.read(text, guess)

    def read(self, text: str, guess: Code) -> BoardsClue:
        texts = re.sub("[|;]", " ", with_blanks(text)).split()
        if text.strip().casefold() in self.unread_words:
            texts = [UNREAD_WORDS[0]] * self.boards
        if len(texts) != self.boards:
            raise InvalidClueError(
                f"{text.strip()!r} has {counted(len(texts), 'clue')} for {self.boards} boards; "
                "write one a board, separated by blanks, * for a board that is solved"
            )
        clues = []
        for number, part in enumerate(texts, start=1):
            try:
                clues.append(self.single_rule.parse(part.replace(",", " "), guess))
            except InvalidClueError as error:
                raise type(error)(f"board {number}: {error}") from None
        return BoardsClue(tuple(clues))

    def format(self, clue: BoardsClue) -> str:
        return " ".join(map(self._one_word, clue.clues))

    def _one_word(self, part: Clue) -> str:
        return self.single_rule.notation.format(part).replace(" ", ",")

    def describe(self, clue: BoardsClue) -> str:
        wins = self.single_rule.wins
        return " ".join("solved" if wins(part) else self._one_word(part) for part in clue.clues)

    def named_marks(self) -> list[tuple[str, str]]:
        return self.single_rule.notation.named_marks()

    def legend(self) -> str:
        return f"{super().legend()}; a clue for each board, blanks between"

    def full_clue(self, feedback: Parts, guess: Code) -> BoardsClue:
        parts = split(feedback, self.boards)
        return BoardsClue(tuple(self.single_rule.notation.full_clue(part, guess) for part in parts))

    def json_parts(self, feedback: Parts, guess: Code) -> dict[str, int | str]:
        """Return the JSON keys of one board; each value lists the boards' values between blanks."""
        parts = split(feedback, self.boards)
        boards = [self.single_rule.json_parts(part, guess) for part in parts]
        return {key: " ".join(str(board[key]) for board in boards) for key in boards[0]}

    def restates(self, old: BoardsClue, new: BoardsClue) -> bool:
        return any(map(self.single_rule.notation.restates, old.clues, new.clues))
