"""The help of a board's page, with an example of its game."""

from puzzlehunt.game.example import example_turn
from puzzlehunt.game.game import Game
from puzzlehunt.game.turn_notation import describe_answer, format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.commands import COMMANDS
from puzzlehunt.views.elements import Markup, code_text, element, joined, paragraphs
from puzzlehunt.views.page.board_rows import example_html
from puzzlehunt.views.page.fragments import folded, outcome_html
from puzzlehunt.views.page.keyboard import clue_hint

_TAPPED = "Type or tap a guess, then its marks. A tap on a mark changes it. Enter sends the row."
_TYPED = "Type a guess and its clue, separated by a space; Enter sends the row."


def help_sheet(game: Game) -> Markup:
    """Return an example of a row, its marks and how to enter them; then all commands, folded."""
    example, shown = example_turn(game), Markup("")
    if example is not None:
        shown = example_html(game, example) + paragraphs(code_text(format_turn(game, example)))
        if game.boards == 1:
            shown += paragraphs(describe_answer(game, example))
        else:
            shown += paragraphs(
                f"The guess is played on {game.boards} boards, each with its marks."
            )
    ways = [
        f"Clues: {game.rule.notation.legend()}.",
        _TYPED if clue_hint(game, example) else _TAPPED,
        "For a mark that you cannot read, write _. Without any mark, a guess waits for its clue.",
        "Tap a row to change it, or \N{HORIZONTAL ELLIPSIS} to doubt or drop it.",
        "A tap on a suggestion takes it as your guess.",
        "Paste rows anywhere. / begins a command.",
    ]
    steps = element("ul", joined(element("li", way) for way in ways), "steps")
    commands = outcome_html(outcomes.Helped("conversation", tuple(COMMANDS.values())), game)
    return shown + steps + folded("All commands", commands)
