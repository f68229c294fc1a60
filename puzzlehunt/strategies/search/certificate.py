"""Certificates: proofs of lower bounds that `tools/check_certificate.py` can check.

A certificate is a list of lemmas. Each is a state (the guesses that lead there, with their answers)
and the least that it takes. A lemma follows from lemmas before it: for every guess, the sum of the
least of its parts is enough. The checker proves small parts itself; see `docs/certificates.md`.
"""

import hashlib
import string
from collections.abc import Iterable
from typing import cast

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import StrategyError
from puzzlehunt.game.game import Game
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.kernels.problem import UNSOLVED_COST, tree_size_bound
from puzzlehunt.rules.notation.clue import Parts
from puzzlehunt.strategies.search.branch_and_bound import Search, State
from puzzlehunt.strategies.search.proof import BoundRecord, Bounds
from puzzlehunt.strategies.symmetry import canonical_indices

_FORMAT = "puzzlehunt certificate 1"
_NAMES = string.ascii_uppercase + string.ascii_lowercase
"""The symbols of codes, whatever they are called in the game."""
_LONGEST, _MOST_ATTEMPTS = 9, 99
"""The longest codes and the most attempts that the checker supports."""
_FIRST, _SMALL = 40, 200
"""Larger parts get a lemma: parts of first guesses, and of later guesses. Words have no symmetry,
and no lemma but the last."""


def check_certifiable(game: Game) -> None:
    """Raise StrategyError if the checker does not support a game."""
    rule, secrets, guesses, play = game.rule, game.secrets, game.guesses, game.play
    lengths, symbols = {*secrets.lengths, *guesses.lengths}, game.alphabet.symbols
    if secrets.free:
        can_be_written = secrets == guesses and len(symbols) <= len(_NAMES)
    else:
        capitals = all(len(symbol) == 1 and symbol == symbol.upper() for symbol in symbols)
        can_be_written = not guesses.free and capitals
    supported = {
        "pegs and marks, without options or hard mode": (
            rule.name in ("pegs", "marks") and not rule.options and not game.hard
        ),
        f"codes of one length up to {_LONGEST}, or words of as many capital letters": (
            can_be_written and len(lengths) == 1 and max(lengths) <= _LONGEST
        ),
        f"the pools all and candidates, up to {_MOST_ATTEMPTS} attempts, no given first guess": (
            play.pool in ("all", "candidates")
            and (play.attempts or 0) <= _MOST_ATTEMPTS
            and play.opening is None
        ),
    }
    for what, supports in supported.items():
        if not supports:
            raise StrategyError(f"a certificate supports only {what}")


def certificate_text(
    game: Game, search: Search, bounds: Bounds, records: Iterable[BoundRecord]
) -> str:
    """Return the text of a certificate of a proved value; `records` are the proof's results.

    Raises StoppedError if another thread stops the search.
    """
    state = search.state(np.arange(len(search.problem.feedback)), game.play.attempts, ())
    writer = _Lemmas(game, search, records)
    writer.add((), state, bounds.lower + bounds.lost[0] * UNSOLVED_COST)
    head: dict[str, object] = {"rule": game.rule.name}
    if game.secrets.free:
        distinct = "yes" if game.secrets.distinct else "no"
        head |= {"length": game.length, "symbols": len(game.alphabet), "distinct": distinct}
    else:
        head |= {"words": _hash_of_words(game)}
    head |= {"attempts": game.play.attempts or 0, "pool": game.play.pool, "small": writer.small}
    head |= {"lost": bounds.lost[0], "total": bounds.lower}
    lines = [_FORMAT, *(f"{key}: {value}" for key, value in head.items()), "", *writer.lines, ""]
    return "\n".join(lines)


class _Lemmas:
    """The lemmas of a certificate, as lines; each follows from those before it."""

    def __init__(self, game: Game, search: Search, records: Iterable[BoundRecord]) -> None:
        self.lines: list[str] = []
        self._game, self._search = game, search
        self.small = _SMALL if game.secrets.free else len(search.problem.feedback)
        self._known: dict[tuple[bytes, int], int] = {}
        # Of the records of a part, the last has the sharpest bound.
        self._floors = {(each.first, each.answer): each.floor for each in records}

    def add(self, path: tuple[tuple[int, int], ...], state: State, least: int) -> None:
        """Add the lemma that a state takes `least`, after those from which it follows.

        `path` has the index of each guess that leads there, and of its answer.
        """
        key = state.candidates.tobytes(), state.attempts
        if self._known.get(key, 0) >= least:
            return
        self._known[key] = least
        smallest = self.small if path else min(self.small, _FIRST)
        for guess in self._guesses(path, state, least) if self._game.secrets.free else ():
            for answer, part, floor in self._parts(path, state, guess, least):
                size = len(part.candidates)
                if size > smallest and floor > self._search.least(size, state.attempts):
                    self.add((*path, (guess, answer)), part, floor)
        words = [str(least)]
        for guess, answer in path:
            words.append(_text(self._game, code_of(self._search.codes[guess])))
            words.append("".join(map(str, cast(Parts, self._game.rule.feedbacks[answer]))))
        self.lines.append(" ".join(words))

    def _guesses(
        self, path: tuple[tuple[int, int], ...], state: State, least: int
    ) -> Iterable[int]:
        """Yield one guess of each class of alike guesses that no simple bound excludes."""
        search, codes = self._search, self._search.codes
        bounds, most_parts = search.part_count_bounds(state)
        if tree_size_bound(len(state.candidates), most_parts, state.attempts) >= least:
            return
        alike = set(range(len(codes)))
        if self._game.rule.symmetric:
            past = [code_of(codes[guess]) for guess, _ in path]
            alike = set(canonical_indices(codes, len(self._game.alphabet), past).tolist())
        for guess, low in search.ranked(state):
            if guess in alike and max(low, int(bounds[guess])) < least:
                yield guess

    def _parts(
        self, path: tuple[tuple[int, int], ...], state: State, guess: int, least: int
    ) -> list[tuple[int, State, int]]:
        if not path:
            code = code_of(self._search.codes[guess])
            found = [
                (answer, part, self._floors.get((code, answer), 0))
                for answer, part in self._search.children(state, guess)
            ]
            if len(state.candidates) + sum(floor for _, _, floor in found) >= least:
                return found
        return self._search.floors_in_turn(state, guess, least)


def _text(game: Game, code: Code) -> str:
    names = _NAMES if game.secrets.free else game.alphabet.symbols
    return "".join(names[symbol] for symbol in code)


def _hash_of_words(game: Game) -> str:
    secrets = sorted(_text(game, code) for code in game.secrets)
    guesses = sorted({*secrets, *(_text(game, code) for code in game.guesses)})
    text = "\n".join(["guesses", *guesses, "secrets", *secrets])
    return hashlib.sha256(text.encode()).hexdigest()
