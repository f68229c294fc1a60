"""A board's page in a browser: fragments of HTML with classes only, and its style sheet's colours.

What can be tapped is a button of the form `ask`, whose value is a line as one would type it.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.explanation.remaining import Remaining
from puzzlehunt.explanation.repair import Repair
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.game.lines import describe_answer, describe_doubt, format_doubt, format_turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.families import TileRule
from puzzlehunt.session import outcomes
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.views.advice import NOTHING_UNREAD, suggestions_table, telling_marks, unread_table
from puzzlehunt.views.colours import COLOURS, TILES
from puzzlehunt.views.counts import misread_line, more_command, more_text, unfinished_line
from puzzlehunt.views.escapes import in_html
from puzzlehunt.views.explanations import (
    MOST_REPAIRS,
    assumption_text,
    basis_text,
    conflict_lines,
    name_item,
    percent,
    repair_lines,
)
from puzzlehunt.views.markup import Markup
from puzzlehunt.views.page_screen import (
    HtmlScreen,
    cell_html,
    element,
    in_attribute,
    is_long,
    table_html,
)
from puzzlehunt.views.registry import Face
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.terminal import terminal
from puzzlehunt.views.tiles import (
    Tile,
    code_tiles,
    guess_tiles,
    is_coloured,
    mark_tiles,
    marks_text,
)

_MOST_SYMBOLS = 12
"""Largest alphabet whose symbols can be tapped (symbols)."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote a row, and when."""

    name: str
    when: datetime


def stylesheet() -> str:
    """Return the colours of symbols and marks as classes, such as `c-red` and `t-right`."""
    named = [("c", COLOURS), ("t", TILES)]
    return "".join(
        f".{kind}-{name} {{ background: {colour.ground}; color: {colour.ink}; }}\n"
        for kind, colours in named
        for name, colour in colours.items()
    )


# What can be tapped.


def _button(line: str, label: str, name: str = "", title: str = "") -> Markup:
    """Return a button that says a line; its label is HTML already."""
    kind = f' class="{name}"' if name else ""
    words = f' aria-label="{in_html(title)}"' if title else ""
    value = in_attribute(line)
    return Markup(f'<button form="ask" name="tapped" value="{value}"{kind}{words}>{label}</button>')


def _edit_button(game: Game, number: int, turn: Turn, label: str = "Edit") -> Markup:
    """Return a button that puts a row into the line; without scripts it asks how to write it."""
    line = in_attribute(f"/edit {number} {format_turn(game, turn)}")
    return Markup(
        f'<button form="ask" name="tapped" value="/edit {number}" data-edit="{line}">'
        f"{label}</button>"
    )


def _row_buttons(game: Game, number: int, turn: Turn) -> str:
    """Return the buttons that change a row."""
    doubt = "Trust" if turn.doubted else "Doubt"
    return "".join(
        [
            _edit_button(game, number, turn),
            _button(f"/doubt {number}", doubt),
            _button(f"/drop {number}", "Drop"),
        ]
    )


def _menu(label: str, name: str, title: str, buttons: str) -> Markup:
    """Return a menu of buttons that opens where its label, which is HTML, is tapped."""
    summary = f'<summary class="{name}" aria-label="{in_html(title)}">{label}</summary>'
    return Markup(
        f'<details class="menu" data-key="{in_html(title)}">{summary}'
        f'<div class="choices">{buttons}</div></details>'
    )


def marks(game: Game) -> Markup:
    """Return the marks of a game, and its symbols if they are few, as buttons that type them.

    They are hidden until a script shows them.
    """
    board = game.one_board
    parts = []
    if len(game.alphabet) <= _MOST_SYMBOLS:
        tiles = code_tiles(board, tuple(range(len(game.alphabet))))
        parts.append(_keys("Symbols", "symbol", [(t.text, t.text, t.name) for t in tiles]))
        delete = (
            '<button type="button" class="tile" data-delete aria-label="delete">&#9003;</button>'
        )
    else:
        delete = ""
    names = [*board.rule.named_marks(), (board.rule.unread_mark, "unread")]
    keys = [(mark, label, _mark_name(board, mark, label)) for mark, label in names]
    parts += [_keys("Marks", "mark", keys), delete]
    length, joiner = board.length // board.secrets_at_once, in_attribute(game.alphabet.joiner)
    return Markup(
        f'<div class="palette" data-length="{length}" data-joiner="{joiner}" hidden>'
        f"{''.join(parts)}</div>"
    )


