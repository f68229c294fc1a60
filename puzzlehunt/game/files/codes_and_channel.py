"""The keys `secret`, `guess`, `reads` and `lies` of a game file: its codes and its channel.

A number alone for symbols, and one name for two of them, are refused. Read rates (0 to 1) are
written as `black=0.1,white=about 0.13` or `learn`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import product
from typing import cast

from puzzlehunt.channel.model import LEARNED, MISREAD, Channel, Lies, Rate
from puzzlehunt.codes import languages, words
from puzzlehunt.codes.alphabet import (
    MOST_SYMBOLS,
    Alphabet,
    default_alphabet,
    graphemes,
    names_in_range,
    split_ranges,
)
from puzzlehunt.codes.formulas import FORMULAS
from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace, WordSpace, describe_lengths
from puzzlehunt.errors import GameFileError, UnknownNameError, WordListError, counted, unknown_name
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.files.schema import GameKeys
from puzzlehunt.game.files.table_files import built_in_tables, read_table
from puzzlehunt.rules.base import Rule

_SOURCES = ("table", "formula", "pairs", "language", "alphabet", "symbols", "words")
"""Keys of `secret` each of which says which codes may be hidden."""
_OWN_LIST = "the list"
"""Name, in messages, of a word list written in the game file itself."""
_RANGE = re.compile(r"(\w+)(?:\s*(?:-|–|\.\.\.?)\s*|\s+to\s+)(\w+)")  # noqa: RUF001 (a dash)
"""`1-6`, `A-F`, `A..F` or `1 to 6`."""


# Lists of words.


@dataclass(frozen=True)
class Lists:
    """The lists of words under `secret` and `guess`; each file is read once."""

    keys: GameKeys
    document: Document
    read: Callable[..., list[words.Entry]] = field(default_factory=lambda: cache(words.read))

    @property
    def parts(self) -> tuple[int, ...]:
        """The lengths of the words of a phrase whose blanks everybody knows; () for words."""
        length = str(self.document.value.get("secret", {}).get("length", ""))
        return tuple(map(int, length.split("+"))) if "+" in length else ()

    def entries(self, section: str, key: str = "words") -> list[words.Entry]:
        """Return the words under a key of `secret` or `guess`, none if it is not there.

        Of phrases, blanks are left out if they are known; else they are the symbol `_`.
        """
        named, path = getattr(getattr(self.keys, section), key), f"{section}.{key}"
        parts, blank = self.parts, "" if self.parts else "_"
        phrases = bool(parts) or "_" in (self.keys.secret.symbols or ())
        with self.document.blaming(path, WordListError):
            if not isinstance(named, str):
                listed = [words.parse_entry(entry, _OWN_LIST, phrases) for entry in named or ()]
            elif named in words.BUILT_IN_LISTS:
                listed = [*words.built_in(named)]
            else:
                self.document.named_file(path, named)
                listed = self.read(words.find(named, self.document.origin(path).folder), phrases)
            if not phrases:
                return listed
            split = [(word.split(), weight) for word, weight in listed]
            kept = [one for one in split if parts in ((), (*map(len, map(graphemes, one[0])),))]
            if named is not None and not kept:
                raise WordListError(f"no phrase of {'+'.join(map(str, parts))} letters")
            return [(blank.join(word), weight) for word, weight in kept]

    def space(
        self, section: str, alphabet: Alphabet, lengths: range | None, distinct: bool
    ) -> WordSpace:
        """Return the words under `secret` or `guess`, or of the secret's language."""
        named = getattr(self.keys, section).words
        path = f"{section}.{'language' if named is None else 'words'}"
        with self.document.blaming(path, WordListError):
            if named is None and self.parts:
                raise WordListError("a language has no phrases; name a list as secret.words")
            if named is None:
                language = languages.find_language(self.keys.secret.language or "")
                return languages.language_space(language, alphabet, lengths, distinct)
            if named in words.BUILT_IN_LISTS and not self.parts:
                return words.built_in_space(named, alphabet, lengths, distinct)
            name = named if isinstance(named, str) else _OWN_LIST
            return words.space(self.entries(section), alphabet, lengths, distinct, name)


# The alphabet.


