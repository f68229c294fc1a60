"""Turns and facts as lines and as JSON, with their codes and clues in colour."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from rich.text import Text

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.spaces import split
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Turn
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.game.turn_notation import (
    describe_answer,
    format_answer,
    format_guess,
    format_row,
    format_turn,
)
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.notation.clue import Clue
from puzzlehunt.rules.notation.clue_values import CellsClue, CountClue
from puzzlehunt.views.drawn_tiles import COLOURS, code_tiles, style_of, tile_names
from puzzlehunt.views.escapes import printable
from puzzlehunt.views.screen import LINE_WIDTH

_NO_HISTORY = History()


def turn_lines(
    game: Game, number: int, turn: Turn, history_before: History = _NO_HISTORY
) -> Iterator[Text]:
    """Yield the line of a turn as the program has understood it, or lines for several boards.

    `number` is the turn's number (from 1). Boards solved in `history_before`, the history before
    the turn, are shown as done. If rows may be false and no secret can cause the clue, a second
    line says that the row is false. At the second turn that leaves out all misses, lines say how
    marks left out are read.
    """
    start = Text.assemble((f"{number}. ", "dim"), styled_guess(game, turn), ": ")
    if game.boards > 1:
        marks = list(_board_marks(game, turn, history_before))
        yield from _boards_lines(start, marks, turn.doubted)
    else:
        words = styled_words(game, describe_answer(game, turn))
        yield Text.assemble(start, words, _note(turn))
        is_win = game.rule.wins(turn.clue)
        if game.channel.answers_anew and not is_win and game.rule.refusal(turn.guess, turn.clue):
            yield Text("no secret could answer so: it is false")
        before = [item.clue for item in history_before.turns]
        yield from map(Text, _left_out_lines(game, number, turn, before))


def _left_out_lines(game: Game, number: int, turn: Turn, before: Sequence[Clue]) -> list[str]:
    """Return lines on misses if a turn is the second that leaves them out, and none has any."""
    rule, clue = game.rule, turn.clue
    clues = [one for one in (*before, clue) if isinstance(one, CountClue)]
    leaving_out = [one for one in clues if any(low for low, _ in one.ranges) and not one.is_exact]
    if not (isinstance(clue, CountClue) and rule.notation.miss_has_mark) or clue.rest:
        return []
    has_misses = any(one.ranges[-1][0] for one in clues)
    if has_misses or len(leaving_out) != 2 or leaving_out[-1] is not clue:
        return []
    whole = rule.notation.full_clue(tuple(low for low, _ in clue.ranges[:-1]), turn.guess)
    label = rule.kinds[-1][1]
    words = f"no {label} in two rows: marks left out are unread; if all are {label}: "
    edit = f"/edit {number} {rule.notation.format(whole)}"
    return [*textwrap.wrap(words, LINE_WIDTH), edit]


def _boards_lines(start: Text, marks: Sequence[Text], doubted: bool) -> Iterator[Text]:
    line = start.copy()
    for place, mark in enumerate(marks):
        end = " |" if place < len(marks) - 1 else " (doubted)" * doubted
        if line.cell_len > start.cell_len:
            if line.cell_len + 1 + mark.cell_len + len(end) > LINE_WIDTH:
                yield line
                line = Text(" " * start.cell_len)
            else:
                line.append(" ")
        line.append_text(mark).append(end)
    yield line


def _board_marks(game: Game, turn: Turn, history_before: History) -> Iterator[Text]:
    rule, clues = game.one_board.rule, cast(BoardsClue, turn.clue).clues
    for clue, won_by in zip(clues, game.winning_guesses(history_before), strict=True):
        if won_by is not None:
            yield Text("done", style="dim")
        elif rule.wins(clue):
            yield Text("solved", style="bold")
        else:
            yield styled_marks(game.one_board, rule.notation.format(clue))


def item_lines(game: Game, history: History, start: int = 0) -> Iterator[Text]:
    """Yield lines for the items of a history from index `start` (from 0), as understood."""
    for place, item in enumerate(history.items[start:], start=start):
        history_before = History(history.items[:place])
        if isinstance(item, Turn):
            yield from turn_lines(game, len(history_before.turns) + 1, item, history_before)
        else:
            yield _fact_line(item)


def history_lines(game: Game, history: History) -> Iterator[Text]:
    """Yield a line for each fact and turn as the game writes it; turns are numbered from 1.

    For an empty history, the only line is `nothing yet`.
    """
    number = 0
    for item in history:
        if not isinstance(item, Turn):
            yield _fact_line(item)
            continue
        number += 1
        marks = Text.assemble(styled_marks(game, format_answer(game, item)), _note(item))
        yield Text.assemble((f"{number:2}. ", "dim"), styled_guess(game, item), " ", marks)
    if not len(history):
        yield Text("nothing yet")


def _note(turn: Turn) -> tuple[str, str]:
    return (printable(f"  # {turn.note}") if turn.note else "", "dim")


def change_line(game: Game, placed: RowEffect) -> str:
    """Return a line on a completed or replaced turn: `completed 2. HORSE: was BW___, now BWR__`."""
    assert placed.old is not None
    was, now = (format_answer(game, turn) for turn in (placed.old, placed.turn))
    if (placed.old.guess, placed.old.overlong) != (placed.turn.guess, placed.turn.overlong):
        was = format_turn(game, placed.old)
    guess = game.format_code(placed.turn.guess)
    return f"{placed.effect} {placed.number}. {guess}: was {was}, now {now}"


def difference_lines(
    game: Game,
    before: History,
    after: History,
    out: str,
    back: str,
    writers: Mapping[str, str],
) -> Iterator[str]:
    """Yield lines on how the history `after` differs from the history `before`.

    Lines on items that are gone begin with the word `out`, lines on items that are new or changed
    with the word `back`. Turns are matched by their guesses; a turn whose clue changed is shown
    with both clues. `writers` has the names of authors, by the text of the turn.
    """
    old, new = turns_by_guess(before), turns_by_guess(after)
    yield from _listed(game, out, [old[key] for key in old if key not in new], writers)
    yield from _listed(game, back, [new[key] for key in new if key not in old], writers)
    for key, (number, turn) in new.items():
        was = old[key][1] if key in old else turn
        if (turn.clue, turn.doubt) != (was.clue, was.doubt):
            by = _by(game, turn, writers)
            yield f"{back}: {number}. {format_turn(game, turn)}, not {format_answer(game, was)}{by}"
        elif turn != was:
            yield printable(f"{back}: {number}. {format_row(game, turn)}")
    for word, one, other in ((out, before, after), (back, after, before)):
        facts = Counter(fact.text for fact in one.facts)
        facts.subtract(fact.text for fact in other.facts)
        yield from (printable(f"{word}: fact: {text}") for text in facts.elements())


_MOST_LISTED = 4
"""Largest number of turns that are listed one by one; for more, only their numbers are given."""


def turns_by_guess(history: History) -> dict[tuple[Code, int], tuple[int, Turn]]:
    """Return the turns with their numbers, by guess and how often it was played before."""
    counts: Counter[Code] = Counter()
    turns = {}
    for number, turn in enumerate(history.turns, start=1):
        turns[turn.guess, counts[turn.guess]] = (number, turn)
        counts[turn.guess] += 1
    return turns


def _by(game: Game, turn: Turn, writers: Mapping[str, str]) -> str:
    name = writers.get(format_turn(game, turn), "")
    return printable(f" ({name})") if name else ""


def _listed(
    game: Game, word: str, turns: Sequence[tuple[int, Turn]], writers: Mapping[str, str]
) -> Iterator[str]:
    if len(turns) <= _MOST_LISTED:
        for number, turn in turns:
            yield f"{word}: {number}. {format_turn(game, turn)}{_by(game, turn, writers)}"
        return
    numbers = [number for number, _ in turns]
    first, last = numbers[0], numbers[-1]
    if numbers == list(range(first, last + 1)):
        yield f"{word}: rows {first} to {last}"
    else:
        yield f"{word}: rows {', '.join(map(str, numbers))}"


def _fact_line(fact: Fact) -> Text:
    return Text(printable(f"    fact: {fact.text}"))


def styled_code(game: Game, code: Code) -> Text:
    """Return the text of a code, with each symbol that has a colour shown in it."""
    if not code or game.alphabet.names_codes:
        return Text(game.format_code(code))
    if game.boards > 1 and len(code) == game.length:
        return Text("/").join(styled_code(game, c) for c in split(code, game.boards))
    symbols = [
        Text(tile.text, "dim" if symbol == FOREIGN else style_of(tile.name))
        for symbol, tile in zip(code, code_tiles(game, code), strict=True)
    ]
    return Text(game.alphabet.joiner_of(code)).join(symbols)


def styled_guess(game: Game, turn: Turn) -> Text:
    """Return the text of a turn's guess, with each tile in the colour of its mark if it has one."""
    text = styled_code(game, turn.guess)
    text.append(format_guess(game, turn).removeprefix(text.plain))
    if not game.rule.positional:
        return text
    digit_names = game.rule.kind_names
    names, joiner = game.alphabet.names(turn.guess), game.alphabet.joiner_of(turn.guess)
    start = 0
    for name, cell in zip(names, cast(CellsClue, turn.clue).cells, strict=False):
        if len(cell) == 1:
            text.stylize(style_of(digit_names[cell[0]]), start, start + len(name))
        start += len(name) + len(joiner)
    return text


