"""Outcomes as fragments of a board's page, with buttons or as printed; and the page's help."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from puzzlehunt.explanation.certainty import Certainties
from puzzlehunt.explanation.remaining import WiderList
from puzzlehunt.explanation.repair import Repair, Repairs, Suspects
from puzzlehunt.explanation.review import Review
from puzzlehunt.explanation.unread import UnreadMarks
from puzzlehunt.explanation.why import Explanation
from puzzlehunt.game.example import example_turn
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.turn_notation import describe_answer, format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import EditRows, SetWordList
from puzzlehunt.session.commands import USAGES
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.candidates import (
    MEANINGS,
    MEANINGS_OF_REVIEW,
    MEANINGS_OF_UNREAD,
    review_table,
    skill_line,
    suggestion_line,
    suggestions_table,
    unread_table,
    wider_line,
)
from puzzlehunt.views.elements import (
    HtmlScreen,
    Markup,
    button,
    code_text,
    element,
    joined,
    paragraphs,
    text_html,
)
from puzzlehunt.views.page.board_rows import (
    RowTrouble,
    change_button,
    example_html,
)
from puzzlehunt.views.page.keyboard import clue_hint
from puzzlehunt.views.rows import styled_code
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.terminal import nothing_fits, print_outcome
from puzzlehunt.views.wording import (
    MOST_REPAIRS,
    PROBABLY_WRONG,
    assumption_text,
    name_items,
    repair_parts,
    unconfirmed_text,
)

_TAPPED = "Type or tap a guess, then its marks. A tap on a mark changes it. Enter sends the row."
_TYPED = "Type a guess and its clue, separated by a space; Enter sends the row."


def outcome_html(outcome: Outcome, game: Game) -> Markup:
    """Return an outcome as HTML: with buttons, or else as a terminal prints it."""
    match outcome:
        case outcomes.GuessStands(guess):
            return paragraphs(text_html(styled_code(game, guess)) + " waits for its clue")
        case Advice((best, *others)):
            suggested = element(
                "input", None, type="hidden", form="ask", name="suggested",
                value=game.format_code(best.guess),
            )  # fmt: skip
            if not others:
                return suggested + paragraphs(text_html(suggestion_line(game, outcome)))
            header = suggestions_table(game, outcome).header
            return suggested + _printed(outcome, game) + _explained(header, MEANINGS)
        case outcomes.NothingFits():
            # The conflict and its repairs follow.
            proved = "" if outcome.proved else f"This is {unconfirmed_text(game)}."
            return paragraphs(nothing_fits(game, outcome)) + paragraphs(proved, kind="note")
        case WiderList(name=name):
            switch = change_button(game, SetWordList(name), f"Take the secrets from {name}")
            return paragraphs(wider_line(outcome)) + paragraphs(switch, kind="ways")
        case Repairs():
            return _repairs(game, outcome)
        case Review() if outcome.turns:
            header = [*review_table(game, outcome).header, "skill", "luck"]
            shown = _printed(outcome, game) + _explained(header, MEANINGS_OF_REVIEW)
            return paragraphs(skill_line(outcome), kind="skill") + _folded("Guess by guess", shown)
        case Certainties():
            return _printed(outcome, game) + _known(game, outcome)
        case UnreadMarks():
            header = unread_table(outcome).header
            return _printed(outcome, game) + _explained(header, MEANINGS_OF_UNREAD)
        case outcomes.Shared(history) if history.turns:
            text = element("pre", "\n".join(share_lines(game, history)))
            copy = element("button", "Copy", type="button", data_copy="pre")
            return element("div", text + copy, "share")
        case outcomes.Helped(commands):
            offered = {
                one: commands[one] for one in commands if not one.startswith(("save", "quit"))
            }
            return _printed(replace(outcome, commands=offered), game)
        case _:
            return _printed(outcome, game)


def row_troubles(outcome: Outcome, game: Game) -> dict[int, RowTrouble]:
    """Return what an outcome says against turns and facts, by place in the history."""
    match outcome:
        case Explanation(history=history, conflict=conflict, board=board):
            troubles = {}
            for name in conflict:
                others = [one for one in conflict if one != name]
                with_them = f" with {name_items(others)}" if others else ""
                boards = () if board is None else (board,)
                place = history.items.index(history.item(name))
                troubles[place] = RowTrouble("conflict", f"cannot be right{with_them}", boards)
            return troubles
        case Suspects():
            by_place = outcome.history.numbers_by_place().items()
            named = {one.number for one in outcome if one.named}
            suspect = RowTrouble("suspect", f"{PROBABLY_WRONG}{assumption_text(game)}")
            return {place: suspect for place, number in by_place if number in named}
        case _:
            return {}


def help_sheet(game: Game) -> Markup:
    """Return an example of a row, its marks and how to enter them; then all commands, folded."""
    example, shown = example_turn(game), Markup("")
    if example is not None:
        said = describe_answer(game, example)
        if game.boards > 1:
            said = f"The guess is played on {game.boards} boards, each with its marks."
        shown = example_html(game, example)
        shown += paragraphs(code_text(format_turn(game, example)), said)
    ways = [
        f"Clues: {game.rule.notation.legend()}.",
        _TYPED if clue_hint(game, example) else _TAPPED,
        "For a mark that you cannot read, write _. Without any mark, a guess waits for its clue.",
        "Tap a row to change it, or \N{HORIZONTAL ELLIPSIS} to doubt or drop it.",
        "A tap on a suggestion takes it as your guess.",
        "Paste rows anywhere. / begins a command.",
    ]
    steps = element("ul", joined(element("li", way) for way in ways), "steps")
    commands = outcome_html(outcomes.Helped(USAGES), game)
    return shown + steps + _folded("All commands", commands)


def _printed(outcome: Outcome, game: Game) -> Markup:
    screen = HtmlScreen()
    print_outcome(outcome, screen, game)
    return screen.html


def _folded(title: str, content: Markup) -> Markup:
    """Return content that opens with a tap on its title."""
    return element("details", element("summary", title) + content, "opens", data_key=title)


def _explained(titles: Iterable[str], meanings: Mapping[str, str]) -> Markup:
    """Return what the titles of columns mean, to be opened with a tap."""
    terms = [title for title in titles if title in meanings]
    parts = joined(element("dt", term) + element("dd", meanings[term]) for term in terms)
    return _folded(f"Meaning of {', '.join(terms)}", element("dl", parts)) if terms else Markup("")


def _repairs(game: Game, repairs: Repairs) -> Markup:
    """Return the likeliest repair of each board; then other repairs, and undo."""
    best = list({repair.board: repair for repair in reversed(repairs)}.values())[::-1]
    rest = repairs.those(repair for repair in repairs if repair not in best)
    mends = joined(_repair(game, repairs.history, repair, "main") for repair in best)
    undo = paragraphs(button("/undo", "Undo your last step"), kind="ways")
    listed = joined(
        element("li", _repair(game, repairs.history, repair)) for repair in rest[:MOST_REPAIRS]
    )
    others = _folded("Other ways", element("ol", listed, "repairs")) if rest else Markup("")
    return paragraphs(mends, kind="ways") + others + undo


def _repair(game: Game, history: History, repair: Repair, kind: str = "") -> Markup:
    label = "; ".join(repair_parts(game, history, repair))
    return change_button(game, EditRows(repair.turns), label, kind)


def _known(game: Game, certain: Certainties) -> Markup:
    """Return what is certain of each symbol of one board, for its key."""
    known: dict[str, str] = {}
    for one in certain:
        if one.board is None:
            name = "absent" if one.count == 0 else "elsewhere" if one.position is None else "right"
            known.setdefault(game.alphabet.format((one.symbol,)), name)
    return element("span", "", data_known=json.dumps(known), hidden=True) if known else Markup("")
