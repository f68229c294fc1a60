"""`lab run --certificate`, and what is printed if a file of `lab run` cannot be written."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]

OPTIMAL = ["lab", "run", "3x4", "--strategy", "optimal"]
pytestmark = pytest.mark.needs("numba")


def test_a_certificate_is_a_file_beside_the_results(run: Program, home: Path) -> None:
    wrote = run(*OPTIMAL, "--certificate", "proof", "--checkpoint", "part")
    again = run(*OPTIMAL, "--certificate", "proof", "--checkpoint", "part", "--force")
    assert (wrote.status, again.status) == (0, 0)
    assert wrote.out == run(*OPTIMAL).out == again.out
    assert (home / "proof").read_text().endswith(f"\n{wrote.out.split('total ')[1].split()[0]}\n")


@pytest.mark.parametrize(
    ("option", "step"),
    [
        ("--csv", "views.tournaments.result_csv"),
        ("--tree", "lab.trees.tree_of_game"),
        ("--certificate", "strategies.search.certificate.certificate_text"),
    ],
)
def test_an_interrupt_leaves_no_file_and_the_checkpoint_continues(
    option: str, step: str, run: Program, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    command = [*OPTIMAL, option, "written", "--checkpoint", "part"]
    with monkeypatch.context() as patch:
        patch.setattr(f"puzzlehunt.{step}", interrupted)
        stopped = run(*command)
        no_checkpoint = run(*command[:-2])
    assert (stopped.status, stopped.out) == (130, "")
    assert stopped.err.endswith("puzzlehunt: stopped; the same command continues from part\n")
    assert (no_checkpoint.status, no_checkpoint.out) == (130, "")
    assert no_checkpoint.err.endswith("puzzlehunt: stopped\n")
    assert not (home / "written").exists()
    assert run(*command).status == 0


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--secrets", "5"], "leave out --secrets"),
        (["--budget", "5"], "without --budget"),
        (["--strategy", "parts"], "needs --strategy optimal"),
        (["--opening", "AAB"], "no given first guess"),
        (["--hard"], "hard mode"),
    ],
)
def test_a_certificate_that_cannot_be_written_is_refused_at_once(
    more: list[str], problem: str, run: Program
) -> None:
    refused = run(*OPTIMAL, *more, "--certificate", "proof")
    assert (refused.status, refused.out) == (2, "")
    assert problem in refused.err
