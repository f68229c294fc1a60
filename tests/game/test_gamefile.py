"""Game files: what their keys mean, what they inherit, and how they are written."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.codes import words
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.errors import GameFileError, InvalidCodeError
from puzzlehunt.game import meaning
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import dump, read_document
from puzzlehunt.game.play import Host, Play
from puzzlehunt.game.turn_notation import format_turn, parse_clue
from random_games import game_of

SMALL = "secret: {symbols: ABC, length: 3}\n"
GERMAN = ["secret.words=[KATZE, APFEL]", "secret.language=german"]


# The games that come with the package.


def test_nethack_takes_what_the_game_takes():
    game = gamefile.load("nethack")
    assert game.guesses.size == sum(7**n for n in range(6))
    assert game.parse_guess("ABCDEFGABC") == game.parse_guess("abcde")
    assert game.parse_guess("AH") == game.parse_guess("AB")
    assert game.score(game.parse_guess("AXYZC"), game.parse_secret("AAAAC")) == (2, 0)
    assert game.score(game.parse_guess(""), game.parse_secret("AAAAC")) == (0, 0)


def test_the_log_of_2018_inherits_cryptic_and_has_its_rows():
    game, cryptic = gamefile.load("heart-2018"), gamefile.load("cryptic")
    assert game.title != cryptic.title
    assert list(game.secrets) == list(cryptic.secrets)
    assert len(game.history.turns) == 27
    assert [format_turn(game, game.history.turn(n)) for n in (1, 5, 10, 27)] == [
        "WORST R____", "HORSE BWR__", "FLESH *", "PERIL WR___"
    ]  # fmt: skip
    assert meaning.fits(game, game.history, game.parse_secret("HEART"))


# Sizes.


def test_a_size_is_positions_times_symbols():
    game = gamefile.load("16x6")
    assert game.length == 16
    assert game.alphabet.symbols == tuple("ABCDEF")
    assert game.secrets.size == 6**16
    assert gamefile.load("3x30").alphabet.symbols[-1] == "30"


# Keys.


def test_every_key_reaches_the_game(write):
    game = gamefile.load(
        write(
            """
title: My lock
about: a lock
source: the attic
secret: {symbols: [red, green, blue], length: 2, distinct: true}
guess: {distinct: false, length: 0-2, also: {g: green}, overlong: cut, foreign: ignore}
rule: pegs
marks: {black: x, white: o, miss: n, unknown: u}
names: {black: hit, white: near, miss: dud}
play: {attempts: 7, strategy: parts, engine: symbolic, solver: z3, pool: secrets, ties: first,
       opening: red-red, seed: 3, budget: 2.5}
