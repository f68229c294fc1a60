"""What a player's lines mean for the session: rows, clues, pasted blocks; the REPL's better half.

It knows nothing of terminals: `repl` feeds it lines, `render` prints what it says.
"""

from collections.abc import Callable

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.errors import (
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
)
from puzzlehunt.game.blocks import read_block
from puzzlehunt.game.history import Turn
from puzzlehunt.game.lines import Line, parse_answer, parse_turn, read_line, try_answer
from puzzlehunt.game.shared import Shared, read_shared
from puzzlehunt.rules.notation.clue import NONE_WORDS, UNREAD_WORDS, WON_WORDS
from puzzlehunt.rules.notation.tiles import squares_in
from puzzlehunt.session.session import Session
from puzzlehunt.terminal.commands import (
    COMMANDS,
    NAMES,
    do_repair,
    is_command,
    run_command,
)
from puzzlehunt.terminal.playing import Playing
from puzzlehunt.views.channel import lies_lines
from puzzlehunt.views.counts import size
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.turns import history_lines


class Conversation(Playing):
    """One player's conversation with a session."""

    def __init__(self, session: Session, screen: Screen, coach: bool = False) -> None:
        super().__init__(session, screen, coach)
        self._mend = ""

    @property
    def commands(self) -> list[str]:
        """The names of the commands."""
        return list(COMMANDS)

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        if self.standing is None:
            return "> "
        return f"{self.game.format_code(self.standing)} clue> "

    def start(self) -> None:
        """Greet: the title, the log so far, how clues are written, the first suggestion."""
        game = self.game
        self.screen.line(f"{game.title} ({size(game)} codes)")
        if self.session.history.items:
            self.screen.lines(history_lines(game, self.session.history))
        self.screen.line(game.rule.legend())
        for line in lies_lines(game):
            self.screen.line(line)
        self._carefully(self.tell_state)

    def handle(self, text: str) -> None:
        """Do what one line says, or one pasted block. Errors are printed, never raised."""
        lines = text.splitlines()
        rows = [line for line in lines if line.strip()]
        if len(rows) > 1:
            self._carefully(lambda: self._block(lines))
        else:
            self._carefully(lambda: self._line(rows[0].strip() if rows else ""))
        self.tell_unsaved()

    def _carefully(self, action: Callable[[], None]) -> None:
        """Do something, and print what goes wrong."""
        try:
            action()
        except PuzzlehuntError as error:
            self.screen.error(str(error))
        except (MemoryError, RecursionError):
            self.screen.error("that is too much for one line")

    def take_mend(self) -> str:
        """Return, once, the pasted block whose bad lines are to be mended; mostly empty."""
        mend, self._mend = self._mend, ""
        return mend

    # Reading lines.

    def _line(self, line: str) -> None:
        if not line:
            self.tell_state()
            return
        game = self.game
        if is_command(line, NAMES, game.alphabet):
            run_command(self, line)
            return
        parts = read_line(game, line)
        if not parts.text:
            return
        if not parts.guess:
            self._answer(parts.text)
        elif not parts.clue:
            self._lone_word(parts.guess)
        else:
            self._guess_and_clue(parts)

    def _guess_and_clue(self, line: Line) -> None:
        game = self.game
        try:
            turn = parse_turn(game, line)
        except (InvalidCodeError, InvalidClueError) as error:
            if self._answer_to_target(line.text) is None:
                if self._target is None and self._could_be_clue(line.text):
                    raise self._answers_nothing(line.text) from None
                raise error from None
            self._answer(line.text)
            return
        if FOREIGN in turn.guess and self._reads_as_clue(line.guess, line.text):
            self._answer(line.text)
            return
        game.check_guess(turn.guess, self.session.history)
        if self.standing is not None and turn.guess != self.standing:
            self.record_standing()
        self.play(turn)

    def _reads_as_clue(self, first: str, text: str) -> bool:
        """Return whether a line is a clue of several words, as `1g 1t`, and no guess before one."""
        return all(self._answer_to_target(part) is not None for part in (first, text))

    def _lone_word(self, word: str) -> None:
        """A word alone is a clue if something stands to be answered, else a guess."""
        game = self.game
        if word.casefold() in COMMANDS and word.casefold() not in _CLUE_WORDS:
            self.screen.note(f"/{word.casefold()}? Commands start with a slash; a guess: {word} *")
            return
        answer = self._answer_to_target(word)
        spelt = word.casefold() in (*UNREAD_WORDS, *WON_WORDS, *NONE_WORDS)
        if spelt and game.foreign:
            self._answer(word)
            return
        try:
            guess = game.parse_guess(word)
        except InvalidCodeError:
            if answer is None and self._is_repair(word):
                do_repair(self, word)
                return
            if answer is None:
                self._explain_word(word)
                raise
            self._answer(word)
            return
        if answer is not None:
            self.screen.note(f"read as a clue; the guess is written {word.upper()} *")
            self._answer(word)
            return
        if game.listing_matters and not game.is_listed(guess):
            self._check_clue(word)
        game.check_guess(guess, self.session.history)
        if self.standing is not None and guess != self.standing:
            self.record_standing()
        self.standing = guess
        self.note_unlisted(guess)

    def _is_repair(self, word: str) -> bool:
        """Return whether a word is the number of a repair that was offered."""
        return word.isdecimal() and 1 <= int(word[:4]) <= len(self.repairs)

    def _check_clue(self, word: str) -> None:
        """Raise ImpossibleClueError for a word in no list that is a clue which cannot be."""
        if self._target is not None:
            try:
                self.game.parse_clue(word, self._target)
            except ImpossibleClueError:
                raise
            except InvalidClueError:
                return

    def _explain_word(self, word: str) -> None:
        """Raise the clue's error where a word looks more like a clue than like a guess."""
        code = self.game.alphabet.spell(word)
        if code is not None and len(code) in self.game.guesses.lengths:
            return
        rule = self.game.rule
        told = {mark.upper() for mark, _ in rule.named_marks()}
        marks = told | {rule.unread_mark.upper()} | set("_?*[].0123456789")
        spelt = word.casefold() in (*UNREAD_WORDS, *WON_WORDS, *NONE_WORDS)
        if spelt or squares_in(word) or all(c.upper() in marks for c in word):
            if self._target is None:
                raise self._answers_nothing(word)
            self.game.parse_clue(word, self._target)

    @property
    def _target(self) -> Code | None:
        """The guess that a clue alone would answer."""
        return self.standing if self.standing is not None else self.suggested

    def _answer_to_target(self, text: str) -> Turn | None:
        return None if self._target is None else try_answer(self.game, text, self._target)

    def _answer(self, text: str) -> None:
        """Play the standing or suggested guess with a clue."""
        if self._target is None:
            raise self._answers_nothing(text)
        self.play(parse_answer(self.game, text, self._target))

    def _could_be_clue(self, text: str) -> bool:
        symbols = len(self.game.alphabet)
        some_guess = tuple(n % symbols for n in range(self.game.guesses.lengths[-1]))
        return try_answer(self.game, text, some_guess) is not None

    def _answers_nothing(self, text: str) -> InvalidTurnError:
        return InvalidTurnError(f"{text!r} is a clue, but to which guess? GUESS CLUE")

    def _block(self, lines: list[str]) -> None:
        """Play a pasted block as one step, or nothing of it if a line is bad."""
        shared = read_shared(self.game, lines)
        if shared is not None:
            self._shared(shared)
            return
        rows = [line for line in lines if line.strip()]
        block = read_block(self.game, rows, self.session.history, self.standing)
        if block.problems:
            for problem in block.problems:
                self.screen.error(problem)
            self._mend = "\n".join(rows)
            self.screen.note("nothing was recorded; mend these lines and paste again")
            return
        turns = list(block.turns)
        if self.standing is not None and turns[0] == self.unanswered():
            self.record_standing()
            turns = turns[1:]
        if turns:
            self.standing = None
            self.record(turns)
            self.tell_state()

    def _shared(self, shared: Shared) -> None:
        """Answer what is unread with a shared result, as one step."""
        before = self.session.history
        waiting = [] if self.standing is None else [self.unanswered()]
        after = shared.fill(self.game, before.add(*waiting))
        if not self.session.fits(after):
            raise InvalidTurnError(
                "nothing would fit these guesses any more: the text is of another game"
            )
        self.standing = None
        self.session.revise(after)
        old = dict(enumerate(before.turns))
        places = [n for n, turn in enumerate(after.turns) if turn != old.get(n)]
        self.echo(places)
        self.tell_state()


_CLUE_WORDS = ("won", "none")
