"""The command `serve`: a team's boards in a browser and over HTTP."""

from pathlib import Path
from typing import Any

from puzzlehunt.cli.streams import INTERRUPTED, note, read_lines
from puzzlehunt.errors import SessionError, missing_package
from puzzlehunt.game.files.trusted_files import state_folder


def serve(password_file: Path | None, folder: Path | None, **options: Any) -> None:
    """Run a server of a team's boards, with the options of `ServerOptions`, until it is stopped."""
    try:
        from puzzlehunt.web import server
    except ModuleNotFoundError as error:
        raise missing_package(f"serve needs {error.name}", "web") from None
    folder = folder or state_folder() / "boards"
    what = server.ServerOptions(folder=folder, password=_password(password_file), **options)
    try:
        server.serve(what, note)
    except KeyboardInterrupt:  # its usual end, which needs no message
        raise SystemExit(INTERRUPTED) from None


def _password(file: Path | None) -> str:
    password = "".join(read_lines(str(file))[:1]).strip() if file else ""
    if file and not password:
        raise SessionError(f"{file}: the first line is empty, where the password should be")
    return password
