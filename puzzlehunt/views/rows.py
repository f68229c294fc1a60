"""Turns and facts as lines, as JSON and as a text to share, their codes and clues in colour."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from rich.text import Text

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.spaces import split
from puzzlehunt.errors import counted
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, Item, ItemName, Turn
from puzzlehunt.game.merging import RowEffect
from puzzlehunt.game.turn_notation import describe_answer, format_answer, format_turn
from puzzlehunt.rules.base import Rule
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.families import CountRule, TileRule
from puzzlehunt.rules.notation.clue import UNREAD_SQUARE, Clue
from puzzlehunt.rules.notation.clue_values import CellsClue, CountClue
from puzzlehunt.rules.notation.counts import BLACK, sign_of
from puzzlehunt.views.drawn_tiles import DrawnTile, code_tiles, guess_tiles, named_marks, style_of
from puzzlehunt.views.wording import name_items

_MOST_LISTED = 4
"""Largest number of items that are listed one by one; more are only named."""


def turn_line(game: Game, number: int, turn: Turn) -> Text:
    """Return a turn as the program has understood it; `number` is its number (from 1)."""
    guess, answer = styled_guess(game, turn), describe_answer(game, turn)
    return Text.assemble((f"{number}. ", "dim"), guess, ": ", answer, _note(turn))


def history_lines(game: Game, history: History) -> Iterator[Text]:
    """Yield a line for each fact and turn as they are written; turns are numbered from 1."""
    for name, item in zip(history.names, history, strict=True):
        if isinstance(item, Fact):
            yield Text(f"    fact: {item.text}")
            continue
        marks = styled_marks(game, format_answer(game, item))
        number = (f"{name:2}. ", "dim")
        yield Text.assemble(number, styled_guess(game, item), " ", marks, _note(item))


def _note(turn: Turn) -> tuple[str, str]:
    return (f"  # {turn.note}" if turn.note else "", "dim")


def effect_lines(game: Game, placed: RowEffect) -> Iterator[Text | str]:
    """Yield a turn as it was understood, and how it changed its row, if that had been read."""
    old = placed.old if placed.old and not meaning.is_unread(game, placed.old) else None
    if placed.effect != "known" or old is None:
        yield turn_line(game, placed.row, placed.turn)
    # A note that is new needs no line of its own.
    if old and (placed.effect != "completed" or old.clue != placed.turn.clue):
        yield change_line(game, placed)


def change_line(game: Game, placed: RowEffect) -> str:
    """Return a line on a turn written again: `completed 2. HORSE: was BW___, now BWR__`."""
    if placed.old is None or placed.effect == "known":
        return f"{placed.row}. {format_turn(game, placed.turn)} says that already"
    was, now = (format_answer(game, turn) for turn in (placed.old, placed.turn))
    if placed.old.code != placed.turn.code:
        was = format_turn(game, placed.old)
    guess = game.format_code(placed.turn.code)
    return f"{placed.effect} {placed.row}. {guess}: was {was}, now {now}"


def difference_lines(
    game: Game, before: History, after: History, words: tuple[str, str], writers: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """Return lines on the items that are gone, and on those that are new.

    Each begins with the one or the other of the two `words`. `writers` has the names of authors, by
    the text of the turn.
    """

    def line(name: ItemName, item: Item) -> str:
        if isinstance(item, Fact):
            return f"fact: {item.text}"
        text = format_turn(game, item)
        by = f" ({writers[text]})" if writers.get(text) else ""
        return f"{name}. {text}{by}{_note(item)[0]}"

    def lines(word: str, history: History, other: History) -> list[str]:
        items, known = dict[ItemName, Item](), Counter(other)
        for name, item in zip(history.names, history, strict=True):
            known[item] -= 1
            if known[item] < 0:
                items[name] = item
        if len(items) > _MOST_LISTED:
            return [f"{word}: {name_items([*items])}"]
        return [f"{word}: {line(*one)}" for one in items.items()]

    return lines(words[0], before, after), lines(words[1], after, before)


# Codes and marks in colour.


def styled_code(game: Game, code: Code) -> Text:
    """Return the text of a code, with each symbol that has a colour shown in it.

    What a page can tap in it is its meta information `guess`: the symbols, separated by tabs.
    """
    if game.boards > 1 and len(code) == game.length:
        return Text("/").join(styled_code(game, c) for c in split(code, game.boards))
    text = _text_of(game, code, code_tiles(game, code))
    text.apply_meta({"guess": "\t".join(game.alphabet.names(code))})
    return text


def styled_guess(game: Game, turn: Turn) -> Text:
    """Return the text of a turn's guess, each tile in the colour of its mark, if any."""
    return _text_of(game, turn.code, guess_tiles(game, turn.code, turn.clue))


