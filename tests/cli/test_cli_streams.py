"""Streams that are closed, full, or hold no text."""

import json
import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from cases import cases
from program import Program, shell

POSIX = pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX systems")


@POSIX
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        *(
            pytest.param(line.split(), marks=pytest.mark.slow)
            for line in ("candidates 4x6 --limit 9999", "games", "play 2x2")
        ),
    ],
)
def test_a_full_disk_behind_stdout_is_one_line_and_status_2(
    arguments: list[str], start: Program
) -> None:
    with Path("/dev/full").open("wb") as full:
        done = start(*arguments, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert done.stderr == b"puzzlehunt: No space left on device\n"


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "closed"), cases("closed streams"))
def test_closed_streams_lead_nowhere(arguments: str, closed: str, home: Path) -> None:
    done = shell(f'"{sys.executable}" -m puzzlehunt {arguments} {closed}')
    assert done.returncode == (2 if "nothing" in arguments else 0)
    assert b"should not happen" not in done.stderr
    assert b"Traceback" not in done.stderr
    if "nothing" in arguments:
        assert done.stdout == b""


@POSIX
def test_a_reader_that_goes_away_is_no_error(home: Path) -> None:
    program = (
        f'yes "HEART HORSE" | ("{sys.executable}" -m puzzlehunt score 5x26 -; echo $? >status)'
    )
    done = shell(f"{program} | head -2")
    assert done.stdout.count(b"\n") == 2
    assert done.stderr == b""
    assert Path("status").read_text() == "141\n"


def test_what_a_library_prints_on_stdout_is_not_among_the_results(start: Program) -> None:
    Path("noisy.py").write_text(
        "import os\n"
        "def largest(counts):\n"
        "    os.write(1, b'Cycling detected 2 times:')\n"
        "    return counts.max(axis=-1)\n"
    )
    done = start("suggest", "4x6", "--strategy", "noisy.py:largest", "--json")
    assert json.loads(done.stdout)["suggestions"]
    assert b"Cycling detected" in done.stderr


def test_bytes_that_are_no_text_are_shown_and_skipped(run: Program) -> None:
    lines = b"\xef\xbb\xbfHEART HORSE\nHE\xffRT HORSE\n\x00 HORSE\nHEART HORSE\n"
    done = run("score", "5x26", "-", stdin=lines)
    told = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 0
    assert ["error" in t for t in told] == [False, True, True, False]


def test_streams_that_cannot_spell_a_symbol_write_it_another_way(
    run: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    symbols = ["--set", "secret={symbols: [é, ü, A], length: 2}"]
    printed = []
    for options in (["--json"], []):
        written = BytesIO()
        stdout = TextIOWrapper(written, "ascii")
        monkeypatch.setattr(sys, "stdout", stdout)
        run("candidates", "2x2", *symbols, *options)
        stdout.flush()
        printed.append(written.getvalue())
    assert json.loads(printed[0])["candidates"][0] == "éé"
    assert printed[1].split()[0] == rb"\xe9\xe9"
