"""Certainties about the secret, each with a minimal proof: turns and facts that imply it.

A certainty says which symbol a position holds, or how often a symbol occurs, if at all. What is
true of every secret of the game is left out. A proof is minimal: if any one of its turns and facts
is taken away, the others allow a secret for which the claim is false.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from puzzlehunt.codes.alphabet import FOREIGN
from puzzlehunt.codes.constraints import AnyOf, At, AtLeast, Constraint, forbid, require
from puzzlehunt.codes.named_rows import NamedRows
from puzzlehunt.engines.base import BITS, Engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import TooLargeError
from puzzlehunt.explanation.conflict import shrunk
from puzzlehunt.explanation.findings import Findings
from puzzlehunt.game.history import Fact, History, Item, Row
from puzzlehunt.rules.columns import ColumnClaim, ColumnsRule

_SAMPLE_SIZE = 16
"""Number of candidates drawn before a solver is queried: only what they share can be certain."""
_SAMPLE_SECONDS = 0.2
"""Time limit of the sample (seconds). A smaller sample costs more queries, and finds the same."""
_MOST_ROWS = 1_000
"""Up to this many rows of a table, it is said what they have in common."""
_MOST_ITEMS_FOR_SUBSETS = 16
"""Up to this many items (turns and facts), all their subsets are listed (2^16); of more, only the
subsets that some secret breaks."""

Bits = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Certainty:
    """A claim that is true of every candidate, and its proof: `turns` (from 1) and `facts`.

    Either `position` (from 0) holds the symbol, or the symbol occurs `count` times (0: nowhere).
    If the secrets are rows of a table, the `column` of the secret has one of `values`, a text; the
    symbol then says nothing, and `column` is "" if one row is left, whose name `values` is.
    `at_least` means that the turns allow more occurrences, even if the game does not. `board` (from
    0) is None in a game of one board.

    >>> import puzzlehunt
    >>> engine = puzzlehunt.open_engine("mastermind")
    >>> engine.push("RRRR none")
    >>> first = puzzlehunt.certain(engine)[0]
    >>> first.symbol, first.count, first.turns
    (0, 0, (1,))
    """

    symbol: int
    position: int | None = None
    count: int | None = None
    at_least: bool = False
    turns: tuple[int, ...] = ()
    facts: tuple[Fact, ...] = ()
    board: int | None = None
    column: str | None = None
    values: str = ""


def certain(engine: EngineLike, turns: Iterable[Row] = ()) -> Findings[Certainty]:
    """Return the certainties: of positions, of symbols that occur, of symbols that do not.

    `engine` may be a game, its name or its file, with the `turns` after its own.
    Certainties of several boards follow each other; solved boards have none. The list is empty if
    the turns contradict each other. Raises TooLargeError if no candidate of a huge space is found
    in time.

    >>> import puzzlehunt
    >>> engine = puzzlehunt.open_engine("mastermind")
    >>> engine.push("RRRR 1b")
    >>> engine.push("RYYY 1b")
    >>> [(one.symbol, one.position, one.turns) for one in puzzlehunt.certain(engine)][:1]
    [(0, None, (1,))]
    """
    engine = as_engine(engine, turns)
    if not engine.items or not engine.satisfiable():
        return Findings("Certainties", engine)
    boards = engine.boards()
    found = (
        one
        for number, board in enumerate(boards)
        if board.secret is None
        for one in _certain(board.engine, engine.items, number if len(boards) > 1 else None)
    )
    return Findings("Certainties", engine, found)


_Proved: TypeAlias = tuple[Certainty, list[int]]
"""A claim, and the places of the items that prove it, which are the same on all boards."""


def _certain(engine: Engine, items: Sequence[Item], board: int | None) -> Iterator[Certainty]:
    numbers, listing = History(tuple(items)).numbers_by_place(), engine.listed
    by_array = listing is not None and len(items) <= BITS
    proved = _proofs_by_array(listing) if listing and by_array else _proofs_by_asking(engine)
    if engine.game.rule.column_names:
        proved = _about_columns(engine)
    in_order = sorted(proved, key=lambda one: (one[0].position is None, one[0].position or 0))
    for claim, proof in sorted(in_order, key=lambda one: one[0].count == 0):
        turns = tuple(numbers[place] for place in proof if place in numbers)
        facts = tuple(item for place in proof if isinstance(item := items[place], Fact))
        yield replace(claim, turns=turns, facts=facts, board=board)


def _about_columns(engine: Engine) -> Iterator[_Proved]:
    """Yield what is certain of the secret's row, if few rows are left."""
    rule, rows = cast(ColumnsRule, engine.game.rule), cast(NamedRows, engine.game.secrets.alphabet)
    left = [rows.number_of(code) for code in islice(engine.candidates(), _MOST_ROWS + 1)]
    if len(left) > _MOST_ROWS:
        return
    claims = rule.claims(left)
    if len(left) == 1:
        claims = [ColumnClaim("", rows.format(rows.codes[left[0]]), tuple(left))]
    every = range(len(engine.items))
    for claim in claims:
        others = rows.among({*range(len(rows.codes))} - {*claim.rows})
        certainty = Certainty(FOREIGN, column=claim.title, values=claim.values)
        yield certainty, shrunk(engine, every, others)


def _denial(claim: Certainty) -> Constraint:
    """Return the constraint that is true of exactly the secrets for which a claim is false."""
    if claim.position is not None:
        return forbid(At(claim.position, (claim.symbol,)))
    count = claim.count or 0
    more = require(AtLeast((claim.symbol,), count + 1))
    if count == 0:
        return more
    fewer = forbid(AtLeast((claim.symbol,), count))
    return fewer if claim.at_least else AnyOf((fewer, more))