def _text_of(game: Game, code: Code, tiles: Sequence[DrawnTile]) -> Text:
    if not code or game.alphabet.names_codes:
        return Text(game.format_code(code))
    joiner = Text(game.alphabet.joiner_of(code))
    return joiner.join(Text(tile.text, style_of(tile.name)) for tile in tiles)


def styled_marks(game: Game, clue: str) -> Text:
    """Return the text of a clue with its marks in colour; a text with digits stays plain."""
    text, names = Text(clue), named_marks(game.one_board.rule)
    if not any(c.isdigit() for c in clue):
        for place, mark in enumerate(clue):
            text.stylize(style_of(names.get(mark, "")), place, place + 1)
    return text


# A game as a text to share: the answers without the letters. `game.blocks.filled` reads it back.


def share_lines(game: Game, history: History) -> list[str]:
    """Return a game's title with the number of guesses, then a row of signs for each guess.

    Each further board stands below an empty line; a board ends when it is solved.
    """
    lines = [_headline(game, history)]
    for board in range(game.boards):
        turns = meaning.on_board(game, history, board).turns
        lines += [""] * (board > 0)
        lines += [_row(game.one_board.rule, turn) for turn in turns]
    return lines


def _headline(game: Game, history: History) -> str:
    """Return `Wordle 4/6`, `Wordle X/6` if attempts ran out, or `Jotto: 7 guesses`."""
    guesses, attempts = len(history.turns), game.play.attempts
    is_won = meaning.all_found(game, history)
    if attempts is not None and (is_won or guesses >= attempts):
        return f"{game.title} {guesses if is_won and guesses <= attempts else 'X'}/{attempts}"
    return f"{game.title}: {counted(guesses, 'guess')}"


def _row(rule: Rule, turn: Turn) -> str:
    if not rule.kinds:
        return rule.notation.format(turn.clue)
    if isinstance(rule, ColumnsRule):
        pairs = zip(rule.columns, cast(CellsClue, turn.clue).lost_cells, strict=True)
        drawn = (one.drawn(cell[0])[1] if len(cell) == 1 else UNREAD_SQUARE for one, cell in pairs)
        return " ".join(drawn)
    if isinstance(rule, TileRule):
        squares = [(sign, digit) for sign, digit in rule.other_marks.items() if not sign.isascii()]
        signs = {digit: sign for sign, digit in reversed(squares)}
        cells = cast(CellsClue, turn.clue).cells[: len(turn.code)]
        return "".join(signs[cell[0]] if len(cell) == 1 else UNREAD_SQUARE for cell in cells)
    return _circles(cast(CountRule, rule), len(turn.code), turn.clue) or "-"


def _circles(rule: CountRule, marks: int, clue: Clue) -> str:
    """Return a sign for each mark: those read, then misses, then those unread."""
    if rule.wins(clue):
        return BLACK * marks
    counts = cast(CountClue, clue)
    signs = [sign_of(kind) for kind in rule.notation.kinds]
    *read_counts, misses = [low for low, _ in counts.ranges]
    shown = "".join(sign * count for sign, count in zip(signs, read_counts, strict=False))
    unread = UNREAD_SQUARE * (counts.marks - sum(read_counts) - misses)
    return shown + signs[-1] * min(misses, marks - len(shown) - len(unread)) + unread


# JSON.


def score_json(game: Game, secret: Code, guess: Code) -> dict[str, object]:
    """Return the feedback of a guess as JSON, with the keys of `score --json`."""
    feedback = game.score(guess, secret)
    unlisted = game.guesses.listed and not meaning.is_listed(game, guess)
    return {
        "secret": game.format_code(secret),
        "guess": game.format_code(guess) if guess else "",
        "feedback": game.rule.notation.format(game.rule.notation.full_clue(feedback, guess)),
        **game.rule.json_parts(feedback, guess),
        **({"listed": False} if unlisted else {}),
    }
