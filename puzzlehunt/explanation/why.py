"""Why: items (turns and facts) that cannot all be right, what rules a code out, what is certain.

A conflict is subset-minimal (a MUS): without any one of its items, the others agree. One conflict
is found by deletion: items that are not needed are dropped one by one (Chinneck and Dravnieks,
1991). All conflicts are found through *corrections* (an MCS, if minimal), sets of items after whose
removal the rest agree: every conflict shares an item with each correction. Sets grow by the items
of a correction that they do not hit, in order of size, until one hits all known corrections
(Reiter, 1987). Either it is a conflict, or its items agree; then there is a new correction that
shares no item with it.

A counting proof shows a person why a conflict is one: a few bounds on how often symbols occur add
up to more symbols than a code has, or to fewer.

What is true of every secret is no certainty. The proof of one is minimal: without any item of it,
the others allow a secret for which the claim is false. If only a few of too many secrets to list
are left, one minimal proof of that is the proof of all that they share.
"""

import random
import time
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import chain, combinations, islice
from pathlib import Path
from typing import cast

from puzzlehunt.codes.alphabet import PAD, Code
from puzzlehunt.codes.constraints import TRUE, AnyOf, At, AtLeast, Bound, Constraint, holds, none_of
from puzzlehunt.engines.base import MOST_LISTED, Engine, Sample, as_engine
from puzzlehunt.errors import InvalidCodeError, TooLargeError, check_number
from puzzlehunt.explanation.remaining import Findings, open_boards
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import GameLike, as_game, wider_games
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Finding, History, ItemName, Rows, in_order, item_named
from puzzlehunt.rules.notation.clue import Feedback
from puzzlehunt.rules.notation.clue_values import NotedClue


def conflicts(game: GameLike, rows: Rows | None = None, top: int = 1) -> list[tuple[ItemName, ...]]:
    """Return up to `top` conflicts, those with the fewest items first; [] if all items agree.

    `game` and `rows` are as in `candidates`. Each conflict is a tuple of the numbers (from 1) of
    turns, and of facts. In a game of several boards, the conflicts of all boards are returned
    together.

    >>> puzzlehunt.conflicts("4x6", ["AABB none", "CCDD 1b", "ABCD 4w"], top=5)
    [(1, 3)]
    """
    engine = as_engine(game, rows)
    check_number("top", top, 1, whole=True)
    found = {one for board in conflicts_by_board(engine, top).values() for one in board}
    smallest_first = sorted(found, key=lambda places: (len(places), places))
    names = engine.history.names
    return [in_order(names[place] for place in places) for places in smallest_first[:top]]


def conflicts_by_board(engine: Engine, most: int = 1) -> dict[int, list[tuple[int, ...]]]:
    """Return up to `most` conflicts of each board (from 0) without a candidate, the smallest first.

    Each is a tuple of places in `engine.items`: without any one of these the rest of them agree. If
    there is no time for the smallest, or one is asked for and a solver has to be queried, there is
    one conflict of a board, perhaps larger than others.
    """
    found = dict[int, list[tuple[int, ...]]]()
    for number, board in open_boards(engine):
        if not board.satisfiable():
            is_quick = most > 1 or board.listed is not None  # else a solver is queried less often
            smallest = [*islice(_by_size(board), most)] if is_quick else []
            any_one = range(len(board.items))
            found[number or 0] = smallest or [tuple(minimal_conflict(board, any_one))]
    return found


def minimal_conflict(engine: Engine, chosen: Sequence[int], also: Constraint = TRUE) -> list[int]:
    """Return the places of a conflict among the `chosen` items, which must contradict each other.

    Only secrets that satisfy `also` are considered. Unnecessary items are dropped one by one, the
    oldest first, so that the conflict does not depend on the solver's core.
    """
    if engine.listed is not None:
        return engine.listed.newest_conflict(chosen, also)
    # Once the last of them disagree, more do: the last 1, 2, 4, ... are tried.
    size = 1
    while size < len(chosen) and engine.satisfiable(chosen[-size:], also=also):
        size *= 2
    kept = list(chosen[-size:])
    core = engine.unsat_core(kept, also=also) or kept
    for place in list(kept):
        others = [other for other in kept if other != place]
        # An item outside the core can be spared without asking: the core is still there.
        if place not in core:
            kept = others
        elif not engine.satisfiable(others, also=also):
            kept, core = others, engine.unsat_core(others, also=also) or others
    return kept


