"""Outcomes of conversations and practice games, printed in a terminal."""

from typing import assert_never

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Counted
from puzzlehunt.errors import counted, printable
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.remaining import CandidatesListed, WiderList
from puzzlehunt.explanation.repair import Repairs, Suspect, Suspects
from puzzlehunt.explanation.review import Review, TriedGuess, UnreadMarks
from puzzlehunt.explanation.why import Certainties, Explanation, Verdict
from puzzlehunt.game.blocks import example_turn
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views import candidates, rows, wording
from puzzlehunt.views.screen import Screen, wrapped
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.summary import lies_lines, rates_lines

_OUT_AND_BACK = {
    "undo": ("undone", "back"),
    "redo": ("dropped", "redone"),
    "drop_row": ("dropped", "back"),
    "read": ("gone", "new"),
}
"""For each kind of change: the words for the items that it removes, and for those that it adds."""

NOTHING_FITS = "Nothing fits: no code agrees with all rows."


def prompt(game: Game, expected_line: Code | int | None) -> str:
    """Return the prompt of the next line: `> `, `FLESH clue> ` or, with a turn's number, `4> `.

    `expected_line` is the guess whose clue is expected, the number of the turn that is expected, or
    None for any line.
    """
    if isinstance(expected_line, tuple):
        return printable(f"{game.format_code(expected_line)} clue> ")
    return "> " if expected_line is None else f"{expected_line}> "


def print_outcome(outcome: Outcome, screen: Screen, game: Game) -> None:
    """Print an outcome of a conversation or a practice game on a screen."""
    match outcome:
        case outcomes.Note(text, how):
            {"result": screen.line, "note": screen.note, "error": screen.error}[how](text)

        # The beginning and the end.
        case outcomes.Begun():
            _begin(outcome, screen, game)
        case outcomes.Solved(history, secret):
            screen.line(candidates.solved_line(game, history, secret))
        case outcomes.Shared(_, Review() as review):
            screen.lines(filter(None, [candidates.skill_line(review) if review.complete else ""]))
        case outcomes.Shared(history):
            screen.lines(share_lines(game, history) if history.turns else ["nothing to share yet"])

        # Turns.
        case RowEffect():
            screen.lines(rows.effect_lines(game, outcome))
        case outcomes.BlockRefused(problems):
            for problem in problems:
                screen.error(f"line {problem.line}: {problem.message}")
            screen.note("nothing was recorded; mend these lines and send them again")
        case outcomes.HistoryChanged():
            _print_change(outcome, screen, game)
        case History():
            screen.lines(rows.history_lines(game, outcome) if outcome.items else ["nothing yet"])

        # The state of the game.
        case Counted():
            screen.lines(candidates.counted_lines(game, outcome))
        case Suspect():
            screen.line(f"{wording.PROBABLY_WRONG.capitalize()} (/suspect):")
            screen.line(f"{outcome.row}. {format_turn(game, outcome.turn)}")
        case outcomes.NothingFits(history, place):
            name = history.names[place]
            screen.line(NOTHING_FITS)
            if not outcome.proved:
                screen.note(f"({wording.unconfirmed_text(game)})")
            screen.line(f"It became impossible with {wording.name_item(game, history, name)}")
            ways = [f"/edit {name} CLUE", f"/drop {name}"] if isinstance(name, int) else []
            first, *others = *ways, "/undo", "/repair N"
            screen.lines(wrapped(f"Mend a row: {first}", *others))
        case WiderList():
            screen.line(f"{candidates.wider_line(outcome)} (/widen {outcome.name})")
        case Explanation():
            screen.sentence(wording.conflict_sentence(outcome))
            screen.lines(line for one in outcome.verdicts for line in wording.verdict_lines(one))
        case Repairs():
            screen.lines(wording.repairs_lines(outcome))

        # Answers to questions.
        case Advice():
            candidates.show_suggestions(game, outcome, screen)
        case CandidatesListed():
            candidates.show_candidates(game, outcome, screen)
        case TriedGuess():
            screen.lines(candidates.tried_lines(game, outcome))
        case Verdict():
            screen.lines(wording.verdict_lines(outcome))
        case Certainties():
            screen.lines(wording.certain_lines(outcome))
            if outcome and not outcome.proved:
                screen.note(f"({wording.unconfirmed_text(game)})")
        case Review() if not outcome.turns:
            screen.note("nothing to review yet")
        case Review():
            screen.table(candidates.review_table(game, outcome))
            if outcome.contradiction is not None:
                item = wording.name_item(game, outcome.history, outcome.contradiction)
                screen.line(f"Nothing fits since {item}")
            screen.line(candidates.skill_line(outcome))
            if not outcome.complete:
                screen.note(f"(no time for the rows after row {outcome.turns[-1].row})")
        case Suspects():
            if outcome:
                screen.lines(wording.suspects_lines(outcome))
            elif outcome.history.turns:
                screen.note("too many codes to weigh one row against another")
            else:
                screen.note("no row yet")
        case UnreadMarks():
            candidates.show_unread(outcome, screen)
        case outcomes.ReadRatesShown(estimates):
            screen.lines(rates_lines(game, estimates))
        case Identification():
            screen.lines(candidates.identification_lines(outcome))

        # Settings and files.
        case outcomes.Helped():
            _help(outcome, screen, game)

        # What went wrong.
        case outcomes.Failed(message=message):
            screen.error(message)
        case _:
            assert_never(outcome)


def _begin(outcome: outcomes.Begun, screen: Screen, game: Game) -> None:
    screen.line(f"{game.title} ({candidates.size_text(game, 'code')})")
    screen.lines(rows.history_lines(game, outcome.history) if outcome.history.items else ())
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
    before, after = outcome.before, outcome.after
    if outcome.change == "clear":
        screen.line(f"A new game{'; /undo brings the old one back' if before.items else ''}")
        return
    words = _OUT_AND_BACK[outcome.change]
    gone, added = rows.difference_lines(game, before, after, words, outcome.writers)
    screen.lines([*gone, *added] or [f"{words[0]}: the rows are as they were"])


def _help(outcome: outcomes.Helped, screen: Screen, game: Game) -> None:
    screen.sentence(
        "Type a guess; the answer comes at once."
        if outcome.practice
        else "GUESS CLUE plays a row. CLUE alone answers the pending guess, or else the suggested "
        "one. A guess typed again completes its row or replaces it. A space and ? after a row "
        "doubts it, and # begins a note. ROW below is a row's number or its guess."
    )
    screen.line(f"Clues: {game.rule.notation.legend()}")
    # What is left out, and what an unread mark may be.
    board = game.one_board
    for words, _ in board.rule.notation.readings((0,) * board.length)[:2]:
        screen.sentence(words)
    width = max(map(len, outcome.commands))
    columns = (f"/{syntax:<{width}} {purpose}" for syntax, purpose in outcome.commands.items())
    screen.line("\n".join(columns))