def _alphabet_of(keys: GameKeys, document: Document, lists: Lists) -> Alphabet:
    given = [key for key in _SOURCES if getattr(keys.secret, key) is not None]
    if not given:
        raise document.error("secret", "expected words, or symbols and length, or another source")
    path = f"secret.{given[0]}"
    if given[1:] and given not in (["alphabet", "words"], ["symbols", "words"]):
        raise document.error(path, f"secret.{given[1]} says it another way; drop one")
    with document.blaming(path, ValueError, UnknownNameError):
        alphabet = _alphabet_from(keys, document, lists)
    with document.blaming("secret.digraphs", ValueError):
        alphabet = _with_digraphs(alphabet, keys)
    alphabet = replace(alphabet, parts=lists.parts) if lists.parts else alphabet
    ignores, cuts = keys.guess.foreign == "ignore", keys.guess.overlong == "cut"
    if not (ignores or cuts):
        return alphabet
    return replace(alphabet, ignores_foreign=ignores, cuts_overlong=cuts)


def _alphabet_from(keys: GameKeys, document: Document, lists: Lists) -> Alphabet:
    secret, is_kept = keys.secret, keys.secret.accents == "keep"
    if (table := secret.table) is not None:
        rows = table if isinstance(table, list) else built_in_tables().get(table)
        if rows is None:
            rows = document.named_file("secret.table", str(table))
        with document.blaming("secret.table", GameFileError):
            return read_table(rows, secret.name)
    if secret.formula is not None:
        if secret.formula not in FORMULAS:
            raise unknown_name("formula", secret.formula, FORMULAS)
        return Alphabet(tuple(FORMULAS[secret.formula][0]))
    if secret.pairs is not None:
        if len(secret.pairs) != 2 or not all(secret.pairs):
            raise ValueError("expected two texts, such as [CSTXH, RGBYO]: shapes and colours")
        return _alphabet(list(map("".join, product(*map(graphemes, secret.pairs)))))
    if secret.language is not None:
        language = languages.find_language(secret.language)
        return languages.spoken_alphabet(language, secret.length, is_kept)
    if secret.alphabet is not None:
        language = languages.find_language(secret.alphabet, with_letters=True)
        return languages.alphabet_of_language(language, is_kept)
    if secret.symbols not in (None, "from words"):
        return _alphabet(secret.symbols or "")
    if secret.words is None:
        raise ValueError("the symbols are taken from words, but secret.words is missing")
    listed, latin = list[str](), default_alphabet(26)
    if secret.symbols is None and secret.words in words.BUILT_IN_LISTS:
        return latin
    for section in ("secret", "guess"):
        if getattr(keys, section).words in words.BUILT_IN_LISTS:
            listed += latin
        else:
            listed += [word for word, _ in lists.entries(section)]
    if secret.symbols is None and "".join(listed).isascii():
        return latin
    # A list with letters of A to Z may be guessed in all of them.
    if secret.symbols is None and re.search("[A-Za-z]", "".join(listed)):
        listed += latin
    return languages.alphabet_of_words(listed, secret.accents != "ignore")


def _with_digraphs(alphabet: Alphabet, keys: GameKeys) -> Alphabet:
    symbols = list(alphabet.symbols)
    for digraph in keys.secret.digraphs:
        letters = alphabet.spell(digraph)
        if letters is None or len(letters) < 2 or not (keys.secret.language or keys.secret.words):
            raise ValueError(f"{digraph!r} is not two letters of the words")
        # It comes after its first letter, and those before it that begin so.
        first = alphabet.symbols[letters[0]]
        place = max(n for n, symbol in enumerate(symbols) if symbol.startswith(first))
        symbols.insert(place + 1, alphabet.format(letters))
    if not keys.secret.digraphs:
        return alphabet
    return replace(alphabet, symbols=tuple(symbols), digraphs=True)


def _alphabet(symbols: str | list[str] | Mapping[str, str | list[str]]) -> Alphabet:
    names, aliases = tuple(symbols), dict[str, str]()
    if isinstance(symbols, str | list):
        names = tuple(_names_in(symbols))
    else:
        for symbol, others in symbols.items():
            for name in filter(None, [others] if isinstance(others, str) else others):
                if aliases.setdefault(name, symbol) != symbol:
                    raise ValueError(f"two symbols have the name {name!r}")
    if len(names) > MOST_SYMBOLS:
        raise ValueError(f"{len(names)} symbols are too many; at most {MOST_SYMBOLS}")
    return Alphabet(names, {alias: name for alias, name in aliases.items() if alias != name})


