import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlehunt.channel.model import (
    EASY,
    HARD,
    LEARNED,
    MISREAD,
    PERFECT,
    Channel,
    Lies,
    Rate,
)
from puzzlehunt.errors import GameFileError, ImpossibleClueError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.reads import (
    RateError,
    format_rate,
    parse_rate,
    parse_reads,
    split_reads,
)

SMALL = {"secret": {"symbols": "ABC", "length": "3"}}
MISS = {**SMALL, "marks": {"miss": "R"}, "names": {"miss": "red"}}
TILES = {**SMALL, "rule": "marks"}


# Rates.


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("0.1", Rate(0.1)),
        (".5", Rate(0.5)),
        ("0", Rate(0.0)),
        ("1", Rate(1.0)),
        ("10%", Rate(0.1)),
        ("13 %", Rate(0.13)),
        ("0.5 %", Rate(0.005)),
        ("2e-3", Rate(0.002)),
        ("about 0.1", Rate(0.1, 10.0)),
        ("About 13 %", Rate(0.13, 10.0)),
        ("~0.3", Rate(0.3, 10.0)),
        (" easy ", EASY),
        ("HARD", HARD),
        ("learn", LEARNED),
    ],
)
def test_a_rate_is_a_number_a_share_of_a_hundred_or_a_word(text, rate):
    found = parse_rate(text)
    assert found.mean == pytest.approx(rate.mean)
    assert found.pseudo_count == rate.pseudo_count


means = st.integers(0, 10**6).map(lambda n: n / 10**6)
rates = st.one_of(
    st.sampled_from([EASY, HARD, LEARNED]),
    means.map(Rate),
    means.filter(lambda mean: 0 < mean < 1).map(lambda mean: Rate(mean, 10.0)),
)


@given(rates)
def test_a_rate_that_is_written_is_read_back(rate):
    assert parse_rate(format_rate(rate)) == rate


@pytest.mark.parametrize(
    ("word", "rate", "read", "unread"),
    [("learn", LEARNED, 1, 1), ("easy", EASY, 2, 1), ("hard", HARD, 1, 2)],
)
def test_a_word_is_a_belief_worth_some_marks(word, rate, read, unread):
    assert parse_rate(word).beta == pytest.approx((read, unread))
    assert rate.learned


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a rate such as 0.1 or 10 %, about 0.1, easy, hard, or learn, not ''"),
        (
            "soon",
            "expected a rate such as 0.1 or 10 %, about 0.1, easy, hard, or learn, not 'soon'",
        ),
        ("-0.1", "expected a rate such as 0.1"),
        ("nan", "expected a rate such as 0.1"),
        ("0.1 0.2", "expected a rate such as 0.1"),
        ("1.5", "expected a chance from 0 to 1, not '1.5'; did you mean 1.5 %?"),
        ("13", "expected a chance from 0 to 1, not '13'; did you mean 13 %?"),
        ("130 %", "expected a chance from 0 to 1, not '130 %'"),
        ("1000", "expected a chance from 0 to 1, not '1000'"),
        ("about 1", "about 1: write 1, or a rate between 0 and 1"),
        ("about 0 %", "about 0: write 0, or a rate between 0 and 1"),
    ],
)
def test_what_is_no_rate_is_refused_with_what_would_be(text, said):
    with pytest.raises(RateError) as error:
        parse_rate(text)
    assert str(error.value).startswith(said)
    assert len(str(error.value).splitlines()) == 1


# All of `reads`: a word, or a rate for each kind.


def reads(game_of, value, given):
    return game_of({**value, "reads": given}).channel


def test_a_word_is_the_rate_of_all_kinds(game_of):
    assert reads(game_of, MISS, "learn") == Channel((LEARNED,) * 3, MISREAD)
    assert reads(game_of, TILES, "10%") == Channel((Rate(0.1),) * 3, MISREAD)


def test_a_miss_without_a_mark_is_read_as_often_as_the_kinds_that_are_named(game_of):
    assert reads(game_of, SMALL, "0.3").reads == (Rate(0.3),) * 3
    assert reads(game_of, SMALL, "learn").reads == (LEARNED,) * 3
    half = {"black": "0.4", "white": "0.6"}
    assert reads(game_of, SMALL, half).reads == (Rate(0.4), Rate(0.6), Rate(0.5))
    assert reads(game_of, SMALL, {"white": "easy"}).reads == (Rate(1.0), EASY, EASY)
    assert reads(game_of, SMALL, {"black": "0"}).reads == (Rate(0.0), Rate(1.0), Rate(1.0))
    assert reads(game_of, SMALL, half | {"rest": "0.1"}).reads[2] == Rate(0.1)
    assert reads(game_of, SMALL, half | {"miss": "1"}).reads[2] == Rate(1.0)
    assert [label for _, label in game_of(SMALL).rule.kinds] == ["black", "white", "miss"]
    assert [label for _, label in game_of(MISS).rule.kinds] == ["black", "white", "red"]
    assert [label for _, label in game_of(TILES).rule.kinds] == ["absent", "elsewhere", "right"]


