"""The keys `secret` and `guess` of a game file: the codes that are hidden, and may be guessed."""

import re

from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import MOST_SYMBOLS, Alphabet, default_alphabet
from puzzlehunt.codes.formulas import Formula, find_formula
from puzzlehunt.codes.spaces import CodeSpace, SymbolSpace, WordSpace
from puzzlehunt.errors import UnknownNameError, WordListError
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.files.schema import GameKeys, GuessKeys

_LENGTHS = re.compile(r"(\d{1,4})(?:\s*(?:-|to)\s*(\d{1,4}))?")


def alphabet_of(keys: GameKeys, document: Document) -> Alphabet:
    """Return the symbols of secrets, with other names for them. Raises GameFileError."""
    symbols = keys.secret.symbols
    path: KeyPath = ("secret", "symbols" if keys.secret.pairs is None else "pairs")
    aliases: dict[str, str] = {}
    _one_way(keys, document)
    if keys.secret.formula is not None:
        names = list(_formula(keys, document).symbols)
    elif keys.secret.pairs is not None:
        names = _paired(keys.secret.pairs, document)
    elif symbols is None:
        if keys.secret.words is None:
            raise document.error(
                ("secret",) if "secret" in document.value else (),
                "a game needs secret.words, or secret.symbols and secret.length",
            )
        names = list(default_alphabet(26).symbols)
    elif isinstance(symbols, dict):
        names = list(symbols)
        for symbol, others in symbols.items():
            for alias in [others] if isinstance(others, str) else others:
                if aliases.setdefault(alias, symbol) != symbol:
                    raise document.error(path, f"{alias!r} stands for two symbols")
    else:
        names = list(symbols)
    if len(names) > MOST_SYMBOLS:
        raise document.error(path, f"{len(names)} symbols are too many; at most {MOST_SYMBOLS}")
    try:
        return Alphabet(tuple(names), {a: s for a, s in aliases.items() if a and a not in names})
    except ValueError as error:
        raise document.error(path, str(error)) from None


def _one_way(keys: GameKeys, document: Document) -> None:
    """Raise GameFileError where two keys say in different ways what the secrets are."""
    ways = [key for key in ("formula", "pairs") if getattr(keys.secret, key) is not None]
    others = [key for key in ("words", "symbols") if getattr(keys.secret, key) is not None]
    if len(ways) > 1 or (ways and others):
        both = [*ways, *others][:2]
        raise document.error(("secret", both[0]), f"secret.{both[1]} says it another way; drop one")


def _formula(keys: GameKeys, document: Document) -> Formula:
    try:
        return find_formula(keys.secret.formula or "")
    except UnknownNameError as error:
        raise document.error(("secret", "formula"), str(error)) from None


def _paired(halves: list[str], document: Document) -> list[str]:
    """Return the symbols that pair a character of one text with a character of another."""
    if len(halves) != 2 or not all(halves):
        raise document.error(
            ("secret", "pairs"), "expected two texts, such as [CSTXH, RGBYO]: shapes and colours"
        )
    return [one + other for one in halves[0] for other in halves[1]]


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


def _words(
    listed: str | list[str],
    alphabet: Alphabet,
    lengths: range | None,
    distinct: bool,
    path: KeyPath,
    document: Document,
) -> WordSpace:
    try:
        if isinstance(listed, str):
            if listed in words.built_in_lists():
                return words.built_in_space(listed, alphabet, lengths, distinct)
            file = words.find(listed, document.folder(path))
            return words.space(words.read(file), alphabet, lengths, distinct, listed)
        texts = words.parse_entries(listed, "the list")
        return words.space(texts, alphabet, lengths, distinct, "the list")
    except WordListError as error:
        raise document.error(path, str(error)) from None


