"""Results as pandas frames; pandas is an extra, and is imported when a frame is made."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from puzzlehunt.errors import missing_package

if TYPE_CHECKING:
    from pandas import DataFrame


def frame(columns: Mapping[str, Sequence[object]]) -> "DataFrame":
    """Return a pandas frame of columns. Raises PuzzlehuntError if pandas is not installed."""
    try:
        import pandas
    except ImportError:
        raise missing_package("a frame needs pandas", "frames") from None
    return pandas.DataFrame(dict(columns))
