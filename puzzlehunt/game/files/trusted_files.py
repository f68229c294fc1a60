"""Which files a game file may name: those below its own folder.

A stranger's game file can therefore read no other files on this computer. A user can name any file
on the command line (`--words /a/list`), again whenever a session with it is opened.
"""

import os
from pathlib import Path
from shlex import quote

from puzzlehunt.codes.files import path_written
from puzzlehunt.game.files.document import Document, KeyPath


def state_folder() -> Path:
    """Return the user's state folder, for files that the program writes on its own."""
    import platformdirs

    return platformdirs.user_state_path("puzzlehunt")


def sessions_folder() -> Path:
    """Return the folder of sessions that are saved automatically."""
    return state_folder() / "sessions"


def may_read(path: Path, folder: Path) -> bool:
    """Return whether a game file in `folder` may name another file, with links resolved.

    It may if the file is below this folder, which may also be that of automatic sessions.
    """
    real, real_folder = os.path.realpath(path), os.path.realpath(folder)
    is_below = Path(real).is_relative_to(real_folder)
    return is_below or real_folder == os.path.realpath(sessions_folder())


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
    key = ".".join(map(str, path))
    option = {
        "game": "play {} --session FILE",
        "secret.words": "--words {}",
        "play.strategy": "--strategy tree:{}",
    }.get(key, f"--set {key}={{}}")
    named = option.format(quote(os.path.normpath(file)))
    problem = f"{name!r} lies outside of the folder of this file; to read it, name it: {named}"
    raise document.error(path, problem)
