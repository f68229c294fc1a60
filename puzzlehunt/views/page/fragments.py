"""Outcomes as fragments of a board's page: with buttons where that helps, else as printed."""

from dataclasses import replace

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.explanation.remaining import Remaining
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import EditRows, SetWordList
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.views.advice import NOTHING_UNREAD, suggestions_table, telling_marks, unread_table
from puzzlehunt.views.candidates import misread_line, more_command, more_text, unfinished_line
from puzzlehunt.views.elements import (
    HtmlScreen,
    Markup,
    element,
    joined,
    paragraphs,
    table_html,
)
from puzzlehunt.views.explanations import (
    MOST_REPAIRS,
    assumption_text,
    basis_text,
    conflict_sentence,
    name_item,
    percent,
    repair_parts,
)
from puzzlehunt.views.faces import Face
from puzzlehunt.views.page.board_rows import (
    button,
    change_button,
    code_html,
    code_text,
    doubt_button,
    edit_button,
    row_buttons,
)
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.tables import Table
from puzzlehunt.views.terminal import terminal


def _printed(outcome: Outcome, game: Game) -> Markup:
    screen = HtmlScreen()
    terminal.show(outcome, screen, game)
    return screen.html


AS_PRINTED: frozenset[type[object]] = frozenset(
    {
        outcomes.Begun,
        outcomes.WriterChanged,
        outcomes.Solved,
        outcomes.SecretNamed,
        outcomes.Quit,
        outcomes.TurnTaken,
        outcomes.TurnMerged,
        outcomes.BlockMerged,
        outcomes.OneFound,
        outcomes.GuessNoted,
        outcomes.WordRead,
        outcomes.HeadingRead,
        outcomes.HistoryChanged,
        outcomes.FactAdded,
        outcomes.HistoryShown,
        outcomes.Counted,
        outcomes.MaybeMisread,
        outcomes.StillNothingFits,
        outcomes.GuessTried,
        outcomes.VerdictsShown,
        outcomes.Certainties,
        outcomes.Reviewed,
        outcomes.ReadRatesShown,
        outcomes.ListTaken,
        outcomes.StrategyNamed,
        outcomes.Saved,
        outcomes.ScriptExported,
        outcomes.Failed,
        outcomes.Unsaved,
    }
)
"""Outcomes that need nothing to tap: a page shows what a terminal prints."""
page: Face[Outcome, [Game], Markup] = Face("a page", AS_PRINTED, _printed)
"""Returns an outcome as HTML."""


def _note(text: str) -> Markup:
    return paragraphs(text, kind="note")


@page.shows(outcomes.GuessStands)
def _(outcome: outcomes.GuessStands, game: Game) -> Markup:
    return paragraphs(code_html(game, outcome.guess) + " stands and waits for its clue")


@page.shows(outcomes.TurnToEdit)
def _(outcome: outcomes.TurnToEdit, game: Game) -> Markup:
    number = outcome.number
    how = f"send /edit {number} CLUE, or /edit {number} GUESS CLUE"
    return paragraphs(f"{number}. {format_turn(game, outcome.turn)}") + _note(how)


@page.shows(outcomes.BlockRefused)
def _(outcome: outcomes.BlockRefused, game: Game) -> Markup:
    problems = [f"line {problem.line}: {problem.message}" for problem in outcome.problems]
    note = _note("nothing was recorded; mend these lines and send them again")
    return paragraphs(*problems, kind="error") + note


@page.shows(outcomes.Advised)
def _(outcome: outcomes.Advised, game: Game) -> Markup:
    best = outcome.advice.suggestions[0].guess
    stand = button(game.format_code(best), code_html(game, best))
    return _printed(outcome, game) + _note(stand + " tap to stand")


@page.shows(outcomes.Suggestions)
def _(outcome: outcomes.Suggestions, game: Game) -> Markup:
    advice = outcome.advice
    if not advice.suggestions:
        return _printed(outcome, game)
    guesses = [suggestion.guess for suggestion in advice.suggestions]
    buttons = [button(game.format_code(guess), code_html(game, guess)) for guess in guesses]
    table = suggestions_table(game, advice)
    cells = [(button, *row[1:]) for button, row in zip(buttons, table.rows, strict=True)]
    best = game.format_code(guesses[0])
    suggested = element("input", None, type="hidden", form="ask", name="suggested", value=best)
    basis = _note(f"from {basis_text(advice.basis)}") if advice.basis else ""
    return suggested + table_html(replace(table, rows=tuple(cells))) + basis


@page.shows(outcomes.CandidatesListed)
def _(outcome: outcomes.CandidatesListed, game: Game) -> Markup:
    remaining, board, title = outcome.remaining, outcome.board, ""
    if board is not None:
        title = f"board {board + 1}: {remaining.count:,} left" if remaining.count else ""
        game = game.one_board
    text, first = misread_line(remaining.outside)
    codes = _codes(game, remaining, board)
    shown = paragraphs(text) + codes if first else codes + paragraphs(text)
    return paragraphs(title, kind="title") + shown + _after_codes(remaining, outcome.limit)


def _codes(game: Game, remaining: Remaining, board: int | None) -> Markup:
    """Return codes with their chances; a tap answers why one is in."""
    chances = remaining.chances or (None,) * len(remaining.codes)
    on_board = "" if board is None else f"{board + 1} "
    items = [
        _code_item(game, code, "" if chance is None else percent(chance), on_board)
        for code, chance in zip(remaining.codes, chances, strict=True)
    ]
    return element("ul", joined(items), "codes") if items else Markup("")


def _code_item(game: Game, code: Code, beside: str, board: str = "") -> Markup:
    shown = button(f"/why {board}{game.format_code(code)}", code_html(game, code))
    return element("li", shown + (element("span", beside, "dim") if beside else ""))


