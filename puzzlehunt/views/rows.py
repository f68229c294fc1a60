"""Turns and facts as lines and as JSON, with their codes and clues in colour."""

from collections import Counter
from collections.abc import Iterator, Mapping
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
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.views.drawn_tiles import code_tiles, style_of, tile_names
from puzzlehunt.views.wording import name_items

_NO_HISTORY = History()
_MOST_LISTED = 4
"""Largest number of turns that are listed one by one; for more, only their numbers are given."""


def turn_lines(
    game: Game, number: int, turn: Turn, history_before: History = _NO_HISTORY
) -> Iterator[Text]:
    """Yield the line of a turn as the program has understood it.

    `number` is the turn's number (from 1). Boards solved in `history_before`, the history before
    the turn, are shown as done. If rows may be false and no secret can cause the clue, a second
    line says that the row is false.
    """
    start = Text.assemble((f"{number}. ", "dim"), styled_guess(game, turn), ": ")
    if game.boards > 1:
        marks = Text(" | ").join(_board_marks(game, turn, history_before))
        yield Text.assemble(start, marks, " (doubted)" * turn.doubted)
        return
    words = styled_words(game, describe_answer(game, turn))
    yield Text.assemble(start, words, _note(turn))
    is_win = game.rule.wins(turn.clue)
    if game.channel.answers_anew and not is_win and game.rule.refusal(turn.guess, turn.clue):
        yield Text("no secret could answer so: it is false")


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
    numbers = history.numbers_by_place()
    for place, item in enumerate(history.items):
        if isinstance(item, Turn):
            marks = styled_marks(game, format_answer(game, item))
            number = (f"{numbers[place]:2}. ", "dim")
            yield Text.assemble(number, styled_guess(game, item), " ", marks, _note(item))
        else:
            yield _fact_line(item)
    if not history.items:
        yield Text("nothing yet")


def _fact_line(fact: Fact) -> Text:
    return Text(f"    fact: {fact.text}")


def _note(turn: Turn) -> tuple[str, str]:
    return (f"  # {turn.note}" if turn.note else "", "dim")


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
    for word, one, other in ((out, old, new), (back, new, old)):
        changed = [one[key] for key in one if key not in other]
        if len(changed) > _MOST_LISTED:
            yield f"{word}: {name_items([number for number, _ in changed])}"
            continue
        for number, turn in changed:
            by = writers.get(format_turn(game, turn), "")
            yield f"{word}: {number}. {format_turn(game, turn)}{f' ({by})' if by else ''}"
    for key, (number, turn) in new.items():
        was = old[key][1] if key in old else turn
        if turn != was:
            if (turn.clue, turn.doubt) == (was.clue, was.doubt):
                yield f"{back}: {number}. {format_row(game, turn)}"
            else:
                by = writers.get(line := format_turn(game, turn), "")
                yield f"{back}: {number}. {line}, not {format_answer(game, was)}{by and f' ({by})'}"
    for word, some, others in ((out, before, after), (back, after, before)):
        facts = Counter(fact.text for fact in some.facts)
        facts.subtract(fact.text for fact in others.facts)
        yield from (f"{word}: fact: {text}" for text in facts.elements())


def turns_by_guess(history: History) -> dict[tuple[Code, int], tuple[int, Turn]]:
    """Return the turns with their numbers, by guess and how often it was played before."""
    counts: Counter[Code] = Counter()
    turns = {}
    for number, turn in enumerate(history.turns, start=1):
        turns[turn.guess, counts[turn.guess]] = (number, turn)
        counts[turn.guess] += 1
    return turns


# Codes and marks in colour.


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
    """Return a clue in words, with the tiles at its start in colour."""
    tiles, bracket, note = words.partition(" (")
    if bracket and game.rule.positional:
        return Text.assemble(styled_marks(game, tiles), bracket, note)
    return Text(words)


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
    notation = game.rule.notation
    return {
        "secret": game.format_code(secret),
        "solved": solved,
        "guesses": len(history.turns),
        "facts": [fact.text for fact in history.facts],
        "turns": [
            {"guess": game.format_code(turn.guess), "clue": notation.format(turn.clue)}
            for turn in history.turns
        ],
        "seconds": round(seconds, 3),
    }
