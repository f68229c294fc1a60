import re
from itertools import product

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from puzzlehunt.errors import ImpossibleClueError, InvalidClueError
from puzzlehunt.game.game import Game
from puzzlehunt.rules.notation.count_clue import propagate_bounds
from puzzlehunt.rules.notation.counts import CountNotation
from puzzlehunt.rules.notation.kinds import Kind


def notation(*kinds: str, unread: str = "_") -> CountNotation:
    """The notation of kinds written `label` or `label:mark`, the miss last."""
    parts = [kind.partition(":") for kind in kinds]
    names = ("black", "white", "miss")
    return CountNotation(
        tuple(
            Kind(n, label, mark or None) for n, (label, _, mark) in zip(names, parts, strict=True)
        ),
        unread,
    )


PEGS = notation("black:B", "white:W", "miss")
CRYPTIC = notation("black:B", "white:W", "red:R")
BULLS = notation("bull:A", "cow:B", "miss")
TUNE = notation("gear:G", "tumbler:T", "miss")
SIGNS = notation("black:+", "white:o", "miss:-", unread="u")
HITS = notation("hit:H", "near:N", "miss:M")
WORDS = notation("bull:+", "cow:o", "miss")
ALL = [PEGS, CRYPTIC, BULLS, TUNE, SIGNS, HITS, WORDS]

notations = st.sampled_from(ALL)
sizes = st.integers(0, 6)


def every_answer(marks: int) -> list[tuple[int, int]]:
    return [(black, white) for black in range(marks + 1) for white in range(marks + 1 - black)]


def pegs(clue) -> set[tuple[int, int]]:
    return set(clue)


# Marks, one a cell.

KINDS = (0, 1, 2)


@st.composite
def written_cells(draw: st.DrawFn, notation: CountNotation, marks: int) -> list[tuple[str, set]]:
    """Some cells as they are written, each with the kinds that it may be."""
    letters = [kind.mark or "." for kind in notation.kinds]
    plain = [(letter, {kind}) for kind, letter in enumerate(letters)]
    plain += [(letter.lower(), {kind}) for kind, letter in enumerate(letters)]
    plain += [(".", {2}), *((mark, set(KINDS)) for mark in (notation.unread_mark, "_", "?"))]
    sets = st.sets(st.sampled_from(KINDS), min_size=1).map(
        lambda kinds: (f"[{''.join(letters[kind] for kind in kinds)}]", kinds)
    )
    return draw(st.lists(st.sampled_from(plain) | sets, min_size=1, max_size=max(1, marks)))


def readings(cells: list[set], marks: int, filler: set) -> set[tuple[int, int]]:
    """All answers of some cells, by giving every cell each kind that it may be."""
    filled = cells + [filler] * (marks - len(cells))
    return {(kinds.count(0), kinds.count(1)) for kinds in product(*filled)}


def ends_sentence(notation: CountNotation, text: str) -> bool:
    """Whether the last sign is a full stop: a miss has another mark, and no other stop stands."""
    has_stop = text.endswith(".") and text.count(".") == 1 and text[-2:] not in (".", " .", ",.")
    return notation.miss_has_mark and has_stop


@given(st.data(), notations, st.integers(1, 6), st.sampled_from(["", " ", ",", "  "]))
def test_marks_admit_what_their_cells_can_be(data, notation, marks, gap):
    cells = data.draw(written_cells(notation, marks))
    filler = set(KINDS) if notation.miss_has_mark else {2}
    text = gap.join(text for text, _ in cells)
    assume(not ends_sentence(notation, text))
    clue = notation.parse(text, marks)
    if len(cells) == 1 and cells[0][0] in (notation.unread_mark, "_", "?"):
        filler = set(KINDS)  # alone it says that nothing was read
    assert pegs(clue) == readings([kinds for _, kinds in cells], marks, filler)


@given(st.data(), notations, st.integers(1, 6))
def test_the_order_of_marks_does_not_matter(data, notation, marks):
    texts = [text for text, _ in data.draw(written_cells(notation, marks))]
    one, other = "".join(texts), "".join(data.draw(st.permutations(texts)))
    assume(not ends_sentence(notation, one) and not ends_sentence(notation, other))
    assert notation.parse(one, marks) == notation.parse(other, marks)


