"""Profiles: all of them, and which ones constraints leave, beside the codes themselves."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import holds
from puzzlehunt.engines.sampling.profiles import Profiles
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact

seeds = st.integers(0, 100_000)


def profile_of(game: Game, code: Code) -> tuple[int, ...]:
    often = Counter(code)
    return tuple(often[symbol] for symbol in range(len(game.secrets.alphabet)))


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes"])
@given(seeds)
def test_profiles_are_those_of_the_secrets_each_once(random_game, kind, seed):
    game = random_game(seed, kind)
    found = [tuple(row) for row in Profiles.of(game).table.tolist()]
    assert sorted(found) == sorted({profile_of(game, code) for code in game.secrets})


@pytest.mark.parametrize("kind", ["repeats", "distinct", "tunes"])
@given(seeds)
def test_no_profile_of_a_code_that_fits_is_ruled_out(random_game, kind, seed):
    game = random_game(seed, kind)
    profiles = Profiles.of(game)
    for item in game.history:
        said = item.constraint if isinstance(item, Fact) else game.constraint(item)
        left = {tuple(row) for row in profiles.table[profiles.fitting(said)].tolist()}
        fitting = {profile_of(game, code) for code in game.secrets if holds(said, code)}
        assert fitting <= left


@given(st.permutations([0, 0, 0, 1, 1, 2]), st.permutations([0, 0, 1, 1, 2, 3]))
def test_what_pegs_say_of_a_profile_is_their_sum(guess, secret):
    game = gamefile.load("6x4")
    turn = game.parse_turn(f"{game.format_code(tuple(guess))} *")
    feedback = game.score(turn.guess, tuple(secret))
    said = game.rule.constraint(turn.guess, game.rule.exactly(feedback, turn.guess))
    profiles = Profiles.of(game)
    left = {tuple(row) for row in profiles.table[profiles.fitting(said)].tolist()}
    asked = Counter(guess)
    expected = {
        profile
        for profile in map(tuple, profiles.table.tolist())
        if sum(min(n, asked[s]) for s, n in enumerate(profile)) == sum(feedback)
    }
    assert left <= expected
    assert profile_of(game, tuple(secret)) in left


def test_words_and_very_many_have_no_profiles():
    assert Profiles.of(gamefile.load("wordle")) is None
    assert Profiles.of(gamefile.load("50x10")) is None
    assert len(Profiles.of(gamefile.load("16x6")).table) == 20349


def test_enough_say_as_much_as_all_and_the_first_are_taken():
    game = gamefile.load("4x6")
    profiles = Profiles.of(game)
    turns = [game.parse_turn(row) for row in ("AABB BB", "AABB BB", "ABCD none", "EEFF none")]
    masks = [profiles.fitting(game.constraint(turn)) for turn in turns]
    assert profiles.enough(masks) == [0, 2]
    assert profiles.between(masks[:1]) == ([0, 0, 0, 0, 0, 0], [4, 4, 2, 2, 2, 2])
    assert profiles.between(masks) is None
