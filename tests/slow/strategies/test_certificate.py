"""Certificates: a thousand mutated ones, and those of larger games, checked by the program."""

import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from certificates import is_true, mutated, small_games, uncompiled_checker, written

CHECKER = Path(__file__).resolve().parents[3] / "tools" / "check_certificate.py"


def test_a_thousand_mutated_certificates_are_refused_or_true() -> None:
    texts = [written(game) for game in small_games()]
    rng, found = random.Random(1), Counter[tuple[bool, bool]]()
    with uncompiled_checker() as accepts:
        for _ in range(1_000):
            text = mutated(rng.choice(texts), rng)
            accepted = accepts(text)
            found[accepted, not accepted or is_true(text)] += 1
    assert found[True, False] == 0
    assert found[True, True] > 100
    assert found[False, True] > 300


@pytest.mark.parametrize("name", ["3x8", "4x6"])
def test_the_program_accepts_a_proved_claim_and_no_greater_one(name: str, tmp_path: Path) -> None:
    file, other = tmp_path / "certificate", tmp_path / "other"
    run = [sys.executable, "-m", "puzzlehunt", "lab", "run", name, "--strategy", "optimal"]
    subprocess.run([*run, "--certificate", str(file)], check=True, capture_output=True)
    proved = file.read_text()
    *lines, total = proved.splitlines()
    other.write_text(
        re.sub(rf"^(total: )?{total}$", rf"\g<1>{int(total) + 1}", proved, flags=re.MULTILINE)
    )
    for path, status, text in (file, 0, "proved: "), (other, 1, f"line {len(lines) + 1}: "):
        ended = subprocess.run(
            [sys.executable, str(CHECKER), str(path)], capture_output=True, text=True, check=False
        )
        assert ended.returncode == status, ended
        assert text in ended.stdout + ended.stderr
