"""What a running server holds: its boards, its workers, and what was said lately."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass

from puzzlehunt.web.boards import Board, Boards
from puzzlehunt.web.live import LiveBoard
from puzzlehunt.web.refusals import Refusal
from puzzlehunt.web.workers import Workers

_MOST_SAID = 500
"""How many answers to lines are kept, for the page that follows or for a line that comes again."""
_MOST_TEXT = 20_000_000
"""How long these answers may be, all together (characters)."""
_MOST_FOLLOWERS = 3_000
"""How many pages may follow all boards together."""
_MOST_LIVE = 300
"""How many boards are kept open."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a line did: for the page that a browser asks for next, or for a line sent again."""

    html: str
    standing: str = ""
    line: str = ""


class Server:
    """The boards that are open, and the workers that answer questions about them."""

    def __init__(self, boards: Boards, workers: int) -> None:
        self.boards = boards
        self.workers = Workers(workers)
        self._live: OrderedDict[str, LiveBoard] = OrderedDict()
        self._replies: OrderedDict[str, Reply] = OrderedDict()
        self._text = 0
        """How long these replies are, all together (characters)."""

    def board(self, board_id: str) -> LiveBoard:
        """Return the board of an address's last part. Raises Refusal where there is none."""
        board = self.boards.find(board_id)
        if board is None:
            raise Refusal(404, "there is no board with this address")
        return self.live(board)

    def live(self, board: Board) -> LiveBoard:
        """Return a board as everybody sees it now."""
        live = self._live.pop(board.name, None)
        if live is None:
            live = LiveBoard(board, self.workers)
        self._live[board.name] = live
        idle = (name for name, one in self._live.items() if one.is_idle)
        while len(self._live) > _MOST_LIVE and (name := next(idle, None)) is not None:
            self._live.pop(name).board.close()
            idle = (name for name, one in self._live.items() if one.is_idle)
        return live

    @property
    def is_full(self) -> bool:
        """Whether so many pages follow boards that no more may."""
        return sum(live.followers for live in self._live.values()) >= _MOST_FOLLOWERS

    def forget(self, board: Board) -> None:
        """Remove a board that was not begun well."""
        self._live.pop(board.name, None)
        self.boards.remove(board)

    def close(self) -> None:
        """End the workers, and let go of all files."""
        self.workers.close()
        self.boards.close()

    def keep_reply(self, reply: Reply, name: str = "") -> str:
        """Keep a reply; return the name by which it is found again, by default a new one."""
        name = name or secrets.token_urlsafe(12)
        if (former := self._replies.pop(name, None)) is not None:
            self._text -= len(former.html)
        self._replies[name] = reply
        self._text += len(reply.html)
        while len(self._replies) > _MOST_SAID or (self._text > _MOST_TEXT and self._replies):
            self._text -= len(self._replies.popitem(last=False)[1].html)
        return name

    def reply(self, name: str) -> Reply | None:
        """Return a reply that was kept, None where it is gone."""
        return self._replies.get(name)
