"""A game's channel in lines: how often marks are read and rows misread, and how rows lie."""

from collections.abc import Sequence

from puzzlehunt.channel.likelihood import kinds_of
from puzzlehunt.channel.model import Lies, Rate
from puzzlehunt.game.files.rates import format_rate
from puzzlehunt.game.game import Game
from puzzlehunt.views.names import percent


def rates_lines(game: Game, learned: Sequence[tuple[Rate, float]] | None) -> list[str]:
    """Return how often marks are read, rows misread, and how they lie, as it is believed now.

    `learned` are the rates of the kinds of marks, each with its deviation, where they are known.
    """
    channel, lines = game.channel, []
    names = [label for _, label in kinds_of(game.rule)]
    if channel.reads is None:
        lines.append("unread marks are not weighed")
        if game.boards == 1 and game.host == "truthful" and names:
            first = f"/rates {names[0]}=0.1 ..."
            lies = channel.lies != Lies()
            lines.append(first if lies else f"/rates learn, or {first}")
    elif learned is not None:
        for name, (rate, spread) in zip(names, learned, strict=False):
            note = f" (+- {spread * 100:.0f}, learned)" if spread else ""
            lines.append(f"{name}: {percent(rate.mean)} read{note}")
    else:
        lines += [f"{n}: {format_rate(r)}" for n, r in zip(names, channel.reads, strict=False)]
    if channel.misread:
        lines.append(f"misread: {percent(channel.misread)} of rows")
    return [*lines, *lies_lines(game)]


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