# Counts.

COUNTS = {
    "{n} {noun}": lambda n, count: count == n,
    "{n}{noun}": lambda n, count: count == n,
    "exactly {n} {noun}": lambda n, count: count == n,
    "={n} {noun}": lambda n, count: count == n,
    ">={n} {noun}": lambda n, count: count >= n,
    "at least {n} {noun}": lambda n, count: count >= n,
    "{n}+ {noun}": lambda n, count: count >= n,
    "<={n} {noun}": lambda n, count: count <= n,
    "at most {n} {noun}": lambda n, count: count <= n,
    ">{n} {noun}": lambda n, count: count > n,
    "<{n} {noun}": lambda n, count: count < n,
    "{n}-6 {noun}": lambda n, count: n <= count <= 6,
    "1 to {n} {noun}": lambda n, count: 1 <= count <= n,
}
PLAIN = ["{n} {noun}", "{n}{noun}"]
"""A number alone: where a miss has a mark, how many were read so far."""


@given(
    notations,
    sizes,
    st.dictionaries(
        st.sampled_from(KINDS), st.tuples(st.sampled_from([*COUNTS]), sizes), min_size=1
    ),
    st.sampled_from([" ", ", ", " and ", " & "]),
)
def test_counts_admit_every_answer_with_such_counts(notation, marks, named, gap):
    nouns = [kind.label for kind in notation.kinds]
    text = gap.join(form.format(n=n, noun=nouns[kind]) for kind, (form, n) in named.items())
    meant = [
        (kind, COUNTS["{n}+ {noun}" if notation.miss_has_mark and form in PLAIN else form], n)
        for kind, (form, n) in named.items()
    ]
    expected = {
        (black, white)
        for black, white in every_answer(marks)
        if all(fits(n, (black, white, marks - black - white)[kind]) for kind, fits, n in meant)
    }
    if expected:
        assert pegs(notation.parse(text, marks)) == expected
    else:
        with pytest.raises(ImpossibleClueError, match=rf"cannot happen|marks for {marks} peg"):
            notation.parse(text, marks)


@pytest.mark.parametrize("form", COUNTS)
def test_each_way_to_write_a_count_bounds_it_as_it_says(form):
    for n in (1, 2):
        expected = {answer for answer in every_answer(4) if COUNTS[form](n, answer[0])}
        assert pegs(PEGS.parse(form.format(n=n, noun="black"), 4)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two gears", [(2, 0), (2, 1), (2, 2)]),
        ("a gear and no tumblers", [(1, 0)]),
        ("no gears", [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]),
        ("2-3 gears", [(2, 0), (2, 1), (2, 2), (3, 0), (3, 1)]),
        ("2t1g", [(1, 2)]),
        ("1G 2T", [(1, 2)]),
        ("2 1", [(2, 1)]),
        ("2,1", [(2, 1)]),
        ("3 misses", [(0, 1), (1, 0)]),
    ],
)
def test_counts_are_written_as_people_write_them(text, expected):
    assert sorted(TUNE.parse(text, 4)) == expected


def test_numbers_alone_follow_the_order_of_the_kinds():
    assert pegs(PEGS.parse("2 1", 4)) == {(2, 1)}
    assert CRYPTIC.parse("2 1", 4) == CRYPTIC.parse("BBW_", 4)
    assert pegs(CRYPTIC.parse("2 1 1", 4)) == {(2, 1)}
    # Where there is a number for each kind no blank cell was lost.
    assert PEGS.parse("2    1", 4) == PEGS.parse("2 - 1", 4) == PEGS.parse("2 1", 4)
    with pytest.raises(ImpossibleClueError):
        CRYPTIC.parse("2 1 2", 4)
    with pytest.raises(InvalidClueError, match="has 3 numbers; they mean black, white"):
        PEGS.parse("2 1 1", 4)


