"""Whatever becomes of a game file, it is a game or refused in one line, and never a traceback."""

from pathlib import Path

from mutated_files import mutated_files, problem_of


def test_a_mutated_game_file_is_a_game_or_refused_in_one_line(tmp_path: Path) -> None:
    problems = [problem_of(content, tmp_path / "game.yaml") for content in mutated_files(1, 2_000)]
    assert [problem for problem in problems if problem] == []
    assert {None, ""} <= {*problems}
