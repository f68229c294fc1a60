"""The help of a board's page, with examples of its game."""

from collections.abc import Iterable

from puzzlehunt.game.example import example_turn
from puzzlehunt.game.game import Game
from puzzlehunt.game.turn_notation import describe_answer, format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.commands import COMMANDS
from puzzlehunt.views.drawn_tiles import DrawnTile, tile_names
from puzzlehunt.views.elements import Markup, element, joined, paragraphs
from puzzlehunt.views.page.board_rows import code_text, example_html, tile_class
from puzzlehunt.views.page.fragments import folded, outcome_html
from puzzlehunt.views.page.keyboard import clue_hint


def help_sheet(game: Game) -> Markup:
    """Return an example of a row, its marks and how to enter them; then how to type, folded."""
    example, rule = example_turn(game), game.one_board.rule
    notation = rule.notation
    shown, typed = Markup(""), list[Markup]()
    if example is not None:
        shown = example_html(game, example)
        several = f"The guess is played on {game.boards} boards; each gives marks of its own."
        shown += paragraphs(describe_answer(game, example) if game.boards == 1 else several)
        typed.append("A row: " + code_text(format_turn(game, example)))
        typed += [code_text(clue) + f" {words}" for words, clue in notation.readings(example.guess)]
    named = notation.named_marks()
    marks = [(DrawnTile(mark, tile_names(rule).get(mark, label)), label) for mark, label in named]
    marks.append((DrawnTile(notation.unread_mark, may_be=tuple(named)), "unread"))
    legend = [element("span", one.text, tile_class(one)) + f" {label}" for one, label in marks]
    entered = (
        "Type a guess and its clue, separated by a space; Enter sends the row."
        if clue_hint(game, example)
        else "Type or tap a guess, then its marks. A tap on a mark changes it. Enter sends the row."
    )
    ways = [
        entered,
        "For a mark that you cannot read, write _. Without any mark, a guess waits for its clue.",
        "In a row, tap _ to say what it was, or \N{HORIZONTAL ELLIPSIS} to change the row.",
        "A tap on a suggestion takes it as your guess.",
        "Paste rows anywhere. / begins a command, and the up arrow recalls the last line.",
    ]
    commands = outcome_html(outcomes.Helped("conversation", tuple(COMMANDS.values())), game)
    return (
        shown
        + _list(legend, "legend")
        + _list(ways, "steps")
        + folded("Rows as text", _list([*typed, f"Clues: {game.rule.notation.legend()}."], "steps"))
        + folded("All commands", commands)
    )


def _list(items: Iterable[str], kind: str) -> Markup:
    return element("ul", joined(element("li", item) for item in items), kind)
