"""A summary of a game file for its author: codes, symbols, clues and channel."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from rich.cells import cell_len

from puzzlehunt.channel.model import Lies, Rate
from puzzlehunt.codes.alphabet import Alphabet, Code, default_alphabet
from puzzlehunt.codes.spaces import CodeSpace, describe_lengths
from puzzlehunt.errors import ImpossibleClueError, counted
from puzzlehunt.game.files.reads import format_rate
from puzzlehunt.game.game import Game
from puzzlehunt.views.candidates import count_of, size_text
from puzzlehunt.views.escapes import one_line
from puzzlehunt.views.screen import LINE_WIDTH
from puzzlehunt.views.wording import percent

_MOST_LISTED = 40
"""Largest number of symbols that are listed; for a larger alphabet the size is given, too."""


def size_line(game: Game) -> str:
    """Return a line with a game's title, its rule, and its numbers of secrets, guesses and rows."""
    turns, facts = len(game.history.turns), len(game.history.facts)
    rows = counted(turns, "row") + (f", {counted(facts, 'fact')}" if facts else "")
    return (
        f"{game.title}: {size_text(game, 'secret')}, {count_of(game.guesses.size, 'guess')}, "
        f"rule {game.one_board.rule.name}, {rows}"
    )


def meaning_lines(game: Game, example: Code) -> Iterator[str]:
    """Yield the lines of a game's summary; its examples of clues are for the guess `example`."""
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
            row = f"{guess} {text}" if cell_len(guess) < LINE_WIDTH else text
            yield f"  {words}: {row} is {rule.notation.describe(rule.parse(text, example))}"
    yield f"channel: {'; '.join(_channel_parts(game))}"
    if play := ", ".join(_play_parts(game)):
        yield f"play: {play}"


def remarks(game: Game) -> Iterator[str]:
    """Yield warnings about what may be unintended in a game file, such as a single secret."""
    if game.secrets.size == 1:
        yield "there is only one secret: nothing is left to guess"
    others = "; `symbols: from words` takes all letters, `alphabet: NAME` those of a language"
    yield from passed_over(game, others)
    turns, attempts = game.history.turns, game.play.attempts
    if attempts is not None and len(turns) > attempts:
        yield f"the file has {len(turns)} rows, but play.attempts is {attempts}"
    for number, turn in enumerate(turns, start=1):
        if game.guesses.listed and not game.is_listed(turn.guess):
            yield f"row {number}: {game.format_code(turn.guess)} is in no list"


def symbols_text(alphabet: Alphabet) -> str:
    """Return the symbols of an alphabet, each with its aliases: `R (red, 1), G (green, 2)`."""
    symbols = alphabet.symbols
    rest = f" ... ({len(symbols)} in all)" if len(symbols) > _MOST_LISTED else ""
    if not alphabet.aliases:
        is_latin = symbols == default_alphabet(len(symbols)).symbols
        a_to_z = f"{symbols[0]} to {symbols[-1]}" if is_latin and len(symbols) > 9 else ""
        return a_to_z or " ".join(symbols[:_MOST_LISTED]) + rest
    others = ((symbol, ", ".join(alphabet.aliases_of(symbol))) for symbol in symbols)
    named = [f"{symbol} ({names})" if names else symbol for symbol, names in others]
    return ", ".join(named[:_MOST_LISTED]) + rest


def _codes(game: Game, space: CodeSpace) -> str:
    symbols = describe_lengths(space.lengths, "symbol")
    if game.formula is not None:
        return f"{game.formula} of {symbols}"
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
        "longer ones are cut": game.cut_overlong,
        "other characters match nothing": game.ignore_foreign,
    }
    return ", ".join(part for part, is_so in parts.items() if is_so)


def _channel_parts(game: Game) -> Iterator[str]:
    channel = game.channel
    yield from lies_lines(game) or ["answers are true"]
    if channel.reads is None:
        yield "an unread mark tells nothing"
    else:
        names = [label for _, label in game.rule.kinds]
        rates = (f"{n} {format_rate(r)}" for n, r in zip(names, channel.reads, strict=True))
        yield f"chance to read a mark: {', '.join(rates)}"
    if channel.misread:
        yield f"{percent(channel.misread)} of rows are misread"


def _play_parts(game: Game) -> Iterator[str]:
    if game.play.attempts is not None:
        yield counted(game.play.attempts, "guess")
    if game.hard:
        yield "hard mode"
    if game.host != "truthful":
        yield f"the host is {game.host}"
    if game.gives:
        yield f"at first is given: {', '.join(game.gives)}"


def rates_lines(game: Game, estimates: Sequence[tuple[Rate, float]] | None) -> list[str]:
    """Return lines on how often marks are read, and how often turns are misread or lie.

    `estimates` has a pair for each kind of mark: the rate (0 to 1) estimated from all turns so far,
    and its standard deviation. If `estimates` is None, the lines have the game's own rates. If the
    game has no rates, they have a command that sets some.
    """
    channel, lines = game.channel, []
    names = [label for _, label in game.rule.kinds]
    if channel.reads is None:
        lines.append("unread marks are not weighed")
        if game.boards == 1 and game.host == "truthful" and names:
            example = f"/rates {names[0]}=0.1 ..."
            # A game that lies learns no rates.
            has_lies = channel.lies != Lies()
            lines.append(example if has_lies else f"/rates learn, or {example}")
    elif estimates is not None:
        for name, (rate, deviation) in zip(names, estimates, strict=True):
            note = f" (+- {deviation * 100:.0f}, learned)" if deviation else ""
            lines.append(f"{name}: {percent(rate.mean)} read{note}")
    else:
        rates = zip(names, channel.reads, strict=True)
        lines += [f"{name}: {format_rate(rate)}" for name, rate in rates]
    if channel.misread:
        lines.append(f"misread: {percent(channel.misread)} of rows")
    return [*lines, *lies_lines(game)]


def lies_lines(game: Game) -> list[str]:
    """Return a list with one line on how turns lie, or [] if turns do not lie."""
    lies = game.channel.lies
    if lies.exactly:
        return [f"false in every row: {counted(lies.exactly, 'mark')}"]
    if lies.at_most:
        return [f"false at most: {counted(lies.at_most, 'row')} of the game"]
    return [f"false: {percent(lies.chance)} of rows"] if lies.chance else []


_MOST_WORDS = 3
"""Cap on the words that are shown of those with other letters."""


def passed_over(game: Game, hint: str = "") -> Iterator[str]:
    """Yield a line for each word list of a game from which words were skipped.

    For example `7 words with other letters passed over: niñas, árbol`; the line ends with `hint`.
    """
    for role, space in (("", game.one_board.secrets), ("guesses: ", game.guesses)):
        if words := space.passed_over:
            more = ", ..." * (len(words) > _MOST_WORDS)
            shown = ", ".join(map(one_line, words[:_MOST_WORDS])) + more
            passed = f"{counted(len(words), 'word')} with other letters passed over"
            yield f"{role}{passed}: {shown}{hint}"
