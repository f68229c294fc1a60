"""Which likelihood a rule has: the one for counts, or the one for tiles."""

from puzzlehunt.channel.counts import CountLikelihood
from puzzlehunt.channel.likelihood import Likelihood
from puzzlehunt.channel.model import Channel
from puzzlehunt.channel.tiles import TileLikelihood
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.families import TileRule


def likelihood_of(rule: Rule, channel: Channel) -> Likelihood:
    """Return the likelihood of the clues of a rule, read through a channel."""
    family = TileLikelihood if isinstance(rule, TileRule) else CountLikelihood
    return family(rule, channel)
