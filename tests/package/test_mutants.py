"""The faults of `tools/mutants.py` can still be made."""

from pathlib import Path

import puzzlehunt
from mutants import MUTANTS


def test_every_fault_is_in_its_file_exactly_once_and_has_tests_that_should_find_it():
    package = Path(puzzlehunt.__file__).parent
    tests = Path(__file__).parents[1]
    for mutant in MUTANTS:
        assert (package / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1, mutant
        assert all((tests / name).exists() for name in mutant.tests.split()), mutant
