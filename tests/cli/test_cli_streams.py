"""Streams that are closed, full, or hold no text."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]

POSIX = pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX systems")


@POSIX
@pytest.mark.parametrize(
    "arguments",
    [["games"], ["candidates", "cryptic", "--limit", "9999"], ["--help"], ["play", "2x2"]],
)
def test_a_full_disk_behind_stdout_is_one_line_and_status_2(
    arguments: list[str], start: Program
) -> None:
    with Path("/dev/full").open("wb") as full:
        done = start(*arguments, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert done.stderr == b"puzzlehunt: No space left on device\n"


@POSIX
def test_a_reader_that_goes_away_is_no_error(home: Path) -> None:
    command = f'yes "HEART HORSE" | "{sys.executable}" -m puzzlehunt score cryptic - | head -2'
    done = _shell(command)
    assert done.stdout.count(b"\n") == 2
    assert done.stderr == b""


def test_bytes_that_are_no_text_are_shown_and_skipped(start: Program) -> None:
    lines = b"\xef\xbb\xbfHEART HORSE\nHE\xffRT HORSE\n\x00 HORSE\nHEART HORSE\n"
    done = start("score", "cryptic", "-", input=lines)
    told = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert done.returncode == 0
    assert ["error" in t for t in told] == [False, True, True, False]


def test_streams_that_cannot_spell_a_symbol_write_it_another_way(
    start: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    symbols = ["--set", "secret={symbols: [é, ü, A], length: 2}"]
    told = json.loads(start("candidates", "2x2", *symbols, "--json").stdout)
    assert told["candidates"][0] == "éé"
    assert start("candidates", "2x2", *symbols).stdout.split()[0] == rb"\xe9\xe9"


def _shell(command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, input=b"", timeout=60, check=False
    )
