"""How the columns of a table answer: `equal`, `overlap`, `order` and `distance`.

A column compares the guess's value with the secret's, and answers with a digit. In every column 0
means that both have the same value. A missing value is a value of its own: it is the same as
another missing one, and cannot be compared with the others.
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from datetime import date
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from puzzlehunt.errors import did_you_mean

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Digits: TypeAlias = npt.NDArray[np.int64]
    ValueNumbers: TypeAlias = npt.NDArray[np.int32]
    Numbers: TypeAlias = npt.NDArray[np.integer]

EQUAL = 0
"""The digit of every column for two equal values."""
KINDS = ("equal", "overlap", "order", "distance")
EARTH = 6371.0088
"""The mean radius of the earth (km)."""
_FARTHEST = math.pi * EARTH
"""Half the way around the earth (km)."""
ROUNDING = 1e-9
"""What is added before a number is rounded down, so that rounding errors decide nothing."""
_NOWHERE = 1e-7
"""Up to this sine of the angle between two points, at one place or on opposite sides of the earth,
every direction is right; N is told."""
POINTS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
           "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")  # fmt: skip
_OF_NUMBERS = "+-.0123456789eE"
_LIKE_A_DATE = re.compile(r"\d{1,4}([-/.])\d\d?\1\d{1,4}")
_LIKE_A_NUMBER = re.compile(r"[$€£¥]?\s*[-+\u2212]?[.,]?\d[\d.,']*\s*(?:[\w%°][^\d,;|]*)?")
"""Matches one number, also with a unit or with commas, which no column takes."""
_BETWEEN_DEGREES = re.compile(r"\s*[,;]\s*|\s+")
_COMMA_DEGREES = re.compile(r"([+-]?\d+),(\d+)\s*[,; ]\s*([+-]?\d+),(\d+)")
_PARTS = re.compile(r"[,;/|]")
"""What separates the members of a set in one cell, unless the game file names a separator."""


class ColumnKind(ABC):
    """A column of a table: how it compares two values, and how its answers are written.

    `values` are its V distinct values. Raises ValueError for an option that is not understood.
    """

    kind: ClassVar[str]
    compares: ClassVar[bool] = True
    """Whether a missing value has an answer of its own, the last digit."""
    sources: tuple[str, ...]
    """The titles of the columns of the table whose cells are compared."""

    def __init__(self, title: str, options: dict[str, Any]) -> None:
        self.title, self.sources = title, (title,)
        self.values: list[Any] = []
        self.blank: int | None = None
        """The number of the value that stands for a blank cell, None if no cell is blank."""
        self.prepare(options)
        if options:
            raise ValueError(
                f"columns.{title}: a column of kind {self.kind} has no option "
                f"{next(iter(options))!r:.40}"
            )

    def prepare(self, options: dict[str, Any]) -> None:  # noqa: B027 - some have no options
        """Take the column's own options out of a dict. Raises ValueError."""

    def filled(self, cells: Sequence[str]) -> tuple["ColumnKind", "ValueNumbers"]:
        """Return this column with the values of some cells, and the number of each cell's value.

        Raises CellError.
        """
        import numpy as np

        made = copy(self)
        for name in ("_arrays", "_holders", "marks"):
            vars(made).pop(name, None)
        number_of: dict[Any, int] = {}
        numbers: dict[str, int] = {}
        for text in dict.fromkeys(cells):
            try:
                numbers[text] = number_of.setdefault(self.value(text), len(number_of))
            except ValueError as error:
                raise CellError(str(error), text) from None
        made.values, made.blank = list(number_of), number_of.get(self.value(""))
        return made, np.fromiter(map(numbers.__getitem__, cells), np.int32, len(cells))

    @abstractmethod
    def value(self, cell: str) -> Any:
        """Return the value of a cell. Raises ValueError."""

    def asked(self, text: str) -> Any:
        """Return the value that a player's text names. Raises ValueError."""
        return self.value(text)

    def cells_of(self, columns: Mapping[str, Sequence[str]]) -> Sequence[str]:
        """Return the cells of a table's columns that are compared, with a comma between two."""
        rows = zip(*(columns[title] for title in self.sources), strict=True)
        return [",".join(row) if any(row) else "" for row in rows]

    @abstractmethod
    def digit(self, guess: Any, secret: Any) -> int:
        """Return the answer for the values of a guess and of a secret."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of digits."""

    def look(self, digit: int) -> str:
        """Return what a tile with an answer looks like: `equal`, `near`, `far`, `later`, ..."""
        return "far" if digit else "equal"

    def answers(self, guesses: "Numbers", secrets: "Numbers") -> "Digits":
        """Return the answers (G, S) for the numbers of guesses' (G,) and secrets' values (S,)."""
        digits = self._compared(guesses, secrets)
        if self.compares and self.blank is not None:
            digits[guesses == self.blank] = self.size - 1
            digits[:, secrets == self.blank] = self.size - 1
        digits[guesses[:, None] == secrets] = EQUAL
        return digits

    @abstractmethod
    def _compared(self, guesses: "Numbers", secrets: "Numbers") -> "Digits":
        """Return `answers` for values that differ; others are replaced."""


