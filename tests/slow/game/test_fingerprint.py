"""Fingerprints of the built-in games."""

import subprocess
import sys

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.fingerprint import fingerprint


def test_built_in_games_differ_but_for_those_that_are_one_game():
    names: dict[str, list[str]] = {}
    for name in gamefile.built_in_games():
        names.setdefault(fingerprint(gamefile.load(name)), []).append(name)
    assert [same for same in names.values() if len(same) > 1] == [["logik", "super-mastermind"]]


def test_another_process_finds_the_same():
    """Hashes of texts differ between processes; this one must not depend on them."""
    names = ["cryptic", "dordle", "fibble", "lingo"]
    code = (
        "from puzzlehunt.game.files import gamefile\n"
        "from puzzlehunt.game.fingerprint import fingerprint\n"
        f"print(*[fingerprint(gamefile.load(name)) for name in {names}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [fingerprint(gamefile.load(name)) for name in names]