def _mark_name(game: Game, mark: str, label: str) -> str:
    """Return the name of a mark's colour: what the game calls it, or what its rule does."""
    rule = game.rule
    if isinstance(rule, TileRule) and mark in rule.notation.marks:
        return rule.digit_names[rule.notation.marks.index(mark)]
    return label


def _keys(title: str, kind: str, keys: Iterable[tuple[str, str, str]]) -> str:
    """Return buttons that type a text each, given the text, what it is called, and its colour."""
    buttons = []
    for text, label, name in keys:
        tile = Tile(text, name)
        says_more = text != label and "-" not in _tile_class(tile)
        shown = in_html(text) + (element("small", in_html(label)) if says_more else "")
        called = text if text == label else f"{text} {label}"
        buttons.append(
            f'<button type="button" data-kind="{kind}" data-insert="{in_attribute(text)}" '
            f'class="{_tile_class(tile)}" aria-label="{in_html(called)}">{shown}</button>'
        )
    return f'<div class="keys" role="group" aria-label="{title}">{"".join(buttons)}</div>'


# Codes and rows on tiles.


def _tile_class(tile: Tile) -> str:
    """Return the classes of a tile."""
    kinds = [
        f"{kind}-{tile.name}"
        for kind, names in (("c", COLOURS), ("t", TILES))
        if tile.name in names
    ]
    return " ".join(["tile", *kinds, *["unread"] * bool(tile.may_be)])


def _tile(tile: Tile) -> str:
    title = f' title="{in_html(tile.name)}"' if tile.name else ""
    return f'<span class="{_tile_class(tile)}"{title}>{in_html(tile.text)}</span>'


def _code(game: Game, code: Code) -> str:
    """Return a code as HTML: on tiles where its symbols have colours."""
    tiles = code_tiles(game, code)
    if not is_coloured(tiles):
        return _code_text(game.format_code(code))
    return element("span", "".join(map(_tile, tiles)), "tiles")


def _code_text(text: str) -> Markup:
    """Return a code, a clue or both as they are written."""
    return element("span", in_html(text), "code long" if is_long(text) else "code")


def rows(game: Game, history: History, authors: Mapping[int, Author]) -> Markup:
    """Return the rows and facts in their colours, each with who wrote it, and what changes it.

    `authors` are by the numbers of turns, from 1.
    """
    return row_list(row_items(game, history, authors, {}))


def row_list(items: Sequence[str]) -> Markup:
    """Return the items of `row_items` as one list; empty for none."""
    return element("ol", "".join(items), "rows") if items else Markup("")


def row_items(
    game: Game, history: History, authors: Mapping[int, Author], made: dict[object, str]
) -> list[str]:
    """Return each row and fact as an item of a list.

    `made` keeps items for the next time, since a long list is made again and again.
    """
    parts: list[str] = []
    number, solved = 0, frozenset[int]()
    for item in history.items:
        if isinstance(item, Fact):
            text = element("span", f"fact: {in_html(item.text)}", "words")
            parts.append(element("li", text, "fact"))
            continue
        number += 1
        key = number, item, solved, authors.get(number)
        if key not in made:
            made[key] = _row(game, number, item, solved, authors.get(number))
        parts.append(made[key])
        if isinstance(item.clue, BoardsClue) and not item.doubted:
            clues, wins = enumerate(item.clue.clues), game.one_board.rule.wins
            solved |= {board for board, clue in clues if board not in solved and wins(clue)}
    return parts