def test_letters_that_are_marks_are_not_read_as_an_article():
    assert pegs(BULLS.parse("AB", 4)) == pegs(BULLS.parse("A B", 4)) == {(1, 1)}
    assert pegs(BULLS.parse("A[AB]", 4)) == {(2, 0), (1, 1)}
    assert pegs(BULLS.parse("a bull", 4)) == {(1, 0), (1, 1), (1, 2), (1, 3)}
    assert pegs(BULLS.parse("1A2B", 4)) == {(1, 2)}


# What holds for every clue.


@st.composite
def clues(draw: st.DrawFn):
    """A notation and a clue of it, however it was written."""
    notation, marks = draw(notations), draw(sizes)
    cells = draw(written_cells(notation, marks))
    ranges = [draw(st.tuples(sizes, sizes)) for _ in KINDS]
    counts = [
        f"{low}-{high} {kind.label}"
        for (low, high), kind in zip(ranges, notation.kinds, strict=True)
    ]
    some = draw(st.lists(st.sampled_from(counts), min_size=1, unique=True))
    texts = ["".join(text for text, _ in cells), " ".join(some), "*", f"{marks} 0", f"0 {marks}"]
    try:
        return notation, notation.parse(draw(st.sampled_from(texts)), marks)
    except InvalidClueError:
        return notation, notation.full_clue(draw(st.sampled_from(every_answer(marks))), marks)


@given(clues())
def test_parse_reads_back_what_format_writes(pair):
    notation, clue = pair
    assert notation.parse(notation.format(clue), clue.marks) == clue


@given(notations, sizes, st.text("BWRHNMAGTbw_u+o-.?*[]0123 ,<>=nogearbulcows", max_size=12))
@example(SIGNS, 4, "2 1 1")
@example(BULLS, 2, "..")
@example(PEGS, 0, "none")
def test_any_text_is_refused_or_read_back_from_its_format(notation, marks, text):
    try:
        clue = notation.parse(text, marks)
    except InvalidClueError:
        return
    assert notation.parse(notation.format(clue), marks) == clue


@given(clues())
def test_a_clue_contains_what_it_iterates_over_and_nothing_else(pair):
    _, clue = pair
    assert [answer for answer in every_answer(clue.marks) if answer in clue] == list(clue)


@given(clues())
def test_a_clue_admits_something_and_its_ranges_are_the_least_and_the_most(pair):
    _, clue = pair
    answers = [(*answer, clue.marks - sum(answer)) for answer in clue]
    assert answers
    extremes = tuple((min(counts), max(counts)) for counts in zip(*answers, strict=True))
    assert clue.ranges == extremes


@given(notations, sizes, st.data())
def test_an_answer_read_in_full_admits_itself_alone(notation, marks, data):
    answer = data.draw(st.sampled_from(every_answer(marks)))
    clue = notation.full_clue(answer, marks)
    assert list(clue) == [answer]
    assert notation.parse(notation.format(clue), marks) == clue


@given(notations, sizes)
def test_an_unread_answer_admits_everything(notation, marks):
    assert list(notation.unread_clue(marks)) == every_answer(marks)
    assert notation.format(notation.unread_clue(marks)) == "*"


@given(clues())
def test_a_clue_in_words_names_each_number_it_was_given(pair):
    notation, clue = pair
    assume(clue != notation.unread_clue(clue.marks))
    said = notation.describe(clue)
    if clue.cells is not None and notation.miss_has_mark:
        assert sum(map(int, re.findall(r"\d+", said))) == clue.marks
    elif all(low == high for low, high in clue.ranges[:-1]):
        black, white = next(iter(clue))
        assert re.findall(r"\d+", said) == [str(black), str(white)]


@given(clues())
def test_what_is_said_of_a_clue_can_be_typed(pair):
    notation, clue = pair
    said = notation.describe(clue)
    assert set(notation.parse(said, clue.marks)) == set(clue), said


