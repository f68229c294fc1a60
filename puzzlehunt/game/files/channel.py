"""The keys `reads` and `lies` of a game file: the channel from a true feedback to its clue."""

from collections.abc import Mapping
from dataclasses import replace

from puzzlehunt.channel.model import MOST_LIES, PERFECT, Channel, Lies
from puzzlehunt.errors import counted
from puzzlehunt.game.files.document import Document, KeyPath
from puzzlehunt.game.files.rates import OFF, RateError, parse_reads
from puzzlehunt.game.files.schema import GameKeys
from puzzlehunt.rules.base import Rule, TileRule


def channel_of(keys: GameKeys, rule: Rule, document: Document) -> Channel:
    """Return the channel that a game file describes. Raises GameFileError."""
    given = keys.reads if keys.reads != OFF else None
    if given is None and keys.lies is None:
        return PERFECT
    key: KeyPath = ("reads",) if keys.lies is None else ("lies",)
    if keys.boards is not None:
        raise document.error(key, "with several secrets every mark is shown, read and true")
    if keys.host != "truthful":
        raise document.error(key, "an adversarial host answers in full, and tells no lies")
    channel = PERFECT if given is None else _reads(given, rule, document)
    channel = replace(channel, lies=_lies(keys, rule, document))
    if channel.learns and keys.lies is not None:
        raise document.error(
            ("reads",), "rates cannot be learned from rows that lie; write them as numbers"
        )
    return channel


def _reads(given: str | Mapping[str, str], rule: Rule, document: Document) -> Channel:
    try:
        return parse_reads(given, rule)
    except RateError as error:
        path: KeyPath = ("reads",) if error.key is None else ("reads", error.key)
        raise document.error(path, str(error)) from None


def _lies(keys: GameKeys, rule: Rule, document: Document) -> Lies:
    given = keys.lies
    if given is None:
        return Lies()
    settings = {key: value for key, value in given.model_dump().items() if value is not None}
    if len(settings) != 1:
        raise document.error(("lies",), "expected one of exactly, at_most and chance")
    if given.exactly is not None:
        most = rule.width if isinstance(rule, TileRule) else 1
        if given.exactly > most:
            of_tiles = f"a row has only {counted(most, 'tile')} to lie with"
            of_counts = "where marks are counted, one in each row is all that may be false"
            raise document.error(
                ("lies", "exactly"), of_tiles if isinstance(rule, TileRule) else of_counts
            )
    if given.at_most is not None and given.at_most > MOST_LIES:
        problem = f"at most {MOST_LIES:,} rows may lie, not {given.at_most:,}"
        raise document.error(("lies", "at_most"), problem)
    attempts = keys.play.attempts
    if given.at_most is not None and attempts is not None and given.at_most >= attempts:
        raise document.error(
            ("lies", "at_most"),
            f"{counted(given.at_most, 'lying row')} would be all of them: the game has {attempts} "
            "(play.attempts)",
        )
    return Lies(given.exactly or 0, given.at_most or 0, given.chance or 0.0)
