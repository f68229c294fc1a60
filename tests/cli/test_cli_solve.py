"""The commands that play alone: solve, and the lab's tournaments."""

import json
from pathlib import Path

import pytest

from program import Program

# Playing alone.


def test_solve_ends_with_the_secret_and_its_turns_are_rows(run: Program) -> None:
    asked = ["solve", "nethack", "--secret", "FFAAB", "--set", "play.opening=AABBC"]
    done = run(*asked)
    told = json.loads(run(*asked, "--json").out)
    assert done.status == 0
    assert set(told) == {"secret", "solved", "guesses", "facts", "turns", "seconds", "strategies"}
    assert told["solved"]
    assert told["guesses"] == len(told["turns"]) == len(told["strategies"])
    assert told["turns"][-1]["guess"] == told["secret"] == "FFAAB"
    *rows, end = done.out.splitlines()
    assert [row.split(":")[0] for row in rows] == [
        f"{number}. {turn['guess']}" for number, turn in enumerate(told["turns"], start=1)
    ]
    assert done.err == "(guesses by a book (nethack, deep))\n"
    assert end == f"Solved in {told['guesses']} guesses: FFAAB"
    turns = "\n".join(f"{turn['guess']} {turn['clue']}" for turn in told["turns"][:-1])
    assert "FFAAB" in run("candidates", "nethack", "--history", "-", stdin=turns).out.split()


def test_solve_gives_up_after_the_attempts_of_the_game(run: Program) -> None:
    done = run("solve", "mastermind", "--secret", "PYPO", "--set", "play.attempts=2", "--json")
    assert done.status == 1
    assert json.loads(done.out)["solved"] is False
    assert json.loads(done.out)["guesses"] == 2


def test_solve_goes_on_from_a_log_and_draws_what_the_log_allows(run: Program) -> None:
    for seed in ("0", "1"):
        done = run("solve", "heart-2018", "--secret", "random", "--seed", seed, "--json")
        assert done.status == 0
        assert json.loads(done.out)["turns"][:2] == [
            {"guess": "WORST", "clue": "R____"},
            {"guess": "HOUSE", "clue": "RR___"},
        ]


def test_lab_run_counts_guesses_until_played_and_until_known(run: Program) -> None:
    done = run("lab", "run", "2x3", "--strategy", "parts", "--pool", "candidates", "--json")
    told = json.loads(done.out)
    assert set(told) == {
        *("game", "strategy", "pool", "ties", "opening", "seed", "version", "games", "total"),
        *("average", "worst", "histogram", "interval", "known", "seconds", "exact", "basis"),
        *("weighed", "unlisted"),
    }
    assert set(told["known"]) == {"total", "average", "worst", "histogram", "interval", "weighed"}
    assert (told["game"], told["strategy"], told["pool"]) == ("2x3", "parts", "candidates")
    assert (told["ties"], told["opening"], told["seed"]) == ("candidate", "AB", 0)
    assert (told["interval"], told["exact"], told["basis"]) == (None, True, "")
    assert (told["weighed"], told["unlisted"]) == (None, [])
    for counts in (told, told["known"]):
        assert sum(counts["histogram"].values()) == told["games"] == 9
        assert sum(int(n) * times for n, times in counts["histogram"].items()) == counts["total"]
        assert counts["average"] == round(counts["total"] / 9, 6)
        assert counts["worst"] == max(map(int, counts["histogram"]))
    assert told["known"]["total"] < told["total"]


def test_lab_run_writes_a_line_a_game_and_leaves_a_file_alone(run: Program, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    assert run("lab", "run", "2x3", "--csv", str(file)).status == 0
    text = file.read_text(encoding="utf-8")
    assert text.startswith("secret,played,known\nAA,")
    assert len(text.splitlines()) == 10
    again = run("lab", "run", "2x3", "--csv", str(file))
    assert (again.status, again.out) == (2, "")
    assert file.read_text(encoding="utf-8") == text
    options = ("--strategy", "first", "--force")
    assert run("lab", "run", "2x3", "--csv", str(file), *options).status == 0
    assert file.read_text(encoding="utf-8") != text
    file.write_text("game: 2x3\n")
    again = run("lab", "run", "2x3", "--csv", str(file), *options)
    assert (again.status, again.out, file.read_text()) == (2, "", "game: 2x3\n")


def test_lab_run_plays_the_secrets_of_a_file_by_what_the_game_believes(
    run: Program, home: Path
) -> None:
    (home / "own.yaml").write_text(
        "secret: {words: [bight 5, fight, light, might], length: 5}\nrule: marks\n"
    )
    (home / "given.txt").write_text("# of last week\nmight\nBIGHT 3\nNIGHT\nmight\nwight\n")
    assert "NIGHT, WIGHT\n" in run("lab", "run", "own.yaml", "--secrets", "given.txt").err
    told = json.loads(run("lab", "run", "own.yaml", "--secrets", "given.txt", "--json").out)
    assert (told["games"], told["unlisted"]) == (2, ["NIGHT", "WIGHT"])
    # BIGHT is the likeliest and guessed first, whatever is to be found.
    assert (told["opening"], told["histogram"]["1"]) == ("BIGHT", 1)
    assert (told["interval"], told["weighed"]) == (None, None)
    (home / "given.txt").write_text("night\n")
    done = run("lab", "run", "own.yaml", "--secrets", "given.txt")
    assert (done.status, done.out) == (1, "")


@pytest.mark.parametrize("strategy", ["entropy", "consistent"])
def test_lab_run_goes_on_from_a_log_with_the_secrets_that_it_leaves(
    strategy: str, run: Program
) -> None:
    log = ["--strategy", strategy, "--set", "turns=[AABB 1 1]", "--json"]
    left = json.loads(run("candidates", "4x4", "--set", "turns=[AABB 1 1]", "--json").out)["count"]
    assert json.loads(run("lab", "run", "4x4", *log).out)["games"] == left
    assert json.loads(run("lab", "run", "4x4", *log, "--secrets", "5").out)["games"] == 5


# Files of `lab run`.

OPTIMAL = ["lab", "run", "3x4", "--strategy", "optimal"]
NUMBA = pytest.mark.needs("numba")


@NUMBA
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
    assert stopped.err.endswith("puzzlehunt: stopped\n")
    assert (no_checkpoint.status, no_checkpoint.out) == (130, "")
    assert no_checkpoint.err.endswith("puzzlehunt: stopped\n")
    assert not (home / "written").exists()
    assert run(*command).status == 0
    assert (home / "written").read_text()
