"""The keys `reads` and `lies` of a game file: the channel from a true feedback to its clue.

Read rates (0 to 1) are written as `black=0.1,white=about 0.13` or `learn`.
"""

import re

from puzzlehunt.channel.model import LEARNED, MISREAD, Channel, Lies, Rate
from puzzlehunt.errors import did_you_mean
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.files.schema import GameKeys
from puzzlehunt.rules.base import Rule

_NAMED_RATES = {"learn": LEARNED, "easy": Rate(2 / 3, 3.0), "hard": Rate(1 / 3, 3.0)}
_RATE = re.compile(r"(?P<about>about\s+|~\s*)?(?P<number>\d*\.?\d+(?:e-\d+)?)\s*(?P<percent>%)?")
REST = "rest"
"""The key under `reads:` for the rate of all kinds of marks that are not named there."""


def split_reads(text: str) -> str | dict[str, str]:
    """Convert `black=0.1,red=easy` to a dict; return a single rate as text. Raises ValueError."""
    if "=" not in text and ":" not in text:
        return text.strip()
    rates: dict[str, str] = {}
    for part in re.split(r"[,;\s]+(?=[^\W\d_]+\s*[=:])", text.strip(" ,;")):
        key, equals, value = part.replace(":", "=", 1).partition("=")
        if not equals or not key.strip() or not value.strip():
            raise ValueError(f"{text!r}: rates are written black=0.1,white=0.13")
        if key.strip() in rates:
            raise ValueError(f"{text!r}: {key.strip()} occurs twice")
        rates[key.strip()] = value.strip(" ,;")
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
    number = f"about {rate.mean:.10g}" if rate.learned else f"{rate.mean:.10g}"
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
    named: dict[str | int, Rate] = {}
    given = {REST: keys.reads} if isinstance(keys.reads, str) else keys.reads
    for key, text in given.items():
        if (key, text) == (REST, "off"):
            continue
        below = path if isinstance(keys.reads, str) else f"{path}.{key}"
        kind = key if key in (REST, "misread") else kind_of.get(key.casefold())
        if kind is None:
            hint = did_you_mean(key, [*(label for _, label in kinds), REST, "misread"])
            raise document.error(below, f"no such kind of mark{hint}")
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
