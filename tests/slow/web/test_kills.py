"""A server killed at any line of a change: the change is made once, and is whole."""

from pathlib import Path

import pytest

from board_kills import CHANGES, check_killed

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize("room", ["web", "session", "game/files"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_that_comes_again_after_a_kill_is_made_once(
    tmp_path: Path, change: str, room: str
) -> None:
    assert check_killed(CHANGES[change], tmp_path, step=STEPS[room], room=room) > 4


STEPS = {"web": 13, "session": 31, "game/files": 97}
