"""What reading a mark is expected to tell, against sums over all that may be read, one by one."""

import math
from collections import Counter
from itertools import product

import pytest

from bayes import Notes
from cases import cases
from positions import followed
from puzzlehunt.explanation.review import unread_marks
from random_games import noisy_game

CHANNELS = [parts.split() for (parts,) in cases("channels of unread marks")]


def shared_bits(joint):
    """The mutual information of two things, given the probability of each pair."""
    first, second = Counter(), Counter()
    for (one, other), chance in joint.items():
        first[one] += chance
        second[other] += chance
    return sum(
        chance * math.log2(chance / first[one] / second[other])
        for (one, other), chance in joint.items()
        if chance
    )


def normalised(chances):
    total = sum(chances.values())
    return {key: chance / total for key, chance in chances.items()} if total else {}


class Spec:
    """All that one turn may show and that may be read of it, tried one by one."""

    def __init__(self, game, engine, place):
        self.game, self.engine, self.place = game, engine, place
        self.turn = engine.posterior.turns[place].turn
        self.notes = Notes(game, self.turn.code)
        self.in_full = Notes(game, self.turn.code, [1.0] * len(self.notes.kinds))
        self.rates = self.notes.rates or self.in_full.rates
        self.secrets = list(game.secrets)
        self.scores = [game.score(self.turn.code, secret) for secret in self.secrets]

    def read(self, shown):
        """The chance of each (all marks shown, marks that stay unread) that the clue may be."""
        found = Counter()
        for marks, chance in shown.items():
            if marks == self.notes.won:
                continue
            for seen in product([True, False], repeat=len(marks)):
                pairs = list(zip(marks, seen, strict=True))
                rates = [self.rates[self.notes.kinds.index(mark)] for mark in marks]
                noted = self.notes.tidy(m if read else self.notes.unknown for m, read in pairs)
                if self.notes.clue(noted) == self.turn.clue:
                    chances = (r if read else 1 - r for r, read in zip(rates, seen, strict=True))
                    unread = tuple("" if read else mark for mark, read in pairs)
                    found[marks, unread] += chance * math.prod(chances)
        return normalised(found)

    def readings(self):
        """For each secret its probability, and what may have been read if it is the one."""
        posterior = self.engine.posterior
        wrong_given = posterior.wrong_given(self.place)
        average = Counter()
        for score, chance, wrong in zip(
            self.scores, posterior.probabilities, wrong_given, strict=True
        ):
            average[score] += chance * wrong
        total = Counter()
        for score, chance in zip(self.scores, posterior.probabilities, strict=True):
            total[score] += chance
        if_wrong = self.read({self.in_full.answers[score]: 1.0 for score in {*self.scores}})
        for secret, score in enumerate(self.scores):
            if not total[score]:
                continue
            lies = self.game.channel.lies.exactly
            shown = {self.in_full.answers[tuple(score)]: 1.0}
            if lies and score != self.game.rule.winning:
                shown = self.in_full.falsified(score, lies)
            wrong, right = average[score] / total[score], self.read(shown)
            mixed = Counter({one: wrong * chance for one, chance in if_wrong.items()})
            for one, chance in right.items():
                mixed[one] += (1 - wrong) * chance
            yield secret, posterior.probabilities[secret], mixed

    def open_places(self):
        """The places of the marks that stay unread, () if no secret explains the clue."""
        patterns = {
            tuple(place for place, mark in enumerate(unread) if mark)
            for _, _, readings in self.readings()
            for _, unread in readings
        }
        return min(patterns, default=())

    def bits(self, position):
        """The bits of the next mark: that of a tile, or any unread one."""
        joint = Counter()
        for secret, probability, readings in self.readings():
            for (_, unread), chance in readings.items():
                marks = [unread[position]] if position is not None else list(filter(None, unread))
                for mark in marks:
                    joint[secret, mark] += probability * chance / len(marks)
        return shared_bits(joint)

    def turn_bits(self):
        joint = Counter()
        for secret, probability, readings in self.readings():
            for (shown, _), chance in readings.items():
                joint[secret, shown] += probability * chance
        return shared_bits(joint)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("parts", CHANNELS, ids="+".join)
def test_bits_are_those_of_all_that_may_be_read_counted_one_by_one(parts, seed):
    game = noisy_game(seed, *parts, rows=2)
    engine = followed(game)
    if not engine.posterior.probabilities.any():
        pytest.skip("the rows contradict each other")
    listed = {(mark.row, mark.position): mark for mark in unread_marks(engine)}
    for place, scored in enumerate(engine.posterior.turns):
        spec = Spec(game, engine, place)
        if game.rule.wins(scored.turn.clue):
            continue
        places = spec.open_places()
        for position in places if spec.notes.tiles else [None] * bool(places):
            bits, turn_bits = spec.bits(position), spec.turn_bits()
            mark = listed.pop((place + 1, position), None)
            if mark is None:
                # A miss that has no mark cannot be unread, nor any mark of which there is one kind.
                assert bits == pytest.approx(turn_bits) == pytest.approx(0, abs=1e-9)
                continue
            assert (mark.turn, mark.count) == (scored.turn, len(places))
            assert mark.bits == pytest.approx(bits, abs=1e-9)
            assert mark.turn_bits == pytest.approx(turn_bits, abs=1e-9)
    assert all(mark.bits == mark.turn_bits == 0 for mark in listed.values())


# Rows of other kinds, and other engines.


def test_each_board_has_its_own_marks():
    marks = unread_marks(followed("dordle", "CRANE G_.__ .....", "SLOTH * *"))
    assert {(mark.board, mark.row) for mark in marks} == {(0, 1), (0, 2), (1, 2)}
    common = ("secret.words=common",)
    first = unread_marks(followed("wordle", "CRANE G_.__", "SLOTH *", settings=common))
    of_board = {(m.row, m.position): m.bits for m in marks if m.board == 0}
    assert of_board == pytest.approx({(m.row, m.position): m.bits for m in first})
    solved = unread_marks(followed("dordle", "CRANE GGGGG G_.__", "SLOTH * *"))
    assert {mark.board for mark in solved} == {1}
