"""What notebooks show of a value: the lines and tables of a terminal."""

from io import StringIO
from typing import cast

from rich.text import Text

from puzzlehunt.engines.base import CandidateView, Count, Engine
from puzzlehunt.errors import counted
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.remaining import Findings, remaining
from puzzlehunt.explanation.repair import NearMisses
from puzzlehunt.explanation.review import Partition, Review
from puzzlehunt.explanation.why import Explanation
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views import candidates
from puzzlehunt.views.elements import element
from puzzlehunt.views.rows import history_lines, styled_code
from puzzlehunt.views.screen import Screen, Table
from puzzlehunt.views.summary import size_line
from puzzlehunt.views.terminal import print_outcome
from puzzlehunt.views.tournaments import headline, pair_sentence, result_lines, results_table

_MOST_ANSWERS = 20
"""Largest number of feedbacks that a notebook shows of a partition."""


def value_html(value: NotebookShown) -> str:
    """Return a value of the package as HTML. Raises TypeError for types not in NotebookShown."""
    printed = StringIO()
    _show(value, Screen(printed, printed))
    # Its kernel may ask for colours.
    return element("pre", Text.from_ansi(printed.getvalue()).plain)


def _show(value: NotebookShown, screen: Screen) -> None:
    match value:
        case Game():
            about = " ".join(value.about.split())
            screen.lines([size_line(value), about, value.rule.notation.legend()])
            screen.lines(history_lines(value, value.history))
        case History():
            screen.lines(item.text or repr(item) for item in value)
        case CandidateView():
            _show_candidates(value.engine, screen)
        case Session():
            screen.line(value.game.title)
            _show(value.engine, screen)
        case Engine():
            screen.lines(history_lines(value.game, History(value.items)))
            _show_candidates(value, screen)
        case Partition():
            _show_partition(value, screen)
        case Tournament():
            screen.lines(result_lines(value))
        case Comparison():
            screen.line(headline(value))
            screen.table(results_table(value))
            screen.lines(map(pair_sentence, value.pairs))
        case Findings():
            screen.line(value.title if value else f"{value.title}: none")
            if isinstance(value, NearMisses):
                screen.lines(candidates.near_lines(value.game, value))
            elif value:
                print_outcome(cast(Outcome, value), screen, value.game)
        case Advice() if value.game:
            screen.line(candidates.count_line(Count.of(value.count)))
            screen.lines(candidates.outside_lines(value.outside))
            print_outcome(value, screen, value.game)
        case Advice():
            screen.line(repr(value))
        case Explanation() | Review() | Identification():
            print_outcome(value, screen, value.game)
        case _:
            raise TypeError(f"a notebook cannot show {type(value).__name__}")


def _show_candidates(engine: Engine, screen: Screen) -> None:
    count = engine.count()
    if count.exact is None:
        screen.line("candidates are left" if engine.satisfiable() else "none is left")
        return
    left = remaining(engine, 12)
    screen.lines([candidates.count_line(count), *candidates.outside_lines(left.outside)])
    screen.lines(candidates.candidate_lines(engine.game, left))
    if left.more:
        screen.note(candidates.more_text(left))


def _show_partition(partition: Partition, screen: Screen) -> None:
    notation, guess = partition.game.rule.notation, partition.guess
    counts = [*partition.counts.items()][:_MOST_ANSWERS]
    columns = {
        "answer": [notation.describe(notation.full_clue(one, guess)) for one, _ in counts],
        "left": [f"{count:,}" for _, count in counts],
    }
    screen.line(styled_code(partition.game, guess))
    screen.line(
        f"{counted(partition.parts, 'answer')}, {partition.bits:.2f} bits, "
        f"{partition.average_left:,.1f} left on average"
    )
    screen.table(Table(columns, ["answer"]))
    if rest := partition.parts - len(counts):
        screen.note(f"and {counted(rest, 'answer')} more")
