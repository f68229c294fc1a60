"""How the columns of a table answer: `equal`, `overlap`, `order` and `distance`.

A column compares the guess's value with the secret's, and answers with a digit. In every column 0
means that both have the same value. A missing value is a value of its own: it is the same as
another missing one, and cannot be compared with the others.
"""

import math
import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import chain, groupby, product
from operator import ge, gt, le, lt
from typing import Any, ClassVar, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.rules.notation.clue import UNREAD, UNREAD_WORDS, Cell, marks_line
from puzzlehunt.rules.notation.clue_values import whole
from puzzlehunt.rules.notation.synonyms import UNREAD_SIGNS

Digits: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.integer]
Meant: TypeAlias = Callable[[Any], bool]
"""Whether a known value of a column is meant."""
UNREAD_CELLS = ("_", "?", *UNREAD_SIGNS, *UNREAD_WORDS)
"""The texts of a column that was not read, in lower case."""
_ROUNDING = 1e-9
"""What is added before a number is rounded down, so that rounding errors decide nothing."""
_EARTH = 6371.0088
"""The mean radius of the earth (km)."""
_TOLERANCE = "0.2%"
"""How far a typed distance may be off: spheres that are taken for the earth differ so much."""
_NO_PERCENT = 20_000
"""The distance (km) of 0 %, about half the way around the earth; that of 100 % is 0."""
_POINTS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE",
           "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")  # fmt: skip
_ARROWS = dict(zip("⬆↗➡↘⬇↙⬅↖↑→↓←", (*_POINTS[::2], *_POINTS[::4]), strict=True))

# Cells of a table.
_LIKE_A_DATE = re.compile(r"\d{1,4}([-/.])\d\d?\1\d{1,4}")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_PARTS = re.compile(r"[,;/|]")
"""What separates the members of a set in one cell."""

# Facts about an order.
_BOUND = re.compile(r"([<>]=?|[≤≥])\s*(.+)")
_COMPARISONS = {"<": lt, "<=": le, "≤": le, ">": gt, ">=": ge, "≥": ge}
_VALUE = r"(\d{4}-\d\d-\d\d|[-\u2212]?[\d.]+)"
_RANGE = re.compile(rf"{_VALUE}\s*(?:-|\u2013|to)\s*{_VALUE}")
# Answers.
_DRAWN = {
    "=": ("equal", "🟩"), ".": ("far", "🟥"), "-": ("far", "⬛"), "~": ("near", "🟨"),
    "<": ("earlier", "⬇"), ">": ("later", "⬆"), "~<": ("near", "🟨⬇"), "~>": ("near", "🟨⬆"),
}  # fmt: skip
"""What the tile of each mark looks like, and its sign in a shared result."""
_FAR, _NEAR = "🟥⬛⬜", "🟨🟧🟡"
_UP, _DOWN = "⬆🔼🔺⏫↑▲☝👆", "⬇🔽🔻⏬↓▼👇"
_HIGHER = ["more", "later", "newer", "up", "above", "larger", "bigger", "greater"]
_LOWER = ["less", "fewer", "earlier", "older", "down", "below", "smaller"]
_SYNONYMS = (
    (("=",), [*"🟩💚✅🟢", "equal", "same", "correct", "right", "yes"]),
    (("-",), ["-", "missing", "n/a", "none"]),
    ((".",), [*"🟨🟥⬛⬜❌🔴", "x", "different", "wrong", "no"]),
    (("~",), [*_NEAR, "💛", "partial", "partly", "overlap"]),
    (("<", ">"), [*_FAR]),
    (("<",), [*_DOWN, *map("".join, product(_FAR, _DOWN)), *_LOWER]),
    ((">",), [*_UP, *map("".join, product(_FAR, _UP)), *_HIGHER]),
    (("~<", "~>"), [*_NEAR, "~", "near", "close", "nearly"]),
    (("~<",), [*map("".join, product(_NEAR, _DOWN))]),
    (("~>",), [*map("".join, product(_NEAR, _UP))]),
)
"""Further signs and words, in lower case, that mean some marks, in columns that have these."""
_AMOUNT = r"(\d{1,9}(?:\.\d\d?)?)"
_FAR_AWAY = re.compile(
    rf"{_AMOUNT}(?:[-\u2013]{_AMOUNT})?\s*(?:km|(?![\d.%]))|(\d{{1,9}})\s*%|([^\d\s.%]+)"
)
"""A distance or a range (three digits behind a dot may be thousands), a percentage, a direction."""
_MOST_LISTED = 12
"""A cell of more digits, and of more than half, is written by those that it leaves out."""


