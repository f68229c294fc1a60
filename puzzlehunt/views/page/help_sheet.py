"""The help of a board's page, with examples of its game."""

from puzzlehunt.game.example import example_turn
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.turn_notation import describe_answer, format_turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.session import outcomes
from puzzlehunt.session.commands import COMMANDS
from puzzlehunt.views.drawn_tiles import DrawnTile, guess_tiles, mark_tiles
from puzzlehunt.views.elements import Markup, element, joined, paragraphs
from puzzlehunt.views.page.board_rows import code_text, tile_class
from puzzlehunt.views.page.fragments import outcome_html


def help_sheet(game: Game) -> Markup:
    """Return an example of a row, its marks and how to enter them, then all commands, folded."""
    example, rule = example_turn(game), game.one_board.rule
    shown = Markup("")
    if example is not None:
        row = element("div", drawn_turn(game, example), "example")
        typed = element("p", "Typed: " + code_text(format_turn(game, example)), "note")
        shown = row + paragraphs(describe_answer(game, example)) + typed
    ways = [
        "Type or tap a guess, then its marks. A tap on a mark changes it. Enter sends the row.",
        "Without marks, a guess waits for its clue. A tap on a suggestion takes it as your guess.",
        "Paste rows anywhere. / begins a command, and the up arrow recalls the last line.",
        f"Clues: {rule.legend()}.",
    ]
    readings = rule.readings(example.guess) if example is not None else []
    clues = [element("li", code_text(clue) + f" {words}") for words, clue in readings]
    commands = outcome_html(outcomes.Helped("conversation", tuple(COMMANDS.values())), game)
    listed = element("summary", "All commands") + commands
    steps = element("ul", joined([*(element("li", way) for way in ways), *clues]), "steps")
    return shown + steps + element("details", listed, "fold", data_key="commands")


def drawn_turn(game: Game, turn: Turn) -> Markup:
    """Return a row as tiles that cannot be tapped; of several boards, the first."""
    board = game.one_board
    clue = turn.clue.clues[0] if isinstance(turn.clue, BoardsClue) else turn.clue
    guess, marks = guess_tiles(board, turn.guess, clue), mark_tiles(board, clue)
    shown = element("div", _tiles(guess), "tiles guess")
    if marks:
        return shown + element("div", _tiles(marks), "tiles")
    return shown if board.rule.positional else shown + code_text(board.rule.format(clue))


def _tiles(tiles: list[DrawnTile]) -> Markup:
    return joined(element("span", tile.text, tile_class(tile)) for tile in tiles)