def test_kinds_go_by_their_names_labels_and_marks(game_of):
    expected = (Rate(0.1), Rate(0.2), Rate(0.3))
    for names in (["black", "white", "red"], ["Black", "W", "miss"], ["b", "WHITE", "R"]):
        given = dict(zip(names, ["0.1", "20 %", ".3"], strict=True))
        assert reads(game_of, MISS, given).reads == expected


def test_kinds_that_are_not_named_are_always_read_or_as_the_rest_is(game_of):
    assert reads(game_of, MISS, {"red": "0.3"}).reads == (Rate(1.0), Rate(1.0), Rate(0.3))
    rest = reads(game_of, MISS, {"rest": "hard", "red": "0.3"})
    assert rest.reads == (HARD, HARD, Rate(0.3))


def test_where_marks_are_hard_to_read_rows_are_misread_unless_it_says_how_often(game_of):
    assert reads(game_of, MISS, {"red": "0.3"}).misread == MISREAD == 0.05
    assert reads(game_of, MISS, {"red": "0.3", "misread": "0"}).misread == 0
    assert reads(game_of, MISS, {"red": "0.3", "misread": "2 %"}).misread == 0.02
    assert reads(game_of, MISS, {"misread": "0.1"}) == Channel(None, 0.1)


def test_off_is_what_a_game_without_the_key_has(game_of):
    assert reads(game_of, MISS, "off") == reads(game_of, MISS, "OFF") == PERFECT
    assert reads(game_of, MISS, {"rest": "off"}) == PERFECT
    assert game_of(MISS).channel == PERFECT
    assert gamefile.load("cryptic", ["reads=off"]).channel == PERFECT


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("learn", "learn"),
        ("10%", "10%"),
        (" off ", "off"),
        ("black=0.1", {"black": "0.1"}),
        ("black=0.1,red=easy", {"black": "0.1", "red": "easy"}),
        ("black=10 %, red=about 0.3", {"black": "10 %", "red": "about 0.3"}),
        ("black=0.1 red=easy", {"black": "0.1", "red": "easy"}),
        ("black: 0.1; red: easy;", {"black": "0.1", "red": "easy"}),
    ],
)
def test_an_option_writes_rates_with_equals_signs(text, found):
    assert split_reads(text) == found


@pytest.mark.parametrize("text", ["black=", "=0.1", "black=,red=0.1", "="])
def test_a_rate_without_its_kind_or_number_is_refused(text):
    with pytest.raises(RateError) as error:
        split_reads(text)
    assert str(error.value) == f"{text!r}: rates are written black=0.1,white=0.13"


@given(st.dictionaries(st.sampled_from(["black", "white", "red", "rest"]), rates, min_size=1))
def test_rates_that_are_written_in_one_line_are_read_back(game_of, named):
    rule = game_of(MISS).rule
    given_rates = {kind: format_rate(rate) for kind, rate in named.items()}
    line = ",".join(f"{kind}={text}" for kind, text in given_rates.items())
    assert split_reads(line) == given_rates
    rest = named.get("rest", Rate(1.0))
    expected = tuple(named.get(kind, rest) for kind in ("black", "white", "red"))
    assert parse_reads(split_reads(line), rule).reads == expected


def test_the_option_changes_the_kinds_it_names_alone(run):
    row = ("--turn", "HORSE RR___")
    told = [
        run("candidates", "cryptic", *row, "--limit", "3", "--json", "--reads", reads).out
        for reads in ("red=0.51", "red=0.99", "off", "learn")
    ]
    assert run("candidates", "cryptic", *row, "--limit", "3", "--json").out == told[0]
    assert len({*told}) == 4


def test_a_bad_option_names_itself(run):
    for text, said in [
        ("blak=0.1", "no such kind of mark; did you mean black?"),
        ("black=20", "did you mean 20 %?"),
        ("black=", "rates are written black=0.1,white=0.13"),
        ("soon", "expected a rate such as 0.1"),
    ]:
        done = run("suggest", "cryptic", "--reads", text)
        assert done.status == 2
        assert done.out == ""
        assert done.err.startswith("puzzlehunt: --reads ")
        assert said in done.err
        assert len(done.err.splitlines()) == 1


