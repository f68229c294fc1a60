import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases
from puzzlehunt.channel.model import LEARNED, MISREAD, PERFECT, Channel, Lies, Rate
from puzzlehunt.errors import ImpossibleClueError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.codes_and_channel import format_rate, parse_rate, split_reads
from random_games import game_of

SMALL = {"secret": {"symbols": "ABC", "length": "3"}}
MISS = {**SMALL, "marks": {"miss": "R"}, "names": {"miss": "red"}}
TILES = {**SMALL, "rule": "marks"}
EASY, HARD = Rate(2 / 3, 3.0), Rate(1 / 3, 3.0)


# Rates.


@pytest.mark.parametrize(("text", "mean", "pseudo_count"), cases("rates of reading"))
def test_a_rate_is_a_number_a_share_of_a_hundred_or_a_word(text, mean, pseudo_count):
    found = parse_rate(f" {text} ")
    assert found.mean == pytest.approx(float(mean))
    assert str(found.pseudo_count) == pseudo_count
    assert parse_rate("learn") == LEARNED


means = st.integers(0, 10**6).map(lambda n: n / 10**6)
rates = st.one_of(
    st.sampled_from([EASY, HARD, LEARNED]),
    means.map(Rate),
    means.filter(lambda mean: 0 < mean < 1).map(lambda mean: Rate(mean, 10.0)),
)


@given(rates)
def test_a_rate_that_is_written_is_read_back(rate):
    assert parse_rate(format_rate(rate)) == rate


# All of `reads`: a word, or a rate for each kind.


def reads(value, given):
    return game_of({**value, "reads": given}).channel


def test_a_miss_without_a_mark_is_read_as_often_as_the_kinds_that_are_named():
    assert reads(SMALL, "0.3").reads == (Rate(0.3),) * 3
    assert reads(SMALL, "learn").reads == (LEARNED,) * 3
    half = {"black": "0.4", "white": "0.6"}
    assert reads(SMALL, half).reads == (Rate(0.4), Rate(0.6), Rate(0.5))
    assert reads(SMALL, {"white": "easy"}).reads == (Rate(1.0), EASY, EASY)
    assert reads(SMALL, {"black": "0"}).reads == (Rate(0.0), Rate(1.0), Rate(1.0))
    assert reads(SMALL, half | {"rest": "0.1"}).reads[2] == Rate(0.1)
    assert reads(SMALL, half | {"miss": "1"}).reads[2] == Rate(1.0)
    assert [label for _, label in game_of(SMALL).rule.kinds] == ["black", "white", "miss"]
    assert [label for _, label in game_of(MISS).rule.kinds] == ["black", "white", "red"]
    assert [label for _, label in game_of(TILES).rule.kinds] == ["absent", "elsewhere", "right"]


def test_kinds_go_by_their_names_labels_and_marks():
    expected = (Rate(0.1), Rate(0.2), Rate(0.3))
    for names in (["black", "white", "red"], ["Black", "W", "miss"], ["b", "WHITE", "R"]):
        given = dict(zip(names, ["0.1", "20 %", ".3"], strict=True))
        assert reads(MISS, given).reads == expected


def test_where_marks_are_hard_to_read_rows_are_misread_unless_it_says_how_often():
    assert reads(MISS, {"red": "0.3"}).misread == MISREAD == 0.05
    assert reads(MISS, {"red": "0.3", "misread": "0"}).misread == 0
    assert reads(MISS, {"red": "0.3", "misread": "2 %"}).misread == 0.02
    assert reads(MISS, {"misread": "0.1"}) == Channel(None, 0.1)


def test_off_is_what_a_game_without_the_key_has():
    assert reads(MISS, "off") == reads(MISS, "OFF") == PERFECT
    assert reads(MISS, {"rest": "off"}) == PERFECT
    assert game_of(MISS).channel == PERFECT
    assert gamefile.load("cryptic", ["reads=off"]).channel == PERFECT


@pytest.mark.parametrize(("text", "found"), cases("options of rates"))
def test_an_option_writes_rates_with_equals_signs(text, found):
    assert split_reads(f" {text} ") == json.loads(found)


@given(st.dictionaries(st.sampled_from(["black", "white", "red", "rest"]), rates, min_size=1))
def test_rates_that_are_written_in_one_line_are_read_back(named):
    given_rates = {kind: format_rate(rate) for kind, rate in named.items()}
    line = ",".join(f"{kind}={text}" for kind, text in given_rates.items())
    assert split_reads(line) == given_rates
    rest = named.get("rest", Rate(1.0))
    expected = tuple(named.get(kind, rest) for kind in ("black", "white", "red"))
    assert reads(MISS, split_reads(line)).reads == expected


def test_the_option_changes_the_kinds_it_names_alone(run):
    row = ("--turn", "HORSE RR___")
    told = [
        run("candidates", "cryptic", *row, "--limit", "3", "--json", "--reads", reads).out
        for reads in ("red=0.51", "red=0.99", "off", "learn")
    ]
    assert run("candidates", "cryptic", *row, "--limit", "3", "--json").out == told[3]
    assert len({*told}) == 4


def test_a_bad_option_names_itself(run):
    for text, said in [
        ("blak=0.1", "no kind of mark is called 'blak'; did you mean black?"),
        ("black=", "rates are written black=0.1,white=0.13"),
        ("black=learn,black=0.2", "each kind once"),
    ]:
        done = run("suggest", "cryptic", "--reads", text)
        assert done.status == 2
        assert done.out == ""
        assert done.err.startswith("puzzlehunt: --reads ")
        assert said in done.err
        assert len(done.err.splitlines()) == 1


# `lies`.


def test_a_channel_that_weighs_asks_for_bits():
    assert game_of(TILES).play.strategy == "book"
    assert game_of({**TILES, "lies": {"exactly": "1"}}).play.strategy == "entropy"
    assert game_of({**TILES, "reads": "0.5"}).play.strategy == "entropy"
    asked = {**TILES, "reads": "0.5", "play": {"strategy": "parts"}}
    assert game_of(asked).play.strategy == "parts"


@pytest.mark.parametrize("lies", ["exactly", "at_most", "chance"])
def test_a_false_row_may_say_what_no_secret_could_answer(lies):
    false = {"lies": {lies: "0.1" if lies == "chance" else "1"}}
    with pytest.raises(ImpossibleClueError):
        game_of(SMALL).turn((0, 1, 2), "BBW")
    if lies != "exactly":
        game = game_of({**SMALL, **false})
        assert game.turn("ABC BBW").clue == game.rule.parse("BBW", (0, 1, 2), checked=False)
    tiles = game_of({**TILES, **false})
    assert tiles.turn("AAB .YG").clue == tiles.rule.parse(".YG", (0, 0, 1), checked=False)
    with pytest.raises(ImpossibleClueError):
        game_of(TILES).turn("AAB .YG")


def test_lies_of_a_game_are_replaced_whole_or_switched_off():
    fibble = gamefile.load("fibble")
    assert fibble.channel.lies.exactly == 1
    assert gamefile.load("fibble", ["lies={at_most: 1}"]).channel.lies == Lies(at_most=1)
    assert gamefile.load("fibble", ["lies.chance=5 %"]).channel.lies == Lies(chance=0.05)
    assert gamefile.load("fibble", ["lies=off"]).channel.lies == Lies()