def _row(game: Game, number: int, turn: Turn, solved: Set[int], author: Author | None) -> str:
    """Return one row; `solved` are the boards (from 0) that were solved before."""
    words = in_html(describe_answer(game, turn.undoubted))
    doubt = element("span", in_html(describe_doubt(turn.doubt)), "badge") if turn.doubted else ""
    note = element("span", in_html(turn.note), "remark") if turn.note else ""
    guess, clue = _guess_and_clue(game, number, turn, solved)
    menu = _menu("&hellip;", "more", f"change row {number}", _row_buttons(game, number, turn))
    kind = "doubted" if turn.doubted else ""
    return element(
        "li",
        f'<span class="number">{number}</span><div class="said"><div class="line">{guess}{clue}'
        f'</div><div class="words">{words}{doubt}{note}{_written_by(author)}</div></div>{menu}',
        kind,
    )


def _written_by(author: Author | None) -> str:
    """Return who wrote a row, and when."""
    if author is None:
        return ""
    when = author.when
    name = element("b", in_html(author.name)) if author.name else ""
    time = f'<time datetime="{when.isoformat()}">{when:%H:%M} {when.tzname() or ""}</time>'
    return element("span", f"{name} {time}", "by")


def _guess_and_clue(game: Game, number: int, turn: Turn, solved: Set[int]) -> tuple[str, str]:
    """Return a row's guess and clue on tiles; unread marks open a menu of what they may be."""
    if isinstance(turn.clue, BoardsClue):
        return _on_boards(game, number, turn, solved), ""
    if not turn.guess:
        guess = in_html(game.format_code(turn.guess))
    else:
        tiles = guess_tiles(game, turn.guess, turn.clue)
        guess = _guess_tiles(game, f"row {number}", f"/add {number} {{}}", tiles)
    if marks_shown := mark_tiles(game, turn.clue):
        clue = _clue_marks(game, number, turn, marks_shown)
    elif isinstance(game.rule, TileRule):
        clue = ""
    else:
        clue = _code_text(game.rule.format(turn.clue))
    return element("div", guess, "tiles guess"), element("div", clue, "tiles") if clue else ""


def _guess_tiles(game: Game, title: str, line: str, tiles: Sequence[Tile]) -> str:
    """Return the tiles of a guess; one whose mark was not read opens a menu.

    `title` names the guess, `line` says what its marks are, `{}` standing for them.
    """
    unread, parts = game.one_board.rule.unread_mark, []
    for place, tile in enumerate(tiles):
        before, after = unread * place, unread * (len(tiles) - place - 1)
        buttons = [
            _choice(line.format(f"{before}{mark}{after}"), mark, label)
            for mark, label in tile.may_be
        ]
        name = f"{title}, tile {place + 1}: unread"
        menu = _menu(in_html(tile.text), _tile_class(tile), name, "".join(buttons))
        parts.append(menu if buttons else _tile(tile))
    return "".join(parts)


def _clue_marks(game: Game, number: int, turn: Turn, tiles: Sequence[Tile]) -> str:
    """Return the marks of a clue; those that were not read open a menu, equal ones the same."""
    place, parts = 0, []
    for tile, equal in groupby(tiles):
        count = len(list(equal))
        shown = _tile(tile) * count
        if tile.may_be:
            title = f"row {number}, {count} unread" if count > 1 else f"row {number}, unread"
            title += f" ({tile.text})" if tile.text != game.rule.unread_mark else ""
            shown = _menu(shown, "group", title, _mark_choices(game, number, turn, tiles, place))
        parts.append(shown)
        place += count
    return "".join(parts)


def _mark_choices(game: Game, number: int, turn: Turn, tiles: Sequence[Tile], place: int) -> str:
    """Return what a mark may be as buttons."""
    named = {mark for mark, _ in game.rule.named_marks()}
    is_unread = tiles[place].text == game.rule.unread_mark
    doubt = f" {format_doubt(turn.doubt)}" if turn.doubted else ""
    buttons = []
    for mark, label in tiles[place].may_be:
        line = f"/add {number} {mark}"
        if not is_unread or mark not in named:
            others = [*tiles[:place], Tile(mark), *tiles[place + 1 :]]
            line = f"/edit {number} {marks_text(others)}{doubt}"
        buttons.append(_choice(line, mark, label))
    return "".join(buttons)


