"""A server that is killed loses nothing; answers are of one version, and right."""

from pathlib import Path

from team_attacks import kills, readers


def test_a_server_that_is_killed_loses_no_row(tmp_path: Path) -> None:
    counts = kills(5, 3, tmp_path)
    assert counts["kills"] == 5
    assert counts["rows acknowledged"] > 5
    bad = ("rows lost", "rows nobody sent", "files broken", "boards that moved")
    assert [counts[name] for name in bad] == [0, 0, 0, 0]


def test_each_answer_is_that_of_the_library_for_its_version(tmp_path: Path) -> None:
    counts = readers(500, 3, tmp_path)
    assert counts["compared"] > 200
    assert counts["different"] == 0
    assert counts["refused"] == 0