@pytest.mark.parametrize(
    ("notation", "text", "same"),
    [
        (PEGS, "1 in place, 1 elsewhere", "BW"),
        (PEGS, "1 in the right place and 2 in the wrong place", "1b 2w"),
        (PEGS, "1 right place", "1b"),
        (PEGS, "2 black pegs", "2b"),
        (PEGS, "1 black peg, 1 white peg", "BW"),
        (PEGS, "two black one white", "2b 1w"),
        (PEGS, "two one", "2 1"),
        (PEGS, "1 right colour, wrong place", "1w"),
        (PEGS, "2 pegs in place and 1 peg misplaced", "2b 1w"),
        (PEGS, "no pegs", "none"),
        (PEGS, "all white", "4w"),
        (PEGS, "2 x black", "2b"),
        (PEGS, "1 black, no idea how many whites", "1b"),
        (PEGS, "don't remember", "*"),
        (CRYPTIC, "2 black pegs, 1 absent", "BBR_"),
        (CRYPTIC, "1 black, don't know reds", "B___"),
        (TUNE, "1 note in the right place, 2 in the wrong place", "1g 2t"),
        (TUNE, "1 gear, don't remember tumblers", "1g"),
        (TUNE, "1 gear turns, tumblers unknown", "1g"),
        (TUNE, "You hear 1 gear turn, not sure about the tumblers", "1g"),
        (BULLS, "2b1c", "2A1B"),
        (BULLS, "1b 1c", "1A 1B"),
        (BULLS, "b1c2", "1A 2B"),
        (BULLS, "B1", "1B"),
        (PEGS, "1 black (in place), 2 white (elsewhere)", "1b 2w"),
        (BULLS, "1B", "0-4a 1 cow"),
        (BULLS, "1a2b", "1A2B"),
        (notation("bull", "cow", "miss"), "1 b", "1 bull"),
        (notation("bull:B", "cow:C", "miss"), "1b", "1 bull"),
    ],
)
def test_counts_may_be_said_in_the_words_of_the_rules(notation, text, same):
    assert set(notation.parse(text, 4)) == set(notation.parse(same, 4))


@pytest.mark.parametrize("text", ["1b", "1b 2b", "2-3b", ">=1b", "b1", "b: 2"])
def test_a_letter_that_is_one_mark_and_begins_another_name_is_asked_about(text):
    with pytest.raises(
        InvalidClueError, match=r"is b a bull or a cow\? Write A for bull, B for cow"
    ):
        BULLS.parse(text, 4)


@given(st.lists(st.tuples(sizes, sizes), min_size=1, max_size=4), sizes)
def test_tightened_ranges_admit_the_same_counts(ranges, marks):
    def fitting(box):
        within = (range(low, high + 1) for low, high in box)
        return [counts for counts in product(*within) if sum(counts) == marks]

    tight = propagate_bounds(tuple(ranges), marks)
    assert fitting(tight) == fitting(ranges)


# The examples of the documentation.


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("RR", "RR___"),
        ("B_WR_", "_RWB_"),
        ("BW..", "BWRR_"),
        ("unread", "*"),
        ("_____", "*"),
        ("?????", "*"),
        ("B W _ _ R", "BW__R"),
        ("B\tW\t_\t_\tR", "BW__R"),
        ("b,w,,r", "BWR"),
    ],
)
def test_where_a_miss_has_its_mark_marks_left_out_are_unread(text, same):
    assert CRYPTIC.parse(text, 5) == CRYPTIC.parse(same, 5)


@pytest.mark.parametrize(
    ("text", "same", "said"),
    [
        ("1b 2r", "BRR__", "1 black, 2 red, 2 unread"),
        ("1b 1w 1r", "BWR__", "1 black, 1 white, 1 red, 2 unread"),
        ("two red", "RR___", "2 red, 3 unread"),
        ("1b 2w 2r", "BWWRR", "1 black, 2 white, 2 red"),
        ("1b 2 unread", "B____", "1 black, 4 unread"),
        ("2 1", "BBW__", "2 black, 1 white, 2 unread"),
        ("black red red", "BRR__", "1 black, 2 red, 2 unread"),
        ("0b 2r", "RR___", "2 red, 3 unread"),
        ("=1b =2w", "BWWRR", "1 black, 2 white, 2 red"),
    ],
)
def test_where_a_miss_has_its_mark_a_number_says_how_many_were_read(text, same, said):
    assert CRYPTIC.parse(text, 5) == CRYPTIC.parse(same, 5)
    assert CRYPTIC.describe(CRYPTIC.parse(text, 5)) == said


