"""Conflicts in lines."""

import textwrap

from puzzlehunt.explain.why import Explanation
from puzzlehunt.views.clashes import clash_sentence
from puzzlehunt.views.names import name_places
from puzzlehunt.views.screen import NARROW


def conflict_lines(explanation: Explanation) -> list[str]:
    """Return which rows cannot all be right, and why if that is plain; none if they agree."""
    if not explanation.conflict:
        return []
    rows = name_places(explanation.history, explanation.conflict)
    reason = clash_sentence(explanation.game, explanation.history, explanation.clash)
    told = f"{rows} cannot all be right" + (f": {reason}" if reason else "")
    return textwrap.wrap(f"{told[:1].upper()}{told[1:]}.", NARROW, subsequent_indent="  ")
