"""The interface of rules: how a guess is scored, and how clues are used and written.

A rule states the same scoring in several ways, which must agree. `score` specifies the feedback for
one guess and one secret. `table` and `partitions` compute it for arrays of codes. `constraint`
expresses a clue as bounds on literals. The notation converts clues to text and back. Most rules are
subclasses of `CountRule` or `TileRule` in `families`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import FOREIGN, PAD, Code
from puzzlehunt.codes.constraints import TRUE, Constraint, none_of
from puzzlehunt.codes.named_codes import text_of
from puzzlehunt.codes.spaces import describe_lengths
from puzzlehunt.errors import ImpossibleClueError, PuzzlehuntError
from puzzlehunt.kernels import fast
from puzzlehunt.kernels.feedback_matrix import (
    Counts,
    Table,
    partitions_of_every_code,
    popcount_partitions,
    relabelled,
    table_blocks,
    table_partitions,
)
from puzzlehunt.kernels.packed_codes import Bits, CodeArray, Indices, Mask, PackedCodes, array_of
from puzzlehunt.rules.notation.clue import (
    NEVER,
    Clue,
    Feedback,
    FeedbackArray,
    Notation,
    OwnClue,
    OwnFeedback,
    Parts,
)
from puzzlehunt.rules.notation.clue_values import CellsFeedbacks

Options: TypeAlias = Mapping[str, Any]
"""The settings of a game file under `rule:`, without the rule's name: texts, lists, mappings."""


