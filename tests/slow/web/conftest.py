"""A server for each file, since some tests end it."""

from collections.abc import Iterator

import pytest

from served import serving
from servers import ServerProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    yield from serving(tmp_path_factory.mktemp("served"))
