"""Wrong turns: repairs where no candidate is left, suspects, and codes that nearly fit.

Repairs are small changes of the turns after which some candidates are left.

The kinds of mistakes, each with its prior probability, before the other turns are looked at:

- one mark is of another kind: 0.5
- the guess was mistyped, by one symbol or by two neighbours exchanged, or as a name much like it:
  0.2
- two tiles, or the counts of two kinds, are exchanged: 0.15
- one mark was not read after all: 0.06
- something else, so that the turn is to be doubted: 0.06
- two turns, one just after the other, have each other's clues: 0.03

A prior is divided evenly among the ways to make the mistake, and multiplied by the likelihood of
the mended turns. Where every secret is listed, all repairs are found; where a solver is queried, as
many as there is time for, those of one mark first.
"""

import math
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import pairwise
from typing import cast

import numpy as np

from puzzlehunt.channel.model import MISREAD, SUSPICION
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.named_rows import NamedRows
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import PuzzlehuntError, check_number
from puzzlehunt.explanation.findings import Findings
from puzzlehunt.game.files.serialise import read_back
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, History, Item, Row, Turn
from puzzlehunt.rules.boards import BoardsClue

PRIORS = {
    "mark": 0.5,
    "guess": 0.2,
    "swapped": 0.15,
    "unread": 0.06,
    "doubt": 0.06,
    "neighbour": 0.03,
}
"""The prior probability of each kind of mistake."""

_ALIKE, _MOST_ALIKE, _MOST_COMPARED = 0.75, 10, 5_000
"""Least similarity (difflib, 0 to 1) of the name of a row to a mistyped one, most such names, and
most names that are compared."""
_MOST_QUERIES = 600
"""Cap on queries of a solver whether a change leaves a candidate."""
_SECONDS, _MARK_SECONDS = 2.0, 4.0
"""Time limits of all queries of a solver, and of those about one mark, which come first
(seconds)."""


@dataclass(frozen=True, slots=True)
class Repair:
    """One way to mend a history: new turns in place of others, and the kind of mistake.

    `number` is the rank of the repair (from 1). `turns` are pairs (turn's number from 1, new turn):
    two pairs if two turns exchange their clues, else one. `kind` is a key of `PRIORS`. `count` is
    the number of candidates that the repair leaves (None: unknown), and `probability` (0 to 1) its
    share among all repairs. In a game of several boards, `board` (from 0) is the one that is
    mended; `count` and `probability` are about this board, and only its clues change.

    >>> import puzzlehunt
    >>> engine = puzzlehunt.open_engine("mastermind")
    >>> engine.follow(["RRGG BW", "RGBY none", "OOPP BBW"])
    >>> (repair,) = puzzlehunt.repairs(engine)
    >>> repair.kind, repair.turns, repair.count
    ('neighbour', ((2, <Turn: RGBY none>), (3, <Turn: OOPP BBW>)), 4)
    """

    number: int
    turns: tuple[tuple[int, Turn], ...]
    kind: str
    count: int | None
    probability: float
    board: int | None = None

    def mended(self, history: History) -> History:
        """Return a history in which the turns are replaced by those of this repair."""
        for number, turn in self.turns:
            history = history.replace(number, turn)
        return history


@dataclass(frozen=True, slots=True)
class _Edit:
    """New turns, each with its place, and the natural log probability of that mistake."""

    turns: tuple[tuple[int, Turn], ...]
    kind: str
    log_chance: float


def repairs(engine: EngineLike, turns: Iterable[Row] = ()) -> Findings[Repair]:
    """Return the repairs of an engine's history, the likeliest first.

    `engine` may be a game, its name or its file, with the `turns` after its own.
    The list is empty if a candidate is left, and if no change of one turn, nor an exchange of the
    clues of two neighbouring turns, leaves a candidate. In a game of several boards, the repairs of
    each board without a candidate follow each other.

    >>> import puzzlehunt
    >>> engine = puzzlehunt.open_engine("mastermind")
    >>> puzzlehunt.repairs(engine)
    <Repairs: none>
    >>> engine.follow(["RRGG BW", "RGBY none", "OOPP BBW"])
    >>> [repair.count for repair in puzzlehunt.repairs(engine)]
    [4]
    """
    engine = as_engine(engine, turns)
    found: Findings[Repair] = Findings("Repairs", engine)
    for number, state in enumerate(engine.boards()):
        if state.secret is None and not state.engine.satisfiable():
            board = number if engine.game.boards > 1 else None
            for repair in _repairs_of(state.engine, engine.items, board):
                found.append(replace(repair, number=len(found) + 1))
    return found


