"""The version with which pickles of games and engines begin; another version refuses them."""

from puzzlehunt import __version__
from puzzlehunt.errors import VersionError


class Stamp:
    """A value that is pickled as the version of this package, and checked when it is read."""

    __slots__ = ()

    def __reduce__(self) -> tuple[object, ...]:
        return stamp_of, (__version__,)


STAMP = Stamp()
"""The first argument of what restores a value, so that it is checked before the others are read."""


def stamp_of(version: str) -> Stamp:
    """Return the stamp of a version. Raises VersionError if it is not this one."""
    if version != __version__:
        raise VersionError(
            f"pickled by puzzlehunt {version}, and this is {__version__}; open it again from its "
            "game and rows"
        )
    return STAMP
