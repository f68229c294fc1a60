"""The interface of rules: how a guess is scored, and how clues are used and written.

A rule states the same scoring in several ways, which must agree. `score` specifies the feedback for
one guess and one secret. `table` and `partitions` compute it for arrays of codes. `constraint`
expresses a clue as bounds on literals. The notation converts clues to text and back. Most rules are
subclasses of `CountRule` or `TileRule` in `families`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.constraints import TRUE, At, Bound, Constraint, Term
from puzzlehunt.errors import InvalidClueError
from puzzlehunt.rules.notation.clue import (
    NONE_WORDS,
    UNREAD_WORDS,
    WON_WORDS,
    Clue,
    Feedback,
    Notation,
    legend,
)
from puzzlehunt.rules.notation.edits import intersect

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.kernels.feedback_matrix import Counts, Table
    from puzzlehunt.kernels.packed_codes import CodeArray, PackedCodes
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask

    Indices: TypeAlias = npt.NDArray[np.integer]

Options: TypeAlias = Mapping[str, Any]
"""The settings of a game file under `rule:`, without the rule's name: texts, lists, mappings."""

_FEEDBACKS_PER_SECRET = 16
"""The least number of feedbacks for each secret at which partitions are made by sorting.

With this many feedbacks, an array with a count for each would be nearly empty.
"""


