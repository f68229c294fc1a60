"""Conversations: each line that a person types yields outcomes.

A player types clues from elsewhere; in `Practice` a codemaker answers guesses.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Counted
from puzzlehunt.errors import InvalidCodeError, InvalidTurnError, PuzzlehuntError, in_own_file
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.repair import Repairs, Suspect
from puzzlehunt.explanation.review import TriedGuess
from puzzlehunt.game.files.atomic import write_new
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import MergeResult, RowEffect
from puzzlehunt.game.turn_notation import check_guess, parse_typed_guess, read_line
from puzzlehunt.session import changes, outcomes
from puzzlehunt.session.answers import END_REVIEW_TIME
from puzzlehunt.session.changes import Change, Question
from puzzlehunt.session.commands import (
    COMMANDS,
    Local,
    Offer,
    Step,
    command_of,
    may_be_guess,
    parse,
    plain_command,
    unknown_command,
    unlisted,
)
from puzzlehunt.session.outcomes import Failed, HistoryChanged, Note, Outcome
from puzzlehunt.session.session import INTERRUPTED, Session, begin
from puzzlehunt.strategies.adviser import Advice

if TYPE_CHECKING:
    from puzzlehunt.session.codemaker import Codemaker


def with_failures(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Yield outcomes until an error is raised; then yield that error as `Failed`."""
    try:
        yield from outcomes
    except PuzzlehuntError as error:
        yield Failed(type(error).__name__, str(error))
    except (MemoryError, RecursionError) as error:
        yield Failed(type(error).__name__, "that is too much for one line")
    except Exception as error:
        if not (message := in_own_file(error)):
            raise
        yield Failed(type(error).__name__, message)


