"""Every block of code on the pages of the site is right."""

import configparser
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from puzzlehunt.cli.main import app
from transcripts import TRANSCRIPTS, error_of, replayed

reference_pages = pytest.importorskip("reference_pages")

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    {ROOT / "README.md"}
    | {page for one in reference_pages.PAGES for page in ROOT.glob(one.replace("**", "**/*"))}
)
TESTERS = [
    path.read_text(encoding="utf-8")
    for path in (ROOT / "tests").rglob("package/test_*.py")
    if "doctest.testfile" in path.read_text(encoding="utf-8")
]
"""The tests that run the examples of pages."""
PROGRAM = get_command(app)
_BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROGRAM = re.compile(r"(?:\S*/)?puzzlehunt (?!tree 1$)(.*)")
_ENDS = re.compile(r"[|&;<>]")


def blocks() -> Iterator[Any]:
    """Yield each block of a page: the page, its language, and its text."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        name = page.relative_to(ROOT).as_posix()
        if name.removeprefix("docs/").removesuffix(".md") == "commands":
            text = reference_pages.commands(text)
        for place, block in enumerate(_BLOCK.finditer(text), 1):
            yield pytest.param(name, *block.groups(), id=f"{name}-{place}")


@pytest.mark.parametrize(("page", "language", "text"), [*blocks()])
def test_a_block_of_code_is_right(page: str, language: str, text: str) -> None:
    known = {
        "": check_commands, "sh": check_commands, "yaml": check_game, "toml": tomllib.loads,
        "ini": check_unit, "dockerfile": check_container,
    }  # fmt: skip
    if language == "python" and ">>>" in text:
        assert any(Path(page).name in tester for tester in TESTERS)
    elif language == "python":
        check_definition(text)
    elif language in known:
        known[language](text)
    else:
        # Replayed below; played in the slow tests; of another server; of Sphinx.
        assert re.match(r"console$|yaml \S+$|py$|nginx$|\{(?:toctree|literalinclude)\}", language)


@pytest.mark.parametrize(
    "page",
    [
        page
        for page in PAGES
        if "```console" in page.read_text(encoding="utf-8")
        # Those of the rules are tried with the games.
        and page not in (*TRANSCRIPTS, ROOT / "docs" / "rules.md")
    ],
    ids=lambda page: page.stem,
)
def test_a_page_shows_what_is_printed_today(page: Path, home: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert replayed(text) == text


def check_commands(text: str) -> None:
    """Parse the lines that call the program, as a shell and then the program would."""
    for line in text.splitlines():
        if called := _PROGRAM.search(line.partition("  # ")[0]):
            parse(shlex.split(_ENDS.split(_quoted(called[1]))[0].replace("\0", "|")))
        elif script := re.match(r"python (\S+\.py)", line):
            assert (ROOT / script[1]).is_file()


def _quoted(line: str) -> str:
    """Return a line whose signs of the shell inside quotes are none to `_ENDS`."""
    return re.sub(
        r"'[^']*'|\"[^\"]*\"",
        lambda text: shlex.quote(text[0][1:-1].translate(str.maketrans("|&;<>", "\0\0\0\0\0"))),
        line,
    )


def parse(words: list[str]) -> None:
    """Parse the arguments of the program. Raises an error of typer for a wrong one."""
    command, context = PROGRAM, None
    name = "puzzlehunt"
    while True:
        context = command.make_context(name, list(words), parent=context)
        if not hasattr(command, "commands"):
            return
        name, command, words = command.resolve_command(context, words)


def check_definition(text: str) -> None:
    """Run a block that defines something, such as a rule of an author's own."""
    names: dict[str, Any] = {}
    exec(text, names)
    assert callable([*names.values()][-1])


def check_game(text: str) -> None:
    """Load a game file, or some keys of one."""
    whole = text if "secret:" in text else f"game: cryptic\n{text}"
    assert error_of(whole) == "no error"


def check_unit(text: str) -> None:
    """Read a service of systemd; what it starts is parsed."""
    unit = configparser.ConfigParser()
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(text)
    check_commands(unit["Service"]["ExecStart"])


def check_container(text: str) -> None:
    """Parse what a container starts."""
    started = re.search(r"^CMD (.*)$", text, re.MULTILINE)
    assert started is not None
    parse(json.loads(started[1])[1:])
