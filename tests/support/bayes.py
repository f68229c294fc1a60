"""The specification of engines, channels and posteriors: secrets, rows and lies, one by one."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np

from puzzlehunt.channel.model import LYING_TURNS
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import holds
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Item, Turn
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.rules.notation.tiles import TileNotation
from puzzlehunt.strategies.position import observation_of

Rows = dict[str, float]
"""What may be noted down, one character a mark, each with its chance."""
_DIGIT = 0x100
"""The character of the first digit of a column's answer; the others follow."""


def brute_force(game: Game, items: Iterable[Item]) -> list[Code]:
    """Return the secrets that agree with some items, one by one, by `score`."""
    known = list(items)
    if game.boards == 1:
        most = game.channel.lies.at_most
        return [s for s in game.secrets if sum(_broken(game, item, s) for item in known) <= most]
    return [
        tuple(symbol for part in parts for symbol in part)
        for parts in product(game.one_board.secrets, repeat=game.boards)
        if all(_agrees_on(game, board, part, known) for board, part in enumerate(parts))
    ]


def _agrees_on(game: Game, board: int, part: Code, known: list[Item]) -> bool:
    """What is known after a board was solved says nothing of it."""
    for item in known:
        if isinstance(item, Fact):
            if item.board == board and not holds(item.constraint, part):
                return False
            continue
        turn = Turn(item.code, item.clue.clues[board], item.doubt)
        if _broken(game.one_board, turn, part):
            return False
        if list(turn.clue) == [game.one_board.rule.winning] and not item.doubt:
            return True
    return True


def _broken(game: Game, item: Item, secret: Code) -> float:
    """Return 0 if an item agrees with a secret, 1 if it must lie, and infinity if it cannot."""
    if isinstance(item, Fact):
        return 0 if holds(item.constraint, secret) else math.inf
    won, says_won = item.code == secret, list(item.clue) == [game.rule.winning]
    if won and not says_won:
        return math.inf
    if item.doubt or won:
        return 0
    if says_won:
        return math.inf
    return 0 if _may_be_said(game, item, game.score(item.code, secret)) else 1


def _may_be_said(game: Game, turn: Turn, feedback: Any) -> bool:
    lies = game.channel.lies
    if lies.exactly:
        others = (f for f in game.rule.feedbacks if f != game.rule.winning and f in turn.clue)
        differing = (sum(a != b for a, b in zip(feedback, f, strict=True)) for f in others)
        return lies.exactly in differing
    return bool(lies.chance) or feedback in turn.clue


