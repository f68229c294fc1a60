"""Pegs: black for the right symbol in the right place, white for the right symbol elsewhere.

Mastermind, Bulls and Cows, NetHack's tune. With repeated symbols on either side, each peg of the
secret answers for one peg of the guess at most (Knuth, "The Computer as Master Mind", 1976).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from puzzlehunt.clues import WON_WORDS, Clue, CountClue, CountNotation, Feedback, Kind
from puzzlehunt.codes import FOREIGN, Code
from puzzlehunt.constraints import AllOf, At, AtLeast, Bound, Constraint, Term
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.rules.base import Rule

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from puzzlehunt.kernels import Bytes, Counts, Rows, Table


class Pegs(NamedTuple):
    """The feedback: how many pegs are black and how many are white."""

    black: int
    white: int


def score(guess: Sequence[object], secret: Sequence[object]) -> Pegs:
    """Return the pegs of a guess against a secret, of any symbols and any lengths.

    >>> score("HORSE", "HEART")
    Pegs(black=1, white=2)
    """
    black = sum(g == s for g, s in zip(guess, secret, strict=False))
    common = Counter(guess) & Counter(secret)
    return Pegs(black, common.total() - black)


class PegsRule(Rule):
    """The rule for one game: the lengths it plays with and the marks it writes."""

    name: ClassVar[str] = "pegs"
    kind_names: ClassVar[tuple[str, ...]] = ("black", "white", "miss")
    mark_names: ClassVar[tuple[str, ...]] = (*kind_names, "unknown")
    alike: ClassVar[bool] = True

    def __init__(
        self,
        length: int,
        symbols: int,
        repeats: int | None = None,
        marks: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(length, symbols, repeats, marks, names)
        kinds = []
        for name in self.kind_names:
            label = self.names.get(name, name)
            mark = self.marks.get(name, None if name == "miss" else label[0].upper())
            kinds.append(Kind(name, label.casefold(), mark or None))
        self.notation = CountNotation(tuple(kinds), self.marks.get("unknown", "_"))

    def score(self, guess: Code, secret: Code) -> Pegs:
        """Return the pegs of a guess that may be short, and may hold foreign symbols."""
        return score(guess, secret)

    @cached_property
    def feedbacks(self) -> Sequence[Pegs]:
        """All (black, white) with black + white <= length, by their sum, then by black."""
        return [Pegs(b, t - b) for t in range(self.length + 1) for b in range(t + 1)]

    @property
    def winning(self) -> Pegs:
        return Pegs(self.length, 0)

    def rows(self, codes: "Bytes") -> "Rows":
        from puzzlehunt.kernels import Rows, place_bits, repeat_bits

        return Rows(
            codes,
            place_bits(codes, self.symbols),
            repeat_bits(codes, self.symbols, self.repeats),
        )

    @cached_property
    def _offsets(self) -> "Table":
        """Where in `feedbacks` those with a given sum of black and white begin."""
        import numpy as np

        offsets = [t * (t + 1) // 2 for t in range(self.length + 1)]
        if len(self.feedbacks) <= 256:
            return np.array(offsets, dtype=np.uint8)
        return np.array(offsets, dtype=np.uint16)

    def table(self, guesses: "Rows", secrets: "Rows") -> "Table":
        from puzzlehunt.kernels import pair_table

        return pair_table(guesses, secrets, self._offsets)

    def partitions(
        self, guesses: "Rows", secrets: "Rows", weights: "npt.NDArray[np.float64] | None" = None
    ) -> "Counts":
        from puzzlehunt.kernels import pair_partitions

        return pair_partitions(guesses, secrets, self._offsets, len(self.feedbacks), weights)

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        """Return three bounds: on black, on white, and on what is neither."""
        black = self._black(guess)
        common = tuple((1, literal) for literal in self._common(guess))
        not_black = tuple((-weight, literal) for weight, literal in black)
        (b_low, b_high), (w_low, w_high), (m_low, m_high) = cast(CountClue, clue).ranges
        return AllOf(
            (
                Bound(b_low, black, b_high),
                Bound(w_low, common + not_black, w_high),
                Bound(len(guess) - m_high, common, len(guess) - m_low),
            )
        )

    def refuse_winning(self, guess: Code) -> Constraint:
        if len(guess) != self.length:
            return AllOf(())
        return Bound(None, self._black(guess), self.length - 1)

    @staticmethod
    def _black(guess: Code) -> tuple[Term, ...]:
        return tuple((1, At(p, (s,))) for p, s in enumerate(guess) if s != FOREIGN)

    @staticmethod
    def _common(guess: Code) -> list[AtLeast]:
        times = Counter(s for s in guess if s != FOREIGN)
        return [AtLeast((s,), j) for s in sorted(times) for j in range(1, times[s] + 1)]

    def parse(self, text: str, guess: Code) -> CountClue:
        if text.strip().casefold() in WON_WORDS:
            if len(guess) != self.length:
                raise ImpossibleClueError(
                    f"a guess of {len(guess)} cannot be the secret of {self.length}"
                )
            return self.exactly(self.winning, guess)
        clue = self.notation.parse(text, len(guess))
        possible = [f for f in clue if self._can_happen(Pegs(*f), guess)]
        if possible == [self.winning]:
            return self.exactly(self.winning, guess)
        if not possible:
            what = self.notation.describe(clue)
            raise ImpossibleClueError(f"{what} cannot happen with {len(guess)} pegs")
        return clue

    def _can_happen(self, pegs: Pegs, guess: Code) -> bool:
        return len(guess) != self.length or pegs != (self.length - 1, 1)

    def format(self, clue: Clue) -> str:
        return self.notation.format(cast(CountClue, clue))

    def describe(self, clue: Clue) -> str:
        return self.notation.describe(cast(CountClue, clue))

    def legend(self) -> str:
        return self.notation.legend()

    def exactly(self, feedback: Feedback, guess: Code) -> CountClue:
        return self.notation.exactly(feedback, len(guess))

    def parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return `black`, `white` and `miss`: the guess's pegs that matched nothing."""
        black, white = feedback
        return {"black": black, "white": white, "miss": len(guess) - black - white}

    def sentence_at(self, line: str) -> int | None:
        return self.notation.sentence_at(line)
