"""Outcomes as fragments of a board's page: with buttons if useful, otherwise as printed."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import repeat

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.explanation.repair import Repair, Suspect
from puzzlehunt.explanation.unread import UnreadMarks
from puzzlehunt.explanation.why import Explanation
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import EditRows, SetWordList
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.advice import NOTHING_UNREAD, suggestions_table, telling_marks, unread_table
from puzzlehunt.views.candidates import (
    misread_lines,
    more_command,
    more_text,
    unfinished_line,
    wrong_rows,
)
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
from puzzlehunt.views.page.board_rows import (
    button,
    change_button,
    code_html,
    code_text,
    doubt_button,
    edit_button,
    row_buttons,
)
from puzzlehunt.views.printed_tables import Table
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.terminal import print_outcome


def outcome_html(outcome: Outcome, game: Game) -> Markup:
    """Return an outcome as HTML: with buttons, or else as a terminal prints it."""
    match outcome:
        case outcomes.GuessStands(guess):
            return paragraphs(code_html(game, guess) + " waits for its clue")
        case outcomes.TurnToEdit(number, turn):
            how = f"send /edit {number} CLUE, or /edit {number} GUESS CLUE"
            return paragraphs(f"{number}. {format_turn(game, turn)}") + _note(how)
        case outcomes.BlockRefused(problems):
            lines = [f"line {problem.line}: {problem.message}" for problem in problems]
            note = _note("nothing was recorded; mend these lines and send them again")
            return paragraphs(*lines, kind="error") + note
        case outcomes.Advised(advice):
            tap = _stand(game, advice.suggestions[0].guess) + " tap to take it as your guess"
            return _printed(outcome, game) + _note(tap)
        case Advice() if outcome.suggestions:
            return _suggestions(game, outcome)
        case outcomes.CandidatesListed():
            return _candidates(game, outcome)
        case outcomes.NearMissesListed(near):
            items = [
                _code_item(game, one.code, f"{percent(one.probability)}, {wrong_rows(one)}")
                for one in near
            ]
            return paragraphs("If one row is wrong:") + element("ul", joined(items), "codes")
        case outcomes.NothingFits(wider=wider) if wider is not None:
            label = f"Take the secrets from {wider.name}"
            widen = change_button(game, SetWordList(wider.name), label)
            return _printed(outcome, game) + paragraphs(widen, kind="ways")
        case Explanation() if outcome.conflict:
            return _conflict(game, outcome)
        case outcomes.RepairsListed(history, repairs, None):
            return _repairs(game, history, repairs)
        case outcomes.RepairsListed(history, repairs):
            undo = paragraphs(button("/undo", "Undo the last step"), kind="ways")
            if not repairs:
                return paragraphs("Mend a row, or take the last step back:") + undo
            title = paragraphs("One of these mends it, the likeliest first:")
            return title + _repairs(game, history, repairs) + undo
        case outcomes.SuspectsListed(_, suspects) if suspects:
            return _suspects(game, suspects)
        case outcomes.UnreadRanked(ranked, limit):
            return _unread(game, ranked, limit)
        case outcomes.Ended(review):
            return _shared(game, review.history)
        case outcomes.Shared(history) if history.turns:
            return _shared(game, history)
        case outcomes.Helped("conversation", commands):
            return _help(game, commands)
        case _:
            return _printed(outcome, game)


def _printed(outcome: Outcome, game: Game) -> Markup:
    screen = HtmlScreen()
    print_outcome(outcome, screen, game)
    return screen.html


def _note(text: str) -> Markup:
    return paragraphs(text, kind="note")


def _stand(game: Game, guess: Code) -> Markup:
    return button(game.format_code(guess), code_html(game, guess))


def _suggestions(game: Game, advice: Advice) -> Markup:
    table = suggestions_table(game, advice)
    guesses = [suggestion.guess for suggestion in advice.suggestions]
    rows = zip(guesses, table.rows, strict=True)
    cells = tuple((_stand(game, guess), *row[1:]) for guess, row in rows)
    best = game.format_code(guesses[0])
    suggested = element("input", None, type="hidden", form="ask", name="suggested", value=best)
    basis = _note(f"from {basis_text(advice.basis)}") if advice.basis else ""
    return suggested + table_html(replace(table, rows=cells)) + basis


def _candidates(game: Game, outcome: outcomes.CandidatesListed) -> Markup:
    """Return codes with their chances; a tap answers why one is in."""
    remaining, board, title, on_board = outcome.remaining, outcome.board, "", ""
    if board is not None:
        title = f"board {board + 1}: {remaining.count:,} left" if remaining.count else ""
        game, on_board = game.one_board, f"{board + 1} "
    chances = map(percent, remaining.chances) if remaining.chances else repeat("")
    items = [
        _code_item(game, code, chance, on_board)
        for code, chance in zip(remaining.codes, chances, strict=False)
    ]
    codes = element("ul", joined(items), "codes") if items else Markup("")
    before, after = misread_lines(remaining.outside)
    shown = paragraphs(*before) + codes + paragraphs(*after)
    if remaining.stopped:
        shown += _note(unfinished_line(remaining, "in time"))
    elif remaining.more:
        more = button(more_command(remaining, outcome.limit), more_text(remaining))
        shown += _note(more)
    elif not items:
        shown += _note("none")
    return paragraphs(title, kind="title") + shown


def _code_item(game: Game, code: Code, beside: str, board: str = "") -> Markup:
    shown = button(f"/why {board}{game.format_code(code)}", code_html(game, code))
    return element("li", shown + (element("span", beside, "dim") if beside else ""))


def _conflict(game: Game, explanation: Explanation) -> Markup:
    history, items = explanation.history, []
    for place in explanation.conflict:
        number, item = history.turn_number(place), history.items[place]
        shown = element("span", name_item(game, history, place), "code long")
        if number is not None and isinstance(item, Turn):
            shown += " " + row_buttons(game, number, item)
        items.append(element("li", shown))
    return paragraphs(conflict_sentence(explanation)) + element("ul", joined(items), "ways")


def _repairs(game: Game, history: History, repairs: Sequence[Repair]) -> Markup:
    items = []
    for repair in repairs[:MOST_REPAIRS]:
        text = " ".join(repair_parts(game, history, repair, "\N{RIGHTWARDS ARROW}"))
        items.append(element("li", change_button(game, EditRows(repair.turns), text)))
    return element("ol", joined(items), "repairs")


def _suspects(game: Game, suspects: Sequence[Suspect]) -> Markup:
    cells = []
    for suspect in suspects:
        row = code_text(f"{suspect.number}. {format_turn(game, suspect.turn)}")
        change = doubt_button(game, suspect.number, suspect.turn, f"row {suspect.number}")
        cells.append([row, percent(suspect.probability), change])
    table = Table.of(["row", "wrong", "change"], cells, text_columns=["row", "change"])
    return paragraphs(assumption_text(game).strip()) + table_html(table)


def _unread(game: Game, ranked: UnreadMarks, limit: int) -> Markup:
    telling = telling_marks(ranked, limit)
    if not telling:
        return _note(NOTHING_UNREAD)
    table = unread_table(ranked, limit)
    cells = [[Markup.escape(cell) for cell in row] for row in table.rows]
    for row, mark in zip(cells, telling, strict=True):
        turn = ranked.game.as_item(mark.turn) if mark.board is None else None
        if isinstance(turn, Turn):
            row[0] = edit_button(game, mark.number, turn, row[0])
    header = [{"mark": "bits", "all": "bits of all"}.get(name, name) for name in table.header]
    note = _note(f"from {basis_text(ranked.basis)}") if ranked.basis is not None else ""
    return table_html(Table.of(header, cells, table.text_columns)) + note


def _shared(game: Game, history: History) -> Markup:
    text = element("pre", "\n".join(share_lines(game, history)))
    copy = element("button", "Copy", type="button", data_copy=True, hidden=True)
    return element("div", text + copy, "share")


def _help(game: Game, commands: Sequence[outcomes.Usage]) -> Markup:
    cells = [
        [element("span", f"/{command.syntax}", "code"), Markup.escape(command.purpose)]
        for command in commands
        if command.syntax.split()[0] not in ("save", "quit")
    ]
    rules = [
        "GUESS CLUE plays a row. CLUE alone answers the pending guess, or else the suggested one.",
        "A space and ? after a row doubts it, and # begins a note.",
        "A guess typed again completes its row or replaces it.",
        "ROW below is a row's number or its guess.",
        f"Clues: {game.rule.legend()}",
    ]
    header = ("command", "what it does")
    return paragraphs(*rules) + table_html(Table.of(header, cells, text_columns=header))
