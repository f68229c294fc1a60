"""Long equations."""

from puzzlehunt.codes.formulas import FORMULAS

EQUATIONS = FORMULAS["equations"]


def test_long_equations_are_counted() -> None:
    assert len(set(EQUATIONS.secrets(9))) == 287_288
