"""Looking ahead: candidates alike or weighed, short of attempts, and among some guesses."""

import pytest

from coins import coin_game
from positions import position_of
from puzzlehunt.engines.base import open_engine
from puzzlehunt.game.files import gamefile
from puzzlehunt.kernels.packed_codes import code_of
from puzzlehunt.lab import tournament
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.position import Budget
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.strategies.search import optimal
from puzzlehunt.strategies.search.deep import Deep, _average
from random_games import game_of

WORDS = [f"{letter}ight" for letter in "befhlmnrst"]
WEIGHED = [f"{word} {weight}" for weight, word in enumerate(WORDS, start=1)]
HELP = ["bflmn", "hrste", "blhrz"]


def words_game(*words, guesses=(), attempts=6):
    every = [*guesses, *(word.split()[0] for word in words)]
    value = {"secret": {"words": [*words]}, "guess": {"words": every}, "rule": "marks"}
    return game_of(value | {"play": {"attempts": str(attempts), "strategy": "deep"}})


def best(game):
    ranked, _ = find_strategy("deep").rank(position_of(game), 1)
    return game.format_code(ranked[0].code)


@pytest.mark.parametrize(
    ("words", "attempts"), [(WORDS, 3), (WEIGHED, 6)], ids=["alike", "weighed"]
)
def test_every_secret_is_found_in_time(words, attempts):
    played = tournament.run(words_game(*words, guesses=HELP, attempts=attempts), name="x").played
    assert played.total() == len(words)
    assert max(played) <= attempts


def test_the_likelier_of_two_is_guessed_first_and_rated_by_guesses_on_average():
    assert best(words_game("bight 1", "wight 2")) == "WIGHT"
    position = position_of(words_game("bight 3", "wight 1"))
    ranked, complete = find_strategy("deep").rank(position, 2)
    assert complete
    assert [(rated.value, rated.chance) for rated in ranked] == [(1.25, 0.75), (1.75, 0.25)]
    assert find_strategy("deep").rate(position, ranked[0].code) == ranked[0]


def test_a_table_kept_for_a_tree_gives_the_same_advice():
    for words in (WORDS, WORDS[1:]):
        game = words_game(*words, guesses=HELP)
        engine, adviser = open_engine(game), Adviser(game, "deep")
        for guess in ("bflmn", "hrste"):
            kept = adviser.advise(engine, 3, budget=Budget(compiled=True))
            assert kept == adviser.advise(engine, 3)
            code = game.parse_guess(guess)
            engine.push(game.turn(code, game.score(code, game.parse_secret(words[-1]))))


def test_with_one_guess_left_it_is_the_likeliest_word():
    words = ("bight", "fight", "light 3", "might", "night 2")
    assert best(words_game(*words, guesses=["flmen"], attempts=1)) == "LIGHT"
    assert best(words_game(*words, guesses=["flmen"], attempts=2)) == "FLMEN"


@pytest.mark.parametrize(
    ("strategy", "settings_"), [("deep", []), ("deep", ["hard=true"]), ("optimal", [])]
)
def test_with_one_attempt_left_a_guess_has_a_value_only_if_it_finds_every_candidate(
    strategy, settings_
):
    game = gamefile.load(
        "3x3", [f"play.strategy={strategy}", "play.attempts=2", "turns=[ABC BW]", *settings_]
    )
    engine = open_engine(game)
    candidates = list(engine.candidates().codes)
    assert len(candidates) > 1
    adviser = Adviser(game)
    assert {each.value for each in adviser.advise(engine, 3).suggestions} == {None}
    assert adviser.rate(engine, candidates[0]).suggestions[0].value is None


@pytest.mark.parametrize("attempts", [2, 3, 4, 9, None])
def test_a_guess_is_estimated_at_what_a_search_takes_for_its_parts(attempts):
    settings = ["turns=[AAAB W]", f"play.attempts={attempts}"]
    game = coin_game(4) if attempts is None else gamefile.load("4x4", settings)
    position, ahead = position_of(game), Deep()
    rows, guess_of = position.choices()
    costs = ahead._ahead(position, rows, guess_of).costs().tolist()
    for code, cost in zip(rows.codes, costs, strict=True):
        one = Suggestion(code_of(code), None, None, candidate=cost % 2 == 0)
        assert ahead.estimate(position, one) == _average(position, cost // 2)


@pytest.mark.needs("numba")
def test_what_a_budget_finds_is_proved_from_as_many_guesses_on_as_there_are():
    game = gamefile.load("3x4", ["play.strategy=deep"])
    engine = open_engine(game)
    advice = [Adviser(game).advise(engine, budget=Budget(guesses=n)) for n in (63, 64, 65)]
    assert [one.exact for one in advice] == [False, True, True]


# Searches that look into some of the guesses, where all of them are too many.


@pytest.fixture
def few_guesses(monkeypatch):
    """Make every game one whose guesses are too many, and select very few of them."""
    monkeypatch.setattr(optimal, "_LARGEST_WHOLE", 1)
    monkeypatch.setattr(optimal, "_CELLS", 1)
    monkeypatch.setattr(optimal, "_LEAST_SELECTED", 4)


@pytest.mark.parametrize("settings", [[], ["play.opening=ABC"], ["play.attempts=6"]])
@pytest.mark.parametrize("most_searched", [5, 1000])
@pytest.mark.usefixtures("few_guesses")
def test_what_is_searched_among_some_guesses_ends(settings, most_searched, monkeypatch):
    monkeypatch.setattr(optimal, "_MOST_SEARCHED", most_searched)
    game = gamefile.load("3x5", ["play.strategy=deep", *settings])
    found = tournament.run(game, name="3x5", budget=3)
    proved = 451  # guesses in all, by `lab run 3x5 --strategy optimal`
    assert len(found.secrets) == 125
    assert proved <= found.summary("played").total <= 1.1 * proved


@pytest.mark.usefixtures("few_guesses")
def test_a_guess_does_not_depend_on_which_other_games_are_played():
    game = gamefile.load("3x5", ["play.strategy=deep", "play.opening=AAB"])
    every = tournament.run(game, name="3x5", budget=3)
    guesses = dict(zip(map(bytes, every.secrets), every.guesses["played"], strict=True))
    some = tournament.run(game, name="3x5", budget=3, secrets=40)
    for secret, played in zip(some.secrets, some.guesses["played"], strict=True):
        assert guesses[bytes(secret)] == played
