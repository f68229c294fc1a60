"""Bit-rows of codes, held against their definition."""

import numpy as np
import pytest

from puzzlehunt.kernels.packed_codes import PAD, count_bits, position_bits


def set_bits(row):
    """Return the numbers of the bits that are set in a bit-row."""
    return {
        64 * n + bit for n, word in enumerate(row.tolist()) for bit in range(64) if word >> bit & 1
    }


@pytest.mark.parametrize(
    ("length", "symbols"), [(1, 1), (5, 8), (4, 26), (16, 6), (7, 40), (3, 250)]
)
def test_a_bit_row_has_a_bit_for_each_symbol_in_its_place_and_each_time_it_occurs(length, symbols):
    numbers = np.random.default_rng(length).integers(0, symbols + 2, (60, length))
    codes = np.where(numbers < symbols, numbers, PAD - numbers % 2).astype(np.uint8)
    places, repeats = position_bits(codes, symbols), count_bits(codes, symbols, length)
    for code, place_row, repeat_row in zip(codes.tolist(), places, repeats, strict=True):
        held = [(p, s) for p, s in enumerate(code) if s < symbols]
        assert set_bits(place_row) == {p * symbols + s for p, s in held}
        times = {s: code.count(s) for _, s in held}
        assert set_bits(repeat_row) == {s * length + j for s in times for j in range(times[s])}


def test_no_codes_have_no_bit_rows():
    none = np.zeros((0, 4), dtype=np.uint8)
    assert position_bits(none, 6).shape == count_bits(none, 6, 4).shape == (0, 1)
