"""Which secrets are still candidates: one file per engine, with the interface `base.Engine`.

Called, this room lists the engines, `puzzlehunt.engines()`; the names in `__all__` are for those
who want one.

- `base`: the interface of engines, their boards and samples, and counts of candidates; the engines
  by name, and which one `auto` is
- `explicit`: all secrets in arrays, filtered turn by turn; the only engine with probabilities
- `symbolic`: formulas for an SMT solver, with samples from `sampling/`; spaces of any size
- `solver_engine`: the base of engines that get one code after another from a solver, and searches
  with any solver: all codes in order, or a random code
- `linear`, `logic`: two such engines, by a 0/1 linear program and by an answer-set program
- `product`: an engine for each of several boards
- `posterior`: how likely each secret is, given the likelihoods of all clues
- `legends`: how likely each secret is, and each meaning of marks that nobody explained;
  `scorings`: the ways to answer among which that is found
- `smtlib`: a game and its turns as a script for solvers, and their answers parsed
- `sampling/`: candidates of huge spaces without a solver; `solvers/`: the SMT solvers

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
