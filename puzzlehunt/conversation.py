"""What a player's lines mean for the session, and the answers; the REPL's better half.

It knows nothing of terminals: `repl` feeds it lines, `render` prints what it says.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from puzzlehunt import render
from puzzlehunt.clues import NONE_WORDS, UNREAD_WORDS, WON_WORDS, Clue
from puzzlehunt.codes import FOREIGN, Code
from puzzlehunt.engines import first_codes
from puzzlehunt.errors import (
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
    SessionError,
    UnknownNameError,
    did_you_mean,
)
from puzzlehunt.explain import name_item, why_lines
from puzzlehunt.game import Game, Line, without_doubt
from puzzlehunt.history import Turn
from puzzlehunt.render import Screen
from puzzlehunt.session import Session, write_whole
from puzzlehunt.strategies import Budget, find_strategy


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the REPL: what runs it, how it is written, and what it does."""

    run: Callable[["Conversation", str], None]
    usage: str
    help: str


class Conversation:
    """One player's conversation with a session."""

    def __init__(self, session: Session, screen: Screen, coach: bool = False) -> None:
        self.session = session
        self.screen = screen
        self.coach = coach
        self.standing: Code | None = None
        """A guess that was typed without a clue and waits for it."""
        self.suggested: Code | None = None
        """The guess that was suggested last."""
        self.open = True
        self._mend = ""

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        if self.standing is None:
            return "> "
        return f"{self.session.game.format_code(self.standing)} clue> "

    def start(self) -> None:
        """Greet: the title, the log so far, how clues are written, the first suggestion."""
        game = self.session.game
        self.screen.line(f"{game.title} ({render.count_line(game.secrets.size)[:-5]} codes)")
        if self.session.history.items:
            self.screen.history(game, self.session.history)
        self.screen.line(game.rule.legend())
        self._state()

    def handle(self, text: str) -> None:
        """Do what one line says, or one pasted block. Errors are printed, never raised."""
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            if len(lines) > 1:
                self._block(lines)
            else:
                self._line(lines[0].strip() if lines else "")
        except PuzzlehuntError as error:
            self.screen.error(str(error))
        except (MemoryError, RecursionError):
            self.screen.error("that is too much for one line")
        self._tell_unsaved()

    def end(self) -> None:
        """Record a guess that still stands as unread."""
        if self.standing is not None:
            self._flush_standing()
            self._tell_unsaved()

    def _tell_unsaved(self) -> None:
        if self.session.unsaved is not None:
            self.screen.error(f"in memory only: {self.session.unsaved}; /save FILE elsewhere")

    def take_mend(self) -> str:
        """Return, once, the pasted block whose bad lines are to be mended; mostly empty."""
        mend, self._mend = self._mend, ""
        return mend

    # Reading lines.

    def _line(self, line: str) -> None:
        if not line:
            self._state()
            return
        game = self.session.game
        named = line[1:].partition(" ")[0].casefold() in COMMANDS
        if line.startswith("/") and (named or game.alphabet.number("/") is None):
            self._command(line[1:])
            return
        if not game.clean(line):
            return
        parts = game.split(line)
        if not parts.guess:
            self._answer(game.clean(line))
        elif not parts.clue:
            self._lone_word(parts.guess)
        else:
            self._guess_and_clue(line)

    def _guess_and_clue(self, line: str) -> None:
        game = self.session.game
        text = game.clean(line)
        try:
            turn = game.parse_turn(line)
        except (InvalidCodeError, InvalidClueError) as error:
            if self._clue_for_target(text) is None:
                if self._target is None and self._could_be_clue(text):
                    raise self._answers_nothing(text) from None
                raise error from None
            self._answer(text)
            return
        if FOREIGN in turn.guess and self._reads_as_clue(game.split(line).guess, text):
            self._answer(text)
            return
        if self.standing is not None and turn.guess != self.standing:
            self._flush_standing()
        self._play(turn)

    def _reads_as_clue(self, first: str, text: str) -> bool:
        """Return whether a line is a clue of several words, as `1g 1t`, and no guess before one."""
        return all(self._clue_for_target(part) is not None for part in (first, text))

    def _lone_word(self, word: str) -> None:
        """A word alone is a clue if something stands to be answered, else a guess."""
        game = self.session.game
        if word.casefold() in COMMANDS and word.casefold() not in _CLUE_WORDS:
            self.screen.note(f"/{word.casefold()}? Commands start with a slash; a guess: {word} *")
            return
        clue = self._clue_for_target(word)
        spelt = word.casefold() in (*UNREAD_WORDS, *WON_WORDS, *NONE_WORDS)
        if spelt and game.foreign:
            self._answer(word)
            return
        try:
            guess = game.parse_guess(word)
        except InvalidCodeError:
            if clue is None:
                self._explain_word(word)
                raise
            self._answer(word)
            return
        if clue is not None:
            self.screen.note(f"read as a clue; the guess is written {word.upper()} *")
            self._answer(word)
            return
        if self.standing is not None and guess != self.standing:
            self._flush_standing()
        self.standing = guess
        if game.listing_matters and not game.is_listed(guess):
            self.screen.note(self._not_listed(guess))

    def _explain_word(self, word: str) -> None:
        """Raise the clue's error where a word looks more like a clue than like a guess."""
        marks = {c for c in self.session.game.rule.legend() if c.isupper()} | set(
            "_?*[].0123456789"
        )
        spelt = word.casefold() in (*UNREAD_WORDS, *WON_WORDS, *NONE_WORDS)
        if spelt or all(c.upper() in marks for c in word):
            if self._target is None:
                raise self._answers_nothing(word)
            self.session.game.parse_clue(word, self._target)

    @property
    def _target(self) -> Code | None:
        """The guess that a clue alone would answer."""
        return self.standing if self.standing is not None else self.suggested

    def _clue_for_target(self, text: str) -> Clue | None:
        if self._target is None:
            return None
        return self._try_clue(without_doubt(text, len(self._target))[0], self._target)

    def _answer(self, text: str) -> None:
        """Play the standing or suggested guess with a clue."""
        if self._target is None:
            raise self._answers_nothing(text)
        text, doubted = without_doubt(text, len(self._target))
        clue = self.session.game.parse_clue(text, self._target)
        self._play(Turn(self._target, clue, doubted))

    def _could_be_clue(self, text: str) -> bool:
        some_guess = (0,) * self.session.game.length
        return self._try_clue(without_doubt(text, len(some_guess))[0], some_guess) is not None

    def _answers_nothing(self, text: str) -> InvalidTurnError:
        return InvalidTurnError(f"{text!r} is a clue, but to which guess? GUESS CLUE")

    def _flush_standing(self) -> None:
        assert self.standing is not None
        turn = Turn(self.standing, self.session.game.unread(self.standing))
        self.standing = None
        self._record([turn])

    def _block(self, lines: list[str]) -> None:
        """Play a pasted block as one step, or nothing of it if a line is bad."""
        game = self.session.game
        bad = []
        waits = self.standing
        unanswered = None if waits is None else Turn(waits, game.unread(waits))
        turns = [] if unanswered is None else [unanswered]
        for number, line in enumerate(_without_row_numbers(lines, game), start=1):
            text = game.clean(line)
            if not text:
                continue
            try:
                parts = game.split(line)
                if waits is not None and (turn := self._try_answer(text, parts, waits)):
                    turns[-1], waits = turn, None
                    continue
                turns.append(game.parse_turn(line))
                waits = None if parts.clue else turns[-1].guess
            except PuzzlehuntError as error:
                bad.append(f"line {number}: {error}")
        if bad:
            for problem in bad:
                self.screen.error(problem)
            self._mend = "\n".join(lines)
            self.screen.note("nothing was recorded; mend these lines and paste again")
            return
        if self.standing is not None and turns[0] == unanswered:
            self._flush_standing()
            turns = turns[1:]
        if turns:
            self.standing = None
            self._record(turns)
            self._state()

    def _try_answer(self, text: str, parts: Line, guess: Code) -> Turn | None:
        """Return the turn of a guess whose clue is this whole line, None if it is no clue."""
        told, doubted = without_doubt(text, len(guess))
        if parts.guess and parts.clue and not doubted:
            return None
        clue = self._try_clue(told, guess)
        return None if clue is None else Turn(guess, clue, doubted)

    def _try_clue(self, text: str, guess: Code) -> Clue | None:
        try:
            return self.session.game.parse_clue(text, guess)
        except InvalidClueError:
            return None

    # Playing.

    def _play(self, turn: Turn) -> None:
        self.standing = None
        self._record([turn])
        self._state()

    def _record(self, turns: list[Turn]) -> None:
        """Add turns to the session as one step, and echo how they were understood."""
        game = self.session.game
        first = len(self.session.history.turns) + 1
        self.session.play(*turns)
        for number, turn in enumerate(turns, start=first):
            self.screen.turn(game, number, turn)
            if game.listing_matters and not game.is_listed(turn.guess):
                self.screen.note(self._not_listed(turn.guess))

    def _not_listed(self, guess: Code) -> str:
        return f"{self.session.game.format_code(guess)} is in no list; played all the same"

    def _state(self) -> None:
        """Print what is left and, last, what to try next."""
        session = self.session
        self.suggested = None
        if session.is_won:
            turns = session.history.turns
            code = session.game.format_code(turns[-1].guess)
            plural = "guess" if len(turns) == 1 else "guesses"
            self.screen.line(f"Solved in {len(turns)} {plural}: {code}")
            return
        if not session.engine.satisfiable():
            self._contradiction()
            return
        advice = session.advise(1, self._budget)
        self.suggested = advice.suggestions[0].guess
        self.screen.line(render.count_line(advice.count))
        if self.coach:
            self.suggested = None
            return
        if advice.basis:
            self.screen.note(f"(from {advice.basis})")
        self.screen.line(render.suggestion_line(session.game, advice))

    @property
    def _budget(self) -> Budget:
        return Budget(seconds=self.session.game.play.budget)

    def _contradiction(self) -> None:
        """Name the newest row that made the game impossible, and offer what mends it."""
        session = self.session
        place = session.engine.first_conflict()
        assert place is not None
        named = name_item(session.game, session.history, place)
        self.screen.line("Nothing fits: no code agrees with all rows.")
        self.screen.line(f"It became impossible with {named}")
        number = named.split(".", 1)[0]
        ways = f"/edit {number} CLUE, /drop {number}, " if number.isdigit() else ""
        self.screen.line(f"Mend a row: {ways}/undo")

    # Commands.

    def _command(self, text: str) -> None:
        name, _, rest = text.strip().partition(" ")
        name = _SHORT.get(name.casefold(), name.casefold())
        if name in _LATER:
            self.screen.note(f"/{name} comes with a later version")
            return
        command = COMMANDS.get(name)
        if command is None:
            known = [f"/{known}" for known in COMMANDS]
            raise UnknownNameError(f"no command /{name}{did_you_mean(f'/{name}', known)}")
        command.run(self, rest.strip())

    def do_suggest(self, rest: str) -> None:
        """Print the best guesses."""
        if self._nothing_to_suggest():
            return
        advice = self.session.advise(_number(rest, 5), self._budget)
        self.suggested = advice.suggestions[0].guess
        self.screen.table(render.suggestions_table(self.session.game, advice))
        if advice.basis:
            self.screen.note(f"(from {advice.basis})")

    def _nothing_to_suggest(self) -> bool:
        if self.session.is_won or not self.session.engine.satisfiable():
            self._state()
            return True
        return False

    def do_candidates(self, rest: str) -> None:
        """Print what is still possible."""
        limit = _number(rest, 20)
        codes, more = first_codes(self.session.engine.candidates(), limit)
        self.screen.codes(self.session.game, codes)
        if more:
            self.screen.note(f"... and more: /candidates {limit * 5}")
        elif not codes:
            self.screen.note("none")

    def do_try(self, rest: str) -> None:
        """Print what a guess of the player's would be worth."""
        if self._nothing_to_suggest():
            return
        game = self.session.game
        advice = self.session.rate(game.parse_guess(rest), self._budget)
        rated = advice.suggestions[0]
        may_win = "may be it" if rated.candidate else "cannot be it"
        code = game.format_code(rated.guess)
        self.screen.line(f"{code} - {render.value(rated, advice.measure)}, {may_win}")

    def do_why(self, rest: str) -> None:
        """Print which rows rule a code out."""
        code = self.session.game.parse_secret(rest)
        for line in why_lines(self.session.game, self.session.history, code):
            self.screen.line(line)

    def do_history(self, _rest: str) -> None:
        """Print all rows."""
        self.screen.history(self.session.game, self.session.history)

    def do_edit(self, rest: str) -> None:
        """Change a row: its clue, or guess and clue."""
        digits, _, text = rest.partition(" ")
        number = _row(digits)
        old = self.session.history.turn(number)
        if not text.strip():
            self.screen.line(f"{number}. {self.session.game.format_turn(old)}")
            self.screen.note(f"write /edit {number} CLUE, or /edit {number} GUESS CLUE")
            return
        self.session.edit(number, self._edited(old, text.strip()))
        self.screen.turn(self.session.game, number, self.session.history.turn(number))
        self._state()

    def _edited(self, old: Turn, text: str) -> Turn:
        game = self.session.game
        try:
            return game.parse_turn(f"{game.format_code(old.guess)} {text}")
        except InvalidClueError as error:
            if len(text.split()) > 1:
                return game.parse_turn(text)
            raise error from None

    def do_drop(self, rest: str) -> None:
        """Take a row out."""
        self.session.drop(_row(rest))
        self._changed()

    def do_doubt(self, rest: str) -> None:
        """Doubt a row, or doubt it no more."""
        number = _row(rest)
        self.session.doubt(number)
        self.screen.turn(self.session.game, number, self.session.history.turn(number))
        self._state()

    def do_fact(self, rest: str) -> None:
        """Add something known of the secret."""
        fact = self.session.game.parse_fact(rest)
        self.session.add_fact(fact)
        self.screen.line(f"fact: {fact.text}")
        self._state()

    def do_undo(self, _rest: str) -> None:
        """Take the last step back; first a guess that waits for its clue."""
        if self.standing is not None:
            self.standing = None
        else:
            self.session.undo()
        self._changed()

    def do_redo(self, _rest: str) -> None:
        """Take the last undo back."""
        self.session.redo()
        self._changed()

    def _changed(self) -> None:
        rows = len(self.session.history.turns)
        self.screen.line(f"{rows} {'row' if rows == 1 else 'rows'} now")
        self._state()

    def do_strategy(self, rest: str) -> None:
        """Change how guesses are picked, or say how."""
        if not rest:
            self.screen.line(self.session.game.play.strategy)
            return
        find_strategy(rest)
        before = self.session.game.play.strategy
        self.session.set_play(strategy=rest)
        try:
            self._state()
        except PuzzlehuntError:
            self.session.set_play(strategy=before)
            raise

    def do_save(self, rest: str) -> None:
        """Keep the session in a file from now on."""
        if rest:
            self.session.keep_in(_path(rest))
        elif self.session.path is None:
            raise InvalidTurnError("this game has no file yet: /save FILE")
        else:
            self.session.save()
        self.screen.line(f"saved: {self.session.path}")

    def do_new(self, _rest: str) -> None:
        """Start anew."""
        self.standing = None
        self.session.clear()
        self._changed()

    def do_export(self, rest: str) -> None:
        """Print the SMT-LIB script, or write it to a file."""
        from puzzlehunt import smtlib

        script = smtlib.script(self.session.game, self.session.history)
        if rest:
            write_whole(_path(rest), script)
            self.screen.line(f"written: {rest}")
        else:
            self.screen.line(script.rstrip())

    def do_help(self, rest: str) -> None:
        """Print how to write clues, and the commands."""
        wanted = _SHORT.get(rest.lstrip("/").casefold(), rest.lstrip("/").casefold())
        if rest and wanted in COMMANDS:
            self.screen.line(f"/{COMMANDS[wanted].usage}  {COMMANDS[wanted].help}")
            return
        self.screen.line("GUESS CLUE plays a row; CLUE alone")
        self.screen.line("answers the suggestion; ` ?` doubts it.")
        self.screen.line(f"Clues: {self.session.game.rule.legend()}")
        for command in COMMANDS.values():
            self.screen.line(f"/{command.usage:<20} {command.help}")

    def do_quit(self, _rest: str) -> None:
        """Leave."""
        self.end()
        self.open = False


