"""A position as an SMT-LIB script, solved by z3's own program, and its answer read back."""

import shutil
import subprocess
import sys
from pathlib import Path

import puzzlehunt
from puzzlehunt import smtlib

ROWS = ["ABCDEF 2b 2w", "BACDFG 1b 3w", "GFEDCB 2b 1w"]


def main() -> None:
    """Print the script's size, z3's verdict, and the code in its model."""
    game = puzzlehunt.load("6x8")
    script = smtlib.script(game, ROWS)
    print(f"{len(script.splitlines()):,} lines, {script.count('(assert')} assertions")
    beside = Path(sys.executable).with_name("z3")
    z3 = str(beside) if beside.exists() else shutil.which("z3") or "z3"
    solved = subprocess.run([z3, "-in"], input=script, capture_output=True, text=True, check=True)
    print("z3 says", solved.stdout.split()[0])
    code = smtlib.read_model(game, solved.stdout)
    assert code is not None
    print("the code in its model fits the rows:", game.fits(game.as_history(ROWS), code))
    wrong = smtlib.script(game, [*ROWS, "ABCDEF 3b"])
    refuted = subprocess.run([z3, "-in"], input=wrong, capture_output=True, text=True, check=False)
    print("with a row more:", smtlib.read_model(game, refuted.stdout))


if __name__ == "__main__":
    main()
