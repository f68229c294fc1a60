"""A game's channel in lines: how often marks are read and rows misread, and how rows lie."""

from puzzlehunt.channel.likelihood import kinds_of
from puzzlehunt.channel.model import Lies
from puzzlehunt.engines.base import Engine
from puzzlehunt.game.files.rates import format_rate
from puzzlehunt.game.game import Game
from puzzlehunt.views.names import percent


def channel_lines(game: Game, engine: Engine) -> list[str]:
    """Return how often marks are read, rows misread, and how they lie, as it is believed now."""
    channel, told = game.channel, []
    if channel.reads is None:
        told.append("unread marks are not weighed")
        if game.boards == 1 and game.host == "truthful" and kinds_of(game.rule):
            first = f"/rates {kinds_of(game.rule)[0][1]}=0.1 ..."
            lies = channel.lies != Lies()
            told.append(first if lies else f"/rates learn, or {first}")
    elif (listing := engine.listed) is not None:
        names = [label for _, label in kinds_of(game.rule)]
        for name, (rate, spread) in zip(names, listing.posterior.rates, strict=False):
            learned = f" (+- {spread * 100:.0f}, learned)" if spread else ""
            told.append(f"{name}: {percent(rate.mean)} read{learned}")
    else:
        names = [label for _, label in kinds_of(game.rule)]
        told += [f"{n}: {format_rate(r)}" for n, r in zip(names, channel.reads, strict=False)]
    if channel.misread:
        told.append(f"misread: {percent(channel.misread)} of rows")
    return [*told, *lies_lines(game)]


def lies_lines(game: Game) -> list[str]:
    """Return how the rows of a game lie, in a line; none where they do not."""
    lies = game.channel.lies
    if lies.exactly:
        marks = "1 mark" if lies.exactly == 1 else f"{lies.exactly} marks"
        return [f"false in every row: {marks}"]
    if lies.at_most:
        rows = "1 row" if lies.at_most == 1 else f"{lies.at_most} rows"
        return [f"false at most: {rows} of the game"]
    return [f"false: {percent(lies.chance)} of rows"] if lies.chance else []
