"""Certainties about the secret, each with a minimal proof: turns and facts that imply it.

A certainty says which symbol a position holds, or how often a symbol occurs, if at all. What is
true of every secret of the game is left out. A proof is minimal: if any one of its turns and facts
is taken away, the others allow a secret for which the claim is false.
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AnyOf, At, AtLeast, Constraint, forbid, require
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.errors import TooLargeError
from puzzlehunt.explanation.conflict import minimal_conflict
from puzzlehunt.explanation.remaining import Findings, open_boards
from puzzlehunt.game.history import Fact, History, Item, Row


@dataclass(frozen=True, slots=True)
class Certainty:
    """A claim that is true of every candidate, and its proof: `turns` (from 1) and `facts`.

    Either `position` (from 0) holds the symbol, or the symbol occurs `count` times (0: nowhere).
    `at_least` means that the turns allow more occurrences, even if the game does not. `board` (from
    0) is None in a game of one board.

    >>> import puzzlehunt
    >>> first = puzzlehunt.certain("mastermind", ["RRRR none"])[0]
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


class Certainties(Findings[Certainty]):
    """Certainties, with their history; those of several boards follow each other."""

    title = "Certainties"


def certain(engine: EngineLike, turns: Iterable[Row] = ()) -> Certainties:
    """Return the certainties: of positions, of symbols that occur, of symbols that do not.

    `engine` may be a game, its name or its file, with the `turns` after its own.
    Certainties of several boards follow each other; solved boards have none. The list is empty if
    the turns contradict each other, and in games of columns, whose candidates tell more. Raises
    TooLargeError if no candidate of a huge space is found in time.

    >>> import puzzlehunt
    >>> found = puzzlehunt.certain("mastermind", ["RRRR 1b", "RYYY 1b"])
    >>> [(one.symbol, one.position, one.turns) for one in found][:1]
    [(0, None, (1,))]
    """
    engine = as_engine(engine, turns)
    if not engine.items or engine.game.rule.column_names or not engine.satisfiable():
        return Certainties(engine)
    boards = open_boards(engine)
    found = (one for number, board in boards for one in _certain(board, engine.items, number))
    return Certainties(engine, found)


def _certain(engine: Engine, items: Sequence[Item], board: int | None) -> Iterator[Certainty]:
    """Yield the certainties of one board: symbols at positions, then counts above 0, then none."""
    numbers = History(tuple(items)).numbers_by_place()
    for claim in _claims(engine):
        denial = _denial(claim)
        if engine.satisfiable(also=denial) or not engine.satisfiable([], also=denial):
            continue  # not true of all candidates, or of all secrets, too
        proof = _minimal_proof(engine, denial)
        turns = tuple(numbers[place] for place in proof if place in numbers)
        facts = tuple(item for place in proof if isinstance(item := items[place], Fact))
        yield replace(claim, turns=turns, facts=facts, board=board)


def _minimal_proof(engine: Engine, denial: Constraint) -> Sequence[int]:
    """Return the places of items that contradict a claim's denial, of a single one if possible."""
    places = range(len(engine.items))
    if engine.listed is not None:  # else a solver is queried for each item
        for place in places:
            if not engine.satisfiable([place], also=denial):
                return [place]
    return minimal_conflict(engine, places, denial)


def _claims(engine: Engine) -> list[Certainty]:
    """Return the claims that may be true of all candidates."""
    # Only what some candidates share can be certain; fewer of them would cost more queries.
    sample = engine.sample(16, random.Random(0), end=time.monotonic() + 0.2).codes
    if not sample:
        raise TooLargeError("no candidate was found in time, so what is certain is unknown")
    claims = [
        Certainty(column[0], position=place)
        for place, column in enumerate(zip(*sample, strict=False))
        if len({*column}) == 1
    ]
    symbols = range(len(engine.game.secrets.alphabet))
    counts = (_about_counts(engine, symbol, sample) for symbol in symbols)
    return claims + sorted(counts, key=lambda claim: not claim.count)


def _about_counts(engine: Engine, symbol: int, sample: Sequence[Code]) -> Certainty:
    """Return the strongest claim on how often a symbol occurs that candidates may share.

    "At least" is claimed if some candidate has more, or if the game itself allows no more.
    """
    counts = [code.count(symbol) for code in sample]
    fewest = min(counts)
    while fewest and engine.satisfiable(also=forbid(AtLeast((symbol,), fewest))):
        fewest -= 1
    if fewest == 0:
        return Certainty(symbol, count=0)
    more = require(AtLeast((symbol,), fewest + 1))
    may_be_more = max(counts) > fewest or engine.satisfiable(also=more)
    at_least = may_be_more or not engine.satisfiable([], also=more)
    return Certainty(symbol, count=fewest, at_least=at_least)


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
