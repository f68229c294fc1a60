"""Everything that can be typed, at random: nothing may end in a traceback or "should not happen".

usage: python tools/everything.py {games,others,lines,commands,sessions} [CASES] [--seed N]

- games: every command, and every command of `play`, about random rows of a random game: read in
  part, wrong or doubted, with random options. Rows that are all true must leave a candidate.
- others: facts, and the commands that play by themselves: solve, host, lab run, compare and plot.
- lines: random lines typed in a game.
- commands: random command lines.
- sessions: mutated files of played games.

Prints what each case that failed typed and was told, and how many failed. Exit status 1 if any did.
"""

import support  # noqa: F401

# isort: split
import argparse
import json
import os
import random
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from mutated_files import changed
from puzzlehunt.cli import main as program
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files.gamefile import built_in_games, load
from puzzlehunt.game.game import Game
from puzzlehunt.session.commands import COMMANDS
from random_games import fact

SIZES = ["1x1", "1x4", "2x2", "2x3", "3x4", "4x6", "5x8", "8x4", "16x6", "24x8", "30x6", "32x10",
         "40x40", "100x20"]  # fmt: skip
OPTIONS = [
    *(["--hard"], ["--reads", "learn"], ["--reads", "black=0.3,white=0.5"], ["--reads", "0.5"]),
    *(["--set", f"lies.{key}"] for key in ("at_most=1", "exactly=1", "chance=0.2", "at_most=9")),
    *(["--set", text] for text in ("misread=0.05", "ignore_foreign=true", "boards=2", "hard=true")),
    *(["--engine", name] for name in ("explicit", "symbolic", "linear", "logic")),
    *(["--strategy", name] for name in ("deep", "minimax", "parts", "first", "consistent")),
    *(["--pool", name] for name in ("candidates", "secrets", "all")),
    *(["--words", "large"], ["--guesses", "huge"], ["--opening", "AABB"], ["--seed", "7"]),
]  # fmt: skip
SLOW, SLOW_LINE = 60.0, 10.0
"""A case that takes longer is told: this, and so much for each line typed (seconds)."""
SIGNS = [*"_?*[].:;,|-=<>/#\\'\"%~+&@!$0123456789 \t\0\x1b\u202e",
         "\N{GREEN HEART}", "\N{LARGE RED CIRCLE}",
         "none", "won", "solved", " ?", " ?20%", "black", "white", "gears", "row 1", "1 ", "2b",
         ">=1", "1-2", "[14:03] ", "NAME: ", " -> ", "not ", "contains ", "all", "huge", "-1",
         "99999999999", "20%", "B=0.1", "learn", "\N{LATIN SMALL LETTER SHARP S}"]  # fmt: skip


@dataclass(frozen=True)
class Told:
    """How a command ended, what it printed, and how long it took (seconds)."""

    status: int
    out: str
    err: str
    seconds: float


@contextmanager
def _streams(folder: Path, stdin: str) -> Iterator[None]:
    """Standard streams that are a text and two files in a folder."""
    before = sys.stdin, sys.stdout, sys.stderr
    with (
        (folder / "out").open("w", encoding="utf-8") as out,
        (folder / "err").open("w", encoding="utf-8") as err,
    ):
        sys.stdin, sys.stdout, sys.stderr = StringIO(stdin), out, err
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before


def told(arguments: list[str], stdin: str, folder: Path) -> Told:
    """Run a command line in this process."""
    before, begin = sys.argv, time.monotonic()
    sys.argv = ["puzzlehunt", *arguments]
    try:
        with _streams(folder, stdin):
            program.main()
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 0
    finally:
        sys.argv = before
    out, err = ((folder / name).read_text(encoding="utf-8") for name in ("out", "err"))
    return Told(status, out, err, time.monotonic() - begin)