def _choice(line: str, mark: str, label: str) -> str:
    shown = element("span", in_html(mark), _tile_class(Tile(mark, label)))
    return _button(line, shown if mark == label else f"{shown} {in_html(label)}")


def _on_boards(game: Game, number: int, turn: Turn, solved: Set[int]) -> str:
    """Return a guess as each of several boards answers it."""
    clues, parts = cast(BoardsClue, turn.clue).clues, []
    for board, clue in enumerate(clues):
        title, others = f"row {number}, board {board + 1}", ["*"] * len(clues)
        line = " ".join([f"/add {number}", *others[:board], "{}", *others[board + 1 :]])
        tiles = guess_tiles(game.one_board, turn.guess, clue)
        # A board of which nothing was read is better edited as a whole.
        has_menus = not all(len(tile.may_be) > 2 for tile in tiles)
        shown = _guess_tiles(game, title, line, tiles) if has_menus else "".join(map(_tile, tiles))
        if marks_shown := mark_tiles(game.one_board, clue):
            shown += " " + "".join(map(_tile, marks_shown))
        shown = "done" if board in solved else shown
        parts.append(f'<div class="tiles small" title="board {board + 1}">{shown}</div>')
    return element("div", "".join(parts), "boards")


# Outcomes.


def _printed(outcome: Outcome, game: Game) -> Markup:
    screen = HtmlScreen()
    terminal.show(outcome, screen, game)
    return screen.html


