"""Facts about the secret that do not come from guesses: their texts and their constraints.

A fact is a pattern (`H____`, `[A-E]___T`), or a keyword with its argument: `contains E and A`, `no
Q or X`, `starts with H`, `ends with T`, `not HEART`, `repeats E`, `no repeats`, `sum 17`. A list of
symbols cannot be any word: only keywords and symbols are accepted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn, cast

from puzzlehunt.codes.alphabet import Alphabet, is_range, names_in_range, split_ranges
from puzzlehunt.codes.constraints import (
    AllOf,
    AnyOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    distinct_symbols,
    forbid,
    negated,
    require,
    shifted,
)
from puzzlehunt.codes.graphemes import grapheme_count
from puzzlehunt.errors import InvalidFactError, counted
from puzzlehunt.game.history import Fact
from puzzlehunt.game.spec import GameSpec
from puzzlehunt.rules.column_kinds import MarkedColumn, OrderColumn
from puzzlehunt.rules.columns import ColumnsRule

FACT = "/fact "
"""The beginning of a line that states a fact, among lines that state turns."""
_WORDS = re.compile(r"(?:[^\W\d_]|[\s,;|])*")
"""Words of letters alone; they are never a pattern."""
_SUM = re.compile(r"(\d{1,6})(?:\s*(?:-|to)\s*(\d{1,6}))?")
"""`17`, `10-20` or `10 to 20`."""
_OPEN_SIGNS = "_.?"
"""The characters of a pattern for a position about which nothing is known."""
_BETWEEN = re.compile(r"[\s,;|]+")
"""Separators between symbols; no symbol contains one."""
_CELL = re.compile(r"\[(?P<choice>[^]]*)\]|[\s,;|]+|(?P<places>[^\s,;|[]+)|(?P<unclosed>.)")
"""A place with its choice of symbols, a separator, or places without choices."""
_RANGE = re.compile(r"(\w+)[-–](\w+)")  # noqa: RUF001 (a dash, as some programs write it)
_CONNECTIVES = {"and": "and", "&": "and", "or": "or", "nor": "or"}
"""Words between the symbols of a list, where they are not symbols themselves."""
_CONNECTED = re.compile(rf"[\s,;|]+(?:{'|'.join(_CONNECTIVES)})[\s,;|]+", re.IGNORECASE)
_LONGEST_RUN = 3
"""A run of at most this many letters (without blanks) may be symbols; a longer one is a word."""
_LONGEST_EXAMPLE = 12
"""Errors show example patterns only if codes have at most this many symbols."""


def parse_fact(game: GameSpec, text: str) -> Fact:
    """Parse a fact; with several boards its text begins with the number of one: `2: H____`."""
    if game.rule.column_names and (fact := _column_fact(cast(ColumnsRule, game.rule), text)):
        return fact
    if game.rule.column_names:
        try:
            return parse_code_fact(text, game.alphabet, game.length)
        except InvalidFactError:
            titles = ", ".join(game.rule.column_names)
            name = game.alphabet.format(next(iter(game.secrets)))
            raise InvalidFactError(
                f"{text!r:.60} is not a fact: it begins with no column ({titles}); facts are "
                f"written {_column_example(cast(ColumnsRule, game.rule))}, not {name}"
            ) from None
    if game.boards == 1:
        return parse_code_fact(text, game.alphabet, game.length, game.secrets_at_once)
    number, colon, rest = text.partition(":")
    numbers = [str(board + 1) for board in range(game.boards)]
    if not (colon and number.strip() in numbers):
        raise InvalidFactError(f"{text!r}: say which board it is about, as in 1: contains E")
    board, length = int(number) - 1, game.one_board.length
    fact = parse_code_fact(rest.strip(), game.alphabet, length)
    whole = shifted(fact.constraint, board * length, length)
    return Fact(f"{board + 1}: {fact.text}", whole, board, fact.constraint)


def _column_fact(rule: ColumnsRule, text: str) -> Fact | None:
    """Return the fact of `found 1800-1900`, `block p` or `kind not x`; None if no column is named.

    Raises InvalidFactError for a value that no row has in the column.
    """
    plain = " ".join(text.split())
    named = [
        place
        for place, title in enumerate(rule.column_names)
        if plain.casefold().startswith(f"{title.casefold()} ")
    ]
    if not named:
        return None
    place = max(named, key=lambda each: len(rule.column_names[each]))
    title = rule.column_names[place]
    asked = plain[len(title) :].strip()
    negative, value = asked.casefold().startswith("not "), asked
    if negative:
        value = asked[4:]
    try:
        rows = rule.rows_with(place, value)
    except ValueError as error:
        raise InvalidFactError(f"{text!r:.60}: {error}") from None
    if negative:
        rows = sorted({*range(len(rule.rows_of_table.values))} - {*rows})
    return Fact(f"{title} {asked}", rule.rows_of_table.among(rows))


def _column_example(rule: ColumnsRule) -> str:
    """Return facts about columns: `block p, period > 4`."""
    codes = rule.rows_of_table.codes
    code = codes[len(codes) // 2]
    cells = [(column, rule.cell_of(code, place)) for place, column in enumerate(rule.columns)]
    marked = [(column, cell) for column, cell in cells if isinstance(column, MarkedColumn)]
    return ", ".join(
        f"{column.title} > {cell}"
        if cell and isinstance(column, OrderColumn)
        else f"{column.title} {cell or 'missing'}"
        for column, cell in marked[:2]
    )


def parse_code_fact(text: str, alphabet: Alphabet, length: int, secrets: int = 1) -> Fact:
    """Parse a fact about a code, which may join several secrets.

    `contains EE` says that E occurs twice or more. Raises InvalidFactError.
    """
    return _Reader(text.strip(), alphabet, length, secrets).fact()


def format_pattern(cells: Sequence[tuple[int, ...]], alphabet: Alphabet) -> str:
    """Return the text of a pattern, given the symbols allowed at each position (() for any)."""
    texts = []
    for cell in cells:
        names = [alphabet.symbols[symbol] for symbol in cell] or [_open_sign(alphabet)]
        texts.append(names[0] if len(names) == 1 else _choice_text(names))
    return _pattern_text(texts, alphabet)


def values_of(alphabet: Alphabet) -> list[int] | None:
    """Return the value of each symbol in sums: its name, or its only alias below 10,000.

    The result is None if some symbol is not a number.
    """
    values = []
    for symbol in alphabet.symbols:
        names = [symbol] if _is_number(symbol) else alphabet.aliases_of(symbol)
        numbers = list(filter(_is_number, names))
        if len(numbers) != 1:
            return None
        values.append(int(numbers[0]))
    return values


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal() and len(name) < 5


def _open_sign(alphabet: Alphabet) -> str:
    return next((sign for sign in _OPEN_SIGNS if alphabet.number(sign) is None), _OPEN_SIGNS[0])


def _choice_text(parts: Sequence[str]) -> str:
    text = "".join(parts)
    reads_back = len(parts) == 1 or (grapheme_count(text) == len(parts) and "-" not in parts)
    return f"[{text if reads_back else ','.join(parts)}]"


def _range_text(names: list[str]) -> str:
    """Return `A-C` for three names or more, all from the first to the last; "" for any others."""
    first, last = names[0], names[-1]
    is_whole = len(names) > 2 and is_range(first, last) and names == [*names_in_range(first, last)]
    return f"{first}-{last}" if is_whole else ""


def _pattern_text(cells: Sequence[str], alphabet: Alphabet) -> str:
    text = alphabet.joiner.join(cells)
    merged = grapheme_count(text) < sum(map(grapheme_count, cells))
    return "-".join(cells) if merged else text


def _constraint(cells: Sequence["_Cell"]) -> Constraint:
    return AllOf(tuple(require(At(p, c.symbols)) for p, c in enumerate(cells) if c.symbols))


@dataclass(frozen=True, slots=True)
class _Cell:
    """A place of a pattern: the symbols that it may hold, () for any, and how that is written."""

    symbols: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the fact that `text` writes about a code of `length` symbols and some `secrets`."""

    text: str
    alphabet: Alphabet
    length: int
    secrets: int

    def fact(self) -> Fact:
        """Return the fact. Raises InvalidFactError."""
        words = list(filter(None, _BETWEEN.split(self.text)))
        no_repeats = distinct_symbols(len(self.alphabet))
        match [word.casefold() for word in words]:
            case ["distinct"]:
                return Fact("distinct", no_repeats)
            case ["no" | "without", "repeats"]:
                return Fact("no repeats", no_repeats)
            case ["no" | "without", "repeats", *_]:
                return self._without("no repeats", words[2:], 2)
            case ["no" | "without", _, *_]:
                return self._without("no", words[1:], 1)
            case ["repeats"]:
                return Fact("repeats", negated(no_repeats))
            case ["repeats", *_]:
                return self._counted("repeats", words[1:], 2)
            case ["contains", _, *_]:
                return self._counted("contains", words[1:], 1)
            case ["starts" | "begins", "with", _, *_]:
                return self._at_end("starts with", 0, words[2:])
            case ["ends", "with", _, *_]:
                return self._at_end("ends with", self.length - 1, words[2:])
            case ["not", _, *_]:
                return self._excluded(self.text.split(maxsplit=1)[1])
            case ["sum", *_]:
                return self._sum(" ".join(words[1:]))
        return self._pattern()

    # Lists of symbols.

    def _listed(self, words: Sequence[str]) -> tuple[list[tuple[int, ...]], set[str]]:
        named: list[tuple[int, ...]] = []
        between: set[str] = set()
        for place, word in enumerate(words):
            connective = self._connective(word)
            if not connective:
                named.append(self._named(word, alone=len(words) == 1))
            elif 0 < place < len(words) - 1:
                between.add(connective)
            else:
                self._refuse(f"a symbol is missing next to {word!r}")
        return named, between

    def _connective(self, word: str) -> str:
        is_symbol = self.alphabet.number(word) is not None
        return "" if is_symbol else _CONNECTIVES.get(word.casefold(), "")

    def _named(self, word: str, alone: bool) -> tuple[int, ...]:
        """Return the symbols that a word names: one, perhaps several times (`EE`), or a range."""
        alphabet = self.alphabet
        if (symbol := alphabet.number(word)) is not None:
            return (symbol,)
        match = _RANGE.fullmatch(word)
        if match and is_range(match[1], match[2]):
            return self._range(match[1], match[2])
        self._check_direction(word)
        symbols = tuple(map(alphabet.number, alphabet.tokens(word)))
        if symbols and symbols[0] is not None and len({*symbols}) == 1:
            return (symbols[0],) * len(symbols)
        names = self.alphabet.letters(word)
        is_a_run = not word.isalpha() or (alone and len(names) <= _LONGEST_RUN)
        if is_a_run and None not in map(alphabet.number, names):
            self._refuse(f"{word!r} is not a symbol of this game; write {', '.join(names)}")
        self._refuse_name(word)

    def _number(self, name: str) -> int:
        number = self.alphabet.number(name)
        if number is None:
            self._refuse_name(name)
        return number

    def _range(self, first: str, last: str) -> tuple[int, ...]:
        in_order = tuple(range(self._number(first), self._number(last) + 1))
        numbers = map(self.alphabet.number, names_in_range(first, last))
        by_name = tuple(number for number in numbers if number is not None)
        if in_order and {*in_order} != {*by_name}:
            readings = " or ".join(" ".join(self._names(s)) for s in (by_name, in_order))
            self._refuse(f"{first}-{last} may be {readings}; write which")
        return by_name

    def _names(self, symbols: Sequence[int]) -> list[str]:
        return [self.alphabet.symbols[symbol] for symbol in symbols]

    def _counted(self, keyword: str, words: Sequence[str], least: int) -> Fact:
        named, between = self._listed(words)
        if len(between) > 1:
            self._refuse("it has both 'and' and 'or'; write two facts")
        for symbols in named:
            if len({*symbols}) > 1:
                one, other = self._names(symbols)[:2]
                self._refuse(
                    "a range may be all of its symbols or one of them; write each, as in "
                    f"{keyword} {one} and {other}, or {keyword} {one} or {other}"
                )
        times = [(symbols[0], len(symbols)) for symbols in named]
        if "or" not in between:
            every = [symbol for symbols in named for symbol in symbols]
            times = [(symbol, every.count(symbol)) for symbol in dict.fromkeys(every)]
        counts = dict.fromkeys((symbol, max(count, least)) for symbol, count in times)
        most = (max if "or" in between else sum)(count for _, count in counts)
        if most > self.length:
            self._refuse(f"a code has only {counted(self.length, 'symbol')}")
        texts = [self.alphabet.format((s,) * (count if least == 1 else 1)) for s, count in counts]
        text = f"{keyword} {(' or ' if between == {'or'} else ' ').join(texts)}"
        parts = tuple(require(AtLeast((symbol,), count)) for symbol, count in counts)
        return Fact(text, AnyOf(parts) if "or" in between else AllOf(parts))

    def _without(self, keyword: str, words: Sequence[str], times: int) -> Fact:
        named, _ = self._listed(words)
        for symbols in named:
            if len({*symbols}) < len(symbols):
                (name,) = {*self._names(symbols)}
                self._refuse(f"write no {name}, or no repeats {name} if it may occur once")
        every = dict.fromkeys(symbol for symbols in named for symbol in symbols)
        text = f"{keyword} {' '.join(self._names([*every]))}"
        return Fact(text, AllOf(tuple(forbid(AtLeast((s,), times)) for s in every)))

    def _at_end(self, keyword: str, position: int, words: Sequence[str]) -> Fact:
        named, between = self._listed(words)
        several = "and" in between or (len(named) > 1 and not between)
        pattern = self._example(self.alphabet.symbols[:1])
        if self.secrets > 1:
            self._refuse(f"which of the secrets? write a pattern of all of them, as {pattern}")
        if several or any(len({*s}) < len(s) for s in named):
            problem = f"{keyword} names one symbol, or several with 'or' between"
            self._refuse(f"{problem}; a pattern says more, as {pattern}")
        every = dict.fromkeys(symbol for symbols in named for symbol in symbols)
        text = f"{keyword} {' or '.join(self._names([*every]))}"
        return Fact(text, require(At(position, tuple(sorted(every)))))

    # Patterns.

    def _pattern(self) -> Fact:
        alphabet = self.alphabet
        if self.length == 1 and (symbol := alphabet.number(self.text)) is not None:
            cells = [_Cell((symbol,), alphabet.symbols[symbol])]
        else:
            if _WORDS.fullmatch(self.text):
                self._refuse_text()
            cells = self._cells(self.text)
        if len(cells) != self.length:
            self._refuse_text(
                f"a pattern has {counted(self.length, 'place')}, this has {len(cells)}"
            )
        if not any(cell.symbols for cell in cells):
            self._refuse_text("every place is open")
        return Fact(_pattern_text([cell.text for cell in cells], alphabet), _constraint(cells))

    def _excluded(self, text: str) -> Fact:
        places = self.length // self.secrets
        texts, parts = [], []
        for piece in _CONNECTED.split(text):
            cells = self._cells(piece)
            if not cells or len(cells) % places:
                self._refuse(
                    f"what it excludes has {counted(places, 'symbol')}, as in not "
                    f"{self._example_code()}; a symbol alone is excluded by no "
                    f"{self.alphabet.symbols[0]}"
                )
            for start in range(0, len(cells), places):
                one = cells[start : start + places]
                if not any(cell.symbols for cell in one):
                    self._refuse_text("every place is open")
                texts.append(_pattern_text([cell.text for cell in one], self.alphabet))
                parts += [
                    shifted(negated(_constraint(one)), first, places)
                    for first in range(0, self.length, places)
                ]
        return Fact(f"not {', '.join(texts)}", AllOf(tuple(parts)))

    def _cells(self, text: str) -> list[_Cell]:
        alphabet, cells = self.alphabet, list[_Cell]()
        for match in _CELL.finditer(text):
            if match["unclosed"] or match["choice"] is not None:
                cells.append(self._choice(match["choice"] or ""))
            elif places := match["places"]:
                joins = "-" in places and alphabet.number("-") is None
                names = filter(None, places.split("-")) if joins else alphabet.tokens(places)
                cells += map(self._place, names)
        return cells

    def _place(self, name: str) -> _Cell:
        if name in _OPEN_SIGNS and self.alphabet.number(name) is None:
            return _Cell((), _open_sign(self.alphabet))
        symbol = self._number(name)
        return _Cell((symbol,), self.alphabet.symbols[symbol])

    def _choice(self, text: str) -> _Cell:
        parts: dict[str, tuple[int, ...]] = {}
        words = list(filter(None, _BETWEEN.split(text)))
        if not words:
            self._refuse_text("[ ] holds the symbols that one place may have")
        for word in words:
            if len(words) > 1 and self._connective(word):
                continue
            for first, last in self._ranges(word):
                symbols = (self._number(first),) if first == last else self._range(first, last)
                if written := _range_text(self._names(symbols)):
                    parts[written] = symbols
                else:
                    parts |= {self.alphabet.symbols[symbol]: (symbol,) for symbol in symbols}
        numbers = sorted({symbol for symbols in parts.values() for symbol in symbols})
        return _Cell(tuple(numbers), _choice_text([*parts]))

    def _ranges(self, word: str) -> Iterable[tuple[str, str]]:
        alphabet, match = self.alphabet, _RANGE.fullmatch(word)
        if alphabet.number(word) is not None:
            return [(word, word)]
        if match and is_range(match[1], match[2]):
            return [(match[1], match[2])]
        self._check_direction(word)
        return split_ranges(alphabet.tokens(word) if alphabet.joiner else alphabet.letters(word))

    def _check_direction(self, word: str) -> None:
        match = _RANGE.fullmatch(word)
        if match and is_range(match[2], match[1]) and self.alphabet.number("-") is None:
            self._refuse(f"{word!r} runs backwards; write {match[2]}-{match[1]}")

    # Sums.

    def _sum(self, total: str) -> Fact:
        values = values_of(self.alphabet)
        if values is None:
            self._refuse_text("the symbols of this game are not numbers")
        match = _SUM.fullmatch(total)
        if match is None:
            self._refuse_text("a sum is written sum 17, or sum 10-20")
        low, high = int(match[1]), int(match[2] or match[1])
        least, most = min(values) * self.length, max(values) * self.length
        if high < low or high < least or low > most:
            self._refuse(f"the sum of a code is {least} to {most}")
        terms = tuple(
            (value, At(position, (symbol,)))
            for position in range(self.length)
            for symbol, value in enumerate(values)
            if value
        )
        text = str(low) if low == high else f"{low}-{high}"
        return Fact(f"sum {text}", Bound(low, terms, high))

    # What is not a fact.

    def _refuse(self, problem: str) -> NoReturn:
        raise InvalidFactError(f"{self.text}: {problem}")

    def _refuse_name(self, name: str) -> NoReturn:
        self._refuse(f"{name!r} is not a symbol of this game; {self._forms()}")

    def _refuse_text(self, problem: str = "") -> NoReturn:
        said = f": {problem}" if problem else f"; {self._forms()}"
        raise InvalidFactError(f"{self.text!r} is not a fact{said}")

    def _forms(self) -> str:
        one, other = (self.alphabet.symbols * 2)[:2]
        forms = [f"contains {one} and {other}", f"no {one} or {other}", f"starts with {one}"]
        forms += [f"ends with {other}", f"repeats {one}", "no repeats"]
        if values_of(self.alphabet):
            forms.append("sum 17")
        if self.length <= _LONGEST_EXAMPLE:
            some = self._names(range(len(self.alphabet))[:3])
            choice = [_range_text(some)] if _range_text(some) else some[:2]
            forms = [self._example([one]), self._example(choice), *forms]
            forms.append(f"not {self._example_code()}")
        return f"facts are written {', '.join(forms)}"

    def _example(self, choice: Sequence[str]) -> str:
        """Return a pattern whose first place holds one of some symbols."""
        first = choice[0] if len(choice) == 1 and "-" not in choice[0] else _choice_text(choice)
        others = [_open_sign(self.alphabet)] * (self.length - 1)
        return _pattern_text([first, *others], self.alphabet)

    def _example_code(self) -> str:
        symbols = range(self.length // self.secrets)
        return self.alphabet.format(tuple(symbol % len(self.alphabet) for symbol in symbols))