def _after_codes(remaining: Remaining, limit: int) -> Markup:
    """Return what is said below codes that are not all."""
    if remaining.stopped:
        return _note(unfinished_line(remaining, "in time"))
    if remaining.more:
        return _note(button(more_command(remaining, limit), more_text(remaining)))
    return Markup("") if remaining.codes else _note("none")


@page.shows(outcomes.NearMissesListed)
def _(outcome: outcomes.NearMissesListed, game: Game) -> Markup:
    items = []
    for near in outcome.near:
        rows_wrong = " and ".join(map(str, near.numbers))
        beside = f"{percent(near.probability)}, row {rows_wrong}"
        items.append(_code_item(game, near.code, beside))
    return paragraphs("If one row is wrong:") + element("ul", joined(items), "codes")


@page.shows(outcomes.NothingFits)
def _(outcome: outcomes.NothingFits, game: Game) -> Markup:
    shown = _printed(outcome, game)
    if outcome.wider is None:
        return shown
    name = outcome.wider.name
    widen = change_button(game, SetWordList(name), f"Take the secrets from {name}")
    return shown + paragraphs(widen, kind="ways")


@page.shows(outcomes.ConflictShown)
def _(outcome: outcomes.ConflictShown, game: Game) -> Markup:
    explanation = outcome.explanation
    if not explanation.conflict:
        return _printed(outcome, game)
    history, items = explanation.history, []
    for place in explanation.conflict:
        number, item = history.turn_number(place), history.items[place]
        shown = element("span", name_item(game, history, place), "code long")
        if number is not None and isinstance(item, Turn):
            shown += " " + row_buttons(game, number, item)
        items.append(element("li", shown))
    return paragraphs(conflict_sentence(explanation)) + element("ul", joined(items), "ways")


@page.shows(outcomes.RepairsListed)
def _(outcome: outcomes.RepairsListed, game: Game) -> Markup:
    if outcome.place is None:
        return _repairs(game, outcome)
    undo = paragraphs(button("/undo", "Undo the last step"), kind="ways")
    if not outcome.repairs:
        return paragraphs("Mend a row, or take the last step back:") + undo
    title = paragraphs("One of these mends it, the likeliest first:")
    return title + _repairs(game, outcome) + undo


def _repairs(game: Game, listed: outcomes.RepairsListed) -> Markup:
    """Return repairs as buttons."""
    items = []
    for repair in listed.repairs[:MOST_REPAIRS]:
        text = " ".join(repair_parts(game, listed.history, repair, "\N{RIGHTWARDS ARROW}"))
        items.append(element("li", change_button(game, EditRows(repair.turns), text)))
    return element("ol", joined(items), "repairs")


@page.shows(outcomes.SuspectsListed)
def _(outcome: outcomes.SuspectsListed, game: Game) -> Markup:
    if not outcome.suspects:
        return _printed(outcome, game)
    cells = []
    for suspect in outcome.suspects:
        row = code_text(f"{suspect.number}. {format_turn(game, suspect.turn)}")
        change = doubt_button(game, suspect.number, suspect.turn, f"row {suspect.number}")
        cells.append([row, percent(suspect.probability), change])
    table = Table.of(["row", "wrong", "change"], cells, text_columns=["row", "change"])
    return paragraphs(assumption_text(game).strip()) + table_html(table)


@page.shows(outcomes.UnreadRanked)
def _(outcome: outcomes.UnreadRanked, game: Game) -> Markup:
    telling = telling_marks(outcome.ranked, outcome.limit)
    if not telling:
        return _note(NOTHING_UNREAD)
    table = unread_table(outcome.ranked, outcome.limit)
    cells = [[Markup.escape(cell) for cell in row] for row in table.rows]
    for row, mark in zip(cells, telling, strict=True):
        turn = outcome.ranked.game.as_item(mark.turn) if mark.board is None else None
        if isinstance(turn, Turn):
            row[0] = edit_button(game, mark.number, turn, row[0])
    header = [{"mark": "bits", "all": "bits of all"}.get(name, name) for name in table.header]
    basis = outcome.ranked.basis
    note = _note(f"from {basis_text(basis)}") if basis is not None else ""
    return table_html(Table.of(header, cells, table.text_columns)) + note


@page.shows(outcomes.Ended)
def _(outcome: outcomes.Ended, game: Game) -> Markup:
    return _shared(game, outcome.review.history)


@page.shows(outcomes.Shared)
def _(outcome: outcomes.Shared, game: Game) -> Markup:
    if not outcome.history.turns:
        return _printed(outcome, game)
    return _shared(game, outcome.history)


def _shared(game: Game, history: History) -> Markup:
    """Return the text to share."""
    text = element("pre", "\n".join(share_lines(game, history)))
    copy = element("button", "Copy", type="button", data_copy=True, hidden=True)
    return element("div", text + copy, "share")


@page.shows(outcomes.Helped)
def _(outcome: outcomes.Helped, game: Game) -> Markup:
    if outcome.topic != "conversation":
        return _printed(outcome, game)
    left_out = {"save", "quit"}
    cells = [
        [element("span", f"/{command.syntax}", "code"), Markup.escape(command.purpose)]
        for command in outcome.commands
        if command.syntax.split()[0] not in left_out
    ]
    rules = [
        "GUESS CLUE plays a row; CLUE alone answers the guess that stands, or else the suggested.",
        "A space and ? behind a row doubts it, and # begins a note.",
        "A guess typed again completes its row or replaces it.",
        "ROW below is a row's number or its guess.",
        f"Clues: {game.rule.legend()}",
    ]
    header = ("command", "what it does")
    return paragraphs(*rules) + table_html(Table.of(header, cells, text_columns=header))