def _names_in(symbols: str | list[str]) -> Iterator[str]:
    """Yield the names of symbols in a text or a list, in which there may be ranges."""
    parts = symbols
    if isinstance(symbols, str):
        text = symbols.strip()
        if re.fullmatch(r"[1-9]\d?", text):
            problem = f"{text} alone may be a count or a symbol: write 1-{text}, or [{text}]"
            raise ValueError(problem)
        is_range = _RANGE.fullmatch(text)
        parts = [text] if is_range else list(filter(None, re.split(r"[\s,;|]+", text)))
        if len(parts) == 1 and not is_range:
            for first, last in split_ranges(graphemes(text)):
                yield from [first] if first == last else names_in_range(first, last)
            return
    for part in parts:
        match = _RANGE.fullmatch(part)
        if match and not (names := names_in_range(match[1], match[2])):
            raise ValueError(f"{part} is not a range; ranges are written 1-6, A-F or a-f")
        yield from names if match else [part]


# The codes.


def secrets_of(keys: GameKeys, document: Document, lists: Lists) -> CodeSpace:
    """Return all codes that may be hidden. Raises GameFileError."""
    secret, lengths, distinct = keys.secret, keys.secret.length, bool(keys.secret.distinct)
    alphabet = _alphabet_of(keys, document, lists)
    if isinstance(alphabet, NamedRows):
        return WordSpace(alphabet, dict.fromkeys(alphabet.codes, 1.0))
    if secret.words is not None or secret.language is not None:
        space = lists.space("secret", alphabet, lengths, distinct)
        if secret.without is not None:
            used = {alphabet.spell(word) for word, _ in lists.entries("secret", "without")}
            left = {code: weight for code, weight in space.weights.items() if code not in used}
            if not left:
                raise document.error("secret.without", "no word of the list is left")
            space = replace(space, weights=left)
        if lengths is not None or len(space.lengths) == 1:
            return space
        first, last = space.lengths[0], space.lengths[-1]
        problem = f"its words have {describe_lengths(space.lengths, 'letter')}; say how many"
        path = "secret.language" if secret.words is None else "secret.words"
        raise document.error(path, f"{problem} with secret.length: {first}, or {first}-{last}")
    if lengths is None:
        raise document.error("secret", "secret.length is missing")
    with document.blaming("secret.length", ValueError):
        if secret.formula is not None:
            return _of_formula(secret.formula, alphabet, lengths[0], distinct)
        return SymbolSpace(alphabet, lengths, distinct)


@lru_cache(maxsize=4)
def _of_formula(formula: str, alphabet: Alphabet, length: int, distinct: bool) -> WordSpace:
    """Return all codes of a length; the last four spaces are kept, because finding them is slow."""
    codes = filter(None, map(alphabet.spell, FORMULAS[formula][1](length)))
    kept = [code for code in codes if not distinct or len({*code}) == len(code)]
    if not kept:
        raise ValueError(f"all {formula} of {length} symbols repeat one")
    return replace(WordSpace.of(alphabet, kept), formula=formula)


def guesses_of(keys: GameKeys, secrets: CodeSpace, document: Document, lists: Lists) -> CodeSpace:
    """Return all codes that may be suggested as guesses. Raises GameFileError."""
    given, alphabet = keys.guess, secrets.alphabet
    for alias, symbol in given.also.items():
        number = alphabet.number(symbol)
        named = symbol if number is None else alphabet.symbols[number]
        with document.blaming(f"guess.also.{alias}", ValueError):
            alphabet = replace(alphabet, aliases={**alphabet.aliases, alias: named})
    lengths = given.length or secrets.lengths
    if lengths[-1] > secrets.lengths[-1]:
        longest = counted(secrets.lengths[-1], "symbol")
        raise document.error("guess.length", f"a guess has at most the secret's {longest}")
    distinct = bool(keys.secret.distinct if given.distinct is None else given.distinct)
    if given.words is not None:
        listed = lists.space("guess", alphabet, lengths, distinct)
        hidden = dict.fromkeys(secrets if secrets.listed else (), 1.0)
        if given.only_questions or hidden.keys() <= listed.weights.keys():
            return listed
        weights = hidden | dict(listed.weights)
        codes = sorted(weights, key=lambda code: (len(code), code))
        return WordSpace(alphabet, {code: weights[code] for code in codes}, listed.passed_over)
    if not secrets.listed:
        with document.blaming("guess.length", ValueError):
            return SymbolSpace(alphabet, lengths, distinct)
    if given.length is None and given.distinct is None:
        return WordSpace(alphabet, cast(WordSpace, secrets).weights)
    return lists.space("secret", alphabet, lengths, distinct)


# The channel.

