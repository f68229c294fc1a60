"""Optimal: searches all play from a position on, with a budget only the most promising guesses."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.feedback_matrix import Table, table_blocks, unsigned_type
from puzzlehunt.kernels.packed_codes import (
    CodeArray,
    Indices,
    PackedCodes,
    array_of,
    code_of,
    indices_in,
)
from puzzlehunt.strategies.base import Strategy, Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.strategies.position import Position
from puzzlehunt.strategies.search.branch_and_bound import Search
from puzzlehunt.strategies.search.hard import Hard
from puzzlehunt.strategies.search.proof import Bounds, Proof, ProofLog
from puzzlehunt.strategies.search.selection import best_opening, most_promising, selected
from puzzlehunt.strategies.search.whole_games import (
    FULLY_SEARCHED,
    TABLE_BLOCK,
    SearchResult,
    same_game,
    unsupported_reason,
)
from puzzlehunt.strategies.symmetry import by_position

_LARGEST_TABLE = 1_300_000_000
"""Cap on the table of guesses and candidates, if nobody waits (cells)."""
_LARGEST_PLAN = 1 << 25
"""Cap on the table of candidates that are searched together behind a given guess (bytes)."""
_LARGEST_WHOLE = 1 << 25
"""Cells of the table of all guesses and secrets of a game above which a search with a budget looks
into some of the guesses only."""
_MOST_SEARCHED = 10_000
"""Most candidates that are searched among some of the guesses. With more, the guess is made that
seems best."""
_BYTES_WITHOUT_LOOK, _BYTES_BESIDE_TABLE = 50_000_000, 300_000_000
"""Size of a table below which nobody asks whether memory is free, and what a search takes beside
a larger one (bytes)."""


@dataclass(frozen=True, slots=True, eq=False)
class CachedSearch:
    """A search, the position that it was made for, and its guesses.

    `places` (S,) is the place of each secret in the table of the search, -1 for none.
    """

    position: Position
    places: Indices
    guesses: PackedCodes
    search: Search

    def place_of(self, guess: Code) -> int:
        """Return the place of a guess, -1 where it is not among the guesses searched."""
        codes = self.guesses.codes
        return int(indices_in(codes, array_of([guess], codes.shape[1]))[0])

    def holds(self, position: Position) -> bool:
        """Return whether the search is of the same game, with all candidates of a position."""
        same = same_game(self.position, position)
        return same and bool((self.places[position.candidates] >= 0).all())


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """A position that is too large for one table, and the guess that is made in it.

    `batches` are the candidates that some answers to the guess leave, searched together.
    """

    position: Position
    guess: Code
    batches: list[Indices]

    def batch_of(self, position: Position) -> Position | None:
        """Return the planned position with the batch of another's candidates alone, if any."""
        if same_game(self.position, position):
            for batch in self.batches:
                if np.isin(position.candidates, batch).all():
                    return replace(self.position, candidates=batch)
        return None


