"""A server of boards for the tests of a file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from servers import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator["ServerProcess"]:
    from servers import ServerProcess  # its packages are those of an extra

    server = ServerProcess(tmp_path_factory.mktemp("boards"), "--requests", "0", "--boards", "60")
    yield server
    server.stop()
    assert "Traceback" not in server.folder.with_suffix(".log").read_text()
