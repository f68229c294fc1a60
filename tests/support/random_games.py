"""Random games of every kind, small enough to be asked about every secret.

A game of a seed is drawn once in a process. `st.from_type(Game)` draws one
whose `history` is filled with turns and facts.
"""

import random
from collections.abc import Callable, Container
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from bayes import Notes
from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.spaces import split
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item, Turn
from puzzlehunt.game.turn_notation import format_turn, parse_clue
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.built_in import PairsRule, PegsRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.rules.notation.tiles import TileNotation
from puzzlehunt.rules.rule_registry import BUILT_IN


def game_of(value: Any) -> Game:
    """Return the game of a YAML text, or of the same as nested values."""
    text = value if isinstance(value, str) else dump(value)
    return gamefile.build(read_document(text, "game.yaml", Path(__file__).parent))


_SETTINGS: dict[str, list[dict[str, Any]]] = {
    "pegs": [
        {"marks": {"black": "B", "white": "W", "miss": "R"}, "names": {"miss": "red"}},
        {"names": {"black": "gear", "white": "tumbler"}},
        {"marks": {"black": "A", "white": "B"}, "names": {"black": "bull", "white": "cow"}},
        {"marks": {"black": "+", "white": "o", "miss": "-", "unknown": "u"}},
        {"marks": {"miss": "M"}, "names": {"black": "hit", "white": "near"}},
    ],
    "matches": [{"marks": {"match": "+", "miss": "-"}, "names": {"match": "green"}}],
    "letters": [{"marks": {"common": "X", "miss": "o"}}],
    "marks": [
        {"marks": {"right": "B", "elsewhere": "x", "absent": "-", "unknown": "."}},
        {"rule": {"name": "marks", "tiles": "alone"}},
    ],
    "near": [{"rule": {"name": "near", "within": "1"}, "names": {"near": "warm", "far": "cold"}}],
    "directions": [{"marks": {"miss": "o"}, "names": {"later": "high", "miss": "equal"}}],
}


def _games_of(fits: Callable[[type[Rule]], bool]) -> list[dict[str, Any]]:
    """Return some rules, each alone and with the settings above.

    Pairs need symbols of two halves, columns a table.
    """
    names = [name for name, kind in BUILT_IN.items() if fits(kind) and kind is not PairsRule]
    return [{"rule": name, **more} for name in names for more in ({}, *_SETTINGS.get(name, ()))]


_PEGS = _games_of(lambda kind: kind is PegsRule)
_TILES = _games_of(lambda kind: issubclass(kind, TileRule))
_COMPARED = _games_of(lambda kind: issubclass(kind, CountRule) and not kind.short_guesses)
_COUNTS = _games_of(
    lambda kind: issubclass(kind, CountRule) and kind.short_guesses and kind is not PegsRule
)
_ANY_LENGTH = _games_of(lambda kind: kind.several_lengths)
_SYMBOLS = [
    list("ABCDEFGH"),
    list("01234567"),
    list("aBcDeFgH"),
    ["red", "green", "blue", "Rose", "symbol2", "x1", "Ü", "7"],
    ["!", "A", "$", "Ü", "s", "b", "é", "3"],
]
_MOST_SYMBOLS = {1: 8, 2: 8, 3: 6, 4: 4, 5: 3}


_SETS = ["", "a", "b", "a,b", "b, A", "c", "a;c", "a/b/c"]
_PLACES = ["", "0,0", "10,10", "-33.9,151.2", "48.85 2.35", "90,0", "-90,0", "0,180", "0,-179"]
_NUMBERS = ["-2", "0", "0.5", "1", "2", "3", "7", "7.5", "40", "100"]
_COLUMNS: list[tuple[Any, list[str]]] = [
    ("equal", ["", "x", "X", "y", "z"]),
    ("overlap", _SETS),
    ("order", _NUMBERS),
    ({"order": "true", "near": "2"}, _NUMBERS),
    ({"distance": "true", "round": "10000"}, _PLACES),
    ({"distance": "true", "round": "8000", "compass": "8"}, _PLACES),
]


