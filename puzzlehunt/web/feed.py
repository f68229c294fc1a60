"""The live state of a board: page fragments, followers, and answers about its versions."""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from puzzlehunt.game.history import History, Item
from puzzlehunt.session.changes import Question
from puzzlehunt.views.elements import Markup, element, paragraphs
from puzzlehunt.views.page.board_rows import (
    RowTrouble,
    chips,
    news_html,
    row_items,
    row_list,
    status_html,
    what_changed,
)
from puzzlehunt.web.board import MOST_ROWS, StatusName, Submission, TeamBoard
from puzzlehunt.web.snapshot import (
    SECTIONS,
    BoardSnapshot,
    LineResult,
    TypedLine,
    answer_of,
    rest_of_line,
    section,
)
from puzzlehunt.web.workers import Worker, WorkerRequestError, Workers

T = TypeVar("T")

_GRACE = 1.0
"""Least time for a section of the page before a newer version ends its computation (seconds)."""
_LOOK = 0.1
"""Interval between looks whether there is a newer version (seconds)."""
_HEARTBEAT = 15.0
"""Interval between comments that keep a quiet event stream open (seconds)."""
_PAUSE = 0.05
"""Pause between two events for a follower (seconds)."""
_SOON = 0.3
"""Time for which changes of who follows are gathered (seconds)."""
_PIECE = 65_536
"""Largest piece of an event (bytes): what a follower that reads nothing makes the server keep."""
_MOST_ASKED = 50
"""Number of answers kept for each board."""
_KEPT_NEWS = 5
"""Number of newest changes that followers are told about after a lost connection."""


class _Shown(NamedTuple):
    """HTML that the page shows, and the moment since which it does."""

    html: str
    since: int


_NOTHING = _Shown("", 0)


