"""How many candidates there are, exactly or within bounds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Count:
    """How many candidates there are: from `low` to `high`; the best estimate is `number`.

    If `low` and `high` differ, they are correct with a probability of at least 95 %. `number` is
    None if there is no estimate, and `high` is None if there is no upper bound.

    >>> import puzzlehunt
    >>> puzzlehunt.open_engine("4x6").count()
    Count(low=1296, high=1296, number=1296)
    """

    low: int
    high: int | None
    number: int | None = None

    @classmethod
    def exactly(cls, number: int) -> "Count":
        """Return the count for a number of candidates that is known exactly."""
        return cls(number, number, number)

    @classmethod
    def of(cls, number: int | None) -> "Count":
        """Return the exact count for a number of candidates, `UNKNOWN` for None."""
        return UNKNOWN if number is None else cls.exactly(number)

    @property
    def exact(self) -> int | None:
        """The number if it is known exactly, else None."""
        return self.low if self.low == self.high else None


UNKNOWN = Count(0, None)
"""The count if nothing is known about the number of candidates."""