def _by_size(engine: Engine) -> Iterator[tuple[int, ...]]:
    """Yield the conflicts of an engine's items, the smallest first and newer items before older."""
    every = frozenset(range(len(engine.items)))
    corrections: list[frozenset[int]] = []
    conflicts_found: list[frozenset[int]] = []
    queue, queued = [(0, list[int](), frozenset[int]())], {frozenset[int]()}
    while queue and len(queued) < 25_000:  # about a second
        size, _, chosen = heappop(queue)
        if any(conflict <= chosen for conflict in conflicts_found):
            continue
        not_hit = [correction for correction in corrections if not correction & chosen]
        if not not_hit:
            satisfiable = engine.satisfiable_superset(sorted(chosen))
            if satisfiable is None:
                conflicts_found.append(chosen)
                yield tuple(sorted(chosen))
                continue
            not_hit = [every.difference(satisfiable)]
            corrections += not_hit
        for place in min(not_hit, key=len):
            larger = chosen | {place}
            if larger not in queued:
                queued.add(larger)
                newest_first = sorted(-item for item in larger)
                heappush(queue, (size + 1, newest_first, larger))


# Sums that show why.


@dataclass(frozen=True, slots=True)
class SymbolBound:
    """A bound that one item implies: its symbols occur `low` to `high` times in the secret.

    `item` is the number (from 1) of a turn, or a fact. `times` has the greatest number of
    occurrences of each symbol that count. `high` is None if there is no upper bound.
    """

    item: ItemName
    times: Mapping[int, int]
    low: int
    high: int | None = None


def symbol_bounds(constraint: Constraint, item: ItemName) -> list[SymbolBound]:
    """Return the bounds that follow from an item's constraint, if it counts single symbols.

    Those are sums of literals of weight 1, which are all about positions or all about occurrences.
    """
    if isinstance(constraint, AnyOf) and len(constraint.parts) > 1:
        return []
    if not isinstance(constraint, Bound):
        return [bound for part in constraint.parts for bound in symbol_bounds(part, item)]
    literals = [literal for _, literal in constraint.terms]
    kinds = {type(literal) for literal in literals}
    # One symbol each, no end.
    single = all(weight == 1 and len({*one.symbols, PAD}) == 2 for weight, one in constraint.terms)
    if len(kinds) != 1 or not single:
        return []
    times = Counter(symbol for literal in literals for symbol in literal.symbols)
    # Only "at least 1", "at least 2", ... without a gap add up to the occurrences of a symbol.
    if any(isinstance(one, AtLeast) and one.times > times[one.symbols[0]] for one in literals):
        return []
    low, high = max(0, constraint.low or 0), constraint.high
    if kinds == {At} or high is None or high >= len(literals):
        high = None  # no limit: a symbol may also be at other positions
    return [SymbolBound(item, times, low, high)] if low or high is not None else []


@dataclass(frozen=True, slots=True)
class CountingProof:
    """Bounds that cannot all be met: `needs` are more symbols than `allows` leave.

    Without `needs`, a code needs a symbol at each of its positions; without `allows`, it has no
    more positions. `total` is what `needs` sum up to or, without them, `allows`. `kept` are the
    symbols of `needs` that `allows` do not limit.
    """

    needs: tuple[SymbolBound, ...]
    allows: tuple[SymbolBound, ...]
    total: int
    kept: tuple[int, ...] = ()


def counting_proof(game: Game, history: History, names: Iterable[ItemName]) -> CountingProof | None:
    """Return a proof that some items contradict each other; None if no sum is one.

    No secret agrees with all the items that the proof names.
    """
    counts_nothing = game.rule.no_constraint or game.alphabet.names_codes
    if game.boards > 1 or game.channel.lies.at_most or counts_nothing:
        return None
    bounds: list[SymbolBound] = []
    for name in names:
        bounds += symbol_bounds(meaning.clue_constraint(game, item_named(history, name)), name)
    needs = sorted((bound for bound in bounds if bound.low), key=lambda bound: -bound.low)
    limits = [bound for bound in bounds if bound.high is not None]
    every_symbol = dict.fromkeys(range(len(game.secrets.alphabet)), game.length)
    code = SymbolBound(0, every_symbol, game.rule.lengths[0], game.length)
    # A person can still check a sum of four.
    sums = chain(
        ((added, (code,)) for added in _subsets(needs, 4)),
        (((code,), added) for added in _subsets(limits, 4)),
        (
            ((need,), allows)
            for need in needs
            for allows in chain(
                _subsets([bound for bound in limits if bound.high == 0], 3),
                ((limit,) for limit in limits),
            )
        ),
    )
    return next(filter(None, (_proof(code, *each) for each in sums)), None)


