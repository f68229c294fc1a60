"""Random games for all tests, and the specification that engines are held against.

`st.from_type(Game)` draws a small game whose `history` is filled with turns and facts. Every run
of the tests draws the same games.
"""

import random
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st

from puzzlehunt import cli, gamefile
from puzzlehunt.codes import FOREIGN, Code
from puzzlehunt.constraints import holds
from puzzlehunt.document import dump, read_document
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game import Game
from puzzlehunt.history import Fact, Item, Turn

settings.register_profile(
    "reproducible",
    derandomize=True,
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


# The specification.


@pytest.fixture(scope="session")
def brute_force() -> Callable[[Game, Iterable[Item]], list[Code]]:
    """A function that returns the secrets that agree with some items, one by one, by `score`."""
    return _brute_force


def _brute_force(game: Game, items: Iterable[Item]) -> list[Code]:
    known = list(items)
    return [secret for secret in game.secrets if all(_agrees(game, i, secret) for i in known)]


def _agrees(game: Game, item: Item, secret: Code) -> bool:
    if isinstance(item, Fact):
        return holds(item.constraint, secret)
    if list(item.clue) == [game.rule.winning]:
        return item.doubted or item.guess == secret
    if item.guess == secret:
        return False
    return item.doubted or game.rule.score(item.guess, secret) in set(item.clue)


# Random games of every kind, small enough to be asked about every secret.

_NOTATIONS: list[dict[str, Any]] = [
    {},
    {"marks": {"black": "B", "white": "W", "miss": "R"}, "names": {"miss": "red"}},
    {"names": {"black": "gear", "white": "tumbler"}},
    {"marks": {"black": "A", "white": "B"}, "names": {"black": "bull", "white": "cow"}},
    {"marks": {"black": "+", "white": "o", "miss": "-", "unknown": "u"}},
    {"marks": {"miss": "M"}, "names": {"black": "hit", "white": "near"}},
]
_SYMBOLS = [
    list("ABCDEFGH"),
    list("01234567"),
    list("aAbBcCdD"),
    ["red", "green", "blue", "Rose", "symbol2", "x1", "Ü", "7"],
    ["!", "A", "$", "Ü", "s", "b", "é", "3"],
]
_MOST_SYMBOLS = {1: 8, 2: 8, 3: 6, 4: 4, 5: 3}


def _random_game(rng: random.Random) -> Game:
    game = _game_of(rng.choice([_repeats, _distinct, _words, _tunes])(rng))
    secret = game.secrets.random(rng)
    for _ in range(rng.randint(0, 5)):
        item = _fact(rng, game, secret) if rng.random() < 0.2 else _turn(rng, game, secret)
        game = replace(game, history=game.history.add(item))
    return game


def _repeats(rng: random.Random) -> dict[str, Any]:
    length = rng.randint(1, 5)
    symbols = rng.choice(_SYMBOLS)[: rng.randint(1, _MOST_SYMBOLS[length])]
    secret = {"symbols": symbols, "length": str(length)}
    return {"secret": secret, **rng.choice(_NOTATIONS)}


def _distinct(rng: random.Random) -> dict[str, Any]:
    symbols = rng.choice(_SYMBOLS)[: rng.randint(2, 6)]
    length = rng.randint(1, min(4, len(symbols)))
    secret = {"symbols": symbols, "length": str(length), "distinct": "true"}
    guess = {"distinct": rng.choice(["true", "false"])}
    return {"secret": secret, "guess": guess, **rng.choice(_NOTATIONS)}


def _words(rng: random.Random) -> dict[str, Any]:
    length = rng.randint(1, 5)
    secret = {"words": _word_list(rng, length), "length": str(length)}
    shorter = {"length": f"0-{length}"} if length < 3 else {}
    guess = rng.choice([shorter, {"words": _word_list(rng, length)}])
    return {"secret": secret, "guess": guess, **rng.choice(_NOTATIONS)}


def _word_list(rng: random.Random, length: int) -> list[str]:
    words = ["".join(rng.choices("abCDE", k=length)) for _ in range(rng.randint(1, 40))]
    return [word + rng.choice(["", " 2", " 0.25"]) for word in words]


def _tunes(rng: random.Random) -> dict[str, Any]:
    value = _repeats(rng)
    length = value["secret"]["length"]
    guess = {"length": f"0-{length}", "overlong": "cut", "foreign": "ignore"}
    return {**value, "guess": guess}


# What a player could have noted down: mostly true of one secret, and read in part.


def _turn(rng: random.Random, game: Game, secret: Code) -> Turn:
    guess = secret if rng.random() < 0.1 else _guess(rng, game)
    truth = game.score(guess, secret) if rng.random() < 0.9 else game.score(guess, guess[::-1])
    try:
        clue = game.parse_clue(_reading(rng, game, truth, len(guess)), guess)
    except PuzzlehuntError:
        clue = game.unread(guess)
    return Turn(guess, clue, doubted=rng.random() < 0.15)


def _guess(rng: random.Random, game: Game) -> Code:
    guess = game.guesses.random(rng)
    if rng.random() < 0.5:
        guess = tuple(rng.choices(range(len(game.alphabet)), k=len(guess)))
    if game.foreign and rng.random() < 0.3:
        guess = tuple(rng.choice([symbol, FOREIGN]) for symbol in guess)
    return guess


def _reading(rng: random.Random, game: Game, truth: tuple[int, ...], marks: int) -> str:
    counts = (*truth, marks - sum(truth))
    write = rng.choice([_nothing, _some_marks, _some_marks, _some_counts, _numbers])
    return write(rng, game.rule.notation, counts)


def _nothing(rng: random.Random, notation: Any, counts: tuple[int, ...]) -> str:
    return rng.choice(["*", "unread"])


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
    return " ".join(map(str, counts if notation.miss_has_mark else counts[:-1]))


def _fact(rng: random.Random, game: Game, secret: Code) -> Fact:
    symbols = game.alphabet.symbols
    if rng.random() < 0.1:
        secret = game.secrets.random(rng)
    names = [symbols[s] for s in secret]
    absent = [s for s in symbols if s not in names]
    pattern = [name if rng.random() < 0.4 else "_" for name in names]
    pattern[rng.randrange(len(pattern))] = rng.choice(names)
    joiner = "-" if any(len(s) > 1 for s in symbols) else ""
    some = rng.sample(names, rng.randint(1, len(names)))
    ways = [joiner.join(pattern), f"contains {' '.join(some)}"]
    ways += [f"no {rng.choice(absent)}"] if absent else []
    ways += ["distinct"] if rng.random() < 0.3 else []
    return game.parse_fact(rng.choice(ways))


@st.composite
def _games(draw: st.DrawFn) -> Game:
    game = _random_game(draw(st.randoms(use_true_random=False)))
    known = [i.text if isinstance(i, Fact) else game.format_turn(i) for i in game.history]
    note(f"{game.secrets.size} secrets of {' '.join(game.alphabet.symbols)}; known: {known}")
    return game


st.register_type_strategy(Game, _games())


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
