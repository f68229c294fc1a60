"""Checks for the extra `fast`: numba, which compiles kernels, and joblib, which runs processes."""

from functools import cache
from importlib.util import find_spec

from puzzlehunt.errors import missing_package


@cache
def is_installed() -> bool:
    """Return whether the extra `fast` is installed, judged by numba, which compiles the kernels."""
    return find_spec("numba") is not None


def check_installed(need: str) -> None:
    """Raise PuzzlehuntError, whose message begins with `need`, if the extra is missing."""
    if not is_installed():
        raise missing_package(need, "fast")
