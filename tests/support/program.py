"""The program, run in this process or in one of its own."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from puzzlehunt.cli import main


@cache
def commands() -> dict[str, Any]:
    """Return every command of the program by its full name, `lab run` included."""
    program = get_command(main.app)
    lab = program.commands.pop("lab")  # type: ignore[attr-defined]
    return {
        **program.commands,  # type: ignore[attr-defined]
        **{f"lab {name}": command for name, command in lab.commands.items()},
    }


Program = Callable[..., Any]
"""The type of the fixtures `run` and `start`, and of others that are functions."""


@dataclass(frozen=True)
class Run:
    """How the program ended, and what it printed."""

    status: int
    out: str
    err: str


def _check_errors(printed: str) -> None:
    """Assert that the program met no error but its own."""
    assert "Traceback" not in printed
    assert "this should not happen" not in printed


def _check_options(arguments: tuple[str, ...], printed: str) -> None:
    """Assert that what a command prints proposes no option that it lacks."""
    command = commands().get(" ".join(arguments[:2])) or commands().get("".join(arguments[:1]))
    own = {name for each in (command or commands()["play"]).params for name in each.opts}
    of_others = re.sub(r"puzzlehunt [-a-z].*", "", printed)
    assert {*re.findall(r"--[a-z][a-z-]+", of_others)} <= {*own, *arguments}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, and the home of a user who has never played; empty."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Run]:
    """A function that runs the command line in this process, from an empty folder."""

    def run(*arguments: str, stdin: str | bytes = "") -> Run:
        monkeypatch.setattr(sys, "argv", ["puzzlehunt", *arguments])
        piped = (
            StringIO(stdin) if isinstance(stdin, str) else TextIOWrapper(BytesIO(stdin), "utf-8")
        )
        monkeypatch.setattr(sys, "stdin", piped)
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main.main()
        printed = capsys.readouterr()
        status = left.value.code
        _check_errors(printed.err)
        _check_options(arguments, printed.err)
        return Run(status if isinstance(status, int) else 0, printed.out, printed.err)

    return run


@pytest.fixture
def start(home: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """A function that runs the program in a process of its own, from an empty folder."""

    def start(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        options = {"capture_output": True, "timeout": 120, **options}
        command = [sys.executable, "-m", "puzzlehunt", *arguments]
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run(command, check=False, **options)
        _check_errors((done.stderr or b"").decode(errors="replace"))
        return done

    return start


def shell(command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command of the shell, with nothing on its standard input."""
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, input=b"", timeout=60, check=False
    )
