"""The fingerprint of a game tells what decides it, and nothing else."""

import pytest

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import fingerprint


def test_it_stays_what_it_is_from_version_to_version():
    """And in every process, whatever the hashes of its texts. People's files name games by it."""
    assert fingerprint(gamefile.load("4x6")) == "8e78a264e6b3"
    assert fingerprint(gamefile.load("nethack")) == "79ec47f372b5"
    assert fingerprint(gamefile.load("dordle")) == "b5568239c6bf"


@pytest.mark.parametrize(
    "setting",
    ["secret.length=3", "secret.distinct=true", "play.attempts=5", "rule=matches",
     "host=adversarial", "gives=[first]", "hard=true", "lies.chance=0.1", "guess.length=1-4"],
)  # fmt: skip
def test_what_decides_a_game_changes_it(setting):
    assert fingerprint(gamefile.load("4x6", [setting])) != fingerprint(gamefile.load("4x6"))


@pytest.mark.parametrize(
    "setting",
    ["title=Another", "play.strategy=parts", "play.pool=secrets", "play.seed=3", "marks.black=X"],
)
def test_what_decides_nothing_leaves_it(setting):
    assert fingerprint(gamefile.load("4x6", [setting])) == fingerprint(gamefile.load("4x6"))


@pytest.mark.slow
def test_word_lists_count_by_their_words():
    def listed(*words: str) -> str:
        return fingerprint(gamefile.load("jotto", [f"secret.words=[{', '.join(words)}]"]))

    assert listed("horse", "heart") == listed("HEART", "HORSE")
    assert listed("horse", "heart") != listed("horse", "house")


def test_unnamed_symbols_count_by_their_places():
    ours, theirs = gamefile.load("4x6"), gamefile.load("mastermind")
    theirs = theirs.with_play({"attempts": None})
    assert fingerprint(ours) != fingerprint(theirs)
    assert fingerprint(ours, by_names=False) == fingerprint(theirs, by_names=False)


@pytest.mark.slow
def test_built_in_games_differ_but_for_those_that_are_one_game():
    names: dict[str, list[str]] = {}
    for name in gamefile.built_in_games():
        names.setdefault(fingerprint(gamefile.load(name)), []).append(name)
    assert [same for same in names.values() if len(same) > 1] == [["logik", "super-mastermind"]]
