"""The keys `secret` and `guess` of a game file: the alphabet, the secrets and the guesses.

A number alone for symbols, and one name for two of them, are refused.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import cast

from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import (
    MOST_SYMBOLS,
    Alphabet,
    default_alphabet,
    names_in_range,
    split_ranges,
)
from puzzlehunt.codes.formulas import FORMULAS
from puzzlehunt.codes.graphemes import grapheme_count, graphemes, one_spelling
from puzzlehunt.codes.languages import (
    alphabet_of_language,
    alphabet_of_words,
    find_language,
    language_space,
    spoken_alphabet,
)
from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace, WordSpace, describe_lengths
from puzzlehunt.errors import GameFileError, UnknownNameError, WordListError, counted, unknown_name
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.files.schema import GameKeys, GuessKeys
from puzzlehunt.game.files.table_files import built_in_tables, listed_table, read_table
from puzzlehunt.game.files.trusted_files import check_named

_SECRETS: KeyPath = ("secret", "words")
_GUESSES: KeyPath = ("guess", "words")
_SOURCES = ("table", "formula", "pairs", "language", "alphabet", "symbols", "words")
"""Keys of `secret` each of which says which codes may be hidden."""
_OWN_LIST = "the list"
"""Name, in messages, of a word list written in the game file itself."""
_LENGTHS = re.compile(r"(\d{1,4})(?:\s*(?:-|to)\s*(\d{1,4}))?")
"""`5`, `0-5` or `0 to 5`."""
_RANGE = re.compile(r"(\w+)(?:\s*(?:-|–|\.\.\.?)\s*|\s+to\s+)(\w+)")  # noqa: RUF001 (a dash)
"""`1-6`, `A-F`, `A..F` or `1 to 6`."""
_SEPARATOR = re.compile(r"[\s,;|]+")
"""Separators between symbols; no symbol contains one."""
_NO_NAMES: Mapping[str, str] = {}
_NUMBER_ALONE = re.compile(r"[1-9]\d?")
"""`8` or `12`: refused, since it may be a count of symbols or the digits themselves."""


def alphabet_of(keys: GameKeys, document: Document) -> Alphabet:
    """Return the alphabet of the secrets, with all names of its symbols. Raises GameFileError."""
    secret = keys.secret
    given = [key for key in _SOURCES if getattr(secret, key) is not None]
    if not given:
        path: KeyPath = ("secret",) if "secret" in document.value else ()
        raise document.error(path, "a game needs secret.words, or secret.symbols and secret.length")
    if given[1:] and given not in (["alphabet", "words"], ["symbols", "words"]):
        problem = f"secret.{given[1]} says it another way; drop one"
        raise document.error(("secret", given[0]), problem)
    if secret.table is not None:
        return _rows(keys, document)
    if secret.name is not None:
        raise document.error(("secret", "name"), "it names a column of secret.table; give both")
    if secret.accents and {*given}.isdisjoint(("language", "alphabet", "words")):
        problem = "it is for words; give secret.language, secret.alphabet or secret.words"
        raise document.error(("secret", "accents"), problem)
    with document.blaming(("secret", given[0]), ValueError, UnknownNameError):
        alphabet = _alphabet_from(given[0], keys, document)
    with document.blaming(("secret", "digraphs"), ValueError):
        return _with_digraphs(alphabet, secret.digraphs, bool(secret.language or secret.words))


def _alphabet_from(source: str, keys: GameKeys, document: Document) -> Alphabet:
    """Return the alphabet that a key of `secret` says. Raises ValueError, UnknownNameError."""
    secret, is_kept = keys.secret, keys.secret.accents == "keep"
    if secret.formula is not None:
        if secret.formula not in FORMULAS:
            raise unknown_name("formula", secret.formula, FORMULAS)
        return Alphabet(tuple(FORMULAS[secret.formula][0]))
    if secret.pairs is not None:
        return alphabet_of_halves(secret.pairs)
    if secret.language is not None:
        lengths = _lengths(secret.length, ("secret", "length"), document, 1)
        return spoken_alphabet(find_language(secret.language), lengths, is_kept)
    if secret.alphabet is not None:
        return alphabet_of_language(find_language(secret.alphabet, with_letters=True), is_kept)
    if secret.symbols is not None and str(secret.symbols).casefold().split() != ["from", "words"]:
        return alphabet_of_symbols(secret.symbols)
    if secret.words is None:
        raise ValueError("the symbols are taken from words, but secret.words is missing")
    latin = default_alphabet(26)
    if source == "words" and secret.words in words.built_in_lists():
        return latin
    listed = _all_words(keys, document)
    if source == "words" and (text := "".join(listed)).isascii():
        return latin
    # A list with letters of A to Z may be guessed in all of them.
    also = latin if source == "words" and re.search("[A-Za-z]", text) else ()
    return alphabet_of_words([*listed, *also], secret.accents != "ignore")


def _with_digraphs(alphabet: Alphabet, digraphs: list[str], has_words: bool) -> Alphabet:
    """Return an alphabet with pairs of letters as letters, too. Raises ValueError."""
    symbols = list(alphabet.symbols)
    for digraph in digraphs:
        letters = alphabet.spell(digraph)
        if letters is None or len(letters) < 2 or not has_words:
            raise ValueError(f"{digraph!r} is not two letters of the words")
        # It comes after its first letter, and those before it that begin so.
        first = alphabet.symbols[letters[0]]
        place = max(n for n, symbol in enumerate(symbols) if symbol.startswith(first))
        symbols.insert(place + 1, alphabet.format(letters))
    return replace(alphabet, symbols=tuple(symbols), digraphs=True) if digraphs else alphabet


def _rows(keys: GameKeys, document: Document) -> NamedRows:
    """Return the rows of `secret.table`. Raises GameFileError."""
    table, name, path = keys.secret.table, keys.secret.name, ("secret", "table")
    for key in ("length", "distinct"):
        if getattr(keys.secret, key) is not None:
            raise document.error(("secret", key), "the rows of a table have none; leave it out")
    if keys.rule == "pegs" or (isinstance(keys.rule, dict) and "columns" not in keys.rule):
        problem = "a table needs rule: {name: columns, columns: {...}}, a kind for each column"
        raise document.error(path, problem)
    with document.blaming(path, GameFileError):
        if not isinstance(table, str):
            return listed_table(table or [], name)
    file = built_in_tables().get(table) or check_named(document, path, table)
    with document.blaming(path, GameFileError):
        return read_table(file, name)


def _lengths(text: str | None, path: KeyPath, document: Document, least: int) -> range | None:
    if text is None:
        return None
    match = _LENGTHS.fullmatch(text.strip())
    if not match:
        raise document.error(path, f"expected a length such as 5, or 0-5, not {text!r}")
    low, high = int(match[1]), int(match[2] or match[1])
    if not least <= low <= high <= MOST_SYMBOLS:
        raise document.error(path, f"expected lengths from {least} to {MOST_SYMBOLS}, not {text!r}")
    return range(low, high + 1)


def _all_words(keys: GameKeys, document: Document) -> list[str]:
    """Return the words of the secrets' and the guesses' lists, no longer than secrets."""
    listed: list[str] = []
    for path, key in ((_SECRETS, keys.secret.words), (_GUESSES, keys.guess.words)):
        if key is not None:
            listed += [word for word, _ in _listed(key, path, document)]
    lengths = _lengths(keys.secret.length, ("secret", "length"), document, 1)
    if lengths is not None and not keys.secret.digraphs:
        listed = [word for word in listed if grapheme_count(one_spelling(word)) <= lengths[-1]]
    return listed


def _listed(words_key: str | list[str], path: KeyPath, document: Document) -> list[words.Entry]:
    with document.blaming(path, WordListError):
        if not isinstance(words_key, str):
            return [words.parse_entry(entry, _OWN_LIST) for entry in words_key]
        if words_key in words.built_in_lists():
            return [*words.built_in(words_key)]
        check_named(document, path, words_key)
        return words.read(words.find(words_key, document.folder(path)))


def _words(
    words_key: str | list[str],
    alphabet: Alphabet,
    lengths: range | None,
    distinct: bool,
    path: KeyPath,
    document: Document,
) -> WordSpace:
    with document.blaming(path, WordListError):
        if isinstance(words_key, str) and words_key in words.built_in_lists():
            return words.built_in_space(words_key, alphabet, lengths, distinct)
        listed = _listed(words_key, path, document)
        name = words_key if isinstance(words_key, str) else _OWN_LIST
        return words.space(listed, alphabet, lengths, distinct, name)


def secrets_of(keys: GameKeys, alphabet: Alphabet, document: Document) -> CodeSpace:
    """Return all codes that may be hidden. Raises GameFileError."""
    if isinstance(alphabet, NamedRows):
        return WordSpace(alphabet, dict.fromkeys(alphabet.codes, 1.0))
    lengths = _lengths(keys.secret.length, ("secret", "length"), document, 1)
    if lengths is not None and len(lengths) != 1:
        raise document.error(("secret", "length"), "a secret has one length")
    distinct = bool(keys.secret.distinct)
    if keys.secret.words is not None:
        words_key = keys.secret.words
        space = _words(words_key, alphabet, lengths, distinct, _SECRETS, document)
        return _of_one_length(space, _SECRETS, document)
    if keys.secret.language is not None:
        space = _of_language(alphabet, lengths, distinct, keys.secret.language, document)
        return _of_one_length(space, ("secret", "language"), document)
    if lengths is None:
        raise document.error(("secret",), "secret.length is missing")
    if keys.secret.formula is None:
        return _symbols(alphabet, lengths, distinct, ("secret", "length"), document)
    _refuse_keys(
        keys.guess, ("words", "length", "distinct"), "follow the secret's formula", document
    )
    with document.blaming(("secret", "length"), ValueError):
        secrets = _of_formula(keys.secret.formula, alphabet, lengths[0])
    if not distinct:
        return secrets
    some = [code for code in secrets if len({*code}) == len(code)]
    if not some:
        raise document.error(("secret", "distinct"), f"all of {lengths[0]} symbols repeat one")
    return WordSpace.of(alphabet, some)


def _of_one_length(space: WordSpace, path: KeyPath, document: Document) -> WordSpace:
    if len(space.lengths) != 1:
        example = 5 if 5 in space.lengths else space.lengths[0]
        problem = f"its words have {describe_lengths(space.lengths, 'letter')}; say how many"
        raise document.error(path, f"{problem} with secret.length, as in length: {example}")
    return space


def _of_language(
    alphabet: Alphabet, lengths: range | None, distinct: bool, name: str, document: Document
) -> WordSpace:
    with document.blaming(("secret", "language"), WordListError):
        return language_space(find_language(name), alphabet, lengths, distinct)


def _symbols(
    alphabet: Alphabet, lengths: range, distinct: bool, path: KeyPath, document: Document
) -> SymbolSpace:
    with document.blaming(path, ValueError):
        return SymbolSpace(alphabet, lengths, distinct)


def _refuse_keys(
    given: GuessKeys, refused: Iterable[str], problem: str, document: Document
) -> None:
    for key in refused:
        if getattr(given, key) is not None:
            raise document.error(("guess", key), f"guesses {problem}; leave it out")


@lru_cache(maxsize=4)
def _of_formula(formula: str, alphabet: Alphabet, length: int) -> WordSpace:
    """Return all codes of a length; the last four spaces are kept, because finding them is slow."""
    _, secrets = FORMULAS[formula]
    return WordSpace.of(alphabet, filter(None, map(alphabet.spell, secrets(length))))


def guesses_of(keys: GameKeys, secrets: CodeSpace, document: Document) -> CodeSpace:
    """Return all codes that may be suggested as guesses. Raises GameFileError."""
    guess_keys = keys.guess
    if isinstance(secrets.alphabet, NamedRows):
        refused = ("words", "length", "distinct")
        _refuse_keys(guess_keys, refused, "are the table's rows", document)
        if guess_keys.also or "refuse" not in (guess_keys.foreign, guess_keys.overlong):
            raise document.error(("guess",), "guesses are the table's rows; leave it out")
        return secrets
    alphabet = _guess_alphabet(guess_keys, secrets.alphabet, document)
    lengths = _lengths(guess_keys.length, ("guess", "length"), document, 0) or secrets.lengths
    if lengths[-1] > secrets.lengths[-1]:
        longest = secrets.lengths[-1]
        raise document.error(
            ("guess", "length"), f"a guess has at most the secret's {counted(longest, 'symbol')}"
        )
    distinct = bool(keys.secret.distinct if guess_keys.distinct is None else guess_keys.distinct)
    if guess_keys.words is not None:
        listed = _words(guess_keys.words, alphabet, lengths, distinct, _GUESSES, document)
        if guess_keys.only_questions:
            return listed
        secret_weights = dict.fromkeys(secrets, 1.0) if secrets.listed else {}
        if secret_weights.keys() <= listed.weights.keys():
            return listed
        weights = secret_weights | dict(listed.weights)
        codes = sorted(weights, key=lambda code: (len(code), code))
        return WordSpace(alphabet, {code: weights[code] for code in codes}, listed.passed_over)
    if not secrets.listed:
        return _symbols(alphabet, lengths, distinct, ("guess", "length"), document)
    if guess_keys.length is None and guess_keys.distinct is None:
        return WordSpace(alphabet, cast(WordSpace, secrets).weights)
    if keys.secret.language is not None:
        return _of_language(alphabet, lengths, distinct, keys.secret.language, document)
    return _words(keys.secret.words or [], alphabet, lengths, distinct, _SECRETS, document)


def _guess_alphabet(guess_keys: GuessKeys, alphabet: Alphabet, document: Document) -> Alphabet:
    aliases = dict(alphabet.aliases)
    for alias, symbol in guess_keys.also.items():
        number = alphabet.number(symbol)
        if number is None:
            problem = f"{symbol!r} is not a symbol of this game"
            raise document.error(("guess", "also", alias), problem)
        aliases[alias] = alphabet.symbols[number]
    with document.blaming(("guess", "also"), ValueError):
        return replace(alphabet, aliases=aliases) if guess_keys.also else alphabet


# Symbols.


def alphabet_of_symbols(symbols: str | list[str] | Mapping[str, str | list[str]]) -> Alphabet:
    """Return the alphabet of the value of `secret.symbols`. Raises ValueError."""
    if not isinstance(symbols, Mapping):
        return _alphabet(
            _names_in_text(symbols) if isinstance(symbols, str) else _names_of(symbols)
        )
    aliases: dict[str, str] = {}
    for symbol, names in symbols.items():
        for name in filter(None, [names] if isinstance(names, str) else names):
            if aliases.setdefault(name, symbol) != symbol:
                raise ValueError(f"two symbols have the name {name!r}")
    return _alphabet(symbols, {alias: name for alias, name in aliases.items() if alias != name})


def alphabet_of_halves(halves: list[str]) -> Alphabet:
    """Return the alphabet of `secret.pairs`, two texts. Raises ValueError for anything else."""
    if len(halves) != 2 or not all(halves):
        raise ValueError("expected two texts, such as [CSTXH, RGBYO]: shapes and colours")
    return _alphabet(map("".join, product(*map(graphemes, halves))))


def _alphabet(names: Iterable[str], aliases: Mapping[str, str] = _NO_NAMES) -> Alphabet:
    symbols = tuple(names)
    if len(symbols) > MOST_SYMBOLS:
        raise ValueError(f"{len(symbols)} symbols are too many; at most {MOST_SYMBOLS}")
    return Alphabet(symbols, aliases)


# Names of symbols in a text or a list.


def _names_in_text(text: str) -> Iterator[str]:
    text = text.strip()
    if _NUMBER_ALONE.fullmatch(text):
        raise ValueError(f"{text} alone may be a count or a symbol: write 1-{text}, or [{text}]")
    parts = [text] if _RANGE.fullmatch(text) else list(filter(None, _SEPARATOR.split(text)))
    if len(parts) > 1 or (parts and _RANGE.fullmatch(parts[0])):
        yield from _names_of(parts)
    else:
        for first, last in split_ranges(graphemes(text)):
            yield from [first] if first == last else names_in_range(first, last)


def _names_of(parts: Iterable[str]) -> Iterator[str]:
    for part in parts:
        match = _RANGE.fullmatch(part)
        if match and not (names := names_in_range(match[1], match[2])):
            raise ValueError(f"{part} is not a range; ranges are written 1-6, A-F or a-f")
        yield from names if match else [part]
