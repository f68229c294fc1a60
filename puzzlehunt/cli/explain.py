"""The command `explain`: which turns contradict each other, what is certain, why a code is out."""

from puzzlehunt.cli.asked import Asked, engine_with_history, open_game, takes
from puzzlehunt.cli.options import ALL, CODE, ENGINES, GAME, JSON, READS, SETTINGS, TURNS
from puzzlehunt.cli.output import note, print_json, wider_words

_CONFLICTS = 20
"""How many conflicts `--all` lists at most."""


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
    from puzzlehunt.explain.why import explained, parse_question
    from puzzlehunt.views.explanations import explanation_lines, explanation_sections
    from puzzlehunt.views.json import whole_explanation_json

    game, text = open_game(asked), asked[CODE]
    code, board = (None, None) if text is None else parse_question(game, text)
    engine = engine_with_history(game)
    explanation = explained(game, engine, code, board, _CONFLICTS if asked[ALL] else 1)
    wider, hint = wider_words(game) if explanation.conflict else ({}, "")
    all_repairs = repairs(engine)
    # A text about one code says nothing of suspects and certainties.
    everything = asked[JSON] or code is None
    all_suspects = suspects(engine) if everything else []
    certainties = certain(engine) if everything else []
    if asked[JSON]:
        answer = whole_explanation_json(
            game, explanation, wider, certainties, all_suspects, all_repairs
        )
        print_json(answer)
    else:
        lines = explanation_lines(explanation)
        lines += explanation_sections(game, all_repairs, all_suspects, certainties)
        print(*lines, sep="\n", flush=True)
    if hint:
        note(hint)
    if explanation.conflict:
        raise SystemExit(1)
