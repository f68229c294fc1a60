"""The command `export`: write a game as a script for a solver, or read a solver's answer."""

from pathlib import Path

from puzzlehunt.cli.opening import open_game, write_file
from puzzlehunt.cli.options import Given
from puzzlehunt.cli.streams import fail, note, read_lines, result
from puzzlehunt.engines import smtlib
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import counted
from puzzlehunt.game.game import Game
from puzzlehunt.session.limits import when_stopped


def export(given: Given, file: Path | None, force: bool, model: str | None) -> None:
    """Write the game and its rows as a solver's script, or print the code in a solver's answer."""
    game = open_game(given)
    if model is not None:
        _read_model(game, "\n".join(read_lines(model)))
        return
    script = smtlib.script(game)
    if file is None:
        result(script, end="")
    else:
        write_file(force, file, script)
    try:
        agree = open_engine(game).satisfiable()
    except KeyboardInterrupt:
        agreement = "whether the rows agree could not be determined"
        fail(f"the script is complete, but {agreement} {when_stopped()}", 3)
    if not agree:
        raise SystemExit(1)


def _read_model(game: Game, answer: str) -> None:
    code = smtlib.read_model(game, answer)
    if code is None:
        fail("the solver says unsat: the clues contradict each other", 1)
    code_text = game.format_code(code)
    if code not in game.secrets:
        fail(f"{code_text}: the model's code is not among the game's secrets", 1)
    if not game.fits(game.history, code):
        fail(f"{code_text} does not fit the rows", 1)
    result(code_text)
    turns = len(game.history.turns)
    note(f"checked against {counted(turns, 'row')}: it fits")
