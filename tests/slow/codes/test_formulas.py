"""Long equations."""

from puzzlehunt.codes.formulas import equations


def test_long_equations_are_counted() -> None:
    assert len(set(equations(9))) == 287_288
