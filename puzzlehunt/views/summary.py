"""A summary of a game file for its author: codes, symbols, clues and channel."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from puzzlehunt.channel.model import Rate
from puzzlehunt.codes.alphabet import Alphabet, Code, default_alphabet
from puzzlehunt.codes.spaces import CodeSpace, describe_lengths
from puzzlehunt.errors import ImpossibleClueError, counted, one_line
from puzzlehunt.game import meaning
from puzzlehunt.game.files.codes_and_channel import format_rate
from puzzlehunt.game.game import Game
from puzzlehunt.views.candidates import count_text, size_text
from puzzlehunt.views.screen import LINE_WIDTH
from puzzlehunt.views.wording import percent

_MOST_LISTED = 40
"""Largest number of symbols that are listed; of a larger alphabet, the size follows."""


def size_line(game: Game) -> str:
    """Return a line with a game's title, rule, and numbers of secrets, guesses and rows."""
    turns, facts = len(game.history.turns), len(game.history.facts)
    rows = counted(turns, "row") + (f", {counted(facts, 'fact')}" if facts else "")
    return (
        f"{game.title}: {size_text(game, 'secret')}, {count_text(game.guesses.size, 'guess')}, "
        f"rule {game.one_board.rule.name}, {rows}"
    )


def meaning_lines(game: Game, example: Code) -> Iterator[str]:
    """Yield a game's summary; its examples of clues are for the guess `example`."""
    board_game = game.one_board
    several = f", one on each of {game.boards} boards" if game.boards > 1 else ""
    yield f"secrets: {_codes(board_game, board_game.secrets)}{several}"
    yield f"guesses: {_guesses(board_game)}"
    if not game.alphabet.names_codes:
        yield f"symbols: {symbols_text(game.alphabet)}"
    yield f"clues: {game.rule.notation.legend()}"
    rule, guess = board_game.rule, game.format_code(example)
    for words, text in rule.notation.readings(example):
        with suppress(ImpossibleClueError):
            row = f"{guess} {text}" if len(guess) < LINE_WIDTH else text
            yield f"  {words}: {row} is {rule.notation.describe(rule.parse(text, example))}"
    yield f"channel: {'; '.join(rates_lines(game, None))}"
    play = {
        counted(game.play.attempts or 0, "guess"): game.play.attempts is not None,
        "hard mode": game.hard,
        "the host is adversarial": game.host.adversarial,
        f"at first is given: {', '.join(game.host.gives)}": bool(game.host.gives),
    }
    if parts := [part for part, is_so in play.items() if is_so]:
        yield f"play: {', '.join(parts)}"


def remarks(game: Game) -> Iterator[str]:
    """Yield what may be unintended in a game file, such as a single secret."""
    if game.secrets.size == 1:
        yield "there is only one secret: nothing is left to guess"
    for line in passed_over(game):
        yield f"{line}; `symbols: from words` takes all letters, `alphabet: NAME` a language's"
    for number, turn in enumerate(game.history.turns, start=1):
        if game.guesses.listed and not meaning.is_listed(game, turn.code):
            yield f"row {number}: {game.format_code(turn.code)} is in no list"


def symbols_text(alphabet: Alphabet) -> str:
    """Return the symbols of an alphabet, each with its aliases: `R (red, 1), G (green, 2)`."""
    symbols = alphabet.symbols
    if symbols[9:] and not alphabet.aliases and symbols == default_alphabet(len(symbols)).symbols:
        return f"{symbols[0]} to {symbols[-1]}"
    others = ((symbol, ", ".join(alphabet.aliases_of(symbol))) for symbol in symbols)
    named = [f"{symbol} ({names})" if names else symbol for symbol, names in others]
    rest = f" ... ({len(symbols)} in all)" if len(symbols) > _MOST_LISTED else ""
    return (", " if alphabet.aliases else " ").join(named[:_MOST_LISTED]) + rest


def _codes(game: Game, space: CodeSpace) -> str:
    symbols = describe_lengths(space.lengths, "symbol")
    if space.formula is not None:
        return f"{space.formula} of {symbols}"
    if game.alphabet.names_codes:
        return f"{space.size:,} named values"
    if space.free:
        return f"any {symbols}{', none twice' if space.distinct else ''}"
    return f"words of {describe_lengths(space.lengths, 'letter')}"


def _guesses(game: Game) -> str:
    parts = {
        "what may be hidden" if game.guesses == game.secrets else _codes(game, game.guesses): True,
        "never the secret": game.only_questions,
        "other words with a warning": game.guesses.listed and not game.rule.only_listed,
        "longer ones are cut": game.alphabet.cuts_overlong,
        "other characters match nothing": game.alphabet.ignores_foreign,
    }
    return ", ".join(part for part, is_so in parts.items() if is_so)


def rates_lines(game: Game, estimates: Sequence[tuple[Rate, float]] | None) -> Iterator[str]:
    """Yield lines on how often marks are read, and how often turns are misread or lie.

    `estimates` has for each kind of mark the rate (0 to 1) estimated from all turns so far, and its
    standard deviation; if it is None, the lines have the game's own rates.
    """
    channel, names = game.channel, [label for _, label in game.rule.kinds]
    if channel.reads is None:
        yield "an unread mark tells nothing"
    elif estimates is None:
        for name, rate in zip(names, channel.reads, strict=True):
            yield f"chance to read {name}: {format_rate(rate)}"
    else:
        for name, (rate, deviation) in zip(names, estimates, strict=True):
            note = f" (+- {deviation * 100:.0f}, learned)" if deviation else ""
            yield f"{name}: {percent(rate.mean)} read{note}"
    if channel.misread:
        yield f"misread: {percent(channel.misread)} of rows"
    yield from lies_lines(game)


def lies_lines(game: Game) -> Iterator[str]:
    """Yield a line on how turns lie, if they do."""
    lies = game.channel.lies
    if lies.exactly:
        yield f"false in every row: {counted(lies.exactly, 'mark')}"
    elif lies.at_most:
        yield f"false at most: {counted(lies.at_most, 'row')} of the game"
    elif lies.chance:
        yield f"false: {percent(lies.chance)} of rows"


def passed_over(game: Game) -> Iterator[str]:
    """Yield a line for each word list of a game from which words were skipped.

    For example `7 words with other letters passed over: niñas, árbol`.
    """
    for role, space in (("", game.one_board.secrets), ("guesses: ", game.guesses)):
        if words := space.passed_over:
            shown = ", ".join([*map(one_line, words[:3]), *(["..."] if len(words) > 3 else [])])
            yield f"{role}{counted(len(words), 'word')} with other letters passed over: {shown}"
