"""Repairs of random games in which nothing fits."""

import subprocess
import sys
from pathlib import Path

REPAIRS = Path(__file__).parents[3] / "benchmarks" / "repairs.py"


def test_every_repair_is_read_back_from_a_file_and_leaves_what_it_says() -> None:
    command = [sys.executable, str(REPAIRS), "--games", "60", "--seed", "100000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    numbers = [cell.strip() for cell in done.stdout.splitlines()[-1].split("|")]
    assert "seed" not in done.stdout
    assert int(numbers[2]) == 60
    assert int(numbers[4].replace(",", "")) > 200
    assert numbers[5] == "0"
