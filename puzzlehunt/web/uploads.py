"""Checks of game files from other people, which may not name files, code or commands."""

from pathlib import Path

from puzzlehunt.codes.words import BUILT_IN_LISTS
from puzzlehunt.errors import UnknownNameError, unknown_name
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document, read_document
from puzzlehunt.game.files.table_files import built_in_tables
from puzzlehunt.game.play import SOLVERS

LARGEST_UPLOAD = 100_000
"""Largest game file that may be uploaded (characters)."""


def check_game(name: str) -> None:
    """Raise UnknownNameError if a name is neither a built-in game nor a size, such as a path."""
    if not name:
        raise UnknownNameError("which game? choose one, or upload a game file")
    if foreign("game", name):
        raise unknown_name("game", name, gamefile.built_in_games())


def check_upload(text: str, name: str = "the game file") -> Document:
    """Return the document of a game file from somebody else; messages call the file `name`.

    Raises GameFileError if it is not a game file, or names another file, code or a command.
    """
    document = read_document(text, name, Path())
    if allowed := foreign("game", str(document.value.get("game", "4x6"))):
        raise document.error("game", f"only {allowed}")
    for section in ("secret", "guess", "play"):
        keys = document.value.get(section)
        for key, named in keys.items() if isinstance(keys, dict) else ():
            if isinstance(named, str) and (allowed := foreign(key, named)):
                raise document.error(f"{section}.{key}", f"only {allowed}")
    return document


def foreign(key: str, named: str) -> str:
    """Return what a key may name instead, if it names a file, code or a command; else ""."""
    match key:
        case "game" if not gamefile.own_name(named):
            return "the name of a built-in game or a size such as 4x6"
        case "words" | "without" if named not in BUILT_IN_LISTS:
            lists = ", ".join(BUILT_IN_LISTS)
            return f"a list that comes with the program ({lists}), or the words themselves"
        case "table" if named not in built_in_tables():
            tables = ", ".join(built_in_tables())
            return f"a table that comes with the program ({tables}), or the rows themselves"
        case "strategy" if ":" in named:
            return "a strategy that comes with the program"
        case "solver" if named not in SOLVERS:
            return " or ".join(SOLVERS)
    return ""


def as_game_file(text: str) -> str:
    """Return a game with the words of a sheet as its secrets, "" for blanks, or the text itself."""
    words = [line.strip().strip(",;") for line in text.splitlines() if line.strip()]
    if len(words) < 2 or not all(word.isalpha() for word in words):
        return text if words else ""
    return f"title: Own words\nrule: marks\nsecret:\n  words: [{', '.join(words)}]\n"
