"""Proofs as runs of the lab: their checkpoints, and what an interrupt leaves."""

import json
import re
import sys

import pytest

from puzzlehunt.cli import main
from puzzlehunt.errors import LabError
from puzzlehunt.game.files import gamefile
from puzzlehunt.lab import checkpoint, tournament, trees
from puzzlehunt.lab.batches import Player
from puzzlehunt.lab.worker_pool import Execution
from puzzlehunt.strategies.position import Budget
from puzzlehunt.strategies.search.proof import Bounds, Proof
from puzzlehunt.strategies.search.tree_file import verify
from puzzlehunt.views.tournaments import bounds_json, bounds_line, result_json


def test_the_checkpoint_of_another_proof_is_refused_and_left_as_it_is(tmp_path):
    file, game = tmp_path / "part", gamefile.load("3x3").with_play({"strategy": "optimal"})
    done = result_json(tournament.run(game, name="3x3", execution=Execution(checkpoint=file)))
    assert done["lower"] == done["upper"] == done["total"]
    assert done["proved"]
    before = file.read_bytes()
    others = [
        gamefile.load("2x4").with_play({"strategy": "optimal"}),
        *(game.with_play(play) for play in ({"opening": "AAB"}, {"pool": "candidates"})),
        game.with_play({"attempts": 4}),
        game.with_play({"strategy": "entropy"}),
    ]
    for other in others:
        with pytest.raises(LabError, match=r"another run.*nothing was written"):
            tournament.run(other, name="3x3", execution=Execution(checkpoint=file))
    assert file.read_bytes() == before
    header, line = before.decode().splitlines()[:2]
    for damaged in (
        line.replace('"first": [', '"first": [9, '),
        line.replace('"answer": ', '"answer": 99'),
        line.replace('"floor": ', '"floor": -'),
        re.sub('"answer": [0-9]+', '"answer": null', line),
        "{}",
    ):
        file.write_text(f"{header}\n{damaged}\n")
        with pytest.raises(LabError, match="part:2: this line holds no value"):
            tournament.run(game, name="3x3", execution=Execution(checkpoint=file))
    file.write_text("dear diary\n")
    with pytest.raises(LabError, match="no checkpoint"):
        tournament.run(game, name="3x3", execution=Execution(checkpoint=file))
    assert file.read_text() == "dear diary\n"


def test_what_is_proved_behind_an_opening_is_said_so():
    game = gamefile.load("2x3").with_play({"strategy": "optimal"})
    proved = tournament.run(game, name="2x3")
    assert proved.bounds.lower == proved.bounds.upper == proved.summary("played").total
    line = bounds_line(proved.bounds, game)
    assert line == "proved: no play takes fewer than 21 guesses in all (2.3333)"
    behind = tournament.run(game.with_play({"opening": "AA"}), name="2x3")
    assert behind.bounds.proved
    assert "proved: behind AA no play takes fewer than" in bounds_line(behind.bounds, behind.game)
    hurried = game.with_play({"attempts": 2})
    unsure = bounds_line(tournament.run(hurried, name="2x3").bounds, hurried)
    assert unsure == (
        "proved: nobody can be sure in 2 guesses: at best 4 secrets are lost, and then no play "
        "takes fewer than 17 guesses in all (1.8889)"
    )
    open_ended = bounds_line(Bounds(20, 24, (0, 1)), game)
    assert open_ended == (
        "at least 20 and at most 24 guesses in all (2.2222 to 2.6667 on average; "
        "0 to 1 secrets lost)"
    )


def stopped_after_two_reports(game, file):
    """Begin a proof of 3x4 and interrupt it; return the bounds that it had reported."""
    seen = []

    def stop(bounds):
        seen.append(bounds)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament.run(game, name="3x4", execution=Execution(checkpoint=file), bounds=stop)
    return seen


def test_an_interrupt_says_what_is_known_and_loses_nothing(tmp_path, monkeypatch, capsys):
    file = tmp_path / "part"
    game = gamefile.load("3x4").with_play({"strategy": "optimal"})
    seen = stopped_after_two_reports(game, file)
    assert seen[-1].lower <= 206 <= seen[-1].upper
    assert not bounds_json(seen[-1])["proved"]
    command = ["puzzlehunt", "lab", "run", "3x4", "--strategy", "optimal", "--json"]
    monkeypatch.setattr(sys, "argv", [*command, "--checkpoint", str(file)])
    with pytest.raises(SystemExit) as left:
        main.main()
    assert left.value.code == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["lower"], done["upper"], done["total"], done["proved"]) == (206, 206, 206, True)


def test_a_checkpoint_in_which_a_digit_was_changed_proves_nothing(tmp_path):
    file = tmp_path / "part"
    game = gamefile.load("3x4").with_play({"strategy": "optimal"})
    tournament.run(game, name="3x4", execution=Execution(checkpoint=file))
    lines = file.read_text().splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines[1:], start=1) if '"floor": ' in line)
    lines[number] = re.sub(
        r'"floor": (\d+)', lambda found: f'"floor": {int(found[1]) + 1}', lines[number]
    )
    file.write_text("".join(lines))
    with pytest.raises(LabError, match=f"part:{number + 1}: this line holds no value"):
        tournament.run(game, name="3x4", execution=Execution(checkpoint=file))
    assert file.read_text() == "".join(lines)


@pytest.mark.parametrize("opening", [None, "BBA"])
def test_hard_mode_is_proved_once_and_a_tree_is_grown_from_that(tmp_path, monkeypatch, opening):
    game = gamefile.load("3x3", ["hard=true"])
    game = game.with_play({"strategy": "optimal", "opening": opening})
    player, execution = Player(game), Execution(checkpoint=tmp_path / "part")
    result = tournament.play_secrets(player, name="3x3", execution=execution)
    assert result.bounds.proved
    assert result.bounds.upper == result.summary("played").total
    proofs = []
    monkeypatch.setattr(Proof, "run", proofs.append)
    tree = trees.tree_of_game(game, player.strategy, Budget())
    assert not proofs
    file = trees.file_of_tree(game, result.game_name, tree, None)
    assert verify(file, game)["total"] == result.bounds.upper


def test_a_proof_in_hard_mode_goes_on_and_is_no_other_proof(tmp_path):
    file, game = tmp_path / "part", gamefile.load("3x4", ["hard=true"])
    game = game.with_play({"strategy": "optimal"})
    seen = stopped_after_two_reports(game, file)
    before = file.read_bytes()
    with pytest.raises(LabError, match="nothing was written"):
        tournament.run(
            gamefile.load("3x4").with_play({"strategy": "optimal"}),
            name="3x4",
            execution=Execution(checkpoint=file),
        )
    assert file.read_bytes() == before
    total = tournament.run(game, name="3x4", execution=Execution(checkpoint=file)).bounds.upper
    assert total == tournament.run(game, name="3x4").bounds.upper
    assert seen[-1].lower <= total <= seen[-1].upper


def test_hard_mode_is_not_shared_out(tmp_path):
    game = gamefile.load("3x3", ["hard=true"]).with_play({"strategy": "optimal"})
    with (
        pytest.raises(LabError, match="hard mode is searched on one machine"),
        checkpoint.proving(Player(game), Execution(cluster="tcp://127.0.0.1:1"), print),
    ):
        pass