class CellError(ValueError):
    """A cell of a column is not understood."""

    def __init__(self, problem: str, cell: str) -> None:
        super().__init__(problem)
        self.cell = cell


class MarkedColumn(ColumnKind):
    """A column whose answers are few, and each written as a mark."""

    _marks: tuple[tuple[str, str], ...]
    """The mark and the name of each digit."""

    @property
    def size(self) -> int:
        return len(self.marks)

    @cached_property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """The mark and the name of each digit; the last is for values that cannot be compared."""
        missing = self.compares and self.blank is not None
        return self._marks + ((("-", "missing"),) if missing else ())

    looks: ClassVar[tuple[str, ...]] = ("equal", "far")
    """What tiles of the digits look like; the last is for all further digits."""
    squares: ClassVar[str] = "🟩🟥"
    """The signs of the digits in a shared result, as `looks`."""

    def look(self, digit: int) -> str:
        return self.looks[min(digit, len(self.looks) - 1)]

    def shared(self, digit: int) -> str:
        """Return the sign of an answer in a shared result."""
        return self.squares[digit]

    @property
    @abstractmethod
    def signs(self) -> Mapping[str, tuple[int, ...]]:
        """The digits that other signs and words mean, in lower case."""


_SAME = dict.fromkeys(("🟩", "💚", "✅", "🟢", "equal", "same", "correct", "right", "yes"), (0,))


@lru_cache(10_000)
def _folded(text: str) -> str:
    """Return a text without differences of case and of blanks."""
    return " ".join(text.split()).casefold()


class EqualColumn(MarkedColumn):
    """Tells whether two values are equal; case does not matter."""

    kind = "equal"
    compares = False
    _marks = (("=", "equal"), (".", "different"))

    def value(self, cell: str) -> str:
        return _folded(cell)

    def digit(self, guess: Any, secret: Any) -> int:
        return int(guess != secret)

    def _compared(self, guesses: "Numbers", secrets: "Numbers") -> "Digits":
        import numpy as np

        return np.ones((len(guesses), len(secrets)), dtype=np.int64)

    @property
    def signs(self) -> Mapping[str, tuple[int, ...]]:
        other = ("🟥", "⬛", "⬜", "❌", "🔴", "🟨", "x", "different", "wrong", "no")
        return {**_SAME, **dict.fromkeys(other, (1,))}


class OverlapColumn(MarkedColumn):
    """Tells whether two sets have all, some or none of their members in common."""

    kind = "overlap"
    compares = False
    _marks = (("=", "all"), ("~", "some"), (".", "none"))
    looks = ("equal", "near", "far")
    squares = "🟩🟨🟥"

    def prepare(self, options: dict[str, Any]) -> None:
        separator = _taken(options, "separator", "")
        self._separator = re.compile(re.escape(separator)) if separator else _PARTS

    def value(self, cell: str) -> frozenset[str]:
        return frozenset(filter(None, map(_folded, self._separator.split(cell))))

    def digit(self, guess: Any, secret: Any) -> int:
        return EQUAL if guess == secret else 1 if guess & secret else 2

    @cached_property
    def _holders(self) -> "dict[str, Numbers]":
        """For each member of sets, the numbers of the values that have it."""
        import numpy as np

        holders: dict[str, list[int]] = {}
        for number, members in enumerate(self.values):
            for member in members:
                holders.setdefault(member, []).append(number)
        return {member: np.array(numbers) for member, numbers in holders.items()}

    def _compared(self, guesses: "Numbers", secrets: "Numbers") -> "Digits":
        import numpy as np

        digits = np.full((len(guesses), len(secrets)), 2)
        shares = np.zeros(len(self.values), dtype=np.bool_)
        for row, number in zip(digits, guesses.tolist(), strict=True):
            shares[:] = False
            for member in self.values[number]:
                shares[self._holders[member]] = True
            row[shares[secrets]] = 1
        return digits

    @property
    def signs(self) -> Mapping[str, tuple[int, ...]]:
        some = dict.fromkeys(("🟨", "🟧", "💛", "🟡", "some", "partial", "partly", "overlap"), (1,))
        none = ("🟥", "⬛", "⬜", "❌", "🔴", "x", "none", "no", "wrong", "different")
        return {**_SAME, "all": (0,), **some, **dict.fromkeys(none, (2,))}


