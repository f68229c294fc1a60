"""Graphemes: what readers see as one character, however many code points it has.

A flag is one grapheme. So is a heart with its variation selector, an emoji with a skin tone, or a
family of several people.
"""

import re
from unicodedata import normalize

_ONE_EACH = re.compile(
    r"[\0-\u02ff\u0370-\u0482\u048a-\u0590\u05d0-\u05ea\u0621-\u064a"
    r"\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*"
)
"""Texts of characters that never join with others: Latin, Greek, Cyrillic, Armenian, the letters of
Hebrew and Arabic, kana, Chinese characters and syllables of Hangul."""


def graphemes(text: str) -> list[str]:
    """Return the graphemes of a text, in order."""
    if text.isascii() or _ONE_EACH.fullmatch(text):
        return list(text)
    from wcwidth import iter_graphemes

    return list(iter_graphemes(text))


def one_spelling(text: str) -> str:
    """Return the normal form of a text, which is the same for other spellings of the text.

    Each accent is joined with its letter into one code point (NFC). Variation selectors are left
    out, so that a heart has the same form with and without one.
    """
    return text if text.isascii() else re.sub("[\ufe0e\ufe0f]", "", normalize("NFC", text))
