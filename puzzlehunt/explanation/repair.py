"""Wrong turns: repairs where no candidate is left, suspects, and codes that nearly fit.

Repairs are small changes of the turns after which some candidates are left. The prior of a kind of
mistake is divided evenly among the ways to make it, and multiplied by the likelihood of the mended
turns. Where a solver is queried, priors alone rank as many repairs as there is time for.
"""

import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import NamedTuple, cast

import numpy as np

from puzzlehunt.channel.model import MISREAD, SUSPICION
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, as_engine
from puzzlehunt.errors import check_number
from puzzlehunt.explanation.remaining import Findings, NearMiss, open_boards
from puzzlehunt.game import meaning
from puzzlehunt.game.blocks import reading_trouble
from puzzlehunt.game.files.gamefile import GameLike
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, Finding, Item, Rows, Turn
from puzzlehunt.game.turn_notation import with_text
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.notation.clue_values import NotedClue

PRIORS = {
    "mark": 0.5,  # one mark is of another kind
    "guess": 0.2,  # mistyped by one symbol, or by two neighbours exchanged
    "swapped": 0.15,  # two tiles, or the counts of two kinds, are exchanged
    "unread": 0.06,  # one mark was not read after all
    "doubt": 0.06,  # something else, so that the turn is to be doubted
    "neighbour": 0.03,  # two turns, one just after the other, have each other's clues
}
"""The prior probability of each kind of mistake, before the other turns are looked at."""


@dataclass(frozen=True, slots=True)
class Repair(Finding):
    """One way to mend a history: new turns in place of others, and the kind of mistake.

    `rank` is that of the repair (from 1). `turns` are pairs (turn's number from 1, new turn):
    two pairs if two turns exchange their clues, else one. `kind` is a key of `PRIORS`. `count` is
    the number of candidates that the repair leaves (None: unknown), and `probability` (0 to 1) its
    share among all repairs. In a game of several boards, `board` (from 0) is the one that is
    mended; `count` and `probability` are about this board, and only its clues change.
    `Session.play` makes a repair.

    >>> (repair,) = puzzlehunt.repairs("mastermind", ["RRGG BW", "RGBY none", "OOPP BBW"])
    >>> repair.kind, repair.turns, repair.count
    ('neighbour', ((2, <Turn: RGBY BBW>), (3, <Turn: OOPP none>)), 4)
    >>> print(repair)
    1) 2. RGBY none -> BBW
       3. OOPP BBW -> none, 4 left
    """

    rank: int
    turns: tuple[tuple[int, Turn], ...]
    kind: str
    count: int | None
    probability: float
    board: int | None = None


class _Edit(NamedTuple):
    """New turns, each with its place, the kind of the mistake, and its natural log probability."""

    turns: tuple[tuple[int, Turn], ...]
    kind: str
    log_chance: float


class Repairs(Findings[Repair]):
    """Repairs of a history, the likeliest first."""

    _row_type = Repair


def repairs(game: GameLike, rows: Rows | None = None) -> Repairs:
    """Return the repairs of the rows, the likeliest first.

    `game` and `rows` are as in `candidates`. The list is empty if a candidate is left, and if no
    change of one turn, nor an exchange of the clues of two neighbouring turns, leaves a candidate.
    In a game of several boards, the repairs of each board without a candidate follow each other.

    >>> puzzlehunt.repairs("mastermind")
    <Repairs: none>
    """
    engine = as_engine(game, rows)
    found = Repairs(engine)
    for number, board in open_boards(engine):
        if not board.satisfiable():
            found += _repairs_of(board, number, found)
    return found


def _repairs_of(engine: Engine, board: int | None, known: Repairs) -> Iterator[Repair]:
    """Yield the repairs of an engine of one board, which rank after those that are known."""
    items = known.history.items
    turns = {place: item for place, item in enumerate(engine.items) if isinstance(item, Turn)}
    edits = [edit for edit in _edits(engine, turns) if _can_stand(engine.game, turns, edit)]
    if board is not None:  # the guess and the doubt of a row concern the other boards, too
        edits = [edit for edit in edits if edit.kind not in ("guess", "doubt")]
    found: dict[tuple[tuple[int, Turn], ...], tuple[str, int | None, float]] = {}
    for edit, count, log_chance in _weighed(engine, edits):
        # Two mistakes with the same remedy are one repair, of the kind that came first.
        kind, count, before = found.get(edit.turns, (edit.kind, count, -1e9))
        found[edit.turns] = kind, count, float(np.logaddexp(before, log_chance))
    total = np.logaddexp.reduce([log_chance for *_, log_chance in found.values()])
    names = known.history.names
    ranked = sorted(found.items(), key=lambda pair: -round(math.exp(pair[1][2] - total), 9))
    for rank, (changed, (kind, count, log_chance)) in enumerate(ranked, start=len(known) + 1):
        whole_turns = tuple(
            (cast(int, names[place]), with_text(known.game, _whole_turn(items[place], turn, board)))
            for place, turn in changed
        )
        chance = math.exp(log_chance - total)
        yield Repair(known.game, known.history, rank, whole_turns, kind, count, chance, board)


