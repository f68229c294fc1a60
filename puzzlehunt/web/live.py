"""The live boards of a server: page fragments, followers, and answers about their versions."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import count, zip_longest
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from starlette.exceptions import HTTPException

from puzzlehunt.game.history import History, Item
from puzzlehunt.session.changes import Question
from puzzlehunt.views.elements import Markup, element, paragraphs
from puzzlehunt.views.page import board_rows
from puzzlehunt.views.page.board_rows import Author, RowTrouble
from puzzlehunt.web.board import MOST_ROWS, Submission, TeamBoard
from puzzlehunt.web.snapshot import (
    SECTIONS,
    BoardSnapshot,
    LineResult,
    answer_of,
    rest_of_line,
    section,
)
from puzzlehunt.web.store import Boards
from puzzlehunt.web.workers import WorkerRequestError, Workers

T = TypeVar("T")

_GRACE = 1.0
"""Time for which the answers about an older version are still computed (seconds)."""
_HEARTBEAT = 15.0
"""Interval between comments in a quiet event stream (seconds)."""
_PAUSE = 0.05
"""Pause between two events for a follower (seconds)."""
_SOON = 0.3
"""Time for which changes of who follows are gathered (seconds)."""
_PIECE = 32
"""Rows in a piece of an event: what a follower that reads nothing makes the server keep."""
_MOST_IDLE = 300
"""Number of boards asked for last that stay in memory though nobody follows."""


class _Shown(NamedTuple):
    """HTML that the page shows, and the moment since which it does."""

    html: str
    since: int


class BoardFeed:
    """A board with its followers, which get every change, and its answers.

    What it tells is of one version, while threads may write the next. Who follows, and what was
    answered, is not stored.
    """

    version = -1
    """-1 until the board is read."""
    has_ended = False
    """Whether its streams of events end, and none begins."""
    snapshot: BoardSnapshot
    authors: Mapping[int, Author]
    """The authors of this version's turns, by turn number (from 1)."""

    def __init__(self, board: TeamBoard, workers: Workers) -> None:
        self.board = board
        self.next_board = ""
        """The id of the board of the next game, "" if none has begun."""
        self.followers: dict[object, tuple[str, str, Sequence[str]]] = {}
        """The name of each follower, "" for a guest, the key of their page, and what they type."""
        self.moment = self._began = time.time_ns() // 10**6
        """Grows with all that is shown; what began before was that of an earlier server."""
        self._workers = workers
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self._people_timer: asyncio.TimerHandle | None = None
        self._fragments: dict[str, _Shown] = {}
        self._rows: list[_Shown] = []
        self._marks: Mapping[Item, RowTrouble] = {}
        """What speaks against turns and facts."""
        self._left: tuple[int, Sequence[str]] = (-1, ())
        """A version, and what is left on each of several boards."""
        self._events: dict[int, tuple[str, Sequence[tuple[int, str]]]] = {}
        """Events that lead to this moment, by the moment that a follower has seen."""
        self._page: asyncio.Task[None] | None = None
        """What computes the answers for the page about `_page_version`."""
        self._page_version = -1
        # A long list is drawn again and again; a change may draw each row once more.
        self._row = lru_cache(2 * MOST_ROWS)(board_rows.row_item)

    @property
    def is_pending(self) -> bool:
        """Whether answers for this version are still being computed."""
        return self._page is None or self._page_version != self.version or not self._page.done()

    # Changes.

    async def submit(self, submission: Submission) -> tuple[LineResult, int]:
        """Apply a change or a line; return its result, and the board's version after it.

        Raises the errors of `TeamBoard.submit`, and WorkerRequestError if a worker cannot answer.
        """
        made, version = await self.do(partial(self.board.submit, submission))
        if made.left:
            rest = await self._workers.ask(self.snapshot, rest_of_line, made.pending, made.left)
            if rest.change is not None:
                again = replace(submission, change=rest.change, seen=version, only="")
                _, version = await self.do(partial(self.board.submit, again))
            made = replace(rest, html=made.html + rest.html, text=made.text + rest.text)
        return made, version

    async def begin_next(self, by: str) -> str:
        """Return the id of the next game's board; if none is there, make it, and say who did.

        Raises SessionError.
        """
        board = self.board
        make = partial(board.boards.create, "", board.title, by=by)
        made, _ = await self.do(lambda: self.next_board or make(file=board.game_text()).id)
        if not self.next_board:
            self.next_board = made
            self._show({"next-game": element("b", by or "Somebody") + " began the next game."})
        return made

    async def do(self, act: Callable[[], T]) -> tuple[T, int]:
        """Do something with the board, alone, show what it is then; return result and version."""
        async with self._lock:
            board, before = self.board, self.version
            result, (authors, rows) = await asyncio.to_thread(lambda: (act(), self._draw()))
            status = board.status
            told = status.status, status.by, status.at, status.gone_at, status.before
            closed = board_rows.status_html(*told)
            shown: dict[str, str] = {"board-name": Markup.escape(board.title), "status": closed}
            if before not in (-1, board.version):
                shown |= self._news(self.snapshot.history)
            self.version, self.snapshot, self.authors = board.version, board.snapshot, authors
            self._show(shown, rows)
            if self.version != before:
                self.wake()
                if self.followers:
                    await self.wait_for_answers()
            return result, self.version

    def _draw(self) -> tuple[Mapping[int, Author], Sequence[str]]:
        board, authors = self.board, self.board.authors()
        history = board.session.history
        # A conflict ends with a change of any of its rows, before the new answers are there.
        marks = self._marks if self._marks.keys() <= {*history} else {}
        troubles = {place: marks[item] for place, item in enumerate(history) if item in marks}
        counts = self._left[1] if self._left[0] == board.version else ()
        drawn = board.game, history, authors, troubles, self._row, counts
        return authors, board_rows.row_items(*drawn)

    def _news(self, before: History) -> Mapping[str, str]:
        """Return a sentence on what the newest change did: `news`, or what is `gone` since."""
        board, last = self.board, self.board.entries[-1]
        verb, after = "brought back" if last.undoes else "wrote", board.session.history
        by = Author(last.by, last.at, version=last.version, place=board.people.get(last.by, 0))
        told = board_rows.news_html(board.game, before, after, self.authors, verb, by, last.once)
        return ({"gone": ""} if last.undoes else {}) | told

    # What is shown.

    def _part(self, known: _Shown | None, html: str) -> _Shown:
        """Return the known part of a page, or one that is shown from now on."""
        return known if known and known.html == html else _Shown(html, self.moment + 1)

    def _show(self, fragments: Mapping[str, str], rows: Sequence[str] | None = None) -> None:
        """Show fragments of the page and, if they are given, rows; wake whoever follows them."""
        before, known = (self._fragments, self._rows), self._fragments
        parts = {name: self._part(known.get(name), html) for name, html in fragments.items()}
        self._fragments = known | parts
        if rows is not None:
            pairs = zip_longest(rows, self._rows[: len(rows)])
            self._rows = [self._part(row, html) for html, row in pairs]
        if before != (self._fragments, self._rows):
            self.wake()

    def wake(self) -> None:
        """Wake the followers, who see something new."""
        self.moment += 1
        self._events.clear()
        self._changed.set()
        self._changed = asyncio.Event()

    def fragments(self) -> dict[str, Markup]:
        """Return the fragments of the page by name."""
        rows = Markup("").join(Markup(row.html) for row in self._rows)
        return {"rows": rows, **{n: Markup(one.html) for n, one in self._fragments.items()}}

    # Answers for the page.

    async def wait_for_answers(self, seconds: float = 0.0) -> None:
        """Begin the page's answers for this version if nobody has; wait so long at most."""
        if self._page_version != self.version:
            self._page_version = self.version
            self._page = asyncio.create_task(self._answer_page(self._page))
        if self._page is not None:
            await asyncio.wait([self._page], timeout=seconds)

    async def _answer_page(self, former: "asyncio.Task[None] | None") -> None:
        """Show the answers about this version, unless there is a newer one.

        The `former` ones, of an older version, are ended after a while.
        """
        version, shown, marks = self.version, set[str](), dict[Item, RowTrouble]()
        left = list[str]()
        if former is not None:
            with suppress(Exception):  # it ends then
                await asyncio.wait_for(former, _GRACE)
        try:
            for name in SECTIONS:
                if self.version == version and not shown & {"trouble", "end"}:
                    history = self.snapshot.history
                    html, troubles, counts = await self._workers.ask(self.snapshot, section, name)
                    self._show(html)
                    left += counts
                    shown |= html.keys()
                    marks |= {history.items[at]: trouble for at, trouble in troubles.items()}
        except WorkerRequestError as error:
            shown.add("count")
            self._show({"count": paragraphs(str(error), kind="error")})
        if self.version == version:
            self._show(dict.fromkeys({*SECTIONS, "sentence", "trouble", "end"} - shown, ""))
            before = self._marks, self._left
            self._marks, self._left = marks, (version if left else -1, left)
            if before != (self._marks, self._left):
                await asyncio.shield(self.do(lambda: None))
            self.wake()

    # Followers.

    @property
    def names(self) -> list[str]:
        """The names of those who follow the board, each once, in order."""
        return sorted({name for name, *_ in self.followers.values() if name})

    @property
    def guests(self) -> int:
        """How many follow the board without a name."""
        return sum(not name for name, *_ in self.followers.values())

    def _show_people_soon(self) -> None:
        """Show who is there, once for all who come and go together."""
        if self._people_timer is None:
            self._people_timer = asyncio.get_running_loop().call_later(_SOON, self._show_people)

    def _show_people(self) -> None:
        self._people_timer = None
        known, free = self.board.people, count(len(self.board.people))
        places = {name: known[name] if name in known else next(free) for name in self.names}
        self._show({"people": board_rows.chips(places, self.guests)})

    def show_typing(self, page: str, symbols: Sequence[str]) -> None:
        """Show the symbols that a follower types in the next row."""
        for key, (name, own, _) in self.followers.items():
            if own and own == page:
                self.followers[key] = name, page, symbols
        self.wake()

    async def follow(self, name: str, since: int = 0, page: str = "") -> AsyncIterator[bytes]:
        """Yield server-sent events with what is new, in pieces: at first, since a moment.

        `name` is the follower's nickname, `page` the key of a page that tells what they type.
        A slow follower skips events. Comments keep a quiet connection open.
        """
        key, seen = object(), since if self._began <= since <= self.moment else 0
        self.followers[key] = name, page, ()
        self._show_people_soon()
        try:
            await self.wait_for_answers()
            while not self.has_ended:
                if seen == self.moment:
                    try:
                        await asyncio.wait_for(self._changed.wait(), _HEARTBEAT)
                    except TimeoutError:
                        yield b": still here\n\n"
                    continue
                (head, rows), seen = self._event(seen), self.moment
                for start in range(0, len(rows) or 1, _PIECE):
                    some = json.dumps(rows[start : start + _PIECE])[1:-1]
                    end = "]}}\n\n" if start + _PIECE >= len(rows) else ""
                    yield f"{head}{some}{end}".encode()
                    head = ", "
                await asyncio.sleep(_PAUSE)
        finally:
            del self.followers[key]
            self._show_people_soon()

    def _event(self, seen: int) -> tuple[str, Sequence[tuple[int, str]]]:
        """Return an event with what is new since a moment: its text as far as its rows, and these.

        All followers share it.
        """
        if seen not in self._events:
            fragments = {n: one.html for n, one in self._fragments.items() if one.since > seen}
            told = {
                "version": self.version,
                "pending": self.is_pending,
                "people": self.names,
                "guests": self.guests,
                "typing": [one for one in self.followers.values() if one[2]],
                "fragments": fragments,
            }
            text = f"event: state\nid: {self.version}\nretry: 1000\ndata: {json.dumps(told)[:-1]}"
            rows = [(place, row.html) for place, row in enumerate(self._rows) if row.since > seen]
            head = f'{text}, "items": {{"length": {len(self._rows)}, "changed": ['
            self._events[seen] = head, rows
        return self._events[seen]

    # Questions of programs.

    async def ask(self, question: Question) -> tuple[int, Any]:
        """Return the answer to a question, after the number of the version that it is about.

        Raises WorkerRequestError if a worker could not answer.
        """
        return self.version, await self._workers.ask(self.snapshot, answer_of, question)


