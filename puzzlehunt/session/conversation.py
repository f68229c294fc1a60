"""A conversation with a player who gets the clues elsewhere and types them in."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import get_args

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidTurnError, PuzzlehuntError, SessionError
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.repair import Repairs
from puzzlehunt.game.example import example_turn
from puzzlehunt.game.files.atomic import write_new
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import Effect, MergeResult, RowEffect
from puzzlehunt.game.tables import Heading
from puzzlehunt.session import changes, outcomes, steps
from puzzlehunt.session.changes import Change, Question, RecordTurns
from puzzlehunt.session.commands import COMMANDS
from puzzlehunt.session.dialogue import Dialogue, with_failures
from puzzlehunt.session.lines import HEADING_PASSED, may_be_guess, parse, unlisted
from puzzlehunt.session.outcomes import HistoryChanged, Note, Outcome, TurnMerged
from puzzlehunt.session.responses import answer, askable
from puzzlehunt.session.session import Session
from puzzlehunt.session.steps import Situation, Step
from puzzlehunt.strategies.adviser import Advice


class Conversation(Dialogue):
    """One player's conversation about a session.

    If `coach` is true, a guess is suggested only on request. If `quiet` is true, the state of the
    game is never reported.
    """

    commands = tuple(COMMANDS)

    def __init__(self, session: Session, coach: bool = False, quiet: bool = False) -> None:
        self.session = session
        self.coach = coach
        self.quiet = quiet
        self.answers_one_line = False
        """Whether no line follows the next, so that a table's heading must come with its rows."""
        self.pending: Turn | None = session.pending
        """The pending guess (typed without its clue), as a turn with nothing read; else None."""
        self.suggested: Code | None = None
        """The newest suggested guess; None if there is none since the last change."""
        self._is_refused = False
        """Whether a line was refused that may have been a guess, and none stands since then."""
        self._heading: Heading | None = None
        """The heading of the table whose rows are typed or piped one by one."""
        self._repairs_shown: Repairs | None = None
        """The repairs that were last shown; None if none were shown yet."""
        self._contradiction_told: tuple[Game, History, bool] | None = None
        """The contradiction that was reported last: its game, the rows up to the first that left no
        candidate, and whether the last row said that its guess won."""
        self._suspects_mentioned: set[Turn] = set()
        """The turns for which `MaybeMisread` was yielded; it is yielded once for each turn."""
        self._end_reported = False
        """Whether `Ended` was yielded after the game was last won."""
        self.made: list[tuple[Change, MergeResult]] = []
        """The changes that the newest line made, each with its effect on the rows."""

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def expected_line(self) -> Code | None:
        return None if self.pending is None else self.pending.guess

    @property
    def is_follower(self) -> bool:
        return self.session.is_shared

    @property
    def has_news(self) -> bool:
        return self.session.is_outdated

    @property
    def situation(self) -> Situation:
        """The context in which the next line is parsed."""
        return Situation(
            self.game,
            self.session.history,
            self.pending,
            self.suggested,
            self._heading,
            self._status_question,
            self.answers_one_line,
            self._is_refused,
        )

    @property
    def _status_question(self) -> Question:
        return Question("count" if self.coach else "status")

    def start(self) -> Iterator[Outcome]:
        """Yield the history with which the game begins, and the state of the game."""
        yield outcomes.Begun(self.session.history, example_turn(self.game))
        yield from self._unsaved_warning()
        yield from with_failures(self._ask(self._status_question))

    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of one line, or of a pasted block; an error is an outcome as well."""
        self.session.save_interrupted()
        self.made.clear()
        yield from self.news()
        typed = (one for step in self._steps(text) for one in self.take(step))
        for outcome in self._keeping_pending(with_failures(typed)):
            self._is_refused |= self._may_hide_guess(text, outcome)
            yield outcome
        yield from self._unsaved_warning()

    def _may_hide_guess(self, text: str, outcome: Outcome) -> bool:
        """Return whether a line, given an outcome, may have been a guess that nobody could read."""
        if text.lstrip().startswith("/"):
            return False
        if isinstance(outcome, outcomes.Failed | outcomes.BlockRefused):
            return self.pending is None or may_be_guess(self.game, text)
        return outcome == HEADING_PASSED and self.pending is None

    def _steps(self, text: str) -> Iterator[Step]:
        yield from parse(text, self.situation)

    def end(self) -> Iterator[Outcome]:
        """Record the pending guess, if there is one, as a turn with nothing read.

        On a shared board it is a row already.
        """
        if self.pending is not None and not self.session.is_shared:
            yield from self._keeping_pending(self._record_pending())
            yield from self._unsaved_warning()

    def news(self) -> Iterator[Outcome]:
        """Yield what others have changed on the board since the last reading."""
        if self.has_news:
            yield from with_failures(self._read_again())

    def _read_again(self) -> Iterator[Outcome]:
        before, game = self.session.history, self.session.game
        self.session.read_again()
        if self.session.history != before or self.session.game is not game:
            yield self._history_changed("read", before)
            yield from self._ask(self._status_question)

    def _keeping_pending(self, answer: Iterator[Outcome]) -> Iterator[Outcome]:
        """Yield outcomes; then store the pending guess if it has changed."""
        before = self.pending
        try:
            yield from answer
        finally:
            if self.pending != before:
                self.session.keep_pending(self.pending)

    def _unsaved_warning(self) -> Iterator[Outcome]:
        if self.session.unsaved is not None:
            why = f"in memory only: {self.session.unsaved}; /save FILE elsewhere"
            yield Note(why, "error")

    # Steps.

    def take(self, step: Step) -> Iterator[Outcome]:
        """Yield the outcomes of one step of a line. Raises PuzzlehuntError."""
        if isinstance(step, Change):
            yield from self._change(step)
        elif isinstance(step, Question):
            yield from self._ask(step)
        elif isinstance(step, steps.Local | steps.Resolved):
            yield from self._do(step)
        else:
            yield step

    def _do(self, step: steps.Local | steps.Resolved) -> Iterator[Outcome]:
        session = self.session
        match step:
            case steps.PendGuess(turn):
                self.pending, self._is_refused = turn, False
                yield outcomes.GuessStands(turn.guess)
            case steps.KeepHeading(heading):
                self._heading = heading
            case steps.SaveAs(path):
                yield self._save(path)
            case steps.ExportTo(name, path):
                write_new(path, session.answers.script())
                yield Note(f"written: {name}")
            case steps.ShowStrategy():
                yield Note(session.answers.adviser.strategy_name)
            case steps.Leave():
                if not session.keeps_pending:
                    yield from self._record_pending()
                self.is_open = False
            case steps.TakeRepair(text, otherwise):
                repairs = session.answers.repairs
                if otherwise is not None and int(text) > len(repairs):
                    raise otherwise
                yield from self._repair(text, repairs)
            case steps.WidenList():
                yield self._set_word_list(changes.SetWordList(self._next_list()))
            case steps.FillSquares(history):
                yield from self._fill_squares(history)

    def _save(self, path: Path | None) -> Note:
        if path is not None:
            self.session.keep_in(path)
        elif self.session.path is None:
            raise InvalidTurnError("this game has no file yet: /save FILE")
        else:
            self.session.save()
        return Note(f"saved: {self.session.path}")

    # Changes.

    def _apply(self, change: Change) -> MergeResult:
        result = self.session.apply(change)
        self.made.append((change, result))
        return result

    def _change(self, change: Change) -> Iterator[Outcome]:
        before = self.session.history
        match change:
            case RecordTurns():
                self.pending, self._is_refused = None, False
                yield from self._recorded(change, self._apply(change))
            case changes.EditRows() | changes.AddMarks():
                yield from self._placed(self._apply(change).placed)
            case changes.SetDoubt(row):
                self._apply(change)
                yield next(self._taken(row))
            case changes.AddFact(fact):
                self._apply(change)
                yield Note(f"fact: {fact.text}")
            case changes.DropRow():
                self._apply(change)
                yield self._history_changed("drop", before)
            case changes.Undo() | changes.Clear():
                yield self._taken_back(change)
            case changes.Redo():
                self._apply(change)
                yield self._history_changed("redo", before)
            case changes.ReplaceHistory() | changes.SetReadRates():
                self._apply(change)
            case changes.SetStrategy():
                yield from self._set_strategy(change)
            case changes.SetWordList():
                yield self._set_word_list(change)

    def _recorded(self, change: RecordTurns, result: MergeResult) -> Iterator[Outcome]:
        """Yield how turns were understood, and what they changed; of a log, only what is new."""
        if not change.whole_log:
            for placed, typed in zip(result.placed, change.turns, strict=True):
                if placed.effect == "known":
                    yield TurnMerged(placed, typed)
                else:
                    yield from self._placed([placed])
            return
        changed = [one for one in result.placed if one.effect != "known"]
        yield from self._placed(sorted(changed, key=lambda one: one.number))
        counts = Counter(placed.effect for placed in result.placed)
        if set(counts) != {"new"}:
            yield _merged(counts)

    def _placed(self, effects: Iterable[RowEffect]) -> Iterator[Outcome]:
        number = 0
        for placed in effects:
            if placed.number != number:
                yield from self._taken(number := placed.number)
            if placed.effect in ("completed", "replaced"):
                yield TurnMerged(placed)

    def _taken(self, number: int) -> Iterator[Outcome]:
        """Yield how a turn (from 1) was understood, and whether its guess is in no list."""
        turns = self.session.history.turns
        turn = turns[number - 1]
        yield outcomes.TurnTaken(number, turn, History(turns[: number - 1]))
        yield from unlisted(self.game, turn.guess)

    def _record_pending(self) -> Iterator[Outcome]:
        if self.pending is not None:
            yield from self._change(RecordTurns((self.pending,)))

    def _taken_back(self, change: changes.Undo | changes.Clear) -> HistoryChanged:
        """Undo steps, or clear the history; the pending guess is the newest step."""
        before, pending, self.pending = self.session.history, self.expected_line, None
        if isinstance(change, changes.Clear):
            self._apply(change)
            return self._history_changed("new", before, pending)
        if pending is None:
            self._apply(change)
        elif change.steps > 1:
            with suppress(SessionError):  # the pending guess was the only step
                self._apply(changes.Undo(change.steps - 1))
        return self._history_changed("undo", before, pending)

    def _history_changed(
        self, change: outcomes.Rewriting, before: History, pending: Code | None = None
    ) -> HistoryChanged:
        after, writers = self.session.history, self.session.writers
        return HistoryChanged(change, before, after, pending, writers)

    def _set_strategy(self, change: changes.SetStrategy) -> Iterator[Outcome]:
        """Change the strategy; the old one stays if the new one cannot advise in this game."""
        old = self.game.play
        result = self.session.apply(change)
        try:
            told = list(self._ask(self._status_question))
        except PuzzlehuntError:
            self.session.set_play(strategy=old.strategy)
            raise
        self.made.append((change, result))
        if change.name == old.strategy:
            yield Note(change.name)
        else:
            yield Note(f"/undo does not change it back; /strategy {old.strategy_name} does", "note")
        yield from told

    def _set_word_list(self, change: changes.SetWordList) -> outcomes.ListTaken:
        old_name = self.session.list_name
        self._apply(change)
        return outcomes.ListTaken(change.name, old_name)

    # Changes that need an engine.

    def _repair(self, text: str, repairs: Repairs) -> Iterator[Outcome]:
        """Apply the repair whose number a text is; list the repairs for an empty text.

        They are also listed if the number meant another repair when they were last shown.
        """
        if not repairs:
            fits = self.session.engine.satisfiable()
            raise SessionError("nothing to repair" if fits else "no change of one row mends this")
        shown, self._repairs_shown = self._repairs_shown, repairs
        if not text:
            yield repairs
            return
        if not (text.isdecimal() and len(text) < 8 and 1 <= int(text) <= len(repairs)):
            raise InvalidTurnError(f"{text!r}: the repairs are 1 to {len(repairs)}")
        place = int(text) - 1
        rows = repairs[place].turns
        if shown is not None and [one.turns for one in shown[place : place + 1]] != [rows]:
            yield repairs
            raise InvalidTurnError("the rows have changed: these are the repairs now; which one?")
        self._apply(changes.EditRows(rows))
        for row, _ in rows:
            yield from self._taken(row)
        yield from self._ask(self._status_question)

    def _next_list(self) -> str:
        """Return the next wider word list, or the first that fits. Raises SessionError."""
        wider = self.session.answers.wider_list()
        if wider is not None:
            return wider.name
        size = self.game.one_board.secrets.size
        for name, game in self.game.wider_games():
            if game.one_board.secrets.size > size:
                return name
        if not (own_list := self.session.list_name):
            raise SessionError("the secrets of this game come from no word list")
        raise SessionError(f"no list is wider than {own_list}; /widen LIST takes another")

    def _fill_squares(self, history: History) -> Iterator[Outcome]:
        old_turns = self.session.history.turns
        answers = self.session.answers
        answers.history = history
        if not answers.engine.satisfiable() and answers.wider_list() is None:
            raise InvalidTurnError(
                "nothing would fit these guesses any more: the text is of another game"
            )
        self.pending = None
        numbers = [
            number
            for number, turn in enumerate(history.turns, start=1)
            if old_turns[number - 1 : number] != (turn,)
        ]
        if numbers:
            self._apply(changes.ReplaceHistory(history))
        else:
            yield _merged({"known": len(history.turns)})
        for number in numbers:
            yield from self._taken(number)

    # Questions.

    def _ask(self, question: Question) -> Iterator[Outcome]:
        """Yield the answer to a question; of the status, only what was not reported before."""
        if question.kind not in ("status", "count"):
            question = askable(self.session.answers, question)
        if question.kind not in ("status", "count"):
            yield from map(self._noted, self.session.ask(question))
        elif not self.quiet:
            yield from self._status()

    def _noted(self, outcome: Outcome) -> Outcome:
        match outcome:
            case outcomes.GuessTried(tried):
                return outcomes.GuessTried(tried, name_best=not self.coach)
            case Advice(suggestions) | outcomes.Advised(Advice(suggestions)) if suggestions:
                self.suggested, self._is_refused = suggestions[0].guess, False
            case Identification(suggestions=suggestions) if suggestions:
                self.suggested = suggestions[0].guess
            case (Repairs() as repairs) | outcomes.WaysOut(repairs):
                self._repairs_shown = repairs
        return outcome

    def _status(self) -> Iterator[Outcome]:
        """Yield the state of the game; a contradiction, an end and a suspect are reported once."""
        self.suggested, answers = None, self.session.answers
        if not answers.is_won:
            self._end_reported = False
            if answers.engine.satisfiable():
                self._contradiction_told = None
            elif (known := self._known_contradiction()) is not None:
                yield known
                return
        for outcome in answer(answers, self._status_question):
            match outcome:
                case outcomes.MaybeMisread(suspect):
                    if suspect.turn in self._suspects_mentioned:
                        continue
                    self._suspects_mentioned.add(suspect.turn)
                case outcomes.Ended():
                    self._end_reported = True
            yield self._noted(outcome)
            if isinstance(outcome, outcomes.Solved) and self._end_reported:
                return

    def _known_contradiction(self) -> outcomes.NothingFits | None:
        """Return the short outcome for a contradiction that was reported before, else None."""
        history = self.session.history
        place = self.session.engine.first_conflict()
        assert place is not None
        is_won = bool(history.turns) and self.game.rule.wins(history.turns[-1].clue)
        told = self._contradiction_told
        newest = self.game, History(history.items[: place + 1]), is_won
        self._contradiction_told = newest
        if told is not None and told[0] is newest[0] and told[1:] == newest[1:]:
            return outcomes.NothingFits(history, place, knows=True)
        return None


def _merged(counts: Mapping[Effect, int]) -> Note:
    """Return how many turns of a pasted block had each effect."""
    effects = [f"{counts[name]} {name}" for name in get_args(Effect) if name in counts]
    return Note(f"rows: {', '.join(effects)}")
