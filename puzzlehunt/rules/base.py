"""What a rule is: four faces that agree with each other.

`score` is the specification. `table` and `partitions` are the same for arrays of codes,
`constraint` is the same as bounds on literals, and the notation turns clues into text and back.
Most rules belong to one of two `families`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Code
from puzzlehunt.codes.constraints import Constraint
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

Options: TypeAlias = Mapping[str, str | list[str]]
"""The settings of a game file under `rule:`, without the rule's name."""

_FEEDBACKS_PER_SECRET = 16
"""Feedbacks a secret from which on partitions are sorted: arrays of all would be nearly empty."""


class Rule(ABC):
    """How a guess is scored against a secret of `length` symbols from an alphabet of `symbols`.

    `repeats` is how often one symbol can occur in a secret at most; a smaller number makes the
    arrays narrower. The other parameters are what a game file sets: `marks` the letter of each kind
    of mark, `names` what each kind is called, `options` the rule's own settings, `alphabet` the
    symbols as text. Raises ValueError for a setting that the rule cannot have.
    """

    name: ClassVar[str]
    summary: str = ""
    """What the feedback says, in a few words for the list of games."""
    # The keys that a game file may set under `rule:` (beside the name), `names:` and `marks:`.
    option_names: ClassVar[tuple[str, ...]] = ()
    kind_names: ClassVar[tuple[str, ...]] = ()
    mark_names: ClassVar[tuple[str, ...]] = ()

    notation: Notation | None = None
    """How clues are written by marks, None for a rule with a way of its own."""
    kinds: Sequence[tuple[str, str]] = ()
    """The kinds of marks in the rule's order, each as the rule and as the game calls it.

    A miss is one of them even if it has no mark: what was not read may be a miss.
    """
    miss_has_mark: bool = True
    """Whether the last kind, the miss, is written with a mark of its own."""
    most_false_marks: int = 1
    """How many marks of a feedback can be set to be false in a game's `lies`."""
    tile_names: Mapping[str, str] = MappingProxyType({})
    """What each mark of a tile is called, in the order of their digits; {} without tiles."""
    shared_signs: AbstractSet[str] = frozenset()
    """The squares or circles for marks in a shared result."""
    symmetric: ClassVar[bool] = False
    """Whether feedback stays the same if guess and secret exchange two symbols, or positions."""
    symmetric_by_position: bool = False
    """Whether it also does if two symbols are exchanged in one position alone."""
    single_rule: "Rule"
    """The rule by which a guess is scored against one of several secrets."""
    boards: int = 1
    """How many boards a guess is scored on, each with a secret of its own."""
    secrets: int = 1
    """How many secrets there are at once, each on a board of its own or all on one."""
    hard_mode_by_tiles: ClassVar[bool] = False
    """Whether hard mode demands just that 2 is kept in place, and symbols of 1 and 2 are used."""
    positional: ClassVar[bool] = False
    """Whether marks belong to the positions of the guess, in order."""
    win_ends: ClassVar[bool] = True
    """Whether the winning feedback ends the game: no other secret shares the board."""
    short_guesses: ClassVar[bool] = False
    """Whether guesses may be shorter than the secret."""
    longest_secret: ClassVar[int] = MOST_SYMBOLS
    """Cap on the length of a secret (symbols)."""
    compares_symbols: ClassVar[bool] = False
    """Whether symbols are compared by their order in the alphabet, which excludes foreign ones."""

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
        self.single_rule = self
        self.prepare()

    def prepare(self) -> None:  # noqa: B027 - many rules add nothing
        """Set the attributes that a rule adds. Raises ValueError for settings it cannot have."""

    @property
    def settings(self) -> tuple[object, ...]:
        """The settings that the rule was made with."""
        sizes = (self.length, self.symbols, self.repeats)
        return (*sizes, self.marks, self.names, self.options, self.alphabet)

    def __eq__(self, other: object) -> bool:
        """Return whether another rule is of the same class and was made with the same."""
        if type(other) is not type(self) or not isinstance(other, Rule):
            return NotImplemented
        return self is other or self.settings == other.settings

    def __hash__(self) -> int:
        return hash((type(self), *self.settings[:2]))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(map(str, self.settings[:2]))}>"

    # The specification.

    @abstractmethod
    def score(self, guess: Code, secret: Code) -> Feedback:
        """Return the full, truthful feedback."""

    @property
    @abstractmethod
    def feedbacks(self) -> Sequence[Feedback]:
        """Every feedback that a guess of any length can get; arrays hold indices into this."""

    @property
    @abstractmethod
    def winning(self) -> Feedback:
        """The feedback of the secret itself."""

    @cached_property
    def winning_index(self) -> int:
        """The place in `feedbacks` of the winning one."""
        return self.feedbacks.index(self.winning)

    def kind_called(self, name: str) -> str:
        """Return the game's name for a kind of mark, "" if the rule has no such kind."""
        return ""

    # Arrays.

    def feedback_array(self, indices: "Indices") -> "FeedbackArray":
        """Return (F, parts): the feedbacks at some indices (F,) in `feedbacks`, one a row."""
        import numpy as np

        feedbacks = [self.feedbacks[n] for n in indices.tolist()]
        return np.array(feedbacks, dtype=np.int64).reshape(len(feedbacks), len(self.winning))

    def win_mask(self, feedbacks: "FeedbackArray") -> "Mask":
        """Return (F,): whether each of some feedbacks (F, parts) is the winning one."""
        wins: Mask = (feedbacks == self.winning).all(axis=1)
        return wins

    def mask(self, clue: Clue, feedbacks: "FeedbackArray") -> "Mask":
        """Return (F,): whether each of some feedbacks (F, parts) is in a clue."""
        import numpy as np

        return np.array([tuple(each) in clue for each in feedbacks.tolist()], dtype=np.bool_)

    def rows(self, codes: "CodeArray") -> "PackedCodes":
        """Return codes (N, length) as the `PackedCodes` that `table` and `partitions` take."""
        from puzzlehunt.kernels.packed_codes import PackedCodes

        no_bits = codes[:, :0].astype("uint64")
        return PackedCodes(codes, no_bits, no_bits)

    @abstractmethod
    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        """Return the indices in `feedbacks` of all scores, an array (guesses, secrets)."""

    @property
    def pair_offsets(self) -> "Table | None":
        """The first index in `feedbacks` for each number of common repeats, from 0 up.

        Only for rules that score by two popcounts: two codes with m of their `position_bits` and n
        of their `count_bits` in common have the score `feedbacks[pair_offsets[n] + m]`. None for
        all other rules.
        """
        return None

    def partitions(
        self,
        guesses: "PackedCodes",
        secrets: "PackedCodes",
        weights: "npt.NDArray[np.float64] | None" = None,
        compiled: bool = False,
    ) -> "Counts":
        """Return how many secrets give each feedback, or their summed weights (guesses, feedbacks).

        If there are many more feedbacks than secrets, the array may be (guesses, secrets) instead:
        the counts that are not 0, in another order, and zeros after them. With `compiled`, a rule
        that has a compiled kernel uses it for small arrays, too.
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
        """Return the constraint that the secret's score for a guess is in a clue."""

    @abstractmethod
    def is_not_secret(self, guess: Code) -> Constraint:
        """Return the constraint that a guess does not win: it is not the secret."""

    # Notation.

    @abstractmethod
    def parse(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text states about the feedback for a guess.

        Raises InvalidClueError for text that cannot be read, ImpossibleClueError for a clue that no
        secret could cause.
        """

    def parse_unchecked(self, text: str, guess: Code) -> Clue:
        """Return the clue of a text as `parse` does, even one that no secret could cause."""
        return self.parse(text, guess)

    def unread_clue(self, guess: Code) -> Clue:
        """Return the clue that says nothing: no mark of the feedback was read."""
        return self.parse(UNREAD_WORDS[0], guess)

    def is_clue(self, clue: object, guess: Code) -> bool:
        """Return whether a value is a clue of this rule about a guess; True if unchecked."""
        return True

    def is_possible(self, guess: Code, clue: Clue) -> bool:
        """Return whether some secret could cause a clue; True for rules that do not check."""
        return True

    def may_lose(self, guess: Code, clue: Clue) -> bool:
        """Return whether a secret other than the guess could cause a clue; True if unchecked."""
        return True

    @abstractmethod
    def format(self, clue: Clue) -> str:
        """Return the text of a clue; `parse` reads it back."""

    @abstractmethod
    def describe(self, clue: Clue) -> str:
        """Return a clue in words, on one line."""

    def named_marks(self) -> list[tuple[str, str]]:
        """Return the marks of the notation, each with what the game calls it."""
        return self.notation.named_marks() if self.notation else []

    @property
    def unread_mark(self) -> str:
        """The sign of an unread mark."""
        return self.notation.unread_mark if self.notation else "_"

    @property
    def unread_words(self) -> tuple[str, ...]:
        """The texts that mean that nothing was read, in lower case."""
        return self.notation.unread_words if self.notation else UNREAD_WORDS

    @property
    def none_words(self) -> tuple[str, ...]:
        """The words for a feedback without a mark, in lower case."""
        return self.notation.none_words if self.notation else NONE_WORDS

    @property
    def clue_words(self) -> tuple[str, ...]:
        """All words that are whole clues in this game, in lower case."""
        return (*self.unread_words, *WON_WORDS, *self.none_words)

    def legend(self) -> str:
        """Return one line that says how clues are written."""
        return legend(self.named_marks(), self.unread_mark)

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        """Return in a few words how clues are understood, each time with a clue as an example.

        The examples are about a guess; no secret need be able to cause them.
        """
        return self.notation.readings(len(guess)) if self.notation else []

    @abstractmethod
    def full_clue(self, feedback: Feedback, guess: Code) -> Clue:
        """Return the clue of a completely read feedback."""

    @abstractmethod
    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return the feedback by JSON keys that the rule chooses."""

    def hard_mode_constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return what hard mode demands of later guesses: by default that they fit the clue."""
        return self.constraint(guess, clue)

    def intersect(self, old: Clue, new: Clue) -> Clue | None:
        """Return the intersection of two clues about one guess; None if they contradict.

        If the notation cannot express it, return the more informative clue.
        """
        return intersect(old, new, lambda: None)

    def restates(self, old: Clue, new: Clue) -> bool:
        """Return whether a clue replaces an older one that agrees with it only in part."""
        return False

    def add_marks(self, clue: Clue, text: str, guess: Code) -> Clue:
        """Return a clue with the additional marks in a text.

        Raises InvalidClueError for a text that is not a clue or contradicts what was read.
        """
        together = self.intersect(clue, self.parse(text, guess))
        if together is None:
            raise InvalidClueError(f"{text!r} contradicts what stands there, {self.format(clue)}")
        return together

    def sentence_at(self, line: str) -> int | None:
        """Return the index at which the game's own sentence begins in a line, None without one."""
        return None

    def says_won(self, text: str) -> bool:
        """Return whether a text says that the guess won, by a word or a sentence of the game."""
        return text.strip().casefold() in WON_WORDS

    def wins(self, clue: Clue) -> bool:
        """Return whether a clue says that the guess was the secret."""
        return self.winning in clue and len(list(islice(clue, 2))) == 1
