"""Whatever becomes of a game file, it is a game or refused in one line, and never a traceback."""

from pathlib import Path

from mutated_files import mutated_texts, problem_of


def test_a_mutated_game_file_is_a_game_or_refused_in_one_line(tmp_path: Path) -> None:
    problems = [problem_of(text, tmp_path / "game.yaml") for text in mutated_texts(1, 600)]
    assert [problem for problem in problems if problem] == []
    assert {None, ""} <= {*problems}
