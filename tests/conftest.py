"""Random games for all tests, and the specification that engines are held against.

`st.from_type(Game)` draws a small game whose `history` is filled with turns and facts. Every run
of the tests draws the same games.
"""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st

from puzzlehunt import cli, gamefile
from puzzlehunt.boards import split
from puzzlehunt.codes import FOREIGN, Code
from puzzlehunt.constraints import holds
from puzzlehunt.document import dump, read_document
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game import Game
from puzzlehunt.history import Fact, Item, Turn, value_of
from puzzlehunt.rules.letters import LettersRule
from puzzlehunt.tiles import TileNotation

settings.register_profile(
    "reproducible",
    derandomize=True,
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("reproducible")

_HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the tables that tests read."""
    return _HERE / "data"


@pytest.fixture(scope="session")
def game_of() -> Callable[[Any], Game]:
    """A function that returns the game of a YAML text, or of the same as nested values."""
    return _game_of


def _game_of(value: Any, folder: Path = _HERE) -> Game:
    text = value if isinstance(value, str) else dump(value)
    return gamefile.build(read_document(text, "game.yaml", folder))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """A function that writes a game file and returns its path as text."""

    def to_file(content: str | bytes, name: str = "game.yaml") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return to_file


# The specification.


@pytest.fixture(scope="session")
def brute_force() -> Callable[..., list[Code]]:
    """A function that returns the secrets that agree with some items, one by one, by `score`.

    With `asked` only the items at those places count; what they mean on several boards, where
    nothing that is played after a board was solved says anything of it, depends on all items.
    """
    return _brute_force


def _brute_force(
    game: Game, items: Iterable[Item], asked: Container[int] | None = None
) -> list[Code]:
    known = list(items)
    if game.boards == 1:
        counting = [item for place, item in enumerate(known) if asked is None or place in asked]
        return [s for s in game.secrets if all(_agrees(game, item, s) for item in counting)]
    return [
        tuple(symbol for part in parts for symbol in part)
        for parts in product(game.secrets.one, repeat=game.boards)
        if all(_agrees_on(game, board, part, known, asked) for board, part in enumerate(parts))
    ]


def _agrees_on(
    game: Game, board: int, part: Code, known: list[Item], asked: Container[int] | None
) -> bool:
    solved = False
    for place, item in enumerate(known):
        counts = asked is None or place in asked
        if isinstance(item, Fact):
            if counts and not solved and item.board == board and not holds(item.there, part):
                return False
        elif not solved:
            turn = Turn(item.guess, item.clue.boards[board], item.doubt)
            if counts and not _agrees(game.one_board, turn, part):
                return False
            solved = list(turn.clue) == [game.rule.one.winning] and not item.doubted
    return True


def _agrees(game: Game, item: Item, secret: Code) -> bool:
    if isinstance(item, Fact):
        return holds(item.constraint, secret)
    won = item.guess in split(secret, game.secrets_at_once)
    if list(item.clue) == [game.rule.winning]:
        return item.doubted or won
    if won:
        return False
    return item.doubted or game.rule.score(item.guess, secret) in set(item.clue)


# Random games of every kind, small enough to be asked about every secret.

_PEGS: list[dict[str, Any]] = [
    {},
    {"marks": {"black": "B", "white": "W", "miss": "R"}, "names": {"miss": "red"}},
    {"names": {"black": "gear", "white": "tumbler"}},
    {"marks": {"black": "A", "white": "B"}, "names": {"black": "bull", "white": "cow"}},
    {"marks": {"black": "+", "white": "o", "miss": "-", "unknown": "u"}},
    {"marks": {"miss": "M"}, "names": {"black": "hit", "white": "near"}},
]
_COUNTS: list[dict[str, Any]] = [
    {"rule": {"name": "pegs", "counts": ["white", "black"]}},
    {"rule": {"name": "pegs", "counts": "black"}, "names": {"black": "bull"}},
    {"rule": "matches"},
    {"rule": "matches", "marks": {"match": "+", "miss": "-"}, "names": {"match": "green"}},
    {"rule": "letters"},
    {"rule": "letters", "marks": {"common": "X", "miss": "o"}},
]
_TILES: list[dict[str, Any]] = [
    {"rule": "marks"},
    {"rule": "marks", "marks": {"right": "B", "elsewhere": "x", "absent": "-", "unknown": "."}},
    {"rule": "order"},
    {"rule": "near"},
    {"rule": {"name": "near", "within": "1"}, "names": {"near": "warm", "far": "cold"}},
]
_SYMBOLS = [
    list("ABCDEFGH"),
    list("01234567"),
    list("aAbBcCdD"),
    ["red", "green", "blue", "Rose", "symbol2", "x1", "Ü", "7"],
    ["!", "A", "$", "Ü", "s", "b", "é", "3"],
]
_MOST_SYMBOLS = {1: 8, 2: 8, 3: 6, 4: 4, 5: 3}


@pytest.fixture(scope="session")
def random_game() -> Callable[..., Game]:
    """A function that returns the random game of a seed, of one of some kinds."""

    def of(seed: int, *kinds: str) -> Game:
        rng = random.Random(seed)
        return _random_game(rng, rng.choice(kinds))

    return of


def _random_game(rng: random.Random, kind: str) -> Game:
    makers = {
        "repeats": _repeats,
        "distinct": _distinct,
        "words": _words,
        "tunes": _tunes,
        "halves": _halves,
        "formulas": _formulas,
        "boards": _boards,
        "merged": _merged,
    }
    game = _game_of(makers[kind](rng))
    secret = game.secrets.random(rng)
    for _ in range(rng.randint(0, 5)):
        item = _fact(rng, game, secret) if rng.random() < 0.2 else _turn(rng, game, secret)
        game = replace(game, history=game.history.add(item))
    return game


def _rule(rng: random.Random) -> dict[str, Any]:
    """A rule with its notation: pegs half of the time."""
    return rng.choice(rng.choice([_PEGS, _PEGS, _COUNTS, _TILES]))


def _repeats(rng: random.Random) -> dict[str, Any]:
    length = rng.randint(1, 5)
    symbols = rng.choice(_SYMBOLS)[: rng.randint(1, _MOST_SYMBOLS[length])]
    return {"secret": {"symbols": symbols, "length": str(length)}, **_rule(rng)}


def _distinct(rng: random.Random) -> dict[str, Any]:
    symbols = rng.choice(_SYMBOLS)[: rng.randint(2, 6)]
    length = rng.randint(1, min(4, len(symbols)))
    secret = {"symbols": symbols, "length": str(length), "distinct": "true"}
    return {"secret": secret, "guess": {"distinct": rng.choice(["true", "false"])}, **_rule(rng)}


def _words(rng: random.Random) -> dict[str, Any]:
    length = rng.randint(1, 5)
    rule = _rule(rng)
    secret = {"words": _word_list(rng, length), "length": str(length)}
    shorter = {"length": f"0-{length}"} if length < 3 and rule not in _TILES else {}
    return {
        "secret": secret,
        "guess": rng.choice([shorter, {"words": _word_list(rng, length)}]),
        **rule,
    }


def _word_list(rng: random.Random, length: int) -> list[str]:
    words = ["".join(rng.choices("abCDE", k=length)) for _ in range(rng.randint(1, 40))]
    return [word + rng.choice(["", " 2", " 0.25"]) for word in words]


def _tunes(rng: random.Random) -> dict[str, Any]:
    length = rng.randint(1, 5)
    symbols = rng.choice(_SYMBOLS)[: rng.randint(1, _MOST_SYMBOLS[length])]
    return {
        "secret": {"symbols": symbols, "length": str(length)},
        "guess": {"length": f"0-{length}", "overlong": "cut", "foreign": "ignore"},
        **rng.choice(rng.choice([_PEGS, _COUNTS])),
    }


def _halves(rng: random.Random) -> dict[str, Any]:
    """Symbols of a shape and a colour each."""
    length = rng.randint(1, 3)
    value = {"secret": {"pairs": ["ABC", rng.choice(["xy", "x", "12"])], "length": str(length)}}
    guess = rng.choice([{}, {"length": f"0-{length}", "foreign": "ignore"}])
    notation = rng.choice([{}, {"names": {"black": "hit", "half": "near"}}])
    return {**value, "guess": guess, "rule": "pairs", **notation}


def _formulas(rng: random.Random) -> dict[str, Any]:
    name, length = rng.choice([("primes", 1), ("primes", 2), ("primes", 2), ("equations", 5)])
    return {"secret": {"formula": name, "length": str(length)}, **_rule(rng)}


def _boards(rng: random.Random) -> dict[str, Any]:
    """Two boards, with one small list or few symbols for both."""
    length = rng.randint(1, 3)
    symbols = {"symbols": rng.choice(_SYMBOLS)[: 2 if length == 3 else 3], "length": str(length)}
    words = {"words": _word_list(rng, length)[:12], "length": str(length)}
    distinct = {**symbols, "distinct": str(len(symbols["symbols"]) >= length).lower()}
    secret = rng.choice([symbols, words, words, distinct])
    return {"secret": secret, **rng.choice(_PEGS + _COUNTS + _TILES * 2), "boards": "2"}


def _merged(rng: random.Random) -> dict[str, Any]:
    """Two words on one board."""
    length = rng.randint(1, 4)
    disjoint = rng.random() < 0.5
    every = "ABCDEFGHIJ" if disjoint else "ABCDE"
    some = {"".join(rng.choices(every, k=length)) for _ in range(rng.randint(0, 18))}
    words = sorted(some | {"A" * length, "B" * length})
    boards = {"count": "2", "merged": "true", "disjoint": str(disjoint).lower()}
    return {"secret": {"words": words}, **rng.choice(_TILES), "boards": boards}


# What a player could have noted down: mostly true of one secret, and read in part.


def _turn(rng: random.Random, game: Game, secret: Code) -> Turn:
    hidden = split(secret, game.secrets_at_once)
    often = 0.1 if len(hidden) == 1 else 0.3
    guess = rng.choice(hidden) if rng.random() < often else _guess(rng, game)
    shown = [secret if rng.random() < 0.9 else game.secrets.random(rng)]
    if game.boards > 1:
        shown = split(shown[0], game.boards)
    texts = [_read_text(rng, game, guess, one) for one in shown]
    for board, one in enumerate(hidden if game.boards > 1 else ()):
        if any(turn.guess == one for turn in game.history.turns) and rng.random() < 0.8:
            texts[board] = _padding(rng, game, guess)
    texts = [text if _is_clue(game.one_board, text, guess) else "*" for text in texts]
    return Turn(guess, game.parse_clue(" ".join(texts), guess), doubt=0.5 * (rng.random() < 0.15))


def _is_clue(game: Game, text: str, guess: Code) -> bool:
    try:
        game.parse_clue(text, guess)
    except PuzzlehuntError:
        return False
    return True


def _guess(rng: random.Random, game: Game) -> Code:
    guess = game.guesses.random(rng)
    if rng.random() < 0.5 and game.formula is None:
        guess = tuple(rng.choices(range(len(game.alphabet)), k=len(guess)))
    if game.foreign and rng.random() < 0.3:
        guess = tuple(rng.choice([symbol, FOREIGN]) for symbol in guess)
    return guess


def _read_text(rng: random.Random, game: Game, guess: Code, secret: Code) -> str:
    """What somebody writes about the answer on one board."""
    one = game.one_board
    text = _reading(rng, one, one.score(guess, secret), guess)
    return text.replace(" ", "") if game.boards > 1 else text


def _padding(rng: random.Random, game: Game, guess: Code) -> str:
    """What is written about a board that was solved before."""
    notation = game.rule.one.notation
    if isinstance(notation, TileNotation):
        return rng.choice(["*", notation.marks[0] * len(guess), "⬛" * len(guess)])
    miss = notation.kinds[-1].mark
    return rng.choice(["*", miss * len(guess) or "*" if miss else "none"])


def _reading(rng: random.Random, game: Game, truth: tuple[int, ...], guess: Code) -> str:
    notation = game.rule.notation
    if isinstance(notation, TileNotation):
        digits, found = truth[: len(guess)], truth[len(guess) :]
        write = rng.choice([_nothing, _some_tiles, _some_tiles, _squares])
        return write(rng, notation, truth if found == (0,) and {*digits} == {2} else digits)
    if isinstance(game.rule, LettersRule):
        if truth == game.rule.winning:
            return rng.choice(["won", "solved"])
        truth = truth[:1]
    counts = (*truth, game.rule.marks_of(guess) - sum(truth))
    write = rng.choice([_nothing, _some_marks, _some_marks, _some_counts, _numbers])
    return write(rng, notation, counts)


def _nothing(rng: random.Random, notation: Any, counts: tuple[int, ...]) -> str:
    return rng.choice(["*", "unread"])


def _some_tiles(rng: random.Random, notation: Any, digits: tuple[int, ...]) -> str:
    marks = notation.marks
    cells = [
        rng.choice(
            [marks[d], marks[d], str(d), notation.unknown, f"[{marks[d]}{rng.choice(marks)}]"]
        )
        for d in digits
    ]
    return "".join(cells)


def _squares(rng: random.Random, notation: Any, digits: tuple[int, ...]) -> str:
    return "".join("⬛🟨🟩"[d] for d in digits)


def _some_marks(rng: random.Random, notation: Any, counts: tuple[int, ...]) -> str:
    marks = [kind.mark or "." for kind in notation.kinds]
    cells = []
    for mark, count in zip(marks, counts, strict=True):
        for _ in range(count):
            hidden = notation.unknown if mark != "." else "."
            either = f"[{mark}{rng.choice(marks)}]"
            cells.append(rng.choice([mark, mark, hidden, either]))
    rng.shuffle(cells)
    if notation.miss_has_mark:
        cells = cells[rng.randint(0, len(cells)) // 2 :]
    return "".join(cells) or "*"


def _some_counts(rng: random.Random, notation: Any, counts: tuple[int, ...]) -> str:
    items = []
    for kind, count in zip(notation.kinds, counts, strict=True):
        low, high = max(0, count - rng.randint(0, 1)), count + rng.randint(0, 1)
        ways = [f"{count} {kind.label}", f"{low}-{high} {kind.label}", f">={low} {kind.label}"]
        items.append(rng.choice([*ways, f"at most {high} {kind.label}", ""]))
    return ", ".join(filter(None, items)) or "*"


def _numbers(rng: random.Random, notation: Any, counts: tuple[int, ...]) -> str:
    separator = rng.choice([" ", ","])
    return separator.join(map(str, counts if notation.miss_has_mark else counts[:-1]))


def _fact(rng: random.Random, game: Game, secret: Code) -> Fact:
    symbols = game.alphabet.symbols
    board = ""
    if rng.random() < 0.1:
        secret = game.secrets.random(rng)
    if game.boards > 1:
        which = rng.randrange(game.boards)
        board, secret = f"{which + 1}: ", split(secret, game.boards)[which]
    names = [symbols[s] for s in secret]
    absent = [s for s in symbols if s not in names]
    pattern = [name if rng.random() < 0.4 else "_" for name in names]
    pattern[rng.randrange(len(pattern))] = rng.choice(names)
    joiner = "-" if any(len(s) > 1 for s in symbols) else ""
    some = rng.sample(names, rng.randint(1, len(names)))
    total = sum(value_of(game.alphabet, symbol) for symbol in secret)
    ways = [joiner.join(pattern), f"contains {' '.join(some)}"]
    ways += [f"no {rng.choice(absent)}"] if absent else []
    ways += ["distinct"] if rng.random() < 0.3 else []
    ways += [f"sum {total}", f"sum {max(0, total - 2)}-{total + 1}"]
    return game.parse_fact(board + rng.choice(ways))


@st.composite
def _games(draw: st.DrawFn) -> Game:
    kinds = ["repeats", "distinct", "words", "tunes"] * 2
    kinds += ["halves", "formulas", "boards", "merged"]
    rng = draw(st.randoms(use_true_random=False))
    game = _random_game(rng, rng.choice(kinds))
    known = [i.text if isinstance(i, Fact) else game.format_turn(i) for i in game.history]
    note(f"{game.secrets.size} secrets of {' '.join(game.alphabet.symbols)}; known: {known}")
    return game


st.register_type_strategy(Game, _games())


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
        self.kinds, self.unknown = "".join(kinds), notation.unknown
        self.answers = {tuple(f): self._marks(f) for f in game.rule.feedbacks}
        self.won = self.answers[tuple(game.rule.winning)]
        self.others = [f for f in self.answers if f != tuple(game.rule.winning)]
        self._read: dict[Sequence[int], Rows] = {}
        self._clues: dict[str, Any] = {}

    def clue(self, text: str) -> Any:
        if text not in self._clues:
            self._clues[text] = self.rule.read(text, self.guess)
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
        counts.append(self.rule.marks_of(self.guess) - sum(counts))
        return self.tidy(mark * count for mark, count in zip(self.kinds, counts, strict=True))

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
                for other in self.kinds.replace(text[place], ""):
                    misread = self.tidy(_changed(text, {place: other}))
                    _add(one_mark, misread, chance / len(told) / (len(self.kinds) - 1))
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

_NOISY: list[tuple[dict[str, Any], list[str]]] = [
    ({"marks": {"miss": "R"}, "names": {"miss": "red"}}, ["black", "white", "red"]),
    ({"marks": {"miss": "R"}}, ["black", "white", "miss"]),
    ({}, ["black", "white"]),
    ({"marks": {"black": "A", "white": "C"}, "names": {"black": "bull"}}, ["bull", "white"]),
    ({"rule": {"name": "pegs", "counts": "black"}}, ["black"]),
    ({"rule": {"name": "pegs", "counts": ["white", "black"]}}, ["black", "white"]),
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
_RATES = ["0", "1", "0.5", "0.1", "13 %", "0.9"]
_BELIEFS = ["learn", "easy", "hard", "about 0.2"]


@pytest.fixture(scope="session")
def noisy_game() -> Callable[..., Game]:
    """A function that returns the random game of a seed, with a channel of some parts.

    Its history has rows that came through the channel, and facts; `rows` are how many at most.
    """
    return _noisy_game


def _noisy_game(seed: int, *parts: str, rows: int = 4) -> Game:
    rng = random.Random(seed)
    value, kinds = rng.choice(_NOISY)
    game = _game_of({"secret": _noisy_secret(rng, value), **value, **_channel(rng, kinds, parts)})
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
            item = _fact(rng, game, secret)
        game = replace(game, history=game.history.add(item))
    return game


def _noisy_secret(rng: random.Random, value: dict[str, Any]) -> dict[str, Any]:
    if value.get("rule") == "pairs":
        return {"pairs": ["AB", "xy"], "length": "2"}
    tiles = any(name in str(value.get("rule")) for name in ("marks", "order", "near"))
    length = rng.choice([2, 3, 3] if tiles else [2, 3, 3, 4])
    if rng.random() < 0.4:
        return {"words": [*_word_list(rng, length), *_word_list(rng, length)]}
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
        "exactly": lambda: rng.choice("12") if len(kinds) == 3 and "right" in kinds else "1",
        "at_most": lambda: rng.choice("12"),
        "chance": lambda: rng.choice(["0.1", "0.4"]),
    }
    asked = {key: drawn() for key, drawn in lies.items() if key in parts}
    return {"reads": reads} | ({"lies": asked} if asked else {})


# The program.


@dataclass(frozen=True)
class Run:
    """How the program ended, and what it printed."""

    status: int
    out: str
    err: str


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, and the home of a user who has never played; empty."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Run]:
    """A function that runs the command line in this process, from an empty folder."""

    def run(*arguments: str, stdin: str = "") -> Run:
        monkeypatch.setattr(sys, "argv", ["puzzlehunt", *arguments])
        monkeypatch.setattr(sys, "stdin", StringIO(stdin))
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            cli.main()
        printed = capsys.readouterr()
        status = left.value.code
        return Run(status if isinstance(status, int) else 0, printed.out, printed.err)

    return run


@pytest.fixture
def start(home: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """A function that runs the program in a process of its own, from an empty folder."""

    def start(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
        options = {"capture_output": True, "timeout": 120, **options}
        command = [sys.executable, "-m", "puzzlehunt", *arguments]
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(command, check=False, **options)

    return start
