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
from puzzlehunt.views.page.board_rows import RowTrouble, row_items, row_list
from puzzlehunt.views.page.people import status_html
from puzzlehunt.web.board import MOST_ROWS, BrokenBoardError, Submission, TeamBoard
from puzzlehunt.web.presence import Presence
from puzzlehunt.web.snapshot import IsWon, LineResult, Page, Remainder, TypedLine, WorkerRequest
from puzzlehunt.web.store import StatusName
from puzzlehunt.web.workers import InterruptedAnswerError, Job, WorkerRequestError, Workers

_GRACE = 1.0
"""Least computing time for a version's answers before a newer version ends it (seconds)."""
_HEARTBEAT = 15.0
"""Interval between comments that keep a quiet event stream open (seconds)."""
_PAUSE = 0.05
"""Pause between two events for a follower (seconds)."""
_PIECE = 65_536
"""Largest piece of an event (bytes): what a follower that reads nothing makes the server keep."""
_MOST_TRIES = 4
"""Attempts to answer a question if newer versions of the board keep interrupting it."""
_MOST_ASKED = 50
"""Number of answers kept for each board."""
_KEPT_NEWS = 5
"""Number of newest changes that followers are told about after a lost connection."""
_ANSWERS = [
    "count", "sentence", "trouble",
    "suggestions", "candidates", "certain", "unread", "end",
]  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """What all followers see of a board at one moment; `news` are pairs of a version and HTML."""

    version: int = 0
    is_pending: bool = False
    people: Sequence[str] = ()
    guests: int = 0
    news: Sequence[tuple[int, str]] = ()
    fragments: Mapping[str, str] = field(default_factory=dict)
    rows: Sequence[str] = ()

    def event_after(self, before: "_View") -> bytes:
        """Return a server-sent event with what has changed since another view."""
        rows = zip_longest(self.rows, before.rows[: len(self.rows)])
        known = before.fragments
        event = {
            "version": self.version,
            "pending": self.is_pending,
            "people": self.people,
            "guests": self.guests,
            "news": [one for one in self.news if one not in before.news],
            "fragments": {n: html for n, html in self.fragments.items() if known.get(n) != html},
            "items": {
                "length": len(self.rows),
                "changed": [(place, new) for place, (new, old) in enumerate(rows) if new != old],
            },
        }
        return format_sse_event(
            event="state", id=str(self.version), data_str=json.dumps(event), retry=1000
        )


_NOTHING = _View()
"""What a follower has seen at first."""


