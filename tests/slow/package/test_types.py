"""What a strict type checker says of programs that use the library."""

import doctest
import re
from pathlib import Path

import pytest
from mypy import api

import puzzlehunt

ROOT = Path(__file__).resolve().parents[3]


def test_examples_in_documents_are_well_typed_and_an_unknown_name_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MYPYPATH", str(ROOT / "examples" / "worked"))
    every = f"from puzzlehunt import {', '.join(puzzlehunt.__all__)}\n"
    unknown = "import puzzlehunt\nprint(puzzlehunt.__version__, puzzlehunt.nosuch)\n"
    programs = {"every": every, "unknown": unknown}
    for name in ("README", "docs/library", "docs/lab", "docs/worked-examples"):
        text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        examples = [example.source for example in doctest.DocTestParser().get_examples(text)]
        unrun = re.findall(r"^```py\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        assert len(examples) > 3
        programs[Path(name).name.lower()] = "".join([*examples, *unrun])
    for name, program in programs.items():
        (tmp_path / f"{name}.py").write_text(program, encoding="utf-8")
    options = ["--strict", "--config-file=", "--no-error-summary", f"--cache-dir={tmp_path}"]
    files = [str(tmp_path / f"{name}.py") for name in programs]
    said, trouble, _ = api.run([*options, *files])
    (line,) = [*said.splitlines(), *trouble.splitlines()]
    assert "unknown.py:2" in line
    assert '"nosuch"' in line
