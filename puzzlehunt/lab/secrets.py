"""Which secrets a tournament plays: all, a seeded sample, or given ones."""

import random
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeAlias

import numpy as np

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.errors import TooLargeError, UnknownNameError, check_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Item
from puzzlehunt.game.starting_hints import starting_hints
from puzzlehunt.kernels.packed_codes import LARGEST_SPACE, Indices, array_of, code_of, indices_in
from puzzlehunt.lab.batches import Player

Secrets: TypeAlias = int | Sequence[Code] | None
"""The secrets to play: the size of a random sample, a list of codes, or None for all secrets."""
MOST_SECRETS = 1_000_000
"""Games with more secrets than this are not played against all of them."""


def playable_secrets(
    game: Game, secrets: Secrets | Sequence[str]
) -> tuple[Secrets, tuple[Code, ...]]:
    """Return the secrets to play, and the given ones that the game rules out from the start.

    Duplicates count once. Ruled out are codes that are not secrets of the game, or contradict its
    log. Raises TooLargeError for too many secrets to play, UnknownNameError for a number that is
    too large, or if secrets cannot be chosen; TypeError, ValueError or InvalidCodeError for
    anything but a number of secrets or codes.
    """
    size = game.secrets.size
    if isinstance(secrets, str):
        raise TypeError(f"secrets: expected a number, or a list of codes, not {secrets!r:.40}")
    if secrets is None and size > MOST_SECRETS:
        raise TooLargeError(f"{size:,} secrets are too many to play all; say --secrets N")
    if secrets is not None and not isinstance(secrets, Iterable):
        check_number("secrets", secrets, 1, whole=True)
        if secrets > size:
            raise UnknownNameError(f"--secrets {secrets}: the game has only {size:,}")
    if game.host == "adversarial" and secrets not in (None, 1):
        asked = secrets if isinstance(secrets, int) else "FILE"
        raise UnknownNameError(
            f"--secrets {asked}: an adversarial host hides none, there is one game"
        )
    if isinstance(secrets, int | None):
        return secrets, ()
    given = dict.fromkeys(map(game.as_secret, secrets))
    playable = {s for s in given if s in game.secrets and game.fits(game.history, s)}
    return [s for s in given if s in playable], tuple(s for s in given if s not in playable)


def places_to_play(engine: ExplicitEngine, secrets: Secrets) -> Indices:
    """Return the places of the secrets to play in the list of an engine, ascending.

    A sample depends on the game's seed alone, so that all strategies play the same secrets. Where
    candidates are weighed, likelier ones are drawn sooner.
    """
    places = engine.candidate_places()
    if secrets is None:
        return places
    if not isinstance(secrets, int):
        codes = array_of(secrets, engine.game.length)
        return np.sort(indices_in(engine.secrets().codes, codes))
    rng = random.Random(engine.game.play.seed)
    size, weights = min(secrets, len(places)), engine.weights()
    if weights is None or engine.game.channel.weighs:
        return np.array(sorted(rng.sample(list(places), size)), dtype=np.intp)
    # Weighted sampling without replacement (Efraimidis and Spirakis, 2006): those with the least
    # exponential waiting times, at rates that are their weights.
    waits = [rng.expovariate(1.0) / weight for weight in weights[places].tolist()]
    return np.sort(places[np.argsort(waits, kind="stable")[:size]])


def secrets_to_play(player: Player, secrets: Secrets) -> list[Code]:
    """Return the secrets to play if games share no tree."""
    game, rng = player.game, random.Random(player.game.play.seed)
    if not (player.by_hand and game.secrets.size > LARGEST_SPACE):
        if game.host == "adversarial":
            return list(islice(player.engine.candidates(), 1))
        if (listing := player.engine.listed) is not None:
            codes = listing.secrets().codes
            return [code_of(codes[place]) for place in places_to_play(listing, secrets)]
    if secrets is None:
        return list(player.engine.candidates() if game.history.items else game.secrets)
    if not isinstance(secrets, int):
        return list(secrets)
    if game.history.items:
        return list(player.engine.sample(secrets, rng).codes)
    drawn: dict[Code, None] = {}
    while len(drawn) < secrets:
        drawn.setdefault(game.secrets.random(rng))
    return list(drawn)


def secrets_by_hints(
    game: Game, engine: ExplicitEngine, wanted: Indices
) -> list[tuple[list[Item], Indices]]:
    """Return groups of secrets with the same hints at the start: the hints, and the secrets.

    Secrets are indices in the engine's list.
    """
    if not game.gives or game.history.items:
        return [([], wanted)]
    codes = engine.secrets().codes
    groups: dict[str, tuple[list[Item], list[int]]] = {}
    for place in wanted.tolist():
        items = starting_hints(game, code_of(codes[place]), random.Random(0))
        key = ", ".join(item.text for item in items if isinstance(item, Fact))
        groups.setdefault(key, (items, []))[1].append(place)
    return [(groups[key][0], np.array(groups[key][1])) for key in sorted(groups)]