class BoardFeed:
    """A board with its followers (pages and programs that get every change) and its answers."""

    def __init__(self, board: TeamBoard, workers: Workers) -> None:
        self.board = board
        self._workers = workers
        self._lock = asyncio.Lock()
        self._fragments: dict[str, str] = {}
        self._made: dict[object, Markup] = {}
        self._rows: list[Markup] | None = None
        """The rows of the newest version as HTML; None if they have to be made."""
        self._view: _View | None = None
        """What followers see now; None if it has to be made."""
        self._events: dict[_View, bytes] = {}
        """Events that lead to this view, by the view that a follower has seen."""
        self._troubles: dict[int, tuple[Item, RowTrouble]] = {}
        """Marks of rows and facts, by place in the history, with the item that each is about."""
        self._answered_version = -1
        self._page: asyncio.Task[None] | None = None
        self._page_job: Job | None = None
        self._changed = asyncio.Event()
        self.presence = Presence(self._show)
        self._news: deque[tuple[int, str]] = deque(maxlen=_KEPT_NEWS)
        """What the newest changes did: the version of each, and HTML."""
        self._has_ended = False
        self._asked: dict[tuple[int, Question | IsWon], asyncio.Task[Any]] = {}
        """The newest answers to programs' questions, by version and question."""
        self.next_board = ""
        """The id of the board of the next game, "" if none has begun."""
        self._show_status()

    def begin_next(self, board_id: str, by: str) -> None:
        """Note the board of the next game, and tell the followers who began it."""
        self.next_board = board_id
        self._show("next-game", element("b", by or "Somebody") + " began the next game.")

    @property
    def is_pending(self) -> bool:
        """Whether answers for the newest version are still being computed."""
        return self._answered_version != self.board.version

    async def open(self) -> int:
        """Read the board if it is closed; return its newest version. Raises BrokenBoardError."""
        async with self._lock:
            if not self.board.is_open:
                await asyncio.to_thread(lambda: self.board.session)
        return self.board.version

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
            return made, self._after(version)

    async def set_status(self, name: str | None, status: StatusName | None, by: str) -> None:
        """Set the board's name and status, and show them. Raises BrokenBoardError."""
        async with self._lock:
            version = self.board.version
            await asyncio.to_thread(self.board.set_status, name, status, by)
            self._show_status()
            self._after(version)

    def _show_status(self) -> None:
        status = self.board.status
        self._show("board-name", Markup.escape(self.board.title))
        self._show("status", status_html(status.status, status.by, status.at, status.gone_at))

    def _after(self, version: int) -> int:
        """Return the newest version; if it is not `version`, cancel the answers for older ones.

        They are cancelled after `_GRACE` seconds of work, so that even a board that changes fast
        has answers.
        """
        if self.board.version != version:
            self._rows = None
            self._wake()
            self._tell_news()
            if (job := self._page_job) is not None:
                loop = asyncio.get_running_loop()
                running = 0.0 if job.began is None else loop.time() - job.began
                loop.call_later(max(0.0, _GRACE - running), self._workers.cancel, job)
            if self.followers:
                self.begin_answers()
        return self.board.version

    def _tell_news(self) -> None:
        board, last = self.board, self.board.last
        before, now = board.history_at(board.version - 1), board.history_at(board.version)
        if last is None or before is None or now is None:
            return
        if said := self.presence.news(board.game, last, before, now):
            self._news.append((last.version, said))

    def _wake(self) -> None:
        """Wake the followers, who see something new."""
        self._view = None
        self._changed.set()
        self._changed = asyncio.Event()

    # Answers for the page.

    def begin_answers(self) -> None:
        """Start computing the page's answers for the newest version if they are not there yet."""
        if self.is_pending and (self._page is None or self._page.done()):
            self._page = asyncio.create_task(self._answer_page())

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
            except BrokenBoardError:
                return
            except WorkerRequestError as error:
                is_interrupted = isinstance(error, InterruptedAnswerError)
                if not is_interrupted or self.board.version == version:
                    shown.add("count")
                    problem = "the answer was interrupted" if is_interrupted else error
                    self._show_error("count", problem)
            finally:
                self._page_job = None
            if self.board.version == version:
                for name in set(_ANSWERS) - shown:
                    self._show(name, "")
                if "rows" not in shown:
                    self._mark({}, History())
                self._answered_version = version
                self._wake()
            elif not self.followers:
                return

    def _show(self, name: str, html: str) -> None:
        if self._fragments.get(name) != html:
            self._fragments[name] = html
            self._wake()

    def _mark(self, troubles: Mapping[int, RowTrouble], history: History) -> None:
        """Mark rows and facts of a history, and no others; unchanged rows are not sent again."""
        marked = {place: (history.items[place], one) for place, one in troubles.items()}
        if marked != self._troubles:
            self._troubles, self._rows = marked, None
            self._wake()

    def _show_error(self, name: str, error: object) -> None:
        self._show(name, paragraphs(str(error), kind="error"))

    async def wait_for_answers(self, seconds: float) -> None:
        """Wait for the page's answers for the newest version, for `seconds` at most."""
        self.begin_answers()
        if self._page is not None:
            await asyncio.wait([self._page], timeout=seconds)

    def fragments(self) -> dict[str, str]:
        """Return the HTML of the page's fragments, by name."""
        view = self._seen_now()
        return {"rows": row_list([Markup(row) for row in view.rows]), **view.fragments}

    def _made_rows(self) -> list[Markup]:
        """Return the rows of the newest version as HTML. Raises BrokenBoardError."""
        session = self.board.session
        if len(self._made) > 2 * MOST_ROWS:
            self._made.clear()
        history = session.history
        known = dict(enumerate(history.items))
        # A conflict ends with a change of any of its rows, before the new answers are there.
        holds = all(known.get(place) == item for place, (item, _) in self._troubles.items())
        troubles = {place: one for place, (_, one) in self._troubles.items()} if holds else {}
        authors = {
            number: replace(author, colour=self.presence.colour(author.name))
            for number, author in self.board.authors().items()
        }
        return row_items(session.game, history, authors, troubles, self._made)

    # Followers.

    @property
    def is_idle(self) -> bool:
        """Whether the board has no followers and nothing is being computed or written for it."""
        is_working = self._page is not None and not self._page.done()
        return not (self.followers or is_working or self._lock.locked())

    @property
    def followers(self) -> int:
        return len(self.presence)

    async def follow(self, name: str) -> AsyncIterator[bytes]:
        """Yield server-sent events whenever something changes, in pieces.

        `name` is the follower's nickname. Events are not queued: a slow follower skips some. If
        nothing changes for a while, a comment keeps the connection open.
        """
        key, seen = object(), _NOTHING
        self.presence.come(key, name)
        try:
            self.begin_answers()
            while not self._has_ended:
                changed = self._changed
                now = self._seen_now()
                if now is seen:
                    try:
                        await asyncio.wait_for(changed.wait(), _HEARTBEAT)
                    except TimeoutError:
                        yield format_sse_event(comment="still here")
                    continue
                event, seen = self._event(seen, now), now
                for start in range(0, len(event), _PIECE):
                    yield event[start : start + _PIECE]
                await asyncio.sleep(_PAUSE)
        finally:
            self.presence.go(key)

    def end(self) -> None:
        self._has_ended = True
        self._wake()

    def _seen_now(self) -> _View:
        """Return what all followers see now."""
        if self._view is None:
            if self._rows is None:
                try:
                    self._rows = self._made_rows()
                except BrokenBoardError as error:
                    self._show_error("trouble", error)
            people, guests = self.presence.names, self.presence.guests
            self._events.clear()
            self._view = _View(
                self.board.version, self.is_pending, people, guests, tuple(self._news),
                dict(self._fragments), self._rows or (),
            )  # fmt: skip
        return self._view

    def _event(self, seen: _View, now: _View) -> bytes:
        """Return the event from one view to the newest, which is made once for all followers."""
        if seen not in self._events:
            self._events[seen] = now.event_after(seen)
        return self._events[seen]

    # Questions of programs.

    async def ask(self, question: Question | IsWon) -> tuple[int, Any]:
        """Return the answer to a question, after the number of the version that it is about.

        Raises WorkerRequestError if a worker could not answer, and BrokenBoardError.
        """
        asked = self._asked
        for _ in range(_MOST_TRIES):
            key = await self.open(), question
            if key not in asked:
                while len(asked) >= _MOST_ASKED:
                    asked.pop(next(iter(asked)))
                job = self._workers.ask(WorkerRequest(self.board.snapshot, question))
                asked[key] = asyncio.create_task(job.result())
            try:
                return key[0], await asyncio.shield(asked[key])
            except WorkerRequestError as error:
                asked.pop(key, None)
                if not isinstance(error, InterruptedAnswerError):
                    raise
        raise InterruptedAnswerError