def _subsets(bounds: Sequence[SymbolBound], most: int) -> Iterator[tuple[SymbolBound, ...]]:
    return chain.from_iterable(combinations(bounds, size) for size in range(1, most + 1))


def _proof(
    code: SymbolBound, needs: tuple[SymbolBound, ...], allows: tuple[SymbolBound, ...]
) -> CountingProof | None:
    """Return the proof that bounds are, if they are a plain one; `code` bounds a whole code."""
    least, most = sum(bound.low for bound in needs), sum(bound.high or 0 for bound in allows)
    if least <= most or {bound.item for bound in needs} & {bound.item for bound in allows}:
        return None
    times = Counter[int]()
    for bound in needs:
        if times.keys() & bound.times.keys():
            return None
        times.update(bound.times)
    # A symbol is limited by a bound that counts all its occurrences, or more than its own limit.
    limited = {
        symbol
        for bound in allows
        for symbol, counted in bound.times.items()
        if counted >= times[symbol] or counted > (bound.high or 0)
    }
    kept = tuple(sorted(times.keys() - limited))
    if kept and (most or least <= sum(times[symbol] for symbol in kept)):
        return None
    if code in needs:
        return CountingProof((), allows, most)
    return CountingProof(needs, () if code in allows else allows, least, kept)


# What rules a code out.


@dataclass(frozen=True, slots=True)
class Violation:
    """An item that rules a code out: a turn, by its number (from 1), or a fact.

    `feedback` is what the guess would have got with the code as the secret. `marks_off` is the
    number of marks of the clue that would have to change. They are None and 0 for a fact, and for a
    guess that is the code itself.
    """

    item: ItemName
    feedback: Feedback | None = None
    marks_off: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Finding):
    """Whether a code is ruled out, and by which items; on one board, in a game of several.

    `history` has the turns and facts about that board; `violations` are those that rule the code
    out.

    >>> puzzlehunt.why("bulls-and-cows", code="1123")[0].not_a_secret
    'a symbol is repeated, and none may be'
    """

    text: str
    code: Code
    board: int | None
    violations: tuple[Violation, ...]

    def __repr__(self) -> str:
        says = "a candidate" if self.candidate else "out"
        return f"<Verdict on {self.text}: {says}, because {self.because}>"

    @property
    def because(self) -> tuple[ItemName, ...]:
        """The numbers (from 1) of the turns that rule the code out, and the facts that do."""
        return in_order(violation.item for violation in self.violations)

    @property
    def candidate(self) -> bool:
        """Whether the code is a secret of the game that no item rules out."""
        return not self.because and self.code in self.game.secrets

    @property
    def not_a_secret(self) -> str:
        """Why the code is not among the game's secrets, whatever the turns; "" if it is."""
        if self.code in self.game.secrets:
            return ""
        if self.game.secrets.distinct and len({*self.code}) < len(self.code):
            return "a symbol is repeated, and none may be"
        for name, wider in wider_games(self.game):
            if self.code in wider.one_board.secrets:
                return f"only in the wider list {Path(name).name}"
        return "it is not in the list of secrets"


def parse_question(game: Game, code: Hashable, board: int | None = None) -> tuple[Code, int | None]:
    """Return the code that a text or value names, and its board (from 0; None for any).

    In a game of several boards, a text without `board` is `2: B` (a secret for one board), or one
    secret for any board. Raises InvalidCodeError.
    """
    if board is not None:
        check_number("board", board, 0, game.boards - 1, whole=True)
    if not isinstance(code, str) or board is not None or game.boards == 1:
        return game.one_board.parse_secret(code), board
    number, colon, word = code.partition(":")
    if "/" in code and game.alphabet.number("/") is None:
        example = f"1: {code.partition('/')[0].strip()}"
        raise InvalidCodeError(f"{code!r}: name one secret, for a board as in {example}")
    if not colon:
        return game.one_board.parse_secret(code), None
    if not (number.strip().isdecimal() and 1 <= int(number[:9]) <= game.boards):
        boards = f"the boards are 1 to {game.boards}, as in 1: {word.strip()}"
        raise InvalidCodeError(f"{code!r}: {boards}")
    return game.one_board.parse_secret(word.strip()), int(number) - 1


