"""Chooses one guess from each class of equivalent ("alike") guesses.

Guesses are alike if they differ only by symbols that do not occur in any guess so far or (except in
hard mode) in any candidate. Before the first turn, the order of positions does not matter either.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations

import numpy as np

from puzzlehunt.codes.alphabet import PAD, Code
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import CodeArray, Indices, Mask, array_of
from puzzlehunt.kernels.problem import Problem
from puzzlehunt.rules.built_in import MatchesRule
from puzzlehunt.strategies.position import Position

_LONGEST = 6
"""The positions of codes up to this length are tried in all orders (6! = 720)."""
_MOST_COPIED = 1 << 28
"""Cap on the cells of guesses that are copied to be consecutive (memory)."""


def orbit_representatives(position: Position, codes: CodeArray) -> Indices:
    """Return the index of the first guess of each class of `codes` (G, length) that are alike."""
    if position.used_symbols is None:
        return np.arange(len(codes))
    if not position.used_symbols:
        return _first_of_shapes(codes, len(position.game.alphabet))
    keep = np.ones(len(codes), dtype=np.bool_)
    for symbols in _interchangeable(position):
        keep &= _is_first_of_class(codes, symbols)
    return np.flatnonzero(keep)


def _is_first_of_class(codes: CodeArray, symbols: Iterable[int]) -> Mask:
    """Return (G,): whether no code before differs by an exchange of some symbols alone."""
    # Their first places must ascend; the length stands for none.
    keep = np.ones(len(codes), dtype=np.bool_)
    place_before = np.full(len(codes), -1)
    for symbol in symbols:
        held = codes == symbol
        place = np.where(held.any(axis=1), held.argmax(axis=1), codes.shape[1])
        keep &= place >= place_before
        place_before = place
    return keep


def _interchangeable(position: Position) -> list[list[int]]:
    """Return groups of symbols, those of a group interchangeable, of two or more symbols each."""
    assert position.used_symbols is not None
    candidates = position.secrets.codes[position.candidates]
    held = np.bincount(candidates.ravel(), minlength=PAD + 1) > 0
    symbols = range(len(position.game.alphabet))
    unused = [s for s in symbols if s not in position.used_symbols]
    groups = [unused]
    if not position.game.hard:
        groups = [[s for s in symbols if not held[s]], [s for s in unused if held[s]]]
    return [group for group in groups if len(group) > 1]


def _first_of_shapes(codes: CodeArray, symbols: int) -> Indices:
    """Return the places of the first code of each shape: AAAAA, AAAAB, AAABB, ..."""
    # The first code of a shape has its symbols in order.
    ordered = np.arange(len(codes))
    for before, after in pairwise(codes.T):
        ordered = ordered[before[ordered] <= after[ordered]]
    base, shapes = codes.shape[1] + 1, np.zeros(len(ordered), dtype=np.int64)
    for symbol in range(symbols):
        shapes += base ** np.count_nonzero(codes[ordered] == symbol, axis=1)
    return np.sort(ordered[np.unique(shapes, return_index=True)[1]])


def by_position(game: Game) -> bool:
    """Return whether each position's symbols are interchangeable: only what is in place counts."""
    every_code = all(
        space.free and not space.distinct and space.lengths == range(game.length, game.length + 1)
        for space in (game.secrets, game.guesses)
    )
    return every_code and isinstance(game.rule, MatchesRule)


def canonical_by_position(codes: CodeArray, past_guesses: Sequence[Code]) -> Indices:
    """Return the places of the first code of each class of `codes` (G, length) that are alike.

    Two codes are alike if some order of the positions, and some renaming of the symbols of each
    position, turns one code into the other and every past guess into itself.
    """
    past = array_of(past_guesses, codes.shape[1])
    # Positions are of one kind if the same past guesses have equal symbols there: each guess is
    # numbered by the first one with its symbol, and so are the codes.
    first_with = np.array([[column.tolist().index(s) for s in column] for column in past.T])
    _, kinds = np.unique(first_with, axis=0, return_inverse=True)
    held = codes[None, :, :] == past[:, None, :]
    last = np.ones((1, *codes.shape), dtype=np.bool_)
    guess_with = np.concatenate((held, last)).argmax(axis=0)
    keys = np.sort(kinds.reshape(-1) * (len(past) + 1) + guess_with, axis=1)
    return np.sort(np.unique(keys, axis=0, return_index=True)[1])


