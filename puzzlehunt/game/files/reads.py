"""The keys `reads` and `lies` of a game file: the channel from a true feedback to its clue.

Read rates (0 to 1) are written as `black=0.1,white=about 0.13` or `learn`.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from puzzlehunt.channel.model import LEARNED, MISREAD, PERFECT, Channel, Lies, Rate
from puzzlehunt.errors import did_you_mean
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.files.schema import GameKeys
from puzzlehunt.rules.base import Rule

_NAMED_RATES = {"learn": LEARNED, "easy": Rate(2 / 3, 3.0), "hard": Rate(1 / 3, 3.0)}
_RATE = re.compile(r"(?P<about>about\s+|~\s*)?(?P<number>\d*\.?\d+(?:e-\d+)?)\s*(?P<percent>%)?")
_EXPECTED_RATE = "expected a rate from 0 to 1 such as 0.1, 10 % or about 0.1, easy, hard, or learn"
_EXPECTED_CHANCE = "expected a chance below 1 such as 0.05 or 5 %"
REST = "rest"
"""The key under `reads:` for the rate of all kinds of marks that are not named there."""
OFF = "off"
"""The value of `reads:` that sets no rates: unread marks say nothing, no turn is misread."""


class RateError(ValueError):
    """A text of rates cannot be read; `key` is the key of the wrong rate, None if all are wrong."""

    def __init__(self, message: str, key: str | None = None) -> None:
        super().__init__(message)
        self.key = key


def split_reads(text: str) -> str | dict[str, str]:
    """Convert `black=0.1,red=easy` to a dict; return a single rate as text. Raises RateError."""
    if "=" not in text and ":" not in text:
        return text.strip()
    rates: dict[str, str] = {}
    for part in re.split(r"[,;\s]+(?=[^\W\d_]+\s*[=:])", text.strip(" ,;")):
        key, equals, value = part.replace(":", "=", 1).partition("=")
        if not equals or not key.strip() or not value.strip():
            raise RateError(f"{text!r}: rates are written black=0.1,white=0.13")
        if key.strip() in rates:
            raise RateError(f"{text!r}: {key.strip()} occurs twice")
        rates[key.strip()] = value.strip(" ,;")
    return rates


def parse_reads(given: str | Mapping[str, str], rule: Rule) -> Channel:
    """Return the channel that the value of `reads:` describes. Raises RateError.

    A mapping has the read rates of kinds by name, `rest` for all other kinds (without `rest`, their
    marks are always read), and `misread`. A miss that has neither mark nor rate gets the average of
    the named rates.
    """
    kinds = rule.kinds
    if not kinds:
        raise RateError("the marks of this rule are always read")
    if isinstance(given, str):
        if given.strip().casefold() == OFF:
            return PERFECT
        parse_rate(given)
        given = {REST: given}
    kind_of = {word.casefold(): n for n, words in enumerate(kinds) for word in reversed(words)}
    for mark, label in reversed(rule.notation.named_marks()):
        if label in kind_of:
            kind_of.setdefault(mark.casefold(), kind_of[label])
    has_rest = REST in given and given[REST] != OFF
    rates = [parse_rate(given[REST], REST) if has_rest else Rate(1.0)] * len(kinds)
    named: dict[int, Rate] = {}
    misread: float | None = None
    for key, value in given.items():
        if key == "misread":
            chance = parse_rate(value, key, _EXPECTED_CHANCE)
            if chance.learned or chance.mean == 1:
                raise RateError(f"{_EXPECTED_CHANCE}, not {value!r}", key)
            misread = chance.mean
        elif key != REST:
            kind = kind_of.get(key.casefold())
            if kind is None:
                hint = did_you_mean(key, [*(label for _, label in kinds), REST, "misread"])
                raise RateError(f"no such kind of mark{hint}", key)
            rates[kind] = named[kind] = parse_rate(value, key)
    has_rates = has_rest or bool(named)
    if misread is None:
        misread = MISREAD if has_rates else 0.0
    miss, known = len(kinds) - 1, list(named.values())
    if known and not (rule.notation.miss_has_mark or miss in named or has_rest):
        mean = Rate(sum(rate.mean for rate in known) / len(known))
        average = known[0] if len(set(known)) == 1 else mean
        # Where the named kinds are never read, misses are seen like all that is not named.
        rates[miss] = average if average.mean else rates[miss]
    return Channel(tuple(rates) if has_rates else None, misread)


def parse_rate(text: str, key: str | None = None, expected: str = _EXPECTED_RATE) -> Rate:
    """Return the rate that a text writes: `0.1`, `10 %`, `about 0.1`, `easy`. Raises RateError."""
    word = text.strip().casefold()
    if word in _NAMED_RATES:
        return _NAMED_RATES[word]
    match = _RATE.fullmatch(word)
    mean = float(match["number"]) / (100 if match["percent"] else 1) if match else -1.0
    if match is None or not 0 <= mean <= 1:
        raise RateError(f"{expected}, not {text!r}", key)
    if match["about"] and not 0 < mean < 1:
        raise RateError(f"about {mean:g}: write {mean:g}, or a rate between 0 and 1", key)
    return Rate(mean, 10.0) if match["about"] else Rate(mean)


def format_rate(rate: Rate) -> str:
    """Return the text of a rate; `parse_rate` reads it back."""
    number = f"about {rate.mean:.10g}" if rate.learned else f"{rate.mean:.10g}"
    return next((word for word, named in _NAMED_RATES.items() if rate == named), number)


# The channel that a game file describes.


def channel_of(keys: GameKeys, rule: Rule, document: Document) -> Channel:
    """Return the channel that a game file describes. Raises GameFileError."""
    lies = keys.lies or Lies()
    if keys.reads is None:
        return Channel(lies=lies)
    try:
        channel = replace(parse_reads(keys.reads, rule), lies=lies)
    except RateError as error:
        path: KeyPath = ("reads",) if error.key is None else ("reads", error.key)
        raise document.error(path, str(error)) from None
    if channel.learned_kinds and keys.lies is not None:
        problem = "rates cannot be learned from rows that lie; write them as numbers"
        raise document.error(("reads",), problem)
    return channel
