"""Why: conflicts, repairs, suspects, what is certain, why a code is out, how good guesses were.

Outcomes are values; the room `views` puts them into words.

- `remaining`: the `Remaining` candidates, of all boards and of each, and those of a `WiderList`.
- `conflict`: the smallest sets of turns and facts that contradict each other; `counting_proof`: a
  `CountingProof` of such a contradiction, where a sum is one.
- `repair`: each `Repair`, a smallest change of the turns after which a candidate is left, each
  `Suspect`, a turn that may be misread, and each `NearMiss`, a code that fits all turns but one.
- `findings`: `Findings`, a list of these or of certainties, which notebooks show.
- `certainty`: each `Certainty`, and the turns that prove it.
- `why`: the `Verdict` on a code, `NotASecret` if the game never hides it, and the `Explanation` of
  a history.
- `review`: how good the guesses were; `partition`: how many candidates each feedback to a guess
  would leave.
- `identification`: the `Identification` of marks that nobody explained.
- `outlook`: the `Outlook` of the best guess: the chance that it wins, and what is left otherwise.
- `unread`: the `UnreadMarks`, by what reading each is expected to tell.

Used as an attribute of this package, a file is imported when it is first needed.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from puzzlehunt.explanation import certainty, identification, repair, review, unread, why

__all__ = ["certainty", "identification", "repair", "review", "unread", "why"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
