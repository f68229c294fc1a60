"""Changes of a session, interrupted wherever Ctrl-C may come."""

from collections.abc import Callable
from pathlib import Path

from interrupts import interrupted_everywhere
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.changes import DropRow, ReplaceHistory
from puzzlehunt.session.session import Session

CHANGES: dict[str, Callable[[Session], object]] = {
    "a row": lambda session: session.play(session.game.parse_turn("BB W")),
    "a row completed": lambda session: session.play(session.game.parse_turn("AC B")),
    "drop": lambda session: session.apply(DropRow(1)),
    "undo": Session.undo,
}


def check_interrupted(change: Callable[[Session], object], path: Path, step: int) -> None:
    """Assert that a change of a session in a file is made whole or not at all, and then again."""
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
