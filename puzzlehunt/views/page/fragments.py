"""Outcomes as fragments of a board's page: with buttons if useful, otherwise as printed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count
from puzzlehunt.explanation.certainty import Certainties, Certainty
from puzzlehunt.explanation.partition import Outlook
from puzzlehunt.explanation.remaining import CandidatesListed, Counted, Remaining
from puzzlehunt.explanation.repair import Repair, Repairs, Suspect, Suspects
from puzzlehunt.explanation.review import Review
from puzzlehunt.explanation.unread import UnreadMarks
from puzzlehunt.explanation.why import Explanation
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session import outcomes
from puzzlehunt.session.changes import EditRows, SetWordList
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.advice import (
    NOTHING_UNREAD,
    review_table,
    skill_line,
    suggestions_table,
    telling_marks,
    unread_table,
)
from puzzlehunt.views.candidates import (
    count_line,
    left_lines,
    more_command,
    more_text,
    unfinished_line,
    wrong_rows,
)
from puzzlehunt.views.elements import HtmlScreen, Markup, element, joined, paragraphs, table_html
from puzzlehunt.views.explanations import (
    MOST_REPAIRS,
    PROBABLY_WRONG,
    assumption_text,
    conflict_sentence,
    repair_board,
    repair_clue,
)
from puzzlehunt.views.page.board_rows import (
    RowTrouble,
    button,
    change_button,
    code_html,
    code_text,
    doubt_button,
    edit_button,
    row_buttons,
)
from puzzlehunt.views.printed_tables import Table
from puzzlehunt.views.sentences import (
    MEANINGS,
    MEANINGS_OF_REVIEW,
    MEANINGS_OF_UNREAD,
    guess_sentence,
)
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.terminal import NO_CODE, nothing_fits, print_outcome
from puzzlehunt.views.wording import fact_texts, name_items, percent, turn_numbers, unconfirmed_text


def outcome_html(outcome: Outcome, game: Game) -> Markup:
    """Return an outcome as HTML: with buttons, or else as a terminal prints it."""
    match outcome:
        case outcomes.GuessStands(guess):
            return paragraphs(code_html(game, guess) + " waits for its clue")
        case outcomes.BlockRefused(problems):
            lines = [f"line {problem.line}: {problem.message}" for problem in problems]
            note = _note("nothing was recorded; mend these lines and send them again")
            return paragraphs(*lines, kind="error") + note
        case outcomes.Advised(advice, None):
            best = _stand(game, advice.suggestions[0].guess)
            tap = Markup("Tap ") + best + " to take it as your guess."
            return _printed(outcome, game) + _note(tap)
        case outcomes.Advised(advice, Outlook() as may):
            sentence, guess = guess_sentence(game, advice, may), advice.suggestions[0].guess
            before = Markup.escape(f"{sentence.before} ")
            return paragraphs(before + _stand(game, guess) + sentence.after)
        case Counted(counts, outside, ()):
            left, *lines = left_lines(counts[0], outside)
            return joined([paragraphs(left), *map(_note, lines)])
        case Advice() if outcome.suggestions:
            return _suggestions(game, outcome)
        case CandidatesListed():
            return _candidates(game, outcome)
        case outcomes.NothingFits():
            return _nothing_fits(game, outcome)
        case Explanation() if outcome.conflict:
            return paragraphs(conflict_sentence(outcome))
        case Repairs():
            return _repairs(game, outcome.history, outcome)
        case outcomes.WaysOut():
            return _ways_out(game, outcome)
        case Suspects() if outcome:
            return _suspects(game, outcome)
        case Review() if outcome.turns:
            titles = [*review_table(game, outcome).header, "skill", "luck"]
            table = _printed(outcome, game) + _explained(titles, MEANINGS_OF_REVIEW)
            return paragraphs(skill_line(outcome), kind="skill") + folded("Guess by guess", table)
        case Certainties():
            return _printed(outcome, game) + _known(game, outcome)
        case UnreadMarks():
            return _unread(game, outcome)
        case outcomes.Ended(review):
            return _shared(game, review.history)
        case outcomes.Shared(history) if history.turns:
            return _shared(game, history)
        case outcomes.Helped("conversation", commands):
            return _help(game, commands)
        case _:
            return _printed(outcome, game)


def row_troubles(outcome: Outcome, game: Game) -> dict[int, RowTrouble]:
    """Return what an outcome says against turns and facts, by their places in the history."""
    match outcome:
        case Explanation(history=history, conflict=conflict):
            troubles = {}
            for name in conflict:
                others = [one for one in conflict if one != name]
                facts = [
                    f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"
                    for text in fact_texts(others)
                ]
                rows = name_items(turn_numbers(others), " and ")
                names = " and ".join(filter(None, [rows, *facts]))
                words = f"cannot be right{f' with {names}' if names else ''}"
                boards = () if outcome.board is None else (outcome.board,)
                place = history.items.index(history.item(name))
                troubles[place] = RowTrouble("conflict", ((words, boards),))
            return troubles
        case Suspects():
            by_place = outcome.history.numbers_by_place().items()
            places = {number: place for place, number in by_place}
            return {
                places[one.number]: RowTrouble(
                    "suspect", ((f"{PROBABLY_WRONG}{assumption_text(game)}", ()),)
                )
                for one in outcome
                if one.named
            }
        case _:
            return {}


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
    columns = dict(zip(table.header, zip(*table.rows, strict=True), strict=True))
    shown = {title: cells for title, cells in columns.items() if any(map(str, cells))}
    shown["guess"] = tuple(_stand(game, guess) for guess in guesses)
    told = Table.of_columns(shown, [title for title in table.text_columns if title in shown])
    best = game.format_code(guesses[0])
    suggested = element("input", None, type="hidden", form="ask", name="suggested", value=best)
    basis = _note(f"computed from {advice.basis}") if advice.basis else Markup("")
    return suggested + table_html(told) + basis + _explained(told.header, MEANINGS)


def _explained(titles: Iterable[str], meanings: Mapping[str, str]) -> Markup:
    """Return what the titles of columns mean, to be opened with a tap."""
    terms = [title for title in titles if title in meanings]
    if not terms:
        return Markup("")
    parts = (element("dt", term) + element("dd", meanings[term]) for term in terms)
    *first, last = terms
    names = " and ".join(filter(None, [", ".join(first), last]))
    return folded(f"What {names} mean{'' if first else 's'}", element("dl", joined(parts)))


def _candidates(game: Game, listed: CandidatesListed) -> Markup:
    """Return codes with their chances; a tap answers why one is in."""
    shown = Markup("")
    for number, board in enumerate(listed.boards, start=1):
        if board.codes or not board.more:
            title = f"board {number}: {board.count:,} left" if board.count else ""
            codes = _codes(game.one_board, board, listed, f"{number} ")
            shown += paragraphs(title, kind="title") + codes
    if not listed.boards and (listed.remaining.codes or not listed.remaining.more):
        shown += _codes(game, listed.remaining, listed)
    items = [
        _code_item(game, one.code, f"{percent(one.probability)}, {wrong_rows(one)}")
        for one in listed.near
    ]
    if not items:
        return shown
    return shown + paragraphs("If one row is wrong:") + element("ul", joined(items), "codes")


def _codes(game: Game, remaining: Remaining, listed: CandidatesListed, board: str = "") -> Markup:
    chances = map(percent, remaining.chances) if remaining.chances else repeat("")
    items = [
        _code_item(game, code, chance, board)
        for code, chance in zip(remaining.codes, chances, strict=False)
    ]
    shown = element("ul", joined(items), "codes") if items else Markup("")
    if remaining.stopped:
        shown += _note(unfinished_line(remaining))
    elif remaining.more:
        shown += _note(button(more_command(remaining, listed), more_text(remaining)))
    elif not items:
        shown += _note("none")
    return shown


def _code_item(game: Game, code: Code, beside: str, board: str = "") -> Markup:
    shown = button(f"/why {board}{game.format_code(code)}", code_html(game, code))
    return element("li", shown + (element("span", beside, "dim") if beside else ""))


def _nothing_fits(game: Game, outcome: outcomes.NothingFits) -> Markup:
    """Return what else is to be said of a contradiction whose conflict and repairs follow."""
    wider, words = outcome.wider_list, nothing_fits(game, outcome)
    shown = paragraphs("" if words.startswith(NO_CODE[:-1]) else words)
    if not outcome.proved:
        shown += _note(f"This is {unconfirmed_text(game)}.")
    if wider is not None:
        label = f"Take the secrets from {wider.name}"
        shown += paragraphs(change_button(game, SetWordList(wider.name), label), kind="ways")
    return shown


def _ways_out(game: Game, listed: outcomes.WaysOut) -> Markup:
    """Return the likeliest repair of each board; then other repairs, undo, and the rows."""
    history, rows = listed.repairs.history, []
    best = list({repair.board: repair for repair in reversed(listed.repairs)}.values())[::-1]
    rest = [repair for repair in listed.repairs if repair not in best]
    for number in turn_numbers(listed.conflict):
        turn = history.turn(number)
        shown = code_text(f"{number}. {format_turn(game, turn)}")
        rows.append(element("li", shown + " " + row_buttons(game, number, turn)))
    undo = paragraphs(button("/undo", "Undo your last step"), kind="ways")
    others = _repairs(game, history, rest) if rest else Markup("")
    others += undo + element("ul", joined(rows), "ways")
    if not listed.repairs:
        return others
    mends = joined(_repair_button(game, history, repair, "main") for repair in best)
    return paragraphs(mends, kind="ways") + folded("Other ways", others)


def folded(title: str, content: Markup) -> Markup:
    """Return content that opens with a tap on its title."""
    return element("details", element("summary", title) + content, "opens", data_key=title)


def _repairs(game: Game, history: History, repairs: Sequence[Repair]) -> Markup:
    shown = [_repair_button(game, history, repair) for repair in repairs[:MOST_REPAIRS]]
    return element("ol", joined(element("li", each) for each in shown), "repairs")


def _repair_button(game: Game, history: History, repair: Repair, kind: str = "") -> Markup:
    changes = []
    on_board = repair_board(repair)
    for number, turn in repair.turns:
        old_turn = history.turn(number)
        if turn.doubt != old_turn.doubt:
            changes.append(f"doubt row {number}")
        elif turn.guess != old_turn.guess:
            changes.append(f"change the guess of row {number} to {game.format_code(turn.guess)}")
        else:
            changes.append(f"change row {number} to {repair_clue(game, repair, turn)}")
    text = (f"{on_board.strip()}: " if on_board else "") + " and ".join(changes)
    left = "" if repair.count is None else f" ({count_line(Count.exactly(repair.count))})"
    change = EditRows(repair.turns)
    return change_button(game, change, f"{text[:1].upper()}{text[1:]}{left}", kind=kind)


def _suspects(game: Game, suspects: Sequence[Suspect]) -> Markup:
    cells = []
    for suspect in suspects:
        row = code_text(f"{suspect.number}. {format_turn(game, suspect.turn)}")
        change = doubt_button(game, suspect.number, suspect.turn, f"row {suspect.number}")
        cells.append([row, percent(suspect.probability), change])
    table = Table.of(["row", "wrong", "change"], cells, text_columns=["row", "change"])
    return paragraphs(assumption_text(game).strip()) + table_html(table)


def _unread(game: Game, ranked: UnreadMarks) -> Markup:
    telling = telling_marks(ranked)
    if not telling:
        return _note(NOTHING_UNREAD)
    table = unread_table(ranked)
    cells = [[Markup.escape(cell) for cell in row] for row in table.rows]
    for row, mark in zip(cells, telling, strict=True):
        turn = ranked.game.as_item(mark.turn) if mark.board is None else None
        if isinstance(turn, Turn):
            row[0] = edit_button(game, mark.number, turn, row[0])
    header = [{"mark": "bits", "all": "bits of all"}.get(name, name) for name in table.header]
    shown = Table.of(header, cells, table.text_columns)
    return table_html(shown) + _explained(shown.header, MEANINGS_OF_UNREAD)


def _known(game: Game, certain: Sequence[Certainty]) -> Markup:
    """Return what is certain of each symbol of one board, for its key."""
    known: dict[str, str] = {}
    for one in certain:
        if one.board is None:
            name = "absent" if one.count == 0 else "elsewhere" if one.position is None else "right"
            known.setdefault(game.alphabet.format((one.symbol,)), name)
    return element("span", "", data_known=json.dumps(known), hidden=True) if known else Markup("")


def _shared(game: Game, history: History) -> Markup:
    text = element("pre", "\n".join(share_lines(game, history)))
    copy = element("button", "Copy", type="button", data_copy="pre")
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
        f"Clues: {game.rule.notation.legend()}",
    ]
    header = ("command", "what it does")
    return paragraphs(*rules) + table_html(Table.of(header, cells, text_columns=header))
