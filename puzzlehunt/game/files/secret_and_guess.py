"""The keys `secret` and `guess` of a game file: the alphabet, the secrets and the guesses.

A number alone for symbols, and one name for two of them, are refused.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
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

_SOURCES = ("table", "formula", "pairs", "language", "alphabet", "symbols", "words")
"""Keys of `secret` each of which says which codes may be hidden."""
_OWN_LIST = "the list"
"""Name, in messages, of a word list written in the game file itself."""
_LENGTHS = re.compile(r"(\d{1,4})(?:\s*(?:-|to)\s*(\d{1,4}))?")
"""`5`, `0-5` or `0 to 5`."""
_RANGE = re.compile(r"(\w+)(?:\s*(?:-|–|\.\.\.?)\s*|\s+to\s+)(\w+)")  # noqa: RUF001 (a dash)
"""`1-6`, `A-F`, `A..F` or `1 to 6`."""


def space_refusals(
    keys: GameKeys, secrets: CodeSpace, guesses: CodeSpace
) -> Iterator[tuple[object, str, str]]:
    """Yield what `secret` and `guess` cannot be, as `gamefile._refusals` does of a whole game."""
    secret, asked = keys.secret, keys.guess.only_questions
    is_nameless = secret.name is not None and secret.table is None
    yield is_nameless, "secret.name", "it names a column of secret.table; give both"
    is_wordless = secret.accents and not (secret.language or secret.alphabet or secret.words)
    problem = "it is for words; give secret.language, secret.alphabet or secret.words"
    yield is_wordless, "secret.accents", problem
    is_odd = asked and (keys.boards or keys.hard or keys.play.pool != "all")
    problem = "questions go with no boards, hard or play.pool; leave one out"
    yield is_odd, "guess.only_questions", problem
    few, many = (guesses, secrets) if guesses.listed else (secrets, guesses)
    both = next((code for code in few if code in many), None) if asked and few.listed else None
    if asked and not few.listed and secrets.lengths[0] in guesses.lengths:
        both = next(iter(secrets))
    problem = f"{secrets.alphabet.format(both or ())} may be guessed, and may be the secret"
    yield both is not None, "guess.only_questions", problem


# The alphabet.


def alphabet_of(keys: GameKeys, document: Document) -> Alphabet:
    """Return the alphabet of the secrets, with all names of its symbols. Raises GameFileError."""
    given = [key for key in _SOURCES if getattr(keys.secret, key) is not None]
    if not given:
        path: KeyPath = ("secret",) if "secret" in document.value else ()
        raise document.error(path, "a game needs secret.words, or secret.symbols and secret.length")
    if given[1:] and given not in (["alphabet", "words"], ["symbols", "words"]):
        problem = f"secret.{given[1]} says it another way; drop one"
        raise document.error(("secret", given[0]), problem)
    with document.blaming(("secret", given[0]), ValueError, UnknownNameError):
        alphabet = _alphabet_from(given[0], keys, document)
    with document.blaming(("secret", "digraphs"), ValueError):
        return _with_digraphs(alphabet, keys)


def _alphabet_from(source: str, keys: GameKeys, document: Document) -> Alphabet:
    """Return the alphabet that a key of `secret` says. Raises ValueError, UnknownNameError."""
    secret, is_kept = keys.secret, keys.secret.accents == "keep"
    if secret.table is not None:
        return _rows(keys, document)
    if secret.formula is not None:
        if secret.formula not in FORMULAS:
            raise unknown_name("formula", secret.formula, FORMULAS)
        return Alphabet(tuple(FORMULAS[secret.formula][0]))
    if secret.pairs is not None:
        if len(secret.pairs) != 2 or not all(secret.pairs):
            raise ValueError("expected two texts, such as [CSTXH, RGBYO]: shapes and colours")
        return _alphabet(list(map("".join, product(*map(graphemes, secret.pairs)))))
    if secret.language is not None:
        lengths = _lengths(secret.length, ("secret", "length"), document, 1)
        return spoken_alphabet(find_language(secret.language), lengths, is_kept)
    if secret.alphabet is not None:
        return alphabet_of_language(find_language(secret.alphabet, with_letters=True), is_kept)
    if secret.symbols is not None and str(secret.symbols).casefold().split() != ["from", "words"]:
        return _alphabet(secret.symbols)
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


def _with_digraphs(alphabet: Alphabet, keys: GameKeys) -> Alphabet:
    """Return an alphabet with pairs of letters as letters, too. Raises ValueError."""
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


def _rows(keys: GameKeys, document: Document) -> NamedRows:
    """Return the rows of `secret.table`. Raises GameFileError."""
    table, name, path = keys.secret.table, keys.secret.name, ("secret", "table")
    for key in ("length", "distinct"):
        if getattr(keys.secret, key) is not None:
            raise document.error(("secret", key), "the rows of a table have none; leave it out")
    if isinstance(keys.rule, str) or "columns" not in keys.rule:
        problem = "a table needs rule: {name: columns, columns: {...}}, a kind for each column"
        raise document.error(path, problem)
    file = Path()
    if isinstance(table, str):
        file = built_in_tables().get(table) or document.named_file(path, table)
    with document.blaming(path, GameFileError):
        if isinstance(table, str):
            return read_table(file, name)
        return listed_table(table or [], name)


def _alphabet(symbols: str | list[str] | Mapping[str, str | list[str]]) -> Alphabet:
    """Return the alphabet of the value of `secret.symbols`. Raises ValueError."""
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


# Lists of words.


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


def _listed(words_key: str | list[str], path: KeyPath, document: Document) -> list[words.Entry]:
    with document.blaming(path, WordListError):
        if not isinstance(words_key, str):
            return [words.parse_entry(entry, _OWN_LIST) for entry in words_key]
        if words_key in words.built_in_lists():
            return [*words.built_in(words_key)]
        document.named_file(path, words_key)
        return words.read(words.find(words_key, document.origin(path).folder))


def _all_words(keys: GameKeys, document: Document) -> list[str]:
    """Return the words of the secrets' and the guesses' lists, no longer than secrets."""
    listed: list[str] = []
    for section, key in (("secret", keys.secret.words), ("guess", keys.guess.words)):
        if key is not None:
            listed += [word for word, _ in _listed(key, (section, "words"), document)]
    lengths = _lengths(keys.secret.length, ("secret", "length"), document, 1)
    if lengths is not None and not keys.secret.digraphs:
        listed = [word for word in listed if grapheme_count(one_spelling(word)) <= lengths[-1]]
    return listed


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


# The codes.


def secrets_of(keys: GameKeys, alphabet: Alphabet, document: Document) -> CodeSpace:
    """Return all codes that may be hidden. Raises GameFileError."""
    if isinstance(alphabet, NamedRows):
        return WordSpace(alphabet, dict.fromkeys(alphabet.codes, 1.0))
    path = ("secret", "length")
    lengths = _lengths(keys.secret.length, path, document, 1)
    if lengths is not None and len(lengths) != 1:
        raise document.error(path, "a secret has one length")
    distinct = bool(keys.secret.distinct)
    if keys.secret.words is not None or keys.secret.language is not None:
        return _spoken(keys, alphabet, lengths, distinct, document)
    if lengths is None:
        raise document.error(("secret",), "secret.length is missing")
    with document.blaming(path, ValueError):
        if keys.secret.formula is None:
            return SymbolSpace(alphabet, lengths, distinct)
        secrets = _of_formula(keys.secret.formula, alphabet, lengths[0])
    if not distinct:
        return secrets
    some = [code for code in secrets if len({*code}) == len(code)]
    if not some:
        raise document.error(("secret", "distinct"), f"all of {lengths[0]} symbols repeat one")
    return WordSpace.of(alphabet, some)


def _spoken(
    keys: GameKeys, alphabet: Alphabet, lengths: range | None, distinct: bool, document: Document
) -> WordSpace:
    """Return the words that may be hidden, all of one length."""
    path = ("secret", "language" if keys.secret.words is None else "words")
    if keys.secret.words is not None:
        space = _words(keys.secret.words, alphabet, lengths, distinct, path, document)
    else:
        language = find_language(keys.secret.language or "")
        with document.blaming(path, WordListError):
            space = language_space(language, alphabet, lengths, distinct)
    if len(space.lengths) == 1 or lengths:
        return space
    example = 5 if 5 in space.lengths else space.lengths[0]
    problem = f"its words have {describe_lengths(space.lengths, 'letter')}; say how many"
    raise document.error(path, f"{problem} with secret.length, as in length: {example}")


@lru_cache(maxsize=4)
def _of_formula(formula: str, alphabet: Alphabet, length: int) -> WordSpace:
    """Return all codes of a length; the last four spaces are kept, because finding them is slow."""
    _, secrets = FORMULAS[formula]
    return WordSpace.of(alphabet, filter(None, map(alphabet.spell, secrets(length))))


def guesses_of(keys: GameKeys, secrets: CodeSpace, document: Document) -> CodeSpace:
    """Return all codes that may be suggested as guesses. Raises GameFileError."""
    given, path, is_table = keys.guess, ("guess", "length"), secrets.alphabet.names_codes
    follow = "are the table's rows" if is_table else "follow the secret's formula"
    also = ("also", "foreign", "overlong") if is_table else ()
    for key in ("words", "length", "distinct", *also) if is_table or keys.secret.formula else ():
        if getattr(given, key) != getattr(GuessKeys(), key):
            raise document.error(("guess", key), f"guesses {follow}; leave it out")
    if is_table:
        return secrets
    alphabet = _guess_alphabet(given.also, secrets.alphabet, document)
    lengths = _lengths(given.length, path, document, 0) or secrets.lengths
    if lengths[-1] > secrets.lengths[-1]:
        longest = counted(secrets.lengths[-1], "symbol")
        raise document.error(path, f"a guess has at most the secret's {longest}")
    distinct = bool(keys.secret.distinct if given.distinct is None else given.distinct)
    if given.words is not None:
        listed = _words(given.words, alphabet, lengths, distinct, ("guess", "words"), document)
        hidden = dict.fromkeys(secrets if secrets.listed else (), 1.0)
        if given.only_questions or hidden.keys() <= listed.weights.keys():
            return listed
        weights = hidden | dict(listed.weights)
        codes = sorted(weights, key=lambda code: (len(code), code))
        return WordSpace(alphabet, {code: weights[code] for code in codes}, listed.passed_over)
    if not secrets.listed:
        with document.blaming(path, ValueError):
            return SymbolSpace(alphabet, lengths, distinct)
    if given.length is None and given.distinct is None:
        return WordSpace(alphabet, cast(WordSpace, secrets).weights)
    return _spoken(keys, alphabet, lengths, distinct, document)


def _guess_alphabet(also: Mapping[str, str], alphabet: Alphabet, document: Document) -> Alphabet:
    aliases = dict(alphabet.aliases)
    for alias, symbol in also.items():
        number = alphabet.number(symbol)
        if number is None:
            problem = f"{symbol!r} is not a symbol of this game"
            raise document.error(("guess", "also", alias), problem)
        aliases[alias] = alphabet.symbols[number]
    with document.blaming(("guess", "also"), ValueError):
        return replace(alphabet, aliases=aliases) if also else alphabet