_LOWER, _HIGHER = 1, 2
_UP = ("⬆", "🔼", "🔺", "⏫", "↑", "▲", "☝", "👆")
_DOWN = ("⬇", "🔽", "🔻", "⏬", "↓", "▼", "👇")
_HIGHER_WORDS = ("higher", "more", "later", "up", "above", "larger", "bigger", "greater")
_LOWER_WORDS = ("lower", "less", "fewer", "earlier", "down", "below", "smaller")


class OrderColumn(MarkedColumn):
    """Tells whether the secret's number is lower or higher; with `near`, also if it is near.

    Values are numbers, or dates such as 1969-07-20, whose unit is a day.
    """

    kind = "order"
    _has_dates = False

    def filled(self, cells: Sequence[str]) -> tuple[ColumnKind, "ValueNumbers"]:
        made = copy(self)
        made._has_dates = any(map(_LIKE_A_DATE.fullmatch, cells))
        return super(OrderColumn, made).filled(cells)

    def shared(self, digit: int) -> str:
        if digit > _HIGHER:
            near = "🟨⬇", "🟨⬆"
            return "⬛" if digit == len(self._marks) else near[digit - 3] if self.arrow else "🟨"
        return "🟩⬇⬆"[digit]

    def look(self, digit: int) -> str:
        if digit > _HIGHER:
            return "near" if digit < len(self._marks) else "far"
        return ("equal", "earlier", "later")[digit]

    def prepare(self, options: dict[str, Any]) -> None:
        near = _taken(options, "near", "")
        self.near = _number(near, f"columns.{self.title}.near") if near else 0.0
        if near and not self.near > 0:
            raise ValueError(f"columns.{self.title}.near: expected a number above 0")
        self.arrow = _taken(options, "arrow", "true").casefold() in ("true", "yes", "on")
        words = options.pop("words", ["lower", "higher"])
        if not (isinstance(words, list) and len(words) == 2 and all(map(str.isalpha, words))):
            problem = "expected two words, for a lower and a higher secret, as in [older, newer]"
            raise ValueError(f"columns.{self.title}.words: {problem}")
        self._lower, self._higher = (word.casefold() for word in words)
        near_marks: tuple[tuple[str, str], ...] = ()
        if self.near:
            near_marks = (("~", "near"),)
            if self.arrow:
                near_marks = (
                    ("~<", f"nearly {self._lower}"), ("~>", f"nearly {self._higher}"),
                )  # fmt: skip
        self._marks = (("=", "equal"), ("<", self._lower), (">", self._higher), *near_marks)

    def value(self, cell: str) -> float | None:
        if not cell:
            return None
        try:
            return _number(cell)
        except ValueError:
            try:
                return float(date.fromisoformat(cell).toordinal())
            except ValueError:
                form = "number is written as 1165.5, without a unit"
                if _LIKE_A_DATE.fullmatch(cell):
                    form = "date is written as 1969-07-20"
                problem = f"is not a number, so it has no order; a {form}"
                raise ValueError(f"{cell!r:.40} {problem}") from None

    def asked(self, text: str) -> float:
        if not text or (self._has_dates and not _LIKE_A_DATE.fullmatch(text)):
            number = "date such as 1969-07-20" if self._has_dates else "number"
            raise ValueError(f"{text!r:.40} is not a {number}")
        return cast(float, self.value(text))

    def digit(self, guess: Any, secret: Any) -> int:
        if guess == secret:
            return EQUAL
        if guess is None or secret is None:
            return len(self._marks)
        way = _HIGHER if secret > guess else _LOWER
        if self.near and abs(secret - guess) <= self.near + ROUNDING:
            return way + 2 if self.arrow else 3
        return way

    @cached_property
    def _arrays(self) -> "npt.NDArray[np.float64]":
        import numpy as np

        return np.array([0.0 if v is None else v for v in self.values])

    def _compared(self, guesses: "Numbers", secrets: "Numbers") -> "Digits":
        import numpy as np

        own, others = self._arrays[guesses][:, None], self._arrays[secrets]
        digits = np.where(others > own, _HIGHER, _LOWER)
        if self.near:
            near = np.abs(others - own) <= self.near + ROUNDING
            digits = np.where(near, digits + 2 if self.arrow else 3, digits)
        return digits

    @property
    def signs(self) -> Mapping[str, tuple[int, ...]]:
        near = tuple(range(3, len(self._marks)))
        lower, higher = (_LOWER,), (_HIGHER,)
        found: dict[str, tuple[int, ...]] = dict(_SAME)
        found |= {**dict.fromkeys(_UP, higher), **dict.fromkeys(_DOWN, lower)}
        found |= dict.fromkeys(_HIGHER_WORDS, higher) | dict.fromkeys(_LOWER_WORDS, lower)
        found |= {self._lower: lower, self._higher: higher}
        for ground in ("🟥", "⬛", "⬜", "🟨", "🟧", "🟡"):
            is_near = ground in "🟨🟧🟡"
            if is_near and not near:
                continue
            found[ground] = near if is_near else (_LOWER, _HIGHER)
            for signs, way in ((_UP, _HIGHER), (_DOWN, _LOWER)):
                digit = way if not is_near else way + 2 if self.arrow else 3
                found |= dict.fromkeys((ground + sign for sign in signs), (digit,))
        if near:
            found |= dict.fromkeys(("~", "near", "close", "nearly"), near)
        if self.blank is not None:
            found |= dict.fromkeys(("missing", "n/a", "none"), (len(self._marks),))
        return found


