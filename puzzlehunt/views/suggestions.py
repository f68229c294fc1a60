"""Suggestions: what guesses are worth, in lines and in a table."""

from rich.table import Table
from rich.text import Text

from puzzlehunt.explain.review import Tried
from puzzlehunt.game.game import Game
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.views.basis import measure_text
from puzzlehunt.views.coloured import coloured_code
from puzzlehunt.views.counts import wrapped
from puzzlehunt.views.names import percent
from puzzlehunt.views.screen import NARROW

_TELLING = 10_000_000
"""The size of a largest group above which it is not shown."""
_LARGEST_GROUP = "largest group"
_WHOLE_NUMBERS = ("parts", _LARGEST_GROUP)
"""What a suggestion's value is where it has no fraction."""


def suggestion_line(game: Game, advice: Advice) -> Text:
    """Return the line next to the prompt: `try CRATE - 2.9 bits, largest group 14`."""
    best = advice.suggestions[0]
    last = advice.count == 1 and best.candidate and game.secrets_at_once == 1
    worth = ["the only one left"] if last else _worth_and_worst(best, measure_text(advice))
    start = Text.assemble("try ", (str(coloured_code(game, best.guess)), "bold"), " - ")
    fits = len(start) + len(", ".join(worth)) <= NARROW
    return start.append(", ".join(worth) if fits else worth[0])


def suggestions_table(game: Game, advice: Advice) -> Table:
    """Return the suggestions as a table."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("guess", overflow="fold")
    table.add_column(measure_text(advice), justify="right")
    table.add_column("largest", justify="right")
    table.add_column("may win")
    for suggestion in advice.suggestions:
        shown = (
            "" if suggestion.value is None else f"{suggestion.value:.2f}".rstrip("0").rstrip(".")
        )
        worst = _largest(suggestion)
        may_win = "yes" if suggestion.candidate else "no"
        if suggestion.candidate and suggestion.chance is not None:
            may_win = percent(suggestion.chance)
        table.add_row(coloured_code(game, suggestion.guess), shown, worst, may_win)
    return table


def tried_lines(game: Game, tried: Tried, name_best: bool = True) -> list[str]:
    """Return what a guess is worth: `CRATE - 5.2 bits (best SLATE 5.9), may be it`.

    The best guess may be left unnamed, for those who want to find it.
    """
    (own,), measure = tried.rated.suggestions, measure_text(tried.rated)
    best = tried.best.suggestions[0]
    parts = [f"{game.format_code(own.guess)} - {_worth(own, measure)}"]
    if best.value is not None:
        named = f" {game.format_code(best.guess)}" if name_best else ""
        better = f"best{named} {_number(best.value, measure)}"
        better = "none better" if tried.is_best else better
        whole = f"{parts[0]} ({better})"
        parts = [whole] if len(whole) < NARROW else [*parts, better]
    may_win = "may be it" if own.candidate else "cannot be it"
    return wrapped(*parts, *_worst(own, measure), may_win)


def _worth_and_worst(suggestion: Suggestion, measure: str) -> list[str]:
    """Return what a guess is worth in a few words: `2.9 bits`, `largest group 14`."""
    return [_worth(suggestion, measure), *_worst(suggestion, measure)]


def _worth(suggestion: Suggestion, measure: str) -> str:
    if suggestion.value is None:
        return measure
    worth = _number(suggestion.value, measure)
    return f"{measure} {worth}" if measure == _LARGEST_GROUP else f"{worth} {measure}"


def _number(value: float, measure: str) -> str:
    return f"{value:.0f}" if measure in _WHOLE_NUMBERS else f"{value:.1f}"


def _worst(suggestion: Suggestion, measure: str) -> list[str]:
    """Return the largest group in words, where it is not what was measured.

    Where candidates are weighed, how likely the guess is to win says more.
    """
    if suggestion.chance is not None:
        return [f"wins {percent(suggestion.chance)}"] if suggestion.candidate else []
    largest = _largest(suggestion)
    return [f"{_LARGEST_GROUP} {largest}"] if largest and measure != _LARGEST_GROUP else []


def _largest(suggestion: Suggestion) -> str:
    """Return the size of the largest group; nothing where it is beyond all imagination."""
    worst = suggestion.worst
    return "" if worst is None or worst > _TELLING else str(worst)