# Where every secret is listed.


def _proofs_by_array(engine: ExplicitEngine) -> Iterator[_Proved]:
    """Yield the certainties with their proofs, by the items that each secret breaks."""
    columns = np.ascontiguousarray(engine.secrets().codes.T)
    broken, set_of = _broken_sets(engine, len(engine.items))
    lies = engine.game.channel.lies.at_most if engine.game.boards == 1 else 0
    symbols = len(engine.game.secrets.alphabet)
    for claim, denied in _claims(columns, engine.candidate_places(), symbols):
        # Twice the number of a secret's broken set, plus 1 where the claim is false of the secret.
        refuted = np.bincount(2 * set_of + denied, minlength=2 * broken.shape[1])[1::2] > 0
        if refuted.any():
            yield claim, _minimal(broken[:, refuted], len(engine.items), lies)


def _broken_sets(engine: ExplicitEngine, items: int) -> tuple[Bits, npt.NDArray[Any]]:
    """Return N sets of items that secrets break, (2, N), and the number of each secret's set, (S,).

    A set has a bit for each item. The two rows are those of `ExplicitEngine.violations`:
    unforgivable items, then forgivable ones.
    """
    unforgivable, forgivable = engine.violations()
    if items <= _MOST_ITEMS_FOR_SUBSETS and not forgivable.any():
        broken = np.arange(1 << items, dtype=np.uint64)
        return np.stack((broken, np.zeros_like(broken))), unforgivable.astype(np.uint32)
    fields = [("unforgivable", "u8"), ("forgivable", "u8")]
    pairs = np.stack((unforgivable, forgivable), axis=1).view(fields).ravel()
    sets, set_of = np.unique(pairs, return_inverse=True)
    return np.stack((sets["unforgivable"], sets["forgivable"])), set_of


def _claims(
    columns: npt.NDArray[np.uint8], candidates: npt.NDArray[np.intp], symbols: int
) -> Iterator[tuple[Certainty, npt.NDArray[np.bool_]]]:
    """Yield what all candidates share, each with the mask (S,) of the secrets that deny it."""
    codes = columns[:, candidates]
    for place, column in enumerate(codes):
        if column[0] < symbols and (column == column[0]).all():
            yield Certainty(int(column[0]), position=place), columns[place] != column[0]
    totals = np.bincount(codes.ravel(), minlength=symbols)[:symbols].tolist()
    for symbol, total in enumerate(totals):
        if 0 < total < len(candidates):
            continue
        times = np.zeros(columns.shape[1], dtype=np.uint8)
        for column in columns:
            times += column == symbol
        fewest, most = int(times[candidates].min()), int(times[candidates].max())
        if fewest == most < times.max():
            yield Certainty(symbol, count=fewest), times != fewest
        elif fewest:
            yield Certainty(symbol, count=fewest, at_least=True), times < fewest


def _minimal(broken: Bits, items: int, lies: int) -> list[int]:
    """Return places of items that rule out all secrets whose broken sets are `broken` (2, N).

    Up to `lies` forgivably broken items rule no secret out. If one item suffices, it is returned
    alone. Otherwise items are dropped one by one, the oldest first, as long as the rest suffices.
    """

    def rules_all_out(kept: list[int]) -> bool:
        mask = np.uint64(sum(1 << place for place in kept))
        forgiven = np.bitwise_count(broken[1] & mask) <= lies
        return not bool((forgiven & ((broken[0] & mask) == 0)).any())

    for place in range(items):
        if rules_all_out([place]):
            return [place]
    kept = list(range(items))
    for place in range(items):
        fewer = [other for other in kept if other != place]
        if rules_all_out(fewer):
            kept = fewer
    return kept


# Where a solver is queried.


def _proofs_by_asking(engine: Engine) -> Iterator[_Proved]:
    game = engine.game
    sample = engine.sample(
        _SAMPLE_SIZE, random.Random(0), end=time.monotonic() + _SAMPLE_SECONDS
    ).codes
    if not sample:
        raise TooLargeError("no candidate was found in time, so what is certain is unknown")
    claims = [
        Certainty(column[0], position=place)
        for place, column in enumerate(zip(*sample, strict=True))
        if len({*column}) == 1
    ]
    for symbol in range(len(game.secrets.alphabet)):
        times = [code.count(symbol) for code in sample]
        claims += _claims_of_counts(engine, symbol, min(times), max(times))
    every = range(len(engine.items))
    for claim in claims:
        denial = _denial(claim)
        if (
            engine.satisfiable([], also=denial)
            and engine.unsat_core(every, also=denial) is not None
        ):
            yield claim, shrunk(engine, every, denial)


def _claims_of_counts(engine: Engine, symbol: int, fewest: int, most: int) -> list[Certainty]:
    """Return the claims about a symbol that codes of a sample have `fewest` to `most` times."""
    if most == 0:
        return [Certainty(symbol, count=0)]
    while fewest and engine.satisfiable(None, also=forbid(AtLeast((symbol,), fewest))):
        fewest -= 1
    if not fewest:
        return []
    more = require(AtLeast((symbol,), fewest + 1))
    at_least = (
        most > fewest
        or engine.satisfiable(None, also=more)
        or not engine.satisfiable([], also=more)
    )
    return [Certainty(symbol, count=fewest, at_least=at_least)]
