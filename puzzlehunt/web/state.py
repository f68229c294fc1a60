"""The state of a running server: its open boards, and its workers."""

import asyncio

from puzzlehunt.errors import PuzzlehuntError, unknown_name
from puzzlehunt.game.files import gamefile
from puzzlehunt.web.board import LONGEST_LINE, Submission, TeamBoard
from puzzlehunt.web.feed import BoardFeed
from puzzlehunt.web.guard import HttpError, http_error_of
from puzzlehunt.web.snapshot import TypedLine, build_upload
from puzzlehunt.web.store import Boards
from puzzlehunt.web.workers import Workers

_MOST_FOLLOWERS = 300
_SPACING = 0.01
"""Least time between two pages that begin to follow boards (seconds)."""
_MOST_OPEN = 300
"""Number of boards that are kept in memory, with their feeds."""


def check_game(name: str) -> None:
    """Raise PuzzlehuntError if a name is neither a built-in game nor a size, such as a path."""
    if not name:
        raise HttpError(422, "which game? choose one, or upload a game file")
    if name not in gamefile.built_in_games() and not gamefile.is_size(name):
        raise unknown_name("game", name, gamefile.built_in_games())


class Server:
    """The open boards of a server, and the workers that answer questions about them."""

    def __init__(self, boards: Boards, workers: int, most_connections: int) -> None:
        self.boards = boards
        self.workers = Workers(workers)
        self.most_connections = most_connections
        self._cleaner: asyncio.Task[None] | None = None
        self._live: dict[str, BoardFeed] = {}
        """The feeds of the boards that are kept in memory, the one asked for last at the end."""
        self._door = asyncio.Lock()
        """Held by the next page that will follow a board."""
        self._coming = 0
        self._has_ended = False

    def board(self, board_id: str, *, writes: bool = False) -> BoardFeed:
        """Return the feed of the board with an id, the last part of the board's address.

        Raises HttpError if there is no such board, if the request `writes` and the address only
        looks, or if too many boards are followed.
        """
        found = self.boards.find(board_id)
        if found is None:
            raise HttpError(404, "there is no board with this address")
        board, may_write = found
        if writes and not may_write:
            raise HttpError(403, "this link only looks; ask your team for the link that writes")
        return self.live(board)

    async def create(self, game: str, file: str, name: str, rows: str, by: str) -> BoardFeed:
        """Create a board and return its feed.

        The board is that of `file` (the text of a game file) or, if `file` is "", of the built-in
        game or size `game`. Raises PuzzlehuntError if the board or its pasted `rows` are refused;
        no board is left then.
        """
        if len(rows) > LONGEST_LINE:
            raise HttpError(422, f"at most {LONGEST_LINE:,} characters can be pasted at once")
        if file.strip():
            await self.workers.ask(None, build_upload, file)
            board = await asyncio.to_thread(self.boards.upload, file, name)
        else:
            check_game(game.strip())
            board = await asyncio.to_thread(self.boards.create, game.strip(), name)
        live = self.live(board)
        if rows.strip():
            try:
                result, _ = await live.submit(Submission(TypedLine(rows), by))
                failed = "" if result.failed is None else result.failed.message
            except PuzzlehuntError as error:
                failed = str(http_error_of(error))
            if failed:
                self._live.pop(board.name, None)
                self.boards.remove(board.name)
                raise HttpError(422, f"the rows cannot be read: {failed}")
        return live

    def live(self, board: TeamBoard) -> BoardFeed:
        """Return the feed of a board. If too many boards are open, idle ones are closed.

        Raises HttpError if too many boards are open and none is idle.
        """
        live = self._live.pop(board.name, None)
        if live is None:
            for name, known in list(self._live.items()):
                if len(self._live) >= _MOST_OPEN and known.is_idle:
                    self._live.pop(name).board.close()
            if len(self._live) >= _MOST_OPEN:
                sentence = "too many boards are followed just now"
                raise HttpError(503, sentence, {"Retry-After": "30"})
            live = BoardFeed(board, self.workers)
        self._live[board.name] = live
        return live

    def may_follow(self, live: BoardFeed) -> bool:
        """Return whether one more page may follow a board."""
        followed = self._coming + sum(len(one.followers) for one in self._live.values())
        return len(live.followers) < _MOST_FOLLOWERS and followed < self.most_connections * 3 // 4

    async def let_in(self) -> None:
        """Wait until one more page may begin to follow a board: a crowd does so one by one.

        Else, whoever asks anything else would wait for all of them. Raises HttpError if as many
        wait as may follow boards at once, or if the server ends.
        """
        if self._coming < self.most_connections * 3 // 4:
            self._coming += 1
            try:
                async with self._door:
                    if not self._has_ended:
                        await asyncio.sleep(_SPACING)
                        return
            finally:
                self._coming -= 1
        raise HttpError(503, "too many pages come at once", {"Retry-After": "30"})

    def open(self) -> None:
        """Start the workers and the removal of deleted boards. An event loop must be running."""
        self.workers.open()
        self._cleaner = asyncio.create_task(self._purge())

    async def _purge(self) -> None:
        """Remove the boards that were deleted a day ago, every hour."""
        while True:
            for name in await asyncio.to_thread(self.boards.purge):
                if (feed := self._live.pop(name, None)) is not None:
                    feed.end()
            await asyncio.sleep(3_600)

    def end_streams(self) -> None:
        """End all event streams, so that the server can shut down."""
        self._has_ended = True
        for live in self._live.values():
            live.end()

    def close(self) -> None:
        """End the workers, and close the file of boards."""
        if self._cleaner is not None:
            self._cleaner.cancel()
        self.workers.close()
        self.boards.close()
