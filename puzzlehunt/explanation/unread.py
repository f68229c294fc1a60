"""The expected information of reading each unread mark (bits).

A clue leaves some marks of its turn open. To read one of them is to learn its kind: that of a given
tile or, if marks have no order, of a random one. Its value is the mutual information (Shannon,
1948) between the secret, given the turns, and the kind of the mark.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlehunt.channel.likelihood import Counts, Likelihood
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.posterior import Posterior
from puzzlehunt.errors import NoCandidatesError, TooLargeError
from puzzlehunt.explanation.remaining import Findings, open_boards
from puzzlehunt.game.history import History, Row, Turn
from puzzlehunt.kernels.partitions import entropy_terms

Chances: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class UnreadMark:
    """An unread mark, and the bits that reading it is expected to give.

    The mark belongs to turn `number` (from 1), on `board` (from 0; None in a game of one board).
    `position` (from 0) is the place of its tile. It is None if marks have no order; then the mark
    is any of the `count` marks that the turn leaves open. `turn_bits` is the expected information
    of reading all of these.

    >>> import puzzlehunt
    >>> best = puzzlehunt.unread_marks(puzzlehunt.open_engine("heart-2018"))[0]
    >>> best.number, best.count, round(best.bits, 2)
    (24, 3, 0.68)
    """

    number: int
    turn: Turn
    position: int | None
    bits: float
    count: int
    turn_bits: float
    board: int | None = None


class UnreadMarks(Findings[UnreadMark]):
    """A list of unread marks, the most informative first; equal ones in the order of their turns.

    >>> import puzzlehunt
    >>> len(puzzlehunt.unread_marks(puzzlehunt.open_engine("heart-2018")))
    26
    """


def unread_marks(engine: EngineLike, turns: Iterable[Row] = ()) -> UnreadMarks:
    """Return the expected information of reading each unread mark of an engine's turns.

    `engine` may be a game, its name or its file, with the `turns` after its own.
    The marks of a wrong turn (misread, a lie, or rightly doubted) give no information. Raises
    NoCandidatesError if the turns contradict each other, and TooLargeError if there are unread
    marks and the candidates are too many to be listed.

    >>> import puzzlehunt
    >>> ranked = puzzlehunt.unread_marks(puzzlehunt.open_engine("heart-2018"))
    >>> [mark.turn for mark in ranked][:1]
    [<Turn: PRATE BR___>]
    """
    engine = as_engine(engine, turns)
    marks: list[UnreadMark] = []
    for number, board in open_boards(engine):
        turns = History(board.items).turns
        if board.listed is not None:
            marks += _marks_of(board.listed, number)
        elif any(board.game.likelihood.rule.edits.open_marks(turn.clue) for turn in turns):
            raise TooLargeError("which mark tells most is only known if all candidates are listed")
    marks.sort(key=lambda mark: -round(mark.bits, 9))
    return UnreadMarks("Unread marks", engine, marks)


def _marks_of(listing: ExplicitEngine, board: int | None) -> list[UnreadMark]:
    posterior, likelihood = listing.posterior, listing.game.likelihood
    if not posterior.probabilities.any():
        raise NoCandidatesError("the turns contradict each other: no candidate is left")
    marks: list[UnreadMark] = []
    for place, scored in enumerate(posterior.turns):
        turn, edits = scored.turn, likelihood.rule.edits
        positions = edits.open_marks(turn.clue)
        if not positions or listing.game.rule.wins(turn.clue):
            continue
        weights, feedbacks, chances = _shown(likelihood, posterior, place)
        turn_bits, count = _bits(weights, chances), len(positions)
        for position in dict.fromkeys(positions) if len(feedbacks) else ():
            kinds = edits.open_kinds(turn.clue, feedbacks, position)
            bits = _bits(weights, chances @ (kinds / kinds.sum(axis=1, keepdims=True)))
            marks.append(UnreadMark(place + 1, turn, position, bits, count, turn_bits, board))
    return marks


def _bits(weights: Chances, chances: Chances) -> float:
    """Return the mutual information (bits) of a truth (T,) and what is shown (T, V) for each."""
    overall = entropy_terms(weights @ chances).sum()
    return max(0.0, float(overall - weights @ entropy_terms(chances).sum(axis=1)))


def _shown(
    likelihood: Likelihood, posterior: Posterior, place: int
) -> tuple[Chances, Counts, Chances]:
    """Return what the turn at a place may show.

    That is the probability of each true feedback (T,), the feedbacks that may be shown (V, parts),
    and the probability of each of these, given each true one (T, V).
    """
    scored, probabilities = posterior.turns[place], posterior.probabilities
    clue, size = scored.turn.clue, len(scored.feedbacks)
    weights = np.bincount(scored.places, probabilities, size).astype(np.float64)
    wrong = np.bincount(scored.places, probabilities * posterior.wrong_given(place), size)
    possible = np.flatnonzero(weights)
    weights, wrong = weights[possible], wrong[possible]
    truths, shown, shown_chances = likelihood.shown(clue, scored.feedbacks[possible])
    loses = ~likelihood.rule.win_mask(scored.feedbacks)
    if_wrong = scored.feedbacks[loses & likelihood.rule.mask(clue, scored.feedbacks)]
    feedbacks, numbers = np.unique(np.concatenate((if_wrong, shown)), axis=0, return_inverse=True)
    wrong_chances = np.zeros(len(feedbacks))
    wrong_chances[numbers[: len(if_wrong)]] = np.exp(likelihood.log_read(clue, if_wrong))
    wrong_chances /= wrong_chances.sum() or 1.0
    right = np.where(np.isin(np.arange(len(possible)), truths), 1 - wrong / weights, 0.0)
    chances = (1 - right)[:, None] * wrong_chances
    np.add.at(chances, (truths, numbers[len(if_wrong) :]), right[truths] * shown_chances)
    return weights, feedbacks, chances
