"""Reading files that somebody else may have written: of bounded size, and without waiting."""

from pathlib import Path

from puzzlehunt.errors import PuzzlehuntError, SessionError


def path_written(name: str) -> Path:
    """Return the path for a text, with `~` and `~anna` expanded if such home folders exist."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def read_bytes(path: Path, most: int, failure: type[PuzzlehuntError]) -> bytes:
    """Return the content of a file, or of a pipe that the shell has opened.

    Raises a `failure`, which names the file, if it cannot be read, if it has more than `most`
    bytes, and for a named pipe, to which perhaps nobody writes.
    """
    try:
        # Open streams, such as /dev/stdin and those of `<(...)`, have somebody who writes.
        if path.is_fifo() and not str(path.absolute()).startswith(("/dev/", "/proc/")):
            raise OSError(0, "it is not a regular file")
        with path.open("rb") as file:
            raw = file.read(most + 1)
        if len(raw) > most:
            raise OSError(0, f"it is larger than {most // 1_000_000} MB")
    except OSError as error:
        raise failure(f"{path}: cannot be read ({error.strerror})") from None
    return raw


def read_text(
    path: Path, most: int = 64_000_000, failure: type[PuzzlehuntError] = SessionError
) -> str:
    """Return the text of a file, with its line breaks; raises as `read_bytes` does."""
    try:
        return read_bytes(path, most, failure).decode("utf-8")
    except UnicodeDecodeError:
        raise failure(f"{path}: this is not a text file in UTF-8") from None