class Conversation:
    """One player's conversation about a session.

    Each outcome is yielded as soon as it is known: a caller must consume all of a line before it
    passes the next one. `told` after a change is where the game stands, with or without a guess
    (`count`), or nothing.
    """

    commands: ClassVar[Mapping[str, str]] = COMMANDS

    def __init__(
        self, session: Session, told: Literal["status", "count", "nothing"] = "status"
    ) -> None:
        self.session = session
        self.told = told
        self.is_open = True
        """Whether the conversation accepts another line."""
        self.seen: History | None = None
        """The rows that the author of the next line saw; None if they are the newest."""
        self.pending: Turn | None = session.pending
        """The turn of the guess that waits for its clue, as it was typed; None if none waits."""
        self.suggested: Code | None = None
        """The newest suggested guess; None if there is none since the last change."""
        self.offer: Offer | None = None
        """What the next line may accept."""
        self.made: list[tuple[Change, MergeResult]] = []
        """The changes that the newest line made, each with its effect on the rows."""
        self._news: set[object] = set()
        """What was told once: misread turns, rows that leave no candidate, the ends of games."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.session.game

    @property
    def history(self) -> History:
        """The rows that the next line is about."""
        return self.session.history if self.seen is None else self.seen

    @property
    def expected_line(self) -> Code | str | None:
        """The guess whose clue is expected, or a question; None if any line is."""
        if self.offer is not None:
            return f"{self.offer.text}? {'[Y/n]' if self.offer.eager else '[y/N]'} "
        return None if self.pending is None else self.pending.code

    @property
    def answered_guess(self) -> Code | None:
        """The guess that a clue alone answers: the pending one, or else the suggested one."""
        return self.suggested if self.pending is None else self.pending.code

    @property
    def report(self) -> list[Step]:
        """The question that follows a change, if any does."""
        return [] if self.told == "nothing" else [Question(self.told)]

    def start(self) -> Iterator[Outcome]:
        """Yield the history with which the game begins, and the state of the game."""
        yield outcomes.Begun(self.session.history)
        yield from self._unsaved_warning()
        yield from with_failures(self.take(*self.report))

    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of one line, or of a pasted block; an error is one, too."""
        self.session.save_interrupted()
        self.made.clear()
        yield from self.news()
        for outcome in with_failures(self._typed(text)):
            if isinstance(outcome, Failed | outcomes.PartlyRead) and text.lstrip()[:1] != "/":
                # The next clue may be about a guess that nobody could read.
                self.suggested = None
                if may_be_guess(self.game, text):
                    self.pending = self.session.awaited = None
            yield outcome
        yield from self._unsaved_warning()

    def _typed(self, text: str) -> Iterator[Outcome]:
        offer, self.offer = self.offer, None
        answer = text.strip().casefold()
        if offer is None or answer not in ("", "y", "yes", "n", "no"):
            yield from self.take(*parse(text, self))
        elif answer in ("y", "yes") or (not answer and offer.eager):
            report = () if isinstance(offer.step, Local) else self.report
            yield from self.take(offer.step, *report)

    def news(self) -> Iterator[Outcome]:
        """Yield what others have changed on the board since the last reading."""
        if self.session.is_outdated:
            yield from with_failures(self._read_again())

    def _read_again(self) -> Iterator[Outcome]:
        session, before, game = self.session, self.session.history, self.game
        for one in session.read_again():
            yield Note(f"line {one.line}: {one.message}", "error")
        if session.history != before or session.game is not game:
            self.suggested = None
            yield HistoryChanged("read", before, session.history, session.writers)
            yield from self.take(*self.report)

    def _unsaved_warning(self) -> Iterator[Outcome]:
        if self.session.unsaved is not None:
            yield Note(f"in memory only: {self.session.unsaved}; /save FILE elsewhere", "error")

    def take(self, *steps: Step) -> Iterator[Outcome]:
        """Yield the outcomes of the steps of a line. Raises PuzzlehuntError."""
        session = self.session
        for step in steps:
            match step:
                case Question():
                    yield from self._ask(step)
                case Local("stand", Turn() as turn):
                    session.awaited = turn.code
                    self._apply(changes.RecordTurns((turn,)))
                    self.pending = turn
                case Offer():
                    self.offer = step
                case Local("save", Path() | None as named):
                    if (path := named or session.path) is None:
                        raise InvalidTurnError("this game has no file yet: /save FILE")
                    session.keep_in(path)
                    yield Note(f"saved: {path}")
                case Local("export", Path() as path):
                    write_new(path, session.answers.script())
                    yield Note(f"written: {path}")
                case Local("begin", (Game() as game, str() as line)):
                    begin(session, game)
                    self.pending = None
                    yield Note(f"secrets: {game.length} letters")
                    yield from self.take(*parse(line, self))
                case Local("repair", int() as number):
                    if not (repairs := session.answers.repairs):
                        yield from self._ask(Question("repairs"))  # which says why
                    if number > len(repairs):
                        raise InvalidTurnError(f"{number}: the repairs are 1 to {len(repairs)}")
                    yield from self._change(changes.EditRows(repairs[number - 1].turns))
                    yield from self.take(*self.report)
                case Local():
                    self.is_open = False
                case _ if isinstance(step, Change):
                    yield from self._change(step)
                case _:
                    yield step

    def _apply(self, change: Change) -> MergeResult:
        result = self.session.apply(change)
        self.made.append((change, result))
        self.suggested, self.pending = None, self.session.pending
        return result

    def _change(self, change: Change) -> Iterator[Outcome]:
        session, before, old = self.session, self.session.history, self.game.play
        if isinstance(change, changes.RecordTurns) and session.awaited is not None:
            unread = session.awaited, self.game.rule.notation.unread_clue(session.awaited)
            if any((turn.code, turn.clue) == unread for turn in change.turns):
                session.awaited, session.unsaved = None, INTERRUPTED
                session.save_interrupted()
        result = self._apply(change)
        match change:
            case changes.RecordTurns(_, whole_log):
                yield from self._placed(result.placed, whole_log)
            case changes.AddFact(fact):
                yield Note(f"fact: {fact.text}")
            case changes.DropRow() | changes.Undo() | changes.Redo() | changes.Clear():
                yield HistoryChanged(change.kind, before, session.history, session.writers)
            case _ if isinstance(change, changes.HistoryChange):
                rows = enumerate(zip_longest(session.history.turns, before.turns), start=1)
                yield from self._placed(
                    [RowEffect(n, new, "new") for n, (new, was) in rows if new and new != was]
                )
            case changes.SetStrategy(name):
                yield Note(f"{name}; /strategy {old.strategy_name} goes back")
            case changes.SetWordList(name):
                yield Note(f"secrets: {Path(name).name}")

    def _placed(self, placed: Sequence[RowEffect], is_log: bool = False) -> Iterator[Outcome]:
        """Yield what became of rows, each with a note if its guess is in no list.

        Of a log, only what is new is told.
        """
        told = [one for one in placed if not (is_log and one.effect == "known")]
        for one in told:
            yield one
            yield from unlisted(self.game, one.turn.code) if one.effect != "known" else ()
        if known := len(placed) - len(told):
            yield Note(f"rows: {known} known")

    def _ask(self, question: Question) -> Iterator[Outcome]:
        """Yield the answer to a question; a contradiction, an end and a suspect are told once."""
        for outcome in self.session.answers.ask(question):
            match outcome:
                case Counted() if not self.history.items:
                    continue  # as many as the game has
                case Counted():
                    outcome = self.session.answers.with_letters(outcome)
                case Suspect(turn=turn):
                    if not self._is_news(turn):
                        continue
                case outcomes.NothingFits(history, place):
                    if not self._is_news(history.items[: place + 1]):
                        yield Note("Still nothing fits: /repair, /conflicts")
                        return
                case Repairs():
                    yield Note(f"Mend it: {'/repair N, ' if outcome else ''}/edit, /drop, /undo")
                case TriedGuess():
                    outcome = replace(outcome, names_best=self.told != "count")
                case Advice(suggestions=(best, *_)) | Identification(suggestions=(best, *_)):
                    self.suggested = best.code
            yield outcome

    def _is_news(self, what: object) -> bool:
        """Return whether something was not told yet; it counts as told then."""
        is_new = what not in self._news
        self._news.add(what)
        return is_new


