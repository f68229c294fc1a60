"""A change is made as a whole or not at all, and its file knows it, wherever Ctrl-C comes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from interrupts import interrupted_everywhere
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.changes import DropRow, ReplaceHistory
from puzzlehunt.session.session import Session

CHANGES: dict[str, Callable[[Session], object]] = {
    "a row": lambda session: session.play("BB W"),
    "a row completed": lambda session: session.play("AC B"),
    "drop": lambda session: session.apply(DropRow(1)),
    "undo": Session.undo,
}


@pytest.mark.parametrize(
    ("name", "step"),
    [
        *[("a row", 9), ("undo", 9)],
        *[pytest.param(name, 1, marks=pytest.mark.slow) for name in CHANGES],
    ],
)
def test_a_change_is_in_the_file_or_said_not_to_be(name: str, step: int, tmp_path: Path) -> None:
    change, path = CHANGES[name], tmp_path / "s.yaml"
    session = Session(gamefile.load("2x3", ["turns=[AB B, AC *]"]), "2x3")
    session.keep_in(path)
    before = session.history
    change(session)
    after = session.history
    session.apply(ReplaceHistory(before))
    interrupts = 0
    for _ in interrupted_everywhere(lambda: change(session), "session", step=step):
        interrupts += 1
        assert session.history in (before, after)
        in_file = gamefile.load(path).history
        assert in_file == session.history or session.unsaved is not None
        session.save_interrupted()
        assert session.unsaved is None
        assert gamefile.load(path).history == session.history
        assert session.engine.items == session.history.items
        session.apply(ReplaceHistory(after))
        session.apply(ReplaceHistory(before))
    assert interrupts > 5
    assert session.history == after
    session.redo() if change is Session.undo else session.undo()
    assert session.history == before