COMMANDS: dict[str, Command] = {
    "suggest": Command(Conversation.do_suggest, "suggest [N]", "the best guesses"),
    "candidates": Command(Conversation.do_candidates, "candidates [N]", "what is possible"),
    "why": Command(Conversation.do_why, "why CODE", "what rules it out"),
    "try": Command(Conversation.do_try, "try CODE", "what it is worth"),
    "history": Command(Conversation.do_history, "history", "all rows"),
    "edit": Command(Conversation.do_edit, "edit N [CLUE]", "change a row"),
    "drop": Command(Conversation.do_drop, "drop N", "take a row out"),
    "doubt": Command(Conversation.do_doubt, "doubt N", "set a row aside"),
    "fact": Command(Conversation.do_fact, "fact H____", "contains E, no Q"),
    "undo": Command(Conversation.do_undo, "undo", "take it back"),
    "redo": Command(Conversation.do_redo, "redo", "undo the undo"),
    "strategy": Command(Conversation.do_strategy, "strategy [NAME]", "how to guess"),
    "save": Command(Conversation.do_save, "save [FILE]", "keep it in a file"),
    "new": Command(Conversation.do_new, "new", "start anew"),
    "export": Command(Conversation.do_export, "export [FILE]", "SMT-LIB script"),
    "help": Command(Conversation.do_help, "help [COMMAND]", "this"),
    "quit": Command(Conversation.do_quit, "quit", "leave"),
}
_SHORT = {
    "s": "suggest", "c": "candidates", "w": "why", "u": "undo", "e": "edit", "h": "help",
    "q": "quit",
}  # fmt: skip
_NUMBERED = re.compile(r"[\s|]*(\d{1,4})[\s,;|]+(\S.*)")
_LATER = ("certain", "suspect", "review", "rates", "widen")
_CLUE_WORDS = ("won", "none")


def _number(text: str, default: int) -> int:
    if not text:
        return default
    if not (text.isdecimal() and len(text) < 8 and int(text) > 0):
        raise InvalidTurnError(f"{text!r}: expected a number above 0")
    return int(text)


def _without_row_numbers(lines: list[str], game: Game) -> list[str]:
    """Return the lines of a block without numbers 1, 2, 3, ... that stand before each row."""
    rows = [_NUMBERED.match(line) for line in lines]
    numbers = [int(row[1]) for row in rows if row]
    if len(numbers) < len(lines) or numbers != list(range(numbers[0], numbers[0] + len(lines))):
        return lines
    try:
        game.parse_guess(str(numbers[0]))
    except InvalidCodeError:
        return [row[2] for row in rows if row]
    return lines


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise SessionError(f"{text}: there is no such home folder") from None


def _row(text: str) -> int:
    if not (text.isdecimal() and len(text) < 8):
        raise InvalidTurnError(f"{text!r}: expected the number of a row, as /history shows it")
    return int(text)
