"""HTML for notebooks: games, candidates and results, with symbols and marks on coloured tiles."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import CandidateView, Count, Engine
from puzzlehunt.errors import counted
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.explanation.partition import Outlook, Partition
from puzzlehunt.explanation.remaining import Findings, remaining
from puzzlehunt.explanation.repair import NearMiss, Repair, Suspect
from puzzlehunt.explanation.review import Review
from puzzlehunt.explanation.unread import UnreadMark, UnreadMarks
from puzzlehunt.explanation.why import Explanation
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.statistics import COUNTS
from puzzlehunt.lab.tournament import Tournament
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.advice import (
    NOTHING_UNREAD,
    review_table,
    skill_line,
    suggestions_table,
    unread_table,
)
from puzzlehunt.views.candidates import left_lines, near_lines
from puzzlehunt.views.drawn_tiles import DrawnTile, code_tiles, guess_tiles, mark_tiles
from puzzlehunt.views.elements import Markup, bar, element, joined, lines, styled_table, tile
from puzzlehunt.views.explanations import (
    NO_CONFLICT,
    certain_lines,
    conflict_sentence,
    repair_lines,
    suspects_lines,
    verdict_lines,
)
from puzzlehunt.views.meanings import identification_lines
from puzzlehunt.views.printed_tables import Table
from puzzlehunt.views.sentences import guess_sentence
from puzzlehunt.views.tournaments import headline, pair_sentence, pairs_table, results_table
from puzzlehunt.views.wording import percent

_MOST_CANDIDATES = 11
"""A notebook shows at most this many candidates of an engine; one more if that is the last."""
_MOST_ANSWERS = 20
"""Largest number of feedbacks that a notebook shows of a partition."""


def value_html(value: NotebookShown) -> Markup:
    """Return a value of the package as HTML. Raises TypeError for types not in NotebookShown."""
    match value:
        case Game():
            return _game(value)
        case History():
            return _history(value)
        case CandidateView():
            return _engine(value.engine, rows=False)
        case Findings():
            return _findings(value)
        case Explanation():
            sentence = conflict_sentence(value) or NO_CONFLICT
            return lines(sentence, *(line for one in value.verdicts for line in verdict_lines(one)))
        case Review():
            return lines(styled_table(review_table(value.game, value)), skill_line(value))
        case Session():
            return lines(value.game.title, _engine(value.engine))
        case Engine():
            return _engine(value)
        case Advice():
            return _advice(value)
        case Partition():
            return _partition(value)
        case Tournament():
            return _result(value)
        case Identification():
            return lines(*identification_lines(value))
        case Comparison():
            tables = map(styled_table, [results_table(value), pairs_table(value)])
            return lines(headline(value), *tables, *map(pair_sentence, value.pairs))
    raise TypeError(f"a notebook cannot show {type(value).__name__}")


def _game(game: Game) -> Markup:
    sizes = [counted(game.secrets.size, "secret"), counted(game.guesses.size, "guess")]
    turns = history_html(game, game.history) if len(game.history) else ""
    about, size_and_rule = " ".join(game.about.split()), filter(None, [*sizes, game.rule.summary])
    title = element("b", game.title)
    return lines(title, about, "; ".join(size_and_rule), game.rule.notation.legend(), turns)


def _history(history: History) -> Markup:
    """Return a table of facts and turns as they were written, without colours of their game."""

    def cells(turn: Turn) -> list[str]:
        written = turn.text or "-".join(str(symbol + 1) for symbol in turn.guess)
        return [written, "; ".join(filter(None, ["doubted" if turn.doubted else "", turn.note]))]

    return _items_table(history, ["row", "remark"], cells)


def _items_table(history: History, header: list[str], cells: Callable[[Turn], list[str]]) -> Markup:
    """Return a table of facts and numbered turns; `cells` returns two cells for a turn."""
    number, rows = 0, []
    for item in history:
        if isinstance(item, Fact):
            rows.append(["fact", item.text, ""])
        else:
            number += 1
            rows.append([str(number), *cells(item)])
    return styled_table(Table.of(["", *header], rows, text_columns=header))


def _findings(found: Findings[Any]) -> Markup:
    """Return what was found, in words: one line for each, below a title."""
    game, history = found.game, found.history
    match found:
        case []:
            said = ["none"]
        case [UnreadMark(), *_]:
            return _unread(found)
        case [Suspect(), *_]:
            said = suspects_lines(game, found[:_MOST_ANSWERS])
        case [Repair(), *_]:
            said = [line for one in found for line in repair_lines(game, history, one)]
        case [NearMiss(), *_]:
            said = [str(line) for line in near_lines(game, found)]
        case _:
            said = certain_lines(game, found)
    return lines(element("b", found.title), *said)


def _engine(engine: Engine, *, rows: bool = True) -> Markup:
    game, history = engine.game, History(engine.items)
    turns = history_html(game, history) if rows and len(history) else ""
    count = engine.count().exact
    if count is None:
        return lines(turns, "candidates are left" if engine.satisfiable() else "none is left")
    shows_all = count <= _MOST_CANDIDATES + 1
    left = remaining(engine, count if shows_all else _MOST_CANDIDATES)
    unbroken = "white-space:nowrap;margin-right:.6em"
    chances = [f" {percent(chance)}" for chance in left.chances] or [""] * len(left.codes)
    codes = Markup(" ").join(
        element("span", code_html(game, code) + chance, style=unbroken)
        for code, chance in zip(left.codes, chances, strict=True)
    )
    more = "" if shows_all else "\N{HORIZONTAL ELLIPSIS}"
    *first, last = left_lines(Count.exactly(count), left.outside)
    number, _, after = last.partition(" ")
    return lines(turns, *first, element("b", number) + f" {after}", codes + more)


def _advice(advice: Advice) -> Markup:
    if advice.game is None:
        return lines(repr(advice))
    left = [] if advice.count is None else left_lines(Count.exactly(advice.count), advice.outside)
    basis = "" if advice.exact else f"by {advice.basis}"
    table = suggestions_table(advice.game, advice)
    rows = zip(advice.suggestions, table.rows, strict=True)
    cells = tuple((code_html(advice.game, one.guess), *row[1:]) for one, row in rows)
    summary = "; ".join(filter(None, [*left, advice.strategy, basis]))
    sentence = ""
    if advice.only_candidate or (advice.suggestions and advice.suggestions[0].chance is not None):
        may = Outlook(advice.suggestions[0].chance)
        sentence = str(guess_sentence(advice.game, advice, may))
    return lines(sentence, summary, styled_table(replace(table, rows=cells)))


def _partition(partition: Partition) -> Markup:
    rule, guess = partition.game.rule, partition.guess
    shown = list(partition.counts.items())[:_MOST_ANSWERS]
    rows = []
    for feedback, count in shown:
        answer = rule.notation.describe(rule.notation.full_clue(feedback, guess))
        rows.append([answer, f"{count:,}", bar(count / partition.largest)])
    summary = (
        f"{counted(partition.parts, 'answer')}, {partition.bits:.2f} bits, "
        f"{partition.average_left:,.1f} left on average"
    )
    more = ""
    if rest := partition.parts - len(shown):
        most = counted(shown[-1][1], "candidate")
        more = f"and {counted(rest, 'answer')} more, of {most} at most"
    table = Table.of(["answer", "left", ""], rows, text_columns=["answer", ""])
    return lines(code_html(partition.game, guess), summary, styled_table(table), more)


def _unread(ranked: UnreadMarks) -> Markup:
    table = unread_table(ranked)
    if not table.rows:
        return lines(NOTHING_UNREAD)
    title = "bits expected of one unread mark, and of all in its row"
    return lines(title, styled_table(table))


def _result(result: Tournament) -> Markup:
    header = ["guesses until", "average", "worst", "total", "guesses: games"]
    rows = []
    for count in COUNTS:
        summary = result.summary(count)
        bars = ", ".join(f"{n}: {games:,}" for n, games in summary.histogram.items())
        average = "" if summary.average is None else f"{summary.average:.4f}"
        rows.append([count, average, str(summary.worst), f"{summary.total:,}", bars])
    table = Table.of(header, rows, text_columns=["guesses until", "guesses: games"])
    games = counted(len(result.secrets), "game")
    title = f"{result.game_name}: {result.game.play.strategy_name}, {games}"
    return lines(title, styled_table(table))


# Codes and clues on tiles.


def history_html(game: Game, history: History) -> Markup:
    """Return a table of the facts and turns in a history, with codes and marks in colour."""

    def cells(turn: Turn) -> list[str]:
        clue = game.format_turn(turn).removeprefix(game.format_code(turn.guess)).strip()
        marks = _tiles(mark_tiles(game, turn.clue)) or Markup.escape(clue)
        tiles = guess_tiles(game, turn.guess, turn.clue)
        guess = _tiles(tiles) if turn.guess else code_html(game, turn.guess)
        return [guess, marks + (f" # {turn.note}" if turn.note else "")]

    return _items_table(history, ["guess", "answer"], cells)


def code_html(game: Game, code: Code) -> Markup:
    """Return a code with each symbol on a tile; a symbol that has a colour is shown in it."""
    return _tiles(code_tiles(game, code)) if code else Markup.escape(game.format_code(code))


def _tiles(tiles: Iterable[DrawnTile]) -> Markup:
    return joined(tile(one.text, one.name) for one in tiles)