def why(
    game: GameLike, rows: Rows | None = None, *, code: Hashable, board: int | None = None
) -> tuple[Verdict, ...]:
    """Return the verdict of the rows on a code: whether it is out, and by which items.

    `game` and `rows` are as in `candidates`. The code may be a text. There is one verdict, or in a
    game of several boards one for each board that the code is for: `board` (from 0), or every board
    if that is None. No engine is needed. Raises InvalidCodeError, and the errors of `load` and
    `Game.as_history`.

    >>> (verdict,) = puzzlehunt.why("mastermind", ["RRGG 1b 1w", "RYBO 1b"], code="RRRR")
    >>> verdict.candidate, verdict.because
    (False, (1,))
    """
    has_engine, game = isinstance(game, Engine), as_game(game, rows)
    if not has_engine:  # whoever has an engine knows what it leaves out
        meaning.check_explained(game)
    code, board = parse_question(game, code, board)
    if game.boards == 1:
        return (_verdict(game, game.history, code, None),)
    return tuple(
        _verdict(game.one_board, meaning.on_board(game, game.history, number), code, number)
        for number in (range(game.boards) if board is None else [board])
    )


def _verdict(game: Game, history: History, code: Code, board: int | None) -> Verdict:
    """Return the verdict by one board's own history, which ends with the turn that solves it."""
    unforgivable, forgivable = meaning.violations(game, history, code)
    forgiven = len(forgivable) <= game.channel.lies.at_most
    violations = []
    for place in sorted(unforgivable if forgiven else (*unforgivable, *forgivable)):
        item = history.items[place]
        name = history.names[place]
        if isinstance(item, Fact) or code == item.code:
            violations.append(Violation(name))
        else:
            feedback = game.score(item.code, code)
            off = cast(NotedClue, item.clue).distance(feedback)
            violations.append(Violation(name, feedback, off))
    return Verdict(game, history, game.format_code(code), code, board, tuple(violations))


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Finding):
    """Whether a history is consistent, and the verdicts on a code, if one was asked about.

    `conflict` is a smallest set of items that cannot all be right: the numbers (from 1) of turns,
    and facts. It is empty if all items agree. `board` (from 0) is the only board that the conflict
    is about, None if that is not said.

    >>> puzzlehunt.explain("4x6", ["AABB 1b", "ABCD none"])
    <Explanation: conflict (1, 2)>
    """

    conflict: tuple[ItemName, ...]
    code: Code | None = None
    verdicts: tuple[Verdict, ...] = ()
    board: int | None = None

    def __repr__(self) -> str:
        about = "" if self.code is None else f" of {self.game.format_code(self.code)}"
        return f"<Explanation{about}: conflict {self.conflict}>"

    @property
    def counting_proof(self) -> CountingProof | None:
        """A sum that shows why the conflict's items cannot all be right; None if none does."""
        return counting_proof(self.game, self.history, self.conflict)


def explain(
    game: GameLike,
    rows: Rows | None = None,
    *,
    code: Hashable | None = None,
    board: int | None = None,
) -> Explanation:
    """Return whether the rows agree, and why a code is ruled out, if one is given; as `why` does.

    >>> explanation = puzzlehunt.explain("4x6", ["AABB 1b", "ABCD none"], code="AAAA")
    >>> explanation.conflict, explanation.verdicts[0].because
    ((1, 2), (1, 2))
    """
    engine = as_engine(game, rows)
    game, history = engine.game, engine.history
    judged = () if code is None else why(engine, code=code, board=board)
    found = conflicts(engine, top=1 if engine.listed is None else 10) or [()]
    smallest = [names for names in found if len(names) == len(found[0])]
    # One that a sum shows is easier to see.
    shown = (names for names in smallest if counting_proof(game, history, names))
    code = judged[0].code if judged else None
    return Explanation(game, history, next(shown, smallest[0]), code, judged)


# What all candidates share.


@dataclass(frozen=True, slots=True)
class Certainty(Finding):
    """A claim that is true of every candidate, `because` of some items, which prove it.

    Either `position` (from 0) holds the symbol, or the symbol occurs `count` times (0: nowhere);
    `code` is the symbol alone. `at_least` means that the turns allow more occurrences, even if the
    game does not. `board` (from 0) is None in a game of one board.

    >>> print(puzzlehunt.certain("mastermind", ["RRRR none"])[0])
    no R (row 1)
    """

    symbol: str
    code: Code
    position: int | None = None
    count: int | None = None
    at_least: bool = False
    because: tuple[ItemName, ...] = ()
    board: int | None = None


