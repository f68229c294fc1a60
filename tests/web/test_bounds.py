"""What a visitor may ask in a minute, what a journal keeps, and which changes overtake another."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from puzzlehunt.views.page.board_rows import Author
from puzzlehunt.web import guard, journal
from puzzlehunt.web.board import OutdatedChangeError, Submission, TeamBoard
from puzzlehunt.web.boards import Boards
from puzzlehunt.web.guard import RateLimiter
from puzzlehunt.web.lines import TypedLine


@pytest.fixture
def board(tmp_path: Path) -> TeamBoard:
    return Boards(tmp_path, 5).create("2x3")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(guard, "time", made)
    return made


def test_what_is_not_used_up_adds_up_to_a_minute_and_no_more(clock: Clock) -> None:
    rates = RateLimiter(60)
    assert rates.take("ann")
    clock.now += 24 * 3600
    assert rates.left("ann") == 60
    assert [rates.take("ann") for _ in range(61)] == [True] * 60 + [False]
    clock.now += 1.5
    assert rates.left("ann") == pytest.approx(1.5)
    assert [rates.take("ann") for _ in range(2)] == [True, False]


def test_visitors_have_an_allowance_each_and_nobody_owes_more_than_all(clock: Clock) -> None:
    rates, rng = RateLimiter(10), random.Random(0)
    for _ in range(300):
        visitor = rng.choice(["ann", "bob", "cid"])
        left = rates.left(visitor)
        assert 0 <= left <= 10
        assert rates.take(visitor) == (left >= 1)
        clock.now += rng.choice([0, 0.1, 3, 600])
    assert all(RateLimiter(0).take("ann") for _ in range(100))


@pytest.mark.parametrize("longest", [10, 700, 1_000_000])
def test_a_journal_written_anew_still_ends_with_its_newest_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, longest: int
) -> None:
    monkeypatch.setattr(journal, "_LONGEST", longest)
    path, when = tmp_path / "board.yaml", datetime(2020, 1, 1, tzinfo=UTC)
    kept = journal.Journal(path)
    for version, line in enumerate(["AB *", "BC *", "/drop 1", "CA B", "/undo"], start=1):
        author = Author(("Ann", "Bob")[version % 2], when + timedelta(minutes=version))
        rows = () if line.startswith("/") else (line,)
        entry = journal.Entry(version, author, line, rows)
        kept.write(entry)
        kept.take(entry)
        again = journal.Journal(path)
        assert again.last == kept.last == entry
        assert (again.version, again.token) == (version, kept.token)
        assert again.authors == kept.authors
    assert set(again.authors) == {"AB *", "BC *", "CA B"}


def test_a_row_that_was_not_seen_may_be_completed_and_not_replaced(board: TeamBoard) -> None:
    board.submit(Submission(TypedLine("AB *"), "Ann"))
    seen = board.version
    board.submit(Submission(TypedLine("AB B"), "Bob"))
    with pytest.raises(OutdatedChangeError, match="row 1 is another by now"):
        board.submit(Submission(TypedLine("AB WW"), "Ann", seen=seen))
    board.submit(Submission(TypedLine("AB WW"), "Ann", seen=board.version))
    board.submit(Submission(TypedLine("BC *"), "Bob"))
    board.submit(Submission(TypedLine("BC W"), "Ann", seen=seen))
    lines = [board.session.game.format_turn(turn) for turn in board.session.history.turns]
    assert lines == ["AB WW", "BC W"]
