"""Hard mode: which guesses the rows allow."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from cases import cases
from positions import told
from puzzlehunt.codes.alphabet import FOREIGN
from puzzlehunt.engines.base import open_engine
from puzzlehunt.errors import IllegalGuessError, StrategyError, TreeError
from puzzlehunt.explanation.review import try_guess
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.turn_notation import check_guess, format_turn
from puzzlehunt.lab import tournament, trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.rules.rule_registry import find_rule
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.search.tree_file import verify
from random_games import game_of
from rule_cases import every_rule


@pytest.mark.parametrize(("turn", "allowed", "forbidden"), cases("guesses of hard mode"))
def test_hard_mode_keeps_what_is_in_place_and_uses_what_is_elsewhere(turn, allowed, forbidden):
    words = "[crane, slate, cloak, cable, could, black, model, lemon, alike, crimp, climb, lolly]"
    game = game_of(f"{{secret: {{words: {words}}}, rule: marks, hard: true, turns: ['{turn}']}}")
    for word in allowed.split():
        check_guess(game, game.parse_guess(word), game.history)
    for word in forbidden.split():
        with pytest.raises(IllegalGuessError) as error:
            check_guess(game, game.parse_guess(word), game.history)
        assert str(error.value) == (
            f"{word} does not use the clue of row 1 ({format_turn(game, game.history.turn(1))}); "
            "this is hard mode"
        )


def test_a_guess_that_hard_mode_forbids_is_not_rated():
    words = "[crane, slate, cloak, cable]"
    game = game_of(f"{{secret: {{words: {words}}}, rule: marks, hard: true, turns: [CRANE G.Y..]}}")
    adviser, engine = Adviser(game), open_engine(game)
    with pytest.raises(IllegalGuessError, match="SLATE does not use the clue of row 1"):
        try_guess(adviser, engine, game.parse_guess("SLATE"))
    assert try_guess(adviser, engine, game.parse_guess("CLOAK")).rated.suggestions


@every_rule
def test_hard_mode_allows_the_secret_and_judges_guesses_of_every_length(case):
    value = {
        "secret": {"symbols": ["Ax", "Ay", "Bx"], "length": "3"},
        "rule": {"name": case.name, **case.options},
        "marks": case.marks,
        "names": case.names,
        "hard": "true",
    }
    if find_rule(case.name).short_guesses:
        value["guess"] = {"length": "0-3", "foreign": "ignore"}
    game, secret = game_of(value), (0, 1, 2)
    for guess in [(0, 0, 0), (1, 0, 2), (1, 2, 0)]:
        turn = Turn(guess, game.rule.notation.full_clue(game.score(guess, secret), guess))
        check_guess(game, secret, History((turn,)))
        for other in [*game.guesses, *([(FOREIGN, 0, 0)] if game.alphabet.ignores_foreign else [])]:
            allowed = True
            try:
                check_guess(game, other, History((turn,)))
            except IllegalGuessError:
                allowed = False
            assert allowed == allowed_by_hand(case.name, game, guess, secret, other), (guess, other)


def allowed_by_hand(rule, game, guess, secret, other):
    """Whether a later guess, filled up with what no secret holds, could be the secret itself."""
    other = (*other, *[FOREIGN] * (len(secret) - len(other)))
    if rule != "marks":
        return game.rule.score(guess, other) == game.rule.score(guess, secret)
    tiles = game.rule.score(guess, secret)
    used = Counter(symbol for symbol, tile in zip(guess, tiles, strict=True) if tile != 0)
    used = Counter({*used}) if game.rule.alone else used
    kept = all(g == o for g, o, tile in zip(guess, other, tiles, strict=True) if tile == 2)
    return kept and used <= Counter(other)


@pytest.mark.parametrize("strategy", ["entropy", "deep"])
def test_guesses_are_allowed_where_candidates_had_to_be_found_one_by_one(strategy):
    game = gamefile.load("8x8", ["hard=true", "play.attempts=12", f"play.strategy={strategy}"])
    rng = random.Random(0)
    secret, engine, items = game.secrets.random(rng), open_engine(game), []
    for _ in range(5):
        guess = engine.sample(1, rng).codes[0]
        items.append(told(game, guess, secret))
        engine.follow(items)
    assert engine.listed is None
    suggestions = Adviser(game).advise(engine, 3).suggestions
    assert suggestions
    for suggestion in suggestions:
        check_guess(game, suggestion.code, History(tuple(items)))


@pytest.mark.parametrize(
    ("name", "rows"),
    [("3x4", ["AAB *", "BCD B__"]), ("bagels", ["123 *"]), ("mini-nerdle", ["4*7=28 ._____"])],
)
def test_no_guess_that_was_played_is_suggested(name, rows):
    game = gamefile.load(name, ["hard=true"])
    engine = open_engine(game)
    engine.follow(rows)
    suggested = {one.code for one in Adviser(game).advise(engine, game.guesses.size)}
    assert suggested
    assert suggested.isdisjoint(turn.code for turn in engine.items)


# Whole games.


def words_game(words, attempts=9):
    return game_of(
        f"{{secret: {{words: [{words}]}}, guess: {{words: [ccc]}}, rule: marks, hard: true, "
        f"play: {{attempts: {attempts}, strategy: deep}}}}"
    )


def test_a_tree_with_a_guess_that_hard_mode_forbids_is_found_out():
    game = words_game("aab, bab, cab")
    file = trees.file_of_tree(game, "words", trees.tree_of_game(Player(game)), None)
    assert verify(file, game)["total"] == 6
    guesses = file.guesses | {("022",): ("CCC", 4)}
    with pytest.raises(TreeError, match="CCC may not be guessed here"):
        verify(replace(file, guesses=guesses), game)


@pytest.mark.parametrize("name", ["3x4", "mini-nerdle"])
def test_deep_finds_every_secret_with_guesses_that_hard_mode_allows(name):
    game = gamefile.load(name, ["hard=true", "play.strategy=deep", "play.attempts=9"])
    tree = trees.tree_of_game(Player(game))
    totals = verify(trees.file_of_tree(game, name, tree, None), game)
    played = tournament.run(game, name=name).played
    assert played.total() == game.secrets.size
    assert totals["total"] == sum(number * times for number, times in played.items())


def test_where_hard_mode_allows_no_guess_of_the_list_that_is_said():
    words = "{secret: {symbols: ABC, length: 3}, guess: {words: [AAA, AAB, ABB]}, hard: true,"
    game = game_of(f"{words} rule: pegs, turns: [AAA 1b, ABB 1b]}}")
    with pytest.raises(StrategyError, match="no guess of the list"):
        Adviser(game).advise(open_engine(game), 1)
    secret = Adviser(game.with_play({"strategy": "consistent"})).advise(open_engine(game), 1)
    assert secret.suggestions[0].code in open_engine(game)
