"""Guesses and their values, in lines and tables: suggestions, unread marks, reviews."""

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import counted, in_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.views.candidates import count_text, wrapped
from puzzlehunt.views.printed_tables import Cell, Table
from puzzlehunt.views.rows import styled_code, styled_guess
from puzzlehunt.views.screen import LINE_WIDTH, Screen
from puzzlehunt.views.wording import ESTIMATED_GUESSES, measure_text, percent

if TYPE_CHECKING:
    from puzzlehunt.explanation.review import Review, TriedGuess
    from puzzlehunt.explanation.unread import UnreadMark, UnreadMarks

_LARGEST_SHOWN = 10_000_000
"""Largest group that is shown; the size of a larger one helps nobody to choose (candidates)."""
_LARGEST_GROUP = "largest group"
"""The measure of the strategy `minimax`: how many candidates the worst answer leaves."""
_WHOLE_NUMBERS = ("parts", _LARGEST_GROUP)
"""The measures whose values have no fraction."""
_IN_GUESSES = (GUESSES_ON_AVERAGE, ESTIMATED_GUESSES)
_FRACTIONS = ("bits", "left on average", *_IN_GUESSES)
_UNITS = (*_WHOLE_NUMBERS, *_FRACTIONS)
"""Measures that are bare units: they are left out if a guess has no value."""


ONLY_ONE = "the only one left"


def suggestion_line(game: Game, advice: Advice) -> Text:
    """Return the best guess as a line for the prompt: `try CRATE - 2.9 bits, at worst 14 left`."""
    best, measure = advice.suggestions[0], measure_text(advice)
    is_only = advice.only_candidate is not None
    worst = _worst(best, measure)
    if is_only:
        parts = [ONLY_ONE, *(worst if advice.outside else [])]
    else:
        parts = [*_worth(best, measure, f"more {GUESSES_ON_AVERAGE}"), *worst]
    start = Text.assemble("try ", (str(styled_code(game, best.guess)), "bold"))
    if not parts:
        return start
    start.append(" - ")
    shorter = parts if is_only else _worth(best, measure, GUESSES_ON_AVERAGE) or parts
    texts = [", ".join(parts), parts[0], shorter[0]]
    fitting = (text for text in texts if start.cell_len + len(text) <= LINE_WIDTH)
    return start.append(next(fitting, texts[-1]))


def suggestions_table(game: Game, advice: Advice) -> Table:
    """Return a table of suggestions: guess, value, candidates left at worst, chance to win."""
    measure, suggestions = measure_text(advice), advice.suggestions
    is_rated = any(suggestion.value is not None for suggestion in suggestions)
    titles = {GUESSES_ON_AVERAGE: "guesses", ESTIMATED_GUESSES: "estimate"}
    value_title = titles.get(measure, measure)
    wins = "wins" if any(suggestion.chance for suggestion in suggestions) else "may win"
    columns: dict[str, list[Cell]] = {
        "guess": [styled_code(game, one.guess) for one in suggestions]
    }
    if measure != _LARGEST_GROUP and (is_rated or advice.question):
        columns[value_title] = [_value(one.value, measure) for one in suggestions]
    columns["at worst left"] = [_most_left(one) for one in suggestions]
    columns[wins] = [_wins(one) for one in suggestions]
    return Table.of_columns(columns, ["guess", wins])


def show_suggestions(game: Game, advice: Advice, screen: Screen) -> None:
    """Print the table of suggestions, and what they were computed from."""
    screen.table(suggestions_table(game, advice))
    if advice.basis:
        screen.note(f"(from {advice.basis})")


def _value(value: float | None, measure: str) -> str:
    text = "" if value is None else f"{value:.2f}"
    return text if measure in _FRACTIONS else text.rstrip("0").rstrip(".")


def _wins(suggestion: Suggestion) -> str:
    if suggestion.chance:
        return percent(suggestion.chance)
    return "yes" if suggestion.candidate else "no"