class Optimal(Strategy):
    """Minimises first the candidates not found with the attempts left, then the guesses.

    Without a budget the value is proved to be the least. With a `budget`, only that many guesses
    are looked into in each position. What was found is remembered until a position is asked for
    that the search does not hold.
    """

    name: ClassVar[str] = "optimal"
    measure = GUESSES_ON_AVERAGE
    allows_for_channel = False
    needs_all_candidates = True
    books = ("optimal",)
    optimal = True
    proves = True
    proves_on_cluster = True

    def __init__(self, budget: int | None = None) -> None:
        self.budget = budget
        self._searches: list[CachedSearch] = []
        self._plan: _Plan | None = None
        self.proof_log = ProofLog()
        """What is known before a whole game is proved, and who is told how far that is."""

    def for_game(self, game: Game) -> Strategy:
        """Return the search of hard mode for a game of hard mode, else this strategy."""
        return Hard(self.budget) if game.hard else self

    def unsupported_reason(self, position: Position) -> str:
        if position.game.hard:
            return "hard mode, where guesses depend on the rows"
        guesses = 0 if self._selects(position) else _guess_count(position)
        return unsupported_reason(position, guesses, _LARGEST_TABLE)

    def _selects(self, position: Position) -> bool:
        """Return whether only some of the guesses are looked into, because all are too many.

        They are selected anew for each position, which pays where it is quick to count partitions.
        """
        guesses = position.pool.guesses
        if self.budget is None or position.budget.person_waits or guesses is None:
            return False
        counts_quickly = position.game.rule.pair_offsets is not None
        return counts_quickly and len(guesses) * len(position.secrets) > _LARGEST_WHOLE

    def searches(self, position: Position) -> bool:
        return True

    def plans_ahead(self, position: Position) -> bool:
        return not self._selects(position)

    def prepare(self, position: Position, opening: Code | None = None) -> None:
        if self._selects(position):
            return
        if opening is None:
            self._report(position, self._best(position)[0])
            return
        if self._prove_opening(position, opening):
            return
        batches = _batches(position, opening)
        if len(batches) == 1:
            self._report(position, self._choice_of(position, opening))
        else:  # a batch is searched once a position of it is to be played
            self._check(position)
            self._plan = _Plan(position, opening, batches)

    def _report(self, position: Position, choice: SearchResult | None) -> None:
        """Report the value of a game that is too small for bounds on the way."""
        small = len(position.candidates) <= FULLY_SEARCHED or position.attempts == 1
        if choice is not None and self.budget is None and small and position.nothing_known:
            lost = choice.unreached, choice.unreached
            self.proof_log.report(Bounds(choice.value, choice.value, lost))

    def rank(self, position: Position, top: int) -> tuple[list[Suggestion], bool]:
        """Return the best guess alone: the others are only known to be no better."""
        if len(position.candidates) == 1:
            return [Strategy.rate(self, position, position.candidate(0))], True
        if self._is_beyond_search(position):
            guess = code_of(self.choose(position).codes[0])
            return [super().rate(position, guess)], False
        choice, searched = self._best(position)
        rated = super().rate(position, code_of(searched.guesses.codes[choice.guess]))
        return [choice.rated(rated, len(position.candidates))], self.budget is None

    def choose(self, position: Position) -> PackedCodes:
        if len(position.candidates) == 1:
            return position.secrets[position.candidates]
        if self._is_beyond_search(position):
            guesses, _ = position.choices()
            first = position.nothing_known
            return guesses[best_opening(position) if first else most_promising(position, 1)]
        choice, searched = self._best(position)
        return searched.guesses[np.array([choice.guess])]

    def _is_beyond_search(self, position: Position) -> bool:
        """Return whether candidates are too many to search, even among some of the guesses.

        Before the first turn those that are selected are no more than one of each shape.
        """
        too_many = position.nothing_known or len(position.candidates) > _MOST_SEARCHED
        return self._selects(position) and too_many

    def rate(self, position: Position, guess: Code) -> Suggestion:
        choice = self._choice_of(position, guess)
        rated = super().rate(position, guess)
        return rated if choice is None else choice.rated(rated, len(position.candidates))

    def _best(self, position: Position) -> tuple[SearchResult, CachedSearch]:
        searched = self._searching_for(position)
        candidates = searched.places[position.candidates]
        past_guesses = _past_guesses(position)
        part = searched.search.part(candidates, position.attempts, past_guesses)
        if self.budget is None and searched.search.needs_opening(part):
            Proof(searched.search, part, self.proof_log).run()
        return searched.search.best(candidates, position.attempts, past_guesses), searched

    def _prove_opening(self, position: Position, opening: Code) -> bool:
        """Return whether it was proved what a whole game takes after a first guess.

        False where the position is not the beginning of a game, or no proof can be made.
        """
        if self.budget is not None or self.unsupported_reason(position):
            return False
        searched = self._searching_for(position)
        candidates = searched.places[position.candidates]
        part = searched.search.part(candidates, position.attempts, _past_guesses(position))
        place = searched.place_of(opening)
        if place < 0 or not searched.search.needs_opening(part):
            return False
        if len(searched.search.parts_of(part, place)) < 2:
            return False
        if not searched.search.knows_guess(part, place):
            Proof(searched.search, part, self.proof_log, [place]).run()
        return True

    def _choice_of(self, position: Position, guess: Code) -> SearchResult | None:
        """Return the choice of a given guess, None where it is not among the guesses searched."""
        if self._is_beyond_search(position):
            return None
        searched = self._searching_for(position)
        place = searched.place_of(guess)
        if place < 0:
            return None
        candidates = searched.places[position.candidates]
        past_guesses = _past_guesses(position)
        return searched.search.with_guess(candidates, position.attempts, place, past_guesses)

    def search_of(self, position: Position) -> Search:
        """Return the search of a position. Raises StrategyError where it cannot be searched."""
        return self._searching_for(position).search

    def _searching_for(self, position: Position) -> CachedSearch:
        """Return a search that holds the candidates of a position, made anew if need be.

        Raises StrategyError where the position cannot be searched.
        """
        while self._searches and not self._searches[-1].holds(position):
            self._searches.pop()  # its table is freed before another is made
        if not self._searches or not self._serves(self._searches[-1], position):
            self._check(position)
            batch = self._plan and self._plan.batch_of(position)
            self._searches.append(self._new_search(batch or position))
            if self._plan and batch:
                self._choice_of(batch, self._plan.guess)
        return self._searches[-1]

    def _serves(self, searched: CachedSearch, position: Position) -> bool:
        """Return whether a search that holds all candidates of a position has the guesses for it.

        The few candidates of small parts are told apart by guesses that were selected for more.
        """
        count = len(position.candidates)
        all_guesses = len(searched.guesses) == _guess_count(position)
        return all_guesses or count <= FULLY_SEARCHED or count == len(searched.position.candidates)

    def _check(self, position: Position) -> None:
        if trouble := self.unsupported_reason(position):
            raise StrategyError(f"{self.name}: cannot search {trouble}; try --strategy deep")

    def _check_memory(self, position: Position, guesses: int) -> None:
        """Raise StrategyError where a large table needs more memory than is free."""
        needed = len(position.candidates) * guesses * np.dtype(_answer_type(position)).itemsize
        if needed < _BYTES_WITHOUT_LOOK:
            return
        import psutil

        needed, free = needed + _BYTES_BESIDE_TABLE, psutil.virtual_memory().available
        if needed > free:
            raise StrategyError(
                f"{self.name}: the search needs {needed / 1e9:.1f} GB of memory, and "
                f"{free / 1e9:.1f} GB are free; try --strategy deep without a budget"
            )

    def _new_search(self, position: Position) -> CachedSearch:
        """Return a search of a position, of which nothing is known yet."""
        game, rule = position.game, position.game.rule
        rows, guess_of = position.choices()
        if self.budget is not None and self._selects(position):
            rows, guess_of = selected(position, self.budget)
        self._check_memory(position, len(rows))
        search = Search(
            rows.codes,
            _answers(position, rows),
            guess_of,
            rule.winning_index,
            len(rule.feedbacks),
            self.budget,
            0 if position.used_symbols is None else len(game.alphabet),
            position.pool.guesses is None,
            by_position(game),
        )
        places = np.full(len(position.secrets), -1)
        places[position.candidates] = np.arange(len(position.candidates))
        return CachedSearch(position, places, rows, search)


