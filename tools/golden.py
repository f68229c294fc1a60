"""Recorded answers: every command of tests/golden/commands.txt still gives what it gave.

usage: python tools/golden.py [--only TEXT] [--record] [--jobs N]

Runs each command in an empty folder, with --json but for help, and compares the keys of the JSON
contract with tests/golden/expected.json: no seconds, no prose, numbers to 1e-6. More keys and rows
of `expected.json` that no command asks for are no difference. Prints what differs; exit status 1
if anything does. --record writes the answers of today: for those that change on purpose, with
--only, and a line in the changelog.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "golden"
EXPECTED = FOLDER / "expected.json"
KEYS = frozenset(
    """
    count exact candidates code probability nearly suggestions guess value worst candidate chance
    secret feedback black white miss marks matches common consistent conflict repairs turn clue
    because solved guesses turns games total average histogram known boards opening pool ties
    strategy
    """.split()  # noqa: SIM905
)
WITHIN = 1e-6


def kept(value: Any) -> Any:
    """Return the part of an answer that is compared."""
    if isinstance(value, dict):
        return {
            key: part if key == "histogram" else kept(part)
            for key, part in value.items()
            if key in KEYS
        }
    if isinstance(value, list):
        return [kept(part) for part in value]
    return round(value, 6) if isinstance(value, float) else value


def answer(command: str) -> dict[str, Any]:
    """Run a command of the program in a folder and a home of its own."""
    words = shlex.split(command)
    is_json = "--help" not in words
    with tempfile.TemporaryDirectory() as folder:
        homes = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"), folder)
        done = subprocess.run(
            [sys.executable, "-m", "puzzlehunt", *words, *["--json"] * is_json],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, **homes, "NO_COLOR": "1", "COLUMNS": "100"},
            timeout=600,
        )
    try:
        out = kept(json.loads(done.stdout)) if is_json and done.stdout.strip() else None
    except ValueError:
        out = "not JSON"
    return {"status": done.returncode, "out": out, "traceback": "Traceback" in done.stderr}


def agree(expected: Any, given: Any) -> bool:
    """Return whether an answer holds all that is expected, numbers to 1e-6."""
    if isinstance(expected, dict) and isinstance(given, dict):
        return expected.keys() <= given.keys() and all(
            agree(value, given[key]) for key, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(given, list):
        return len(expected) == len(given) and all(map(agree, expected, given))
    numbers = all(
        isinstance(value, int | float) and not isinstance(value, bool)
        for value in (expected, given)
    )
    if numbers:
        return bool(abs(expected - given) <= WITHIN * max(1, abs(expected)))
    return bool(expected == given)


def main() -> int:
    """Compare, or record."""
    parser = argparse.ArgumentParser(description="Answers that must not change.")
    parser.add_argument("--only", default="", help="commands that hold this text")
    parser.add_argument("--record", action="store_true", help="write the answers of today")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    lines = (FOLDER / "commands.txt").read_text(encoding="utf-8").splitlines()
    commands = [s for s in lines if s and not s.startswith("#") and asked.only in s]
    expected = json.loads(EXPECTED.read_text(encoding="utf-8")) if EXPECTED.exists() else {}
    failed = 0
    with ThreadPoolExecutor(asked.jobs) as threads:
        for command, given in zip(commands, threads.map(answer, commands), strict=True):
            if asked.record:
                expected[command] = given
            elif not agree(expected[command], given):
                failed += 1
                print(f"differs: {command}", *map(json.dumps, (expected[command], given)), sep="\n")
    if asked.record:
        EXPECTED.write_text(json.dumps(expected, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{len(commands) - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