class Practice(Conversation):
    """A conversation in which a codemaker answers each guess."""

    commands: ClassVar[Mapping[str, str]] = {
        "hint": "a good guess",
        "history": "all rows",
        "give-up": "say what it was",
        "help": "this; also help, ?",
        "quit": "leave; also exit",
    }

    def __init__(self, codemaker: "Codemaker") -> None:
        super().__init__(Session(codemaker.game), told="nothing")
        self.session.history = codemaker.history
        self.codemaker = codemaker
        self.is_solved = False
        """Whether the player found every secret within the allowed attempts."""
        self._turns_given = len(self.history.turns)
        """Number of turns before the player's first guess."""

    def start(self) -> Iterator[Outcome]:
        """Yield the history with which the game begins, and the end if it is over already."""
        yield outcomes.Begun(self.history, practice=True)
        yield from self._end_if_over()

    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of each line: the answer to a guess, or what a command does."""
        for line in text.splitlines():
            if self.is_open:
                yield from with_failures(self._typed(line.strip()))

    def _typed(self, text: str) -> Iterator[Outcome]:
        named = command_of(text, self.game.alphabet, (*self.commands, "suggest"))
        name = named[0] if named else plain_command(text, self.game)
        match name:
            case None:
                if guess := read_line(self.game, text).text:
                    yield from self._guess(guess)
            case "hint" | "suggest":
                yield from self.take(Question("suggest", 1))
            case "history" | "quit":
                yield from self.take(*parse(f"/{name}", self))
            case "give-up":
                self.is_open = False
                yield Note(f"It was {self.game.format_code(self.codemaker.secret)}")
            case "help":
                yield outcomes.Helped(self.commands, practice=True)
            case _:
                raise unknown_command(name, self.commands)

    def _guess(self, text: str) -> Iterator[Outcome]:
        """Yield the answer to the guess that a text is, and the end if the game is over.

        Raises InvalidCodeError for a guess of no list, IllegalGuessError for one forbidden now.
        """
        game = self.game
        guess = parse_typed_guess(game, text)
        if unlisted(game, guess):
            raise InvalidCodeError(f"{game.format_code(guess)} is not in the list of this game")
        check_guess(game, guess, self.history)
        turn = self.codemaker.answer(guess)
        self.session.history = self.codemaker.history
        yield RowEffect(len(self.history.turns), turn, "new")
        yield from self._end_if_over()

    def _end_if_over(self) -> Iterator[Outcome]:
        codemaker, attempts, history = self.codemaker, self.game.play.attempts, self.history
        self.is_solved = codemaker.is_over
        if not self.is_solved and (attempts is None or len(history.turns) < attempts):
            return
        self.is_open = False
        if self.is_solved:
            yield outcomes.Solved(history, codemaker.secret)
        else:
            yield Note(f"Out of attempts; it was {self.game.format_code(codemaker.secret)}")
        review = self.session.answers.review(END_REVIEW_TIME * self.game.play.budget)
        own = tuple(turn for turn in review.turns if turn.row > self._turns_given)
        yield replace(review, turns=own)
        yield outcomes.Shared(history)
