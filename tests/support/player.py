"""Somebody who types lines in a conversation, and keeps what they printed."""

from collections.abc import Callable, Iterable
from functools import cache
from io import StringIO
from typing import TypeAlias

from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import settings_document
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.file_store import kept_settings
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.session import Session
from puzzlehunt.views.page.board_rows import RowTrouble
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.terminal import print_outcome, prompt
from puzzlehunt.web.snapshot import SECTIONS, section

_load = cache(gamefile.load)
_OPENINGS = {
    "cryptic": ("play.opening=TARES", "play.strategy=first"),
    "nethack": ("play.opening=AABCD", "play.strategy=first"),
    "nerdle": ("play.opening=48-32=16", "play.strategy=entropy"),
    "primel": ("play.opening=12953", "play.strategy=entropy"),
    "peaks": ("play.opening=PILES", "play.strategy=entropy"),
    **dict.fromkeys(
        ["wordle", "dordle", "quordle", "octordle"],
        ("play.opening=CRANE", "play.strategy=first"),
    ),
    **dict.fromkeys(
        ["mastermind", "jotto", "liar", "bulls-and-cows", "4x6", "4x26"], ("play.strategy=first",)
    ),
}
"""A first guess, so that it need not be found each time, and in most games the first candidate
behind it: whoever tests what is suggested says by which strategy."""


def page_of(session: Session) -> tuple[dict[str, str], dict[int, RowTrouble]]:
    """Return all fragments of a board's page, and the rows that it marks."""
    fragments, marked = dict[str, str](), dict[int, RowTrouble]()
    for name in SECTIONS:
        if not fragments.keys() & {"trouble", "end"}:
            shown, troubles, _ = section(session, name, 60)
            fragments |= shown
            marked |= troubles
    return fragments, marked


class KeptScreen(Screen):
    """A screen that keeps what is printed on it."""

    def __init__(self) -> None:
        self._streams = StringIO(), StringIO()
        super().__init__(*self._streams)

    def show(self, dialogue: Conversation, outcomes: Iterable[Outcome]) -> list[Outcome]:
        """Print the outcomes of a dialogue, and return them."""
        shown = []
        for outcome in outcomes:
            print_outcome(outcome, self, dialogue.game)
            shown.append(outcome)
        return shown

    def take(self) -> tuple[str, str]:
        """Return the results and the notes that were printed since they were taken last."""
        results, notes = (stream.getvalue() for stream in self._streams)
        for stream in self._streams:
            stream.seek(0)
            stream.truncate()
        return results, notes


class Player:
    """Types lines, and keeps what the last of them printed.

    One who is `quiet` is not told where the game stands, and opens no engine; `suggested` is what
    was suggested to them.
    """

    def __init__(
        self,
        game: str | Session,
        coach: bool = False,
        settings: tuple[str, ...] = (),
        *,
        quiet: bool = False,
        suggested: str = "",
    ) -> None:
        if isinstance(game, Session):
            self.session = game
        else:
            settings = settings or _OPENINGS.get(game, ())
            kept = kept_settings(settings_document(settings))
            self.session = Session(_load(game, settings), game, kept)
        self.screen = KeptScreen()
        told = "nothing" if quiet else "count" if coach else "status"
        self.conversation = Conversation(self.session, told)
        if not quiet:
            self.screen.show(self.conversation, self.conversation.start())
        if suggested:
            self.conversation.suggested = self.session.game.parse_guess(suggested)
        self.greeting, self.first_notes = self.screen.take()
        self.out = self.notes = ""
        self.outcomes: list[Outcome] = []

    def say(self, *lines: str) -> "Player":
        """Type lines; `out` and `notes` are what they printed, `outcomes` what the last did."""
        self.screen.take()
        for line in lines:
            self.outcomes = self.screen.show(self.conversation, self.conversation.handle(line))
        self.out, self.notes = self.screen.take()
        return self

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        return prompt(self.conversation.game, self.conversation.expected_line)

    @property
    def rows(self) -> list[str]:
        """The rows as the session would write them."""
        return [format_turn(self.session.game, turn) for turn in self.session.history.turns]

    @property
    def suggested(self) -> str:
        """The guess that was suggested last."""
        code = self.conversation.suggested
        return "" if code is None else self.session.game.format_code(code)


Opened: TypeAlias = Callable[..., Player]
"""The fixture `opened` of tests of session files: lets somebody type in the session of a file."""
