"""A channel applied to the answers of a rule: `shown` returns what serves its family."""

from puzzlehunt.channel import Channel
from puzzlehunt.rules.base import Rule, TileRule
from puzzlehunt.shown.base import Shown, Tally, kinds_of
from puzzlehunt.shown.counts import ShownCounts
from puzzlehunt.shown.tiles import ShownTiles


def shown(rule: Rule, channel: Channel) -> Shown:
    """Return a channel applied to the answers of a rule."""
    return ShownTiles(rule, channel) if isinstance(rule, TileRule) else ShownCounts(rule, channel)


__all__ = ["Shown", "ShownCounts", "ShownTiles", "Tally", "kinds_of", "shown"]