@pytest.mark.parametrize(
    ("text", "written", "said", "expected"),
    [
        ("=1b", "=1b", "exactly 1 black, white and red open", [(1, n) for n in range(5)]),
        ("exactly 1 black", "=1b", None, [(1, n) for n in range(5)]),
        ("no white", "=0w", "exactly 0 white, black and red open", [(n, 0) for n in range(6)]),
        ("4 black, no white", "4-5b =0w", None, [(4, 0), (5, 0)]),
        ("4-5 black", "4-5b", None, [(4, 0), (4, 1), (5, 0)]),
        ("3b >=1w", "3-4b 1-2w", None, [(3, 1), (3, 2), (4, 1)]),
    ],
)
def test_a_relation_is_about_all_marks_in_every_game(text, written, said, expected):
    clue = CRYPTIC.parse(text, 5)
    assert sorted(clue) == expected
    assert CRYPTIC.format(clue) == written
    assert said in (None, CRYPTIC.describe(clue))


def test_where_a_miss_has_no_mark_marks_left_out_are_misses():
    assert pegs(PEGS.parse("BW", 4)) == {(1, 1)}
    assert pegs(PEGS.parse("BW_", 4)) == {(1, 1), (2, 1), (1, 2)}
    assert pegs(PEGS.parse("BW.", 4)) == {(1, 1)}
    assert pegs(PEGS.parse("[BW]", 4)) == {(1, 0), (0, 1)}
    assert pegs(PEGS.parse("[B.]", 4)) == {(1, 0), (0, 0)}
    assert pegs(PEGS.parse("B___", 4)) == {(b, w) for b, w in every_answer(4) if b}
    assert PEGS.parse("____", 4) == PEGS.parse("*", 4)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("B___", "1 black, up to 3 more unread"),
        ("BBW_", "2 black, 1 white, up to 1 more unread"),
        ("__", "up to 2 unread"),
        ("_.", "up to 1 unread"),
        ("[BW]_", "1 black or white, up to 1 more unread"),
        ("1 black, up to 3 more unread", "1 black, up to 3 more unread"),
        ("1b", "1 black, white open (0w if none)"),
        ("2-3 w", "2 to 3 white, black open (0b if none)"),
        ("3 misses", "3 misses, black and white open"),
        ("1 1", "1 black, 1 white"),
        ("none", "0 black, 0 white"),
        ("_", "nothing read"),
    ],
)
def test_a_clue_in_words_says_what_stays_open(text, said):
    assert PEGS.describe(PEGS.parse(text, 4)) == said


def test_what_stays_open_is_named_as_the_game_does():
    assert TUNE.describe(TUNE.parse("1g", 5)) == "1 gear, tumblers open (0t if none)"
    assert TUNE.describe(TUNE.parse("GG_", 5)) == "2 gears, up to 1 more unread"
    assert BULLS.describe(BULLS.parse("2 cows", 4)) == "2 cows, bulls open (0 bulls if none)"


@pytest.mark.parametrize("notation", ALL)
@pytest.mark.parametrize("text", ["?", "_", " _ ", "unread"])
def test_an_unread_mark_alone_says_that_nothing_was_read(notation, text):
    assert notation.parse(text, 5) == notation.unread_clue(5)
    assert notation.parse(notation.unread_mark, 5) == notation.unread_clue(5)


def test_however_it_is_written_what_was_read_in_full_is_one_clue():
    for texts in (["BW", "1b 1w", "1 1", "BW..", "=1b =1w", "1w 1b 2 misses"], ["*", "____", "_"]):
        assert len({PEGS.parse(text, 4) for text in texts}) == 1
    assert {BULLS.format(BULLS.parse(text, 4)) for text in ["ABB", "1 2", "1A2B"]} == {"1A2B"}


