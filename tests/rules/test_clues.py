"""Clues about counts; what is recorded of clues of all notations."""

import ast
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from cases import cases, unescaped
from puzzlehunt.errors import ImpossibleClueError, InvalidClueError
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.turn_notation import describe_answer, format_turn
from puzzlehunt.rules.built_in import MarksRule
from puzzlehunt.rules.notation.clue import Notation
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.rules.notation.counts import CountNotation, Kind
from puzzlehunt.rules.notation.synonyms import plain
from puzzlehunt.rules.notation.tiles import SQUARES, TileNotation, tile_clue


def notation(*kinds: str, unread: str = "_") -> CountNotation:
    """The notation of kinds written `label/plural:mark`, of which a label is enough."""
    made = []
    for name, kind in zip(("black", "white", "miss"), kinds, strict=True):
        label, _, mark = kind.partition(":")
        one, _, many = label.partition("/")
        made.append(Kind(name, one, mark or None, many or one))
    return CountNotation(tuple(made), unread)


def test_a_name_may_bring_its_plural() -> None:
    game = load("bulls-and-cows", {"names": {"black": "ox/oxen", "white": "mouse/mice"}})
    turn = game.turn("1234", "1 ox 2 mice")
    assert describe_answer(game, turn) == "1 ox, 2 mice"
    assert game.turn("1234 2 oxen") == game.turn("1234", "2A")


def test_a_name_without_a_plural_is_like_a_colour() -> None:
    game = load("bulls-and-cows", {"names": {"black": "gear", "white": "tumbler"}})
    turn = game.turn("1234", "1 gear 2 tumblers")
    assert str(turn) == "1234 ABB"
    assert describe_answer(game, turn) == "1 gear, 2 tumbler"


COUNTS = {
    "PEGS": notation("black:B", "white:W", "miss/misses"),
    "CRYPTIC": notation("black:B", "white:W", "red:R"),
    "BULLS": notation("bull/bulls:A", "cow/cows:B", "miss/misses"),
    "TUNE": notation("gear/gears:G", "tumbler/tumblers:T", "miss/misses"),
    "SIGNS": notation("black:+", "white:o", "miss/misses:-", unread="u"),
    "HITS": notation("hit/hits:H", "near/nears:N", "miss/misses:M"),
    "WORDS": notation("bull/bulls:+", "cow/cows:o", "miss/misses"),
}
TILES = {
    "WORDLE": MarksRule(5, 26).notation,
    "ARROWS": TileNotation(("far", "near", "same"), ("<", "x", "="), "u", {"-": 0, "!": 2}),
    "NERDLE": TileNotation(("black", "purple", "green"), ("B", "P", "G"), ".", {}),
}
NOTATIONS: dict[str, Notation] = {
    **COUNTS,
    **TILES,
    "UNMARKED": notation("bull/bulls", "cow/cows", "miss/misses"),
    "INITIALS": notation("bull/bulls:B", "cow/cows:C", "miss/misses"),
}


def recorded() -> dict[str, list[str]]:
    """The lines of each section of the recorded clues."""
    text = (Path(__file__).parents[1] / "data" / "clues.txt").read_text(encoding="utf-8")
    sections = (section.split("\n") for section in text.split("\n== ")[1:])
    return {title: [line for line in lines if line] for title, *lines in sections}


def read_again(section: str, line: str) -> str:
    """A recorded line with what its clue is today."""
    name, marks = section.split()
    notation, (text, _, _) = NOTATIONS[name], line.partition(" -> ")
    try:
        clue = notation.read(ast.literal_eval(text), (0,) * int(marks))
    except InvalidClueError as error:
        kind = "impossible" if isinstance(error, ImpossibleClueError) else "no clue"
        return f"{text} -> {kind}: {error}"
    return f"{text} -> {notation.format(clue)} | {notation.describe(clue)}"


