"""The command `export`: a game and its turns as a script for a solver, and its answer read back."""

from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import (
    Asked,
    engine_with_history,
    open_game,
    read_lines,
    takes,
    write_file,
)
from puzzlehunt.cli.options import FORCE, FORMAT, GAME, MODEL, SCRIPT, SECONDS, SETTINGS, TURNS
from puzzlehunt.cli.output import fail, note, result
from puzzlehunt.errors import counted

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game


@takes(GAME, *TURNS, SCRIPT, FORCE, MODEL, FORMAT, *SETTINGS, SECONDS)
def export(asked: Asked) -> None:
    """The game and its rows as an SMT-LIB 2 script for any solver, or as a program for clingo.

    puzzlehunt export cryptic -t "HORSE B_WR_" -o horse.smt2 && z3 horse.smt2 > answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --read answer

    puzzlehunt export cryptic -t "HORSE B_WR_" --format lp -o horse.lp && clingo horse.lp 0
    """
    from puzzlehunt.engines import asp, smtlib
    from puzzlehunt.errors import unknown_name
    from puzzlehunt.session.limits import when_stopped

    formats = {"smtlib": smtlib.script, "lp": asp.script}
    if asked[FORMAT] not in formats:
        raise unknown_name("format", asked[FORMAT], formats)
    game = open_game(asked)
    model, file = asked[MODEL], asked[SCRIPT]
    if model is not None:
        _read_model(game, "\n".join(read_lines(model)))
        return
    script = formats[asked[FORMAT]](game, game.history)
    if file is None:
        result(script, end="")
    else:
        write_file(asked, file, script)
    try:
        agree = engine_with_history(game).satisfiable()
    except KeyboardInterrupt:
        fail(f"the script is whole; whether the rows agree was not found {when_stopped()}", 3)
    if not agree:
        raise SystemExit(1)


def _read_model(game: "Game", answer: str) -> None:
    """Print the code of a solver's answer; leave with status 1 where it does not fit all turns."""
    from puzzlehunt.engines import asp, smtlib
    from puzzlehunt.explanation.why import ruled_out_by
    from puzzlehunt.views.names import name_item

    code = (asp if asp.is_answer(answer) else smtlib).read_model(game, answer)
    if code is None:
        fail("the solver says unsat: the clues contradict each other", 1)
    conflicting_places = ruled_out_by(game, game.history, code)
    code_text = game.format_code(code)
    if code not in game.secrets:
        fail(f"{code_text}: the model's code is not among the game's secrets", 1)
    if conflicting_places and game.channel.lies.at_most:
        fail(f"{code_text} fits only if more rows lie than may", 1)
    if conflicting_places:
        fail(f"{code_text} does not fit {name_item(game, game.history, conflicting_places[0])}", 1)
    result(code_text)
    turns = len(game.history.turns)
    note(f"checked against {counted(turns, 'row')}: it fits")