# `lies`.


@pytest.mark.parametrize(
    ("value", "given", "lies"),
    [
        (SMALL, {"exactly": "1"}, Lies(exactly=1)),
        (TILES, {"exactly": "3"}, Lies(exactly=3)),
        (SMALL, {"at_most": "2"}, Lies(at_most=2)),
        (SMALL, {"chance": "0.2"}, Lies(chance=0.2)),
    ],
)
def test_a_game_lies_in_one_of_three_ways(game_of, value, given, lies):
    assert game_of({**value, "lies": given}).channel == Channel(lies=lies)


def test_a_channel_that_weighs_asks_for_bits(game_of):
    assert game_of(TILES).play.strategy == "book"
    assert game_of({**TILES, "lies": {"exactly": "1"}}).play.strategy == "entropy"
    assert game_of({**TILES, "reads": "0.5"}).play.strategy == "entropy"
    asked = {**TILES, "reads": "0.5", "play": {"strategy": "parts"}}
    assert game_of(asked).play.strategy == "parts"


# Bad files: the line and the key, and what would have been right.


PEGS = "secret: {symbols: ABC, length: 3}\n"
ONE = "lies: expected one of exactly, at_most and chance"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("reads: 1.5", "2: reads: expected a chance from 0 to 1, not '1.5'; did you mean 1.5 %?"),
        ("reads: soon", "2: reads: expected a rate such as 0.1 or 10 %, about 0.1, easy, hard, or"),
        ("reads: []", "2: reads: expected one word or text, not a list"),
        ("reads:\n  black: 0.1\n  white: 2", "4: reads.white: expected a chance from 0 to 1"),
        ("reads: {blak: 0.1}", "2: reads.blak: no such kind of mark; did you mean black?"),
        (
            "reads: {zzz: 0.1}",
            "2: reads.zzz: no such kind of mark; known: black, white, miss,",
        ),
        ("reads: {rest: x}", "2: reads.rest: expected a rate such as 0.1"),
        ("reads: {misread: 2}", "2: reads.misread: expected a chance from 0 to 1, not '2'; did"),
        ("reads: {misread: easy}", "2: reads.misread: expected a chance such as 0.05"),
        ("reads: {misread: about 0.1}", "2: reads.misread: expected a chance such as 0.05"),
        ("lies: {chance: nan}", "2: lies.chance: expected"),
        ("lies: 1", "2: lies: 1 of what? {at_most: 1} is up to 1 row"),
        ("lies: {}", f"2: {ONE}"),
        ("lies: {exactly: 1, chance: 0.5}", f"2: {ONE}"),
        ("lies: {chanse: 0.5}", "2: lies.chanse: no such key; did you mean chance?"),
        ("lies: {exactly: 0}", "2: lies.exactly: expected at least 1, not '0'"),
        ("lies: {exactly: 2}", "2: lies.exactly: where marks are counted, one in each row is all"),
        ("rule: marks\nlies: {exactly: 4}", "3: lies.exactly: a row has only 3 tiles to lie with"),
        ("lies: {at_most: 0}", "2: lies.at_most: expected at least 1, not '0'"),
        ("lies: {at_most: many}", "2: lies.at_most: expected a whole number, not 'many'"),
        (
            "lies: {at_most: 4}\nplay: {attempts: 4}",
            "2: lies.at_most: 4 lying rows would be all of them: the game has 4 (play.attempts)",
        ),
        ("lies: {at_most: 1001}", "2: lies.at_most: at most 1,000 rows may lie, not 1,001"),
        ("play: {attempts: 9999999}", "2: play.attempts: expected at most 1000000, not"),
        ("lies: {chance: 0}", "2: lies.chance: expected more than 0, not '0'"),
        ("lies: {chance: 1}", "2: lies.chance: expected less than 1, not '1'"),
        ("lies: {chance: often}", "2: lies.chance: expected a number, not 'often'"),
        (
            "lies: {chance: 0.1}\nboards: 2",
            "2: lies: with several secrets every mark is shown, read and true",
        ),
        ("boards: 2\nreads: 0.5", "3: reads: with several secrets every mark is shown, read and"),
        (
            "lies: {exactly: 1}\nhost: adversarial",
            "2: lies: an adversarial host answers in full, and tells no lies",
        ),
        ("reads: 0.5\nhost: adversarial", "2: reads: an adversarial host answers in full"),
        (
            "reads: {white: easy}\nlies: {chance: 0.1}",
            "2: reads: rates cannot be learned from rows that lie; write them as numbers",
        ),
        ("reads: learn\nlies: {exactly: 1}", "2: reads: rates cannot be learned from rows that"),
    ],
)
def test_a_bad_channel_is_refused_with_its_line_and_key(tmp_path, content, said):
    path = tmp_path / "game.yaml"
    path.write_text(PEGS + content)
    with pytest.raises(GameFileError) as error:
        gamefile.load(str(path))
    assert str(error.value).startswith(f"{path}:{said}")
    assert len(str(error.value).splitlines()) == 1


