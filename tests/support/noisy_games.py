"""The specification of channels, and random games whose rows came through one."""

import random
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.rules.notation.tiles import TileNotation
from random_games import build, fact, word_list

# The specification of channels: all that may happen between an answer and a row, one by one.

Rows = dict[str, float]
"""What may be noted down, one character a mark, each with its chance."""


@pytest.fixture(scope="session")
def notes() -> Callable[..., "Notes"]:
    """A function that returns what may be noted of the answer to a guess: see `Notes`."""
    return Notes


class Notes:
    """What a player may note of the answer to a guess of full length, with its chance.

    Each event is tried: a lie, each mark read or not, a misreading. `rates` are used instead of the
    means of the game's own. A miss without a mark is a dot that nobody draws.
    """

    def __init__(self, game: Game, guess: Code, rates: Sequence[float] | None = None) -> None:
        self.game, self.guess, self.rule = game, guess, game.rule
        told = game.channel.reads
        self.rates = [rate.mean for rate in told or ()] if rates is None else list(rates)
        notation = game.rule.notation
        self.tiles = isinstance(notation, TileNotation)
        kinds = notation.marks if self.tiles else [kind.mark or "." for kind in notation.kinds]
        self.kinds, self.unknown = "".join(kinds), notation.unread_mark
        self.answers = {tuple(f): self._marks(f) for f in game.rule.feedbacks}
        self.won = self.answers[tuple(game.rule.winning)]
        self.others = [f for f in self.answers if f != tuple(game.rule.winning)]
        self._read: dict[Sequence[int], Rows] = {}
        self._clues: dict[str, Any] = {}

    def clue(self, text: str) -> Any:
        if text not in self._clues:
            self._clues[text] = self.rule.parse(text, self.guess, checked=False)
        return self._clues[text]

    def tidy(self, marks: Iterable[str]) -> str:
        """Marks stand in their places on tiles; else their order says nothing."""
        text = "".join(marks)
        return text if self.tiles else "".join(sorted(text))

    def _marks(self, feedback: Sequence[int]) -> str:
        if tuple(feedback) == tuple(self.rule.winning):
            return "won"
        if self.tiles:
            return "".join(self.kinds[digit] for digit in feedback)
        counts = [*feedback[: len(self.kinds) - 1]]
        counts.append(self.rule.mark_count(self.guess) - sum(counts))
        return self.tidy(mark * count for mark, count in zip(self.kinds, counts, strict=True))

    def marks_but(self, place: int, mark: str) -> str:
        """What may stand at a place in the place of a mark."""
        return self.kinds.replace(mark, "")

    # Events, each a list of what may come of something, with its chance.

    def read(self, feedback: Sequence[int]) -> Rows:
        """Each mark of an answer is read, by the rate of its kind, or not."""
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
            for mark, read in zip(marks, seen, strict=True):
                rate = self.rates[self.kinds.index(mark)]
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

        What would win, and what the rule does not list, is not shown.
        """
        truth = self.answers[tuple(feedback)]
        ways = Counter(
            self.tidy(changed)
            for places in combinations(range(len(truth)), marks)
            for others in product(self.kinds, repeat=marks)
            if all(truth[place] != other for place, other in zip(places, others, strict=True))
            for changed in [_changed(truth, dict(zip(places, others, strict=True)))]
        )
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


# Random games with a channel, and rows that came through it.


def _is_of_tiles(value: dict[str, Any]) -> bool:
    return any(name in str(value.get("rule")) for name in ("marks", "order", "near"))


_NOISY: list[tuple[dict[str, Any], list[str]]] = [
    ({"marks": {"miss": "R"}, "names": {"miss": "red"}}, ["black", "white", "red"]),
    ({"marks": {"miss": "R"}}, ["black", "white", "miss"]),
    ({}, ["black", "white"]),
    ({}, ["black", "white", "miss"]),
    ({"marks": {"black": "A", "white": "C"}, "names": {"black": "bull"}}, ["bull", "white"]),
    ({"rule": "matches", "marks": {"miss": "-"}}, ["match", "miss"]),
    ({"rule": "matches"}, ["match"]),
    ({"rule": "letters", "marks": {"miss": "o"}}, ["common", "miss"]),
    ({"rule": "letters"}, ["common"]),
    ({"rule": "pairs"}, ["black", "white", "half"]),
    ({"rule": "marks"}, ["absent", "elsewhere", "right"]),
    ({"rule": "marks"}, ["absent", "elsewhere", "right"]),
    ({"rule": "order"}, ["earlier", "later", "equal"]),
    ({"rule": {"name": "near", "within": "1"}}, ["far", "near", "equal"]),
]
_TILES = [each for each in _NOISY if _is_of_tiles(each[0])]
"""Those whose marks have places, so that a number of them may be false in every row."""
_RATES = ["0", "1", "0.5", "0.1", "13 %", "0.9"]
_BELIEFS = ["learn", "easy", "hard", "about 0.2"]


@pytest.fixture(scope="session")
def noisy_game() -> Callable[..., Game]:
    """A function that returns the random game of a seed, with a channel of some parts.

    Its history has rows that came through the channel, and facts; `rows` are how many at most.
    """
    return noisy_game_of


def noisy_game_of(seed: int, *parts: str, rows: int = 4) -> Game:
    rng = random.Random(seed)
    value, kinds = rng.choice(_TILES if "exactly" in parts else _NOISY)
    game = build({"secret": _noisy_secret(rng, value), **value, **_channel(rng, kinds, parts)})
    secret = game.secrets.random(rng)
    lying = set(rng.sample(range(rows), min(rows, game.channel.lies.at_most)))
    rates = [rng.random() if rate.learned else rate.mean for rate in game.channel.reads or ()]
    for row in range(rng.randint(rows // 2, rows)):
        guess = secret if rng.random() < 0.1 else game.guesses.random(rng)
        notes = Notes(game, guess, rates)
        truth = game.score(guess, secret)
        doubt = rng.choice([0.5, 0.2]) if "doubts" in parts and rng.random() < 0.4 else 0.0
        noted = notes.row(truth, doubt)
        if row in lying and guess != secret and len(notes.others) > 1:
            noted = notes.lie(truth)
        text = rng.choices(list(noted), list(noted.values()))[0]
        item: Item = Turn(guess, notes.clue(text), doubt)
        if rng.random() < 0.1:
            item = fact(rng, game, secret)
        game = replace(game, history=game.history.add(item))
    return game


def _noisy_secret(rng: random.Random, value: dict[str, Any]) -> dict[str, Any]:
    if value.get("rule") == "pairs":
        return {"pairs": ["AB", "xy"], "length": "2"}
    length = rng.choice([2, 3, 3] if _is_of_tiles(value) else [2, 3, 3, 4])
    if rng.random() < 0.4:
        return {"words": [*word_list(rng, length), *word_list(rng, length)]}
    distinct = length < 4 and rng.random() < 0.3
    symbols = "ABCD" if distinct else "AB" if length == 4 else "ABC"
    return {"symbols": symbols, "length": str(length), "distinct": str(distinct).lower()}


def _channel(rng: random.Random, kinds: list[str], parts: Container[str]) -> dict[str, Any]:
    """The keys `reads` and `lies` with rates, chances and numbers drawn."""
    reads = {}
    if "reads" in parts:
        reads = {kind: rng.choice(_RATES) for kind in kinds if rng.random() < 0.8}
    if "learn" in parts:
        reads = {kind: rng.choice([*_BELIEFS * 2, "0.5"]) for kind in kinds}
    reads["misread"] = rng.choice(["0.05", "0.3"]) if "misread" in parts else "0"
    lies = {
        "exactly": lambda: rng.choice("12"),
        "at_most": lambda: rng.choice("12"),
        "chance": lambda: rng.choice(["0.1", "0.4"]),
    }
    asked = {key: drawn() for key, drawn in lies.items() if key in parts}
    return {"reads": reads} | ({"lies": asked} if asked else {})


# Random games with a channel, and rows that somebody typed, whatever they may come from.

TYPED = [
    *(["reads"], ["learn"], ["exactly"], ["chance"], ["at_most"], ["doubts"]),
    *(["reads", "exactly"], ["reads", "chance"], ["reads", "at_most"], ["reads", "doubts"]),
    *(["reads", "exactly", "doubts"], ["at_most", "doubts"]),
]
"""The parts of channels in which nothing is misread, so that what is possible is a candidate."""


@pytest.fixture(scope="session")
def typed_game() -> Callable[..., Game]:
    """A function that returns the random game of a seed, with a channel of some parts.

    Its history has one to three rows as they may be typed, those that the game accepts.
    """
    return typed_game_of


def typed_game_of(seed: int, *parts: str) -> Game:
    game, rng = noisy_game_of(seed, *parts, rows=0), random.Random(seed)
    for _ in range(rng.randint(1, 3)):
        guess = game.guesses.random(rng)
        doubt = rng.choice([0, 0, 0.5, 0.2]) if "doubts" in parts else 0.0
        with suppress(PuzzlehuntError):
            clue = game.parse_clue(typed_clue(rng, game, guess), guess)
            game = replace(game, history=game.history.add(Turn(guess, clue, doubt)))
    return game


def typed_clue(rng: random.Random, game: Game, guess: Code) -> str:
    """Marks, often the same one, sets of marks and unread ones; or counts; or a word."""
    if game.rule.column_names:
        feedback = game.score(guess, game.secrets.random(rng))
        cells = game.rule.notation.format(game.rule.notation.full_clue(feedback, guess)).split()
        return " ".join(rng.choice([cell, cell, "_"]) for cell in cells)
    notation = game.rule.notation
    tiles = isinstance(notation, TileNotation)
    marks = notation.marks if tiles else [kind.mark or "." for kind in notation.kinds]
    size, often = len(guess) if tiles else game.rule.mark_count(guess), rng.choice(marks)
    if not tiles and rng.random() < 0.3:
        relations = ["", ">=", "<="]
        numbers = [f"{rng.choice(relations)}{rng.randint(0, size)}" for _ in notation.kinds]
        pairs = zip(numbers, notation.kinds, strict=True)
        return " ".join(f"{n} {k.label}" for n, k in pairs if rng.random() < 0.6) or "*"
    if rng.random() < 0.1:
        return rng.choice(["*", "won"])
    either = marks if len(marks) > 3 else [f"[{a}{b}]" for a in marks for b in marks]
    ways = [notation.unread_mark, often, often, rng.choice(marks)]
    return "".join(rng.choice([*ways, rng.choice(either)]) for _ in range(size))