@cache
def random_game(seed: int, *kinds: str) -> Game:
    """Return the random game of a seed, of one of some kinds."""
    rng = random.Random(seed)
    return _random_game(rng, rng.choice(kinds))


def _random_game(rng: random.Random, kind: str) -> Game:
    makers = {
        "repeats": _repeats,
        "distinct": _distinct,
        "words": _words,
        "lengths": _lengths,
        "tunes": _tunes,
        "halves": _halves,
        "formulas": _formulas,
        "boards": _boards,
        "table": _table,
    }
    game = game_of(makers[kind](rng))
    secret = game.secrets.random(rng)
    for _ in range(rng.randint(0, 5)):
        is_fact = kind != "table" and rng.random() < 0.2
        item: Item = fact(rng, game, secret) if is_fact else noted_turn(rng, game, secret)
        game = replace(game, history=game.history.add(item))
    return game


def _rule(rng: random.Random) -> dict[str, Any]:
    """A rule with its notation: pegs half of the time."""
    return rng.choice(rng.choice([_PEGS, _PEGS, _COUNTS, _TILES, _COMPARED]))


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
    secret = {"words": word_list(rng, length), "length": str(length)}
    shorter = {"length": f"0-{length}"} if length < 3 and rule not in _TILES + _COMPARED else {}
    return {
        "secret": secret,
        "guess": rng.choice([shorter, {"words": word_list(rng, length)}]),
        **rule,
    }


def _lengths(rng: random.Random) -> dict[str, Any]:
    """Words of two or three lengths, of so few letters that many begin with others."""
    first, rule = rng.randint(1, 3), rng.choice(_ANY_LENGTH)
    last = first + rng.randint(1, 2)
    words, more = ([*map(str.lower, _short_words(rng, first, last))] for _ in "ab")
    ways = [{}, {"words": more}, {"words": more, "length": f"{first}-{last}"}]
    ways += [{"length": f"0-{last}", "words": more}] if rule not in _TILES else []
    return {
        "secret": {"words": words, "length": f"{first}-{last}"},
        "guess": rng.choice(ways),
        **rule,
    }


def _short_words(rng: random.Random, first: int, last: int) -> list[str]:
    lengths = [first, last, *(rng.randint(first, last) for _ in range(rng.randint(1, 30)))]
    weights = ["", " 2", " 0.25"]
    return ["".join(rng.choices("aBc", k=n)) + rng.choice(weights) for n in lengths]


def word_list(rng: random.Random, length: int) -> list[str]:
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
    words = {"words": word_list(rng, length)[:12], "length": str(length)}
    distinct = {**symbols, "distinct": str(len(symbols["symbols"]) >= length).lower()}
    secret = rng.choice([symbols, words, words, distinct])
    return {"secret": secret, **rng.choice(_PEGS + _COUNTS + _TILES * 2 + _COMPARED), "boards": "2"}


def _table(rng: random.Random) -> dict[str, Any]:
    """Rows with columns of all kinds, so many that their answers can be listed."""
    titles = ["period", "Group no", "kinds", "place"][: rng.randint(1, 4)]
    drawn = [rng.choice(_COLUMNS) for _ in titles]
    named = list(zip(titles, drawn, strict=True))
    rows = [
        {"name": f"Row {n}", **{title: rng.choice(cells) for title, (_, cells) in named}}
        for n in range(rng.randint(2, 12))
    ]
    columns = {title: deepcopy(kind) for title, (kind, _) in named}
    value = {
        "secret": {"table": rows, "name": "name"},
        "rule": {"name": "columns", "columns": columns},
    }
    few = prod(game_of(value).rule.feedbacks.sizes) <= 400
    return value if few else _table(rng)


# What a player could have noted down: mostly true of one secret, and read in part.


