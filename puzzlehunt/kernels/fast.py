"""The extra `fast`: compiled kernels, and what spreads tournaments over processes."""

from functools import cache
from importlib.util import find_spec

from puzzlehunt.errors import missing_package


@cache
def is_installed() -> bool:
    """Return whether numba is installed, which compiles the kernels, and with it the extra."""
    return find_spec("numba") is not None


def check_installed(need: str) -> None:
    """Raise MissingPackageError with the text `need` if the extra is missing."""
    if not is_installed():
        raise missing_package(need, "fast")