def _repairs_of(engine: Engine, items: Sequence[Item], board: int | None) -> list[Repair]:
    """Return the repairs of an engine of one board; `items` are those of the whole game."""
    game = engine.game
    placed = [(place, item) for place, item in enumerate(engine.items) if isinstance(item, Turn)]
    culprits = _culprits(engine, placed)
    changes = [change for place, turn in culprits for change in _other_clues(game, place, turn)]
    changes += _exchanges(placed)
    if board is None:
        changes += (one for place, turn in culprits for one in _other_guesses(game, place, turn))
    else:
        # The guess and the doubt of a row concern the other boards, too.
        changes = [change for change in changes if change.kind != "doubt"]
    changes = [
        change
        for change in changes
        if _goes_on(game, change, placed) and _keeps_readable(game, change, placed)
    ]
    weighed: dict[tuple[tuple[int, Turn], ...], tuple[_Edit, int | None, float]] = {}
    for change, count, weight in _weighed(engine, changes):
        if change.turns in weighed:
            # Two mistakes with the same remedy are one repair, of the kind that came first.
            change, _, other = weighed[change.turns]
            weight = float(np.logaddexp(weight, other))
        weighed[change.turns] = (change, count, weight)
    return _ranked(list(weighed.values()), items, board)


def _whole_turn(item: Item, turn: Turn, board: int | None) -> Turn:
    """Return a turn of the whole game whose clue on one board is that of `turn`."""
    if board is None:
        return turn
    clues = list(cast(BoardsClue, cast(Turn, item).clue).clues)
    clues[board] = turn.clue
    return replace(cast(Turn, item), clue=BoardsClue(tuple(clues)))


def _goes_on(game: Game, change: _Edit, turns: Sequence[tuple[int, Turn]]) -> bool:
    """Return whether a change lets no turn win but the last: the game went on after the others."""
    old, (last, _) = dict(turns), turns[-1]
    return not any(
        place != last and game.rule.wins(turn.clue) and not game.rule.wins(old[place].clue)
        for place, turn in change.turns
    )


def _keeps_readable(game: Game, change: _Edit, turns: Sequence[tuple[int, Turn]]) -> bool:
    """Return whether the history, after a change, can be written to a file and read back.

    It cannot if a turn has no notation, or is merged with another turn of its guess when it is
    read, unless that was so before the change. Turns of other guesses do not matter.
    """
    guesses = {turn.guess for _, turn in change.turns}
    before = {place: turn for place, turn in turns if turn.guess in guesses}
    return all(_is_readable(game, {0: turn}) for _, turn in change.turns) and (
        _is_readable(game, before | dict(change.turns)) or not _is_readable(game, before)
    )


def _is_readable(game: Game, rows: Mapping[int, Turn]) -> bool:
    history = History(tuple(rows[place] for place in sorted(rows)))
    try:
        return read_back(game, history) == history
    except PuzzlehuntError:
        return False


def _culprits(engine: Engine, turns: Sequence[tuple[int, Turn]]) -> list[tuple[int, Turn]]:
    """Return the turns that are in every conflict: without any one of them the others agree."""
    every, last = range(len(engine.items)), engine.first_conflict() or 0
    suspected = set(engine.unsat_core(range(last + 1)) or every)
    culprits = []
    for place, turn in turns:
        if place in suspected:
            another = engine.unsat_core([other for other in every if other != place])
            if another is None:
                culprits.append((place, turn))
            else:
                suspected &= set(another)
    return culprits


def _ranked(
    weighed: list[tuple[_Edit, int | None, float]], items: Sequence[Item], board: int | None
) -> list[Repair]:
    numbers = History(tuple(items)).numbers_by_place()
    largest = max((weight for *_, weight in weighed), default=0.0)
    shares = [math.exp(weight - largest) for *_, weight in weighed]
    total, ranked = sum(shares), list[Repair]()
    order = sorted(zip(shares, weighed, strict=True), key=lambda one: -round(one[0] / total, 9))
    for number, (share, (change, count, _)) in enumerate(order, start=1):
        turns = tuple(
            (numbers[place], _whole_turn(items[place], turn, board)) for place, turn in change.turns
        )
        ranked.append(Repair(number, turns, change.kind, count, share / total, board))
    return ranked


# The candidates after each change.


