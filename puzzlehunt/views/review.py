"""The end of a game in lines: how it was won, and how good its guesses were."""

from rich.table import Table

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import counted
from puzzlehunt.explanation.review import Review
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.views.coloured import coloured_code, coloured_guess
from puzzlehunt.views.counts import count_text


def solved_line(game: Game, history: History, secret: Code | None = None) -> str:
    """Return how a game was won: `Solved in 4 guesses: CRANE`.

    Where no secret is given, it is put together from the winning guesses.
    """
    guesses = len(history.turns)
    if secret is None:
        secret = tuple(symbol for code in game.winning_guesses(history) for symbol in code or ())
    return f"Solved in {counted(guesses, 'guess')}: {game.format_code(secret)}"


def review_table(game: Game, review: Review) -> Table:
    """Return a table of guesses: bits expected and told, candidates left, best guess, its bits."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("", justify="right", style="dim")
    table.add_column("guess", overflow="fold")
    table.add_column("expected", justify="right")
    table.add_column("told", justify="right")
    table.add_column("left", justify="right")
    table.add_column("best", overflow="fold")
    table.add_column("bits", justify="right")
    for turn in review.turns:
        table.add_row(
            str(turn.number),
            coloured_guess(game, turn.turn),
            f"{turn.expected_bits:.1f}",
            "-" if turn.gained_bits is None else f"{turn.gained_bits:.1f}",
            "-" if turn.candidates_left is None else count_text(turn.candidates_left),
            coloured_code(game, turn.best),
            f"{turn.best_bits:.1f}",
        )
    return table


def skill_line(review: Review) -> str:
    """Return how good the guesses were: `Skill 94 %, luck +1.3 bits`; empty without guesses."""
    if review.skill is None:
        return ""
    about = "" if review.exact else "about "
    # Adding 0.0 turns -0.0 into 0.0.
    luck = "" if review.luck is None else f", luck {round(review.luck, 1) + 0.0:+.1f} bits"
    return f"Skill {about}{100 * review.skill:.0f} %{luck}"