def test_what_is_left_out_of_a_game_of_nouns_with_a_mark_for_a_miss_is_unread():
    full = HITS.full_clue((1, 2), 5)
    assert HITS.format(full) == "HNNMM"
    assert HITS.parse("1H2N", 5) == HITS.parse("HNN__", 5)
    assert HITS.describe(HITS.parse("2 hits", 5)) == "2 hits, 3 unread"


@pytest.mark.parametrize("word", ["none", "NONE", " none "])
def test_none_is_the_answer_without_a_mark(word):
    assert list(PEGS.parse(word, 4)) == list(TUNE.parse(word, 4)) == [(0, 0)]


def test_where_answers_are_heard_silence_is_no_mark_and_deaf_is_nothing_read():
    assert list(TUNE.parse("Silence", 5)) == [(0, 0)]
    for text in ("deaf", "I could not hear it", "can't hear", "too far away"):
        assert TUNE.parse(text, 5) == TUNE.unread_clue(5)
    # What is advised does not make silence an answer that was not read.
    assert "none silence, * not heard" in TUNE.legend()
    for word in ("silence", "deaf"):
        with pytest.raises(InvalidClueError):
            PEGS.parse(word, 4)


def test_none_is_refused_where_a_miss_has_its_mark():
    with pytest.raises(InvalidClueError, match=r"write RRRRR, or \* if nothing was read"):
        CRYPTIC.parse("none", 5)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("You hear 2 tumblers click and 1 gear turn.", (1, 2)),
        ("You hear 1 tumbler click.", (0, 1)),
        ("You hear 3 gears turn.", (3, 0)),
        ("you hear 1 gear turn", (1, 0)),
        ("  You hear 1 tumbler click and 2 gears turn.  ", (2, 1)),
        ("a gear turned, two tumblers clicked", (1, 2)),
        ("nothing", (0, 0)),
        ("I heard nothing", (0, 0)),
        ("You hear nothing at all.", (0, 0)),
        ("didn't hear anything", (0, 0)),
        ("no sound", (0, 0)),
        ("nothing happens", (0, 0)),
    ],
)
def test_a_sentence_of_nethack_is_complete(text, answer):
    assert list(TUNE.parse(text, 5)) == [answer]


def test_a_sentence_is_found_where_it_begins_in_a_line():
    line = "AABBC, then You hear 2 tumblers click and 1 gear turn."
    assert line[TUNE.sentence.start(line) :] == "You hear 2 tumblers click and 1 gear turn."
    assert TUNE.sentence.start("AABBC 2 gears turn") == len("AABBC ")
    assert PEGS.sentence is None
    assert TUNE.sentence.start("AABBC 2t1g") is None


# Errors.


@pytest.mark.parametrize(
    ("notation", "text", "marks"),
    [
        (CRYPTIC, "RRRRRR", 5),
        (PEGS, "5b", 4),
        (PEGS, "3b 2w", 4),
        (PEGS, "3 2", 4),
        (PEGS, "<0b", 4),
        (PEGS, "3-2 black", 4),
        (CRYPTIC, "2 2 2", 5),
        (TUNE, "You hear 6 gears turn.", 5),
        (PEGS, "B", 0),
    ],
)
def test_a_clue_that_no_answer_shows_is_impossible_and_says_how_many_pegs(notation, text, marks):
    with pytest.raises(ImpossibleClueError) as error:
        notation.parse(text, marks)
    assert re.search(rf"{marks} pegs?", str(error.value))


