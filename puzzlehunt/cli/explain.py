"""The command `explain`: which turns contradict each other, what is certain, why a code is out."""

from typing import TYPE_CHECKING

from puzzlehunt.cli.asked import Asked, engine_with_history, open_game, takes
from puzzlehunt.cli.options import ALL, CODE, ENGINES, GAME, JSON, READS, SETTINGS, TURNS
from puzzlehunt.cli.output import note, print_json, wider_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from puzzlehunt.explain.certainty import Certain
    from puzzlehunt.explain.repair import Repair
    from puzzlehunt.explain.suspicion import Suspect
    from puzzlehunt.game.game import Game

_CONFLICTS = 20
"""How many sets of turns that cannot all be right are listed where all are asked for."""


@takes(GAME, CODE, *TURNS, JSON, *SETTINGS, *ENGINES, READS, ALL)
def explain(asked: Asked) -> None:
    """Which rows cannot all be right, and what would mend them; with CODE, which rows rule it out.

    With several boards CODE is A/B (one secret a board), 2: B, or one word for any board.

    puzzlehunt explain mastermind -t "RRRR B" -t "RGBY none"

    puzzlehunt explain cryptic -t "HORSE B_WR_" HEART
    """
    from puzzlehunt.explain.certainty import certain
    from puzzlehunt.explain.repair import repairs
    from puzzlehunt.explain.suspicion import suspects
    from puzzlehunt.explain.why import ask, explained
    from puzzlehunt.views.explanations import explanation_lines
    from puzzlehunt.views.json import whole_explanation_json

    game, text = open_game(asked), asked[CODE]
    code, board = (None, None) if text is None else ask(game, text)
    engine = engine_with_history(game)
    explanation = explained(game, engine, code, board, _CONFLICTS if asked[ALL] else 1)
    wider, hint = wider_words(game) if explanation.conflict else ({}, "")
    mends = repairs(engine)
    everything = asked[JSON] or code is None
    doubtful = suspects(engine) if everything else []
    decided = certain(engine) if everything else []
    if asked[JSON]:
        print_json(whole_explanation_json(game, explanation, wider, decided, doubtful, mends))
    else:
        lines = explanation_lines(explanation) + _more_lines(game, mends, doubtful, decided)
        print(*lines, sep="\n", flush=True)
    if hint:
        note(hint)
    if explanation.conflict:
        raise SystemExit(1)


def _more_lines(
    game: "Game", repairs: "Sequence[Repair]", suspects: "list[Suspect]", decided: "list[Certain]"
) -> list[str]:
    """Return what would mend a conflict, which turns are suspect, and what is certain, as text."""
    from puzzlehunt.explain.repair import SHOWN
    from puzzlehunt.explain.suspicion import PROBABLE
    from puzzlehunt.views.certain import certain_lines
    from puzzlehunt.views.explanations import repair_lines, suspect_line

    likeliest = repairs[:SHOWN]
    mends = [line for one in likeliest for line in repair_lines(game, game.history, one)]
    likely = [suspect_line(game, one) for one in suspects if one.probability >= PROBABLE]
    sections = {
        "One of these mends it, the likeliest first:": mends,
        "Probably wrong:": likely,
        "What is decided:": certain_lines(game, decided) if decided else [],
    }
    return [
        line
        for title, lines in sections.items()
        if lines
        for line in (title, *(f"  {line}" for line in lines))
    ]
