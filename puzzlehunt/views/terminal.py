"""Outcomes of conversations, printed in a terminal."""

from typing import assert_never

from puzzlehunt import explanation
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Counted
from puzzlehunt.errors import counted, printable
from puzzlehunt.explanation.remaining import CandidatesListed, WiderList
from puzzlehunt.game.blocks import example_turn
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.game.turn_notation import format_row, format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views import candidates, rows, wording
from puzzlehunt.views.screen import Screen, wrapped
from puzzlehunt.views.summary import lies_lines, rates_lines

_OUT_AND_BACK = {
    "undo": ("undone", "back"),
    "redo": ("dropped", "redone"),
    "drop_row": ("dropped", "back"),
    "read": ("gone", "new"),
}
"""For each kind of change: the words for the items that it removes, and adds."""


def prompt(game: Game, expected_line: Code | str | None) -> str:
    """Return the prompt of the next line: `> `, `FLESH clue> `, or a question."""
    if isinstance(expected_line, tuple):
        return printable(f"{game.format_code(expected_line)} clue> ")
    return expected_line or "> "


def print_outcome(outcome: Outcome, screen: Screen, game: Game) -> None:
    """Print an outcome of a conversation on a screen."""
    match outcome:
        case outcomes.Note(text, how):
            {"result": screen.line, "note": screen.note, "error": screen.error}[how](text)
        case outcomes.Begun():
            _begin(outcome, screen, game)
        case outcomes.Solved(history, secret):
            screen.line(candidates.solved_line(game, history, secret))
        case outcomes.Shared(_, explanation.review.Review() as review):
            skill = candidates.skill_line(review) if review.complete else ""
            screen.line(f"{skill}; /review" if skill else "/review says how good each guess was")
        case outcomes.Shared(history):
            shared = rows.share_lines(game, history) if history.turns else ["nothing to share yet"]
            screen.lines(shared)
        case RowEffect():
            screen.lines(rows.effect_lines(game, outcome))
        case outcomes.PartlyRead(turns, problems):
            screen.lines(f"  {format_row(game, turn)}" for turn in turns)
            for problem in problems:
                screen.error(f"line {problem.line}: {problem.message}")
            screen.note(f"{counted(len(turns), 'row')} read, {counted(len(problems), 'line')} not")
        case outcomes.HistoryChanged():
            _print_change(outcome, screen, game)
        case History():
            screen.lines(rows.history_lines(game, outcome) if outcome.items else ["nothing yet"])
        case outcomes.WordsCounted():
            count, *others = candidates.counted_lines(game, outcome)
            screen.sentence(f"{count}{candidates.letters_text(game, outcome)}")
            screen.lines(others)
        case Counted():
            screen.lines(candidates.counted_lines(game, outcome))
        case Advice():
            candidates.show_suggestions(outcome, screen)
        case CandidatesListed():
            candidates.show_candidates(game, outcome, screen)
        # Of files that are imported when an outcome is none of those above.
        case explanation.repair.Suspect():
            screen.line(f"{wording.PROBABLY_WRONG.capitalize()} (/suspect):")
            screen.line(f"{outcome.row}. {format_turn(game, outcome.turn)}")
        case outcomes.NothingFits(history, place):
            if place < len(history) - 1:
                item = wording.name_item(game, history, history.names[place])
                screen.line(f"It became impossible with {item}")
            if not outcome.proved:
                screen.note(f"({wording.unconfirmed_text(game)})")
        case WiderList():
            screen.line(f"{candidates.wider_line(outcome)} (/widen {outcome.name})")
        case explanation.why.Explanation():
            screen.sentence(wording.conflict_sentence(outcome))
            screen.lines(line for one in outcome.verdicts for line in wording.verdict_lines(one))
        case explanation.repair.Repairs():
            for repair in outcome[: wording.MOST_REPAIRS]:
                screen.lines(wording.repair_lines(repair))
            if (more := len(outcome) - wording.MOST_REPAIRS) > 0:
                screen.line(f"and {more} more")
        case explanation.review.TriedGuess():
            candidates.show_tried(outcome, screen)
        case explanation.why.Verdict():
            screen.lines(wording.verdict_lines(outcome))
        case explanation.why.Certainties():
            screen.lines(wording.certain_lines(outcome))
            if outcome and not outcome.proved:
                screen.note(f"({wording.unconfirmed_text(game)})")
        case explanation.review.Review() if not outcome.turns:
            screen.note("nothing to review yet")
        case explanation.review.Review():
            screen.table(candidates.review_table(outcome))
            if outcome.contradiction is not None:
                item = wording.name_item(game, outcome.history, outcome.contradiction)
                screen.line(f"Nothing fits since {item}")
            screen.line(candidates.skill_line(outcome))
            if not outcome.complete:
                screen.note(f"(no time for the rows after row {outcome.turns[-1].row})")
        case explanation.repair.Suspects():
            if outcome:
                screen.lines(wording.suspects_lines(outcome))
            elif outcome.history.turns:
                screen.note("too many codes to weigh one row against another")
            else:
                screen.note("no row yet")
        case explanation.review.UnreadMarks():
            candidates.show_unread(outcome, screen)
        case outcomes.ReadRatesShown(estimates):
            screen.lines(rates_lines(game, estimates))
        case explanation.identification.Identification():
            screen.lines(candidates.identification_lines(outcome))
        case outcomes.Helped():
            _help(outcome, screen, game)
        case outcomes.Failed(message=message):
            screen.error(message)
        case _:
            assert_never(outcome)


def _begin(outcome: outcomes.Begun, screen: Screen, game: Game) -> None:
    screen.line(f"{game.title} ({candidates.size_text(game, 'code')})")
    screen.lines(rows.history_lines(game, outcome.history))
    screen.line(game.rule.notation.legend())
    screen.lines(lies_lines(game))
    if outcome.practice:
        attempts = game.play.attempts
        limit = "any number of attempts" if attempts is None else counted(attempts, "attempt")
        screen.line(f"{limit}; see /help")
        return
    columns = game.rule.column_names
    first = f"type GUESS and a cell for each of {columns[0]}" if columns else "type GUESS CLUE"
    example = example_turn(game)
    shown = [] if example is None else [f"as {format_turn(game, example)}"]
    *parts, last = first, *columns[1:], *shown
    screen.lines(wrapped(*parts, f"{last} (/help)"))


def _print_change(outcome: outcomes.HistoryChanged, screen: Screen, game: Game) -> None:
    before = outcome.before
    if outcome.change == "clear":
        screen.line(f"A new game{'; /undo brings the old one back' if before.items else ''}")
        return
    words = _OUT_AND_BACK[outcome.change]
    gone, added = rows.difference_lines(game, before, outcome.after, words, outcome.writers)
    screen.lines([*gone, *added] or [f"{words[0]}: the rows are as they were"])


def _help(outcome: outcomes.Helped, screen: Screen, game: Game) -> None:
    screen.sentence(
        "Type a guess; the answer comes at once."
        if outcome.practice
        else "GUESS CLUE plays a row, CLUE alone answers the guess that waits or was suggested; "
        "a guess again changes its row. ? behind a row doubts it, # begins a note."
    )
    screen.sentence(f"Clues: {game.rule.notation.legend()}")
    # What is left out, and what an unread mark may be.
    board = game.one_board
    for words, _ in board.rule.notation.readings((0,) * board.length)[:2]:
        screen.sentence(words)
    width = max(map(len, outcome.commands))
    columns = (f"/{syntax:<{width}} {purpose}" for syntax, purpose in outcome.commands.items())
    screen.line("\n".join(columns))