def canonical_indices(codes: CodeArray, symbols: int, past_guesses: Sequence[Code]) -> Indices:
    """Return the places of the first code of each class of `codes` that are alike.

    `codes` are (G, length), short ones padded. Two codes are alike if some order of the positions
    and some renaming of the symbols turns one code into the other and every past guess into itself.
    Where every code may be the secret, both then have the same partitions.
    """
    length, rows = codes.shape[1], np.arange(len(codes))
    base = np.uint64(symbols + 2)
    smallest = np.full(len(codes), np.iinfo(np.uint64).max, dtype=np.uint64)
    # What matches nothing, padding or foreign, is one more symbol.
    padded = np.minimum(codes, symbols).astype(np.intp)
    past = np.minimum(array_of(past_guesses, length), symbols).tolist()
    used = sorted({s for row in past for s in row if s != symbols})
    # The symbols in the order in which they serve as new names: guessed symbols first.
    new_names = np.array([*used, *(s for s in range(symbols) if s not in used), symbols])
    orders = permutations(range(length)) if length <= _LONGEST else [tuple(range(length))]
    for order in orders:
        if (fixed_names := _stabiliser_renaming(past, order, symbols)) is None:
            continue
        # A code's key is its symbols' new names, read in this order.
        names = np.tile(fixed_names, (len(codes), 1))
        next_new = np.full(len(codes), len(used))
        key = np.zeros(len(codes), dtype=np.uint64)
        for place in order:
            name = names[rows, padded[:, place]]
            has_none = name < 0
            new_name = new_names[np.minimum(next_new, len(new_names) - 1)]
            name = np.where(has_none, new_name, name)
            names[rows, padded[:, place]] = name
            next_new += has_none
            key = key * base + name.astype(np.uint64)
        smallest = np.minimum(smallest, key)
    return np.sort(np.unique(smallest, return_index=True)[1])


def is_first_of_orders(codes: CodeArray, symbols: int, past: CodeArray) -> Mask:
    """Return (G,): whether a code is the first of those that orders of its positions make of it.

    `codes` are (G, length), none padded. An order counts if, with a renaming of symbols, it turns
    every past guess (T, length) into itself; where every code may be the secret, the codes that it
    makes have equal partitions.
    """
    length, rows = codes.shape[1], np.minimum(past, symbols).tolist()
    weights = symbols ** np.arange(length)[::-1]
    is_first, ranks = np.ones(len(codes), dtype=np.bool_), codes @ weights
    for order in permutations(range(length)) if length <= _LONGEST else ():
        names = _stabiliser_renaming(rows, order, symbols)
        if names is not None:
            renamed = np.array([s if name < 0 else name for s, name in enumerate(names)])
            is_first &= renamed[codes[:, order]] @ weights >= ranks
    return is_first


def _stabiliser_renaming(
    past: Sequence[Sequence[int]], order: Sequence[int], symbols: int
) -> list[int] | None:
    """Return the new name of each symbol by which past guesses stay as they are, None without any.

    Before, position `order[k]` moves to place k. A symbol of no past guess has the name -1, and may
    take any that is left; padding, the number `symbols`, keeps its own.
    """
    names = [*[-1] * symbols, symbols]
    for row in past:
        for place, source in enumerate(order):
            old, new = row[source], row[place]
            if names[old] not in (-1, new):
                return None
            names[old] = new
    given = [name for name in names if name >= 0]
    return names if len(set(given)) == len(given) else None


def with_orbits(
    problem: Problem, codes: CodeArray, symbols: int, by_position: bool
) -> tuple[Problem, list[int]]:
    """Return a problem in which equivalent guesses can be skipped, and the guess of each column.

    Of guesses that differ only by symbols not guessed before, a search needs only the first.
    Consecutive columns are read far faster than scattered ones, so such guesses are copied after
    the first columns, which are all guesses; _MOST_COPIED caps the copies.

    `codes` are (G, length). With `by_position`, the symbols of each position are interchangeable
    independently of the other positions; with 0 `symbols`, nothing is.
    """
    blocks, bounds = [np.arange(len(codes))], list[tuple[int, int]]()
    extents = np.where(codes == PAD, 0, codes.astype(np.int64) + 1).max(axis=1)
    for used in range(symbols):
        first = extents <= used + 1
        if not by_position:
            first = _is_first_of_class(codes, range(used, symbols))
        begin = sum(map(len, blocks))
        end = begin + int(np.count_nonzero(first))
        if (end - len(codes)) * len(problem.feedback) > _MOST_COPIED:
            break
        bounds.append((begin, end))
        blocks.append(np.flatnonzero(first))
    bounds += [(0, len(codes))] * (symbols + 1 - len(bounds))
    guesses, table = np.concatenate(blocks), problem.feedback
    more = problem._replace(
        feedback=table if len(blocks) == 1 else table.take(guesses, axis=1),
        used=np.minimum(extents[guesses], symbols),
        orbits=np.array(bounds, dtype=np.int64),
    )
    return more, guesses.tolist()
