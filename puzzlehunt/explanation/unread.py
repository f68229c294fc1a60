"""The expected information of reading each unread mark (bits).

A clue leaves some marks of its turn open. To read one of them is to learn its kind: that of a given
tile or, if marks have no order, of a random one. Its value is the mutual information (Shannon,
1948) between the secret, given the turns, and the kind of the mark.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from puzzlehunt.channel.likelihood import Counts, Likelihood
from puzzlehunt.engines.choice import EngineLike, as_engine
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.engines.posterior import Posterior
from puzzlehunt.errors import NoCandidatesError, TooLargeError
from puzzlehunt.explanation.remaining import Findings, open_boards
from puzzlehunt.game.history import History, Row, Turn
from puzzlehunt.kernels.feedback_matrix import entropy_terms
from puzzlehunt.strategies.measures import Values


@dataclass(frozen=True, slots=True)
class UnreadMark:
    """An unread mark, and the bits that reading it is expected to give.

    The mark belongs to turn `number` (from 1), on `board` (from 0; None in a game of one board).
    `position` (from 0) is the place of its tile. It is None if marks have no order; then the mark
    is any of the `count` marks that the turn leaves open. `turn_bits` is the expected information
    of reading all of these.

    >>> import puzzlehunt
    >>> best = puzzlehunt.unread_marks("heart-2018")[0]
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
    """Unread marks, the most informative first; equal ones in the order of their turns."""

    title = "Unread marks"


def unread_marks(engine: EngineLike, turns: Iterable[Row] = ()) -> UnreadMarks:
    """Return the expected information of reading each unread mark of an engine's turns.

    `engine` may be a game, its name or its file, with the `turns` after its own.
    The marks of a wrong turn (misread, a lie, or rightly doubted) give no information. Raises
    NoCandidatesError if the turns contradict each other, and TooLargeError if there are unread
    marks and the candidates are too many to be listed.

    >>> import puzzlehunt
    >>> ranked = puzzlehunt.unread_marks("heart-2018")
    >>> [mark.turn for mark in ranked][:1]
    [<Turn: PRATE BR___>]
    """
    engine = as_engine(engine, turns)
    marks: list[UnreadMark] = []
    for number, board in open_boards(engine):
        edits, board_turns = board.game.likelihood.rule.edits, History(board.items).turns
        if board.listed is not None:
            marks += _marks_of(board.listed, number)
        elif any(edits.open_marks(turn.clue) for turn in board_turns):
            raise TooLargeError("which mark tells most is only known if all candidates are listed")
    marks.sort(key=lambda mark: -round(mark.bits, 9))
    return UnreadMarks(engine, marks)


def _marks_of(listing: ExplicitEngine, board: int | None) -> list[UnreadMark]:
    """Return the unread marks of one board, in the order of its turns."""
    posterior, likelihood = listing.posterior, listing.game.likelihood
    if not posterior.probabilities.any():
        raise NoCandidatesError("the turns contradict each other: no candidate is left")
    marks: list[UnreadMark] = []
    for place, scored in enumerate(posterior.turns):
        turn, edits = scored.turn, likelihood.rule.edits
        positions = edits.open_marks(turn.clue)
        if not positions or listing.game.rule.wins(turn.clue):
            continue
        truth_chances, feedbacks, shown_chances = _shown(likelihood, posterior, place)
        if not len(feedbacks):
            continue
        turn_bits, count = _mutual_information(truth_chances, shown_chances), len(positions)
        # Marks without an order are one: any of those that the turn leaves open.
        for position in dict.fromkeys(positions):
            kinds = edits.open_kinds(turn.clue, feedbacks, position)
            kind_chances = shown_chances @ (kinds / kinds.sum(axis=1, keepdims=True))
            bits = _mutual_information(truth_chances, kind_chances)
            marks.append(UnreadMark(place + 1, turn, position, bits, count, turn_bits, board))
    return marks


def _mutual_information(truth_chances: Values, shown_chances: Values) -> float:
    """Return the bits that what is shown tells about the truth, 0 or more.

    `truth_chances` (T,) are the probabilities of T truths, `shown_chances` (T, V) those of what is
    shown of each.
    """
    entropy = entropy_terms(truth_chances @ shown_chances).sum()
    noise = truth_chances @ entropy_terms(shown_chances).sum(axis=1)
    return max(0.0, float(entropy - noise))


def _shown(
    likelihood: Likelihood, posterior: Posterior, place: int
) -> tuple[Values, Counts, Values]:
    """Return what the turn at a place may show, whether its clue is right or wrong.

    That is the probability of each true feedback (T,), the feedbacks that may be shown (V, parts),
    and the probability of each of these, given each true one (T, V).
    """
    scored, probabilities = posterior.turns[place], posterior.probabilities
    clue, size = scored.turn.clue, len(scored.feedbacks)
    truth_chances = np.bincount(scored.places, probabilities, size).astype(np.float64)
    wrong_and = np.bincount(scored.places, probabilities * posterior.wrong_given(place), size)
    possible = np.flatnonzero(truth_chances)
    truth_chances, wrong_and = truth_chances[possible], wrong_and[possible]
    # A right clue shows what may be read of the truth, a wrong one any losing feedback that fits.
    truths, if_right, read_chances = likelihood.shown(clue, scored.feedbacks[possible])
    loses = ~likelihood.rule.win_mask(scored.feedbacks)
    if_wrong = scored.feedbacks[loses & likelihood.rule.mask(clue, scored.feedbacks)]
    every = np.concatenate((if_wrong, if_right))
    feedbacks, numbers = np.unique(every, axis=0, return_inverse=True)
    wrong_numbers, right_numbers = np.split(numbers, [len(if_wrong)])
    wrong_chances = np.zeros(len(feedbacks))
    wrong_chances[wrong_numbers] = np.exp(likelihood.log_read(clue, if_wrong))
    wrong_chances /= wrong_chances.sum() or 1.0
    is_right = np.zeros(len(possible))
    is_right[truths] = 1 - (wrong_and / truth_chances)[truths]
    shown_chances = (1 - is_right)[:, None] * wrong_chances
    np.add.at(shown_chances, (truths, right_numbers), is_right[truths] * read_chances)
    return truth_chances, feedbacks, shown_chances
