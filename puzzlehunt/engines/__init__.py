"""Which secrets are still candidates: one file per engine, with the interface `base.Engine`.

Called, this room lists the engines, `puzzlehunt.engines()`; the names in `__all__` are for those
who want one.

>>> [*puzzlehunt.engines()]
['auto', 'explicit', 'symbolic', 'linear', 'logic']
"""

import sys

from puzzlehunt.engines.base import BoardState, Engine, open_engine
from puzzlehunt.system import Room

__all__ = ["BoardState", "Engine", "open_engine"]


def named() -> dict[str, str]:
    """Return the names of all engines, each with how it works."""
    return {
        "auto": "explicit if the secrets can be listed and no solver is named, else symbolic",
        "explicit": "all secrets in arrays, filtered by the rows",
        "symbolic": "formulas for an SMT solver; for codes of any length",
        "linear": "a 0/1 linear program, solved by HiGHS",
        "logic": "an answer-set program, solved by clingo",
    }


sys.modules[__name__].__class__ = Room
