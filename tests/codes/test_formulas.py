import re
from fractions import Fraction
from functools import cache
from itertools import product
from math import isqrt

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from puzzlehunt.codes.formulas import FORMULAS, find_formula
from puzzlehunt.errors import UnknownNameError

EQUATIONS = FORMULAS["equations"]

PRIMES = FORMULAS["primes"]

secrets = cache(EQUATIONS.secrets)


def value(calculation: str) -> Fraction:
    """Python's own reading of a calculation, in exact numbers."""
    exact = re.sub("[0-9]+", lambda number: f"Fraction({int(number[0])})", calculation)
    return Fraction(eval(exact, {"Fraction": Fraction}))


def by_brute_force(length: int) -> set[str]:
    """The secrets of a length, from all texts that could be their left side."""
    well_formed = re.compile("[1-9][0-9]*([-+*/][1-9][0-9]*)+")
    found = set()
    for size in range(length - 1):
        for symbols in product("0123456789+-*/", repeat=size):
            left = "".join(symbols)
            if well_formed.fullmatch(left):
                equation = f"{left}={value(left)}"
                if len(equation) == length and equation.rpartition("=")[2].isdigit():
                    found.add(equation)
    return found


# The secrets.


@pytest.mark.parametrize(("length", "count"), [(5, 127), (6, 206), (7, 6661), (8, 17723)])
def test_there_are_as_many_equations_as_nerdle_has(length: int, count: int) -> None:
    assert len(secrets(length)) == len(set(secrets(length))) == count


@pytest.mark.parametrize("length", [5, 6])
def test_equations_are_those_found_by_brute_force(length: int) -> None:
    assert set(secrets(length)) == by_brute_force(length)


def test_equations_keep_the_conventions() -> None:
    """Nothing but the number right of = may be 0; fractions and negatives may come on the way."""
    found = set(secrets(8))
    assert found >= {"12-3*4=0", "1/2*10=5", "1-9+12=4", "9-10/5=7"}
    assert not found & {"0+12=12", "12+0*3=0", "01+1+1=3", "-1+4*2=7", "1+1+1=03", "2-10+1=-7"}


@pytest.mark.parametrize("length", [5, 6, 7, pytest.param(8, marks=pytest.mark.slow)])
def test_every_equation_may_be_guessed(length: int) -> None:
    assert not [secret for secret in secrets(length) if EQUATIONS.trouble(secret) is not None]


def test_there_are_as_many_primes_as_primel_has() -> None:
    counts = [len(PRIMES.secrets(length)) for length in range(1, 7)]
    assert counts == [4, 21, 143, 1061, 8363, 68906]


@pytest.mark.slow
def test_the_primes_of_7_digits_are_counted() -> None:
    found = PRIMES.secrets(7)
    assert (len(found), found[0], found[-1]) == (586_081, "1000003", "9999991")


@pytest.mark.parametrize("length", range(1, 5))
def test_primes_are_the_numbers_without_trouble(length: int) -> None:
    texts = ["".join(digits) for digits in product(PRIMES.symbols, repeat=length)]
    free = [text for text in texts if PRIMES.trouble(text) is None]
    assert free == PRIMES.secrets(length) == sorted(PRIMES.secrets(length))


@pytest.mark.parametrize(
    ("formula", "lengths", "message"),
    [
        ("equations", (0, 4, 11), "equations are listed from 5 symbols (1+2=3) to 10, not of"),
        ("primes", (0, 8), "primes are listed from 1 digit to 7, not of"),
    ],
)
def test_other_lengths_are_refused(formula: str, lengths: tuple[int], message: str) -> None:
    for length in lengths:
        with pytest.raises(ValueError, match=f"^{re.escape(message)} {length}$"):
            FORMULAS[formula].secrets(length)


# What may be guessed.


@pytest.mark.parametrize(
    "guess",
    [
        "-1+3=2",
        "+05-03=2",
        "1-3=-2",
        "1+1=+002",
        "4--3=7",
        "2*-3=-06",
        "-6/+-3=2",
        "0*12=0",
        "0/5=-0",
        "1/3*3=1",
        "1/3+2/3=1",
        "8/4/2=1",
        "1+2*3=7",
        "007=7",
        "1" * 124 + "=" + "1" * 124,
    ],
)
def test_any_true_equation_may_be_guessed(guess: str) -> None:
    assert EQUATIONS.trouble(guess) is None


