"""Guess Who with animals: one of 24 is hidden, and questions about it are answered by yes or no."""

import heapq
from collections.abc import Iterable
from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlehunt import Game

_HAVE = {
    "mammal": "bat camel cat cow dolphin elephant giraffe goat horse lion sheep squirrel tiger "
    "zebra",
    "flies": "bat bee duck eagle owl",
    "lays eggs": "bee crocodile duck eagle frog hen ostrich owl penguin",
    "swims": "crocodile dolphin duck frog penguin shark",
    "hooves": "cow giraffe goat horse sheep zebra",
    "claws": "cat crocodile eagle hen lion owl squirrel tiger",
    "striped": "bee tiger zebra",
    "long neck": "camel giraffe ostrich",
    "ridden": "camel elephant horse",
    "climbs": "cat goat squirrel",
    "nocturnal": "bat frog owl",
    "woolly": "sheep",
    "eats nuts": "squirrel",
}
PROPERTIES = {name: frozenset(animals.split()) for name, animals in _HAVE.items()}
"""The animals with each property."""
ANIMALS = sorted(frozenset.union(*PROPERTIES.values()))


def answer(question: str, animal: str) -> str:
    """Return whether an animal has one of the properties of `climbs or striped?`."""
    names = question.removesuffix("?").split(" or ")
    return "yes" if any(animal in PROPERTIES[name] for name in names) else "no"


def guess_who(most: int = 1) -> Game:
    """Return the game whose questions name up to `most` properties."""
    named = [names for n in range(1, most + 1) for names in combinations(PROPERTIES, n)]
    questions = [f"{' or '.join(names)}?" for names in named]
    return Game.from_function(ANIMALS, questions, answer, title="Guess Who")


def boldest(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the size of the smallest part of each question: a strategy that hopes for luck."""
    smallest: npt.NDArray[np.int64] = np.where(counts > 0, counts, counts.sum()).min(axis=-1)
    return smallest


def huffman(weights: Iterable[int]) -> int:
    """Return the least total number of yes-or-no questions, weighted (Huffman, 1952).

    `weights` says how often each secret is hidden. If every set of secrets may be asked for, that
    many questions are enough.
    """
    heap, total = list(weights), 0
    heapq.heapify(heap)
    while len(heap) > 1:
        both = heapq.heappop(heap) + heapq.heappop(heap)
        total += both
        heapq.heappush(heap, both)
    return total
