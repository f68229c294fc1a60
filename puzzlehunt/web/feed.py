"""The live state of a board: page fragments, followers, and answers about its versions."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from fastapi.sse import format_sse_event

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
from puzzlehunt.web.snapshot import LineResult, Page, Remainder, TypedLine, WorkerRequest
from puzzlehunt.web.workers import InterruptedAnswerError, Job, WorkerRequestError, Workers

_GRACE = 1.0
"""Least computing time for a version's answers before a newer version ends it (seconds)."""
_HEARTBEAT = 15.0
"""Interval between comments that keep a quiet event stream open (seconds)."""
_PAUSE = 0.05
"""Pause between two events for a follower (seconds)."""
_SOON = 0.3
"""Time for which changes of who follows are gathered, if at most 100 do (seconds)."""
_PIECE = 65_536
"""Largest piece of an event (bytes): what a follower that reads nothing makes the server keep."""
_MOST_ASKED = 50
"""Number of answers kept for each board."""
_KEPT_NEWS = 5
"""Number of newest changes that followers are told about after a lost connection."""
_ANSWERS = {
    "count", "sentence", "trouble",
    "suggestions", "candidates", "certain", "unread", "end",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """What all followers see of a board at one moment; `news` are pairs of a version and HTML."""

    version: int = 0
    is_pending: bool = False
    people: Sequence[str] = ()
    guests: int = 0
    news: Sequence[tuple[int, str]] = ()
    fragments: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[str, ...] = ()


_NOTHING = _View()
"""What a follower has seen at first."""


class BoardFeed:
    """A board with its followers (pages and programs that get every change) and its answers.

    Who follows, and what was answered, is not stored: a server that is started again knows nothing.
    """

    def __init__(self, board: TeamBoard, workers: Workers) -> None:
        self.board = board
        self.next_board = ""
        """The id of the board of the next game, "" if none has begun."""
        self.beginning = asyncio.Lock()
        """Held by whoever begins the next game."""
        self._workers = workers
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self._has_ended = False
        self._followers: dict[object, str] = {}
        self._people_timer: asyncio.TimerHandle | None = None
        self._news: deque[tuple[int, str]] = deque(maxlen=_KEPT_NEWS)
        self._fragments: dict[str, str] = {}
        self._made: dict[object, Markup] = {}
        self._troubles: dict[int, tuple[Item, RowTrouble]] = {}
        """Marks of rows and facts, by place in the history, with the item that each is about."""
        self._drawn: object = None
        """The version, and the marks, that `_rows` are of."""
        self._rows: tuple[str, ...] = ()
        self._drawing = asyncio.Lock()
        self._view: _View | None = None
        """What followers see now; None if it has to be made."""
        self._events: dict[_View, Sequence[bytes]] = {}
        """Events that lead to this view, by the view that a follower has seen."""
        self._items: dict[tuple[str, ...], Sequence[bytes]] = {}
        """What events say of the rows, by the rows that a follower has seen."""
        self._answered_version = -1
        self._page: asyncio.Task[None] | None = None
        self._page_job: Job | None = None
        self._asked: dict[tuple[int, Question], asyncio.Task[Any]] = {}
        """The newest answers to programs' questions, by version and question."""
        self._show_status()

    async def open(self) -> int:
        """Read the board if it is closed; return its newest version. Raises BrokenBoardError."""
        async with self._lock:
            if not self.board.is_open:
                await asyncio.to_thread(lambda: self.board.session)
        return self.board.version

    @property
    def is_pending(self) -> bool:
        """Whether answers for the newest version are still being computed."""
        return self._answered_version != self.board.version

    @property
    def is_idle(self) -> bool:
        """Whether the board has no followers and nothing is being computed or written for it."""
        is_working = self._page is not None and not self._page.done()
        return not (self._followers or is_working or self._lock.locked())

    # Changes.

    async def submit(self, submission: Submission) -> tuple[LineResult, int]:
        """Apply a change or a line; return its result, and the board's version after it.

        Raises the errors of `TeamBoard.submit`, and WorkerRequestError if a worker cannot answer.
        """
        made, version = await self._apply(submission)
        if not made.left:
            return made, version
        line = submission.change if isinstance(submission.change, TypedLine) else TypedLine("")
        left = Remainder(replace(line, pending=made.pending), made.left)
        result = await self._workers.ask(WorkerRequest(self.board.snapshot, left)).result()
        if result.change is not None:
            change = replace(submission, change=result.change, seen=version, only=None)
            _, version = await self._apply(change)
        html, text = made.html + result.html, made.text + result.text
        return replace(result, html=html, text=text), version

    async def _apply(self, submission: Submission) -> tuple[LineResult, int]:
        async with self._lock:
            version = self.board.version
            made = await asyncio.to_thread(self.board.submit, submission)
            if self.board.version != version:
                self._tell_change()
            return made, self.board.version

    async def set_status(self, name: str | None, status: StatusName | None, by: str) -> None:
        """Set the board's name and status, and show them. Raises BrokenBoardError."""
        async with self._lock:
            version = self.board.version
            await asyncio.to_thread(self.board.set_status, name, status, by)
            self._show_status()
            if self.board.version != version:
                self._tell_change()

    def begin_next(self, board_id: str, by: str) -> None:
        """Note the board of the next game, and tell the followers who began it."""
        self.next_board = board_id
        self._show("next-game", element("b", by or "Somebody") + " began the next game.")

    def _show_status(self) -> None:
        status = self.board.status
        self._show("board-name", Markup.escape(self.board.title))
        self._show("status", status_html(status.status, status.by, status.at, status.gone_at))

    def _tell_change(self) -> None:
        """Show a new version, say what was done, and end the answers about the one before.

        They are ended after `_GRACE` seconds of work, so that even a board that changes fast has
        answers.
        """
        board, last = self.board, self.board.last
        before, now = board.history_at(board.version - 1), board.history_at(board.version)
        if last is not None and before is not None and now is not None:
            what, kind = what_changed(board.game, before, now, is_undo=bool(last.undoes))
            if what:
                said = news_html(last.by, what, kind, last.version, last.once)
                self._news.append((last.version, said))
        if (job := self._page_job) is not None:
            loop = asyncio.get_running_loop()
            running = 0.0 if job.began is None else loop.time() - job.began
            loop.call_later(max(0.0, _GRACE - running), self._workers.cancel, job)
        self._wake()
        if self._followers:
            self.begin_answers()

    # Answers for the page.

    def begin_answers(self) -> None:
        """Start computing the page's answers for the newest version if they are not there yet."""
        if self.is_pending and (self._page is None or self._page.done()):
            self._page = asyncio.create_task(self._answer_page())

    async def wait_for_answers(self, seconds: float) -> None:
        """Wait for the page's answers for the newest version, for `seconds` at most."""
        self.begin_answers()
        if self._page is not None:
            await asyncio.wait([self._page], timeout=seconds)

    async def _answer_page(self) -> None:
        while self.is_pending and self._workers.is_open:
            version, shown = self.board.version, set[str]()
            try:
                for page in (Page(), Page(details=True)):
                    if self.board.version == version and not shown & {"trouble", "end"}:
                        task = WorkerRequest(self.board.snapshot, page)
                        self._page_job = self._workers.ask(task)
                        async for name, html in self._page_job.pieces():
                            shown.add(name)
                            if name == "rows":
                                self._mark(html, task.snapshot.history)
                            else:
                                self._show(name, html)
            except WorkerRequestError as error:
                is_interrupted = isinstance(error, InterruptedAnswerError)
                if not is_interrupted or self.board.version == version:
                    shown.add("count")
                    problem = "the answer was interrupted" if is_interrupted else str(error)
                    self._show("count", paragraphs(problem, kind="error"))
            finally:
                self._page_job = None
            if self.board.version == version:
                for name in _ANSWERS - shown:
                    self._show(name, "")
                if "rows" not in shown:
                    self._mark({}, History())
                self._answered_version = version
                self._wake()
            elif not self._followers:
                return

    def _show(self, name: str, html: str) -> None:
        if self._fragments.get(name) != html:
            self._fragments[name] = html
            self._wake()

    def _mark(self, troubles: Mapping[int, RowTrouble], history: History) -> None:
        """Mark rows and facts of a history, and no others; unchanged rows are not sent again."""
        marked = {place: (history.items[place], one) for place, one in troubles.items()}
        if marked != self._troubles:
            self._troubles = marked
            self._wake()

    # Followers.

    @property
    def names(self) -> list[str]:
        """The names of those who follow the board, each once, in order."""
        return sorted({name for name in self._followers.values() if name})

    @property
    def guests(self) -> int:
        """How many follow the board without a name."""
        return sum(not name for name in self._followers.values())

    @property
    def followers(self) -> int:
        return len(self._followers)

    def come(self, key: object, name: str) -> None:
        """Note a follower, known by a key."""
        self._followers[key] = name
        self._show_people_soon()

    def go(self, key: object) -> None:
        """Forget a follower."""
        del self._followers[key]
        self._show_people_soon()

    def _show_people_soon(self) -> None:
        """Show who is there, once for all who come and go at about the same time."""
        if self._people_timer is None:
            loop = asyncio.get_running_loop()
            crowd = max(1.0, self.followers / 100)
            self._people_timer = loop.call_later(_SOON * crowd, self._show_people)

    def _show_people(self) -> None:
        self._people_timer = None
        self._show("people", chips(self.names, self.guests))

    async def follow(self, name: str) -> AsyncIterator[bytes]:
        """Yield server-sent events whenever something changes, in pieces.

        `name` is the follower's nickname. Events are not queued: a slow follower skips some. If
        nothing changes for a while, a comment keeps the connection open.
        """
        key, seen = object(), _NOTHING
        self.come(key, name)
        try:
            self.begin_answers()
            while not self._has_ended:
                changed, now = self._changed, await self._seen_now()
                if now is seen:
                    try:
                        await asyncio.wait_for(changed.wait(), _HEARTBEAT)
                    except TimeoutError:
                        yield format_sse_event(comment="still here")
                    continue
                event, seen = self._event(seen, now), now
                for piece in event:
                    yield piece
                await asyncio.sleep(_PAUSE)
        finally:
            self.go(key)

    def end(self) -> None:
        """End all streams of events."""
        self._has_ended = True
        self._wake()

    def _wake(self) -> None:
        """Wake the followers, who see something new."""
        self._view = None
        self._changed.set()
        self._changed = asyncio.Event()

    async def fragments(self) -> dict[str, str]:
        """Return the HTML of the page's fragments, by name."""
        view = await self._seen_now()
        return {"rows": row_list([Markup(row) for row in view.rows]), **view.fragments}

    async def _seen_now(self) -> _View:
        """Return what all followers see now, which is made once for all of them."""
        if self._view is None:
            async with self._drawing:
                if not self._made:
                    # All rows are drawn once, and changes do not wait for that.
                    await asyncio.to_thread(self._draw)
                while self._drawn != (drawn := (self.board.version, self._troubles)):
                    # The board is not changed meanwhile.
                    async with self._lock:
                        rows = await asyncio.to_thread(self._draw)
                    self._rows, self._drawn = rows, drawn
                    self._items.clear()
        if self._view is None:
            self._events.clear()
            self._view = _View(
                self.board.version, self.is_pending, self.names, self.guests, tuple(self._news),
                dict(self._fragments), self._rows,
            )  # fmt: skip
        return self._view

    def _draw(self) -> tuple[str, ...]:
        """Return the rows of the newest version as HTML."""
        board, history = self.board, self.board.snapshot.history
        if len(self._made) > 2 * MOST_ROWS:
            self._made.clear()
        known = dict(enumerate(history.items))
        # A conflict ends with a change of any of its rows, before the new answers are there.
        holds = all(known.get(place) == item for place, (item, _) in self._troubles.items())
        troubles = {place: one for place, (_, one) in self._troubles.items()} if holds else {}
        return tuple(row_items(board.game, history, board.authors(), troubles, self._made))

    def _event(self, seen: _View, now: _View) -> Sequence[bytes]:
        """Return a server-sent event with what has changed since a view, in pieces.

        The pieces are made once for all followers, and shared by all who wait for them.
        """
        if seen in self._events:
            return self._events[seen]
        if seen.rows not in self._items:
            rows = enumerate(zip_longest(now.rows, seen.rows[: len(now.rows)]))
            changed = [(place, new) for place, (new, old) in rows if new != old]
            self._items[seen.rows] = _pieces({"length": len(now.rows), "changed": changed})
        known = seen.fragments
        told = {
            "version": now.version,
            "pending": now.is_pending,
            "people": now.people,
            "guests": now.guests,
            "news": [one for one in now.news if one not in seen.news],
            "fragments": {n: html for n, html in now.fragments.items() if known.get(n) != html},
        }
        head = f"event: state\nid: {now.version}\nretry: 1000\ndata: {json.dumps(told)[:-1]}"
        event = [f'{head}, "items": '.encode(), *self._items[seen.rows], b"}\n\n"]
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
            job = self._workers.ask(WorkerRequest(self.board.snapshot, question))
            asked[key] = asyncio.create_task(job.result())
        try:
            return key[0], await asyncio.shield(asked[key])
        except WorkerRequestError:
            asked.pop(key, None)
            raise


def _pieces(value: object) -> Sequence[bytes]:
    text = json.dumps(value).encode()
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
