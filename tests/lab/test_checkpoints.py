"""Checkpoints of tournaments and of proofs: runs go on from them, and damaged ones are refused."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.game import Game
from puzzlehunt.lab import tournament
from puzzlehunt.lab.execution import Execution
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.views.tournaments import result_csv, result_json


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a checkpoint."""
    return tmp_path / "part"


def optimal(size: str, *settings: str, **play: object) -> Game:
    return gamefile.load(size, settings).with_play({"strategy": "optimal", **play})


def noted(game: Game, file: Path, **more: object) -> Tournament:
    return tournament.run(game, name="game", execution=Execution(checkpoint=file), **more)


def check_refused(game: Game, file: Path, texts: Iterable[str], problem: str, **more: int) -> None:
    for text in texts:
        file.write_text(text)
        with pytest.raises(PuzzlehuntError, match=problem):
            noted(game, file, **more)
        assert file.read_text() == text


@pytest.mark.parametrize(
    ("strategy", "size"),
    [("consistent", "3x3"), ("first", "3x3"), ("entropy", "3x3"), ("optimal", "3x4")],
)
def test_an_interrupted_run_goes_on_from_its_checkpoint(strategy, size, file):
    def figures(result: Tournament) -> object:
        return result_json(result) | {"seconds": 0}, result_csv(result)

    game = gamefile.load(size).with_play({"strategy": strategy})
    whole = figures(tournament.run(game, name="game"))
    assert figures(noted(game, file)) == whole
    lines = file.read_text().splitlines(keepends=True)
    assert len(lines) > 2
    file.write_text("".join(lines[:2]) + lines[2][:20])
    assert figures(noted(game, file)) == whole
    assert sorted(file.read_text().splitlines(keepends=True)) == sorted(lines)


def test_the_games_of_another_run_and_damaged_ones_are_refused(file):
    game = gamefile.load("4x6").with_play({"strategy": "consistent", "seed": 3})
    noted(game, file, secrets=40)
    whole = file.read_text()
    check_refused(game, file, [whole], "no checkpoint of this run", secrets=41)
    header, line = whole.splitlines()[:2]
    damaged = ["{}", line.replace("[0", "[9999", 1), line.replace('"known"', '"kown"')]
    damaged += [line.replace("0", "1"), "garbage", "[]", "3", "null"]
    texts = [f"{header}\n{text}\n{line}\n" for text in damaged]
    check_refused(game, file, texts, "part:2: this line was changed", secrets=40)
    check_refused(game, file, ["dear diary\n"], "no checkpoint", secrets=40)


def test_another_proof_and_damaged_ones_are_refused(file):
    game = optimal("3x3")
    done = result_json(noted(game, file))
    assert done["lower"] == done["upper"] == done["total"]
    assert done["proved"]
    whole = file.read_text()
    others = [optimal("2x4"), optimal("3x3", opening="AAB"), optimal("3x3", pool="candidates")]
    others += [optimal("3x3", attempts=4), game.with_play({"strategy": "entropy"})]
    for other in others:
        check_refused(other, file, [whole], "no checkpoint of this run; nothing was written")
    header, line = whole.splitlines()[:2]
    floor = re.sub(r'"floor": (\d+)', lambda found: f'"floor": {int(found[1]) + 1}', line)
    damaged = [floor, line.replace('"first": [', '"first": [9, '), "{}"]
    texts = [f"{header}\n{text}\n" for text in damaged]
    check_refused(game, file, texts, "part:2: this line was changed")
    check_refused(game, file, ["dear diary\n"], "no checkpoint")