facts: [contains red]
turns: [red-blue oo]
"""
        )
    )
    assert (game.title, game.about) == ("My lock", "a lock")
    assert (game.secrets.size, game.guesses.size) == (6, 1 + 3 + 9)
    assert game.parse_guess("g-red-red") == (1, 0)
    assert game.parse_guess("pink-red") == (-1, 0)
    assert game.rule.notation.legend() == "x hit, o near, n dud, u unread, * nothing read"
    assert game.play == Play(7, "parts", "symbolic", "secrets", "first", "red-red", 3, 2.5, "z3")
    assert [fact.text for fact in game.history.facts] == ["contains red"]
    assert [format_turn(game, turn) for turn in game.history.turns] == ["red-blue oo"]


def test_scalars_are_read_as_written(write):
    game = gamefile.load(
        write(
            "title: 0x1F\nabout: 1_000\nsource: 2001-01-01\n"
            "secret:\n  symbols: {no: [off, 0123], on: yes, 010: null, y: ~}\n  length: 03\n"
            "play: {opening: no-on-010}\n"
        )
    )
    assert (game.title, game.about) == ("0x1F", "1_000")
    assert game.alphabet.symbols == ("no", "on", "010", "y")
    assert game.parse_guess("0123-yes-null") == (0, 1, 2)
    assert game.length == 3
    assert game.play.opening == "no-on-010"


@pytest.mark.parametrize(
    "content",
    [SMALL.encode("utf-8-sig"), SMALL.replace("\n", "\r\n").encode(), SMALL.rstrip().encode()],
)
def test_line_ends_and_byte_order_marks_do_not_matter(write, content):
    assert gamefile.load(write(content)).secrets.size == 27


def test_words_stand_in_the_file_or_in_a_list_beside_it(write, tmp_path):
    write("crane\nslate 2\nox\n", "own.txt")
    for named in ["own.txt", str(tmp_path / "own.txt"), "[crane, slate 2, ox]"]:
        game = gamefile.load(write(f"secret: {{words: {named}, length: 5}}"))
        assert isinstance(game.secrets, WordSpace)
        assert list(game.secrets.weights.values()) == [1.0, 2.0]


def test_a_list_is_read_once_for_the_alphabet_the_secrets_and_the_guesses(write, monkeypatch):
    found, read = list[Path](), words.read
    monkeypatch.setattr(words, "read", lambda path, _: found.append(path) or read(path))
    write("crane\nslate 2\n", "own.txt")
    game = gamefile.load(write("secret: {words: own.txt}\nguess: {words: own.txt, distinct: true}"))
    assert (game.secrets.size, game.guesses.size, len(found)) == (2, 2, 1)


def test_guesses_hold_the_secrets_beside_their_own_words(write):
    game = gamefile.load(write("secret: {words: [crane]}\nguess: {words: [slate, abide 3]}"))
    assert [game.format_code(code) for code in game.guesses] == ["ABIDE", "CRANE", "SLATE"]


# Rules, boards, formulas and pairs.


@pytest.mark.parametrize(
    ("rule", "clue", "expected"),
    [
        ("pegs", "1 2", [(1, 2)]),
        ("{name: near, within: 2}", "GY..", [(2, 1, 0, 0)]),
        ("order", "<>==", [(0, 1, 2, 2)]),
    ],
)
def test_a_rule_is_a_name_or_a_name_with_options(rule, clue, expected):
    game = game_of(f"{{secret: {{symbols: ABCDEFGH, length: 4}}, rule: {rule}}}")
    assert list(parse_clue(game, clue, game.parse_guess("BCDE"))) == expected


def test_a_formula_makes_secrets(write):
    game = gamefile.load(write("secret: {formula: equations, length: 5}\nrule: marks"))
    assert game.secrets.size == game.guesses.size == 127
    assert meaning.is_listed(game, game.parse_guess("1+2=3"))
    assert not meaning.is_listed(game, game.parse_guess("0*9=0"))
    with pytest.raises(InvalidCodeError, match="'1\\+9=10' has 6 symbols; a guess has 5"):
        game.parse_guess("1+9=10")


def test_secrets_of_a_formula_may_have_to_be_distinct(write):
    game = gamefile.load(write("secret: {formula: primes, length: 2, distinct: true}"))
    assert game.secrets.size == 20
    assert game.parse_secret("11") not in game.secrets


def test_rows_and_facts_may_be_left_to_come(write):
    assert not len(gamefile.load(write(SMALL + "facts:\nturns:\n")).history)


def test_a_way_to_play_is_kept(write):
    game = gamefile.load(write(SMALL + "hard: true\nhost: adversarial\ngives: [first, row]"))
    assert (game.hard, game.host) == (True, Host(True, ("first", "row")))
    plain = gamefile.load(write(SMALL))
    assert (plain.hard, plain.host, plain.boards) == (False, Host(), 1)


# Inheritance.


def test_a_game_inherits_mapping_by_mapping(write):
    write("secret: {symbols: ABC, length: 3}\nplay: {seed: 4, strategy: parts}\n", "base.yaml")
    game = gamefile.load(write("game: base.yaml\nsecret: {length: 2}\nplay: {seed: 5}\n"))
    assert game.secrets.size == 9
    assert (game.play.seed, game.play.strategy) == (5, "parts")


def test_symbols_and_lists_are_replaced_and_not_merged(write):
    write("secret: {symbols: {A: x, B: y}, length: 2}\nturns: [AA *, AB *]\n", "base.yaml")
    game = gamefile.load(write("game: base.yaml\nsecret: {symbols: {C: z, D: x}}\nturns: [CD *]\n"))
    assert game.alphabet.symbols == ("C", "D")
    assert len(game.history) == 1


@pytest.mark.parametrize(
    "settings",
    [
        ["rule=near", "rule.within=1"],
        ["reads=easy", "reads.black=0.2"],
        pytest.param(GERMAN, marks=pytest.mark.needs("wordfreq")),
        ["play.opening=CRANE", "secret.distinct=true"],
        ["lies={at_most: 1}", "lies.exactly=1"],
    ],
)
def test_settings_given_together_all_count_in_either_order(settings):
    def outcome(*given):
        try:
            return gamefile.load("cryptic" if "reads" in settings[0] else "wordle", given)
        except GameFileError:
            return "refused"

    both = outcome(*settings)
    assert both == outcome(*reversed(settings))
    assert both not in [outcome(each) for each in settings]


def test_two_values_of_one_key_are_refused_and_another_rule_has_other_options(write):
    with pytest.raises(GameFileError, match="hard: hard=no says otherwise"):
        gamefile.load("wordle", ["hard=yes", "hard=no"])
    with pytest.raises(GameFileError, match=r"rule: rule pegs says otherwise"):
        gamefile.load("wordle", {"rule": "matches"}, rule="pegs")
    own = write("secret: {symbols: ABCDEF, length: 1}\nrule: {name: near, within: 2}\n")
    changes = {}, {"rule": "near"}, {"rule.within": 1}, {"rule": "marks"}
    scores = [gamefile.load(own, each).score("A", "C") for each in changes]
    assert scores == [(1,), (1,), (0,), (0,)]
    game = gamefile.load("2x6", {"rule.within": 1}, rule="near")
    assert game.score("AA", "BC") == (1, 0)


def test_relative_paths_count_from_the_file_that_writes_them(write, tmp_path):
    (tmp_path / "deep").mkdir()
    write("crane\n", "deep/own.txt")
    write("slate\n", "own.txt")
    write("secret: {words: own.txt}\n", "deep/base.yaml")
    game = gamefile.load(write("game: deep/base.yaml\n"))
    assert [game.format_code(code) for code in game.secrets] == ["CRANE"]
    game = gamefile.load(write("game: deep/base.yaml\nsecret: {words: own.txt}\n"))
    assert [game.format_code(code) for code in game.secrets] == ["SLATE"]


def test_an_error_in_what_is_inherited_names_the_file_it_stands_in(write):
    base = write("secret:\n  symbols: ABC\n  length: many\n", "base.yaml")
    with pytest.raises(GameFileError, match=re.escape(f"{base}:3: secret.length: expected")):
        gamefile.load(write("game: base.yaml\n"))


@pytest.mark.parametrize("ring", [["a.yaml"], ["b.yaml", "a.yaml"], ["./a.yaml"]])
def test_a_game_that_inherits_from_itself_is_refused(write, ring):
    path = "a.yaml"
    for parent in ring:
        write(f"game: {parent}\n", path)
        path = parent
    with pytest.raises(GameFileError, match=r"yaml:1: game: the game inherits from itself"):
        gamefile.load(write(f"game: {ring[0]}\n", "a.yaml"))


# Settings.


def test_a_size_of_few_symbols_is_typed_with_letters_or_digits():
    game = gamefile.load("4x6")
    assert game.parse_guess("1126") == game.parse_guess("AABF") == (0, 0, 1, 5)
    assert game.format_code((0, 0, 1, 5)) == "AABF"
    with pytest.raises(InvalidCodeError, match="'0' is not a symbol of this game"):
        game.parse_guess("0126")
    with pytest.raises(InvalidCodeError, match="'1' is not a symbol of this game"):
        gamefile.load("4x11").parse_guess("1126")


def test_a_size_of_ten_symbols_has_the_digits():
    game = gamefile.load("3x10")
    assert game.parse_guess("680") == game.parse_guess("GIA") == (6, 8, 0)
    assert game.format_code((6, 8, 0)) == "680"
    assert game.turn("682 1b") == game.turn("GIC 1b")


# Writing.

plain = st.recursive(
    st.text(
        st.characters(codec="utf-8", exclude_categories=("C", "Z"), include_characters=" :#-\n")
    ),
    lambda values: (
        st.lists(values, max_size=3) | st.dictionaries(st.text("aZ: #0", max_size=4), values)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abn:#- 0", max_size=5), plain, min_size=1))
def test_what_is_dumped_is_read_back(value):
    assert read_document(dump(value), "x", Path()).value == value


def test_an_opening_for_other_words_is_dropped_though_it_could_be_guessed(tmp_path):
    assert gamefile.load("wordle").play.opening == "RAISE"
    assert gamefile.load("wordle", ["secret.words=common"]).play.opening is None
    own = tmp_path / "own.yaml"
    own.write_text("game: wordle\nplay: {opening: CRANE}\n")
    assert gamefile.load(str(own)).play.opening == "CRANE"
    own.write_text("game: wordle\nsecret: {words: common}\n")
    assert gamefile.load(str(own)).play.opening is None
