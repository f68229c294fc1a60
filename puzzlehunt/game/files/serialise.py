"""Texts of game files: a history as the keys `facts` and `turns`, and a file for a new game."""

from collections.abc import Mapping

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.facts import FACT
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn
from puzzlehunt.game.turn_notation import format_row


def history_keys(
    game: Game, history: History, wordings: Mapping[Item, str] | None = None
) -> dict[str, list[str]]:
    """Return a history as the keys `facts` and `turns` of a game file.

    Facts that became known after the first turn are listed among the turns, as `/fact ...`.
    `wordings` maps turns and facts to the texts that their author wrote (see `wordings_of`); all
    others are written in the standard form.
    """
    wordings = wordings or {}
    facts: list[str] = []
    rows: list[str] = []
    for item in history:
        if isinstance(item, Turn):
            rows.append(wordings.get(item) or format_row(game, item))
        elif rows:
            rows.append(FACT + wordings.get(item, item.text))
        else:
            facts.append(wordings.get(item, item.text))
    return {"facts": facts, "turns": rows}


def reading_trouble(game: Game, turn: Turn) -> str:
    """Return why a turn would be read differently from a file, "" if it would be read the same."""
    line = format_row(game, turn)
    try:
        same = game.parse_turn(line) == turn
    except PuzzlehuntError as error:
        return str(error)
    return "" if same else f"{line} would mean that the guess won"


def wordings_of(game: Game, document: Document) -> dict[Item, str]:
    """Return a dict from each turn and fact in a document to its text as the author wrote it."""
    facts, rows = (document.value.get(key, ()) for key in ("facts", "turns"))
    lines = [*(FACT + text for text in facts), *rows]
    return {game.as_item(line): line.removeprefix(FACT) for line in lines}
