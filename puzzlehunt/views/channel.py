"""A game's channel in lines: how often marks are read and rows misread, and how rows lie."""

from collections.abc import Sequence

from puzzlehunt.channel.likelihood import kinds_of
from puzzlehunt.channel.model import Lies, Rate
from puzzlehunt.errors import counted
from puzzlehunt.game.files.reads import format_rate
from puzzlehunt.game.game import Game
from puzzlehunt.views.names import percent


def rates_lines(game: Game, estimates: Sequence[tuple[Rate, float]] | None) -> list[str]:
    """Return how often marks are read and turns misread, and how turns lie.

    Where a game does not weigh unread marks, return instead which command sets rates. `estimates`
    has, for each kind of mark, the rate by all turns so far (0 to 1) and its standard deviation;
    with None the rates are shown as the game gives them.
    """
    channel, lines = game.channel, []
    names = [label for _, label in kinds_of(game.rule)]
    if channel.reads is None:
        lines.append("unread marks are not weighed")
        if game.boards == 1 and game.host == "truthful" and names:
            example = f"/rates {names[0]}=0.1 ..."
            # A game that lies learns no rates.
            has_lies = channel.lies != Lies()
            lines.append(example if has_lies else f"/rates learn, or {example}")
    elif estimates is not None:
        for name, (rate, deviation) in zip(names, estimates, strict=True):
            note = f" (+- {deviation * 100:.0f}, learned)" if deviation else ""
            lines.append(f"{name}: {percent(rate.mean)} read{note}")
    else:
        rates = zip(names, channel.reads, strict=True)
        lines += [f"{name}: {format_rate(rate)}" for name, rate in rates]
    if channel.misread:
        lines.append(f"misread: {percent(channel.misread)} of rows")
    return [*lines, *lies_lines(game)]


def lies_lines(game: Game) -> list[str]:
    """Return how the turns of a game lie, in one line; [] where they do not."""
    lies = game.channel.lies
    if lies.exactly:
        return [f"false in every row: {counted(lies.exactly, 'mark')}"]
    if lies.at_most:
        return [f"false at most: {counted(lies.at_most, 'row')} of the game"]
    return [f"false: {percent(lies.chance)} of rows"] if lies.chance else []