def _weighed(engine: Engine, changes: Sequence[_Edit]) -> Iterator[tuple[_Edit, int | None, float]]:
    if (listing := engine.listed) is None:
        yield from _asked(engine, changes)
        return
    by_places: dict[tuple[int, ...], list[_Edit]] = {}
    for change in changes:
        by_places.setdefault(tuple(dict(change.turns)), []).append(change)
    for places, some in by_places.items():
        chosen = [place for place in range(len(engine.items)) if place not in places]
        evidence = listing.evidence(chosen, [tuple(dict(one.turns).values()) for one in some])
        for change, (count, log_chance) in zip(some, evidence, strict=True):
            if count:
                yield change, count, change.log_chance + log_chance


def _asked(engine: Engine, changes: Sequence[_Edit]) -> Iterator[tuple[_Edit, int | None, float]]:
    start = time.monotonic()
    every = len(engine.items)
    ordered = sorted(changes, key=lambda change: change.kind != "mark")
    for asked, change in enumerate(ordered):
        seconds = _MARK_SECONDS if change.kind == "mark" else _SECONDS
        if asked >= _MOST_QUERIES or time.monotonic() - start > seconds:
            return
        weight, chosen = change.log_chance, {*range(every)} - {*dict(change.turns)}
        try:
            for _, turn in change.turns:
                engine.push(turn)
                if change.kind == "doubt":
                    # What is doubted may have any clue.
                    likelihood = engine.game.likelihood
                    weight += math.log(DEFAULT_DOUBT) + likelihood.log_uniform(turn.clue)
            if engine.unsat_core([*sorted(chosen), *range(every, len(engine.items))]) is None:
                yield change, None, weight
        finally:
            engine.keep(every)


# The possible mistakes.


def _other_clues(game: Game, place: int, turn: Turn) -> Iterator[_Edit]:
    edits = game.support.edits
    kinds = {
        "mark": edits.one_mark_edits,
        "swapped": edits.transpositions,
        "unread": edits.erasures,
    }
    for kind, clues in kinds.items():
        for share, clue in clues(turn.clue):
            yield _Edit(((place, replace(turn, clue=clue)),), kind, math.log(PRIORS[kind] * share))
    if not turn.doubted:
        log_chance = math.log(PRIORS["doubt"] / DEFAULT_DOUBT)
        yield _Edit(((place, replace(turn, doubt=DEFAULT_DOUBT)),), "doubt", log_chance)


def _other_guesses(game: Game, place: int, turn: Turn) -> Iterator[_Edit]:
    rows = game.alphabet
    others = (
        _like_named(rows, turn.guess)
        if isinstance(rows, NamedRows)
        else _mistyped(game, turn.guess)
    )
    meant = [code for code in dict.fromkeys(others) if game.is_listed(code)]
    for code in meant:
        log_chance = math.log(PRIORS["guess"] / len(meant))
        yield _Edit(((place, replace(turn, guess=code)),), "guess", log_chance)


def _like_named(rows: NamedRows, guess: Code) -> Iterator[Code]:
    """Yield the rows of a table whose names are like a guess's, with the same digits."""
    name = rows.format(guess)
    if len(rows.plain_names) > _MOST_COMPARED:
        return
    for other in get_close_matches(name, rows.plain_names, n=_MOST_ALIKE, cutoff=_ALIKE):
        if other != name and re.findall(r"\d", other) == re.findall(r"\d", name):
            yield rows.parse(other)


def _mistyped(game: Game, guess: Code) -> Iterator[Code]:
    for place in range(len(guess) - 1):
        if guess[place] != guess[place + 1]:
            yield (*guess[:place], guess[place + 1], guess[place], *guess[place + 2 :])
    for place, old in enumerate(guess):
        for symbol in range(len(game.alphabet)):
            if symbol != old:
                yield (*guess[:place], symbol, *guess[place + 1 :])


def _exchanges(turns: Sequence[tuple[int, Turn]]) -> Iterator[_Edit]:
    for (place, first), (after, second) in pairwise(turns):
        if first.clue != second.clue and len(first.guess) == len(second.guess):
            log_chance = math.log(PRIORS["neighbour"] / (len(turns) - 1))
            new, new_after = replace(first, clue=second.clue), replace(second, clue=first.clue)
            yield _Edit(((place, new), (after, new_after)), "neighbour", log_chance)


# Suspects: a misread turn mostly contradicts no other, and quietly rules the secret out.

NEAR_CHANCE = 0.001
"""Least probability of a code that nearly fits for it to be shown below the candidates."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A turn, its number (from 1), and the probability (0 to 1) that it is wrong.

    `named` is whether players are told of it without a question: it is wrong with a probability of
    `SUSPICION` or more, or it is the likeliest to be wrong and no candidate is the secret, with
    that probability.

    >>> import puzzlehunt
    >>> suspect = puzzlehunt.suspects(puzzlehunt.open_engine("heart-2018"))[0]
    >>> suspect.number, suspect.turn, round(suspect.probability, 2)
    (5, <Turn: HORSE BWR__>, 0.16)
    """

    number: int
    turn: Turn
    probability: float
    named: bool = False


