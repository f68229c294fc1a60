"""Reading files that somebody else may have written: of bounded size, and without waiting."""

from pathlib import Path


def path_written(name: str) -> Path:
    """Return the path for a text, with `~` and `~anna` expanded if such home folders exist."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a file, or of a pipe that the shell has opened.

    Raises OSError for a file of more than `most` bytes, and for a named pipe, to which perhaps
    nobody writes. The error's `strerror` names the reason.
    """
    # Open streams, such as /dev/stdin and those of `<(...)`, have somebody who writes.
    if path.is_fifo() and not str(path.absolute()).startswith(("/dev/", "/proc/")):
        raise OSError(0, "it is not a regular file")
    with path.open("rb") as file:
        raw = file.read(most + 1)
    if len(raw) > most:
        raise OSError(0, f"it is larger than {most // 1_000_000} MB")
    return raw
