"""Random games of the rows of a table, with columns of all kinds, and what may be noted in them."""

import random
from dataclasses import replace
from itertools import combinations, product
from math import comb, prod
from typing import Any

from bayes import Bayes
from noisy_games import Notes
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.rules.notation.cells_clue import CellsClue
from random_games import build

_MOST_ANSWERS = 400
_SETS = ["", "a", "b", "a,b", "b, A", "c", "a;c", "a/b/c"]
_PLACES = ["", "0,0", "10,10", "-33.9,151.2", "48.85 2.35", "90,0", "-90,0", "0,180", "0,-179"]

CHANNELS = [
    ["reads"],
    ["misread", "doubts"],
    ["reads", "misread", "doubts"],
    ["exactly", "misread"],
    ["chance", "misread", "doubts"],
    ["at_most", "misread", "doubts"],
    ["reads", "exactly"],
    ["reads", "chance"],
    ["reads", "at_most"],
]


def _equal(rng: random.Random) -> tuple[Any, list[str]]:
    return "equal", ["", "x", "X", "y", "z"]


def _overlap(rng: random.Random) -> tuple[Any, list[str]]:
    return "overlap", _SETS


def _order(rng: random.Random) -> tuple[Any, list[str]]:
    numbers = ["", *map(str, rng.sample([-2, 0, 0.5, 1, 2, 3, 7, 7.5, 40, 100], 5))]
    near = {"order": "true", "near": str(rng.choice([0.5, 1, 2, 40]))}
    return rng.choice(["order", near]), numbers


def _distance(rng: random.Random) -> tuple[Any, list[str]]:
    told = rng.choice([{"round": "10000"}, {"round": "5000"}, {"round": "8000", "compass": "8"}])
    return {"distance": "true", **told}, _PLACES


def table_game(seed: int, *parts: str, rows: int = 4) -> Game:
    """Return the random game of a seed, with a channel of some parts, and rows as they were noted.

    The parts are those of `noisy_games`; without any, some columns of each row are unread.
    """
    rng = random.Random(seed)
    titles = ["period", "Group no", "kinds", "place"][: rng.randint(1, 4)]
    drawn = [rng.choice([_equal, _overlap, _order, _order, _distance])(rng) for _ in titles]
    listed = [
        {"name": f"Row {n}", **{t: rng.choice(d[1]) for t, d in zip(titles, drawn, strict=True)}}
        for n in range(rng.randint(2, 12))
    ]
    columns = {title: kind for title, (kind, _) in zip(titles, drawn, strict=True)}
    value = {
        "secret": {"table": listed, "name": "name"},
        "rule": {"name": "columns", "columns": columns},
        **_channel(rng, titles, parts),
    }
    game = build(value)
    if prod(game.rule.feedbacks.sizes) > _MOST_ANSWERS:
        return table_game(seed + 100_003, *parts, rows=rows)
    return _with_rows(rng, game, parts, rows)


def _channel(rng: random.Random, titles: list[str], parts: tuple[str, ...]) -> dict[str, Any]:
    reads: dict[str, str] = {}
    if "reads" in parts:
        rates = ["0", "1", "0.5", "0.1", "13 %", "0.9"]
        reads = {title: rng.choice(rates) for title in titles if rng.random() < 0.8}
    if "learn" in parts:
        reads = {title: rng.choice(["learn", "easy", "about 0.2", "0.5"]) for title in titles}
    if parts:
        reads["misread"] = rng.choice(["0.05", "0.3"]) if "misread" in parts else "0"
    lies = {
        "exactly": "1",
        "at_most": rng.choice("12"),
        "chance": rng.choice(["0.1", "0.4"]),
    }
    asked = {key: value for key, value in lies.items() if key in parts}
    return ({"reads": reads} if reads else {}) | ({"lies": asked} if asked else {})


