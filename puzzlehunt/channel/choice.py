"""The likelihood that serves a rule: of counted marks, or of tiles."""

from puzzlehunt.channel.counts import CountLikelihood
from puzzlehunt.channel.likelihood import Likelihood
from puzzlehunt.channel.model import Channel
from puzzlehunt.channel.tiles import TileLikelihood
from puzzlehunt.rules.base import Rule, TileRule


def likelihood_of(rule: Rule, channel: Channel) -> Likelihood:
    """Return how likely each clue is, given an answer of the rule that came through a channel."""
    kind = TileLikelihood if isinstance(rule, TileRule) else CountLikelihood
    return kind(rule, channel)