class BoardFeed:
    """A board with its followers (pages and programs that get every change) and its answers.

    What is shown belongs to the version `version`, as `snapshot` has it. Who follows, and what was
    answered, is not stored: a server that is started again knows nothing.
    """

    version = -1
    """-1 until the board is open."""
    snapshot: BoardSnapshot

    def __init__(self, board: TeamBoard, workers: Workers) -> None:
        self.board = board
        self.next_board = ""
        """The id of the board of the next game, "" if none has begun."""
        self.beginning = asyncio.Lock()
        """Held by whoever begins the next game."""
        self.followers: dict[object, str] = {}
        """The name of each follower, "" for a guest, by a key of the stream."""
        self.moment = time.time_ns() // 10**6
        """Grows with all that is shown; what began before was that of an earlier server."""
        self._workers = workers
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self._has_ended = False
        self._people_timer: asyncio.TimerHandle | None = None
        self._fragments: dict[str, _Shown] = {}
        self._rows: list[_Shown] = []
        self._news: deque[tuple[int, _Shown]] = deque(maxlen=_KEPT_NEWS)
        self._drawn: dict[object, Markup] = {}
        """Rows that were drawn before."""
        self._troubles: dict[int, tuple[Item, RowTrouble]] = {}
        """Marks of rows and facts, by place in the history, with the item that each is about."""
        self._begun = self.moment
        self._events: dict[int, Sequence[bytes]] = {}
        """Events that lead to this moment, by the moment that a follower has seen."""
        self._items: dict[int, Sequence[bytes]] = {}
        """The part of them that is about rows: it is the largest, and changes less often."""
        self._answered: BoardSnapshot | None = None
        """The version about which the page's answers are."""
        self._page: asyncio.Task[None] | None = None
        self._asked: dict[tuple[int, Question], asyncio.Task[Any]] = {}
        """The newest answers to programs' questions, by version and question."""

    async def open(self) -> int:
        """Read the board if it is closed; return its version. Raises BrokenBoardError."""
        if self.version < 0 or not self.board.is_open:
            await self._do(lambda: self.board.session)
        return self.version

    @property
    def is_pending(self) -> bool:
        """Whether answers for this version are still being computed."""
        return self._answered is not self.snapshot

    @property
    def is_idle(self) -> bool:
        """Whether the board has no followers and nothing is being computed or written for it."""
        is_working = self._page is not None and not self._page.done()
        return not (self.followers or is_working or self._lock.locked())

    # Changes.

    async def submit(self, submission: Submission) -> tuple[LineResult, int]:
        """Apply a change or a line; return its result, and the board's version after it.

        Raises the errors of `TeamBoard.submit`, and WorkerRequestError if a worker cannot answer.
        """
        change = submission.change
        made, version = await self._do(partial(self.board.submit, submission))
        if made.left:
            line = change if isinstance(change, TypedLine) else TypedLine("")
            line = replace(line, pending=made.pending)
            rest = await self._workers.ask(self.snapshot, rest_of_line, line, made.left)
            if rest.change is not None:
                again = replace(submission, change=rest.change, seen=version, only=None)
                _, version = await self._do(partial(self.board.submit, again))
            made = replace(rest, html=made.html + rest.html, text=made.text + rest.text)
        return made, version

    async def set_status(self, name: str | None, status: StatusName | None, by: str) -> None:
        """Set the board's name and status, and show them. Raises BrokenBoardError."""
        await self._do(partial(self.board.set_status, name, status, by))

    def begin_next(self, board_id: str, by: str) -> None:
        """Note the board of the next game, and tell the followers who began it."""
        self.next_board = board_id
        self._show({"next-game": element("b", by or "Somebody") + " began the next game."})

    async def _do(self, act: Callable[[], T]) -> tuple[T, int]:
        """Do something with the board, alone, and show what it is then.

        Returns the result and the version.
        """
        async with self._lock:
            board, before = self.board, self.version
            result, rows = await asyncio.to_thread(lambda: (act(), self._draw()))
            if before not in (-1, board.version):
                self._tell_news(self.snapshot.history)
            self.version, self.snapshot, status = board.version, board.snapshot, board.status
            closed = status_html(status.status, status.by, status.at, status.gone_at)
            self._show({"board-name": Markup.escape(board.title), "status": closed})
            self._show_rows(rows)
            if self.version != before:
                self._wake()
                if self.followers:
                    self.begin_answers()
            return result, self.version

    def _draw(self) -> Sequence[str]:
        """Return the board's rows as HTML."""
        board, history = self.board, self.board.snapshot.history
        if len(self._drawn) > 2 * MOST_ROWS:
            self._drawn.clear()
        known = dict(enumerate(history.items))
        # A conflict ends with a change of any of its rows, before the new answers are there.
        holds = all(known.get(place) == item for place, (item, _) in self._troubles.items())
        troubles = {place: one for place, (_, one) in self._troubles.items()} if holds else {}
        return row_items(board.game, history, board.authors(), troubles, self._drawn)

    def _tell_news(self, before: History) -> None:
        """Say what the newest change did."""
        board, last = self.board, self.board.last
        assert last is not None
        after, is_undo = board.snapshot.history, bool(last.undoes)
        what, kind = what_changed(board.game, before, after, is_undo=is_undo)
        if what:
            said = news_html(last.by, what, kind, last.version, last.once)
            self._news.append((last.version, _Shown(said, self.moment + 1)))

    # What is shown.

    def _show(self, fragments: Mapping[str, str]) -> None:
        """Show fragments of the page."""
        known, now = self._fragments, self.moment + 1
        new = {
            name: _Shown(html, now)
            for name, html in fragments.items()
            if html != known.get(name, _NOTHING).html
        }
        if new:
            known |= new
            self._wake()

    def _show_rows(self, drawn: Sequence[str]) -> None:
        """Show rows; those that are shown already are not sent again."""
        pairs, now = zip_longest(drawn, self._rows[: len(drawn)]), self.moment + 1
        rows = [old if old and old.html == html else _Shown(html, now) for html, old in pairs]
        if rows != self._rows:
            self._rows = rows
            self._items.clear()
            self._wake()

    def _wake(self) -> None:
        """Wake the followers, who see something new."""
        self.moment += 1
        self._events.clear()
        self._changed.set()
        self._changed = asyncio.Event()

    def fragments(self) -> dict[str, str]:
        """Return the HTML of the page's fragments, by name."""
        rows = row_list([Markup(row.html) for row in self._rows])
        return {"rows": rows, **{name: one.html for name, one in self._fragments.items()}}

    # Answers for the page.

    def begin_answers(self) -> None:
        """Start computing the page's answers for this version if they are not there yet."""
        if self.is_pending and (self._page is None or self._page.done()):
            self._page = asyncio.create_task(self._answer_page())

    async def wait_for_answers(self, seconds: float) -> None:
        """Wait for the page's answers for this version, for `seconds` at most."""
        self.begin_answers()
        if self._page is not None:
            await asyncio.wait([self._page], timeout=seconds)

    async def _answer_page(self) -> None:
        """Show the answers about this version, and about newer ones while somebody follows."""
        while self.is_pending:
            snapshot, shown, troubles = self.snapshot, set[str](), dict[int, RowTrouble]()
            try:
                async with self._workers.lend(self.board.id) as worker:
                    snapshot = self.snapshot
                    for name in SECTIONS:
                        if self.snapshot is snapshot and not shown & {"trouble", "end"}:
                            fragments, marks = await self._section(worker, name)
                            self._show(fragments)
                            shown |= fragments.keys()
                            troubles |= marks
            except WorkerRequestError as error:
                shown.add("count")
                self._show({"count": paragraphs(str(error), kind="error")})
            if self.snapshot is snapshot:
                self._show(dict.fromkeys({*SECTIONS, "sentence", "trouble", "end"} - shown, ""))
                items = snapshot.history.items
                marked = {at: (items[at], one) for at, one in troubles.items()}
                if marked != self._troubles:
                    self._troubles = marked
                    await self._do(lambda: None)
                self._answered = snapshot
                self._wake()
            elif not self.followers:
                return

    async def _section(
        self, worker: Worker, name: str
    ) -> tuple[dict[str, str], dict[int, RowTrouble]]:
        """Return a section of the page; nothing if a newer version ended it after a while."""
        snapshot = self.snapshot
        asked = asyncio.create_task(worker.ask(snapshot, section, name))
        await asyncio.wait([asked], timeout=_GRACE)
        while not asked.done():
            if self.snapshot is not snapshot:
                asked.cancel()
            await asyncio.wait([asked], timeout=_LOOK)
        return ({}, {}) if asked.cancelled() else asked.result()

    # Followers.

    @property
    def names(self) -> list[str]:
        """The names of those who follow the board, each once, in order."""
        return sorted({name for name in self.followers.values() if name})

    @property
    def guests(self) -> int:
        """How many follow the board without a name."""
        return sum(not name for name in self.followers.values())


    def _show_people_soon(self) -> None:
        """Show who is there, once for all who come and go at about the same time."""
        if self._people_timer is None:
            self._people_timer = asyncio.get_running_loop().call_later(_SOON, self._show_people)

    def _show_people(self) -> None:
        self._people_timer = None
        self._show({"people": chips(self.names, self.guests)})

    async def follow(self, name: str, since: int = 0) -> AsyncIterator[bytes]:
        """Yield server-sent events with what is new since a moment, in pieces.

        `name` is the follower's nickname. Events are not queued: a slow follower skips some. If
        nothing changes for a while, a comment keeps the connection open.
        """
        key, seen = object(), since if self._begun <= since <= self.moment else 0
        self.followers[key] = name
        self._show_people_soon()
        try:
            self.begin_answers()
            while not self._has_ended:
                if seen == self.moment:
                    try:
                        await asyncio.wait_for(self._changed.wait(), _HEARTBEAT)
                    except TimeoutError:
                        yield b": still here\n\n"
                    continue
                event, seen = self._event(seen), self.moment
                for piece in event:
                    yield piece
                await asyncio.sleep(_PAUSE)
        finally:
            del self.followers[key]
            self._show_people_soon()

    def end(self) -> None:
        """End all streams of events."""
        self._has_ended = True
        self._wake()

    def _event(self, seen: int) -> Sequence[bytes]:
        """Return an event with what is new since a moment, in pieces, which all followers share."""
        if seen in self._events:
            return self._events[seen]
        before = min(seen, max((row.since for row in self._rows), default=0))
        if before not in self._items:
            new = [(place, row.html) for place, row in enumerate(self._rows) if row.since > before]
            text = json.dumps({"length": len(self._rows), "changed": new}).encode()
            pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
            self._items[before] = pieces
        told = {
            "version": self.version,
            "pending": self.is_pending,
            "people": self.names,
            "guests": self.guests,
            "news": [(version, one.html) for version, one in self._news if one.since > seen],
            "fragments": {n: one.html for n, one in self._fragments.items() if one.since > seen},
        }
        head = f"event: state\nid: {self.version}\nretry: 1000\ndata: {json.dumps(told)[:-1]}"
        event = [f'{head}, "items": '.encode(), *self._items[before], b"}\n\n"]
        self._events[seen] = event if len(event) > 3 else [b"".join(event)]
        return self._events[seen]

    # Questions of programs.

    async def ask(self, question: Question) -> tuple[int, Any]:
        """Return the answer to a question, after the number of the version that it is about.

        Raises WorkerRequestError if a worker could not answer, and BrokenBoardError.
        """
        key, asked = (await self.open(), question), self._asked
        if key not in asked:
            if len(asked) >= _MOST_ASKED:
                del asked[next(iter(asked))]
            asked[key] = asyncio.create_task(self._workers.ask(self.snapshot, answer_of, question))
        try:
            return key[0], await asyncio.shield(asked[key])
        except WorkerRequestError:
            asked.pop(key, None)
            raise
