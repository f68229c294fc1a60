"""Conversations: each line that a person types yields outcomes.

`Conversation` is that of a player who gets the clues elsewhere and types them in.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidTurnError, PuzzlehuntError, SessionError, in_own_file
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.repair import Repairs
from puzzlehunt.game.example import example_turn
from puzzlehunt.game.files.atomic import write_new
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.merging import Effect, MergeResult, RowEffect
from puzzlehunt.game.tables import Heading
from puzzlehunt.session import changes, outcomes
from puzzlehunt.session.changes import Change, Question
from puzzlehunt.session.commands import COMMANDS, Local, Situation, Step
from puzzlehunt.session.lines import HEADING_PASSED, may_be_guess, parse, unlisted
from puzzlehunt.session.outcomes import Failed, HistoryChanged, Note, Outcome, TurnMerged
from puzzlehunt.session.responses import answer, askable
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice


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

    Outcomes are yielded one by one, each as soon as it is known. The work on a line is done while
    its outcomes are consumed, so a caller must consume all of them before it passes the next line.
    If `coach` is true, a guess is suggested only on request. If `quiet` is true, the state of the
    game is never reported.
    """

    commands = tuple(COMMANDS)

    def __init__(self, session: Session, coach: bool = False, quiet: bool = False) -> None:
        self.session = session
        self.is_open = True
        """Whether the conversation accepts another line."""
        self.coach = coach
        self.quiet = quiet
        self.answers_one_line = False
        """Whether no line follows the next, so that a table's heading must come with its rows."""
        self.pending: Turn | None = session.pending
        """The turn of the guess that waits for its clue, as it was typed; None if none waits."""
        self.suggested: Code | None = None
        """The newest suggested guess; None if there is none since the last change."""
        self._is_refused = False
        """Whether a line was refused that may have been a guess, and none stands since then."""
        self._heading: Heading | None = None
        """The heading of the table whose rows are typed or piped one by one."""
        self._repairs: Repairs | None = None
        """The repairs that were last shown; None if none were shown yet."""
        self._told: set[object] = set()
        """What is told once: misread turns, rows that leave no candidate, the ends of games."""
        self.made: list[tuple[Change, MergeResult]] = []
        """The changes that the newest line made, each with its effect on the rows."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.session.game

    @property
    def expected_line(self) -> Code | None:
        """The guess whose clue is expected; None if none is."""
        return None if self.pending is None else self.pending.guess

    @property
    def situation(self) -> Situation:
        """The context in which the next line is parsed."""
        return Situation(
            self.game,
            self.session.history,
            self.pending,
            self.suggested,
            self._heading,
            Question("count" if self.coach else "status"),
            self.answers_one_line,
            self._is_refused,
        )

    def start(self) -> Iterator[Outcome]:
        """Yield the history with which the game begins, and the state of the game."""
        yield outcomes.Begun(self.session.history, example_turn(self.game))
        yield from self._unsaved_warning()
        yield from with_failures(self._status())

    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of one line, or of a pasted block; an error is an outcome as well."""
        self.session.save_interrupted()
        self.made.clear()
        yield from self.news()
        for outcome in with_failures(self._typed(text)):
            self._is_refused |= self._may_hide_guess(text, outcome)
            yield outcome
        yield from self._unsaved_warning()

    def _typed(self, text: str) -> Iterator[Outcome]:
        for step in parse(text, self.situation):
            yield from self.take(step)

    def _may_hide_guess(self, text: str, outcome: Outcome) -> bool:
        """Return whether a line, given an outcome, may have been a guess that nobody could read."""
        if text.lstrip().startswith("/"):
            return False
        if isinstance(outcome, Failed | outcomes.BlockRefused):
            return self.pending is None or may_be_guess(self.game, text)
        return outcome == HEADING_PASSED and self.pending is None

    def news(self) -> Iterator[Outcome]:
        """Yield what others have changed on the board since the last reading."""
        if self.session.is_outdated:
            yield from with_failures(self._read_again())

    def _read_again(self) -> Iterator[Outcome]:
        before, game = self.session.history, self.game
        self.session.read_again()
        if self.session.history != before or self.game is not game:
            yield self._history_changed("read", before)
            yield from self._status()

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
        elif isinstance(step, Local):
            yield from self._do(step)
        else:
            yield step

    def _do(self, step: Local) -> Iterator[Outcome]:
        session = self.session
        match step:
            case Local("stand", Turn() as turn):
                self._apply(changes.RecordTurns((turn,)))
                self.pending, self._is_refused = turn, False
                yield outcomes.GuessStands(turn.guess)
            case Local("heading", heading):
                self._heading = heading if isinstance(heading, Heading) else None
            case Local("save", path):
                if isinstance(path, Path):
                    session.keep_in(path)
                elif session.path is None:
                    raise InvalidTurnError("this game has no file yet: /save FILE")
                else:
                    session.save()
                yield Note(f"saved: {session.path}")
            case Local("export", Path() as path):
                write_new(path, session.answers.script())
                yield Note(f"written: {path}")
            case Local("quit"):
                self.is_open = False
            case Local("repair", str() as number):
                yield from self._repair(number)
            case Local("widen"):
                yield from self._change(changes.SetWordList(self._next_list()))

    # Changes.

    def _apply(self, change: Change) -> MergeResult:
        result = self.session.apply(change)
        self.made.append((change, result))
        return result

    def _change(self, change: Change) -> Iterator[Outcome]:
        session, before, waiting = self.session, self.session.history, self.session.pending
        old_list = session.list_name if isinstance(change, changes.SetWordList) else ""
        old_strategy, result = self.game.play.strategy_name, self._apply(change)
        match change:
            case changes.RecordTurns():
                yield from self._recorded(change, result)
            case changes.EditRows() | changes.AddMarks():
                if session.pending != waiting:
                    self.pending = None
                yield from self._placed(result.placed)
            case changes.SetDoubt(row):
                if self.pending and self.pending.guess == session.history.turn(row).guess:
                    self.pending = replace(self.pending, doubt=session.history.turn(row).doubt)
                yield next(self._taken(row))
            case changes.AddFact(fact):
                yield Note(f"fact: {fact.text}")
            case changes.DropRow() | changes.Undo() | changes.Redo() | changes.Clear():
                self.pending = session.pending
                kind = "new" if isinstance(change, changes.Clear) else change.kind
                yield self._history_changed("drop" if kind == "drop_row" else kind, before)
            case changes.ReplaceHistory(history):
                self.pending = None
                for number, turn in enumerate(history.turns, start=1):
                    if before.turns[number - 1 : number] != (turn,):
                        yield from self._taken(number)
            case changes.SetStrategy(name):
                yield Note(f"{name}; /strategy {old_strategy} goes back")
            case changes.SetWordList(name):
                back = f"; /widen {old_list} goes back" if old_list else ""
                yield Note(f"secrets: {Path(name).name}{back}")

    def _recorded(self, change: changes.RecordTurns, result: MergeResult) -> Iterator[Outcome]:
        """Yield how turns were understood, and what they changed; of a log, only what is new.

        The clue of the guess that waited for it is not told as a change of its row.
        """
        pending, self.pending, self._is_refused = self.pending, None, False
        stood = pending and (pending.guess, pending.clue)
        placed = list(result.placed)
        for place, one in enumerate(placed):
            if one.old and (one.old.guess, one.old.clue) == stood:
                placed[place] = replace(one, effect="new")
        if not change.whole_log:
            yield from self._placed(placed)
            return
        changed = [one for one in placed if one.effect != "known"]
        yield from self._placed(sorted(changed, key=lambda one: one.number))
        counts = Counter(one.effect for one in placed)
        if set(counts) != {"new"}:
            effects = [f"{counts[name]} {name}" for name in get_args(Effect) if name in counts]
            yield Note(f"rows: {', '.join(effects)}")

    def _placed(self, effects: Iterable[RowEffect]) -> Iterator[Outcome]:
        number = 0
        for placed in effects:
            if placed.effect != "known" and placed.number != number:
                yield from self._taken(number := placed.number)
            if placed.effect != "new":
                yield TurnMerged(placed)

    def _taken(self, number: int) -> Iterator[Outcome]:
        """Yield how a turn (from 1) was understood, and whether its guess is in no list."""
        turns = self.session.history.turns
        turn = turns[number - 1]
        yield outcomes.TurnTaken(number, turn, History(turns[: number - 1]))
        yield from unlisted(self.game, turn.guess)

    def _history_changed(self, change: outcomes.Rewriting, before: History) -> HistoryChanged:
        return HistoryChanged(change, before, self.session.history, self.session.writers)

    # Changes that need an engine.

    def _repair(self, number: str) -> Iterator[Outcome]:
        """Apply the repair with a number; list the repairs if it is "".

        They are also listed if the number meant another repair when they were last shown.
        """
        repairs, shown = self.session.answers.repairs, self._repairs
        if not repairs:
            fits = self.session.engine.satisfiable()
            raise SessionError("nothing to repair" if fits else "no change of one row mends this")
        self._repairs = repairs
        if not number:
            yield repairs
            return
        if not (number.isdecimal() and len(number) < 8 and 1 <= int(number) <= len(repairs)):
            raise InvalidTurnError(f"{number!r}: the repairs are 1 to {len(repairs)}")
        if shown is not None and shown.history != repairs.history:
            yield repairs
            raise InvalidTurnError("the rows have changed: these are the repairs now; which one?")
        change = changes.EditRows(repairs[int(number) - 1].turns)
        self._apply(change)
        for row, _ in change.rows:
            yield from self._taken(row)
        yield from self._status()

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

    # Questions.

    def _ask(self, question: Question) -> Iterator[Outcome]:
        """Yield the answer to a question; of the status, only what was not reported before."""
        question = askable(self.session.answers, question)
        is_status = question.kind in ("status", "count")
        yield from self._status() if is_status else map(self._noted, self.session.ask(question))

    def _noted(self, outcome: Outcome) -> Outcome:
        match outcome:
            case outcomes.GuessTried(tried):
                return outcomes.GuessTried(tried, name_best=not self.coach)
            case Advice(suggestions) | outcomes.Advised(Advice(suggestions)) if suggestions:
                self.suggested, self._is_refused = suggestions[0].guess, False
            case Identification(suggestions=suggestions) if suggestions:
                self.suggested = suggestions[0].guess
            case (Repairs() as repairs) | outcomes.WaysOut(repairs):
                self._repairs = repairs
        return outcome

    def _status(self) -> Iterator[Outcome]:
        """Yield the state of the game; a contradiction, an end and a suspect are reported once."""
        if self.quiet:
            return
        self.suggested, answers, history = None, self.session.answers, self.session.history
        place = None if answers.is_won else answers.engine.first_conflict()
        claims = [self.game.rule.wins(turn.clue) for turn in history.turns[-1:]]
        if place is not None and not self._tells((history.items[: place + 1], *claims)):
            yield outcomes.NothingFits(history, place, knows=True)
            return
        for outcome in answer(answers, self.situation.status):
            if isinstance(outcome, outcomes.MaybeMisread) and not self._tells(outcome.suspect.turn):
                continue
            yield self._noted(outcome)
            if isinstance(outcome, outcomes.Solved) and not self._tells(history):
                return

    def _tells(self, news: object) -> bool:
        """Return whether something is news, which is then told once."""
        is_new = news not in self._told
        self._told.add(news)
        return is_new
