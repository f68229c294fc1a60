import pytest

from cases import cases, unescaped
from puzzlehunt.codes import words
from puzzlehunt.codes.alphabet import Alphabet, default_alphabet
from puzzlehunt.errors import WordListError

ENGLISH = default_alphabet(26)
FIVE = range(5, 6)
TINY = """# a list of our own
crane 2.5
slate   # a comment behind a word

apple\t0.5
CRANE 1
don't
as
"""


@pytest.fixture
def write(tmp_path):
    """A function that writes a word list and returns its path."""

    def to_file(content: str | bytes):
        path = tmp_path / "list.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return to_file


def spelled(space):
    return {space.alphabet.format(code): weight for code, weight in space.weights.items()}


# The lists that come with the package.


@pytest.mark.parametrize(
    ("name", "count", "distinct"),
    [
        ("common", 3461, 2354),
        ("standard", 5062, 3386),
        pytest.param("large", 11087, 7128, marks=pytest.mark.slow),
        pytest.param("huge", 17087, 10861, marks=pytest.mark.slow),
        pytest.param("likely", 11487, 7368, marks=pytest.mark.slow),
    ],
)
def test_built_in_lists_have_the_five_letter_words_of_their_levels(name, count, distinct):
    assert words.built_in_space(name, ENGLISH, FIVE, False).size == count
    assert words.built_in_space(name, ENGLISH, FIVE, True).size == distinct


@pytest.mark.parametrize(
    ("name", "lengths"),
    [("likely", range(4, 7)), pytest.param("common", FIVE, marks=pytest.mark.slow)],
)
def test_of_a_built_in_list_only_the_lengths_of_the_game_are_read(name, lengths):
    expected = words.space([*words.built_in(name)], ENGLISH, lengths, False, name)
    space = words.built_in_space(name, ENGLISH, lengths, False)
    assert list(space.weights.items()) == list(expected.weights.items())


@pytest.mark.slow
def test_likely_words_are_those_of_large_and_of_other_spellings_by_what_they_are():
    likely, large = (dict(words.built_in(name)) for name in ("likely", "large"))
    assert likely.keys() > large.keys()
    assert likely["virus"] == likely["naked"] == likely["crane"] == 300
    assert likely["cranes"] == likely["based"] == likely["cries"] == 10
    assert likely["melee"] == 100  # SCOWL spells it with accents
    assert likely["briar"] == 10  # spelt so elsewhere
    assert likely["aah"] == 30 > likely["recut"] == 10 > likely["aahed"]
    assert words.wider_lists("likely") == words.wider_lists("large") == ["huge"]


# Finding a file.


@pytest.mark.parametrize(
    ("name", "mend"),
    [("standart", "did you mean standard?"), ("", "known:"), ("x" * 5000, "known:")],
)
def test_a_missing_list_is_an_error_with_the_nearest_name(name, mend, tmp_path):
    with pytest.raises(WordListError, match="neither a file nor built in") as error:
        words.find(name, tmp_path)
    assert mend in str(error.value)


# Reading a file.


@pytest.mark.parametrize(
    "content",
    [
        b"crane\nslate",
        b"  crane\nslate  \n",
        b"\xef\xbb\xbfcrane # first\r\nslate\r\n",
        b"crane # not in UTF-8: \xe9\nslate\n",
    ],
)
def test_line_ends_marks_and_blanks_do_not_matter(write, content):
    assert words.read(write(content)) == [("crane", 1.0), ("slate", 1.0)]


@pytest.mark.parametrize("weight", ["0", "-1", "1e999"])
def test_a_weight_is_a_number_above_zero(write, weight):
    path = write(f"crane\nslate {weight}\n")
    with pytest.raises(WordListError, match="its weight above 0") as error:
        words.read(path)
    assert str(error.value).startswith(f"{path}:2: 'slate {weight}'")


@pytest.mark.parametrize(("content", "line", "entry"), cases("lines that are no words"))
def test_a_line_that_is_no_word_and_weight_is_an_error_that_shows_it(write, content, line, entry):
    with pytest.raises(WordListError, match=rf"list\.txt:{line}: '{entry}' is not one word, or"):
        words.read(write(unescaped(content)))


# The words that fit.


def test_only_words_of_the_length_and_alphabet_are_kept(write):
    space = words.space(words.read(write(TINY)), ENGLISH, FIVE, False, "tiny")
    assert spelled(space) == {"APPLE": 0.5, "CRANE": 2.5, "SLATE": 1.0}


def test_the_length_of_a_word_counts_its_own_letters():
    german = Alphabet((*ENGLISH.symbols, "ß"))
    space = words.space([("fuß", 1.0), ("fuss", 1.0), ("naß", 1.0)], german, range(3, 4), False, "")
    assert set(spelled(space)) == {"FUß", "NAß"}
    with pytest.raises(WordListError, match="written in the symbols of the game"):
        words.space([("fuß", 1.0)], ENGLISH, range(3, 4), False, "list")


# What is passed over.


@pytest.mark.slow
def test_each_built_in_list_is_part_of_the_next_and_has_no_word_twice():
    found = [[word for word, _ in words.built_in(name)] for name in words.LEVELS]
    assert [len(each) for each in found] == [39_095, 77_092, 242_844, 425_015]
    assert [len({*each}) for each in found] == [39_095, 77_092, 242_844, 425_015]
    assert {*found[0]} < {*found[1]} < {*found[2]} < {*found[3]}
    assert len([*words.built_in("likely")]) == 254_993
