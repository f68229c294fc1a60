"""Small numbers as people write them: in digits or as English words up to twenty."""

import re

_WORDS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
]  # fmt: skip
_VALUES = {"a": 1, "an": 1, "no": 0} | {word: value for value, word in enumerate(_WORDS)}

NUMBER = rf"\d{{1,4}}|(?:an?|no|{'|'.join(reversed(_WORDS))})(?![^\W\d_])"
"""Regular expression of a number; match it without regard to case."""


_WORDS_ALONE = re.compile(
    rf"(?:{'|'.join(reversed(_WORDS))})(?:[\s,;]+(?:and\s+)?(?:{'|'.join(reversed(_WORDS))}))*",
    re.IGNORECASE,
)


def number_words(text: str) -> str:
    """Return a text of number words alone in digits, `two one` as `2 1`; any other as it is."""
    if _WORDS_ALONE.fullmatch(text) is None:
        return text
    return " ".join(
        str(_VALUES[word]) for word in re.findall(r"\w+", text.casefold()) if word != "and"
    )


def is_number_word(text: str) -> bool:
    """Return whether a text is one number word, such as `three`."""
    return text.casefold() in _WORDS


def value_of(number: str) -> int:
    """Return the value of a text that `NUMBER` matches."""
    return int(number) if number.isdigit() else _VALUES[number.casefold()]