def _with_rows(rng: random.Random, game: Game, parts: tuple[str, ...], rows: int) -> Game:
    secret = game.secrets.random(rng)
    lying = {*rng.sample(range(rows), min(rows, game.channel.lies.at_most))}
    rates = [rng.random() if rate.learned else rate.mean for rate in game.channel.reads or ()]
    for row in range(rng.randint(rows // 2, rows)):
        guess = secret if rng.random() < 0.1 else game.guesses.random(rng)
        notes, truth = TableNotes(game, guess, rates), game.score(guess, secret)
        doubt = rng.choice([0.5, 0.2]) if "doubts" in parts and rng.random() < 0.4 else 0.0
        noted = notes.row(truth, doubt)
        if row in lying and guess != secret and len(notes.others) > 1:
            noted = notes.lie(truth)
        text = rng.choices(list(noted), list(noted.values()))[0]
        clue = notes.clue(text)
        if not parts:
            clue = _half_read(rng, game, clue)
        game = replace(game, history=game.history.add(Turn(guess, clue, doubt)))
    return game


def _half_read(rng: random.Random, game: Game, clue: CellsClue) -> CellsClue:
    """Return a clue in which some columns were not read, or may be one of several answers."""
    if clue.won:
        return clue
    cells = []
    for cell, size in zip(clue.cells, clue.sizes, strict=True):
        some = {*cell, *rng.sample(range(size), rng.randint(0, size - 1))}
        ways = [cell, cell, (), tuple(sorted(some)) if len(some) < size else ()]
        cells.append(rng.choice(ways))
    return CellsClue(tuple(cells), clue.sizes, won=False)


class TableNotes(Notes):
    """What a player may note of the columns of an answer: a character for each digit."""

    def __init__(self, game: Game, guess: Code, rates: Any = None) -> None:
        self.game, self.guess, self.rule = game, guess, game.rule
        told = game.channel.reads
        self.rates = [rate.mean for rate in told or ()] if rates is None else list(rates)
        self.tiles, self.unknown, self.won = True, "_", "won"
        self.sizes = game.rule.feedbacks.sizes
        digits = product(*map(range, self.sizes))
        self.others = [(*each, 0) for each in digits]
        self.answers = {f: "".join(map(_sign, f[:-1])) for f in self.others}
        self.answers[game.rule.winning] = self.won
        self._read: dict[Any, dict[str, float]] = {}
        self._clues: dict[str, Any] = {}

    def clue(self, text: str) -> CellsClue:
        if text == self.won:
            return self.rule.notation.full_clue(self.rule.winning, self.guess)
        cells = tuple(() if c == self.unknown else (ord(c) - 0x100,) for c in text)
        return CellsClue(cells, self.sizes, won=False)

    def marks_but(self, place: int, mark: str) -> str:
        return "".join(map(_sign, range(self.sizes[place]))).replace(mark, "")

    def _readings(self, marks: str) -> dict[str, float]:
        if marks == self.won or self.game.channel.reads is None:
            return {marks: 1.0}
        found = {"": 1.0}
        for mark, rate in zip(marks, self.rates, strict=True):
            ways = {mark: rate, self.unknown: 1 - rate}
            found = {
                text + shown: chance * likely
                for text, chance in found.items()
                for shown, likely in ways.items()
                if likely
            }
        return found

    def falsified(self, feedback: Any, marks: int) -> dict[str, float]:
        """Any columns, all as likely, answer anything but the truth, all as likely."""
        digits, found = feedback[:-1], dict[str, float]()
        for places in combinations(range(len(digits)), marks):
            wrong = [[d for d in range(self.sizes[p]) if d != digits[p]] for p in places]
            for others in product(*wrong):
                changed = dict(zip(places, others, strict=True))
                false = tuple(changed.get(place, digit) for place, digit in enumerate(digits))
                share = 1 / comb(len(digits), marks) / prod(map(len, wrong))
                for text, chance in self.read((*false, 0)).items():
                    found[text] = found.get(text, 0.0) + chance * share
        return found


def _sign(digit: int) -> str:
    return chr(0x100 + digit)


class TableBayes(Bayes):
    """Chances of the rows of a table, as sums."""

    def __init__(self, game: Game) -> None:
        super().__init__(replace(game, history=type(game.history)(game.history.facts)))
        self.game, self.turns = game, game.history.turns
        self.noted = [TableNotes(game, turn.guess) for turn in self.turns]