class Rule(ABC):
    """A way to score a guess against a secret of `length` symbols from an alphabet of `symbols`.

    `repeats` is the greatest number of times that one symbol can occur in a secret (default
    `length`); a smaller number makes arrays narrower. The other parameters are settings of the game
    file: `marks` maps each kind of mark to its letter, `names` maps each kind to the game's name
    for it, `options` are the rule's own settings, and `alphabet` lists the symbols as text. Raises
    ValueError for a setting that the rule does not accept.

    >>> import puzzlehunt
    >>> rule = puzzlehunt.load("4x6").rule
    >>> rule.name, rule.score((0, 0, 1, 1), (0, 1, 2, 3)), len(rule.feedbacks)
    ('pegs', Pegs(black=1, white=1), 15)
    """

    name: ClassVar[str]
    summary: str = ""
    """A few words about what the feedback says, for the list of games."""
    # The keys that a game file may set under `rule:` (besides the name), and under `names:`; those
    # under `marks:` are the same, and `unknown`.
    option_names: ClassVar[tuple[str, ...]] = ()
    kind_names: ClassVar[tuple[str, ...]] = ()

    notation: Notation | None = None
    """The notation of clues; None for a rule that formats and parses clues itself."""
    kinds: Sequence[tuple[str, str]] = ()
    """The kinds of marks in the rule's order, as pairs (the rule's name, the game's name).

    The miss is included even if it has no mark, because an unread mark may be a miss. A rule whose
    answer is read whole or not at all has no kinds.
    """
    miss_has_mark: bool = True
    """Whether the last kind, the miss, is written with a mark of its own."""
    shared_signs: AbstractSet[str] = frozenset()
    """The squares or circles that represent marks in a shared result."""
    symmetric: bool = False
    """Whether swapping two symbols, or two positions, in both codes keeps the feedback."""
    symmetric_by_position: bool = False
    """Whether feedback stays the same if two symbols are swapped at one position of both codes."""
    column_names: tuple[str, ...] = ()
    """The titles of the columns of a table that an answer is about; () for all other rules."""
    positional: ClassVar[bool] = False
    """Whether each mark belongs to a position of the guess, so that the order of marks matters."""
    short_guesses: ClassVar[bool] = False
    """Whether guesses may be shorter than the secret."""
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
        length: int,
        symbols: int,
        repeats: int | None = None,
        marks: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        options: Options | None = None,
        alphabet: Sequence[str] = (),
    ) -> None:
        self.length = length
        self.symbols = symbols
        self.repeats = length if repeats is None else repeats
        self.marks = marks or {}
        self.names = names or {}
        self.options = options or {}
        self.alphabet = tuple(alphabet)
        self.prepare()

    def prepare(self) -> None:  # noqa: B027 - many rules add nothing
        """Set further attributes from the settings. Raises ValueError for a refused setting."""

    @property
    def settings(self) -> tuple[object, ...]:
        """The arguments that the rule was made with; equal rules have equal arguments."""
        sizes = (self.length, self.symbols, self.repeats)
        return (*sizes, self.marks, self.names, self.options, self.alphabet)

    def __eq__(self, other: object) -> bool:
        """Return whether another rule has the same class and the same settings."""
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

    @property
    @abstractmethod
    def winning(self) -> Feedback:
        """The feedback for a guess that is the secret."""

    @cached_property
    def winning_index(self) -> int:
        """The index of the winning feedback in `feedbacks`."""
        return self.feedbacks.index(self.winning)

    def kind_called(self, name: str) -> str:
        """Return the game's name for the kind of mark that a word names, "" if it names none."""
        return ""

    # Arrays.

    def feedback_array(self, indices: "Indices") -> "FeedbackArray":
        """Return the feedbacks at some indices (F,) of `feedbacks`, as an array (F, parts)."""
        import numpy as np

        feedbacks = [self.feedbacks[n] for n in indices.tolist()]
        return np.array(feedbacks, dtype=np.int64).reshape(len(feedbacks), len(self.winning))

    def win_mask(self, feedbacks: "FeedbackArray") -> "Mask":
        """Return whether each of some feedbacks (F, parts) wins, as an array (F,)."""
        import numpy as np

        wins: Mask = (feedbacks == self.feedback_array(np.array([self.winning_index]))).all(axis=1)
        return wins

    def mask(self, clue: Clue, feedbacks: "FeedbackArray") -> "Mask":
        """Return whether a clue admits each of some feedbacks (F, parts), as an array (F,)."""
        import numpy as np

        return np.array([tuple(each) in clue for each in feedbacks.tolist()], dtype=np.bool_)

    def rows(self, codes: "CodeArray") -> "PackedCodes":
        """Return an array of codes (N, length) packed as `table` and `partitions` expect them."""
        from puzzlehunt.kernels.packed_codes import PackedCodes

        no_bits = codes[:, :0].astype("uint64")
        return PackedCodes(codes, no_bits, no_bits)

    @abstractmethod
    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        """Return the index in `feedbacks` of each score, as an array (guesses, secrets)."""

    @property
    def pair_offsets(self) -> "Table | None":
        """The index in `feedbacks` of the first feedback for each number of common `count_bits`.

        Only rules that score by two popcounts have these indices: if two codes have m of their
        `position_bits` and n of their `count_bits` in common, the score is
        `feedbacks[pair_offsets[n] + m]`. None for all other rules.
        """
        return None

    def partitions(
        self,
        guesses: "PackedCodes",
        secrets: "PackedCodes",
        weights: "npt.NDArray[np.float64] | None" = None,
        compiled: bool = False,
    ) -> "Counts":
        """Return the number of secrets that give each feedback, or the sum of their weights.

        The array has the shape (guesses, feedbacks). If there are many more feedbacks than secrets,
        its shape may be (guesses, secrets) instead: the counts above 0, in another order, and then
        zeros. If `compiled` is True, a rule with a compiled kernel uses the kernel for small
        arrays, too.
        """
        from puzzlehunt.kernels import feedback_matrix, partitions

        feedbacks = len(self.feedbacks)
        by_sorting = len(secrets) * _FEEDBACKS_PER_SECRET <= feedbacks
        blocks = []
        for block in feedback_matrix.table_blocks(len(guesses), len(secrets)):
            table = self.table(guesses[block], secrets)
            if by_sorting:
                blocks.append(partitions.partitions_by_sorting(table, weights))
            else:
                blocks.append(partitions.table_partitions(table, feedbacks, weights))
        return partitions.join_blocks(blocks)

    # Bounds.

    @abstractmethod
    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint that a clue about a guess puts on the secret."""

    def is_not_secret(self, guess: Code) -> Constraint:
        """Return the constraint that a guess is not the secret."""
        return Bound(None, in_place(guess), self.length - 1) if len(guess) == self.length else TRUE

    # Notation.

    @abstractmethod
    def parse(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text states about the feedback for a guess.

        Raises InvalidClueError for text that cannot be read, ImpossibleClueError for a clue that no
        secret could cause.
        """

    def parse_unchecked(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text states, even if no secret could cause it.

        A rule that does not override this method raises ImpossibleClueError as `parse` does.
        """
        return self.parse(text, guess)

    def unread_clue(self, guess: Code) -> Clue:
        """Return the clue that says nothing: no mark of the feedback was read."""
        return self.parse(UNREAD_WORDS[0], guess)

    def is_clue(self, clue: object, guess: Code) -> bool:
        """Return whether a value can be a clue about a guess; True for rules that do not check."""
        return True

    def is_possible(self, guess: Code, clue: Clue) -> bool:
        """Return whether some secret could cause a clue about a guess; True if not checked."""
        return True

    def may_lose(self, guess: Code, clue: Clue) -> bool:
        """Return whether a secret other than the guess could cause a clue; True if not checked."""
        return True

    def format(self, clue: Clue | Feedback) -> str:
        """Return the text of a clue, or of a feedback; `parse` returns the same clue for it."""
        feedback = isinstance(clue, tuple)
        return self._format(self.full_clue(clue, (0,) * self.length) if feedback else clue)

    @abstractmethod
    def _format(self, clue: Clue) -> str: ...

    @abstractmethod
    def describe(self, clue: Clue) -> str:
        """Return a clue in words, on one line."""

    def named_marks(self) -> list[tuple[str, str]]:
        """Return pairs (mark, the game's name for it), one for each mark of the notation."""
        return self.notation.named_marks() if self.notation else []

    @property
    def unread_mark(self) -> str:
        """The sign that is written for an unread mark."""
        return self.notation.unread_mark if self.notation else "_"

    @property
    def unread_words(self) -> tuple[str, ...]:
        """The texts that mean that nothing was read, in lower case."""
        return self.notation.unread_words if self.notation else UNREAD_WORDS

    @property
    def none_words(self) -> tuple[str, ...]:
        """The words for a feedback without any mark, in lower case."""
        return self.notation.none_words if self.notation else NONE_WORDS

    @property
    def clue_words(self) -> tuple[str, ...]:
        """All words that are whole clues in this game, in lower case."""
        return (*self.unread_words, *WON_WORDS, *self.none_words)

    def legend(self) -> str:
        """Return one line that lists the marks with their names."""
        return legend(self.named_marks(), self.unread_mark)

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        """Return pairs (explanation, example clue) that say how clues are understood.

        The examples fit a guess as long as `guess`, but perhaps no secret can cause them. The list
        is empty for a guess of fewer than two symbols, and for a rule without notation.
        """
        return self.notation.readings(len(guess)) if self.notation else []

    @abstractmethod
    def full_clue(self, feedback: Feedback, guess: Code) -> Clue:
        """Return the clue of a player who read all marks of a feedback."""

    @abstractmethod
    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, Any]:
        """Return the feedback as a JSON object with keys that the rule chooses."""

    def hard_mode_constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return the constraint of hard mode on later guesses: by default, that of the clue."""
        return self.constraint(guess, clue)

    def intersect(self, old: Clue, new: Clue) -> Clue | None:
        """Return the intersection of two clues about one guess; None if they contradict each other.

        If the notation cannot express the intersection, return the clue that admits fewer
        feedbacks.
        """
        return intersect(old, new)

    def restates(self, old: Clue, new: Clue) -> bool:
        """Return whether a new clue corrects an old one about the same guess: by default, never.

        A correction replaces the old clue, even if some feedback agrees with both clues.
        """
        return False

    def add_marks(self, clue: Clue, text: str, guess: Code) -> Clue:
        """Return a clue with what a further text says about the same feedback: their intersection.

        Raises InvalidClueError for a text that is not a clue or contradicts the old clue.
        """
        together = self.intersect(clue, self.parse(text, guess))
        if together is None:
            raise InvalidClueError(f"{text!r} contradicts the clue so far, {self.format(clue)}")
        return together

    def sentence_start(self, line: str) -> int | None:
        """Return the index in a line where a sentence of the game begins; None if there is none."""
        return None

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the guess won, by a word or a sentence of the game."""
        return text.strip().casefold() in WON_WORDS

    def wins(self, clue: Clue) -> bool:
        """Return whether a clue says that the guess was the secret."""
        return self.winning in clue and len(list(islice(clue, 2))) == 1


def in_place(guess: Code) -> tuple[Term, ...]:
    """Return terms whose sum is the number of symbols of a guess that are in place."""
    return tuple((1, At(p, (s,))) for p, s in enumerate(guess) if s != FOREIGN)