class DistanceColumn(ColumnKind):
    """Tells how far the secret is from the guess on a globe, and with `compass` in what direction.

    The distance is that of great circles (the haversine formula) on a sphere of the earth's mean
    radius, the direction that in which such a circle leaves the guess. Digits from 1 write the
    number of steps, then the direction; the last is for missing values.
    """

    kind = "distance"

    def prepare(self, options: dict[str, Any]) -> None:
        if sources := options.pop("distance", None):
            if len(sources) != 2:
                problem = "expected the columns of latitude and longitude, as in [lat, lon]"
                raise ValueError(f"columns.{self.title}.distance: {problem}")
            self.sources = tuple(sources)
        self.percent = _taken(options, "percent", "false").casefold() in ("true", "yes", "on")
        step = _taken(options, "round", "1")
        self.step = _number(step, f"columns.{self.title}.round")
        if not 1 <= self.step <= _FARTHEST:
            raise ValueError(f"columns.{self.title}.round: expected kilometres from 1 to 20,000")
        compass = _taken(options, "compass", "0")
        if compass not in ("0", "8", "16"):
            raise ValueError(f"columns.{self.title}.compass: expected 8 or 16 directions")
        self.directions = int(compass)
        self.points = POINTS[:: 16 // self.directions] if self.directions else ("",)

    @property
    def steps(self) -> int:
        """How many distances can be told."""
        return 101 if self.percent else int(_FARTHEST / self.step + 0.5) + 1

    @property
    def size(self) -> int:
        return 1 + self.steps * len(self.points) + (self.blank is not None)

    def value(self, cell: str) -> tuple[float, float] | None:
        if not cell:
            return None
        try:
            cell = _COMMA_DEGREES.sub(r"\1.\2,\3.\4", cell)
            latitude, longitude = map(_number, _BETWEEN_DEGREES.split(cell))
        except ValueError:
            problem = "is not a pair of degrees: latitude, longitude"
            raise ValueError(f"{cell!r:.40} {problem}") from None
        if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
            raise ValueError(
                f"{cell!r:.40} is out of range: a latitude is -90 to 90, a longitude -180 to 180"
            )
        return latitude, longitude

    def digit(self, guess: Any, secret: Any) -> int:
        if guess == secret:
            return EQUAL
        if guess is None or secret is None:
            return self.size - 1
        lat, lon = map(math.radians, guess)
        other, far = map(math.radians, secret)
        apart = far - lon
        half = math.sin((other - lat) / 2) ** 2
        half += math.cos(lat) * math.cos(other) * math.sin(apart / 2) ** 2
        kilometres = 2 * EARTH * math.asin(min(1.0, math.sqrt(half)))
        east = math.sin(apart) * math.cos(other)
        north = math.cos(lat) * math.sin(other) - math.sin(lat) * math.cos(other) * math.cos(apart)
        if math.hypot(east, north) < _NOWHERE:
            north = 1.0
        turn = math.degrees(math.atan2(east, north)) / 360 * len(self.points)
        direction = math.floor(turn + 0.5 + ROUNDING) % len(self.points)
        return 1 + self.steps_of(kilometres) * len(self.points) + direction

    def steps_of(self, kilometres: float) -> int:
        """Return the number of steps, or the percentage, that a distance is told as."""
        if self.percent:
            return math.floor(100 * (1 - kilometres / _FARTHEST) + ROUNDING)
        return math.floor(kilometres / self.step + 0.5 + ROUNDING)

    @cached_property
    def _arrays(self) -> "npt.NDArray[np.float64]":
        """(6, V): each value's point (x, y, z), cos latitude, cos longitude and sin longitude."""
        import numpy as np

        degrees = chain.from_iterable(value or (0.0, 0.0) for value in self.values)
        latitudes, longitudes = np.radians(np.fromiter(degrees, np.float64)).reshape(-1, 2).T
        level, ahead, aside = np.cos(latitudes), np.cos(longitudes), np.sin(longitudes)
        return np.stack((level * ahead, level * aside, np.sin(latitudes), level, ahead, aside))

    def _compared(self, guesses: "Numbers", secrets: "Numbers") -> "Digits":
        import numpy as np

        own_x, own_y, own_z, level, ahead, aside = self._arrays[:, guesses, None]
        x, y, z = self._arrays[:3, secrets]
        # A quarter of the squared chord is the haversine of the angle.
        half = ((x - own_x) ** 2 + (y - own_y) ** 2 + (z - own_z) ** 2) / 4
        kilometres = 2 * EARTH * np.arcsin(np.minimum(1.0, np.sqrt(half)))
        told = kilometres / self.step + 0.5
        if self.percent:
            told = 100 * (1 - kilometres / _FARTHEST)
        digits: Digits = np.floor(told + ROUNDING).astype(np.int64) * len(self.points) + 1
        if self.directions:
            east = y * ahead - x * aside
            north = z * level - (x * ahead + y * aside) * own_z
            north[4 * half * (1 - half) < _NOWHERE**2] = 1.0
            turn = np.arctan2(east, north) * (self.directions / math.tau)
            digits += np.floor(turn + (0.5 + ROUNDING)).astype(np.int64) % self.directions
        return digits

    # How digits are written.

    def described(self, digit: int) -> str:
        """Return one answer as text: `1200 km NE`, `87 % N`."""
        if digit in (EQUAL, 1 + self.steps * len(self.points)):
            return "missing" if digit else "equal"
        steps, direction = divmod(digit - 1, len(self.points))
        unit = "%" if self.percent else "km"
        return f"{self.told(steps)} {unit} {self.points[direction]}".rstrip()

    def shared(self, digit: int) -> str:
        """Return the text of an answer in a shared result."""
        told = self.described(digit)
        return {"equal": "🟩", "missing": "-"}.get(told, told.replace(" ", ""))

    def told(self, steps: int) -> str:
        """Return the number that is told for a number of steps."""
        return str(steps) if self.percent else f"{steps * self.step:.10g}"


def share_of_numbers(texts: Collection[str]) -> float:
    """Return the share of some texts that look like numbers or dates."""
    forms = _LIKE_A_NUMBER, _LIKE_A_DATE
    return sum(any(form.fullmatch(text) for form in forms) for text in texts) / max(1, len(texts))


def as_options(given: object) -> dict[str, Any]:
    """Return the options of a column, of which the first may be its kind alone: `order`."""
    return dict(given) if isinstance(given, Mapping) else {str(given): "true"}


def column_kind(title: str, given: object) -> ColumnKind:
    """Return the column that a game file describes: `order`, or `{order: true, near: 25}`.

    Raises ValueError.
    """
    options = as_options(given)
    kinds = [kind for kind in KINDS if kind in options]
    if len(kinds) != 1:
        hint = did_you_mean(str(next(iter(options), "")), KINDS)
        expected = f"one kind, not {' and '.join(kinds)}" if kinds else f"a kind{hint}"
        raise ValueError(f"columns.{title}: expected {expected}")
    value = options.pop(kinds[0])
    if isinstance(value, list) and kinds == ["distance"]:
        options["distance"] = value
    elif str(value).casefold() not in ("true", "yes", "on"):
        pair = ", or [latitude column, longitude column]" * (kinds == ["distance"])
        raise ValueError(f"columns.{title}.{kinds[0]}: expected true{pair}, not {str(value)!r:.40}")
    classes = (EqualColumn, OverlapColumn, OrderColumn, DistanceColumn)
    return next(each for each in classes if each.kind == kinds[0])(title, options)


def _taken(options: dict[str, Any], key: str, default: str) -> str:
    value = options.pop(key, default)
    if not isinstance(value, str):
        raise ValueError(f"{key}: expected one word or number")
    return value.strip()


def _number(text: str, where: str = "") -> float:
    """Return the finite number that a text writes. Raises ValueError."""
    plain = text.replace("\u2212", "-")
    try:
        if not plain.strip(_OF_NUMBERS) and math.isfinite(number := float(plain)):
            return number
    except ValueError:
        pass
    raise ValueError(f"{where}: expected a number, not {text!r:.40}")
