"""Guesses and their values, in lines and tables: suggestions, unread marks, reviews."""

from typing import TYPE_CHECKING

from rich.text import Text

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import counted, in_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.views.candidates import count_text
from puzzlehunt.views.printed_tables import LINE_WIDTH, Cell, Table, wrapped
from puzzlehunt.views.rows import styled_code, styled_guess
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.wording import ESTIMATED_GUESSES, measure_text, percent

if TYPE_CHECKING:
    from puzzlehunt.explanation.review import Review, TriedGuess
    from puzzlehunt.explanation.unread import UnreadMark, UnreadMarks

_LARGEST_SHOWN = 10_000_000
"""Largest group that is shown; the size of a larger one helps nobody to choose (candidates)."""
_LARGEST_GROUP = "largest group"
"""The measure of the strategy `minimax`: how many candidates the worst answer leaves."""
_DECIMALS = {"parts": 0, _LARGEST_GROUP: 0, GUESSES_ON_AVERAGE: 2, ESTIMATED_GUESSES: 2}
"""The decimals of measures; those of all others depend on the room for them."""
_UNITS = (*_DECIMALS, "bits", "left on average")
"""Measures that are bare units: they are left out if a guess has no value."""
NOTHING_UNREAD = "no unread mark would tell anything"


def suggestion_line(game: Game, advice: Advice) -> Text:
    """Return the best guess as a line for the prompt: `try CRATE - 2.9 bits, at worst 14 left`."""
    best, measure = advice.suggestions[0], measure_text(advice)
    reasons = _worth(best, measure)
    if advice.only_candidate is not None:
        reasons = ["the only one left"]
    elif measure == ESTIMATED_GUESSES and best.value is not None:
        reasons = [f"roughly {best.value:.0f} more {in_number('guess', round(best.value))}"]
    if advice.only_candidate is None or advice.outside:
        reasons = list(dict.fromkeys([*reasons, *_worst(best)]))
    start = Text.assemble("try ", (str(styled_code(game, best.guess)), "bold"))
    for reason, separator in zip(reasons, (" - ", ", "), strict=False):
        if separator == " - " or start.cell_len + len(separator + reason) <= LINE_WIDTH:
            start.append(separator + reason)
    return start


def suggestions_table(game: Game, advice: Advice) -> Table:
    """Return a table of suggestions: guess, value, candidates left at worst, chance to win."""
    measure, suggestions = measure_text(advice), advice.suggestions
    titles = {GUESSES_ON_AVERAGE: "guesses", ESTIMATED_GUESSES: "estimate"}
    wins = "wins" if any(suggestion.chance for suggestion in suggestions) else "may win"
    columns: dict[str, list[Cell]] = {
        "guess": [styled_code(game, one.guess) for one in suggestions],
        titles.get(measure, measure): [_number(one.value, measure, 2) for one in suggestions],
        "at worst left": [_most_left(one) for one in suggestions],
        wins: [
            percent(one.chance) if one.chance else "yes" if one.candidate else "no"
            for one in suggestions
        ],
    }
    columns.pop(_LARGEST_GROUP, None)
    return Table.of_columns(columns, ["guess", wins])


def show_suggestions(game: Game, advice: Advice, screen: Screen) -> None:
    """Print the table of suggestions, and what they were computed from."""
    screen.table(suggestions_table(game, advice))
    if advice.basis:
        screen.note(f"(from {advice.basis})")


def tried_lines(game: Game, tried: "TriedGuess", name_best: bool = True) -> list[str]:
    """Return lines with the value of a player's guess and that of the best guess.

    For example `CRATE - 5.2 bits, best SLATE 5.9`, then the most candidates it may leave, and
    whether it may be the secret. If `name_best` is false, the best guess is not named.
    """
    (rated,), measure = tried.rated.suggestions, measure_text(tried.rated)
    if tried.is_best and tried.best.measure == tried.rated.measure:
        measure = measure_text(tried.best)
    worth = _worth(rated, measure)
    if not worth and rated.worst is not None and rated.worst == tried.rated.count:
        worth = ["tells nothing more"]
    parts = [" - ".join([game.format_code(rated.guess), *worth])]
    best = next(iter(tried.best.suggestions), rated)
    if best.value is not None and tried.is_best:
        proved = tried.best.exact and measure != ESTIMATED_GUESSES
        parts.append("none better" if proved else "none seems better")
    elif best.value is not None:
        code = f" {game.format_code(best.guess)}" if name_best else ""
        parts.append(f"best{code} {_number(best.value, measure)}")
    secret = "the secret" if game.boards == 1 else "a secret"
    may_win = f"{'may' if rated.candidate else 'cannot'} be {secret}"
    if rated.chance and not rated.candidate:
        may_win = "if a row is misread"
    parts += [part for part in _worst(rated) if part not in worth]
    lines = wrapped(*parts, may_win)
    return lines if tried.illegal is None else [*lines, f"not allowed: {tried.illegal}"]


def _worth(suggestion: Suggestion, measure: str) -> list[str]:
    """Return a guess's value with its measure, in a list of at most one text: `2.9 bits`."""
    if suggestion.value is None:
        return [] if measure in _UNITS else [measure]
    number = _number(suggestion.value, measure)
    return [f"at worst {number} left" if measure == _LARGEST_GROUP else f"{number} {measure}"]


