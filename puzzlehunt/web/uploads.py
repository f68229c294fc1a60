"""Checks of game files from other people, which may not name files, code or commands."""

from pathlib import Path

from puzzlehunt.codes.words import built_in_lists
from puzzlehunt.errors import GameFileError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document, read_document
from puzzlehunt.game.files.table_files import built_in_tables
from puzzlehunt.game.play import SOLVERS

LARGEST_UPLOAD = 100_000
"""Largest game file that may be uploaded (characters)."""


def check_upload(text: str, name: str = "the game file", longest: int = LARGEST_UPLOAD) -> Document:
    """Return the document of a game file from somebody else; messages call the file `name`.

    Raises GameFileError if the text has more than `longest` characters, is not a game file, or
    names another file, code or a command.
    """
    if len(text) > longest:
        raise GameFileError(f"{name} has more than {longest:,} characters")
    document = read_document(text, name, Path())
    value = document.value
    game = value.get("game", "4x6")
    games = gamefile.built_in_games()
    if not isinstance(game, str) or not (game in games or gamefile.is_size(game)):
        raise document.error(("game",), "only the name of a built-in game or a size such as 4x6")
    for section in ("secret", "guess"):
        keys = value.get(section)
        words = keys.get("words") if isinstance(keys, dict) else None
        if isinstance(words, str) and words not in built_in_lists():
            lists = ", ".join(built_in_lists())
            problem = f"only a list that comes with the program ({lists}), or the words themselves"
            raise document.error((section, "words"), problem)
    secret = value.get("secret")
    table = secret.get("table") if isinstance(secret, dict) else None
    if isinstance(table, str) and table not in built_in_tables():
        tables = ", ".join(built_in_tables())
        problem = f"only a table that comes with the program ({tables}), or the rows themselves"
        raise document.error(("secret", "table"), problem)
    play = value.get("play")
    if isinstance(play, dict):
        strategy, solver = str(play.get("strategy", "")), play.get("solver")
        if names_file_or_code(strategy):
            problem = "only a strategy that comes with the program"
            raise document.error(("play", "strategy"), problem)
        if solver is not None and solver not in SOLVERS:
            problem = f"only {' or '.join(SOLVERS)}"
            raise document.error(("play", "solver"), problem)
    return document


def as_game_file(text: str) -> str:
    """Return a game file for a text: a sheet of words as a game with these secrets.

    Any other text is returned as it is.
    """
    words = [line.strip().strip(",;") for line in text.splitlines() if line.strip()]
    if len(words) < 2 or not all(word.isalpha() for word in words):
        return text
    return f"title: Own words\nrule: marks\nsecret:\n  words: [{', '.join(words)}]\n"


def names_file_or_code(strategy: str) -> bool:
    """Return whether a strategy is `tree:FILE` or `module:function`."""
    return ":" in strategy