class Server:
    """The open boards of a server, and the workers that answer questions about them."""

    def __init__(self, boards: Boards, workers: int, most_connections: int) -> None:
        self.boards = boards
        self.workers = Workers(workers)
        self.most_connections = most_connections
        self.address = ""
        """The address by which other machines know the server, "" if they cannot reach it."""
        self._door = asyncio.Lock()
        self._feeds = WeakValueDictionary[str, BoardFeed]()
        """The feeds of boards that are asked for or followed, by the board's id."""
        self._asked = lru_cache(_MOST_IDLE)(lambda feed: feed)

    async def feed(self, board: TeamBoard) -> BoardFeed:
        """Return the feed of a board, which is read if it is closed. Raises BrokenBoardError."""
        feed = self._feeds.get(board.id) or BoardFeed(board, self.workers)
        self._feeds[board.id] = self._asked(feed)
        if feed.version < 0:
            await feed.do(lambda: board.session)
        return feed

    async def let_in(self) -> None:
        """Let a page follow a board, one every 10 ms: else all others would wait for a crowd.

        Raises HTTPException if too many follow boards, or if the server ends.
        """
        async with self._door:
            following = sum(len(feed.followers) for feed in self._feeds.values())
            if following >= self.most_connections * 3 // 4:
                again = {"Retry-After": "30"}
                raise HTTPException(503, "too many pages follow boards just now", again)
            await asyncio.sleep(0.01)

    def end_streams(self) -> None:
        """End all event streams, and let no connection wait, before the server shuts down."""
        self.most_connections = 0
        for feed in self._feeds.values():
            feed.has_ended = True
            feed.wake()