PEGS, BULLS, TUNE = COUNTS["PEGS"], COUNTS["BULLS"], COUNTS["TUNE"]
notations = st.sampled_from([*COUNTS.values()])
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
    plain += [(mark, set(KINDS)) for mark in (notation.unread_mark, "_", "?")]
    plain += [] if notation.miss_has_mark else [(".", {2})]
    sets = st.sets(st.sampled_from(KINDS), min_size=1).map(
        lambda kinds: (f"[{''.join(letters[kind] for kind in kinds)}]", kinds)
    )
    return draw(st.lists(st.sampled_from(plain) | sets, min_size=1, max_size=max(1, marks)))


def readings(cells: list[set], marks: int, filler: set) -> set[tuple[int, int]]:
    """All answers of some cells, by giving every cell each kind that it may be."""
    filled = cells + [filler] * (marks - len(cells))
    return {(kinds.count(0), kinds.count(1)) for kinds in product(*filled)}


@given(st.data(), notations, st.integers(1, 6), st.sampled_from(["", " ", ",", "  "]))
def test_marks_admit_what_their_cells_can_be(data, notation, marks, gap):
    cells = data.draw(written_cells(notation, marks))
    filler = set(KINDS) if notation.miss_has_mark else {2}
    text = gap.join(text for text, _ in cells)
    assume({*text} - {*". ,"} or len(cells) == marks)
    clue = notation.read(text, (0,) * marks)
    if len(cells) == 1 and cells[0][0] in (notation.unread_mark, "_", "?"):
        filler = set(KINDS)  # alone it says that nothing was read
    assert pegs(clue) == readings([kinds for _, kinds in cells], marks, filler)


# Counts.

FORMS = {
    "{n} {noun}": lambda n, count: count == n,
    "{n}{noun}": lambda n, count: count == n,
    "exactly {n} {noun}": lambda n, count: count == n,
    "={n} {noun}": lambda n, count: count == n,
    ">={n} {noun}": lambda n, count: count >= n,
    "at least {n} {noun}": lambda n, count: count >= n,
    "{n}+ {noun}": lambda n, count: count >= n,
    "<={n} {noun}": lambda n, count: count <= n,
    "at most {n} {noun}": lambda n, count: count <= n,
    "up to {n} {noun}": lambda n, count: count <= n,
    "fewer than {n} {noun}": lambda n, count: count < n,
    "between 1 and {n} {noun}": lambda n, count: 1 <= count <= n,
    "1 or {n} {noun}": lambda n, count: count in (1, n),
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
        st.sampled_from(KINDS), st.tuples(st.sampled_from([*FORMS]), sizes), min_size=1
    ),
    st.sampled_from([" ", ", ", " and ", " & "]),
)
def test_counts_admit_every_answer_with_such_counts(notation, marks, named, gap):
    assume(all(n in (1, 2) for form, n in named.values() if "or" in form))
    assume(not notation.miss_has_mark or all(n for form, n in named.values() if form in PLAIN))
    nouns = [kind.label for kind in notation.kinds]
    text = gap.join(form.format(n=n, noun=nouns[kind]) for kind, (form, n) in named.items())
    meant = [
        (kind, FORMS["{n}+ {noun}" if notation.miss_has_mark and form in PLAIN else form], n)
        for kind, (form, n) in named.items()
    ]
    expected = {
        (black, white)
        for black, white in every_answer(marks)
        if all(fits(n, (black, white, marks - black - white)[kind]) for kind, fits, n in meant)
    }
    if expected:
        assert pegs(notation.read(text, (0,) * marks)) == expected
    else:
        with pytest.raises(ImpossibleClueError, match=rf"cannot happen|marks for {marks} peg"):
            notation.read(text, (0,) * marks)


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
        return notation, notation.read(draw(st.sampled_from(texts)), (0,) * marks)
    except InvalidClueError:
        return notation, notation.full_clue(
            draw(st.sampled_from(every_answer(marks))), (0,) * marks
        )


tile_cells = st.sets(st.integers(0, 2), min_size=1).map(lambda digits: tuple(sorted(digits)))
tile_clues = st.lists(tile_cells, min_size=1, max_size=5).map(tile_clue)
any_clues = clues() | st.tuples(st.sampled_from([*TILES.values()]), tile_clues)