class Certainties(Findings[Certainty]):
    """Certainties, with their history; those of several boards follow each other."""

    _row_type = Certainty


def certain(game: GameLike, rows: Rows | None = None) -> Certainties:
    """Return the certainties: symbols at positions, then those that occur, then those that do not.

    `game` and `rows` are as in `candidates`.
    Certainties of several boards follow each other; solved boards have none. The list is empty if
    the turns contradict each other, and in games of columns, whose candidates tell more. Raises
    TooLargeError if no candidate of a huge space is found in time.

    >>> found = puzzlehunt.certain("mastermind", ["RRRR 1b", "RYYY 1b"])
    >>> [(one.symbol, one.position, one.because) for one in found][:1]
    [('R', None, (1,))]
    """
    engine = as_engine(game, rows)
    found = Certainties(engine)
    if not engine.items or engine.game.rule.column_names or not engine.satisfiable():
        return found
    names = found.history.names
    for number, board in open_boards(engine):
        # Only what some candidates share can be certain; fewer of them would cost more queries.
        sample = board.sample(16, random.Random(0), end=time.monotonic() + 0.2)
        if not sample.codes:
            raise TooLargeError("no candidate was found in time, so what is certain is unknown")
        of_all = list[int]()
        if sample.complete and board.game.secrets.size > MOST_LISTED:
            others = none_of(sample.codes, board.game.length)
            of_all = minimal_conflict(board, range(len(board.items)), others)
        for claim in _claims(board, found, sample):
            denial = _denial(claim)
            if _some(board, sample, denial) or not board.satisfiable([], also=denial):
                continue  # not true of all candidates, or of all secrets, too
            if proof := of_all or _minimal_proof(board, denial):
                because = in_order(names[place] for place in proof)
                found.append(replace(claim, because=because, board=number))
    return found


def _minimal_proof(engine: Engine, denial: Constraint) -> Sequence[int]:
    """Return the places of items that contradict a claim's denial, of a single one if possible."""
    # A solver is not queried for each item.
    single = None if engine.listed is None else engine.listed.first_refuting(denial)
    every = range(len(engine.items))
    return minimal_conflict(engine, every, denial) if single is None else [single]


def _claims(engine: Engine, found: Certainties, sample: Sample) -> list[Certainty]:
    about, names = (found.game, found.history), engine.game.secrets.alphabet.symbols
    claims = [
        Certainty(*about, names[column[0]], column[:1], place)
        for place, column in enumerate(zip(*sample.codes, strict=False))
        if len({*column}) == 1
    ]
    counts = (
        Certainty(*about, name, (symbol,), None, *_about_counts(engine, symbol, sample))
        for symbol, name in enumerate(names)
    )
    return claims + sorted(counts, key=lambda claim: not claim.count)


def _about_counts(engine: Engine, symbol: int, sample: Sample) -> tuple[int, bool]:
    """Return how often candidates may all have a symbol, and whether that is "at least".

    "At least" is claimed if some candidate has more, or if the game itself allows no more.
    """
    fewest = min(code.count(symbol) for code in sample.codes)
    while fewest and _some(engine, sample, Bound.forbidden(AtLeast((symbol,), fewest))):
        fewest -= 1
    if fewest == 0:
        return 0, False
    more = Bound.required(AtLeast((symbol,), fewest + 1))
    return fewest, _some(engine, sample, more) or not engine.satisfiable([], also=more)


def _some(engine: Engine, sample: Sample, also: Constraint) -> bool:
    """Return whether some candidate, mostly one of a sample, satisfies a constraint."""
    if any(holds(also, code) for code in sample.codes):
        return True
    return not sample.complete and engine.satisfiable(also=also)


def _denial(claim: Certainty) -> Constraint:
    """Return the constraint that is true of exactly the secrets for which a claim is false."""
    if claim.position is not None:
        return Bound.forbidden(At(claim.position, claim.code))
    count = claim.count or 0
    more = Bound.required(AtLeast(claim.code, count + 1))
    if count == 0:
        return more
    fewer = Bound.forbidden(AtLeast(claim.code, count))
    return fewer if claim.at_least else AnyOf((fewer, more))