class Notes:
    """What a player may note of the answer to a guess of full length, with its chance.

    Each event is tried: a lie, each mark read or not, a misreading. `rates` are used instead of the
    means of the game's own. A miss without a mark is a dot that nobody draws; the answer of a
    column is a character for its digit.
    """

    def __init__(self, game: Game, guess: Code, rates: Sequence[float] | None = None) -> None:
        self.game, self.guess, self.rule = game, guess, game.rule
        told = game.channel.reads
        self.rates = [rate.mean for rate in told or ()] if rates is None else list(rates)
        notation, winning = game.rule.notation, tuple(game.rule.winning)
        self.columns = bool(game.rule.column_names)
        self.tiles = self.columns or isinstance(notation, TileNotation)
        self.unknown, self.kinds = "_", ""
        if not self.columns:
            kinds = notation.marks if self.tiles else [kind.mark or "." for kind in notation.kinds]
            self.kinds, self.unknown = "".join(kinds), notation.unread_mark
        self.answers = {tuple(f): self._marks(f) for f in game.rule.feedbacks}
        self.won = self.answers[winning]
        self.others = [f for f in self.answers if f != winning]
        self._read: dict[Sequence[int], Rows] = {}
        self._clues: dict[str, Any] = {}

    def clue(self, text: str) -> Any:
        if text not in self._clues:
            self._clues[text] = self._parsed(text)
        return self._clues[text]

    def _parsed(self, text: str) -> Any:
        if not self.columns:
            return self.rule.parse(text, self.guess, checked=False)
        if text == self.won:
            return self.rule.notation.full_clue(self.rule.winning, self.guess)
        cells = tuple(() if c == self.unknown else (ord(c) - _DIGIT,) for c in text)
        return CellsClue(cells, self.rule.feedbacks.sizes)

    def tidy(self, marks: Iterable[str]) -> str:
        """Marks stand in their places on tiles; else their order says nothing."""
        text = "".join(marks)
        return text if self.tiles else "".join(sorted(text))

    def _marks(self, feedback: Sequence[int]) -> str:
        if tuple(feedback) == tuple(self.rule.winning):
            return "won"
        if self.columns:
            return "".join(chr(_DIGIT + digit) for digit in feedback)
        if self.tiles:
            return "".join(self.kinds[digit] for digit in feedback)
        counts = [*feedback[: len(self.kinds) - 1]]
        counts.append(self.rule.mark_count(self.guess) - sum(counts))
        return self.tidy(mark * count for mark, count in zip(self.kinds, counts, strict=True))

    def marks_but(self, place: int, mark: str) -> str:
        """What may stand at a place in the place of a mark."""
        if self.columns:
            size = self.rule.feedbacks.sizes[place]
            return "".join(chr(_DIGIT + digit) for digit in range(size)).replace(mark, "")
        return self.kinds.replace(mark, "")

    # Events, each a list of what may come of something, with its chance.

    def read(self, feedback: Sequence[int]) -> Rows:
        """Each mark of an answer is read, by the rate of its kind or column, or not."""
        feedback = tuple(feedback)
        if feedback not in self._read:
            self._read[feedback] = self._readings(self.answers[feedback])
        return self._read[feedback]

    def _readings(self, marks: str) -> Rows:
        if marks == self.won or self.game.channel.reads is None:
            return {marks: 1.0}
        found: Rows = {}
        for seen in product([True, False], repeat=len(marks)):
            chance = 1.0
            for place, (mark, read) in enumerate(zip(marks, seen, strict=True)):
                rate = self.rates[place if self.columns else self.kinds.index(mark)]
                chance *= rate if read else 1 - rate
            shown = (m if read else self.unknown for m, read in zip(marks, seen, strict=True))
            _add(found, self.tidy(shown), chance)
        return {text: chance for text, chance in found.items() if chance}

    def any_of(self, feedbacks: Sequence[Sequence[int]]) -> Rows:
        """One of some answers, each as likely, is shown and read."""
        found: Rows = {}
        for feedback in feedbacks:
            for text, chance in self.read(feedback).items():
                _add(found, text, chance / len(feedbacks))
        return found

    def anything(self) -> Rows:
        return self.any_of(list(self.answers))

    def lie(self, feedback: Sequence[int]) -> Rows:
        """Any answer but the true one and the winning one."""
        return self.any_of([other for other in self.others if other != tuple(feedback)])

    def falsified(self, feedback: Sequence[int], marks: int) -> Rows:
        """So many marks turn into others, wherever they stand.

        Any places are as likely, and there any other marks. What would win, and what the rule does
        not list, is not shown.
        """
        truth = self.answers[tuple(feedback)]
        ways: Counter[str] = Counter()
        for places in combinations(range(len(truth)), marks):
            others = [self.marks_but(place, truth[place]) for place in places]
            for changed in product(*others):
                text = _changed(truth, dict(zip(places, changed, strict=True)))
                ways[self.tidy(text)] += 1 / math.prod(map(len, others))
        shown = [f for f in self.others if ways[self.answers[f]]]
        total = sum(ways[self.answers[f]] for f in shown)
        found: Rows = {}
        for other in shown:
            for text, chance in self.read(other).items():
                _add(found, text, chance * ways[self.answers[other]] / total)
        return found

    def right(self, feedback: Sequence[int]) -> Rows:
        """A row that is not misread; lies within a budget are left out."""
        lies = self.game.channel.lies
        if tuple(feedback) == tuple(self.rule.winning):
            return {self.won: 1.0}
        if lies.exactly:
            return self.falsified(feedback, lies.exactly)
        if not lies.chance:
            return self.read(feedback)
        return _mixed(lies.chance, self.lie(feedback), self.read(feedback))

    def wrong(self, feedback: Sequence[int]) -> Rows:
        """A row that is misread: one mark of it, or all; not where nothing was read."""
        if tuple(feedback) == tuple(self.rule.winning):
            return {}
        right = self.right(feedback)
        one_mark: Rows = {}
        for text, chance in right.items():
            told = [place for place, mark in enumerate(text) if mark != self.unknown]
            for place in told:
                others = self.marks_but(place, text[place])
                for other in others:
                    misread = self.tidy(_changed(text, {place: other}))
                    _add(one_mark, misread, chance / len(told) / len(others))
        found = _mixed(0.5, one_mark, self.anything())
        for text in found:
            if {*text} == {self.unknown}:
                found[text] = right.get(text, 0.0)
        return {text: chance for text, chance in found.items() if not self.wins(text)}

    def row(self, feedback: Sequence[int], doubt: float = 0.0) -> Rows:
        """All of it; lies within a budget are left out. A guess that wins is known to."""
        if tuple(feedback) == tuple(self.rule.winning):
            return {self.won: 1 - doubt + doubt * self.anything()[self.won]}
        row, misread = self.right(feedback), self.game.channel.misread
        if misread:
            row = _mixed(misread, self.wrong(feedback), row)
        return _mixed(doubt, self.anything(), row) if doubt else row

    def honest(self, feedback: Sequence[int], doubt: float = 0.0) -> Rows:
        """The part of it in which nothing is wrong: no misreading, no lie, no doubt that is right.

        `exactly` so many false marks are in every row, and so no row is wrong for them.
        """
        if tuple(feedback) == tuple(self.rule.winning):
            return {self.won: 1 - doubt}
        by_chance = self.game.channel.lies.chance
        rows = self.read(feedback) if by_chance else self.right(feedback)
        part = (1 - self.game.channel.misread) * (1 - by_chance) * (1 - doubt)
        return {text: chance * part for text, chance in rows.items()}

    def wins(self, text: str) -> bool:
        return list(self.clue(text)) == [self.rule.winning]