def suspects(engine: EngineLike, turns: Iterable[Row] = ()) -> Findings[Suspect]:
    """Return the turns of an engine's history, those likeliest to be wrong first.

    `engine` may be a game, its name or its file, with the `turns` after its own.
    A wrong turn is misread, a lie, or rightly doubted. Turns with nothing read are left out. If the
    game does not say how often turns are misread, one turn in twenty (`MISREAD`) is assumed to be.
    If no code fits, whichever turns are misread, the suspects are the turns that the repairs
    change. The list is empty if there are too many secrets to weigh, and in games of several
    boards.

    >>> import puzzlehunt
    >>> found = puzzlehunt.suspects(puzzlehunt.open_engine("heart-2018"))
    >>> [(one.number, round(one.probability, 2)) for one in found[:2]]
    [(5, 0.16), (27, 0.07)]
    """
    engine = as_engine(engine, turns)
    return Findings("Suspects", engine, _ranked_suspects(engine))


def _ranked_suspects(engine: Engine) -> list[Suspect]:
    listing = engine.listed
    if listing is None:
        return []
    if assumed_misread(engine.game) is not None:
        channel = replace(engine.game.channel, misread=MISREAD)
        listing = ExplicitEngine(replace(engine.game, channel=channel))
        listing.follow(engine.items)
    turns = History(engine.items).turns
    wrong = listing.posterior.wrong.tolist()
    if not listing.posterior.probabilities.any():
        wrong = [0.0] * len(turns)
        for repair in repairs(listing):
            for number, _ in repair.turns:
                wrong[number - 1] += repair.probability
    suspected = [
        Suspect(number, turn, chance)
        for number, (turn, chance) in enumerate(zip(turns, wrong, strict=True), start=1)
        if turn.clue != engine.game.unread_clue(turn.guess)
    ]
    suspected.sort(key=lambda one: -round(one.probability, 9))
    outside = (listing.outside or 0.0) if listing.satisfiable() else 0.0
    return [
        replace(one, named=one.probability >= SUSPICION or (not place and outside >= SUSPICION))
        for place, one in enumerate(suspected)
    ]


def notable_suspect(engine: Engine) -> Suspect | None:
    """Return the turn to report without a question; None if no turn is so likely wrong."""
    likeliest = _ranked_suspects(engine)[:1] if engine.game.channel.misread else []
    return next((one for one in likeliest if one.named), None)


def assumed_misread(game: Game) -> float | None:
    """Return the share of misread turns that `suspects` assumes; None if the game sets it."""
    channel = game.channel
    return MISREAD if channel.reads is None and not channel.misread else None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A code that would be a candidate if one turn were wrong, and its `probability` (0 to 1).

    `numbers` (from 1) are the turns that the code contradicts. In a game that allows n lies, these
    are n + 1 turns.

    >>> import puzzlehunt
    >>> near = puzzlehunt.near_misses(puzzlehunt.open_engine("heart-2018"), 1)[0]
    >>> puzzlehunt.load("heart-2018").format_code(near.code), near.numbers
    ('REACT', (5,))
    """

    code: Code
    probability: float
    numbers: tuple[int, ...]


def near_misses(
    engine: EngineLike, limit: int, *, turns: Iterable[Row] = (), least: float = 0.0
) -> Findings[NearMiss]:
    """Return up to `limit` codes that would fit if one turn were wrong, the likeliest first.

    `engine` may be a game, its name or its file, with the `turns` after its own.
    Codes with a probability below `least` are left out. The list is empty if the game does not
    allow for misread turns.

    >>> import puzzlehunt
    >>> puzzlehunt.near_misses(puzzlehunt.open_engine("mastermind"), 5)
    <Near misses: none>
    """
    engine = as_engine(engine, turns)
    check_number("limit", limit, 0, whole=True)
    check_number("least", least, 0, 1)
    game, listing = engine.game, engine.listed
    if listing is None or not game.channel.misread:
        return Findings("Near misses", engine)
    history = History(engine.items)
    numbers = history.numbers_by_place()
    near: Findings[NearMiss] = Findings("Near misses", engine)
    for code, chance in listing.likeliest(limit, breaking=1):
        if chance < least:
            break
        _, broken = game.violations(history, code)
        near.append(NearMiss(code, chance, tuple(numbers[place] for place in broken)))
    return near