@pytest.mark.parametrize(
    ("notation", "text", "said"),
    [
        (PEGS, "X", "'X' is no mark; B black, W white, _ unread"),
        (CRYPTIC, "BG", "'G' is no mark"),
        (PEGS, "[BW", "never closed"),
        (PEGS, "[]", "holds the marks"),
        (PEGS, "[B_]", "holds the marks"),
        (PEGS, "]", "']' is no mark"),
        (PEGS, "", "empty"),
        (PEGS, "2b 1b", "says twice how many black there are"),
        (TUNE, "2 geers", r"'geers' is not counted here; did you mean gears\?"),
        (
            PEGS,
            "1 hit",
            r"'hit' is not counted here: say black \(in place\) or white \(elsewhere\)",
        ),
        (TUNE, "1 cow", r"'cow' is not counted here: say gear \(in place\) or tumbler"),
        (PEGS, "nothing", r"was there no mark \(none\), or nothing read \(\*\)\?"),
        (CRYPTIC, "nothing", r"was there no mark \(RRRR\), or nothing read \(\*\)\?"),
        (CRYPTIC, "rot", "'rot' is no clue here; B black"),
        (CRYPTIC, "was B_WR_", r"is no clue here: what is 'was'\? B black"),
        (PEGS, "BB, don't know whites", 'what is "don\'t"'),
        (PEGS, "3", r"3 of what\? 3b is 3 black, 3w is 3 white; 2 1 is 2 black, 1 white"),
        (CRYPTIC, "2", r"2 of what\? 2b is 2 black, 2w is 2 white, 2r is 2 red; 2 1 is 2 black"),
        (TUNE, "0", r"0 of what\? 0G is 0 gears, 0T is 0 tumblers; none is no mark at all"),
        (TUNE, "1", r"1 of what\? 1G is 1 gear, 1T is 1 tumbler; 2 1 is 2 gears, 1 tumbler"),
        (PEGS, ">b", "counts are written 1b 2w, and 2 1 is 2 black, 1 white"),
        (BULLS, "12345A", "counts are written 1A2B, and 2 1 is 2 bulls, 1 cow"),
        (WORDS, "12345A", "counts are written 1 bull 2 cows, and"),
        (PEGS, "* ?", r"'\*' is no mark"),
    ],
)
def test_what_is_no_clue_is_an_error_that_says_what_is(notation, text, said):
    with pytest.raises(InvalidClueError, match=said) as error:
        notation.parse(text, 4)
    assert not isinstance(error.value, ImpossibleClueError)


@pytest.mark.parametrize("mark", ["", "BB", " ", "1", "*", "[", "]", "?", "/", "#", "."])
def test_what_has_a_meaning_of_its_own_cannot_be_a_mark(mark):
    with pytest.raises(ValueError, match="cannot be a mark"):
        CountNotation((Kind("black", "black", "B"), Kind("miss", "miss", None)), mark)


@pytest.mark.parametrize("kinds", [("black:B", "white:b", "miss"), ("black:_", "white:W", "miss")])
def test_a_mark_stands_for_one_thing(kinds):
    with pytest.raises(ValueError, match=r"stands for|is also the mark of"):
        notation(*kinds)


# Through the rule.


def test_three_black_and_one_white_cannot_happen_with_four_pegs(game_of):
    game = game_of("secret: {symbols: ABCDEF, length: 4}")
    guess = game.parse_guess("ABCD")
    for text in ["BBBW", "3b 1w", "3 1", "BBB[W]"]:
        with pytest.raises(ImpossibleClueError, match="3 black, 1 white cannot happen with 4 pegs"):
            game.parse_clue(text, guess)
    assert game.rule.wins(game.parse_clue("BBBB", guess))
    assert not game.rule.wins(game.parse_clue("BBB_", guess))


@pytest.mark.parametrize("word", ["won", "solved", "WON", "BBBB", "4b", "4 0"])
def test_won_is_the_winning_feedback(game_of, word):
    game = game_of("secret: {symbols: ABCDEF, length: 4}")
    clue = game.parse_clue(word, game.parse_guess("ABCD"))
    assert game.rule.wins(clue)


def test_a_short_guess_cannot_have_won(game_of):
    game = game_of("{secret: {symbols: ABC, length: 3}, guess: {length: 0-3}}")
    with pytest.raises(ImpossibleClueError, match="a guess of 2 cannot be a secret of 3"):
        game.parse_clue("won", game.parse_guess("AB"))
    assert not game.rule.wins(game.parse_clue("BB", game.parse_guess("AB")))


@given(st.from_type(Game))
def test_clues_of_any_game_are_read_back_from_their_format(game):
    for turn in game.history.turns:
        assert game.parse_clue(game.rule.format(turn.clue), turn.guess) == turn.clue
