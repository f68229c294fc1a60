"""Outcomes as fragments of a board's page, with buttons or as printed; and the page's help."""

import json
from dataclasses import replace

from puzzlehunt.explanation.remaining import WiderList
from puzzlehunt.explanation.repair import Repair, Repairs, Suspects
from puzzlehunt.explanation.review import Review, TriedGuess
from puzzlehunt.explanation.why import Certainties, Explanation
from puzzlehunt.game.blocks import example_turn
from puzzlehunt.game.game import Game
from puzzlehunt.game.turn_notation import describe_answer, format_row, format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import EditRows, SetWordList
from puzzlehunt.session.commands import USAGES
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views import candidates, wording
from puzzlehunt.views.elements import (
    HtmlScreen,
    Markup,
    button,
    element,
    folded,
    joined,
    paragraphs,
    text_html,
)
from puzzlehunt.views.page.board_rows import RowTrouble, change_button, example_html, guess_and_clue
from puzzlehunt.views.page.keyboard import meanings_of_marks
from puzzlehunt.views.rows import share_lines
from puzzlehunt.views.terminal import print_outcome


def outcome_html(outcome: Outcome, game: Game) -> Markup:
    """Return an outcome as HTML: with buttons, or else as a terminal prints it."""
    match outcome:
        case Advice(suggestions=(best, *others)):
            hidden = {"type": "hidden", "form": "ask", "name": "suggested", "value": best.guess}
            suggested = element("input", None, **hidden)
            if not others:
                line = candidates.suggestion_line(outcome)
                size = len(line.plain.partition(" - ")[0])
                why = element("span", line.plain[size:], "detail")
                return suggested + paragraphs(text_html(line[:size]) + why)
            return suggested + _printed(outcome, game)
        case outcomes.NothingFits():
            # The conflict, or a wider list, and the repairs follow.
            proved = "" if outcome.proved else f"This is {wording.unconfirmed_text(game)}."
            return paragraphs(proved, kind="note")
        case WiderList(name, _, remaining):
            label = f"Use the list {name}, {remaining.count:,} left"
            widen = change_button(game, SetWordList(name), label, "main")
            return paragraphs(candidates.wider_line(outcome)) + paragraphs(widen, kind="ways")
        case Repairs():
            return _repairs(outcome)
        case Review() if outcome.turns:
            skill, comma, luck = candidates.skill_line(outcome).partition(",")
            shown = paragraphs(skill + element("span", comma + luck, "detail"), kind="skill")
            return shown + folded("Guess by guess", _printed(outcome, game))
        case TriedGuess(rated, best, names_best):
            if not best.suggestions or best.suggestions[0].value is None:
                return _printed(outcome, game)
            better = best.guesses[0] if names_best and not outcome.is_best else "none"
            said = paragraphs(f"{rated.guesses[0]}: {better} seems better")
            return said + element("div", _printed(outcome, game), "detail")
        case Certainties():
            return _printed(outcome, game) + _known(outcome)
        case outcomes.Shared(history) if history.turns:
            text = element("pre", "\n".join(share_lines(game, history)))
            copy = element("button", "Copy", type="button", data_copy="pre")
            return element("div", text + copy, "share")
        case outcomes.PartlyRead(turns, problems):
            struck = (element("s", one.text) + element("small", one.message) for one in problems)
            read = paragraphs(*(format_row(game, turn) for turn in turns), kind="line code")
            return read + paragraphs(*struck, kind="struck")
        case outcomes.Helped(commands):
            offered = {k: v for k, v in commands.items() if not k.startswith(("save", "quit"))}
            return _printed(replace(outcome, commands=offered), game)
        case _:
            return _printed(outcome, game)


def row_troubles(outcome: Outcome) -> dict[int, RowTrouble]:
    """Return what an outcome says against turns and facts, by place in the history."""
    match outcome:
        case Explanation(history=history, conflict=conflict):
            troubles = {}
            for name in conflict:
                others = wording.name_items([one for one in conflict if one != name])
                said = f"cannot be right{f' with {others}' if others else ''}"
                troubles[history.names.index(name)] = RowTrouble("conflict", said, outcome.board)
            return troubles
        case Suspects():
            said = f"{wording.PROBABLY_WRONG}{wording.assumption_text(outcome.game)}"
            suspect, names = RowTrouble("suspect", said), outcome.history.names
            return {names.index(one.row): suspect for one in outcome if one.named}
        case _:
            return {}


def picture(game: Game) -> Markup:
    """Return an example of a row on tiles, as it is typed, and in words; and what marks mean."""
    rule = game.one_board.rule
    meant = f"{meant} Their order does not matter." if (meant := meanings_of_marks(game)) else ""
    legend = paragraphs(meant, f"Clues: {rule.notation.legend()}.")
    if (example := example_turn(game)) is None:
        return legend
    row = element("span", format_turn(game, example), "code")
    shown = example_html(game, example)
    if game.rule.column_names:
        shown = element("div", element("div", guess_and_clue(game, example), "line"), "said")
    said = f"{describe_answer(game, example)}, {example.note}".removesuffix(", ")
    return shown + paragraphs(row, said) + legend


def help_sheet(game: Game) -> Markup:
    """Return the `picture` and how to enter rows; then all commands, folded."""
    ways = [
        "Type a guess, then its clue. Enter sends the row. A tap on a mark changes it, any time.",
        "For a mark that you cannot read, write _. Without any mark, a guess waits for its clue.",
        "A tap on a code takes it as your guess; \N{HORIZONTAL ELLIPSIS} changes a row.",
        "Paste rows anywhere. / begins a command.",
    ]
    steps = element("ul", joined(element("li", way) for way in ways), "steps")
    commands = outcome_html(outcomes.Helped(USAGES), game)
    return picture(game) + steps + folded("All commands", commands)


def _printed(outcome: Outcome, game: Game) -> Markup:
    screen = HtmlScreen()
    print_outcome(outcome, screen, game)
    return screen.html


def _repairs(repairs: Repairs) -> Markup:
    """Return the likeliest repairs by rows, the newest of those that are as likely first."""

    def rank(one: Repair) -> tuple[float, ...]:
        return one.board or 0, -round(one.probability, 9), -one.turns[-1][0]

    groups = dict[int, Markup]()
    for repair in sorted(repairs, key=rank)[: wording.MOST_REPAIRS + 1]:
        label, row = "; ".join(wording.repair_parts(repair)), repair.turns[-1][0]
        way = change_button(repair.game, EditRows(repair.turns), label, "" if groups else "main")
        groups[row] = groups.get(row, Markup("")) + way
    ways = [
        element("li", way + button(f"/edit {row}", f"Edit row {row}"), "ways")
        for row, way in groups.items()
    ]
    first, others = (element("ol", joined(some), "repairs") for some in (ways[:1], ways[1:]))
    undo = paragraphs(button("/undo", "Undo your last step"), kind="ways")
    return (first if ways else "") + (folded("Other rows", others) if ways[1:] else "") + undo


def _known(certain: Certainties) -> Markup:
    known: dict[str, str] = {}
    for one in certain:
        if one.board is None:
            name = "absent" if one.count == 0 else "elsewhere" if one.position is None else "right"
            known.setdefault(one.symbol, name)
    return element("span", "", data_known=json.dumps(known), hidden="") if known else Markup("")
