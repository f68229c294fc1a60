"""Sentences in which a game itself tells its counts.

NetHack says `You hear 2 tumblers click and 1 gear turn.`; the sentence stands in a log just so. A
game has it that calls its marks gears and tumblers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from puzzlehunt.rules.notation.numbers import value_of

_NOUNS = ("gear", "tumbler")
_HEARD = re.compile(
    r"\b(\d{1,4}|an?|one|two|three|four|five)\s+(gear|tumbler)s?\s+(?:turn|click)(?:s|ed)?\b",
    re.IGNORECASE,
)
_BEGINNING = re.compile(r"(?:you\s+hear\s+)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The sentence about some kinds of marks, by what the game calls them."""

    labels: tuple[str, ...]

    def start(self, line: str) -> int | None:
        """Return where in a line the sentence begins, None where it does not stand there."""
        heard = _HEARD.search(line)
        if heard is None or heard[2].casefold() not in self.labels:
            return None
        beginning = _BEGINNING.search(line[: heard.start()])
        return beginning.start() if beginning else heard.start()

    def counts(self, text: str) -> list[int] | None:
        """Return how many marks of each kind a text tells, None where it is not the sentence.

        A kind that is not named did not occur.
        """
        heard = [(value_of(number), noun.casefold()) for number, noun in _HEARD.findall(text)]
        if not heard or any(noun not in self.labels for _, noun in heard):
            return None
        return [sum(n for n, noun in heard if noun == label) for label in self.labels]


def sentence_about(labels: Sequence[str]) -> Sentence | None:
    """Return the sentence that tells counts of marks with these labels, None for none."""
    return Sentence(tuple(labels)) if not set(_NOUNS).isdisjoint(labels) else None