def styled_marks(game: Game, clue: str) -> Text:
    """Return the text of a clue with its marks in colour; a text with digits stays plain."""
    text, rule = Text(clue), game.one_board.rule
    if rule.no_constraint:
        return text
    names = tile_names(rule) if rule.positional else dict(rule.notation.named_marks())
    if not any(c.isdigit() for c in clue):
        for place, mark in enumerate(clue):
            text.stylize(style_of(names.get(mark, "")), place, place + 1)
    return text


def styled_words(game: Game, words: str) -> Text:
    """Return a clue in words, with the tiles at its start or the names of colours in colour."""
    tiles, bracket, note = words.partition(" (")
    if bracket and game.rule.positional:
        return Text.assemble(styled_marks(game, tiles), bracket, note)
    text = Text(words)
    for name, colour in COLOURS.items():
        if name in words:
            text.highlight_words([name], colour.style)
    return text


# JSON.


def score_json(game: Game, secret: Code, guess: Code) -> dict[str, object]:
    """Return the feedback of a guess as JSON, with the keys of `score --json`."""
    feedback = game.score(guess, secret)
    return {
        "secret": game.format_code(secret),
        "guess": game.format_code(guess) if guess else "",
        "feedback": game.rule.notation.format(game.rule.notation.full_clue(feedback, guess)),
        **game.rule.json_parts(feedback, guess),
    }


def solution_json(
    game: Game, history: History, secret: Code, *, solved: bool, seconds: float
) -> dict[str, object]:
    """Return a finished game as JSON, with the keys of `solve --json`.

    `solved` is whether the secret was found, and `seconds` the time that the game took.
    """
    return {
        "secret": game.format_code(secret),
        "solved": solved,
        "guesses": len(history.turns),
        "facts": [fact.text for fact in history.facts],
        "turns": [
            {"guess": game.format_code(turn.guess), "clue": game.rule.notation.format(turn.clue)}
            for turn in history.turns
        ],
        "seconds": round(seconds, 3),
    }