def _add(rows: Rows, text: str, chance: float) -> None:
    rows[text] = rows.get(text, 0.0) + chance


def _mixed(chance: float, rows: Rows, others: Rows) -> Rows:
    """The first rows with that chance, else the others."""
    return {
        text: chance * rows.get(text, 0.0) + (1 - chance) * others.get(text, 0.0)
        for text in {**rows, **others}
    }


def _changed(text: str, changes: dict[int, str]) -> str:
    return "".join(changes.get(place, mark) for place, mark in enumerate(text))


def rows_that_lie(game: Game, rows: int) -> Iterator[tuple[frozenset[int], float]]:
    """Which rows may lie, as sets of places, each with how likely that is before the rows.

    Any number up to the budget is as likely as any other, and so are any rows of the whole game.
    """
    length = max(rows, game.play.attempts or LYING_TURNS)
    most = min(game.channel.lies.at_most, length)
    chances: Counter[frozenset[int]] = Counter()
    for number in range(most + 1):
        for places in combinations(range(length), number):
            played = frozenset(place for place in places if place < rows)
            chances[played] += 1 / (most + 1) / math.comb(length, number)
    yield from chances.items()


class Bayes:
    """Chances by the book: each secret, each row, each set of rows that lie."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.turns = game.history.turns
        self.noted = [Notes(game, turn.code) for turn in self.turns]
        self.known: dict[Any, float] = {}

    def chance(self, row: int, of: str, feedback: Sequence[int]) -> float:
        """How likely a row is by one of the ways in which rows come about: `row`, `lie`, ..."""
        key = (row, of, tuple(feedback))
        if key not in self.known:
            noted, turn = self.noted[row], self.turns[row]
            won = tuple(feedback) == tuple(self.game.rule.winning)
            if of == "lie":
                rows = {} if won else noted.lie(feedback)
            else:
                rows = getattr(noted, of)(feedback, turn.doubt)
            self.known[key] = sum(p for text, p in rows.items() if noted.clue(text) == turn.clue)
        return self.known[key]

    def prior(self, secret: Code) -> float:
        space = self.game.secrets
        possible = all(holds(fact.constraint, secret) for fact in self.game.history.facts)
        return possible * (space.weights[secret] if isinstance(space, WordSpace) else 1)

    def by_lies(
        self, secret: Code, rows: int, honest: int | None = None
    ) -> Iterator[tuple[frozenset[int], float]]:
        """Which of some rows lie, each set with the chance of all that is known, and of it.

        Of rows that come later nothing is known. `honest` is a row in which nothing is wrong.
        """
        feedbacks = [self.game.score(turn.code, secret) for turn in self.turns]
        for lying, chance in rows_that_lie(self.game, rows):
            if honest in lying:
                continue
            for row, feedback in enumerate(feedbacks):
                of = "lie" if row in lying else "honest" if row == honest else "row"
                chance *= self.chance(row, of, feedback)
            yield lying, chance

    def weights(self, honest: int | None = None) -> Any:
        rows = len(self.turns)
        return np.array(
            [
                self.prior(s) * sum(chance for _, chance in self.by_lies(s, rows, honest))
                for s in self.game.secrets
            ]
        )

    def lie_next(self, secret: Code) -> float:
        """How likely the next row lies if a secret is the right one: one row more is not known."""
        if self.game.channel.lies.chance:
            return self.game.channel.lies.chance
        rows = len(self.turns)
        ways = list(self.by_lies(secret, rows + 1))
        likely = sum(chance for _, chance in ways)
        return sum(chance for lying, chance in ways if rows in lying) / likely if likely else 0.0


def possible(game: Game, items: Iterable[Item]) -> list[Code]:
    """Return the secrets whose weight is not 0 after some items."""
    weights = Bayes(replace(game, history=History(tuple(items)))).weights()
    return [secret for secret, weight in zip(game.secrets, weights, strict=True) if weight]


class Seen:
    """All that may be noted after a guess, for every secret that is possible, and its chance."""

    def __init__(self, engine: Any, guess: Code, chances: dict[Code, float] | None = None) -> None:
        self.game, self.guess = engine.game, guess
        observation = observation_of(engine)
        probabilities = engine.posterior.probabilities
        if chances is not None:
            probabilities = np.array(list(chances.values()))
        places = np.flatnonzero(probabilities)
        rates = None if observation.rates is None else [rate.mean for rate in observation.rates]
        self.noted = Notes(self.game, guess, rates)
        self.lies = np.zeros(len(places))
        if self.game.channel.lies.at_most:
            self.lies = observation.lie_next[places]
        self.shares = probabilities[places]
        self.secrets = [list(self.game.secrets)[place] for place in places]
        self.rows = [self.row(*pair) for pair in zip(self.secrets, self.lies, strict=True)]
        self.texts = sorted({text for row in self.rows for text in row})
        self.table = np.array([[row.get(text, 0.0) for text in self.texts] for row in self.rows])
        self.told = self.shares @ self.table

    def row(self, secret: Code, lie: float) -> Rows:
        """What may be noted if a secret is the right one, and the row lies with some chance."""
        feedback = self.game.score(self.guess, secret)
        if not lie or feedback == self.game.rule.winning:
            return self.noted.right(feedback)
        return _mixed(lie, self.noted.lie(feedback), self.noted.read(feedback))

    def information(self) -> float:
        """What the note tells of the secret: how much less is open on average, in bits."""
        return float(bits(self.told) - self.shares @ [bits(row) for row in self.table])


def bits(chances: Any) -> float:
    some = chances[chances > 0]
    return float(-(some * np.log2(some)).sum())