def noted_turn(rng: random.Random, game: Game, secret: Code) -> Turn:
    if game.rule.column_names:
        guess = game.guesses.random(rng)
        full = game.rule.notation.full_clue(game.score(guess, secret), guess)
        return Turn(guess, _half_read(rng, full))
    hidden = split(secret, game.boards)
    often = 0.1 if len(hidden) == 1 else 0.3
    guess = rng.choice(hidden) if rng.random() < often else _guess(rng, game)
    shown = [secret if rng.random() < 0.9 else game.secrets.random(rng)]
    if game.boards > 1:
        shown = split(shown[0], game.boards)
    texts = [_read_text(rng, game, guess, one) for one in shown]
    for board, one in enumerate(hidden if game.boards > 1 else ()):
        if any(turn.code == one for turn in game.history.turns) and rng.random() < 0.8:
            texts[board] = _padding(rng, game, guess)
    texts = [text if _is_clue(game.one_board, text, guess) else "*" for text in texts]
    return Turn(guess, parse_clue(game, " ".join(texts), guess), doubt=0.5 * (rng.random() < 0.15))


def _half_read(rng: random.Random, clue: CellsClue) -> CellsClue:
    """Return a clue in which some columns were not read, or may be one of several answers."""
    if clue.cells != clue.lost_cells:
        return clue
    cells = []
    for cell, size in zip(clue.cells, clue.sizes, strict=True):
        some = {*cell, *rng.sample(range(size), rng.randint(0, size - 1))}
        ways = [cell, cell, (), tuple(sorted(some)) if len(some) < size else ()]
        cells.append(rng.choice(ways))
    return clue.with_cells(cells)


def _is_clue(game: Game, text: str, guess: Code) -> bool:
    try:
        parse_clue(game, text, guess)
    except PuzzlehuntError:
        return False
    return True


def _guess(rng: random.Random, game: Game) -> Code:
    guess = game.guesses.random(rng)
    if rng.random() < 0.5:
        guess = tuple(rng.choices(range(len(game.alphabet)), k=len(guess)))
    if game.alphabet.ignores_foreign and rng.random() < 0.3:
        guess = tuple(rng.choice([symbol, FOREIGN]) for symbol in guess)
    return guess


def _read_text(rng: random.Random, game: Game, guess: Code, secret: Code) -> str:
    """What somebody writes about the answer on one board."""
    one = game.one_board
    text = partly_read(rng, one.rule, guess, one.score(guess, secret))
    return text.replace(" ", "") if game.boards > 1 else text


def _padding(rng: random.Random, game: Game, guess: Code) -> str:
    """What is written about a board that was solved before."""
    notation = game.one_board.rule.notation
    if isinstance(notation, TileNotation):
        return rng.choice(["*", notation.marks[0] * len(guess), "⬛" * len(guess)])
    miss = notation.kinds[-1].mark
    return rng.choice(["*", miss * len(guess) or "*" if miss else "none"])


def partly_read(rng: random.Random, rule: Any, guess: Code, truth: tuple[int, ...]) -> str:
    """What somebody writes about an answer, some or none of which could be read."""
    notation = rule.notation
    if rule.hides_win and truth == rule.winning:
        return rng.choice(["won", "solved"])
    if isinstance(notation, TileNotation):
        write = rng.choice([_nothing, _some_tiles, _some_tiles, _squares])
        return write(rng, notation, truth[: len(guess)])
    counts = (*truth, rule.mark_count(guess) - sum(truth))
    write = rng.choice([_nothing, _some_marks, _some_marks, _some_counts, _numbers])
    return write(rng, notation, counts)


def _nothing(rng: random.Random, notation: Any, counts: tuple[int, ...]) -> str:
    return rng.choice(["*", "unread"])