def _whole_turn(item: Item, turn: Turn, board: int | None) -> Turn:
    if board is None:
        return turn
    clues = list(cast(BoardsClue, cast(Turn, item).clue).clues)
    clues[board] = turn.clue
    return replace(cast(Turn, item), clue=BoardsClue(tuple(clues)))


def _can_stand(game: Game, turns: Mapping[int, Turn], edit: _Edit) -> bool:
    """Return whether the game went on after each new turn, and a file of them is read as it is."""
    times_guessed = Counter(turn.code for turn in turns.values())
    wins, last = game.rule.wins, max(turns)
    for place, new in edit.turns:
        if wins(new.clue) and place != last and not wins(turns[place].clue):
            return False
        # Nobody makes a guess again for the same answer; another row of it completes an unread one.
        most = {"guess": 0, "unread": 1}.get(edit.kind, len(turns))
        if times_guessed[new.code] > most or reading_trouble(game, new):
            return False
    return True


# The candidates after each edit.


def _weighed(engine: Engine, edits: Sequence[_Edit]) -> Iterator[tuple[_Edit, int | None, float]]:
    """Yield each edit that leaves a candidate, how many it leaves, and its log probability."""
    listing = engine.listed
    end = time.monotonic() + 2.0  # for all queries of a solver
    for places, group in groupby(edits, key=lambda edit: [place for place, _ in edit.turns]):
        edits_there = list(group)
        others = [place for place in range(len(engine.items)) if place not in places]
        if listing is not None:
            new_turns = [[turn for _, turn in edit.turns] for edit in edits_there]
            evidence = listing.evidence(others, new_turns)
            for edit, (count, log_chance) in zip(edits_there, evidence, strict=True):
                if count:
                    yield edit, count, edit.log_chance + log_chance
            continue
        for edit in edits_there:
            if time.monotonic() < end and _leaves_any(engine, others, edit):
                (_, turn), log_chance = edit.turns[0], edit.log_chance
                if edit.kind == "doubt":  # its clue may be any
                    any_clue = meaning.likelihood(engine.game).log_uniform(turn.clue)
                    log_chance += math.log(DEFAULT_DOUBT) + any_clue
                yield edit, None, log_chance


def _leaves_any(engine: Engine, others: Sequence[int], edit: _Edit) -> bool:
    """Return whether a candidate is left by the new turns and the `others`, places of items."""
    height = len(engine.items)
    try:
        for _, turn in edit.turns:
            engine.push(turn)
        return engine.unsat_core([*others, *range(height, len(engine.items))]) is None
    finally:
        engine.keep(height)


# The possible mistakes.


def _edits(engine: Engine, turns: Mapping[int, Turn]) -> Iterator[_Edit]:
    """Yield the edits of each turn that is in every conflict, and the exchanges of clues."""
    every = range(len(engine.items))
    for place in engine.unsat_core(every) or ():
        others = [other for other in every if other != place]
        if place in turns and engine.unsat_core(others) is None:
            for kind, share, turn in _other_turns(engine.game, turns[place]):
                yield _Edit(((place, turn),), kind, math.log(PRIORS[kind] * share))
    for (place, first), (after, second) in pairwise(turns.items()):
        if first.clue != second.clue and len(first.code) == len(second.code):
            log_chance = math.log(PRIORS["neighbour"] / (len(turns) - 1))
            new, new_after = replace(first, clue=second.clue), replace(second, clue=first.clue)
            yield _Edit(((place, new), (after, new_after)), "neighbour", log_chance)


