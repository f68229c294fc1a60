from dataclasses import replace
from pathlib import Path

import pytest

from puzzlehunt.engines.base import open_engine
from puzzlehunt.errors import PuzzlehuntError, SessionError, StrategyError, TreeError
from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import tournament, trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.search.tree_file import of_text, read, text_of, verify, write

DATA = Path(__file__).resolve().parents[1] / "data"


def grown(name, *settings):
    game = gamefile.load(name, [*settings])
    tree = trees.tree_of_game(Player(game))
    return game, trees.file_of_tree(game, name, tree, None)


@pytest.fixture(scope="module")
def small():
    return grown("3x4", "play.strategy=entropy")


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("3x4", ["play.strategy=minimax"]),
        ("3x4", ["play.strategy=deep"]),
        ("3x4", ["play.strategy=first", "play.opening=AAB"]),
        pytest.param(
            "nethack",
            ["secret.length=3", "guess.length=0-3", "play.strategy=optimal"],
            marks=pytest.mark.needs("numba"),
        ),
        ("bulls-and-cows", ["secret.length=3", "play.strategy=parts", "play.pool=candidates"]),
    ],
)
def test_a_tree_counts_what_a_tournament_counts(name, settings):
    game, file = grown(name, *settings)
    played = tournament.run(game, name=name)
    counted = verify(file, game)
    assert counted["total"] == file.after()[1] == sum(played.guesses["played"])
    assert counted["known"] == sum(played.guesses["known"])


@pytest.mark.parametrize("ending", ["tree", "tree.gz"])
def test_a_file_reads_back_and_is_never_written_over(small, tmp_path, ending):
    _, file = small
    path = tmp_path / f"3x4.{ending}"
    write(path, file)
    assert text_of(read(path)) == text_of(file)
    before = path.read_bytes()
    with pytest.raises(SessionError, match="exists already"):
        write(path, file)
    assert path.read_bytes() == before


def with_lines(file, lines):
    """The tree of a file with other lines below its head."""
    return of_text(text_of(replace(file, guesses={})) + "\n".join(lines))


def test_a_tree_that_misses_a_secret_or_counts_wrongly_is_found_out(small):
    game, file = small
    first, *others = file.lines()
    again = [f" {line.split()[0]} {first}" for line in others if line[1] != " "]
    for lines, trouble in (
        ([first], "do not follow any path"),
        (["ABC 99", *others], "guess 1 of the tree: 'ABC 208' by count, not 'ABC 99'"),
        ([first, *others, " 77 AAA"], "by count, not ' 77 AAA'"),
        ([first, *again], "tells nothing"),
        ([first, "  00 AAA"], "line 15: expected a guess, after an answer one blank further in"),
        (["ABX 208", *others], "ABX: 'X' is not a symbol"),
    ):
        with pytest.raises(PuzzlehuntError, match=trouble):
            verify(with_lines(file, lines), game)
    with pytest.raises(TreeError, match="worst: 4 by count, and not 99"):
        verify(replace(file, head={**file.head, "worst": "99"}), game)
    with pytest.raises(TreeError, match="another game"):
        verify(file, gamefile.load("3x5"))


def test_a_published_tree_is_that_of_its_strategy():
    words = (
        "crane crate grape grace trace track cable later brace cared raced acted cater react erica"
    )
    secret = f"secret={{words: [{', '.join(words.split())}], length: 5}}"
    game, file = grown("wordle", secret, "guess={}", "play.strategy=entropy")
    tree = read(DATA / "published.tree")
    assert tree.guesses == file.guesses
    assert verify(tree, game) == verify(file, game)


def test_a_tree_serves_any_names_of_symbols_and_no_other_rows(small, tmp_path):
    _, file = small
    path = tmp_path / "3x4.tree"
    write(path, file)
    strategy = f"play.strategy=tree:{path}"
    other = gamefile.load("mastermind", ["secret.symbols=RGBY", "secret.length=3", strategy])
    engine = open_engine(other)
    advice = Adviser(other).advise(engine)
    assert advice.suggestions[0].code == file.after()[0]
    assert advice.suggestions[0].value == round(file.after()[1] / 64, 4)
    engine.push(other.turn("YYY none"))
    with pytest.raises(StrategyError, match="do not follow any path"):
        Adviser(other).advise(engine)


def test_a_strangers_tree_names_no_game_in_another_folder(run, small, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "own.yaml").write_text("game: 3x4\n")
    head = {**small[1].head, "game": str(tmp_path / "own.yaml"), "total": "9" * 5000}
    path = tmp_path / "deep" / "a.tree"
    write(path, replace(small[1], head=head))
    done = run("lab", "verify", str(path))
    assert (done.status, len(done.err.splitlines())) == (2, 1)
    assert f"its game is a file; to allow that, add --game {tmp_path / 'own.yaml'}" in done.err
    done = run("lab", "verify", str(path), "--game", str(tmp_path / "own.yaml"))
    assert "total: 208 by count, and not 9999" in done.err
    assert len(done.err) < 200 + len(str(path))
