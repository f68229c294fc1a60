"""A server of boards that all tests share; slow ones, which end it, have one for each file."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from servers import ServerProcess


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator["ServerProcess"]:
    yield from serving(tmp_path_factory.mktemp("served"))


def serving(folder: Path) -> Iterator["ServerProcess"]:
    """Yield a server with the board of a game file, whose words are in another file."""
    from servers import ServerProcess  # its packages are those of an extra

    (folder / "words.txt").write_text("ABBA\nACAC\nBACA\n")
    own = folder / "own.yaml"
    own.write_text("title: Own words\nsecret: {words: words.txt}\nrule: marks\n")
    server = ServerProcess(folder / "boards", str(own), "--boards", "500")
    yield server
    server.stop()
    assert "Traceback" not in server.folder.with_suffix(".log").read_text()
