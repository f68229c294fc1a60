"""What notebooks show of a value: the lines and tables of a terminal."""

from puzzlehunt.engines.base import CandidateView, Count, Engine
from puzzlehunt.errors import counted
from puzzlehunt.explanation.certainty import Certainties
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.partition import Partition
from puzzlehunt.explanation.remaining import Findings, remaining
from puzzlehunt.explanation.repair import NearMisses, Repairs, Suspects
from puzzlehunt.explanation.review import Review
from puzzlehunt.explanation.unread import UnreadMarks
from puzzlehunt.explanation.why import Explanation
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.statistics import COUNTS
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.candidates import candidate_lines, left_lines, more_text, near_lines
from puzzlehunt.views.printed_tables import Table
from puzzlehunt.views.rows import history_lines, styled_code
from puzzlehunt.views.screen import RecordedScreen, Screen
from puzzlehunt.views.terminal import print_outcome
from puzzlehunt.views.tournaments import headline, pair_sentence, results_table

_MOST_ANSWERS = 20
"""Largest number of feedbacks that a notebook shows of a partition."""


def value_html(value: NotebookShown) -> str:
    """Return a value of the package as HTML. Raises TypeError for types not in NotebookShown."""
    screen = RecordedScreen()
    _show(value, screen)
    return screen.html


def _show(value: NotebookShown, screen: Screen) -> None:
    match value:
        case Game():
            _show_game(value, screen)
        case History():
            _show_history(value, screen)
        case CandidateView():
            _show_candidates(value.engine, screen)
        case Session():
            screen.line(value.game.title)
            _show(value.engine, screen)
        case Engine():
            history = History(value.items)
            screen.lines(history_lines(value.game, history) if len(history) else ())
            _show_candidates(value, screen)
        case Partition():
            _show_partition(value, screen)
        case Tournament():
            _show_tournament(value, screen)
        case Comparison():
            screen.line(headline(value))
            screen.table(results_table(value))
            screen.lines(map(pair_sentence, value.pairs))
        case Findings():
            screen.line(value.title if value else f"{value.title}: none")
            _show_findings(value, screen)
        case Advice():
            if value.game is None:
                screen.line(repr(value))
            else:
                left = [] if value.count is None else [Count.exactly(value.count)]
                screen.lines(line for one in left for line in left_lines(one, value.outside))
                print_outcome(value, screen, value.game)
        case Explanation() | Review() | Identification():
            print_outcome(value, screen, value.game)
        case _:
            raise TypeError(f"a notebook cannot show {type(value).__name__}")


def _show_findings(found: Findings[object], screen: Screen) -> None:
    match found:
        case []:
            pass
        case NearMisses():
            screen.lines(near_lines(found.game, found))
        case Certainties() | Repairs() | Suspects() | UnreadMarks():
            print_outcome(found, screen, found.game)


def _show_game(game: Game, screen: Screen) -> None:
    screen.line(game.title)
    screen.line(" ".join(game.about.split()))
    sizes = [counted(game.secrets.size, "secret"), counted(game.guesses.size, "guess")]
    screen.line("; ".join(filter(None, [*sizes, game.rule.summary])))
    screen.line(game.rule.notation.legend())
    screen.lines(history_lines(game, game.history) if len(game.history) else ())


def _show_history(history: History, screen: Screen) -> None:
    """Show facts and turns as they were written: the symbols of their game are not known."""
    number = 0
    for item in history:
        if isinstance(item, Fact):
            screen.line(f"    fact: {item.text}")
            continue
        number += 1
        written = item.text or "-".join(str(symbol + 1) for symbol in item.guess)
        note = f"  # {item.note}" if item.note else ""
        screen.line(f"{number:2}. {written}{' (doubted)' if item.doubted else ''}{note}")


def _show_candidates(engine: Engine, screen: Screen) -> None:
    count = engine.count()
    if count.exact is None:
        screen.line("candidates are left" if engine.satisfiable() else "none is left")
        return
    left = remaining(engine, 12)
    screen.lines(left_lines(count, left.outside))
    screen.lines(candidate_lines(engine.game, left))
    if left.more:
        screen.note(more_text(left))


def _show_partition(partition: Partition, screen: Screen) -> None:
    notation, guess = partition.game.rule.notation, partition.guess
    shown = list(partition.counts.items())[:_MOST_ANSWERS]
    rows = [
        [notation.describe(notation.full_clue(feedback, guess)), f"{count:,}"]
        for feedback, count in shown
    ]
    screen.line(styled_code(partition.game, guess))
    screen.line(
        f"{counted(partition.parts, 'answer')}, {partition.bits:.2f} bits, "
        f"{partition.average_left:,.1f} left on average"
    )
    screen.table(Table.of(["answer", "left"], rows, text_columns=["answer"]))
    if rest := partition.parts - len(shown):
        most = counted(shown[-1][1], "candidate")
        screen.note(f"and {counted(rest, 'answer')} more, of {most} at most")


def _show_tournament(result: Tournament, screen: Screen) -> None:
    header = ["guesses until", "average", "worst", "total", "guesses: games"]
    rows = []
    for count in COUNTS:
        summary = result.summary(count)
        games = ", ".join(f"{n}: {games:,}" for n, games in summary.histogram.items())
        average = "" if summary.average is None else f"{summary.average:.4f}"
        rows.append([count, average, str(summary.worst), f"{summary.total:,}", games])
    games = counted(len(result.secrets), "game")
    screen.line(f"{result.game_name}: {result.game.play.strategy_name}, {games}")
    screen.table(Table.of(header, rows, text_columns=["guesses until", "guesses: games"]))