AS_PRINTED: frozenset[type[object]] = frozenset(
    {
        outcomes.Begun,
        outcomes.WriterChanged,
        outcomes.PracticeBegun,
        outcomes.Solved,
        outcomes.SecretNamed,
        outcomes.Quit,
        outcomes.TurnTaken,
        outcomes.TurnChanged,
        outcomes.TurnKnown,
        outcomes.BlockMerged,
        outcomes.OneFound,
        outcomes.Unlisted,
        outcomes.CountsAs,
        outcomes.ReadAsClue,
        outcomes.CommandWithoutSlash,
        outcomes.HeadingRead,
        outcomes.HistoryChanged,
        outcomes.FactAdded,
        outcomes.HistoryShown,
        outcomes.Counted,
        outcomes.CountedOnBoards,
        outcomes.MaybeMisread,
        outcomes.StillNothingFits,
        outcomes.Hint,
        outcomes.GuessTried,
        outcomes.Why,
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


def _lines(*texts: str, name: str = "line") -> str:
    """Return texts as paragraphs."""
    return "".join(element("p", in_html(text), name) for text in texts if text)


def _note(text: str) -> str:
    return _lines(text, name="note")


@page.shows(outcomes.GuessStands)
def _(outcome: outcomes.GuessStands, game: Game) -> Markup:
    guess = _code(game, outcome.guess)
    return element("p", f"{guess} stands and waits for its clue", "line")


@page.shows(outcomes.TurnToEdit)
def _(outcome: outcomes.TurnToEdit, game: Game) -> Markup:
    number, turn = outcome.number, outcome.turn
    row = f"{number}. {format_turn(game, turn)}"
    how = f"send /edit {number} CLUE, or /edit {number} GUESS CLUE"
    return Markup(_lines(row) + _note(how))


@page.shows(outcomes.BlockRefused)
def _(outcome: outcomes.BlockRefused, game: Game) -> Markup:
    problems = [f"line {problem.line}: {problem.message}" for problem in outcome.problems]
    return Markup(
        _lines(*problems, name="error")
        + _note("nothing was recorded; mend these lines and send them again")
    )


@page.shows(outcomes.Advised)
def _(outcome: outcomes.Advised, game: Game) -> Markup:
    best = outcome.advice.suggestions[0].guess
    stand = _button(game.format_code(best), _code(game, best))
    return Markup(_printed(outcome, game) + element("p", f"{stand} tap to stand", "note"))


@page.shows(outcomes.Suggestions)
def _(outcome: outcomes.Suggestions, game: Game) -> Markup:
    advice = outcome.advice
    if not advice.suggestions:
        return _printed(outcome, game)
    table = suggestions_table(game, advice)
    guesses = [suggestion.guess for suggestion in advice.suggestions]
    first = [_button(game.format_code(guess), _code(game, guess)) for guess in guesses]
    others = [[cell_html(cell) for cell in column.cells] for column in table.columns[1:]]
    header = [in_html(str(column.header)) for column in table.columns]
    numeric = [column.justify == "right" for column in table.columns]
    shown = table_html(header, zip(first, *others, strict=True), numeric)
    best = in_attribute(game.format_code(guesses[0]))
    suggested = f'<input type="hidden" form="ask" name="suggested" value="{best}">'
    basis = _note(f"from {basis_text(advice.basis)}") if advice.basis else ""
    return Markup(suggested + shown + basis)


@page.shows(outcomes.Candidates)
def _(outcome: outcomes.Candidates, game: Game) -> Markup:
    remaining, board, title = outcome.remaining, outcome.board, ""
    if board is not None:
        title = f"board {board + 1}: {remaining.count:,} left" if remaining.count else ""
        game = game.one_board
    misread, first = misread_line(remaining.outside)
    return Markup(
        _lines(title, name="title")
        + (_lines(misread) if first else "")
        + _codes(game, remaining, board)
        + ("" if first else _lines(misread))
        + _after_codes(remaining, outcome.limit)
    )


def _codes(game: Game, remaining: Remaining, board: int | None) -> str:
    """Return codes with their chances; tapping one asks why it is in."""
    chances = remaining.chances or (None,) * len(remaining.codes)
    on_board = "" if board is None else f"{board + 1} "
    items = [
        _code_button(game, code, "" if chance is None else percent(chance), on_board)
        for code, chance in zip(remaining.codes, chances, strict=True)
    ]
    return element("ul", "".join(items), "codes") if items else ""


def _code_button(game: Game, code: Code, beside: str, board: str = "") -> str:
    button = _button(f"/why {board}{game.format_code(code)}", _code(game, code))
    return element("li", button + (element("span", in_html(beside), "dim") if beside else ""))


def _after_codes(remaining: Remaining, limit: int) -> str:
    """Return what is said below codes that are not all."""
    if remaining.stopped:
        return _note(unfinished_line(remaining, "in time"))
    if remaining.more:
        button = _button(more_command(remaining, limit), more_text(remaining))
        return element("p", button, "note")
    return "" if remaining.codes else _note("none")


@page.shows(outcomes.NearMissesListed)
def _(outcome: outcomes.NearMissesListed, game: Game) -> Markup:
    items = []
    for near in outcome.near:
        rows_wrong = " and ".join(map(str, near.numbers))
        beside = f"{percent(near.probability)}, row {rows_wrong}"
        items.append(_code_button(game, near.code, beside))
    return Markup(_lines("If one row is wrong:") + element("ul", "".join(items), "codes"))


@page.shows(outcomes.NothingFits)
def _(outcome: outcomes.NothingFits, game: Game) -> Markup:
    widen = ""
    if outcome.wider is not None:
        label = in_html(f"Take the secrets from {outcome.wider.name}")
        widen = element("p", _button(f"/widen {outcome.wider.name}", label), "ways")
    return Markup(_printed(outcome, game) + widen)


@page.shows(outcomes.ConflictShown)
def _(outcome: outcomes.ConflictShown, game: Game) -> Markup:
    if not outcome.explanation.conflict:
        return _printed(outcome, game)
    explanation = outcome.explanation
    sentence = " ".join(line.strip() for line in conflict_lines(explanation))
    history, items = explanation.history, []
    for place in explanation.conflict:
        number, item = history.turn_number(place), history.items[place]
        name = element("span", in_html(name_item(game, history, place)), "code long")
        if number is None or not isinstance(item, Turn):
            items.append(element("li", name))
            continue
        items.append(element("li", f"{name} {_row_buttons(game, number, item)}"))
    return Markup(_lines(sentence) + element("ul", "".join(items), "ways"))


@page.shows(outcomes.FixesOffered)
def _(outcome: outcomes.FixesOffered, game: Game) -> Markup:
    undo = element("p", _button("/undo", "Undo the last step"), "ways")
    if not outcome.repairs:
        return Markup(_lines("Mend a row, or take the last step back:") + undo)
    title = _lines("One of these mends it, the likeliest first:")
    return Markup(title + _repairs(game, outcome.history, outcome.repairs) + undo)


@page.shows(outcomes.RepairsListed)
def _(outcome: outcomes.RepairsListed, game: Game) -> Markup:
    return Markup(_repairs(game, outcome.history, outcome.repairs))


def _repairs(game: Game, history: History, repairs: Sequence[Repair]) -> str:
    """Return repairs as buttons."""
    items = []
    for repair in repairs[:MOST_REPAIRS]:
        text = " ".join(line.strip() for line in repair_lines(game, history, repair))
        label = in_html(text.partition(") ")[2].replace(" -> ", " \N{RIGHTWARDS ARROW} "))
        items.append(element("li", _button(f"/repair {repair.number}", label)))
    return element("ol", "".join(items), "repairs")


@page.shows(outcomes.SuspectsListed)
def _(outcome: outcomes.SuspectsListed, game: Game) -> Markup:
    if not outcome.suspects:
        return _printed(outcome, game)
    cells = []
    for suspect in outcome.suspects:
        row = _code_text(f"{suspect.number}. {format_turn(game, suspect.turn)}")
        doubt = "Trust" if suspect.turn.doubted else "Doubt"
        button = _button(f"/doubt {suspect.number}", doubt, title=f"{doubt}: row {suspect.number}")
        cells.append([row, percent(suspect.probability), button])
    table = table_html(["row", "wrong", "change"], cells, [False, True, False])
    return Markup(_lines(assumption_text(game).strip()) + table)


@page.shows(outcomes.UnreadRanked)
def _(outcome: outcomes.UnreadRanked, game: Game) -> Markup:
    telling = telling_marks(outcome.ranked, outcome.limit)
    if not telling:
        return Markup(_note(NOTHING_UNREAD))
    table = unread_table(outcome.ranked, outcome.limit)
    cells = [[in_html(cell) for cell in row] for row in table.rows]
    for row, mark in zip(cells, telling, strict=True):
        turn = outcome.ranked.game.as_item(mark.turn) if mark.board is None else None
        if isinstance(turn, Turn):
            row[0] = _edit_button(game, mark.number, turn, row[0])
    header = [{"mark": "bits", "all": "bits of all"}.get(name, name) for name in table.header]
    numeric = [name not in table.text_columns for name in table.header]
    basis = outcome.ranked.basis
    return Markup(
        table_html(map(in_html, header), cells, numeric)
        + (_note(f"from {basis_text(basis)}") if basis is not None else "")
    )


@page.shows(outcomes.Ended)
def _(outcome: outcomes.Ended, game: Game) -> Markup:
    return Markup(_shared(game, outcome.review.history))


@page.shows(outcomes.Shared)
def _(outcome: outcomes.Shared, game: Game) -> Markup:
    if not outcome.history.turns:
        return _printed(outcome, game)
    return Markup(_shared(game, outcome.history))


def _shared(game: Game, history: History) -> str:
    """Return the text to share."""
    text = in_html("\n".join(share_lines(game, history)))
    copy = '<button type="button" data-copy hidden>Copy</button>'
    return element("div", f"<pre>{text}</pre>{copy}", "share")


@page.shows(outcomes.Helped)
def _(outcome: outcomes.Helped, game: Game) -> Markup:
    if outcome.topic != "conversation":
        return _printed(outcome, game)
    usages = [(f"/{command.syntax}", command.purpose) for command in outcome.commands]
    left_out = {"/save", "/quit"}
    cells = [
        [element("span", in_html(syntax), "code"), in_html(purpose)]
        for syntax, purpose in usages
        if syntax.split()[0] not in left_out
    ]
    rules = [
        "GUESS CLUE plays a row; CLUE alone answers the guess that stands, or else the suggested.",
        "A space and ? behind a row doubts it, and # begins a note.",
        "A guess typed again completes its row or replaces it.",
        "ROW below is a row's number or its guess.",
        f"Clues: {game.rule.legend()}",
    ]
    return Markup(_lines(*rules) + table_html(["command", "what it does"], cells, [False, False]))
