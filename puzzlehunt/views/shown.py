"""What is printed of a value, and shown in notebooks: the lines and tables of a terminal."""

from io import StringIO
from typing import Any

from rich.text import Text

from puzzlehunt.engines.base import CandidateView, Count, Engine
from puzzlehunt.errors import counted
from puzzlehunt.explanation.remaining import remaining
from puzzlehunt.explanation.repair import NearMisses, Repair, Suspect
from puzzlehunt.explanation.review import Partition, UnreadMark
from puzzlehunt.explanation.why import Certainty
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Shown
from puzzlehunt.game.merging import MergeResult
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views import candidates, rows, wording
from puzzlehunt.views.screen import Screen, Table
from puzzlehunt.views.summary import size_line
from puzzlehunt.views.terminal import print_outcome
from puzzlehunt.views.tournaments import headline, pair_sentence, result_lines, results_table

_MOST_ANSWERS = 20
"""Largest number of feedbacks that are shown of a partition."""


def value_text(value: Shown) -> str:
    """Return what a terminal prints of a value, in lines; `none` if that is nothing."""
    printed = StringIO()
    _show(value, Screen(printed, printed))
    # A notebook's kernel may ask for colours.
    return Text.from_ansi(printed.getvalue()).plain.removesuffix("\n") or "none"


def _show(value: Any, screen: Screen) -> None:
    match value:
        case Game():
            about = " ".join(value.about.split())
            screen.lines(filter(None, [size_line(value), about, value.rule.notation.legend()]))
            screen.lines(rows.history_lines(value, value.history))
        case Session():
            screen.lines([value.game.title, *str(value.history).splitlines()])
        case CandidateView():
            _show_candidates(value.engine, screen)
        case Engine():
            screen.lines(rows.history_lines(value.game, value.history))
            _show_candidates(value, screen)
        case Count():
            screen.line(candidates.count_line(value))
        case Partition(guess=guess):
            answers = [*value][:_MOST_ANSWERS]
            columns = {"answer": answers, "left": [f"{value[one]:,}" for one in answers]}
            number, left = counted(len(value), "answer"), f"{value.average_left:,.1f} left"
            screen.lines([guess, f"{number}, {value.bits:.2f} bits, {left} on average"])
            screen.table(Table(columns, ["answer"]))
            if rest := len(value) - len(answers):
                screen.note(f"and {counted(rest, 'answer')} more")
        case Tournament():
            screen.lines(result_lines(value))
        case Comparison():
            screen.line(headline(value))
            screen.table(results_table(value))
            screen.lines(map(pair_sentence, value.pairs))
        case Advice():
            screen.line(candidates.count_line(Count.of(value.count)))
            screen.lines(candidates.outside_lines(value.outside))
            print_outcome(value, screen, value.game)
        case MergeResult(game):
            for one in value.placed:
                screen.lines(rows.effect_lines(game, one))
        case NearMisses():
            screen.lines(candidates.near_lines(value))
        case Repair():
            screen.lines(wording.repair_lines(value))
        case Suspect():
            screen.line(wording.suspect_line(value))
        case Certainty():
            screen.line(wording.certain_line(value))
        case UnreadMark():
            candidates.show_unread([value], screen)
        case _:
            print_outcome(value, screen, value.game)


def _show_candidates(engine: Engine, screen: Screen) -> None:
    count = engine.count()
    left = remaining(engine, 0 if count.exact is None else 12)
    screen.lines([candidates.count_line(count), *candidates.outside_lines(left.outside)])
    screen.lines(candidates.candidate_lines(engine.game, left))
    if left.more and left.codes:
        screen.note(candidates.more_text(left))
