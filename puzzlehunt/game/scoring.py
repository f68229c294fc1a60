"""The scores of many guesses against many secrets at once."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from puzzlehunt.errors import InvalidCodeError, TooLargeError, check_type
from puzzlehunt.game.spec import GameSpec
from puzzlehunt.kernels.packed_codes import CodeArray, array_of

if TYPE_CHECKING:
    from puzzlehunt.kernels.feedback_matrix import Table


def score_all(
    game: GameSpec,
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


def _array(game: GameSpec, codes: Iterable[Hashable] | CodeArray, role: str) -> CodeArray:
    """Return N codes as an array (N, length), checked. Raises InvalidCodeError."""
    if isinstance(codes, np.ndarray):
        return _checked(game, codes, role)
    check_type("codes", codes, Iterable, "codes or texts")
    listed = [codes] if isinstance(codes, str) else list(codes)
    spelt = _spelt(game, listed)
    if spelt is not None:
        return spelt
    read = game.as_guess if role == "guess" else game.as_secret
    return array_of(map(read, listed), game.length)


def _checked(game: GameSpec, codes: CodeArray, role: str) -> CodeArray:
    symbols, is_whole = len(game.alphabet), np.issubdtype(codes.dtype, np.integer)
    fits = codes.ndim == 2 and codes.shape[1] == game.length and is_whole
    if not fits or (codes.size and not 0 <= codes.min() <= codes.max() < symbols):
        raise InvalidCodeError(
            f"{role}: expected an array (N, {game.length}) of whole numbers from 0 to "
            f"{symbols - 1}, not {codes.shape} of {codes.dtype}"
        )
    return codes.astype(np.uint8, copy=False)


def _spelt(game: GameSpec, texts: Sequence[Hashable]) -> CodeArray | None:
    """Return texts of one symbol a character as an array; None if any may be written otherwise."""
    alphabet, length = game.alphabet, game.length
    if game.boards > 1 or alphabet.joiner:
        return None
    if not texts or not all(isinstance(text, str) and len(text) == length for text in texts):
        return None
    if any(len(name) == length and alphabet.spell(name) for name in alphabet.aliases):
        return None
    codes = [alphabet.spell(str(text)) for text in texts]
    fits = all(code is not None and len(code) == length for code in codes)
    return np.array(codes, dtype=np.uint8) if fits else None
