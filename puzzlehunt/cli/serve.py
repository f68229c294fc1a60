"""The command `serve`: a team's boards in a browser and over HTTP."""

from pathlib import Path

from typer import Context

from puzzlehunt.cli.streams import INTERRUPTED, note
from puzzlehunt.errors import SessionError, missing_package
from puzzlehunt.game.files.trusted_files import state_folder


def serve(context: Context) -> None:
    """Run a server of a team's boards until it is stopped."""
    try:
        from puzzlehunt.web import server
    except ModuleNotFoundError as error:
        raise missing_package(f"serve needs {error.name}", "web") from None
    given = context.params
    what = server.ServerOptions(
        boards=given["boards"] or [],
        folder=given["data"] or state_folder() / "boards",
        host=given["host"],
        port=given["port"],
        name=given["name"] or "",
        proxies=given["proxy"] or [],
        password=_password(given["password_file"]),
        most_boards=given["most_boards"],
        workers=given["workers"],
    )
    try:
        server.serve(what, note)
    except KeyboardInterrupt:  # its usual end, which needs no message
        raise SystemExit(INTERRUPTED) from None


def _password(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SessionError(f"{file}: the password cannot be read ({error})") from None
    password = "".join(lines[:1]).strip()
    if not password:
        raise SessionError(f"{file}: the first line is empty, where the password should be")
    return password
