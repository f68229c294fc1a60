"""What `check --json` says of a game file that is right; its words are in the transcripts."""

import json
from collections.abc import Callable
from pathlib import Path

from program import Run

Program = Callable[..., Run]

MINE = """title: Mine
secret: {symbols: {R: [red, 1], G: green, B: blue}, length: 2}
turns: [RG B]
"""


def test_check_has_json_of_what_a_file_means(run: Program, home: Path) -> None:
    (home / "mine.yaml").write_text(MINE, encoding="utf-8")
    told = json.loads(run("check", "mine.yaml", "--json").out)
    assert (told["name"], told["title"], told["secrets"]) == ("mine.yaml", "Mine", 9)
    assert told["meaning"] == run("check", "mine.yaml").out.splitlines()[1:-2]
    assert (told["rows"], told["count"], told["consistent"], told["notes"]) == (1, 4, True, [])
    assert told["suggestions"][0]["guess"] == "RB"
    facts = ("--set", "facts=[no B, starts with R or G]")
    told = json.loads(run("check", "mine.yaml", "--json", *facts).out)
    assert (told["rows"], told["facts"], told["count"]) == (1, 2, 2)


def test_rows_that_contradict_each_other_end_with_1(run: Program, home: Path) -> None:
    (home / "mine.yaml").write_text(MINE, encoding="utf-8")
    done = run("check", "mine.yaml", "--json", "--set", "turns=[RG B, RG B, GR B, BB B]")
    told = json.loads(done.out)
    assert (done.status, len(done.err.splitlines())) == (1, 1)
    assert (told["count"], told["consistent"], told["suggestions"]) == (0, False, [])
    assert len(told["notes"]) == 1


def test_notes_are_on_stderr(run: Program) -> None:
    done = run("check", "heart-2018")
    assert done.status == 0
    assert [line.partition(":")[0] for line in done.err.splitlines()] == ["note"] * 3
    assert len(json.loads(run("check", "heart-2018", "--json").out)["notes"]) == 3