def _other_turns(game: Game, turn: Turn) -> Iterator[tuple[str, float, Turn]]:
    """Yield the turns that may be meant, each with a kind of mistake and its share of the kind."""
    clue = cast(NotedClue, turn.clue)
    kinds = {"mark": clue.one_mark_edits, "swapped": clue.transpositions, "unread": clue.erasures}
    for kind, edits in kinds.items():
        for share, edit in edits():
            yield kind, share, replace(turn, clue=edit)
    if not turn.doubt:
        # That the turn is wrong is part of its likelihood, too.
        yield "doubt", 1 / DEFAULT_DOUBT, replace(turn, doubt=DEFAULT_DOUBT)
    if game.alphabet.names_codes:  # one name of a table is seldom mistyped as another
        return
    meant = [code for code in _mistyped(game, turn.code) if meaning.is_listed(game, code)]
    for code in meant:
        yield "guess", 1 / len(meant), replace(turn, code=code)


def _mistyped(game: Game, guess: Code) -> Iterator[Code]:
    for place in range(len(guess) - 1):
        if guess[place] != guess[place + 1]:
            yield (*guess[:place], guess[place + 1], guess[place], *guess[place + 2 :])
    for place, old in enumerate(guess):
        for symbol in range(len(game.alphabet)):
            if symbol != old:
                yield (*guess[:place], symbol, *guess[place + 1 :])


# Suspects: a misread turn mostly contradicts no other, and quietly rules the secret out.


@dataclass(frozen=True, slots=True)
class Suspect(Finding):
    """A turn, its row (from 1), and the probability (0 to 1) that it is wrong.

    `named` is whether players are told of it without a question: it is wrong with a probability of
    `SUSPICION` or more, or it is the likeliest to be wrong and no candidate is the secret, with
    that probability.

    >>> print(puzzlehunt.suspects("heart-2018")[0])
    5. HORSE BWR__: 16 %
    """

    row: int
    turn: Turn
    probability: float
    named: bool = False


class Suspects(Findings[Suspect]):
    """The turns that are likeliest to be wrong."""

    _row_type = Suspect


def suspects(game: GameLike, rows: Rows | None = None) -> Suspects:
    """Return the turns, those likeliest to be wrong first.

    `game` and `rows` are as in `candidates`. A wrong turn is misread, a lie, or rightly doubted.
    Turns with nothing read are left out. If the game does not say how often turns are misread, one
    turn in twenty (`MISREAD`) is assumed to be. The list is empty if no code fits, whichever turns
    are misread, if there are too many secrets to weigh, and in games of several boards.

    >>> [(one.row, round(one.probability, 2)) for one in puzzlehunt.suspects("heart-2018")[:2]]
    [(5, 0.16), (27, 0.07)]
    """
    engine = as_engine(game, rows)
    listing, history = engine.listed, engine.history
    if listing is None:
        return Suspects(engine)
    if assumed_misread(engine.game) is None:
        posterior, outside = listing.posterior, listing.outside or 0.0
    else:
        posterior, outside = listing.posterior_if(replace(engine.game.channel, misread=MISREAD))
    if not posterior.probabilities.any():
        return Suspects(engine)
    wrong = zip(history.turns, posterior.wrong.tolist(), strict=True)
    ranked = [
        Suspect(engine.game, history, number, turn, chance, named=chance >= SUSPICION)
        for number, (turn, chance) in enumerate(wrong, start=1)
        if not meaning.is_unread(engine.game, turn)
    ]
    ranked.sort(key=lambda one: -round(one.probability, 9))
    if ranked and listing.satisfiable() and outside >= SUSPICION:
        ranked[0] = replace(ranked[0], named=True)
    return Suspects(engine, ranked)


def assumed_misread(game: Game) -> float | None:
    """Return the share of misread turns that `suspects` assumes; None if the game sets it."""
    channel = game.channel
    return MISREAD if channel.reads is None and not channel.misread else None


class NearMisses(Findings[NearMiss]):
    """Codes that would be candidates if one turn were wrong, the likeliest first."""

    _row_type = NearMiss


def near_misses(game: GameLike, rows: Rows | None = None, top: int = 5) -> NearMisses:
    """Return up to `top` codes that would fit if one turn were wrong, the likeliest first.

    `game` and `rows` are as in `candidates`.
    The list is empty if the game does not allow for misread turns.

    >>> [(near.text, near.rows) for near in puzzlehunt.near_misses("heart-2018", top=1)]
    [('REACT', (5,))]
    """
    engine = as_engine(game, rows)
    check_number("top", top, 0, whole=True)
    near = NearMisses(engine)
    if engine.listed is not None and engine.game.channel.misread:
        names = near.history.names
        for code, chance in engine.listed.likeliest(top, breaking=1):
            places = meaning.violations(engine.game, near.history, code)[1]
            wrong = tuple(cast(int, names[place]) for place in places)
            text = engine.game.format_code(code)
            near.append(NearMiss(engine.game, near.history, text, code, chance, wrong))
    return near