def test_one_lie_less_than_there_are_rows_is_taken(game_of):
    game = game_of({**SMALL, "lies": {"at_most": "3"}, "play": {"attempts": "4"}})
    assert game.channel.lies.at_most == 3


def test_what_several_boards_and_adversaries_have_is_no_channel(game_of):
    assert game_of({**TILES, "boards": "2", "reads": "off"}).channel == PERFECT
    assert game_of({**SMALL, "host": "adversarial", "reads": "off"}).channel == PERFECT


# Clues that nobody can read, or be told, through the channel.


@pytest.mark.parametrize(
    ("value", "clue", "said"),
    [
        ({**MISS, "reads": "1"}, "BW_", "every mark is read, so none is unread"),
        ({**MISS, "reads": {"white": "0", "red": "0.5"}}, "WR_", "a white mark is never read"),
        ({**MISS, "reads": {"black": "0", "rest": "0.5"}}, "BWR", "a black mark is never read"),
        ({**SMALL, "reads": {"miss": "0"}}, "B", "misses are never read; write _ for each"),
        ({**TILES, "reads": "1"}, "GY_", "every mark is read, so none is unread"),
        ({**TILES, "reads": {"right": "0", "rest": "0.5"}}, "G_.", "a right mark is never read"),
        ({**MISS, "reads": {"white": "0.5"}}, "BB_", "no secret could answer so"),
        ({**SMALL, "reads": {"misread": "0.1"}}, "BBW", "cannot happen with 3 pegs"),
    ],
)
def test_a_clue_that_the_channel_never_makes_is_impossible(game_of, value, clue, said):
    game = game_of(value)
    with pytest.raises(ImpossibleClueError, match=said) as error:
        game.parse_clue(clue, (0, 1, 2))
    assert clue in str(error.value) or "2 black" in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("lies", ["exactly", "at_most", "chance"])
def test_a_false_row_may_say_what_no_secret_could_answer(game_of, lies):
    false = {"lies": {lies: "0.1" if lies == "chance" else "1"}}
    with pytest.raises(ImpossibleClueError):
        game_of(SMALL).parse_clue("BBW", (0, 1, 2))
    game = game_of({**SMALL, **false})
    assert game.parse_turn("ABC BBW").clue == game.rule.parse_unchecked("BBW", (0, 1, 2))
    tiles = game_of({**TILES, **false})
    assert tiles.parse_turn("AAB .YG").clue == tiles.rule.parse_unchecked(".YG", (0, 0, 1))
    with pytest.raises(ImpossibleClueError):
        game_of(TILES).parse_turn("AAB .YG")


def test_a_row_too_false_for_its_lies_is_impossible(game_of):
    game = game_of({**TILES, "secret": {"symbols": "ABC", "length": "5"}, "lies": {"exactly": "1"}})
    with pytest.raises(ImpossibleClueError, match="no secret could answer so, lies included"):
        game.parse_turn("AAAAA .Y.Y.")


def test_a_bad_clue_in_a_file_is_named_by_its_turn(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_text(PEGS + "marks: {miss: R}\nreads: 1\nturns:\n  - ABC BRR\n  - AAB B_R\n")
    with pytest.raises(GameFileError) as error:
        gamefile.load(str(path))
    assert str(error.value).startswith(f"{path}:6: turns.2: 'B_R' cannot be read here: every mark")


def test_lies_of_a_game_are_replaced_whole_or_switched_off():
    fibble = gamefile.load("fibble")
    assert fibble.channel.lies.exactly == 1
    assert gamefile.load("fibble", ["lies={at_most: 1}"]).channel.lies == Lies(at_most=1)
    assert gamefile.load("fibble", ["lies.chance=5 %"]).channel.lies == Lies(chance=0.05)
    assert gamefile.load("fibble", ["lies=off"]).channel.lies == Lies()


def test_hard_mode_is_for_games_that_tell_the_truth():
    with pytest.raises(GameFileError, match="hard mode is for games that do not lie"):
        gamefile.load("fibble", ["hard=true"])


def test_a_kind_that_an_option_names_twice_is_refused(run):
    told = run("candidates", "cryptic", "--reads", "black=learn,black=0.2")
    assert (told.status, told.out) == (2, "")
    assert "black stands twice" in told.err