_NAMED_RATES = {"learn": LEARNED, "easy": Rate(2 / 3, 3.0), "hard": Rate(1 / 3, 3.0)}
_RATE = re.compile(r"(?P<about>about\s+|~\s*)?(?P<number>\d*\.?\d+(?:e-\d+)?)\s*(?P<percent>%)?")
_RATE_OF = re.compile(r"([^\s=:,;]+)\s*[=:]\s*(.*?)[\s,;]*(?=[^\s=:,;]+\s*[=:]|$)")
"""A kind of marks and its rate, `white=about 0.13`, up to the next."""
REST = "rest"
"""The key under `reads:` for the rate of all kinds of marks that are not named there."""


def split_reads(text: str) -> str | dict[str, str]:
    """Convert `black=0.1,red=easy` to a dict; return a single rate as text. Raises ValueError."""
    if not re.search("[=:]", text):
        return text.strip()
    pairs = _RATE_OF.findall(text)
    rates = {key: rate for key, rate in pairs if rate}
    if len(rates) < len(pairs) or _RATE_OF.sub("", text).strip(" ,;"):
        raise ValueError(f"{text!r}: rates are written black=0.1,white=0.13, each kind once")
    return rates


def parse_rate(text: str) -> Rate:
    """Return the rate that a text writes: `0.1`, `10 %`, `about 0.1`, `easy`. Raises ValueError."""
    word = text.strip().casefold()
    if word in _NAMED_RATES:
        return _NAMED_RATES[word]
    match = _RATE.fullmatch(word)
    mean = float(match["number"]) / (100 if match["percent"] else 1) if match else -1.0
    if match is None or not 0 <= mean <= 1 or (match["about"] and mean in (0, 1)):
        expected = "a rate from 0 to 1 such as 0.1, 10 % or about 0.1, easy, hard, or learn"
        raise ValueError(f"expected {expected}, not {text!r}")
    return Rate(mean, 10.0) if match["about"] else Rate(mean)


def format_rate(rate: Rate) -> str:
    """Return the text of a rate; `parse_rate` reads it back."""
    number = "about " * rate.learned + f"{rate.mean:.10g}"
    return next((word for word, named in _NAMED_RATES.items() if rate == named), number)


def channel_of(keys: GameKeys, rule: Rule, document: Document) -> Channel:
    """Return the channel that `reads` and `lies` describe. Raises GameFileError.

    `reads` has the read rates of kinds by name, `rest` for all other kinds (without it, their marks
    are always read), and `misread`. A miss with neither mark nor rate gets the mean of those named.
    """
    lies, kinds, path = keys.lies or Lies(), rule.kinds, "reads"
    if keys.reads is None:
        return Channel(lies=lies)
    if not kinds:
        raise document.error(path, "the marks of this rule are always read")
    kind_of = {word.casefold(): n for n, words in enumerate(kinds) for word in reversed(words)}
    for mark, label in reversed(rule.notation.named_marks()):
        if label in kind_of:
            kind_of.setdefault(mark.casefold(), kind_of[label])
    named = {}
    given = {REST: keys.reads} if isinstance(keys.reads, str) else keys.reads
    for key, text in given.items():
        if (key, text) == (REST, "off"):
            continue
        below = path if isinstance(keys.reads, str) else f"{path}.{key}"
        kind = key if key in (REST, "misread") else kind_of.get(key.casefold())
        if kind is None:
            known = [*(label for _, label in kinds), REST, "misread"]
            raise document.error(below, str(unknown_name("kind of mark", key, known)))
        with document.blaming(below, ValueError):
            named[kind] = rate = parse_rate(text)
        if key == "misread" and (rate.learned or rate.mean == 1):
            problem = f"expected a chance below 1 such as 0.05 or 5 %, not {text!r}"
            raise document.error(below, problem)
    rest, misread = named.pop(REST, None), named.pop("misread", None)
    if rest is None and not named:
        return Channel(None, misread.mean if misread else 0.0, lies)
    rates = [named.get(kind, rest or Rate(1.0)) for kind in range(len(kinds))]
    if rest is None and len(kinds) - 1 not in named and not rule.notation.miss_has_mark:
        mean = sum(rate.mean for rate in named.values()) / len(named)
        # Where the named kinds are never read, misses are seen like all that is not named.
        if mean:
            rates[-1] = Rate(mean) if len({*named.values()}) > 1 else next(iter(named.values()))
    channel = Channel(tuple(rates), misread.mean if misread else MISREAD, lies)
    if channel.learned_kinds and keys.lies is not None:
        problem = "rates cannot be learned from rows that lie; write them as numbers"
        raise document.error(path, problem)
    return channel