class Rule(ABC):
    """A way to score a guess against a secret of `length` symbols from an alphabet of `symbols`.

    Secrets may have a range of lengths, of which the greatest is then the `length`.
    `repeats` is the greatest number of times that one symbol can occur in a secret (default
    `length`); a smaller number makes arrays narrower. The other parameters are settings of the game
    file: `marks` maps each kind of mark to its letter, `names` maps each kind to the game's name
    for it, `options` are the rule's own settings, and `alphabet` lists the symbols as text. Raises
    ValueError for a setting that the rule does not accept.

    >>> rule = puzzlehunt.load("4x6").rule
    >>> rule.name, rule.score((0, 0, 1, 1), (0, 1, 2, 3)), len(rule.feedbacks)
    ('pegs', Pegs(black=1, white=1), 15)
    """

    name: ClassVar[str]
    # The keys that a game file may set under `rule:` (besides the name), and under `names:`; those
    # under `marks:` are the same, and `unknown`.
    option_names: ClassVar[tuple[str, ...]] = ()
    kind_names: ClassVar[tuple[str, ...]] = ()

    kinds: Sequence[tuple[str, str]] = ()
    """The kinds of marks in the rule's order, as pairs (the rule's name, the game's name).

    The miss is included even if it has no mark, because an unread mark may be a miss. A rule whose
    answer is read whole or not at all has no kinds.
    """
    symmetric: bool = False
    """Whether swapping two symbols, or two positions, in both codes keeps the feedback."""
    digest: str = ""
    """A text that differs for other scores, of a rule that scores the codes that a game lists."""
    column_names: tuple[str, ...] = ()
    """The titles of the columns of a table that an answer is about; () for all other rules."""
    positional: ClassVar[bool] = False
    """Whether each mark belongs to a position of the guess, so that the order of marks matters."""
    short_guesses: ClassVar[bool] = False
    """Whether guesses may be shorter than the secret."""
    several_lengths: bool = False
    """Whether secrets may have several lengths."""
    hides_win: bool = False
    """Whether a guess may lose with all marks right. The last feedback is then the win."""
    compares_symbols: ClassVar[bool] = False
    """Whether scoring compares places in the alphabet; guesses then have no foreign symbols."""
    only_listed: ClassVar[bool] = False
    """Whether only the codes that a game lists can be scored, by what `for_codes` returns."""
    no_constraint: ClassVar[str] = ""
    """Why clues have no constraint, in a few words; "" if they have one.

    Feedbacks are then values of any type, instead of tuples of numbers. Only the explicit engine
    works, and there is no hard mode.
    """

    def __init__(
        self,
        length: int | range,
        symbols: int,
        repeats: int | None = None,
        marks: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        options: Options | None = None,
        alphabet: Sequence[str] = (),
    ) -> None:
        self.lengths = length if isinstance(length, range) else range(length, length + 1)
        self.length = self.lengths[-1]
        self.hides_win = self.hides_win or len(self.lengths) > 1
        self.symbols = symbols
        self.repeats = self.length if repeats is None else repeats
        self.marks = marks or {}
        self.names = names or {}
        self.options = options or {}
        self.alphabet = tuple(alphabet)
        self.prepare()

    def prepare(self) -> None:  # noqa: B027 - many rules add nothing
        """Set further attributes from the settings. Raises ValueError for a refused setting."""

    @property
    def settings(self) -> tuple[object, ...]:
        """The arguments that the rule was made with, and its digest; equal rules have the same."""
        sizes = (self.lengths, self.symbols, self.repeats)
        return (*sizes, self.marks, self.names, self.options, self.alphabet, self.digest)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Rule):
            return NotImplemented
        return self is other or self.settings == other.settings

    def __hash__(self) -> int:
        return hash((type(self), *self.settings[:2]))

    # The specification.

    @abstractmethod
    def score(self, guess: Code, secret: Code) -> Feedback:
        """Return the full, truthful feedback for a guess against a secret."""

    @property
    @abstractmethod
    def feedbacks(self) -> Sequence[Feedback]:
        """Every feedback that some guess can get, and perhaps some that no guess can get.

        Arrays represent a feedback by its index in this sequence.
        """

    @cached_property
    def winning(self) -> Feedback:
        """The feedback for a guess that is the secret; `NEVER` if no guess wins."""
        codes = [(0,) * self.length] * 2
        return self.feedbacks[-1] if self.hides_win else self.score(*codes)

    @cached_property
    def winning_index(self) -> int:
        """The index of the winning feedback in `feedbacks`."""
        return self.feedbacks.index(self.winning)

    # Arrays.

    def feedback_array(self, indices: Indices) -> FeedbackArray:
        """Return the feedbacks at some indices (F,) of `feedbacks`, as an array (F, parts).

        Where feedbacks have no parts, the array has their indices instead, (F, 1).
        """
        if self.no_constraint:
            return indices.astype(np.int64).reshape(-1, 1)
        if isinstance(self.feedbacks, CellsFeedbacks):
            return self.feedbacks.array(indices)
        feedbacks = [self.feedbacks[n] for n in indices.tolist()]
        parts = len(cast(Parts, self.winning))
        return np.array(feedbacks, dtype=np.int64).reshape(len(feedbacks), parts)

    def win_mask(self, feedbacks: FeedbackArray) -> Mask:
        """Return whether each of some feedbacks (F, parts) wins, as an array (F,)."""
        winning = [self.winning_index] if self.no_constraint else self.winning
        return np.asarray((feedbacks == winning).all(axis=1))

    def rows(self, codes: CodeArray) -> PackedCodes:
        """Return an array of codes (N, length) packed as `table` and `partitions` expect them."""
        return PackedCodes(codes, self.bits)

    def bits(self, codes: CodeArray) -> tuple[Bits, Bits]:
        """Return the `position_bits` and the `count_bits` of some codes (N, length)."""
        no_bits = codes[:, :0].astype("uint64")
        return no_bits, no_bits

    def rows_of(self, codes: Iterable[Code]) -> PackedCodes:
        """Return codes packed as `rows` packs an array of them."""
        return self.rows(array_of(codes, self.length))

    @abstractmethod
    def table(self, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        """Return the index in `feedbacks` of each score, as an array (guesses, secrets)."""

    def with_wins(self, table: Table, guesses: PackedCodes, secrets: PackedCodes) -> Table:
        """Return a table of scores in which equal codes get the hidden win."""
        right = [self.score((0,) * n, (0,) * (n + 1)) for n in range(self.length + 1)]
        indices = np.array(list(map(self.feedbacks.index, right)), dtype=table.dtype)
        rows, columns = np.nonzero(table == indices[(guesses.codes != PAD).sum(axis=1), None])
        equal = (guesses.codes[rows] == secrets.codes[columns]).all(axis=1)
        table[rows[equal], columns[equal]] = self.winning_index
        return table

    @property
    def pair_offsets(self) -> Table | None:
        """The index in `feedbacks` of the first feedback for each number of common `count_bits`.

        Only rules that score by two popcounts have these indices: if two codes have m of their
        `position_bits` and n of their `count_bits` in common, the score is
        `feedbacks[pair_offsets[n] + m]`. None for all other rules.
        """
        return None

    def partitions(
        self,
        guesses: PackedCodes,
        secrets: PackedCodes,
        weights: npt.NDArray[np.float64] | None = None,
        compiled: bool = False,
    ) -> Counts:
        """Return the number of secrets that give each feedback, or the sum of their weights.

        The array has the shape (guesses, feedbacks). If there are many more feedbacks than secrets,
        its shape may be (guesses, secrets) instead: the counts above 0, in another order, and then
        zeros. If `compiled` is True, a rule with a compiled kernel uses the kernel for small
        arrays, too.
        """
        offsets = self.pair_offsets
        # From so many on, a formula for every code is quicker than scores.
        is_every_code = 100_000 <= len(secrets) == self.symbols**self.length
        if offsets is not None and is_every_code and weights is None:
            return partitions_of_every_code(guesses.codes, self.symbols)
        # From 50 million scores on, loading the kernel pays for one call.
        compiled = compiled or len(guesses) * len(secrets) >= 50_000_000
        if offsets is not None and compiled and fast.is_installed():
            return popcount_partitions(guesses, secrets, offsets, len(self.feedbacks), weights)
        # With many feedbacks, an array with a count for each would be nearly empty.
        is_sparse = offsets is None and len(secrets) * 16 <= len(self.feedbacks)
        columns, blocks = len(secrets) if is_sparse else len(self.feedbacks), []
        for block in table_blocks(len(guesses), len(secrets)):
            table = self.table(guesses[block], secrets)
            table = relabelled(table) if is_sparse else table
            blocks.append(table_partitions(table, columns, weights))
        return np.concatenate(blocks)

    # Bounds.

    def constraint(self, guess: Code, clue: OwnClue) -> Constraint:
        """Return the constraint that a clue about a guess puts on the secret.

        Raises PuzzlehuntError if there is none (`no_constraint`).
        """
        raise PuzzlehuntError(f"rule {self.name}: {self.no_constraint}")

    def is_not_secret(self, guess: Code) -> Constraint:
        """Return the constraint that a guess is not the secret."""
        may_win = self.winning != NEVER and len(guess) in self.lengths
        return none_of([guess], self.length) if may_win else TRUE

    # Clues.

    @property
    def notation(self) -> Notation:
        """How clues are written, and read: by default, the rule is a `Notation`, too."""
        return cast(Notation, self)

    def parse(self, text: str, guess: Code, checked: bool = True) -> Clue:
        """Return the clue that a text states about the feedback for a guess.

        If only the guess itself can cause the clue, and something was read, it is the winning clue.
        Raises InvalidClueError for text that cannot be read, ImpossibleClueError for a clue that no
        secret could cause, unless it is not `checked`.
        """
        if self.notation.says_won(text):
            if len(guess) not in self.lengths and self.short_guesses:
                problem = f"a guess of {len(guess)} cannot be a secret of"
                raise ImpossibleClueError(f"{problem} {describe_lengths(self.lengths)}")
            return self.notation.full_clue(self.winning, guess)
        clue = self.notation.read(text, guess)
        is_unread = clue == self.notation.unread_clue(guess)
        if not checked or is_unread or not (refusal := self.refusal(guess, clue)):
            return clue
        if self.may_win(guess, clue):
            return self.notation.full_clue(self.winning, guess)
        raise ImpossibleClueError(f"{self.notation.quoted(text, clue)} cannot happen{refusal}")

    def refusal(self, guess: Code, clue: OwnClue) -> str:
        """Return why no secret but the guess causes a clue, to follow `cannot happen`; or ""."""
        return ""

    def may_win(self, guess: Code, clue: Clue) -> bool:
        """Return whether a guess may be the secret, and a clue admits that it is."""
        return self.winning in clue and len(guess) == self.length and FOREIGN not in guess

    def json_parts(self, feedback: OwnFeedback, guess: Code) -> dict[str, Any]:
        """Return the feedback as a JSON object with keys that the rule chooses.

        By default that is `answer`: the feedback itself if it is a whole number, else its text.
        """
        return {"answer": feedback if isinstance(feedback, int) else text_of(feedback)}

    def hard_mode_constraint(self, guess: Code, clue: OwnClue) -> Constraint:
        """Return the constraint of hard mode on later guesses: by default, that of the clue."""
        return self.constraint(guess, clue)

    def wins(self, clue: Clue) -> bool:
        """Return whether a clue says that the guess was the secret: it admits no other feedback."""
        return self.winning in clue and [*islice(clue, 2)] == [self.winning]
