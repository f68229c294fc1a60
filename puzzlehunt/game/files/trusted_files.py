"""Which files a game file may name: those below its own folder, and those that its user named.

A stranger's game file can therefore read no other files on this computer. A user can name any file
on the command line (`--words /a/list`). The session that is saved names this file too, from another
folder; so the program lists such files in the user's state folder, and sessions may name them
again.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from shlex import quote

from puzzlehunt.codes.files import path_written
from puzzlehunt.game.files.document import Document, KeyPath

_LIST, _MOST_LISTED = "named-files", 1_000_000
"""The file in the state folder that lists named files, each a JSON string on a line of its own, and
how much of it is read (characters): far more than anybody names."""


def state_folder() -> Path:
    """Return the user's state folder, for files that the program writes on its own."""
    import platformdirs

    return platformdirs.user_state_path("puzzlehunt")


def sessions_folder() -> Path:
    """Return the folder of sessions that are saved automatically."""
    return state_folder() / "sessions"


def may_read(path: Path, folder: Path) -> bool:
    """Return whether a game file in `folder` may name another file, with links resolved.

    It may if the file is below this folder or in the folder of automatic sessions, or if the user's
    own sessions name it.
    """
    real, real_folder = os.path.realpath(path), os.path.realpath(folder)
    is_below = Path(real).is_relative_to(real_folder)
    return is_below or real_folder == os.path.realpath(sessions_folder()) or real in _named_before()


def check_named(document: Document, path: KeyPath, name: str) -> Path:
    """Return the file named at `path` in a document.

    A file named by an option may be anywhere. Raises GameFileError for a file that the document may
    not name.
    """
    folder = document.folder(path)
    try:
        file = folder / path_written(name)
        if document.is_option(path) or may_read(file, folder):
            return file
    except (OSError, ValueError):
        raise document.error(path, f"{name!r} is not a path") from None
    option = _OPTIONS[path].format(name=quote(os.path.normpath(file)))
    problem = f"{name!r} lies outside of the folder of this file; to read it, name it: {option}"
    raise document.error(path, problem)


_OPTIONS: dict[KeyPath, str] = {
    ("game",): "play {name} --session FILE",
    ("secret", "words"): "--words {name}",
    ("guess", "words"): "--guesses {name}",
    ("secret", "table"): "--set secret.table={name}",
    ("play", "strategy"): "--strategy tree:{name}",
}
"""The option that names a file as the key at a path does."""


def trust(paths: Iterable[Path], session: Path) -> None:
    """Allow game files in every folder to name the files that a session's file names.

    If the state folder cannot be written, these files must be named again on the command line.
    """
    # A file behind a link is read from two folders.
    folders = {session.absolute().parent, Path(os.path.realpath(session)).parent}
    new = {os.path.realpath(p) for p in paths if not all(may_read(p, each) for each in folders)}
    if new:
        with suppress(OSError):
            state_folder().mkdir(parents=True, exist_ok=True)
            with (state_folder() / _LIST).open("a", encoding="ascii") as file:
                file.write("".join(f"{json.dumps(path)}\n" for path in sorted(new)))


def _named_before() -> set[str]:
    named: set[str] = set()
    path = state_folder() / _LIST
    with suppress(OSError, UnicodeDecodeError), path.open(encoding="ascii") as file:
        for line in file.read(_MOST_LISTED).splitlines():
            with suppress(ValueError):
                named.add(str(json.loads(line)))
    return named
