"""Outcomes as text, JSON, HTML, plots: the only room that writes text for people.

- `terminal`, and `page` for a board in a browser: how each outcome is shown. `notebook_html`:
  values as HTML. `json`: what `--json` prints.
- `rows`, `candidates`, `advice`: turns, candidates and guesses, in lines and tables of a game.
- `sentences`: what is left and which guess to try, in sentences for a page.
- `explanations`: explanations in sentences; `wording`: turns, facts, chances and measures in words.
- `meanings`: what unexplained marks mean, as lines and as JSON.
- `summary`: the meaning of a game file. `share`: a game as a text to share.
- `screen`: printing; `printed_tables`: tables in a terminal and in Markdown; `elements`: HTML.
- `drawn_tiles`: codes and marks on tiles, and the table of colours.
- `tournaments`, `plots`: results of the lab in lines, tables, pages and pictures.
- `escapes`: untrusted text, made harmless for terminals, browsers and spreadsheets.

Used as an attribute of this package, `explanations` and `meanings` are imported when first needed.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from puzzlehunt.views import explanations, meanings

__all__ = ["explanations", "meanings"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