@pytest.mark.parametrize(
    ("guess", "message"),
    [
        ("12+34=99", "12+34=99: 12+34 is 46, not 99"),
        ("1+2*3=9", "1+2*3=9: 1+2*3 is 7, not 9"),
        ("1/3+1=1", "1/3+1=1: 1/3+1 is 4/3, not 1"),
        ("1-3=02", "1-3=02: 1-3 is -2, not 02"),
        ("1/0=5", "1/0=5: division by zero"),
        ("1/-00=5", "1/-00=5: division by zero"),
        ("12+34", "12+34: an equation has one ="),
        ("1=1=1", "1=1=1: an equation has one ="),
        ("", "nothing: an equation has one ="),
    ],
)
def test_trouble_says_what_is_wrong_with_an_equation(guess: str, message: str) -> None:
    assert EQUATIONS.trouble(guess) == message


@pytest.mark.parametrize(
    "guess",
    ["1+=2*3", "1+*2=2", "*2=2", "1+-/2=2", "1+1=-", "3=1+2", "1+x=3", "1+²=3", "1+2=3\n"],
)
def test_what_is_no_equation_is_refused(guess: str) -> None:
    assert EQUATIONS.trouble(guess) == f"{guess}: expected a calculation, = and a number"


@pytest.mark.parametrize("guess", ["12345", "9998000", "49", "1"])
def test_a_number_that_is_not_prime_is_refused(guess: str) -> None:
    assert PRIMES.trouble(guess) == f"{guess} is not prime"


@pytest.mark.parametrize("guess", ["0", "01234", "00", "", "12345678", "12a45", "-7", "٣"])
def test_what_is_no_number_of_a_game_is_refused(guess: str) -> None:
    assert "expected a number of 1 to 7 digits" in (PRIMES.trouble(guess) or "")


@given(st.integers(10**6, 10**7 - 1))
@example(9_999_991)
@example(3137**2)
def test_a_number_has_trouble_unless_it_is_prime(number: int) -> None:
    has_factor = any(number % factor == 0 for factor in range(2, isqrt(number) + 1))
    assert (PRIMES.trouble(str(number)) is not None) == has_factor


@given(st.text("0123456789+-*/=", max_size=250))
@example("-" * 249 + "1")
@example("1" + "/7" * 123 + "=1")
@example("9*" * 124 + "=1")
@example("+" * 250)
@example("=" * 250)
def test_no_text_breaks_a_formula(text: str) -> None:
    for formula in FORMULAS.values():
        trouble = formula.trouble(text)
        assert trouble is None or (trouble and trouble.splitlines() == [trouble])


signed_numbers = st.from_regex("[+-]{0,2}0{0,2}[0-9]{1,3}", fullmatch=True, alphabet="+-0123456789")


@st.composite
def calculations(draw: st.DrawFn) -> str:
    numbers = draw(st.lists(signed_numbers, min_size=1, max_size=6))
    return numbers[0] + "".join(draw(st.sampled_from("+-*/")) + n for n in numbers[1:])


@given(calculations(), st.integers(-20, 20))
@example("1/2+1/2", 1)
@example("1/0", 1)
def test_a_calculation_has_the_value_that_python_gives_it(left: str, wrong: int) -> None:
    try:
        true = value(left)
    except ZeroDivisionError:
        assert EQUATIONS.trouble(f"{left}=1") == f"{left}=1: division by zero"
        return
    if true.denominator == 1:
        assert EQUATIONS.trouble(f"{left}={true}") is None
    if true != wrong:
        assert EQUATIONS.trouble(f"{left}={wrong}") == (
            f"{left}={wrong}: {left} is {true}, not {wrong}"
        )


# The formulas by name.


def test_formulas_are_found_by_name() -> None:
    assert [find_formula(name).name for name in FORMULAS] == list(FORMULAS)


def test_an_unknown_formula_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="no formula is called 'equation'; did you mean eq"):
        find_formula("equation")


@pytest.mark.parametrize(("formula", "length"), [("equations", 6), ("primes", 3)])
def test_secrets_are_written_in_the_symbols(formula: str, length: int) -> None:
    found = FORMULAS[formula]
    assert set("".join(found.secrets(length))) == set(found.symbols)