def _batches(position: Position, guess: Code) -> list[Indices]:
    """Return the candidates of a position in batches whose tables are small enough.

    Candidates that give the same answer to a guess are in one batch, however many these are.
    """
    rule, guesses = position.game.rule, position.pool.guesses
    cell: int = np.dtype(_answer_type(position)).itemsize
    most = _LARGEST_PLAN // (cell * (1 if guesses is None else len(guesses)))
    if guesses is None or len(position.candidates) <= most:
        return [position.candidates]
    row = rule.rows(array_of([guess], position.game.length))
    answers = rule.table(row, position.secrets[position.candidates])[0]
    sizes = np.bincount(answers)
    numbers, number, size = np.zeros(len(sizes), dtype=np.int64), 0, 0
    for answer in np.flatnonzero(sizes).tolist():
        if size and size + sizes[answer] > most:
            number, size = number + 1, 0
        numbers[answer], size = number, size + sizes[answer]
    batch_of = numbers[answers]
    return [position.candidates[batch_of == each] for each in range(number + 1)]


def _guess_count(position: Position) -> int:
    """Return how many guesses there are to choose from."""
    guesses = position.pool.guesses
    return len(position.candidates) if guesses is None else len(guesses)


def _answer_type(position: Position) -> Any:
    """Return the type of a number of an answer."""
    return unsigned_type(len(position.game.rule.feedbacks))


def _answers(position: Position, rows: PackedCodes) -> Table:
    """Return (candidates, guesses): the feedbacks, as places in `rule.feedbacks`."""
    rule, secrets = position.game.rule, position.secrets[position.candidates]
    table: Table = np.empty((len(secrets), len(rows)), dtype=_answer_type(position))
    for block in table_blocks(len(rows), len(secrets), TABLE_BLOCK):
        table[:, block] = rule.table(rows[block], secrets).T
    return table


def _past_guesses(position: Position) -> tuple[CodeArray, ...] | None:
    """Return the guesses so far, None where more than their answers is known of the secret."""
    if position.used_symbols is None:
        return () if position.nothing_known else None
    return tuple(array_of(position.past_guesses, position.game.length))
