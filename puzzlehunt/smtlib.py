"""Positions as SMT-LIB 2 scripts, and the models of solvers read back.

`script` writes what is known as a script for any SMT-LIB solver; `read_model` returns the code in
the solver's answer.

>>> from puzzlehunt import smtlib
>>> text = smtlib.script("4x6", ["AABB 1b"])
>>> text.splitlines()[-2:]
['(check-sat)', '(get-model)']
>>> smtlib.read_model("4x6", "unsat") is None
True
"""

from puzzlehunt.engines.smtlib import read_model as read_model
from puzzlehunt.engines.smtlib import script as script
