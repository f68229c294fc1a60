"""The keys `secret` and `guess` of a game file: the alphabet, the secrets and the guesses."""

import re
from functools import lru_cache
from typing import cast

from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Alphabet, default_alphabet
from puzzlehunt.codes.formulas import Formula, find_formula
from puzzlehunt.codes.graphemes import grapheme_count, one_spelling
from puzzlehunt.codes.languages import (
    Language,
    alphabet_of_language,
    alphabet_of_words,
    find_language,
)
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace, WordSpace, describe_lengths
from puzzlehunt.errors import UnknownNameError, WordListError, counted
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.files.schema import GameKeys, GuessKeys
from puzzlehunt.game.files.symbols import alphabet_of_halves, alphabet_of_symbols
from puzzlehunt.game.files.trusted_files import check_named

_SECRETS: KeyPath = ("secret", "words")
_GUESSES: KeyPath = ("guess", "words")
_OWN_LIST = "the list"
"""What words that stand in the file itself are called."""
_LENGTHS = re.compile(r"(\d{1,4})(?:\s*(?:-|to)\s*(\d{1,4}))?")
"""`5`, `0-5` or `0 to 5`."""


def alphabet_of(keys: GameKeys, document: Document) -> Alphabet:
    """Return the alphabet of the secrets, with all names of its symbols. Raises GameFileError."""
    _check_one_source(keys, document)
    secret = keys.secret
    if secret.formula is not None:
        return Alphabet(tuple(_formula(keys, document).symbols))
    if language := _language(keys, document):
        return alphabet_of_language(language)
    if _takes_letters_of_words(keys):
        return _alphabet_of_words(keys, document)
    if secret.pairs is None and secret.symbols is None:
        if secret.words is None:
            raise document.error(
                ("secret",) if "secret" in document.value else (),
                "a game needs secret.words, or secret.symbols and secret.length",
            )
        return default_alphabet(26)
    path: KeyPath = ("secret", "symbols" if secret.pairs is None else "pairs")
    try:
        if secret.pairs is not None:
            return alphabet_of_halves(secret.pairs)
        return alphabet_of_symbols(secret.symbols or "")
    except ValueError as error:
        raise document.error(path, str(error)) from None


def _check_one_source(keys: GameKeys, document: Document) -> None:
    """Raise GameFileError where two keys of `secret` both say which codes may be hidden.

    Only `words` and one of `symbols` and `alphabet` go together: words of these symbols.
    """
    given = [
        key
        for key in ("formula", "pairs", "alphabet", "symbols", "words")
        if getattr(keys.secret, key) is not None
    ]
    if len(given) > 1 and given not in (["alphabet", "words"], ["symbols", "words"]):
        first, second = given[:2]
        raise document.error(("secret", first), f"secret.{second} says it another way; drop one")


def _formula(keys: GameKeys, document: Document) -> Formula:
    try:
        return find_formula(keys.secret.formula or "")
    except UnknownNameError as error:
        raise document.error(("secret", "formula"), str(error)) from None


def _lengths(text: str | None, path: KeyPath, document: Document, least: int) -> range | None:
    """Return the lengths that `5` or `0-5` writes, None for no text. Raises GameFileError."""
    if text is None:
        return None
    match = _LENGTHS.fullmatch(text.strip())
    if not match:
        raise document.error(path, f"expected a length such as 5, or 0-5, not {text!r}")
    low, high = int(match[1]), int(match[2] or match[1])
    if not least <= low <= high <= MOST_SYMBOLS:
        raise document.error(path, f"expected lengths from {least} to {MOST_SYMBOLS}, not {text!r}")
    return range(low, high + 1)


def _language(keys: GameKeys, document: Document) -> Language | None:
    """Return the language that `secret.alphabet` names, None without it. Raises GameFileError."""
    if keys.secret.alphabet is None:
        return None
    try:
        return find_language(keys.secret.alphabet)
    except UnknownNameError as error:
        raise document.error(("secret", "alphabet"), str(error)) from None


def _takes_letters_of_words(keys: GameKeys) -> bool:
    """Return whether the symbols are those of the words: `symbols: from words`."""
    symbols = keys.secret.symbols
    return isinstance(symbols, str) and symbols.casefold().split() == ["from", "words"]


def _alphabet_of_words(keys: GameKeys, document: Document) -> Alphabet:
    """Return the alphabet of the letters in all words that may be hidden or guessed."""
    if keys.secret.words is None:
        problem = "the symbols are taken from words, but secret.words is missing"
        raise document.error(("secret", "symbols"), problem)
    listed: list[str] = []
    for path, key in ((_SECRETS, keys.secret.words), (_GUESSES, keys.guess.words)):
        if key is not None:
            listed += _listed(key, path, document)
    lengths = _lengths(keys.secret.length, ("secret", "length"), document, 1)
    if lengths is not None:
        listed = [word for word in listed if grapheme_count(one_spelling(word)) <= lengths[-1]]
    try:
        return alphabet_of_words(listed)
    except ValueError as error:
        raise document.error(("secret", "symbols"), str(error)) from None


def _listed(words_key: str | list[str], path: KeyPath, document: Document) -> words.Words:
    """Return the words of a key `words`: a list's name, a file, or the words themselves.

    `path` is where the key stands: errors name it, and relative paths count from its file. Raises
    GameFileError.
    """
    try:
        if not isinstance(words_key, str):
            return words.parse_entries(words_key, _OWN_LIST)
        if words_key not in words.built_in_lists():
            check_named(document, path, words_key)
        return words.read(words.find(words_key, document.folder(path)))
    except WordListError as error:
        raise document.error(path, str(error)) from None


