"""What a strict type checker says of programs that use the library."""

import doctest
import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory):
    """A function that returns what mypy says of a program, as somebody else would run it."""
    folder = tmp_path_factory.mktemp("types")

    def check(program: str) -> list[str]:
        file = folder / "program.py"
        file.write_text(program, encoding="utf-8")
        options = ["--strict", "--config-file=", "--no-error-summary", f"--cache-dir={folder}"]
        said, trouble, _ = api.run([*options, str(file)])
        return [*said.splitlines(), *trouble.splitlines()]

    return check


@pytest.mark.parametrize("name", ["README.md", "docs/library.md", "docs/lab.md"])
def test_examples_in_documents_are_well_typed(checked, name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    examples = [example.source for example in doctest.DocTestParser().get_examples(text)]
    unrun = re.findall(r"^```py\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(examples) > 3
    assert checked("".join([*examples, *unrun])) == []


def test_a_name_that_the_package_lacks_is_an_error(checked) -> None:
    begin = "import puzzlehunt\nprint(puzzlehunt.suggest, puzzlehunt.__version__)\n"
    assert checked(begin) == []
    (said,) = checked(f"{begin}print(puzzlehunt.nosuch)\n")
    assert '"nosuch"' in said
