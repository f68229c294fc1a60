"""How often marks are read, as text: `black=0.1,white=about 0.13`, `easy`, `learn`.

`parse_rate` and `format_rate` are a pair.
"""

import re
from collections.abc import Mapping

from puzzlehunt.channel.likelihood import kinds_of
from puzzlehunt.channel.model import (
    ABOUT,
    EASY,
    HARD,
    LEARNED,
    MISREAD,
    PERFECT,
    Channel,
    Rate,
)
from puzzlehunt.errors import did_you_mean
from puzzlehunt.rules.base import CountRule, Rule

_WORDS = {"learn": LEARNED, "easy": EASY, "hard": HARD}
_RATE = re.compile(r"(?P<about>about\s+|~\s*)?(?P<number>\d*\.?\d+(?:e-\d+)?)\s*(?P<percent>%)?")
_EXPECTED = "expected a rate such as 0.1 or 10 %, about 0.1, easy, hard, or learn"
REST = "rest"
"""The kinds that are not named."""
OFF = "off"
"""What `reads` says where nothing is known or asked of how often marks are read."""


class RateError(ValueError):
    """What was written of rates cannot be; `key` says of which kind of mark."""

    def __init__(self, message: str, key: str | None = None) -> None:
        super().__init__(message)
        self.key = key


def split_reads(text: str) -> str | dict[str, str]:
    """Return `black=0.1,red=easy` as a mapping; a word alone, such as `learn`, as it is.

    Raises RateError.
    """
    if "=" not in text and ":" not in text:
        return text.strip()
    rates: dict[str, str] = {}
    for part in re.split(r"[,;\s]+(?=[^\W\d_]+\s*[=:])", text.strip(" ,;")):
        key, equals, value = part.replace(":", "=", 1).partition("=")
        if not equals or not key.strip() or not value.strip():
            raise RateError(f"{text!r}: rates are written black=0.1,white=0.13")
        if key.strip() in rates:
            raise RateError(f"{text!r}: {key.strip()} stands twice")
        rates[key.strip()] = value.strip(" ,;")
    return rates


def parse_reads(given: str | Mapping[str, str], rule: Rule) -> Channel:
    """Return the channel of what a game says of how often marks are read. Raises RateError.

    A word stands for all kinds. Kinds that a mapping does not name have the rate of `rest`, or are
    always read.
    """
    kinds = kinds_of(rule)
    if not kinds:
        raise RateError("the marks of this rule are always read")
    if isinstance(given, str):
        if given.strip().casefold() == OFF:
            return PERFECT
        parse_rate(given)
        given = {REST: given}
    named = {word.casefold(): n for n, words in enumerate(kinds) for word in reversed(words)}
    marks = {mark.casefold(): label for mark, label in rule.named_marks()}
    named = {mark: named[label] for mark, label in marks.items() if label in named} | named
    rated = REST in given and given[REST] != OFF
    rates = [parse_rate(given[REST], REST) if rated else Rate(1.0)] * len(kinds)
    misread: float | None = None
    for key, value in given.items():
        if key == "misread":
            misread = _chance(value, key, "expected a chance such as 0.05 or 5 %")
        if key in ("misread", REST):
            continue
        kind = named.get(key.casefold())
        if kind is None:
            labels = [label for _, label in kinds]
            hint = did_you_mean(key, [*labels, REST, "misread"])
            raise RateError(f"no such kind of mark{hint}", key)
        rates[kind] = parse_rate(value, key)
        rated = True
    if misread is None:
        misread = MISREAD if rated else 0.0
    if isinstance(rule, CountRule) and not rule.notation.miss_has_mark:
        rates.append(Rate(1.0))
    return Channel(tuple(rates) if rated else None, misread)


def parse_rate(text: str, key: str | None = None) -> Rate:
    """Return the rate that a text writes: `0.1`, `10 %`, `about 0.1`, `easy`, `hard`, `learn`."""
    word = text.strip().casefold()
    if word in _WORDS:
        return _WORDS[word]
    written = _RATE.fullmatch(word)
    if written is None:
        raise RateError(f"{_EXPECTED}, not {text!r}", key)
    mean = _chance(word[written.start("number") :], key)
    if written["about"]:
        if not 0 < mean < 1:
            raise RateError(f"about {mean:g}: write {mean:g}, or a rate between 0 and 1", key)
        return Rate(mean, ABOUT)
    return Rate(mean)


def format_rate(rate: Rate) -> str:
    """Return how a rate is written; `parse_rate` reads it back."""
    for word, known in _WORDS.items():
        if rate == known:
            return word
    return f"about {rate.mean:.10g}" if rate.learned else f"{rate.mean:.10g}"


def _chance(text: str, key: str | None, expected: str = _EXPECTED) -> float:
    number = text.strip().removesuffix("%").strip()
    try:
        chance = float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        raise RateError(f"{expected}, not {text!r}", key) from None
    if not 0 <= chance <= 1:
        hint = f"; did you mean {chance:g} %?" if 1 < chance <= 100 else ""
        raise RateError(f"expected a chance from 0 to 1, not {text!r}{hint}", key)
    return chance