def _some_tiles(rng: random.Random, notation: Any, digits: tuple[int, ...]) -> str:
    marks = notation.marks
    cells = [
        rng.choice(
            [marks[d], marks[d], str(d), notation.unread_mark, f"[{marks[d]}{rng.choice(marks)}]"]
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
            either = mark if len(marks) > 3 else f"[{mark}{rng.choice(marks)}]"
            cells.append(rng.choice([mark, mark, notation.unread_mark, either]))
    rng.shuffle(cells)
    if notation.miss_has_mark:
        cells = cells[rng.randint(0, len(cells)) // 2 :]
    return "".join(cells) or "*"


def _some_counts(rng: random.Random, notation: Any, counts: tuple[int, ...]) -> str:
    items = []
    for kind, count in zip(notation.kinds, counts, strict=True):
        low, high = max(0, count - rng.randint(0, 1)), count + rng.randint(0, 1)
        ways = [f"{count} {kind.label}", f"{low}-{high} {kind.label}", f">={low} {kind.label}"]
        ways += [f"at most {high} {kind.label}", f"={count} {kind.label}", ""]
        # Where a miss has a mark, a number says how many were read.
        ways += [f"{low} {kind.label}"] * notation.miss_has_mark
        items.append(rng.choice(ways))
    return ", ".join(filter(None, items)) or "*"


def _numbers(rng: random.Random, notation: Any, counts: tuple[int, ...]) -> str:
    separator = rng.choice([" ", ","])
    if notation.miss_has_mark:
        counts = tuple(rng.randint(0, count) for count in counts)
    return separator.join(map(str, counts if notation.miss_has_mark else counts[:-1]))


def fact(rng: random.Random, game: Game, secret: Code) -> Fact:
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
    if "_" not in pattern:
        pattern[0] = f"[{pattern[0]}]"
    ways = [joiner.join(pattern), f"contains {' '.join(some)}", f"contains {' or '.join(some)}"]
    ways += [f"no {rng.choice(absent)}"] if absent else []
    ways += ["distinct", "no repeats", "repeats"] if rng.random() < 0.3 else []
    ways += [f"repeats {names[0]}"] if len(names) > 1 else []
    ways += [f"no repeats {absent[0]}"] if absent else []
    ways += [f"starts with {names[0]}", f"ends with {names[-1]}"]
    ways += [f"not {game.one_board.format_code(game.one_board.secrets.random(rng))}"]
    if values := game.alphabet.symbol_values:
        total = sum(values[symbol] for symbol in secret)
        ways += [f"sum {total}", f"sum {max(0, total - 2)}-{total + 1}"]
    return game.parse_fact(board + rng.choice(ways))


# Games with a channel: rows that came through it, and rows that somebody typed.


_RATES = ["0", "1", "0.5", "0.1", "13 %", "0.9"]
_BELIEFS = ["learn", "easy", "hard", "about 0.2"]
_NOISY = [
    *({"marks": {"miss": "R"}, "names": {"miss": "red"}}, {"marks": {"miss": "R"}}, {}, {}),
    *({"marks": {"black": "A", "white": "C"}, "names": {"black": "bull"}}, {"rule": "matches"}),
    *({"rule": "matches", "marks": {"miss": "-"}}, {"rule": "letters", "marks": {"miss": "o"}}),
    *({"rule": "letters"}, {"rule": "pairs"}, *_TILES[:1] * 2, _TILES[2], _TILES[4]),
]


@cache
def noisy_game(seed: int, *parts: str, rows: int = 4) -> Game:
    """Return the random game of a seed, with a channel of some parts (see `catalogue.CHANNELS`).

    Its history has rows that came through the channel, and facts; `rows` are how many at most.
    """
    rng = random.Random(seed)
    value = _table(rng) if "table" in parts else _with_secret(rng, parts)
    game = game_of(value | _channel(rng, game_of(value), parts))
    secret = game.secrets.random(rng)
    lying = set(rng.sample(range(rows), min(rows, game.channel.lies.at_most)))
    rates = [rng.random() if rate.learned else rate.mean for rate in game.channel.reads or ()]
    for row in range(rng.randint(rows // 2, rows)):
        guess = secret if rng.random() < 0.1 else game.guesses.random(rng)
        notes, truth = Notes(game, guess, rates), game.score(guess, secret)
        doubt = rng.choice([0.5, 0.2]) if "doubts" in parts and rng.random() < 0.4 else 0.0
        noted = notes.row(truth, doubt)
        if row in lying and guess != secret and len(notes.others) > 1:
            noted = notes.lie(truth)
        text = rng.choices(list(noted), list(noted.values()))[0]
        item: Item = Turn(guess, notes.clue(text), doubt)
        if rng.random() < 0.1 and "table" not in parts:
            item = fact(rng, game, secret)
        game = replace(game, history=game.history.add(item))
    return game


def _with_secret(rng: random.Random, parts: Container[str]) -> dict[str, Any]:
    """A rule and a secret. Only of marks that have places may a number be false in every row."""
    tiles = [value for value in _NOISY if value in _TILES]
    value = rng.choice(tiles if "exactly" in parts else _NOISY)
    if value.get("rule") == "pairs":
        return {"secret": {"pairs": ["AB", "xy"], "length": "2"}, **value}
    length = rng.choice([2, 3, 3] if value in tiles else [2, 3, 3, 4])
    if rng.random() < 0.4:
        return {"secret": {"words": [*word_list(rng, length), *word_list(rng, length)]}, **value}
    distinct = length < 4 and rng.random() < 0.3
    symbols = "ABCD" if distinct else "AB" if length == 4 else "ABC"
    secret = {"symbols": symbols, "length": str(length), "distinct": str(distinct).lower()}
    return {"secret": secret, **value}


def _channel(rng: random.Random, game: Game, parts: Container[str]) -> dict[str, Any]:
    """The keys `reads` and `lies` with rates, chances and numbers drawn."""
    kinds = [key for key, _ in game.rule.kinds]
    reads = {}
    if "reads" in parts:
        rates = _RATES[2:] if "misread" in parts else _RATES
        reads = {kind: rng.choice(rates) for kind in kinds if rng.random() < 0.8}
    if "learn" in parts:
        reads = {kind: rng.choice([*_BELIEFS * 2, "0.5"]) for kind in kinds}
    reads["misread"] = rng.choice(["0.05", "0.3"]) if "misread" in parts else "0"
    lies = {
        "exactly": "1" if game.rule.column_names else rng.choice("12"),
        "at_most": rng.choice("12"),
        "chance": rng.choice(["0.1", "0.4"]),
    }
    asked = {key: drawn for key, drawn in lies.items() if key in parts}
    return {"reads": reads} | ({"lies": asked} if asked else {})


@cache
def typed_game_of(seed: int, *parts: str) -> Game:
    """Return the random game of a seed with one to three rows that somebody typed."""
    game, rng = noisy_game(seed, *parts, rows=0), random.Random(seed)
    for _ in range(rng.randint(1, 3)):
        guess = game.guesses.random(rng)
        doubt = rng.choice([0, 0, 0.5, 0.2]) if "doubts" in parts else 0.0
        with suppress(PuzzlehuntError):
            clue = parse_clue(game, typed_clue(rng, game, guess), guess)
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


_CLUES = [
    *("*", "B", "W", "BW", "BBW", "WWWR", "_", "B_", "RR", "[BW]", "[BW]R", "[WR]_", "none", "won"),
    *("1 1", "0 2", "2 0", "1b", ">=1w", "1-2 white", "1A2B", "2t1g", "2-3 gears", "."),
    *("HORSE", "You hear 2 tumblers click and 1 gear turn."),
]


def random_turn(game: Game, rng: random.Random) -> Turn:
    """Return a random turn of a game, typed in any way that it takes."""
    guess = game.guesses.random(rng)
    for text in rng.sample(_CLUES, len(_CLUES)):
        try:
            return Turn(guess, parse_clue(game, text, guess), doubt=0.5 * (rng.random() < 0.2))
        except PuzzlehuntError:
            continue
    raise AssertionError("`*` is a clue in every game")


@st.composite
def _games(draw: st.DrawFn) -> Game:
    kinds = ["repeats", "distinct", "words", "tunes", "lengths"] * 2
    game = random_game(draw(st.integers(0, 10**6)), *kinds, "halves", "formulas", "boards")
    known = [i.text if isinstance(i, Fact) else format_turn(game, i) for i in game.history]
    note(f"{game.secrets.size} secrets of {' '.join(game.alphabet.symbols)}; known: {known}")
    return game


st.register_type_strategy(Game, _games())
