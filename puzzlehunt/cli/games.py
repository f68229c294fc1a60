"""The command `games`: the built-in games, and the file of each."""

from dataclasses import replace
from pathlib import Path

from puzzlehunt.cli.streams import print_json
from puzzlehunt.game.files import gamefile
from puzzlehunt.views.counts import size_text
from puzzlehunt.views.json import game_json
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.tables import games_table


def games(name: str | None, json: bool) -> None:
    """Print the built-in games, or the file of one."""
    names = gamefile.built_in_games()
    if name is not None:
        text = gamefile.yaml_of(name)
        if json:
            print_json({"name": name, "yaml": text})
        else:
            print(text, end="")
    elif json:
        print_json({"games": [game_json(name, gamefile.load(name)) for name in names]})
    else:
        show_games()


def show_games() -> None:
    """Print the table of built-in games."""
    names = gamefile.built_in_games()
    Screen().table(games_table([(name, *_columns(name)) for name in names]))


def _columns(name: str) -> tuple[str, str, str, str]:
    """Return a built-in game's size, description, rule and source, for the list of games.

    The game's word list of guesses is not read, since that would take most of the time.
    """
    document = gamefile.find_document(name, Path())
    guess = {k: v for k, v in document.value.get("guess", {}).items() if k != "words"}
    value = {k: v for k, v in document.value.items() if k not in ("facts", "turns")}
    game = gamefile.build(replace(document, value=value | {"guess": guess}))
    return size_text(game), game.about, game.rule.summary, game.source
