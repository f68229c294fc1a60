"""The command `serve`: a team's boards in a browser and over HTTP."""

from pathlib import Path
from typing import Annotated

import typer

from puzzlehunt.cli import options
from puzzlehunt.cli.options import option
from puzzlehunt.cli.streams import note
from puzzlehunt.errors import SessionError, missing_package
from puzzlehunt.game.files.trusted_files import state_folder

app = typer.Typer(rich_markup_mode=None)


@app.command()
def serve(
    boards: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME|FILE",
            help="Boards: games, sizes, and files.",
            autocompletion=options.games,
        ),
    ] = None,
    data: Annotated[
        Path | None, option("--data", "DIR", "The folder where boards are kept.")
    ] = None,
    host: Annotated[
        str, option("--host", "HOST", "Who can come: 0.0.0.0 is everybody.")
    ] = "127.0.0.1",
    port: Annotated[int, option("--port", "PORT", "The port.", least=0)] = 8765,
    name: Annotated[
        str | None,
        option("--name", "NAME", "The host name that visitors use, behind another server."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        option(
            "--proxy",
            "ADDRESS",
            "A server on another machine that visitors come by; may be repeated.",
        ),
    ] = None,
    password_file: Annotated[
        Path | None, option("--password-file", "FILE", "Visitors need the password in this file.")
    ] = None,
    most_boards: Annotated[
        int, option("--boards", "N", "How many boards there may be.", least=1)
    ] = 1_000,
    requests: Annotated[
        int, option("--requests", "N", "Requests a minute of one visitor; 0: any.", least=0)
    ] = 1_200,
    workers: Annotated[
        int, option("--workers", "N", "How many processes answer questions.", least=2)
    ] = 3,
) -> None:
    """A team's boards in a browser: a page to open, and a link to share.

    puzzlehunt serve cryptic

    puzzlehunt serve --data hunt --port 8080 --password-file secret.txt
    """
    try:
        from puzzlehunt.web import server
    except ModuleNotFoundError as error:
        raise missing_package(f"serve needs {error.name}", "web") from None
    what = server.ServerOptions(
        boards=boards or [],
        folder=state_folder() / "boards" if data is None else data,
        host=host,
        port=port,
        name=name or "",
        proxies=proxy or [],
        password=_password(password_file),
        most_boards=most_boards,
        requests_a_minute=requests,
        workers=workers,
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