def secrets_of(keys: GameKeys, alphabet: Alphabet, document: Document) -> CodeSpace:
    """Return all codes that may be hidden. Raises GameFileError."""
    lengths = _lengths(keys.secret.length, ("secret", "length"), document, 1)
    if lengths is not None and len(lengths) != 1:
        raise document.error(("secret", "length"), "a secret has one length")
    distinct = bool(keys.secret.distinct)
    if keys.secret.words is not None:
        path: KeyPath = ("secret", "words")
        space = _words(keys.secret.words, alphabet, lengths, distinct, path, document)
        if len(space.lengths) != 1:
            raise document.error(
                path,
                f"its words have {space.lengths[0]} to {space.lengths[-1]} letters; "
                "say which with secret.length",
            )
        return space
    if lengths is None:
        raise document.error(("secret",), "secret.length is missing")
    if keys.secret.formula is not None:
        return _generated(keys, alphabet, lengths[0], document)
    try:
        return SymbolSpace(alphabet, lengths, distinct)
    except ValueError as error:
        raise document.error(("secret", "length"), str(error)) from None


def _generated(keys: GameKeys, alphabet: Alphabet, length: int, document: Document) -> WordSpace:
    """Return all secrets of a formula."""
    for key in ("words", "length", "distinct"):
        if getattr(keys.guess, key) is not None:
            raise document.error(
                ("guess", key), "guesses follow the secret's formula; leave it out"
            )
    try:
        secrets = _formula(keys, document).secrets(length)
    except ValueError as error:
        raise document.error(("secret", "length"), str(error)) from None
    if keys.secret.distinct:
        secrets = [text for text in secrets if len({*text}) == length]
        if not secrets:
            raise document.error(("secret", "distinct"), f"all of {length} symbols repeat one")
    return WordSpace.of(alphabet, map(tuple, alphabet.spell_all(secrets, length)))


def guesses_of(keys: GameKeys, secrets: CodeSpace, document: Document) -> CodeSpace:
    """Return all codes that may be suggested as guesses. Raises GameFileError."""
    given = keys.guess
    for key in ("symbols", "pairs", "formula"):
        if getattr(given, key) is not None:
            raise document.error(
                ("guess", key), "guesses are written with the secret's symbols; leave it out"
            )
    alphabet = _guess_alphabet(given, secrets.alphabet, document)
    lengths = _lengths(given.length, ("guess", "length"), document, 0) or secrets.lengths
    if lengths[-1] > secrets.lengths[-1]:
        longest = secrets.lengths[-1]
        raise document.error(
            ("guess", "length"), f"a guess has at most the secret's {longest} symbols"
        )
    distinct = bool(keys.secret.distinct if given.distinct is None else given.distinct)
    if given.words is not None:
        listed = _words(given.words, alphabet, lengths, distinct, ("guess", "words"), document)
        codes = dict.fromkeys(secrets, 1.0) if isinstance(secrets, WordSpace) else {}
        every = codes | dict(listed.weights)
        return WordSpace(alphabet, {c: every[c] for c in sorted(every, key=lambda c: (len(c), c))})
    if isinstance(secrets, WordSpace):
        if given.length is None and given.distinct is None:
            return WordSpace(alphabet, secrets.weights)
        same = keys.secret.words or []
        return _words(same, alphabet, lengths, distinct, ("secret", "words"), document)
    try:
        return SymbolSpace(alphabet, lengths, distinct)
    except ValueError as error:
        raise document.error(("guess", "length"), str(error)) from None


def _guess_alphabet(given: GuessKeys, alphabet: Alphabet, document: Document) -> Alphabet:
    if not given.also:
        return alphabet
    for alias, symbol in given.also.items():
        if alphabet.number(symbol) is None:
            raise document.error(("guess", "also", alias), f"{symbol!r} is no symbol of this game")
    also = {a: alphabet.symbols[alphabet.number(s) or 0] for a, s in given.also.items()}
    try:
        return Alphabet(alphabet.symbols, dict(alphabet.aliases) | also)
    except ValueError as error:
        raise document.error(("guess", "also"), str(error)) from None
