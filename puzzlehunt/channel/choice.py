"""A channel applied to the answers of a rule: `shown` returns what serves its family."""

from puzzlehunt.channel.counts import ShownCounts
from puzzlehunt.channel.likelihood import Shown, Tally, kinds_of
from puzzlehunt.channel.model import Channel
from puzzlehunt.channel.tiles import ShownTiles
from puzzlehunt.rules.base import Rule, TileRule


def shown(rule: Rule, channel: Channel) -> Shown:
    """Return a channel applied to the answers of a rule."""
    return ShownTiles(rule, channel) if isinstance(rule, TileRule) else ShownCounts(rule, channel)


__all__ = ["Shown", "ShownCounts", "ShownTiles", "Tally", "kinds_of", "shown"]