def tried_lines(game: Game, tried: "TriedGuess", name_best: bool = True) -> list[str]:
    """Return lines with the value of a player's guess and that of the best guess.

    For example `CRATE - 5.2 bits (best SLATE 5.9)`, then the most candidates it may leave, and
    whether it may be the secret. If `name_best` is false, the best guess is not named.
    """
    (rated,), measure = tried.rated.suggestions, measure_text(tried.rated)
    if tried.is_best and tried.best.measure == tried.rated.measure:
        measure = measure_text(tried.best)
    best = next(iter(tried.best.suggestions), rated)
    worth = _worth(rated, measure, "guesses")
    if not worth and rated.worst is not None and rated.worst == tried.rated.count:
        worth = ["tells nothing more"]
    parts = [" - ".join([game.format_code(rated.guess), *worth])]
    if best.value is not None:
        best_code = f" {game.format_code(best.guess)}" if name_best else ""
        number = _number(best.value, measure)
        proved = tried.best.exact and measure != ESTIMATED_GUESSES
        none = "none better" if proved else "none seems better"
        best_text = none if tried.is_best else f"best{best_code} {number}"
        one_part = f"{parts[0]} ({best_text})"
        parts = [one_part] if cell_len(one_part) < LINE_WIDTH else [*parts, best_text]
    secret = "the secret" if game.boards == 1 else "a secret"
    may_win = f"{'may' if rated.candidate else 'cannot'} be {secret}"
    if rated.chance and not rated.candidate:
        may_win = "if a row is misread"
    lines = wrapped(*parts, *_worst(rated, measure), may_win)
    return lines if tried.illegal is None else [*lines, f"not allowed: {tried.illegal}"]


def _worth(suggestion: Suggestion, measure: str, average: str) -> list[str]:
    """Return a guess's value with its measure, in a list of one text: `2.9 bits`."""
    if suggestion.value is None:
        return [] if measure in _UNITS else [measure]
    number = _number(suggestion.value, measure)
    if measure == _LARGEST_GROUP:
        return [f"at worst {number} left"]
    if measure == ESTIMATED_GUESSES and average != "guesses":
        number = f"{suggestion.value:.0f}"
        return [f"roughly {number} more {in_number('guess', int(number))}"]
    return [f"{number} {average if measure == GUESSES_ON_AVERAGE else measure}"]


def _number(value: float, measure: str) -> str:
    if measure in _WHOLE_NUMBERS:
        return f"{value:,.0f}"
    return f"{value:.2f}" if measure in _IN_GUESSES else f"{value:.1f}"


def _worst(suggestion: Suggestion, measure: str) -> list[str]:
    """Return candidates left at worst, or the chance to win, in a list of at most one text."""
    if suggestion.chance is not None:
        return [f"wins {percent(suggestion.chance)}"] if suggestion.chance else []
    most = _most_left(suggestion)
    return [f"at worst {most} left"] if most and measure != _LARGEST_GROUP else []


def _most_left(suggestion: Suggestion) -> str:
    worst = suggestion.worst
    return "" if worst is None or worst > _LARGEST_SHOWN else f"{worst:,}"


NOTHING_UNREAD = "no unread mark would tell anything"


def telling_marks(ranked: "UnreadMarks") -> "list[UnreadMark]":
    """Return the marks that tell anything, the most informative first."""
    return [mark for mark in ranked if f"{mark.bits:.2f}" != "0.00"]


def unread_table(ranked: "UnreadMarks") -> Table:
    """Return a table of unread marks: row, board, tile, bits of the mark, and of all in the row."""
    game, marks = ranked.game.one_board, telling_marks(ranked)
    is_table = bool(game.rule.column_names)
    columns = {
        "row": [f"{mark.number}. {game.format_turn(mark.turn)}" for mark in marks],
        "board": ["" if mark.board is None else str(mark.board + 1) for mark in marks],
        "column" if is_table else "tile": [_tile(game, mark) for mark in marks],
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


def _tile(game: Game, mark: "UnreadMark") -> str:
    if mark.position is None:
        return ""
    if names := game.rule.column_names:
        return names[mark.position]
    return f"{mark.position + 1} {game.format_code((mark.turn.guess[mark.position],))}"


def solved_line(game: Game, history: History, secret: Code | None = None) -> str:
    """Return the line about a won game: `Solved in 4 guesses: CRANE`.

    If `secret` is None, the winning guesses are named. In a game of questions alone the line is
    `Known after 3 questions: Anna`.
    """
    if game.only_questions and secret is not None:
        asked = counted(len(history.turns), "question")
        return f"Known after {asked}: {game.format_code(secret)}"
    guesses = len(history.turns)
    if secret is None:
        secret = tuple(symbol for code in game.winning_guesses(history) for symbol in code or ())
    return f"Solved in {counted(guesses, 'guess')}: {game.format_code(secret)}"


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
