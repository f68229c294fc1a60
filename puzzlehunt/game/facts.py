"""Facts about the secret that do not come from guesses: `H____`, `contains E and A`, `sum 17`.

A fact is a pattern, a keyword with its argument, or a column of a table with a value. It keeps the
text that was typed. A word that is neither a keyword nor a symbol is refused.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING
from unicodedata import category, normalize

from puzzlehunt.codes.alphabet import PAD, Alphabet, names_in_range, split_ranges
from puzzlehunt.codes.constraints import (
    TRUE,
    AllOf,
    AnyOf,
    At,
    AtLeast,
    Bound,
    Constraint,
    distinct_symbols,
    negated,
    one_of,
)
from puzzlehunt.codes.spaces import describe_lengths
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError, check_type
from puzzlehunt.game.history import Fact
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.families import TileRule

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game

_FORMS = (
    "with symbols X and Y of the game, facts are written X____, [X,Y]____, contains X and Y, "
    "contains X or Y, no X, starts with X, ends with Y, not X____, repeats X, no repeats"
)
OPEN_SIGNS = ("_", ".", "?")
"""Characters of a pattern for a place about which nothing is known."""
_KEYWORD = re.compile(
    r"(no repeats|without repeats|no|without|repeats|contains|starts with|begins with|ends with"
    r"|not|sum|distinct(?=$))(?: (.*))?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s,;|]+")
"""Separators between symbols; no symbol contains one."""
_CHOICE = re.compile(r"\[([^]]*)\]")
"""The symbols that one place of a pattern may have."""
_RANGE = re.compile(r"(\w+)[-–](\w+)")  # noqa: RUF001 (a dash, as some programs write it)
_JOINS = {"and": "and", "&": "and", "or": "or", "nor": "or"}
"""Words between the symbols of a list, where they are not symbols themselves."""
_SHARED = re.compile("(?:somebody|someone) got (.+)", re.IGNORECASE)
_SUM = re.compile(r"(\d{1,6})(?:\s*(?:-|to)\s*(\d{1,6}))?")


def parse_fact(game: "Game", text: str) -> Fact:
    """Return the fact that a text writes; `contains EE` says that E occurs twice or more.

    In a game of several boards the text begins with the number of a board: `2: H____`. Raises
    PuzzlehuntError.
    """
    check_type("text", text, str, "a text")
    text = normalize("NFC", " ".join(text.split()))
    if shared := _SHARED.fullmatch(text):
        return shared_fact(game, shared[1])
    try:
        if isinstance(game.rule, ColumnsRule):
            return Fact(text, _column_constraint(game.rule, text, game.alphabet))
        if game.boards == 1:
            return Fact(text, _constraint(text, game.alphabet, game.secrets.lengths))
        number, _, rest = map(str.strip, text.partition(":"))
        if number not in map(str, range(1, game.boards + 1)):
            raise ValueError("say which board it is about, as in 1: contains E")
        constraint = _constraint(rest, game.alphabet, game.one_board.secrets.lengths)
        return Fact(f"{number}: {rest}", constraint, int(number) - 1)
    except (ValueError, InvalidCodeError) as error:
        raise PuzzlehuntError(f"{text!r:.60} is not a fact: {error}") from None


def _column_constraint(rule: ColumnsRule, text: str, alphabet: Alphabet) -> Constraint:
    """Return the constraint of `found 1800-1900`, `kind not x`, or `not NAME` of a row."""
    if (named := rule.column_named(text)) is None:
        if text.casefold().startswith("not "):
            return _constraint(text, alphabet, rule.lengths)
        raise ValueError(
            f"it begins with no column ({', '.join(rule.column_names)}); facts are written "
            "COLUMN VALUE, COLUMN 10-20, COLUMN > 10, COLUMN not VALUE, or not NAME"
        )
    place, value = named
    asked = re.sub("^not ", "", value, flags=re.IGNORECASE)
    rows = rule.rows_with(place, asked)
    if asked != value:
        rows = sorted({*range(len(rule.rows_of_table.values))} - {*rows})
    return one_of(rule.rows_of_table.codes[row] for row in rows)


def shared_fact(game: "Game", rows: str) -> Fact:
    """Return the fact that some guess of the game gets each of some rows of marks: `.Y..G G...G`.

    A row that wins is left out. Raises PuzzlehuntError.
    """
    rule = game.rule
    if not (isinstance(rule, TileRule) and game.secrets.listed) or rule.hides_win:
        raise PuzzlehuntError(
            "somebody got: only where each tile of a listed word of one length has a mark"
        )
    read = [rule.notation.read(row, (0,) * game.length) for row in dict.fromkeys(rows.split())]
    clues = [clue for clue in read if not rule.wins(clue)]
    if max(map(len, clues), default=0) > 3**5:
        raise PuzzlehuntError("somebody got: at most five tiles of a row may be unread")
    kept = rule.secrets_behind(clues, game.guesses, game.secrets)
    text = "somebody got " + " ".join(map(rule.notation.format, read))
    if not kept:
        raise PuzzlehuntError(f"{text}: there is no word of which guesses of this game get this")
    return Fact(text, TRUE if len(kept) == game.secrets.size else one_of(kept))


def _constraint(text: str, alphabet: Alphabet, lengths: range) -> Constraint:
    if (match := _KEYWORD.fullmatch(text)) is None:
        return _fits(_cells(text, alphabet, range(1)), lengths)
    keyword, argument = match[1].casefold(), match[2] or ""
    if keyword == "sum":
        return _sum(argument, alphabet, lengths)
    if keyword == "not":
        return negated(_fits(_cells(argument, alphabet, lengths), lengths))
    if not argument and keyword in ("distinct", "no repeats", "without repeats", "repeats"):
        distinct = distinct_symbols(len(alphabet))
        return negated(distinct) if keyword == "repeats" else distinct
    words, joins = _words(argument, alphabet)
    if not words:
        raise ValueError(f"which symbols? {_FORMS}")
    named = [Counter(_named(word, alphabet)) for word in words]
    every = sum(named, Counter[int]())
    least = 2 if keyword.endswith("repeats") else 1
    if keyword.startswith(("no", "without")):
        if every.total() > len(every):
            raise ValueError("write no E for none of it, or no repeats E if it may occur once")
        return AllOf(tuple(Bound.forbidden(AtLeast((symbol,), least)) for symbol in every))
    if keyword in ("contains", "repeats"):
        if len(joins) > 1:
            raise ValueError("it has both 'and' and 'or'; write two facts")
        if any(len(symbols) > 1 for symbols in named):
            raise ValueError("a range may be all of its symbols or one of them; name each of them")
        parts = tuple(
            Bound.required(AtLeast((symbol,), max(times, least)))
            for count in (named if joins == {"or"} else [every])
            for symbol, times in count.items()
        )
        return AnyOf(parts) if joins == {"or"} else AllOf(parts)
    if every.total() > len(every) or (len(named) > 1 and joins != {"or"}):
        raise ValueError("it names one symbol, or several with 'or' between; a pattern says more")
    symbols = tuple(sorted(every))
    if keyword == "ends with":
        return AnyOf(tuple(_fits([*[()] * (n - 1), symbols], lengths) for n in lengths))
    return Bound.required(At(0, symbols))


def _words(text: str, alphabet: Alphabet) -> tuple[list[str], set[str]]:
    """Return the words of a list, and which of `and` and `or` is between them."""
    words = list(filter(None, _BETWEEN.split(text)))
    joins = {
        place: _JOINS[word.casefold()]
        for place, word in enumerate(words[:-1])
        if place and word.casefold() in _JOINS and word not in alphabet
    }
    return [word for place, word in enumerate(words) if place not in joins], {*joins.values()}


def _named(word: str, alphabet: Alphabet, is_run: bool = False) -> Sequence[int]:
    """Return the symbols that a word names: one, perhaps several times (`EE`), or a range.

    In brackets it may be a run of any symbols and ranges: `AEIOU`.
    """
    if word in alphabet:
        return [_number(word, alphabet)]
    ends = _RANGE.fullmatch(word)
    if ends and names_in_range(ends[1], ends[2]):
        return _in_range(ends[1], ends[2], alphabet)
    names = alphabet.letters(word) if is_run and not alphabet.joiner else alphabet.tokens(word)
    if is_run:
        return [s for ends in split_ranges(names) for s in _in_range(*ends, alphabet)]
    is_repeated = len({*map(alphabet.number, names)}) == 1 and names[0] in alphabet
    return [_number(names[0] if is_repeated else word, alphabet)] * len(names)


def _in_range(first: str, last: str, alphabet: Alphabet) -> Sequence[int]:
    in_order = range(_number(first, alphabet), _number(last, alphabet) + 1)
    if first == last:
        return in_order
    numbers = map(alphabet.number, names_in_range(first, last))
    by_name = [number for number in numbers if number is not None]
    if in_order and {*in_order} != {*by_name}:
        ways = [" ".join(alphabet.symbols[s] for s in symbols) for symbols in (by_name, in_order)]
        raise ValueError(f"{first}-{last} may be {' or '.join(ways)}; write which")
    return by_name


def _number(name: str, alphabet: Alphabet) -> int:
    if (number := alphabet.number(name)) is None:
        raise ValueError(f"{name!r} is not a symbol of this game; {_FORMS}")
    return number


def _cells(text: str, alphabet: Alphabet, word_lengths: range) -> list[Sequence[int]]:
    """Return the symbols that each place of a pattern may have, () for any.

    A word of letters is a symbol, or it has one of `word_lengths`.
    """
    if alphabet.names_codes:
        return [(symbol,) for symbol in alphabet.parse(text)]
    for word in _BETWEEN.split(_CHOICE.sub("[]", text)):
        is_word = all(category(character)[0] in "LM" for character in word)
        if is_word and len(alphabet.tokens(word)) not in (0, 1, *word_lengths):
            _number(word, alphabet)  # which it is not
    cells: list[Sequence[int]] = []
    for place, part in enumerate(_CHOICE.split(text)):
        if place % 2:  # what was in brackets
            words, _ = _words(part, alphabet)
            if not words:
                raise ValueError("[ ] holds the symbols that one place may have")
            cells.append([s for word in words for s in _named(word, alphabet, is_run=True)])
            continue
        for name in filter(None, alphabet.tokens(part)):
            is_open = name in OPEN_SIGNS and name not in alphabet
            cells.append(() if is_open else (_number(name, alphabet),))
    return cells


def _fits(cells: Sequence[Sequence[int]], lengths: range) -> Constraint:
    if len(cells) not in lengths:
        problem = f"a pattern has {describe_lengths(lengths, 'place')}, this has {len(cells)}"
        alone = "; a symbol alone is excluded by no, as in no X" if len(cells) == 1 else ""
        raise ValueError(problem + alone if cells else _FORMS)
    if not any(cells) and len(lengths) == 1:
        raise ValueError("every place is open")
    is_longer = [Bound.forbidden(At(len(cells) - 1, (PAD,)))] if len(cells) > lengths[0] else []
    ended = enumerate([*cells, (PAD,)][: lengths[-1]])
    choices = ((place, tuple(sorted({*cell}))) for place, cell in ended if cell)
    return AllOf((*(Bound.required(At(place, choice)) for place, choice in choices), *is_longer))


def _sum(text: str, alphabet: Alphabet, lengths: range) -> Constraint:
    values, total = alphabet.symbol_values, _SUM.fullmatch(text)
    if values is None:
        raise ValueError("the symbols of this game are not numbers")
    if total is None:
        raise ValueError("a sum is written sum 17, or sum 10-20")
    low, high = int(total[1]), int(total[2] or total[1])
    least, most = min(values) * lengths[0], max(values) * lengths[-1]
    if low > high or high < least or low > most:
        raise ValueError(f"a sum is {least} to {most}")
    terms = [(v, At(p, (s,))) for p in range(lengths[-1]) for s, v in enumerate(values) if v]
    return Bound(low, tuple(terms), high)
