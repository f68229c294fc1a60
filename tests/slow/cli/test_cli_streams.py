"""Streams that are closed, or full."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from program import shell

Program = Callable[..., Any]

POSIX = pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX systems")


@POSIX
@pytest.mark.parametrize(
    ("arguments", "closed"),
    [
        ("play 2x2", "<&-"),
        ("play 2x2", ">&-"),
        ("play 2x2", "<&- >&- 2>&-"),
        ("candidates 2x2 --history -", "<&-"),
        ("games", ">&-"),
        ("games nothing", "2>&-"),
    ],
)
def test_closed_streams_lead_nowhere(arguments: str, closed: str, home: Path) -> None:
    command = f'"{sys.executable}" -m puzzlehunt {arguments} {closed}'
    done = shell(command)
    assert done.returncode == (2 if "nothing" in arguments else 0)
    assert b"should not happen" not in done.stderr
    assert b"Traceback" not in done.stderr
    if "nothing" in arguments:
        assert done.stdout == b""
