"""An assistant for puzzles with guesses and half-readable feedback.

The names in `__all__` are the public library; everything else may change. `__init__.pyi` lists the
module of each name. A module is imported when one of its names is first used, so that importing the
package is quick. The examples of docstrings follow `import puzzlehunt`.
"""

import re
from importlib import import_module

__version__ = "0.1.0"

_STUB = __spec__.loader.get_data(f"{__file__}i").decode()
_MODULE_OF = {
    name or room: module or "puzzlehunt"
    for module, name, room in re.findall(r"(?m)^(?:from (\S+) import (\w+)|def (\w+))", _STUB)
}
__all__ = list(_MODULE_OF)
__all__ += ["__version__"]


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'puzzlehunt' has no attribute {name!r}")
    home = import_module(_MODULE_OF[name])
    is_module = hasattr(home, "__path__")  # the names of packages are their modules
    return import_module(f"{home.__name__}.{name}") if is_module else getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)
