"""Where a player is in a session, and what the screen says of it.

What lines change it is for `conversation` to read, what commands do is in `commands`.
"""

from collections.abc import Iterable
from pathlib import Path

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.explain.remaining import remaining_on_boards
from puzzlehunt.explain.repair import SHOWN, Repair, repairs
from puzzlehunt.explain.review import Review, reviewed
from puzzlehunt.explain.suspicion import PROBABLE, suspects
from puzzlehunt.explain.turns import turn_number
from puzzlehunt.explain.why import explained
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.base import Budget
from puzzlehunt.views.candidates import wider_line
from puzzlehunt.views.conflicts import conflict_lines
from puzzlehunt.views.counts import boards_lines, count_line
from puzzlehunt.views.explanations import repair_lines, suspect_line
from puzzlehunt.views.names import name_item
from puzzlehunt.views.review import skill_line, solved_line
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.suggestions import suggestion_line
from puzzlehunt.views.turns import turn_lines

PATIENCE = 1.5
"""So many seconds the line of skill and luck may take at the end of a game."""


class Playing:
    """A session, the guess that waits for its clue, what was suggested, and the screen."""

    def __init__(self, session: Session, screen: Screen, coach: bool = False) -> None:
        self.session = session
        self.screen = screen
        self.coach = coach
        self.standing: Code | None = None
        """A guess that was typed without a clue and waits for it."""
        self.suggested: Code | None = None
        """The guess that was suggested last."""
        self.open = True
        self._repairs: tuple[Game, History, list[Repair]] | None = None
        self._mentioned: set[Turn] = set()
        """The rows of which it was said that they may be wrong."""
        self._ended = False
        """Whether the end of the game was told."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.session.game

    @property
    def budget(self) -> Budget:
        """The time that a suggestion may take."""
        return Budget(seconds=self.game.play.budget)

    # Rows.

    def play(self, turn: Turn) -> None:
        """Add one turn, and say what is left."""
        self.standing = None
        self.record([turn])
        self.tell_state()

    def record(self, turns: list[Turn]) -> None:
        """Add turns to the session as one step, and echo how they were understood."""
        first = len(self.session.history.turns)
        self.session.play(*turns)
        self.echo(range(first, first + len(turns)))

    def echo(self, places: Iterable[int]) -> None:
        """Print how new turns (from 0) were understood, and which guesses are in no list."""
        for place in places:
            self.note_unlisted(self.show(place + 1).guess)

    def show(self, number: int) -> Turn:
        """Print, and return, turn `number` (from 1)."""
        turns = self.session.history.turns
        turn = turns[number - 1]
        self.screen.lines(turn_lines(self.game, number, turn, History(turns[: number - 1])))
        return turn

    def note_unlisted(self, guess: Code) -> None:
        """Say of a guess that is in no list that it is."""
        if self.game.listing_matters and not self.game.is_listed(guess):
            self.screen.note(f"{self.game.format_code(guess)} is in no list; played all the same")

    def unanswered(self) -> Turn:
        """Return the turn of the standing guess, with nothing read."""
        assert self.standing is not None
        return Turn(self.standing, self.game.unread(self.standing))

    def record_standing(self) -> None:
        """Record the guess that waits as unread."""
        turn = self.unanswered()
        self.standing = None
        self.record([turn])

    def end(self) -> None:
        """Record a guess that still stands as unread."""
        if self.standing is not None:
            self.record_standing()
            self.tell_unsaved()

    def tell_unsaved(self) -> None:
        """Say so where the newest change is in memory only."""
        if self.session.unsaved is not None:
            self.screen.error(f"in memory only: {self.session.unsaved}; /save FILE elsewhere")

    # What is told.

    def tell_state(self) -> None:
        """Print what is left and, last, what to try next."""
        session = self.session
        self.suggested = None
        if session.is_won:
            self._tell_won()
            return
        self._ended = False
        if not session.engine.satisfiable():
            self._contradiction()
            return
        self._boards_state()
        advice = session.advise(1, self.budget)
        self.suggested = advice.suggestions[0].guess
        if self.game.boards == 1:
            self.screen.line(count_line(advice.count, session.engine))
        self._mention_suspect()
        if self.coach:
            self.suggested = None
            return
        if advice.basis:
            self.screen.note(f"(from {advice.basis})")
        self.screen.line(suggestion_line(session.game, advice))

    def _tell_won(self) -> None:
        """Print how the game was won, and the first time how good the guesses were."""
        session = self.session
        self.screen.line(solved_line(self.game, session.history))
        if not self._ended:
            self._ended = True
            review = self.review(PATIENCE)
            tell_end(self.screen, review)
            if not review.complete:
                self.screen.note("/review says how good each guess was")

    def review(self, within: float) -> Review:
        """Return how good the guesses were, as far as so many seconds allow."""
        session = self.session
        # Several secrets are guessed by what the answers tell, looking ahead or not.
        ahead = self.game.play.strategy == "deep" and self.game.secrets_at_once > 1
        same = ahead or self.game.play.strategy == "entropy"
        return reviewed(
            self.game, session.history, self.budget, session.engine,
            within=within, advised=session.advised if same else {},
        )  # fmt: skip

    def _boards_state(self) -> None:
        """Print how many candidates each board has, where there are several."""
        boards = self.session.engine.boards()
        if len(boards) > 1:
            counts = [board.count(quickly=True).exact for board in boards]
            for line in boards_lines(self.game, self.session.history, counts):
                self.screen.line(line)

    def _mention_suspect(self) -> None:
        """Say once of a row that it may well be wrong, in games that allow for misread rows."""
        if not self.game.channel.misread:
            return
        for suspect in suspects(self.session.engine)[:1]:
            if suspect.probability >= PROBABLE and suspect.turn not in self._mentioned:
                self._mentioned.add(suspect.turn)
                self.screen.line("Maybe misread (/suspect):")
                self.screen.line(suspect_line(self.game, suspect))

    def _contradiction(self) -> None:
        """Name the newest row that made the game impossible, and offer what mends it."""
        session = self.session
        place = session.engine.first_conflict()
        assert place is not None
        named = name_item(session.game, session.history, place)
        wider = session.wider()
        if wider is None:
            self.screen.line(f"Nothing fits: no code agrees with all rows{self._lacking()}.")
        else:
            own = Path(session.list_name).name
            self.screen.line(f"{wider_line(wider, own)}. /widen switches.")
        self.screen.line(f"It became impossible with {named}")
        for line in conflict_lines(explained(self.game, session.engine)):
            self.screen.line(line)
        number = turn_number(session.history, place)
        ways = "" if number is None else f"/edit {number} CLUE, /drop {number}, "
        self.screen.line(f"Mend a row: {ways}/undo")
        if self.repairs:
            self.screen.line("Or, the likeliest first, /repair N:")
            self.tell_repairs()

    @property
    def repairs(self) -> list[Repair]:
        """The repairs of the rows, where nothing fits."""
        game, history = self.game, self.session.history
        known = self._repairs
        if known is None or known[0] is not game or known[1] != history:
            known = self._repairs = game, history, repairs(self.session.engine)
        return known[2]

    def tell_repairs(self) -> None:
        """Print the likeliest repairs."""
        for repair in self.repairs[:SHOWN]:
            for line in repair_lines(self.game, self.session.history, repair, row=""):
                self.screen.line(line)

    def _lacking(self) -> str:
        """Return which boards have nothing left, where there are several."""
        boards = enumerate(remaining_on_boards(self.session.engine, 1), start=1)
        empty = [str(number) for number, board in boards if not board.codes]
        return f" of board {', '.join(empty)}" if empty else ""

    def tell_change(self) -> None:
        """Print how many rows there are, and what is left."""
        rows = len(self.session.history.turns)
        self.screen.line(f"{rows} {'row' if rows == 1 else 'rows'} now")
        self.tell_state()


def tell_end(screen: Screen, review: Review) -> None:
    """Print how good the guesses of a game were, if all were looked at, and what may be shared."""
    if review.complete and (line := skill_line(review)):
        screen.line(line)
    screen.line()
    for line in share_lines(review.game, review.history):
        screen.line(line)
