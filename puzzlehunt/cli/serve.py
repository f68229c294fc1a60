"""The command `serve`: a team's boards in a browser and over HTTP."""

from pathlib import Path

from puzzlehunt.cli.asked import Asked, takes
from puzzlehunt.cli.options import (
    BIND,
    BOARDS,
    DATA,
    HOST_NAME,
    MOST_BOARDS,
    PASSWORD_FILE,
    PORT,
    PROXY,
    REQUESTS,
    WORKERS,
)
from puzzlehunt.cli.output import note
from puzzlehunt.errors import SessionError, missing_package


@takes(BOARDS, DATA, BIND, PORT, HOST_NAME, PROXY, PASSWORD_FILE, MOST_BOARDS, REQUESTS, WORKERS)
def serve(asked: Asked) -> None:
    """A team's boards in a browser: a page to open, and a link to share.

    puzzlehunt serve cryptic

    puzzlehunt serve --data hunt --port 8080 --password-file secret.txt
    """
    try:
        from puzzlehunt.web import server
    except ModuleNotFoundError as error:
        raise missing_package(f"serve needs {error.name}", "web") from None
    from puzzlehunt.game.files.trusted_files import state_folder

    data = asked[DATA]
    what = server.ServerOptions(
        boards=asked[BOARDS] or [],
        folder=state_folder() / "boards" if data is None else data,
        host=asked[BIND],
        port=asked[PORT],
        name=asked[HOST_NAME] or "",
        proxies=asked[PROXY],
        password=_password(asked[PASSWORD_FILE]),
        most_boards=asked[MOST_BOARDS],
        requests_a_minute=asked[REQUESTS],
        workers=asked[WORKERS],
    )
    server.serve(what, note)


def _password(file: Path | None) -> str:
    """Return the password that a file holds, "" without one. Raises SessionError."""
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
