"""Certificates of small games: written by the package, mutated, and judged by trying everything."""

import importlib
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import permutations, product
from pathlib import Path
from unittest.mock import patch

from optimum import optimum
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.game.game import Game
from puzzlehunt.lab import tournament
from puzzlehunt.lab.batches import Player
from puzzlehunt.rules.built_in import MarksRule, peg_score
from puzzlehunt.strategies.search import certificate

WORDS = {"ABBA", "ACAB", "BACA", "CACA", "DADA", "DACE", "EDDA", "FACE", "FADE", "CAFE", "DEAF"}
MORE = {"BEAD", "DECA", "ABED"}
_SIZES = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2)]
"""Lengths and symbols of games that are small enough to try everything."""


def word_game(**play: object) -> Game:
    value = {
        "secret": {"words": sorted(WORDS)},
        "guess": {"words": sorted(WORDS | MORE)},
        "rule": "marks",
        "play": play,
    }
    return gamefile.build(read_document(dump(value), "words.yaml", Path()))


def small_games() -> list[Game]:
    """Games of every kind that a certificate supports."""
    named = [("2x4",), ("3x3",), ("2x5", "play.pool=candidates"), ("3x3", "play.attempts=4")]
    named += [("2x4", "play.attempts=3"), ("2x5", "secret.distinct=true")]
    return [gamefile.load(name, changes) for name, *changes in named] + [word_game()]


def written(game: Game, small: int = 2) -> str:
    """Return the certificate of a game, with lemmas for parts of more than `small` candidates."""
    player = Player(game.with_play({"strategy": "optimal"}))
    played = tournament.run(player, name="game")
    search = player.strategy.search_of(player.position())
    with patch.multiple(certificate, _FIRST=small, _SMALL=small):
        return certificate.certificate_text(game, search, played.bounds, player.records)


@contextmanager
def uncompiled_checker() -> Iterator[Callable[[str], bool]]:
    """Yield a function: whether the checker accepts a certificate. Tiny games need no compiler."""
    numba = importlib.import_module("numba")
    with patch.object(numba.config, "DISABLE_JIT", True):
        checker = importlib.import_module("check_certificate")

        def accepts(text: str) -> bool:
            lists = (WORDS, MORE) if "words: " in text else (set(), set())
            try:
                return bool(checker.check(text, *lists))
            except (LookupError, ValueError):
                return False

        yield accepts


def head_of(text: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in text.split("\n\n", 1)[0].splitlines()[1:])


@cache
def _least(rule: str, length: int, symbols: int, distinct: bool, attempts: int) -> tuple[int, int]:
    if not length:
        secrets, guesses = sorted(WORDS), sorted(WORDS | MORE)
    else:
        every = permutations if distinct else lambda names, n: product(names, repeat=n)
        secrets = guesses = list(every(range(symbols), length))
    score = {"pegs": peg_score, "marks": MarksRule(5, 26).score}[rule]
    return optimum(score, guesses, secrets, attempts or None)


def is_true(text: str) -> bool:
    """Return whether the claim of a certificate is true, by trying every guess everywhere.

    That the guesses may be restricted to candidates is left out: more guesses never take more.
    """
    head = head_of(text)
    sizes = [0, 0] if "words" in head else [int(head["length"]), int(head["symbols"])]
    distinct = head.get("distinct") == "yes"
    lost, total = _least(head["rule"], *sizes, distinct, int(head["attempts"]))
    return (int(head["lost"]), int(head["total"])) <= (lost, total)


def mutated(text: str, rng: random.Random) -> str:
    """Return a certificate with a change that a mistake or a forger could make."""
    head, _, lemmas = text.partition("\n\n")
    lines, heads = lemmas.splitlines(), head.splitlines()
    number = rng.randrange(len(lines))
    words = lines[number].split()
    kind = rng.choice(["claim", "claim", "least", "least", "turn", "gone", "head", "order", "cut"])
    if kind == "claim":
        more = rng.randint(1, 3)
        heads[-1] = f"total: {int(head_of(text)['total']) + more}"
        lines[-1] = str(int(lines[-1]) + more)
    elif kind == "least":
        words[0] = str(max(1, int(words[0]) + rng.choice([-3, -2, -1, 1, 2, 3])))
        lines[number] = " ".join(words)
    elif kind == "turn" and len(words) > 1:
        place = rng.randrange(1, len(words))
        words[place] = "".join(rng.sample(words[place], len(words[place])))
        lines[number] = " ".join(words)
    elif kind == "gone":
        del lines[number]
    elif kind == "order":
        rng.shuffle(lines)
    elif kind == "cut":
        return text[: rng.randrange(len(text))]
    else:
        length, symbols = rng.choice(_SIZES)
        changes = {"distinct": rng.choice(["yes", "no"])}
        changes |= {"attempts": rng.randint(0, 4), "pool": rng.choice(["all", "candidates"])}
        changes |= {"small": rng.randint(0, 30)}
        chosen = dict(rng.sample(sorted(changes.items()), rng.randint(1, 3)))
        if rng.random() < 0.5:
            chosen |= {"length": length, "symbols": symbols}
        heads[1:] = [f"{key}: {chosen.get(key, value)}" for key, value in head_of(text).items()]
    return "\n".join([*heads, "", *lines, ""])