def _number(value: float | None, measure: str, decimals: int = 1) -> str:
    return "" if value is None else f"{value:,.{_DECIMALS.get(measure, decimals)}f}"


def _worst(suggestion: Suggestion) -> list[str]:
    """Return the candidates left at worst, or the chance to win, in a list of at most one text."""
    if suggestion.chance is not None:
        return [f"wins {percent(suggestion.chance)}"] if suggestion.chance else []
    most = _most_left(suggestion)
    return [f"at worst {most} left"] if most else []


def _most_left(suggestion: Suggestion) -> str:
    worst = suggestion.worst
    return "" if worst is None or worst > _LARGEST_SHOWN else f"{worst:,}"


def telling_marks(ranked: "UnreadMarks") -> "list[UnreadMark]":
    """Return the marks that tell anything, the most informative first."""
    return [mark for mark in ranked if f"{mark.bits:.2f}" != "0.00"]


def unread_table(ranked: "UnreadMarks") -> Table:
    """Return a table of unread marks: row, board, tile, bits of the mark, and of all in the row."""
    game, marks = ranked.game.one_board, telling_marks(ranked)
    names, tiles = game.rule.column_names, []
    for mark in marks:
        place = mark.position
        if place is None or names:
            tiles.append("" if place is None else names[place])
        else:
            tiles.append(f"{place + 1} {game.format_code((mark.turn.guess[place],))}")
    columns = {
        "row": [f"{mark.number}. {game.format_turn(mark.turn)}" for mark in marks],
        "board": ["" if mark.board is None else str(mark.board + 1) for mark in marks],
        "column" if names else "tile": tiles,
        "mark": [f"{mark.bits:.2f}" for mark in marks],
        "all": [f"{mark.turn_bits:.2f}" for mark in marks],
    }
    return Table.of_columns(columns, ["row", "board", "tile", "column"])


def show_unread(ranked: "UnreadMarks", screen: Screen) -> None:
    """Print the table of unread marks, and the unit of its numbers."""
    table = unread_table(ranked)
    if not table.rows:
        screen.note(NOTHING_UNREAD)
        return
    screen.table(table)
    screen.note("(bits expected of one mark, and of all)")


def solved_line(game: Game, history: History, secret: Code | None = None) -> str:
    """Return the line about a won game: `Solved in 4 guesses: CRANE`.

    If `secret` is None, the winning guesses are named. In a game of questions alone the line is
    `Known after 3 questions: Anna`.
    """
    turns = len(history.turns)
    if secret is None:
        secret = tuple(symbol for code in game.winning_guesses(history) for symbol in code or ())
    elif game.only_questions:
        return f"Known after {counted(turns, 'question')}: {game.format_code(secret)}"
    return f"Solved in {counted(turns, 'guess')}: {game.format_code(secret)}"


def review_table(game: Game, review: "Review") -> Table:
    """Return a table of guesses: bits expected and gained, candidates left, the best guess."""
    rows = tuple(
        (
            str(turn.number),
            styled_guess(game, turn.turn),
            f"{turn.expected_bits:.1f}",
            "-" if turn.gained_bits is None else f"{turn.gained_bits:.1f}",
            "-" if turn.candidates_left is None else count_text(turn.candidates_left),
            styled_code(game, turn.best),
            f"{turn.best_bits:.1f}",
        )
        for turn in review.turns
    )
    header = ("", "guess", "expected", "told", "left", "best", "bits")
    return Table(header, rows, ("guess", "best"), gap=1)


def skill_line(review: "Review") -> str:
    """Return how good the guesses were: `Skill 94 %, luck +1.3 bits`; empty without guesses."""
    if review.skill is None:
        return ""
    about = "" if review.exact else "about "
    # Adding 0.0 turns -0.0 into 0.0.
    luck = "" if review.luck is None else f", luck {round(review.luck, 1) + 0.0:+.1f} bits"
    return f"Skill {about}{100 * review.skill:.0f} %{luck}"


MEANINGS = {
    "bits": "how much the answer is expected to tell; one bit halves what is left",
    "parts": "how many different answers there can be",
    "largest group": "how many are left after the least helpful answer",
    "left on average": "how many are left after the answer, on average",
    "guesses": "how many guesses the secret takes on average, this one included",
    "estimate": "roughly how many guesses the secret takes: it compares guesses, no more",
    "at worst left": "how many are left after the least helpful answer",
    "wins": "the chance that the guess is the secret",
    "may win": "whether the guess can be a secret",
}
"""What the columns of a table of suggestions mean."""
MEANINGS_OF_UNREAD = {
    "mark": "how much one more mark of the row is expected to tell; one bit halves what is left",
    "all": "how much all unread marks of the row would tell together",
}
MEANINGS_OF_REVIEW = {
    "expected": "how many bits the guess was expected to tell; one bit halves what is left",
    "told": "how many bits its answer did tell",
    "left": "how many were left after it",
    "best": "the best guess at that time, and the bits that it was expected to tell",
    "skill": "the bits that your guesses were expected to tell, as a share of those of the best",
    "luck": "how many more bits the answers told than was expected",
}
