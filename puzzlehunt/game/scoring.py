"""The scores of many guesses against many secrets at once."""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from puzzlehunt.errors import InvalidCodeError, TooLargeError, check_type
from puzzlehunt.kernels.packed_codes import CodeArray, array_of

if TYPE_CHECKING:
    from puzzlehunt.game.game import Game
    from puzzlehunt.kernels.feedback_matrix import Table


def score_all(
    game: "Game",
    guesses: Iterable[Hashable] | CodeArray,
    secrets: Iterable[Hashable] | CodeArray,
) -> "Table":
    """Return what `Game.score_all` does."""
    if game.boards > 1:
        raise TooLargeError(
            "the answers of several boards are too many to number; game.one_board scores one board"
        )
    rows = _array(game, guesses, "guess"), _array(game, secrets, "secret")
    return game.rule.table(*map(game.rule.rows, rows))


def _array(game: "Game", codes: Iterable[Hashable] | CodeArray, role: str) -> CodeArray:
    """Return N codes as an array (N, length), checked. Raises InvalidCodeError."""
    if isinstance(codes, np.ndarray):
        return _checked(game, codes, role)
    check_type("codes", codes, Iterable, "codes or texts")
    read = game.as_guess if role == "guess" else game.as_secret
    listed = [codes] if isinstance(codes, str) else codes
    return array_of(map(read, listed), game.length)


def _checked(game: "Game", codes: CodeArray, role: str) -> CodeArray:
    symbols, is_whole = len(game.alphabet), np.issubdtype(codes.dtype, np.integer)
    fits = codes.ndim == 2 and codes.shape[1] == game.length and is_whole
    if not fits or (codes.size and not 0 <= codes.min() <= codes.max() < symbols):
        raise InvalidCodeError(
            f"{role}: expected an array (N, {game.length}) of whole numbers from 0 to "
            f"{symbols - 1}, not {codes.shape} of {codes.dtype}"
        )
    return codes.astype(np.uint8, copy=False)
