"""What NetHack prints while a tune is played, alone or with other sentences on a line.

For a tune it prints `You hear 2 tumblers click and 1 gear turn.`, which names what is not 0, or
nothing but the instrument's sound; for the right tune `You see a drawbridge coming down!`.
"""

import re
from collections.abc import Sequence

from puzzlehunt.rules.notation.synonyms import NUMBER, value_of

PLAYED = "no sound"
"""The clue of an instrument's sound alone: the answer may follow, or there is silence."""
FILLERS = "(?:you|i|we) heard?|turn(?:s|ed)?|click(?:s|ed)?"
"""Words around the counts of a sentence that people write."""


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace(" ", r"\s+"), re.IGNORECASE)


_MORE = re.compile(r"\s*--(?:More--)?\s*", re.IGNORECASE)
PROMPT = _pattern(r"^.*\bwhat tune are you playing\?\s*(?:\[[^\]]*\])?\s*")
_NOISE = rf"({NUMBER}) (gear|tumbler)s? (?:turn|click)(?:s|ed)?\b"
_NOISES = _pattern(
    rf"(?:(?:you|i|we) heard? )?{_NOISE}(?:\s*(?:,|&|,?\s*\band\b)\s*{_NOISE})*\s*[.!]*"
)
_EACH = _pattern(_NOISE)
_EVENTS = {
    "won": _pattern(
        r"(?:you (?:see|hear) )?(?:(?:a|the) )?(?:drawbridge (?:coming|going) (?:down|up)"
        r"|gears turning and chains rattling|chains rattling and gears turning)\b.*"
    ),
    "silence": _pattern(
        r"(?:(?:you|i|we) )?(?:heard? (?:nothing|no (?:sounds?|noises?))\b(?: at all)?"
        r"|(?:do|did)(?: not|n['\u2019]?t) hear (?:anything|a (?:thing|sound))\b)"
        r"|nothing (?:happen(?:s|ed)|(?:was |is )?heard)\b"
    ),
    "deaf": _pattern(
        r"you (?:can )?feel [^.!]* emitting vibrations\b"
        r"|(?:(?:you|i|we) (?:are|am|was|were) )?(?:too far(?: away)?|deaf)\b"
    ),
    PLAYED: _pattern(r"you extract a strange sound from [^.!]*"),
}
"""Sentences by the clue that says the same."""
_OTHER = re.compile(
    r"(?:(?i:you|your|the|it|an?|there|he|she|they|some\w*|suddenly)|[A-Z][a-z]+(?=\s+[a-z]+s\b))"
    r"\s+[^.!?]*[.!?]+"
)
"""Another sentence of the game, such as `The soldier hits!`."""
_ASIDE = _pattern(
    r"\b(?:gears?|tumblers?|rest|others?|(?:un)?(?:sure|clear|read)|think|guess|maybe|perhaps)\b"
)
"""What is said of the answer: a sentence with such words is not passed over."""


def heard(text: str, labels: Sequence[str]) -> str | None:
    """Return the clue of what a text says, sentence by sentence, of a tune; None for other texts.

    `labels` are the game's names of the marks that are counted; () if it is not about a tune.
    """
    found = []
    for said in re.split(r"(?<=[.!?])\s+", _MORE.sub("  ", text).strip()):
        each = [(noun.casefold(), value_of(number)) for number, noun in _EACH.findall(said)]
        counts = dict(each)
        if _NOISES.fullmatch(said) and len(counts) == len(each) and counts.keys() <= {*labels}:
            found.append(" ".join(f"={counts.get(label, 0)} {label}" for label in labels))
        elif events := [e for e, form in _EVENTS.items() if form.fullmatch(said.rstrip(" .!"))]:
            found.append(events[0])
        elif not _OTHER.fullmatch(said) or _ASIDE.search(said):
            return None
    answers = [clue for clue in found if clue != PLAYED] or found[:1]
    return answers[0] if labels and len(answers) == 1 else None


def start(line: str, labels: Sequence[str]) -> int | None:
    """Return the index in a line at which the game's sentences begin, None if there are none."""
    starts = [word.start() for word in re.finditer(r"(?<!\S)\S", line)]
    # `deaf` alone may be a tune.
    said = (each for each in starts if " " in line[each:].strip() and heard(line[each:], labels))
    return next(said, None)
