"""Practice: the program is the codemaker, and answers a person's guesses."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import (
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
    UnknownNameError,
    did_you_mean,
)
from puzzlehunt.explain.review import reviewed
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.lines import clean
from puzzlehunt.rules.notation.clue import marks_line
from puzzlehunt.session.codemaker import Codemaker
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.base import Budget
from puzzlehunt.terminal.commands import is_command
from puzzlehunt.terminal.playing import PATIENCE, tell_end
from puzzlehunt.views.channel import lies_lines
from puzzlehunt.views.counts import size
from puzzlehunt.views.review import solved_line
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.suggestions import suggestion_line
from puzzlehunt.views.turns import history_lines, item_lines, turn_lines


@dataclass(frozen=True, slots=True)
class Command:
    """A command of practice: what runs it, and what it does."""

    run: Callable[["Practice"], None]
    help: str


class Practice:
    """One person's game against a codemaker."""

    def __init__(self, host: Codemaker, screen: Screen) -> None:
        self.host = host
        self.screen = screen
        self.open = True
        self.solved = False
        self._given = len(host.history.turns)
        """How many rows stood there before the first guess."""
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.host.game

    @property
    def commands(self) -> list[str]:
        """The names of the commands."""
        return list(COMMANDS)

    @property
    def prompt(self) -> str:
        """The number of the next row."""
        return f"{len(self.host.history.turns) + 1}> "

    def start(self) -> None:
        """Greet: the title, what is given, how answers are written, how many attempts there are."""
        game = self.game
        self.screen.line(f"{game.title} ({size(game)} codes)")
        self.screen.line(self._marks)
        for line in lies_lines(game):
            self.screen.line(line)
        self.screen.lines(item_lines(game, self.host.history))
        attempts = game.play.attempts
        plural = "attempt" if attempts == 1 else "attempts"
        told = "any number of attempts" if attempts is None else f"{attempts} {plural}"
        self.screen.line(f"{told}; see /help")
        self._judge()

    @property
    def _marks(self) -> str:
        """How answers are written, without what a player alone writes: unread marks."""
        return marks_line(self.game.rule.named_marks())

    def handle(self, text: str) -> None:
        """Answer a guess, or do what a command says. Errors are printed, never raised."""
        for line in text.splitlines():
            if not self.open:
                return
            try:
                self._line(line)
            except PuzzlehuntError as error:
                self.screen.error(str(error))
            except (MemoryError, RecursionError):
                self.screen.error("that is too much for one line")

    def end(self) -> None:
        """Leave."""
        self.open = False

    def take_mend(self) -> str:
        """Return nothing: no line is mended."""
        return ""

    # Guesses.

    def _line(self, line: str) -> None:
        text = line.strip()
        if is_command(text, {*COMMANDS, *_SHORT}, self.game.alphabet):
            self._command(text[1:])
            return
        text = clean(line, self.game.alphabet)
        if text:
            self._guess(self._parsed(text))

    def _parsed(self, text: str) -> Code:
        """Return the guess that a line writes. Raises InvalidCodeError, IllegalGuessError."""
        if len(text.split()) > 1:
            raise InvalidTurnError("one guess a line, without a clue: the answer comes from here")
        try:
            guess = self.game.parse_guess(text)
            self._check_listed(guess)
        except InvalidCodeError as error:
            if text.casefold() in COMMANDS:
                raise InvalidTurnError(f"{error}; the command is /{text.casefold()}") from None
            raise
        self.game.check_guess(guess, self.host.history)
        return guess

    def _check_listed(self, guess: Code) -> None:
        """Raise InvalidCodeError for a word that is not in the list that guesses come from."""
        game = self.game
        if not game.listing_matters or game.is_listed(guess):
            return
        word = game.format_code(guess)
        assert isinstance(game.guesses, WordSpace)
        alike = (game.format_code(code) for code in game.guesses if code[:1] == guess[:1])
        near = get_close_matches(word, alike, n=1, cutoff=0.7)
        mean = f"; did you mean {near[0]}?" if near else ""
        raise InvalidCodeError(f"{word} is not in the list of this game{mean}")

    def _guess(self, guess: Code) -> None:
        before = self.host.history
        turn = self.host.answer(guess)
        self.screen.lines(turn_lines(self.game, len(before.turns) + 1, turn, before))
        self._tell_solved(before)
        self._judge()

    def _tell_solved(self, before: History) -> None:
        """Say which of several boards, or of two words on one, were solved by the newest guess."""
        if self.game.secrets_at_once == 1 or self.host.is_over:
            return
        was, now = self.game.found(before), self.game.found(self.host.history)
        for number, (old, new) in enumerate(zip(was, now, strict=True), start=1):
            if old is None and new is not None:
                what = f"board {number} solved" if self.game.boards > 1 else "one found"
                self.screen.line(f"{what}: {self.game.format_code(new)}")

    def _judge(self) -> None:
        """Say how the game ended, if it did."""
        host, attempts = self.host, self.game.play.attempts
        if host.is_over:
            self.solved = True
            self._finish(solved_line(self.game, host.history, host.secret))
        elif attempts is not None and len(host.history.turns) >= attempts:
            self._finish(f"Out of attempts; it was {self.game.format_code(host.secret)}")

    def _finish(self, last: str) -> None:
        self._leave(last)
        game, first = self.game, self._given + 1
        budget = Budget(seconds=game.play.budget)
        history, engine = self.host.history, self._position
        tell_end(self.screen, reviewed(game, history, budget, engine, first, PATIENCE))

    def _leave(self, last: str) -> None:
        self.screen.line(last)
        self.open = False

    # Commands.

    def _command(self, text: str) -> None:
        name = "".join(text.split(maxsplit=1)[:1]).casefold()
        name = _SHORT.get(name, name)
        if name not in COMMANDS:
            known = [f"/{known}" for known in COMMANDS]
            raise UnknownNameError(f"no command /{name}{did_you_mean(f'/{name}', known)}")
        COMMANDS[name].run(self)

    def do_hint(self) -> None:
        """Print one guess that would tell much."""
        if self._adviser is None:
            self._adviser = Adviser(self.game)
        advice = self._adviser.advise(self._position, 1, Budget(seconds=self.game.play.budget))
        self.screen.line(suggestion_line(self.game, advice))

    @property
    def _position(self) -> Engine:
        """An engine that knows what was said so far."""
        if self._engine is None:
            self._engine = open_engine(self.game)
        self._engine.follow(self.host.history)
        return self._engine

    def do_history(self) -> None:
        """Print all rows."""
        self.screen.lines(history_lines(self.game, self.host.history))

    def do_give_up(self) -> None:
        """Reveal the secret and leave."""
        self._leave(f"It was {self.game.format_code(self.host.secret)}")

    def do_help(self) -> None:
        """Print how to play, and the commands."""
        self.screen.line("Type a guess; the answer comes at once.")
        self.screen.line(f"Answers: {self._marks}")
        for name, command in COMMANDS.items():
            self.screen.line(f"/{name:<10} {command.help}")

    def do_quit(self) -> None:
        """Leave without a word."""
        self.end()


COMMANDS: dict[str, Command] = {
    "hint": Command(Practice.do_hint, "a good guess"),
    "history": Command(Practice.do_history, "all rows"),
    "give-up": Command(Practice.do_give_up, "say what it was"),
    "help": Command(Practice.do_help, "this"),
    "quit": Command(Practice.do_quit, "leave"),
}
_SHORT = {"h": "help", "q": "quit", "s": "hint"}
