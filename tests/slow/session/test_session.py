"""Sessions of every built-in game come back as they were saved."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, Turn
from puzzlehunt.game.turn_notation import with_text
from puzzlehunt.session import changes
from puzzlehunt.session.session import Session
from random_turns import random_turn

FACTS = [
    "contains E",
    "no Q",
    "contains A",
    "no 1",
    "distinct",
    "H____",
    "A____",
    "____",
    "[AB]____",
]


def _random_fact(game: Game, rng: random.Random) -> Fact | None:
    try:
        return game.parse_fact(rng.choice(FACTS))
    except PuzzlehuntError:
        return None


@given(st.sampled_from(sorted(gamefile.built_in_games())), st.randoms(use_true_random=False))
@settings(max_examples=12)
def test_a_session_comes_back_as_it_was_saved(
    tmp_path_factory: pytest.TempPathFactory, name: str, rng: random.Random
) -> None:
    path = tmp_path_factory.mktemp("sessions") / "s.yaml"
    saved = Session(gamefile.load(name), name)
    saved.keep_in(path)
    for _ in range(rng.randint(0, 8)):
        fact = _random_fact(saved.game, rng)
        if fact is not None and rng.random() < 0.3:
            saved.apply(changes.AddFact(fact))
        else:
            saved.play(random_turn(saved.game, rng))
    saved.close()
    loaded = Session.resume(path)
    loaded.close()
    assert loaded.history == saved.history
    before = path.read_bytes()
    loaded.save()
    assert path.read_bytes() == before
    assert gamefile.load(str(path)).history == loaded.history


@pytest.mark.parametrize("name", sorted(gamefile.built_in_games()))
def test_every_guess_that_waits_for_its_clue_waits_again(name: str, tmp_path: Path) -> None:
    session, rng = Session(gamefile.load(name), name), random.Random(3)
    session.keep_in(tmp_path / "s.yaml")
    for _ in range(5):
        guess = session.game.guesses.random(rng)
        if session.history.number_of(guess) is not None:
            continue
        turn = with_text(session.game, Turn(guess, session.game.unread_clue(guess)))
        session.play(turn)
        session.close()
        session = Session.resume(tmp_path / "s.yaml")
        assert session.pending is not None
        assert session.pending.guess == session.history.turns[-1].guess == guess
    session.close()