def _words(
    words_key: str | list[str],
    alphabet: Alphabet,
    lengths: range | None,
    distinct: bool,
    path: KeyPath,
    keys: GameKeys,
    document: Document,
) -> WordSpace:
    """Return the words of a key `words` that the game can use. Raises what `_listed` raises."""
    language = _language(keys, document)
    try:
        if isinstance(words_key, str) and words_key in words.built_in_lists():
            return words.built_in_space(words_key, alphabet, lengths, distinct)
        listed = _listed(words_key, path, document)
        if language is not None:
            listed = listed.respelt(language.spelt)
        name = words_key if isinstance(words_key, str) else _OWN_LIST
        return words.space(listed, alphabet, lengths, distinct, name)
    except WordListError as error:
        raise document.error(path, str(error)) from None


def secrets_of(keys: GameKeys, alphabet: Alphabet, document: Document) -> CodeSpace:
    """Return all codes that may be hidden. Raises GameFileError."""
    lengths = _lengths(keys.secret.length, ("secret", "length"), document, 1)
    if lengths is not None and len(lengths) != 1:
        raise document.error(("secret", "length"), "a secret has one length")
    distinct = bool(keys.secret.distinct)
    if keys.secret.words is not None:
        path = _SECRETS
        space = _words(keys.secret.words, alphabet, lengths, distinct, path, keys, document)
        if len(space.lengths) != 1:
            example = 5 if 5 in space.lengths else space.lengths[0]
            raise document.error(
                path,
                f"its words have {describe_lengths(space.lengths, 'letter')}; say how many with "
                f"secret.length, as in length: {example}",
            )
        return space
    if lengths is None:
        raise document.error(("secret",), "secret.length is missing")
    if keys.secret.formula is not None:
        return _formula_secrets(keys, alphabet, lengths[0], document)
    try:
        return SymbolSpace(alphabet, lengths, distinct)
    except ValueError as error:
        raise document.error(("secret", "length"), str(error)) from None


def _formula_secrets(
    keys: GameKeys, alphabet: Alphabet, length: int, document: Document
) -> WordSpace:
    """Return all codes of a length that the formula admits. Raises GameFileError."""
    for key in ("words", "length", "distinct"):
        if getattr(keys.guess, key) is not None:
            raise document.error(
                ("guess", key), "guesses follow the secret's formula; leave it out"
            )
    try:
        secrets = _of_formula(_formula(keys, document), alphabet, length)
    except ValueError as error:
        raise document.error(("secret", "length"), str(error)) from None
    if not keys.secret.distinct:
        return secrets
    distinct = [code for code in secrets if len({*code}) == length]
    if not distinct:
        raise document.error(("secret", "distinct"), f"all of {length} symbols repeat one")
    return WordSpace.of(alphabet, distinct)


@lru_cache(maxsize=4)
def _of_formula(formula: Formula, alphabet: Alphabet, length: int) -> WordSpace:
    """Return all codes of a length; the last four spaces are kept, because finding them is slow.

    Raises ValueError for a length that has none or too many.
    """
    return WordSpace.of(alphabet, map(tuple, alphabet.spell_all(formula.secrets(length), length)))


def guesses_of(keys: GameKeys, secrets: CodeSpace, document: Document) -> CodeSpace:
    """Return all codes that may be suggested as guesses. Raises GameFileError."""
    guess_keys = keys.guess
    for key in ("symbols", "alphabet", "pairs", "formula"):
        if getattr(guess_keys, key) is not None:
            raise document.error(
                ("guess", key), "guesses are written with the secret's symbols; leave it out"
            )
    alphabet = _guess_alphabet(guess_keys, secrets.alphabet, document)
    lengths = _lengths(guess_keys.length, ("guess", "length"), document, 0) or secrets.lengths
    if lengths[-1] > secrets.lengths[-1]:
        longest = secrets.lengths[-1]
        raise document.error(
            ("guess", "length"), f"a guess has at most the secret's {counted(longest, 'symbol')}"
        )
    distinct = bool(keys.secret.distinct if guess_keys.distinct is None else guess_keys.distinct)
    if guess_keys.words is not None:
        listed = _words(guess_keys.words, alphabet, lengths, distinct, _GUESSES, keys, document)
        secret_weights = dict.fromkeys(secrets, 1.0) if secrets.listed else {}
        if secret_weights.keys() <= listed.weights.keys():
            return listed
        weights = secret_weights | dict(listed.weights)
        codes = sorted(weights, key=lambda code: (len(code), code))
        return WordSpace(alphabet, {code: weights[code] for code in codes}, listed.passed_over)
    if secrets.listed:
        if guess_keys.length is None and guess_keys.distinct is None:
            return WordSpace(alphabet, cast(WordSpace, secrets).weights)
        return _words(
            keys.secret.words or [], alphabet, lengths, distinct, _SECRETS, keys, document
        )
    try:
        return SymbolSpace(alphabet, lengths, distinct)
    except ValueError as error:
        raise document.error(("guess", "length"), str(error)) from None


def _guess_alphabet(guess_keys: GuessKeys, alphabet: Alphabet, document: Document) -> Alphabet:
    """Return the secrets' alphabet with the names of `also`: by `{H: B}`, B may be typed as H."""
    if not guess_keys.also:
        return alphabet
    for alias, symbol in guess_keys.also.items():
        if alphabet.number(symbol) is None:
            raise document.error(("guess", "also", alias), f"{symbol!r} is no symbol of this game")
    aliases = {
        alias: alphabet.symbols[alphabet.number(symbol) or 0]
        for alias, symbol in guess_keys.also.items()
    }
    try:
        return Alphabet(alphabet.symbols, dict(alphabet.aliases) | aliases)
    except ValueError as error:
        raise document.error(("guess", "also"), str(error)) from None