@given(any_clues)
def test_parse_reads_back_what_format_writes(pair):
    notation, clue = pair
    assert notation.read(notation.format(clue), (0,) * clue.marks) == clue


@given(
    st.sampled_from([*COUNTS.values(), *TILES.values()]),
    st.integers(1, 6),
    st.text("BWRHNMAGTYPbwgyx_u+o-.?!*[]0123 ,<>=nogearbulcows🟩🟨⬛\ufe0f", max_size=12),
)
@example(TILES["ARROWS"], 1, "?")
@example(TILES["NERDLE"], 3, "[BP]..")
@example(COUNTS["SIGNS"], 4, "2 1 1")
@example(BULLS, 2, "..")
@example(PEGS, 0, "none")
def test_any_text_is_refused_or_read_back_from_its_format(notation, marks, text):
    try:
        clue = notation.read(text, (0,) * marks)
    except InvalidClueError:
        return
    assert notation.read(notation.format(clue), (0,) * marks) == clue


@given(any_clues)
def test_a_clue_contains_what_it_iterates_over_and_nothing_else(pair):
    _, clue = pair
    is_tiles = isinstance(clue, CellsClue)
    every = product(range(3), repeat=clue.marks) if is_tiles else every_answer(clue.marks)
    assert [answer for answer in every if answer in clue] == list(clue)
    assert len(clue) == len([*clue])


@given(clues())
def test_a_clue_admits_something_and_its_ranges_are_the_least_and_the_most(pair):
    _, clue = pair
    answers = [(*answer, clue.marks - sum(answer)) for answer in clue]
    assert answers
    extremes = tuple((min(counts), max(counts)) for counts in zip(*answers, strict=True))
    assert clue.ranges == extremes


# Tiles.


@pytest.mark.parametrize("square", SQUARES)
def test_every_square_is_a_mark_in_every_game(square):
    for notation in TILES.values():
        assert notation.read(f"{square}\ufe0f", (0,)).cells == ((SQUARES[square],),)


@pytest.mark.parametrize("mark", ["", "GG", " ", "1", "*", "[", "]", "?", "/", "#", ",", ";", "|"])
def test_what_cannot_be_a_mark_is_refused(mark):
    with pytest.raises(ValueError, match="cannot be a mark: it m"):
        TileNotation(("a", "b", "c"), (".", "Y", mark), "_", {})
    with pytest.raises(ValueError, match="cannot be a mark"):
        TileNotation(("a", "b", "c"), (".", "Y", "G"), mark, {})


# What is recorded.


@pytest.mark.parametrize(("section", "lines"), recorded().items(), ids=recorded())
def test_clues_are_read_and_written_as_recorded(section, lines):
    assert [read_again(section, line) for line in lines] == lines


# A typed line in plain letters and signs.


@pytest.mark.parametrize(("typed", "read"), cases("plain lines"))
def test_wide_letters_short_codes_and_cells_are_read_plainly(typed, read):
    assert plain(unescaped(typed)) == read
    assert plain(read) == read


@pytest.mark.parametrize(
    ("name", "line", "read"),
    [
        ("mastermind", "RRGG\t\t1\t2", "RRGG BWW"),
        ("mastermind", "RRGG | | 1 | 2 |", "RRGG BWW"),
        ("mastermind", "RRGG,,1,2", "RRGG BWW"),
        ("cryptic", "HORSE\t1\t\t2", "HORSE BRR__"),
        ("cryptic", "HORSE\t\tB\tW", "HORSE BW___"),
    ],
)
def test_blank_cells_before_counts_are_layout_and_within_them_unread(name, line, read):
    game = load(name)
    assert format_turn(game, game.turn(line)) == read


def test_a_clue_of_more_feedbacks_than_can_be_counted_is_true() -> None:
    clue = load("octordle").turn("CRANE *").clue
    assert clue
    with pytest.raises(OverflowError):
        len(clue)