def problem_of(arguments: list[str], stdin: str, ended: Told) -> str:
    """Return what is wrong with how a command ended, "" for nothing."""
    if "this should not happen" in ended.err or "Traceback" in ended.err:
        return ended.err.strip().splitlines()[-1]
    if ended.status not in (0, 1, 2, 3):
        return f"status {ended.status}"
    if ended.status == 2 and ended.out and arguments[0] not in ("play", "host"):
        return f"status 2 and {ended.out[:80]!r} on stdout"
    if "--json" in arguments and ended.status != 2 and arguments[0] != "help":
        # "score GAME -" prints an object for each line of stdin.
        is_lines = arguments[0] == "score" and "-" in arguments
        try:
            for text in ended.out.splitlines() if is_lines else [ended.out]:
                json.loads(text)
        except ValueError:
            return f"status {ended.status} and no JSON: {ended.out[:80]!r}"
    if "--seconds" in arguments and ended.seconds > SLOW + SLOW_LINE * len(stdin.splitlines()):
        return f"took {ended.seconds:.0f} s"
    return ""


# Rows.


@dataclass(frozen=True)
class Log:
    """Random rows of a game, and whether all that they say is true of some secret."""

    rows: list[str]
    is_true: bool


def random_log(game: Game, rng: random.Random) -> Log:
    """Return up to six rows: read in part, wrong or doubted now and then."""
    secret, rows, is_true = game.secrets.random(rng), [], True
    others = [game.secrets.random(rng) for _ in range(3)]
    is_one_code = game.boards == 1
    for _ in range(rng.randint(0, 6)):
        guess = rng.choice([game.guesses.random(rng), *(others if is_one_code else [])])
        is_wrong = rng.random() < 0.1
        answered = rng.choice(others) if is_wrong else secret
        if guess in (secret, answered):
            continue
        clue = game.rule.notation.format(game.turn(guess, game.score(guess, answered)).clue)
        if rng.random() < 0.5:
            unread = game.rule.notation.unread_mark
            clue = "".join(
                unread if sign.isalpha() and rng.random() < 0.4 else sign for sign in clue
            )
        row = f"{game.format_code(guess)} {clue}"
        if rng.random() < 0.1:
            row += rng.choice([" ?", " ?20%"])
        try:
            game.parse_turn(row)
        except PuzzlehuntError:
            continue
        rows.append(row)
        is_true = is_true and not is_wrong
    return Log(rows, is_true)


def random_commands(game: Game, rows: list[str], rng: random.Random) -> list[str]:
    """Return lines of `play`: the rows, with random commands and their arguments between them."""
    code = game.format_code(game.guesses.random(rng))
    arguments = [
        *("", "", "1", "2", "3", "0", "-1", "all", code, f"{code} *", "1 B", "20%", "1 20%"),
        *("not A", f"contains {code[:1]}", "large", "entropy", "new.yaml", "B=0.1"),
    ]
    lines = []
    for row in rows:
        lines.append(row)
        for _ in range(rng.randint(0, 3)):
            name = rng.choice([name for name in COMMANDS if name != "quit"])
            lines.append(f"/{name} {rng.choice(arguments)}")
    return lines


