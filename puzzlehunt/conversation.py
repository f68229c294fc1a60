"""What a player's lines mean for the session, and the answers; the REPL's better half.

It knows nothing of terminals: `repl` feeds it lines, `render` prints what it says.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from puzzlehunt import render
from puzzlehunt.clues import NONE_WORDS, UNREAD_WORDS, WON_WORDS, Clue
from puzzlehunt.codes import FOREIGN, Code
from puzzlehunt.engines.boards import BoardsEngine
from puzzlehunt.errors import (
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
    SessionError,
    UnknownNameError,
    did_you_mean,
)
from puzzlehunt.explain import Left, ask, left, left_on_boards, name_item, why_lines
from puzzlehunt.game import Game
from puzzlehunt.history import History, Turn
from puzzlehunt.pasted import Shared, read_block, read_shared, try_clue, undoubted
from puzzlehunt.render import Screen
from puzzlehunt.session import Session, write_whole
from puzzlehunt.strategies import Budget, find_strategy
from puzzlehunt.tiles import squares_in


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
    def game(self) -> Game:
        """The game that is played."""
        return self.session.game

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
        self.screen.line(f"{game.title} ({render.size(game)} codes)")
        if self.session.history.items:
            self.screen.history(game, self.session.history)
        self.screen.line(game.rule.legend())
        self._carefully(self._state)

    def handle(self, text: str) -> None:
        """Do what one line says, or one pasted block. Errors are printed, never raised."""
        lines = text.splitlines()
        rows = [line for line in lines if line.strip()]
        if len(rows) > 1:
            self._carefully(lambda: self._block(lines))
        else:
            self._carefully(lambda: self._line(rows[0].strip() if rows else ""))
        self._tell_unsaved()

    def _carefully(self, action: Callable[[], None]) -> None:
        """Do something, and print what goes wrong."""
        try:
            action()
        except PuzzlehuntError as error:
            self.screen.error(str(error))
        except (MemoryError, RecursionError):
            self.screen.error("that is too much for one line")

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
        game = self.game
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
        game = self.game
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
        game.check_guess(turn.guess, self.session.history)
        if self.standing is not None and turn.guess != self.standing:
            self._flush_standing()
        self._play(turn)

    def _reads_as_clue(self, first: str, text: str) -> bool:
        """Return whether a line is a clue of several words, as `1g 1t`, and no guess before one."""
        return all(self._clue_for_target(part) is not None for part in (first, text))

    def _lone_word(self, word: str) -> None:
        """A word alone is a clue if something stands to be answered, else a guess."""
        game = self.game
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
        if game.listing_matters and not game.is_listed(guess):
            self._check_clue(word)
        game.check_guess(guess, self.session.history)
        if self.standing is not None and guess != self.standing:
            self._flush_standing()
        self.standing = guess
        if game.listing_matters and not game.is_listed(guess):
            self.screen.note(self._not_listed(guess))

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
        marks = {c for c in self.game.rule.legend() if c.isupper()} | set("_?*[].0123456789")
        spelt = word.casefold() in (*UNREAD_WORDS, *WON_WORDS, *NONE_WORDS)
        if spelt or squares_in(word) or all(c.upper() in marks for c in word):
            if self._target is None:
                raise self._answers_nothing(word)
            self.game.parse_clue(word, self._target)

    @property
    def _target(self) -> Code | None:
        """The guess that a clue alone would answer."""
        return self.standing if self.standing is not None else self.suggested

    def _clue_for_target(self, text: str) -> Clue | None:
        if self._target is None:
            return None
        told, _ = undoubted(self.game, text, self._target)
        return try_clue(self.game, told, self._target)

    def _answer(self, text: str) -> None:
        """Play the standing or suggested guess with a clue."""
        if self._target is None:
            raise self._answers_nothing(text)
        text, doubted = undoubted(self.game, text, self._target)
        clue = self.game.parse_clue(text, self._target)
        self._play(Turn(self._target, clue, doubted))

    def _could_be_clue(self, text: str) -> bool:
        symbols = len(self.game.alphabet)
        some_guess = tuple(n % symbols for n in range(self.game.guesses.lengths[-1]))
        told, _ = undoubted(self.game, text, some_guess)
        return try_clue(self.game, told, some_guess) is not None

    def _answers_nothing(self, text: str) -> InvalidTurnError:
        return InvalidTurnError(f"{text!r} is a clue, but to which guess? GUESS CLUE")

    def _flush_standing(self) -> None:
        turn = self._unanswered()
        self.standing = None
        self._record([turn])

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
        if self.standing is not None and turns[0] == self._unanswered():
            self._flush_standing()
            turns = turns[1:]
        if turns:
            self.standing = None
            self._record(turns)
            self._state()

    def _shared(self, shared: Shared) -> None:
        """Answer what is unread with a shared result, as one step."""
        before = self.session.history
        waiting = [] if self.standing is None else [self._unanswered()]
        after = shared.fill(self.game, before.add(*waiting))
        if not self.session.fits(after):
            raise InvalidTurnError(
                "nothing would fit these guesses any more: the text is of another game"
            )
        self.standing = None
        self.session.revise(after)
        old = dict(enumerate(before.turns))
        places = [n for n, turn in enumerate(after.turns) if turn != old.get(n)]
        self._echo(places)
        self._state()

    def _unanswered(self) -> Turn:
        """Return the turn of the standing guess, with nothing read."""
        assert self.standing is not None
        return Turn(self.standing, self.game.unread(self.standing))

    # Playing.

    def _play(self, turn: Turn) -> None:
        self.standing = None
        self._record([turn])
        self._state()

    def _record(self, turns: list[Turn]) -> None:
        """Add turns to the session as one step, and echo how they were understood."""
        first = len(self.session.history.turns)
        self.session.play(*turns)
        self._echo(range(first, first + len(turns)))

    def _echo(self, places: Iterable[int]) -> None:
        """Print how new turns (from 0) were understood, and which guesses are in no list."""
        for place in places:
            guess = self._show(place + 1).guess
            if self.game.listing_matters and not self.game.is_listed(guess):
                self.screen.note(self._not_listed(guess))

    def _show(self, number: int) -> Turn:
        """Print, and return, turn `number` (from 1)."""
        turns = self.session.history.turns
        turn = turns[number - 1]
        self.screen.turn(self.game, number, turn, History(turns[: number - 1]))
        return turn

    def _not_listed(self, guess: Code) -> str:
        return f"{self.game.format_code(guess)} is in no list; played all the same"

    def _state(self) -> None:
        """Print what is left and, last, what to try next."""
        session = self.session
        self.suggested = None
        if session.is_won:
            self.screen.line(render.solved_line(self.game, session.history))
            return
        if not session.engine.satisfiable():
            self._contradiction()
            return
        self._boards_state()
        advice = session.advise(1, self._budget)
        self.suggested = advice.suggestions[0].guess
        if self.game.boards == 1:
            self.screen.line(render.count_line(advice.count))
        if self.coach:
            self.suggested = None
            return
        if advice.basis:
            self.screen.note(f"(from {advice.basis})")
        self.screen.line(render.suggestion_line(session.game, advice))

    def _boards_state(self) -> None:
        """Print how many candidates each board has, where there are several."""
        engine = self.session.engine
        if isinstance(engine, BoardsEngine):
            history = self.session.history
            for line in render.boards_lines(self.game, history, engine.counts()):
                self.screen.line(line)

    @property
    def _budget(self) -> Budget:
        return Budget(seconds=self.game.play.budget)

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
            self.screen.line(f"{wider.line(own)}. /widen switches.")
        self.screen.line(f"It became impossible with {named}")
        number = named.split(".", 1)[0]
        ways = f"/edit {number} CLUE, /drop {number}, " if number.isdigit() else ""
        self.screen.line(f"Mend a row: {ways}/undo")

    def _lacking(self) -> str:
        """Return which boards have nothing left, where there are several."""
        boards = enumerate(left_on_boards(self.session.engine, 1), start=1)
        empty = [str(number) for number, board in boards if not board.codes]
        return f" of board {', '.join(empty)}" if empty else ""

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
        self.screen.table(render.suggestions_table(self.game, advice))
        if advice.basis:
            self.screen.note(f"(from {advice.basis})")

    def _nothing_to_suggest(self) -> bool:
        if self.session.is_won or not self.session.engine.satisfiable():
            self._state()
            return True
        return False

    def do_candidates(self, rest: str) -> None:
        """Print what is still possible, board by board."""
        limit = _number(rest, 20)
        engine = self.session.engine
        boards = left_on_boards(engine, limit)
        for number, board in enumerate(boards, start=1):
            self.screen.line(f"board {number}: {render.count_line(board.count)}")
            self._candidates(self.game.one_board, board, limit)
        if not boards:
            self._candidates(self.game, left(engine, limit), limit)

    def _candidates(self, game: Game, listed: Left, limit: int) -> None:
        self.screen.codes(game, listed.codes)
        if listed.more:
            self.screen.note(f"... and more: /candidates {limit * 5}")
        elif not listed.codes:
            self.screen.note("none")

    def do_try(self, rest: str) -> None:
        """Print what a guess of the player's would be worth."""
        if self._nothing_to_suggest():
            return
        game = self.game
        advice = self.session.rate(game.parse_guess(rest), self._budget)
        rated = advice.suggestions[0]
        may_win = "may be it" if rated.candidate else "cannot be it"
        code = game.format_code(rated.guess)
        self.screen.line(f"{code} - {render.value(rated, advice.measure)}, {may_win}")

    def do_why(self, rest: str) -> None:
        """Print which rows rule a code out."""
        code, board = ask(self.game, rest)
        for line in why_lines(self.game, self.session.history, code, board):
            self.screen.line(line)

    def do_history(self, _rest: str) -> None:
        """Print all rows."""
        self.screen.history(self.game, self.session.history)

    def do_edit(self, rest: str) -> None:
        """Change a row: its clue, or guess and clue."""
        digits, _, text = rest.partition(" ")
        number = _row(digits)
        old = self.session.history.turn(number)
        if not text.strip():
            self.screen.line(f"{number}. {self.game.format_turn(old)}")
            self.screen.note(f"write /edit {number} CLUE, or /edit {number} GUESS CLUE")
            return
        new = self._edited(old, text.strip())
        if new.guess != old.guess:
            before = History(self.session.history.turns[: number - 1])
            self.game.check_guess(new.guess, before)
        self.session.edit(number, new)
        self._show(number)
        self._state()

    def _edited(self, old: Turn, text: str) -> Turn:
        game = self.game
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
        self._show(number)
        self._state()

    def do_fact(self, rest: str) -> None:
        """Add something known of the secret."""
        fact = self.game.parse_fact(rest)
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

    def do_widen(self, rest: str) -> None:
        """Take the secrets from a wider word list, or from any that is named."""
        before = self.session.list_name
        merged = self.game.boards < self.game.secrets_at_once
        # Looking for the next list would build all its pairs, only to hear that they are too many.
        name = rest or (before if merged else self._next_list())
        self.session.widen(name)
        back = f"; /widen {before} goes back" if before else ""
        self.screen.line(f"secrets: {Path(name).name}{back}")
        self._state()

    def _next_list(self) -> str:
        """Return the list to widen to: the first with candidates where nothing fits, or the next.

        Raises SessionError where there is none.
        """
        found = self.session.wider()
        if found is not None:
            return found.name
        size = self.game.one_board.secrets.size
        lists = self.game.wider()
        name = next((name for name, wider in lists if wider.one_board.secrets.size > size), None)
        if name is None:
            own = self.session.list_name
            if not own:
                raise SessionError("the secrets of this game come from no word list")
            raise SessionError(f"no list is wider than {own}; /widen LIST takes another")
        return name

    def do_strategy(self, rest: str) -> None:
        """Change how guesses are picked, or say how."""
        if not rest:
            self.screen.line(self.game.play.strategy)
            return
        find_strategy(rest)
        before = self.game.play.strategy
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

        script = smtlib.script(self.game, self.session.history)
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
        self.screen.line(f"Clues: {self.game.rule.legend()}")
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
    "widen": Command(Conversation.do_widen, "widen [LIST]", "a wider word list"),
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
_LATER = ("certain", "suspect", "review", "rates")
_CLUE_WORDS = ("won", "none")


def _number(text: str, default: int) -> int:
    if not text:
        return default
    if not (text.isdecimal() and len(text) < 8 and int(text) > 0):
        raise InvalidTurnError(f"{text!r}: expected a number above 0")
    return int(text)


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise SessionError(f"{text}: there is no such home folder") from None


def _row(text: str) -> int:
    if not (text.isdecimal() and len(text) < 8):
        raise InvalidTurnError(f"{text!r}: expected the number of a row, as /history shows it")
    return int(text)