def _number(text: object) -> float:
    """Return the finite number that a text writes. Raises ValueError."""
    plain = str(text).replace("\u2212", "-")
    if not _NUMBER.fullmatch(plain) or not math.isfinite(float(plain)):
        raise ValueError(f"expected a number, not {text!r:.40}")
    return float(plain)


class ColumnKind(ABC):
    """A column of a table: how it compares two values, and how its answers are written.

    `sources` are the titles of the columns of the table whose cells are compared. `values` are the
    V distinct values, `numbers` (R,) has the number of each row's value. `blank` is the number of
    the value of a blank cell, None if no cell is blank. Raises ValueError for an option that is not
    understood.
    """

    kind: ClassVar[str]
    option_names: ClassVar[tuple[str, ...]] = ()
    marks: tuple[tuple[str, str], ...] = ()
    """The mark and the name of each digit; () if the digits are too many."""
    size: int
    """The number of digits."""
    missing: int | None = None
    """The digit for a missing value and another one; None where blank cells are values."""

    def __init__(self, title: str, sources: tuple[str, ...], options: Mapping[str, object]) -> None:
        self.title, self.sources = title, sources
        self.values: list[Any] = []
        self.numbers: Numbers
        self.blank: int | None = None
        for key in options.keys() - self.option_names:
            raise ValueError(f"a column of kind {self.kind} has no option {key!r:.40}")
        self.prepare(options)
        if self.marks:
            self.size = len(self.marks)

    def prepare(self, options: Mapping[str, object]) -> None:  # noqa: B027 - some have no options
        """Set what the column's options say. Raises ValueError."""

    # Values.

    def fill(self, rows: NamedRows) -> None:
        """Take the values of a table's rows.

        Raises ValueError for a cell that is not understood, with its place.
        """
        number_of: dict[Hashable, int] = {}
        self.numbers = np.empty(len(rows.values), dtype=np.int32)
        sources = [rows.columns[title] for title in self.sources]
        for row, cells in enumerate(zip(*sources, strict=True)):
            try:
                value = self.value("\x1f".join(cells) if any(cells) else "")
            except ValueError as error:
                raise ValueError(f"{rows.places[row]} ({rows.values[row]}): {error}") from None
            self.numbers[row] = number_of.setdefault(value, len(number_of))
        self.values, self.blank = list(number_of), number_of.get(self.value(""))
        if self.value("") is None and self.blank is not None:
            self.missing, self.size = self.size, self.size + 1
            self.marks += (("-", "missing"),) if self.marks else ()

    @abstractmethod
    def value(self, cell: str) -> Hashable:
        """Return the value of a cell. Raises ValueError."""

    def meant(self, text: str) -> Meant:
        """Return which known values a player's text means. Raises ValueError."""
        return self.value(text).__eq__

    # Answers.

    def answers(self, guesses: Numbers, secrets: Numbers) -> Digits:
        """Return the answers (G, S) for the numbers of guesses' (G,) and secrets' rows (S,)."""
        guessed, hidden = self.numbers[guesses], self.numbers[secrets]
        digits = self._compared(guessed, hidden)
        if self.missing is not None:
            digits[guessed == self.blank] = self.missing
            digits[:, hidden == self.blank] = self.missing
        digits[guessed[:, None] == hidden] = 0
        return digits

    @abstractmethod
    def _compared(self, guesses: Numbers, secrets: Numbers) -> Digits:
        """Return the answers (G, S) for numbers of values, as if all differed and were known."""

    # Texts of answers.

    def marks_of(self, cell: Cell) -> list[tuple[str, str]]:
        """Return the marks and the names of the digits of a cell."""
        return [self.marks[digit] for digit in cell]

    def drawn(self, digit: int) -> tuple[str, str]:
        """Return what a tile with an answer looks like (`near`, `later`), and its shared sign."""
        ((mark, _),) = self.marks_of((digit,))
        return _DRAWN.get(mark, ("far", mark))

    def legend(self) -> str:
        """Return the marks with their names: `= equal, < lower, > higher`."""
        return marks_line(self.marks)

    def _listed(self, cell: Cell) -> tuple[str, list[tuple[str, str]]]:
        """Return "" and the marks of a cell, or `not ` and those of the digits that it lacks."""
        if len(cell) <= max(_MOST_LISTED, self.size // 2):
            return "", self.marks_of(cell)
        return "not ", self.marks_of(tuple(sorted({*range(self.size)} - {*cell})))

    def format_cell(self, cell: Cell) -> str:
        """Return the text of a cell: `>`, `_`, `[=|~>]`, `[not 1200kmNE]`."""
        denied, marks = self._listed(cell)
        text = denied + "|".join(mark for mark, _ in marks)
        return f"[{text}]" if denied or len(marks) > 1 else text or "_"

    def describe_cell(self, cell: Cell) -> str:
        """Return a cell in words: `higher`, `all or some`, `1200 km NE`, `unread`."""
        denied, marks = self._listed(cell)
        return denied + " or ".join(name for _, name in marks) or "unread"

    @cached_property
    def _signs(self) -> dict[str, Cell]:
        digit_of = {"=": 0} | {mark: digit for digit, (mark, _) in enumerate(self.marks)}
        if self.missing is not None:
            digit_of["-"] = self.missing
        digits_of: dict[str, Cell] = {}
        for marks, signs in _SYNONYMS:
            if digits := tuple(digit_of[mark] for mark in marks if mark in digit_of):
                digits_of |= dict.fromkeys(signs, digits)
        names = {name: (digit,) for digit, (_, name) in enumerate(self.marks)}
        return digits_of | names | {mark: (digit,) for mark, digit in digit_of.items()}

    def read(self, text: str) -> Cell | None:
        """Return the cell of a text: `higher`, `[=|>]`, `lower or equal`; None if it has none."""
        folded = _folded(text)
        if folded in UNREAD_CELLS:
            return UNREAD
        if folded.startswith("[") and folded.endswith("]"):
            folded = folded[1:-1].strip()
        parts = re.split(r"\s*[|,]\s*|\sor\s", folded.removeprefix("not "))
        digits_of_parts = [self._digits(part.strip()) for part in parts]
        meant = {*chain(*digits_of_parts)}
        if folded.startswith("not "):
            meant = {*range(self.size)} - meant
        return whole(sorted(meant), self.size) if all(digits_of_parts) and meant else None

    def _digits(self, part: str) -> Sequence[int]:
        """Return the digits that a part of a cell means, in lower case; none if it is no answer."""
        return self._signs.get(part, ())


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


class EqualColumn(ColumnKind):
    """Tells whether two values are equal; case does not matter.

    With other columns of the same set, `elsewhere`, it also tells whether the guess's value is the
    secret's in one of these. A value is then followed by those of these columns.
    """

    kind = "equal"
    option_names = ("elsewhere",)
    marks: tuple[tuple[str, str], ...] = (("=", "equal"), (".", "different"))

    def prepare(self, options: Mapping[str, object]) -> None:
        if others := options.get("elsewhere"):
            listed = [others] if isinstance(others, str) else cast(list[str], others)
            self.sources += tuple(map(str, listed))
            self.marks = (("=", "equal"), ("~", "elsewhere"), (".", "different"))

    def value(self, cell: str) -> tuple[str, ...]:
        return tuple(map(_folded, cell.split("\x1f"))) if cell else ("",) * len(self.sources)

    def meant(self, text: str) -> Meant:
        return lambda value: value[0] == _folded(text)

    def _compared(self, guesses: Numbers, secrets: Numbers) -> Digits:
        is_same = self._cells[guesses, None, :1] == self._cells[secrets]
        far = np.where(is_same[..., 1:].any(axis=2), 1, self.size - 1)
        return np.where(is_same[..., 0], 0, far)

    @cached_property
    def _cells(self) -> Numbers:
        """A number for the text of each cell of each value, (V, columns)."""
        numbers = np.unique(np.array(self.values), return_inverse=True)[1]
        return numbers.reshape(len(self.values), -1)


class OverlapColumn(ColumnKind):
    """Tells whether two sets have all, some or none of their members in common."""

    kind = "overlap"
    marks = (("=", "all"), ("~", "some"), (".", "none"))

    def value(self, cell: str) -> frozenset[str]:
        return frozenset(filter(None, map(_folded, _PARTS.split(cell))))

    def meant(self, text: str) -> Meant:
        return self.value(text).issubset

    def _compared(self, guesses: Numbers, secrets: Numbers) -> Digits:
        # Each pair of different sets is compared once.
        guessed, place_of_guess = np.unique(guesses, return_inverse=True)
        hidden, place_of_secret = np.unique(secrets, return_inverse=True)
        sets = [self.values[number] for number in hidden.tolist()]
        disjoint = [[*map(self.values[number].isdisjoint, sets)] for number in guessed.tolist()]
        return np.where(disjoint, 2, 1)[place_of_guess[:, None], place_of_secret]


class OrderColumn(ColumnKind):
    """Tells whether the secret's number is lower or higher; with `near`, also if it is near.

    Values are numbers, or dates such as 1969-07-20, whose unit is a day.
    """

    kind = "order"
    option_names = ("near",)
    marks: tuple[tuple[str, str], ...] = (("=", "equal"), ("<", "lower"), (">", "higher"))

    def prepare(self, options: Mapping[str, object]) -> None:
        self.near = _number(options.get("near", "0"))
        if self.near < 0:
            raise ValueError("near: expected a number above 0")
        if self.near:
            self.marks += (("~<", "nearly lower"), ("~>", "nearly higher"))

    def fill(self, rows: NamedRows) -> None:
        self._has_dates = any(map(_LIKE_A_DATE.fullmatch, rows.columns[self.title]))
        super().fill(rows)

    def value(self, cell: str) -> float | None:
        return self._known(cell) if cell else None

    def _known(self, text: str) -> float:
        try:
            return float(date.fromisoformat(text).toordinal()) if self._has_dates else _number(text)
        except ValueError:
            form = "date such as 1969-07-20" if self._has_dates else "number, as 1165.5, no unit"
            raise ValueError(f"{text!r:.40} is not a {form}") from None

    def meant(self, text: str) -> Meant:
        """Return which values a bound, `> -40`, a range, `-40 - 100`, or a number means."""
        if bound := _BOUND.fullmatch(text):
            compare, limit = _COMPARISONS[bound[1]], self._known(bound[2])
            return lambda value: compare(value, limit)
        ends = _RANGE.fullmatch(text)
        low, high = map(self._known, ends.groups() if ends else (text, text))
        return lambda value: low <= value <= high

    def _compared(self, guesses: Numbers, secrets: Numbers) -> Digits:
        # The missing value is never compared.
        amounts = np.array([value or 0.0 for value in self.values])
        guessed, hidden = amounts[guesses][:, None], amounts[secrets]
        digits = np.where(hidden > guessed, 2, 1)
        if self.near:  # the marks of near numbers follow those of others
            digits[np.abs(hidden - guessed) <= self.near + _ROUNDING] += 2
        return digits


class DistanceColumn(ColumnKind):
    """Tells how far the secret is from the guess on a globe, and with `compass` in what direction.

    The distance is that of great circles (the haversine formula) on a sphere of a `radius`, the
    direction that in which such a circle leaves the guess or, with `line: rhumb`, the constant one
    of a rhumb line (Snyder, Map Projections, 1987, page 46). A typed distance may be off by a
    `tolerance`. A digit is 1 + steps * D + direction, with D directions (without `compass` one);
    the last digit is for missing values.
    """

    kind = "distance"
    option_names = ("round", "compass", "radius", "line", "tolerance")

    def prepare(self, options: Mapping[str, object]) -> None:
        self._radius = _number(options.get("radius", _EARTH))
        self._farthest = math.pi * self._radius
        self._step = _number(options.get("round", "1"))
        if not 1 <= self._step <= self._farthest:
            most = f"{max(1, self._farthest):,.0f}, half the way around"
            raise ValueError(f"round: expected kilometres from 1 to {most}")
        self._tolerance = _number(str(options.get("tolerance", _TOLERANCE)).rstrip(" %")) / 100
        if not 0 <= self._tolerance < 1:
            raise ValueError("tolerance: expected a percentage of the distance, such as 0.2%")
        line, compass = options.get("line", "great circle"), options.get("compass")
        if line not in ("great circle", "rhumb"):
            raise ValueError(f"line: expected great circle or rhumb, not {line!r:.40}")
        self._is_rhumb = line == "rhumb"
        if compass not in (None, "8", "16"):
            raise ValueError("compass: expected 8 or 16 directions")
        self._directions = _POINTS[:: 16 // int(compass)] if compass else ("",)
        self._distances = int(self._farthest / self._step + 0.5) + 1
        self.size = 1 + self._distances * len(self._directions)

    def value(self, cell: str) -> tuple[float, float] | None:
        if not cell:
            return None
        try:
            latitude, longitude = map(_number, re.split(r"\s*[,;]\s*|\s+", cell))
        except ValueError:
            latitude = longitude = math.inf  # refused
        if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
            pair = "a latitude, -90 to 90, and a longitude, -180 to 180"
            raise ValueError(f"{cell!r:.40} is not a pair of degrees: {pair}")
        return latitude, longitude

    def _compared(self, guesses: Numbers, secrets: Numbers) -> Digits:
        radians = np.radians([value or (0.0, 0.0) for value in self.values]).T
        latitude, longitude = radians[:, guesses, None]
        to_latitude, to_longitude = radians[:, secrets]
        turn = to_longitude - longitude
        cos, to_cos = np.cos(latitude), np.cos(to_latitude)
        haversine = np.sin((to_latitude - latitude) / 2) ** 2
        haversine += cos * to_cos * np.sin(turn / 2) ** 2
        kilometres = 2 * self._radius * np.arcsin(np.minimum(1.0, np.sqrt(haversine)))
        digits = 1 + _rounded(kilometres / self._step) * len(self._directions)
        if len(self._directions) == 1:
            return digits
        if self._is_rhumb:  # straight on Mercator's map, where the poles are very far away
            east = turn - math.tau * np.rint(turn / math.tau)
            heights = np.arctanh(np.sin(radians[0]) * (1 - 1e-15))
            north = heights[secrets] - heights[guesses, None]
        else:
            east = np.sin(turn) * to_cos
            north = cos * np.sin(to_latitude) - np.sin(latitude) * to_cos * np.cos(turn)
        # At a pole and on the opposite side of the earth every direction is right: it is N.
        north[np.hypot(east, north) < 1e-7] = 1.0
        sector = _rounded(np.arctan2(east, north) * (len(self._directions) / math.tau))
        return digits + sector % len(self._directions)

    # Texts of answers.

    @cached_property
    def _directions_called(self) -> dict[str, tuple[int, ...]]:
        """The numbers of the directions that a name or an arrow means; "" means all of them.

        Among 16 directions an arrow between N, E, S and W means three.
        """
        called = {"": tuple(range(len(self._directions)))}
        called |= {name: (n,) for n, name in enumerate(self._directions)}
        for arrow, name in _ARROWS.items() if len(called) > 1 else ():
            (n,) = called[name]
            is_wide = len(self._directions) == len(_POINTS) and len(name) == 2
            called[arrow] = (n - 1, n, n + 1) if is_wide else (n,)
        return called | {"🎉": ()}

    def legend(self) -> str:
        (first, _), (last, _) = self.marks_of((1, self._distances * len(self._directions)))
        return f"= equal, or from {first.rstrip('.')} to {last.rstrip('.')}"

    def marks_of(self, cell: Cell) -> list[tuple[str, str]]:
        """Return the marks and the names of the digits; one for distances in a row.

        A dot ends a mark that would mean more without it: equality, or distances nearby.
        """
        marks, directions_at = list[tuple[str, str]](), defaultdict[int, list[int]](list)
        for digit in cell:
            if digit in (0, self.missing):
                marks.append(("-", "missing") if digit else ("=", "equal"))
            else:
                steps, direction = divmod(digit - 1, len(self._directions))
                directions_at[steps].append(direction)
        called = {meant: name for name, meant in reversed(self._directions_called.items())}
        runs = groupby(enumerate(directions_at), lambda at: (at[1] - at[0], directions_at[at[1]]))
        for (_, listed), run in runs:
            distances = [steps for _, steps in run]
            ends = dict.fromkeys((distances[0], distances[-1]))
            amounts = [steps * self._step for steps in ends]
            amount = "-".join(f"{one:.10g}" for one in amounts)
            spoken = "-".join(f"{one:,.10g}" if one >= 10_000 else f"{one:.10g}" for one in amounts)
            for directions in [listed] if tuple(listed) in called else [[n] for n in listed]:
                name = called[tuple(directions)]
                mark, words = f"{amount}km{name}", f"{spoken} km {name}".rstrip()
                if name and len(distances) == self._distances:
                    mark = words = name
                is_meant = self._digits(mark.casefold()) == self._digits_of(distances, directions)
                marks.append((mark if is_meant else f"{mark}.", words))
        return marks

    def _digits_of(self, distances: Iterable[int], directions: Sequence[int]) -> list[int]:
        """Return the digits of some distances, in steps, in some directions."""
        return [1 + n * len(self._directions) + each for n in distances for each in directions]

    def _digits(self, part: str) -> Sequence[int]:
        text, called = re.sub(r"(?<=\S)\.$", "", part), self._directions_called
        found, rest = _FAR_AWAY.findall(text), _FAR_AWAY.sub("", text).strip()
        names = [name.upper() for *_, name in found if name]
        if not found or rest or len(names) > 1 or not called.keys() >= {*names}:
            return super()._digits(part)
        least, most, is_exact = 0, self._distances - 1, text != part
        for first, last, percent, _ in found:
            near, far = float(first or 0), float(last or first or self._farthest)
            if percent:  # of 0 %, all that is farther
                near, far = ((each - int(percent)) / 100 * _NO_PERCENT for each in (99, 100))
                far = far if int(percent) else self._farthest
            off = 0.0 if last or is_exact else self._tolerance
            least = max(least, math.floor(near * (1 - off) / self._step + 0.5))
            most = min(most, math.floor(far * (1 + off) / self._step + 0.5))
        directions = called["".join(names)]
        may_be_equal = least == 0 and not is_exact and (not names or not directions)
        if may_be_equal and most == 0 and len(self._directions) > 1:
            return [0]  # another place has a direction
        return [0] * may_be_equal + self._digits_of(range(least, most + 1), directions)


def _rounded(amounts: npt.NDArray[np.float64]) -> Digits:
    """Return the nearest whole numbers, halves upwards."""
    return np.floor(amounts + (0.5 + _ROUNDING)).astype(np.int64)


KINDS = {each.kind: each for each in (EqualColumn, OverlapColumn, OrderColumn, DistanceColumn)}


def column_kind(title: str, given: object) -> ColumnKind:
    """Return the column that a game file describes: `order`, or `{order: true, near: 25}`.

    Raises ValueError.
    """
    options = dict(given) if isinstance(given, Mapping) else {str(given): "true"}
    names = [name for name in KINDS if name in options]
    try:
        if len(names) != 1:
            raise ValueError(f"expected one of {', '.join(KINDS)}")
        (name,) = names
        value = options.pop(name)
        if str(value).casefold() in ("true", "yes", "on"):
            return KINDS[name](title, (title,), options)
        if name == "distance" and isinstance(value, list) and len(value) == 2:
            return DistanceColumn(title, tuple(value), options)
        pair = ", or [latitude column, longitude column]" if name == "distance" else ""
        raise ValueError(f"{name}: expected true{pair}, not {value!r:.40}")
    except ValueError as error:
        raise ValueError(f"columns.{title}: {error}") from None