def with_signs(text: str, rng: random.Random) -> str:
    """Return a text with one to three signs or words put in, at times for what stands there."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(SIGNS) + text[at + rng.randint(0, 2) :]
    return text


# Cases.


def games(rng: random.Random, folder: Path) -> tuple[list[str], str, Callable[[Told], str]]:
    """Return a command about random rows, its input, and what must be true of its answer."""
    name = rng.choice([*_names(), *SIZES])
    game = _game(name)
    options = rng.choice(OPTIONS) if rng.random() < 0.4 else []
    log = random_log(game, rng)
    code = game.format_code(game.guesses.random(rng))
    about = [name, *(part for row in log.rows for part in ("-t", row)), *options]
    arguments, stdin = rng.choice(
        [
            (["suggest", *about], ""),
            (["suggest", *about, "--unread"], ""),
            (["suggest", *about, "--try", code], ""),
            (["candidates", *about, "--limit", rng.choice(["0", "1", "20", "1000"])], ""),
            (["explain", *about], ""),
            (["explain", name, *log.rows, code, *options], ""),
            (["explain", *about, "--all"], ""),
            (["review", *about], ""),
            (["export", *about], ""),
            (["score", name, code, code], ""),
            (["play", name, *options], "\n".join(random_commands(game, log.rows, rng))),
            (["play", name, *options], "\n".join(random_commands(game, log.rows, rng))),
            (["play", name, *options], "\n".join(log.rows)),
        ]
    )
    if arguments[0] in ("suggest", "candidates", "explain", "review") and rng.random() < 0.5:
        arguments.append("--json")
    if arguments[0] != "score":
        arguments += ["--seconds", "5"]
    # Rows that a game starts with are of another secret.
    is_true = log.is_true and not options and not len(game.history)
    must_agree = is_true and arguments[0] in ("candidates", "suggest")

    def wrong(ended: Told) -> str:
        if must_agree and ended.status not in (0, 3):
            return f"true rows, and status {ended.status}: {ended.err.strip()[:200]}"
        return ""

    return arguments, stdin, wrong


def others(rng: random.Random, folder: Path) -> tuple[list[str], str, Callable[[Told], str]]:
    """Return a command that plays by itself, or a question about facts, with random options."""
    name = rng.choice([*_names(), *SIZES[:9]])
    game = _game(name)
    options = rng.choice(OPTIONS) if rng.random() < 0.4 else []
    secret = game.secrets.random(rng)
    code, strategies = game.format_code(secret), rng.sample(["first", "parts", "entropy"], 2)
    contenders = [part for strategy in strategies for part in ("--strategy", strategy)]
    played = [name, "--secrets", rng.choice(["1", "3"]), "--budget", "20", "--seed", "1"]
    facts = json.dumps([fact(rng, game, secret).text for _ in range(rng.randint(1, 3))])
    about = [name, "--set", f"facts={facts}", *options, "--seconds", "5"]
    guesses = [game.format_code(game.guesses.random(rng)) for _ in range(rng.randint(1, 9))]
    guesses = [with_signs(guess, rng) if rng.random() < 0.2 else guess for guess in guesses]
    arguments, stdin = rng.choice(
        [
            (["solve", name, "--secret", rng.choice([code, "random"]), "--budget", "20"], ""),
            (["host", name, *rng.choice([[], ["--secret", code]])], "\n".join([*guesses, code])),
            (["lab", "run", *played, "--jobs", "1", "--csv", "games.csv", "--force"], ""),
            (["lab", "compare", *played, *contenders], ""),
            (["lab", "plot", *played, *contenders, "-o", "plot.svg", "--force"], ""),
            (["explain", *about, code], ""),
            (["suggest", *about], ""),
            (["candidates", *about], ""),
            (["export", *about], ""),
        ]
    )
    # What plays by itself has no limit, and by engines that check the others it takes minutes.
    given = [] if "--seconds" in arguments or "--engine" in options else options
    return [*arguments, *given], stdin, lambda _: ""


def lines(rng: random.Random, folder: Path) -> tuple[list[str], str, Callable[[Told], str]]:
    """Return a game into which random lines are typed; some are rows that were changed."""
    name = rng.choice([*_names(), *SIZES[:9]])
    game = _game(name)
    typed = []
    for row in [*random_log(game, rng).rows, *(["/why", "/edit 1", "/fact"] * 2)]:
        kind = rng.random()
        if kind < 0.5:
            text = with_signs(row, rng)
        elif kind < 0.8:
            text = " ".join(rng.choices([*SIGNS, row, *row.split()], k=rng.randint(1, 5)))
        else:
            text = f"/{rng.choice(list(COMMANDS))} {rng.choice([*SIGNS, row])}"
        typed.append(text.replace("/quit", "/certain").replace("/save", "/share"))
    return ["play", name, "--seconds", "5"], "\n".join(typed), lambda _: ""


def commands(rng: random.Random, folder: Path) -> tuple[list[str], str, Callable[[Told], str]]:
    """Return a command line of random words: names, options, values, rows and signs."""
    names = ["suggest", "candidates", "explain", "review", "export", "score", "check", "games",
             "solve", "host", "init", "lab run", "lab compare", "lab verify", "help"]  # fmt: skip
    game = rng.choice([*_names(), *SIZES[:6], "nothing", "0x0", "4x", "x6", "-1x3"])
    words = [*rng.choice(names).split(), game]
    for _ in range(rng.randint(0, 5)):
        words += rng.choice(
            [
                rng.choice(OPTIONS),
                [rng.choice(["--json", "--all", "--unread", "--limit", "--top", "--try", "-t"])],
                [rng.choice(["--secret", "--secrets", "--seed", "--set", "--history", "--budget"])],
                [
                    rng.choice(
                        ["AABB B", "HORSE B_WR_", "CRANE GY..G", "1", "0", "-5", "1e9", "a=b"]
                    )
                ],
                ["".join(rng.choices(SIGNS, k=rng.randint(1, 3)))],
            ]
        )
    if words[0] in ("solve", "lab"):
        words += ["--secrets", "2"] if words[0] == "lab" else ["--budget", "5"]
    elif words[0] not in ("score", "games", "init", "help", "host"):
        words += ["--seconds", "5"]
    return [word.replace("\0", "0") for word in words], "", lambda _: ""


def sessions(rng: random.Random, folder: Path) -> tuple[list[str], str, Callable[[Told], str]]:
    """Return a command about the file of a played game that was changed at random."""
    name = rng.choice([*_names(), "4x6", "16x6"])
    game = _game(name)
    rows = random_log(game, rng).rows
    if is_row_changed := rng.random() < 0.5:
        rows = [with_signs(row, rng) if rng.random() < 0.3 else row for row in rows]
    note = rng.choice(["", "  # from puzzle 12"])
    turns = "".join(f"- {json.dumps(row, ensure_ascii=False)}{note}\n" for row in rows)
    text = f"game: {name}\nturns:\n{turns or '  []'}\nfacts: []\n"
    for _ in range(0 if is_row_changed else rng.randint(1, 2)):
        text = changed(text, rng)
    file = folder / "session.yaml"
    file.write_text(text, encoding="utf-8", newline="")
    command = rng.choice(["play", "candidates", "explain", "suggest", "check", "review"])
    stdin = "/history\n/undo\n/redo\n" if command == "play" else ""
    session = ["--session", str(file)] if command == "play" else [str(file)]
    return [command, *session, "--seconds", "5"], stdin, lambda _: ""


_loaded: dict[str, Game] = {}


def _game(name: str) -> Game:
    if name not in _loaded:
        _loaded[name] = load(name)
    return _loaded[name]


def _names() -> list[str]:
    return list(built_in_games())


_CASES: dict[str, Callable[..., Any]] = {
    "games": games, "others": others, "lines": lines, "commands": commands, "sessions": sessions
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").split("usage: ")[1].split("\n")[0])
    parser.add_argument("what", choices=_CASES)
    parser.add_argument("cases", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    failed, statuses = 0, dict.fromkeys((0, 1, 2, 3), 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"XDG_STATE_HOME": name, "HOME": name, "COLUMNS": "100"}
        (folder / "cwd").mkdir()
        os.chdir(folder / "cwd")
        for seed in range(asked.seed, asked.seed + asked.cases):
            rng = random.Random(f"{asked.what} {seed}")
            arguments, stdin, wrong = _CASES[asked.what](rng, folder)
            ended = told(arguments, stdin, folder)
            statuses[ended.status] = statuses.get(ended.status, 0) + 1
            if problem := problem_of(arguments, stdin, ended) or wrong(ended):
                failed += 1
                print(f"seed {seed}: {problem}\n  {shlex.join(arguments)}\n  {stdin!r}", flush=True)
    ends = ", ".join(f"status {status}: {number:,}" for status, number in statuses.items())
    print(f"{asked.cases:,} cases ({ends}): {failed:,} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
