"""The extra `fast`: whether compiled kernels can be used, and the error where there are none."""

from functools import cache
from importlib.util import find_spec

from puzzlehunt.errors import missing_package


@cache
def is_installed() -> bool:
    """Return whether numba is installed, which compiles the kernels."""
    return find_spec("numba") is not None


def check_installed(need: str) -> None:
    """Raise MissingPackageError where numba is not installed, which `need` cannot do without."""
    if not is_installed():
        raise missing_package(f"{need} needs compiled kernels", "fast")
