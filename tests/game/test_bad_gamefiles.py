"""Bad game files and settings: the line and the key, and what would have been right."""

import pytest

from cases import cases
from mutated_files import mutated_files, problem_of
from puzzlehunt.errors import GameFileError, UnknownNameError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.play import Play
from puzzlehunt.game.turn_notation import format_turn
from transcripts import BAD_GAME_FILES, SMALL, error_of, refused


def test_bad_files_are_refused_in_the_words_that_were_recorded():
    text = BAD_GAME_FILES.read_text(encoding="utf-8")
    assert text.count("\n!! ") > 250
    assert refused(text) == text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "1: the file is empty"),
        ("# a comment\n\n", "1: the file is empty"),
        ("title: x\nabout: '\a'\n", "2: not YAML: a character that is not text"),
        (b"title: caf\xe9\n", " this is not a text file in UTF-8"),
        (SMALL.encode("utf-16"), " this is not a text file"),
        (SMALL.encode("utf-16-le"), "1: not YAML: a character that is not text"),
        (b"\n" * 16_000_001, " cannot be read (it is larger than 16 MB)"),
        ("title: [" * 20, "1: nested too deeply"),
        ("turns: [" + "a," * 100_002, "1: more than 100,000 texts"),
        ("title: " + "[" * 1_000_000, "1: not YAML: while increasing flow level"),
        ("- " * 1_000_000, "1: nested too deeply"),
        (SMALL + "play: {seed: " + "9" * 9999 + "}", "2: play.seed: expected a whole number"),
        *(
            (f"{SMALL}{key}: x", f"2: {key}: no such key; did you mean play.{key}?")
            for key in Play.__slots__
        ),
    ],
)
def test_what_no_text_can_show_and_every_key_of_a_kind_is_refused_in_one_line(content, said):
    error = error_of(content)
    assert error.startswith(said)
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        *cases("bad settings"),
        ("secret.length=1\nx: 2", "expected key=value on a line"),
        ("title=\0", "control character"),
        ("title=\ud800", "not YAML"),
    ],
)
def test_a_bad_setting_is_an_error_that_shows_it(setting, said):
    with pytest.raises(GameFileError) as error:
        gamefile.load("4x6", [setting])
    assert said in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("sign", [*"&!%@:-`~+'{", '"'])
def test_a_setting_is_the_text_itself_whatever_its_signs_mean_in_a_file(sign):
    game = gamefile.load("4x6", [f"marks.white={sign}", f"title=a: {sign} # b"])
    assert game.title == f"a: {sign} # b"
    assert format_turn(game, game.turn(f"AABB {sign}")) == f"AABB {sign}"


def test_curly_quotes_are_no_symbols_but_may_stand_in_a_title_and_around_a_row(write):
    game = gamefile.load(write(SMALL + "title: “My game”\nturns: [“ABC BW”]"))
    assert (game.title, len(game.history)) == ("“My game”", 1)


def test_an_empty_list_file_is_refused(write):
    write("# nothing yet\n", "empty.txt")
    with pytest.raises(GameFileError, match=r"empty\.txt: the word list is empty"):
        gamefile.load(write("secret: {words: empty.txt, length: 5}"))


@pytest.mark.parametrize(
    "name", ["criptic", "gone.yaml", "", ".", "a\0b", "x" * 5000, "~nobody-here/x"]
)
def test_a_name_that_stands_for_nothing_is_refused(name):
    with pytest.raises((UnknownNameError, GameFileError)) as error:
        gamefile.load(name)
    assert len(str(error.value).splitlines()) <= 2
    hint = "did you mean cryptic?"
    assert (hint in str(error.value)) == (name == "criptic")


@pytest.mark.slow
def test_a_mutated_game_file_is_a_game_or_refused_in_one_line(tmp_path):
    problems = [problem_of(content, tmp_path / "game.yaml") for content in mutated_files(1, 1_000)]
    assert [problem for problem in problems if problem] == []
    assert {None, ""} <= {*problems}
