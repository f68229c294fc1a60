"""What a person sees: lines, tables and colours. The only file that formats.

Every line fits 40 columns where the code does; colour is never the only sign.
"""

import re
import sys
import textwrap
from collections.abc import Sequence
from decimal import Decimal
from typing import TextIO, cast

from rich.console import Console
from rich.table import Table
from rich.text import Text

from puzzlehunt.channel.likelihood import kinds_of
from puzzlehunt.channel.model import Lies
from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.codes.boards import split
from puzzlehunt.engines.base import CountingEngine, Engine
from puzzlehunt.explain.remaining import Left
from puzzlehunt.explain.review import Review, Tried
from puzzlehunt.explain.rows import name_places
from puzzlehunt.explain.suspicion import Near, percent
from puzzlehunt.explain.why import Explanation
from puzzlehunt.game.files.channelkeys import write_rate
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import describe_answer
from puzzlehunt.rules.base import TileRule
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.notation.tiles import TileClue
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.views import markup

_STYLES = {
    "black": "bold white on black",
    "white": "bold black on white",
    "red": "bold red",
    "green": "bold green",
    "blue": "bold blue",
    "yellow": "bold yellow",
    "orange": "bold dark_orange",
    "purple": "bold magenta",
}
_GREEN, _YELLOW, _GREY = "bold white on green4", "bold black on gold3", "white on grey37"
_TILES = {
    "right": _GREEN, "equal": _GREEN, "elsewhere": _YELLOW, "near": _YELLOW, "absent": _GREY,
    "far": _GREY, "later": "bold black on sky_blue2", "earlier": "bold black on orange3",
}  # fmt: skip
"""How the tiles of a guess are shown, by what the rule calls their marks."""

NARROW = 40
"""So many columns a line of the conversation has, where it can."""
_UNBOUNDED = 10_000
_READABLE = 10**15
_TELLING = 10_000_000


_NO_HISTORY = History()


class Screen:
    """Prints results on one stream and notes on another."""

    def __init__(self, out: TextIO | None = None, notes: TextIO | None = None) -> None:
        self._out = _console(out or sys.stdout)
        self._notes = _console(notes or sys.stderr)

    @property
    def width(self) -> int:
        """How many columns a line may have."""
        return self._out.width

    def line(self, text: str | Text = "") -> None:
        """Print a line of results."""
        self._out.print(printable(text) if isinstance(text, str) else text, markup=False)

    def note(self, text: str) -> None:
        """Print a remark."""
        self._notes.print(Text(_short(text), style="dim"), markup=False)

    def typed(self, prompt: str, line: str) -> None:
        """Print a line that was read from a pipe, as if it had been typed."""
        self.line(Text.assemble(prompt, (printable(line), "bold")))

    def error(self, text: str) -> None:
        """Print what was wrong."""
        self._notes.print(Text.assemble(("! ", "bold red"), _short(text)), markup=False)

    def table(self, table: Table) -> None:
        """Print a table."""
        self._out.print(table)

    def turn(self, game: Game, number: int, turn: Turn, before: History = _NO_HISTORY) -> None:
        """Print a turn as it was understood, after what came before it."""
        start = Text.assemble((f"{number}. ", "dim"), coloured_guess(game, turn), ": ")
        if game.boards > 1:
            self._boards(start, _board_marks(game, turn, before), turn.doubted)
            return
        words = describe_answer(game, turn)
        self.line(Text.assemble(start, coloured_words(game, words)))

    def _boards(self, start: Text, marks: Sequence[Text], doubted: bool) -> None:
        """Print the marks of several boards, as many on a line as fit."""
        line, begun = start.copy(), False
        for place, mark in enumerate(marks):
            end = " |" if place < len(marks) - 1 else " (doubted)" * doubted
            if begun and len(line) + 1 + len(mark) + len(end) > NARROW:
                self.line(line)
                line = Text(" " * len(start))
            elif begun:
                line.append(" ")
            line.append_text(mark).append(end)
            begun = True
        self.line(line)

    def history(self, game: Game, history: History) -> None:
        """Print every fact and turn, numbered as the player counts them."""
        number = 0
        for item in history:
            if not isinstance(item, Turn):
                self.line(f"    fact: {item.text}")
                continue
            number += 1
            clue = game.format_turn(item).removeprefix(game.format_code(item.guess)).strip()
            marks = coloured_marks(game, clue)
            self.line(
                Text.assemble((f"{number:2}. ", "dim"), coloured_guess(game, item), " ", marks)
            )
        if not len(history):
            self.line("nothing yet")

    def items(self, game: Game, history: History, start: int = 0) -> None:
        """Print facts and turns as they were understood, from a place in the history on."""
        for place, item in enumerate(history.items[start:], start=start):
            before = History(history.items[:place])
            if isinstance(item, Turn):
                self.turn(game, len(before.turns) + 1, item, before)
            else:
                self.line(f"    fact: {item.text}")

    def listed(self, game: Game, listed: Left) -> None:
        """Print candidates, one a line, with their chances where they have any."""
        chances = listed.chances or (None,) * len(listed.codes)
        for code, chance in zip(listed.codes, chances, strict=True):
            told = "" if chance is None else f"  {percent(chance)}"
            self.line(Text.assemble(coloured_code(game, code), (told, "dim")))

    def near(self, game: Game, near: Sequence[Near]) -> None:
        """Print what nearly fits, one a line, with its chance and the row that it breaks."""
        for one in near:
            told = f"  {percent(one.probability)}, row {_rows(one.numbers)}"
            self.line(Text.assemble(coloured_code(game, one.code), (told, "dim")))


def _console(stream: TextIO) -> Console:
    """Return a console that wraps lines in a terminal, and nowhere else."""
    if stream.isatty():
        return Console(file=stream, highlight=False)
    return Console(file=stream, highlight=False, soft_wrap=True, width=_UNBOUNDED)


_LONGEST = 1_000
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Return a text whose control characters a terminal does not obey but shows."""
    return _UNPRINTABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def _short(text: str) -> str:
    """Return a message without the middle that a line of thousands of characters gives it."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"
    return printable(text)


def coloured_code(game: Game, code: Code) -> Text:
    """Return a code with each symbol in its colour, if it has one."""
    text = Text()
    colours = _symbol_styles(game)
    joined = "-" if any(len(symbol) > 1 for symbol in game.alphabet.symbols) else ""
    if not code:
        return Text(game.format_code(code))
    if game.secrets_at_once > 1 and len(code) == game.length:
        return Text("/").join(coloured_code(game, c) for c in split(code, game.secrets_at_once))
    for place, symbol in enumerate(code):
        text.append(joined if place else "")
        text.append(game.format_code((symbol,)), colours.get(symbol, ""))
    return text


def _symbol_styles(game: Game) -> dict[int, str]:
    named = {symbol: alias for alias, symbol in game.alphabet.aliases.items() if alias in _STYLES}
    symbols = game.alphabet.symbols
    styles = {number: _STYLES[named[s]] for number, s in enumerate(symbols) if s in named}
    return styles | {FOREIGN: "dim"}


def coloured_guess(game: Game, turn: Turn) -> Text:
    """Return the guess of a turn, each tile in the colour of its mark, where it has one."""
    text = coloured_code(game, turn.guess)
    rule = game.rule
    if not isinstance(rule, TileRule) or len(text) != len(turn.guess):
        return text
    for place, cell in zip(range(len(text)), cast(TileClue, turn.clue).cells, strict=False):
        if len(cell) == 1:
            text.stylize(_TILES.get(rule.digits[cell[0]], ""), place, place + 1)
    return text


def _board_marks(game: Game, turn: Turn, before: History) -> list[Text]:
    """Return what each board answered, in its own notation; boards solved before say `done`."""
    one = game.one_board
    clues = cast(BoardsClue, turn.clue).boards
    marks = []
    for clue, found in zip(clues, game.found(before), strict=True):
        if found is not None:
            marks.append(Text("done", style="dim"))
        elif one.rule.wins(clue):
            marks.append(Text("solved", style="bold"))
        else:
            marks.append(coloured_marks(one, one.rule.format(clue)))
    return marks


def coloured_marks(game: Game, clue: str) -> Text:
    """Return a clue's text with marks such as B, W and R, or those of tiles, in their colours."""
    text = Text(clue)
    styles = _mark_styles(game)
    for place, character in enumerate(clue):
        if character in styles and not any(c.isdigit() for c in clue):
            text.stylize(styles[character], place, place + 1)
    return text


def _mark_styles(game: Game) -> dict[str, str]:
    """Return how each mark of a game is shown, where it is coloured."""
    rule = game.one_board.rule
    if isinstance(rule, TileRule):
        marks = zip(rule.notation.marks, rule.digits, strict=True)
        return {mark: _TILES[name] for mark, name in marks if name in _TILES}
    return {mark: _STYLES[name] for mark, name in rule.marks_told() if name in _STYLES}


def coloured_words(game: Game, words: str) -> Text:
    """Return words with the names of colours in their colours, and the tiles that begin them."""
    tiles, opened, rest = words.partition(" (")
    if opened and isinstance(game.rule, TileRule):
        return Text.assemble(coloured_marks(game, tiles), opened, rest)
    text = Text(words)
    for name, style in _STYLES.items():
        text.highlight_words([name], style)
    return text


def value(suggestion: Suggestion, measure: str) -> str:
    """Return what a guess is worth in a few words: `2.9 bits, largest group 14`."""
    return ", ".join([_worth(suggestion, measure), *_worst(suggestion, measure)])


def _worth(suggestion: Suggestion, measure: str) -> str:
    if suggestion.value is None:
        return measure
    told = _number(suggestion.value, measure)
    return f"{measure} {told}" if measure == "largest group" else f"{told} {measure}"


def _number(value: float, measure: str) -> str:
    return f"{value:.0f}" if measure in ("parts", "largest group") else f"{value:.1f}"


def _worst(suggestion: Suggestion, measure: str) -> list[str]:
    """Return the largest group in words, where it is not what was measured.

    Where candidates are weighed, how likely the guess is to win says more.
    """
    if suggestion.chance is not None:
        return [f"wins {percent(suggestion.chance)}"] if suggestion.candidate else []
    largest = _largest(suggestion)
    return [f"largest group {largest}"] if largest and measure != "largest group" else []


def _largest(suggestion: Suggestion) -> str:
    """Return the size of the largest group; nothing where it is beyond all imagination."""
    worst = suggestion.worst
    return "" if worst is None or worst > _TELLING else str(worst)


def suggestion_line(game: Game, advice: Advice) -> Text:
    """Return the line next to the prompt: `try CRATE - 2.9 bits, largest group 14`."""
    best = advice.suggestions[0]
    last = advice.count == 1 and best.candidate and game.secrets_at_once == 1
    told = "the only one left" if last else value(best, advice.measure)
    start = Text.assemble("try ", (str(coloured_code(game, best.guess)), "bold"), " - ")
    if len(start) + len(told) > NARROW:
        told = told.split(", ")[0]
    return start.append(told)


def count_line(count: int | None, engine: Engine | None = None) -> str:
    """Return how many candidates are left, in words; else what an engine knows of it."""
    if count is not None:
        return f"{number(count)} left"
    known = None if engine is None else engine.counted()
    if known is None:
        return "too many left to count"
    if known.exact:
        return f"{number(known.low)} left"
    if known.number is None:
        return f"at most {_rounded(known.high)} left"
    return f"about {_rounded(known.number)} left ({_rounded(known.low)} to {_rounded(known.high)})"


def number(count: int) -> str:
    """Return an exact number: `1,296`; of one that nobody reads, how large it is."""
    return f"{count:,}" if count < _READABLE else f"about {_power(count)}"


def _rounded(number: int) -> str:
    """Return a number with as many digits as are worth reading: `7,360`, `2.8e12`."""
    return f"{float(f'{number:.3g}'):,.0f}" if number < 10**9 else _power(number)


def _power(number: int) -> str:
    """Return a number of any size as a power of ten: `2.8e12`."""
    return f"{Decimal(number).normalize():.1e}".replace("+", "").replace(".0e", "e")


def conflict_lines(explanation: Explanation) -> list[str]:
    """Return which rows cannot all be right, and why if that is plain; none if they agree."""
    if not explanation.conflict:
        return []
    rows = name_places(explanation.history, explanation.conflict)
    reason = explanation.reason
    told = f"{rows} cannot all be right" + (f": {reason}" if reason else "")
    return textwrap.wrap(f"{told[:1].upper()}{told[1:]}.", NARROW, subsequent_indent="  ")


def listed_codes(game: Game, listed: Left) -> list[str]:
    """Return candidates, a line each; where they are weighed, with their chance after a tab."""
    named = [game.format_code(code) for code in listed.codes]
    if not listed.chances:
        return named
    pairs = zip(named, listed.chances, strict=True)
    return [f"{name}\t{percent(chance)}" for name, chance in pairs]


def channel_lines(game: Game, engine: Engine) -> list[str]:
    """Return how often marks are read, rows misread, and how they lie, as it is believed now."""
    channel, told = game.channel, []
    if channel.reads is None:
        told.append("unread marks are not weighed")
        if game.boards == 1 and game.host == "truthful" and kinds_of(game.rule):
            first = f"/rates {kinds_of(game.rule)[0][1]}=0.1 ..."
            lies = channel.lies != Lies()
            told.append(first if lies else f"/rates learn, or {first}")
    elif isinstance(engine, CountingEngine):
        names = [label for _, label in kinds_of(game.rule)]
        for name, (rate, spread) in zip(names, engine.posterior.rates, strict=False):
            learned = f" (+- {spread * 100:.0f}, learned)" if spread else ""
            told.append(f"{name}: {percent(rate.mean)} read{learned}")
    else:
        names = [label for _, label in kinds_of(game.rule)]
        told += [f"{n}: {write_rate(r)}" for n, r in zip(names, channel.reads, strict=False)]
    if channel.misread:
        told.append(f"misread: {percent(channel.misread)} of rows")
    return [*told, *lies_lines(game)]


def lies_lines(game: Game) -> list[str]:
    """Return how the rows of a game lie, in a line; none where they do not."""
    lies = game.channel.lies
    if lies.exactly:
        marks = "1 mark" if lies.exactly == 1 else f"{lies.exactly} marks"
        return [f"false in every row: {marks}"]
    if lies.at_most:
        rows = "1 row" if lies.at_most == 1 else f"{lies.at_most} rows"
        return [f"false at most: {rows} of the game"]
    return [f"false: {percent(lies.chance)} of rows"] if lies.chance else []


def nearly_line(game: Game, near: Sequence[Near]) -> str:
    """Return what nearly fits on one line: `if one row is wrong: SHARE 2.1 % (row 5)`."""
    told = [
        f"{game.format_code(one.code)} {percent(one.probability)} (row {_rows(one.numbers)})"
        for one in near
    ]
    return f"if one row is wrong: {', '.join(told)}"


def _rows(numbers: Sequence[int]) -> str:
    return " and ".join(map(str, numbers))


def size(game: Game) -> str:
    """Return how many secrets a game has: `1,296`, or `3,461 x 4` on four boards."""
    one = number(game.one_board.secrets.size)
    return one if game.boards == 1 else f"{one} x {game.boards}"


def boards_lines(game: Game, history: History, counts: Sequence[int | None]) -> list[str]:
    """Return how many candidates each board has left: `board 1: 3, 2: solved SLATE`."""
    found = game.found(history)
    told = [
        f"{number}: {f'solved {game.format_code(code)}' if code else _amount(count)}"
        for number, (code, count) in enumerate(zip(found, counts, strict=True), start=1)
    ]
    return wrapped(f"board {told[0]}", *told[1:])


def _amount(count: int | None) -> str:
    return "many" if count is None else str(count)


def wrapped(*parts: str) -> list[str]:
    """Return some parts with commas between, in lines that break between parts."""
    joined = ", ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts)
    lines = textwrap.wrap(joined, NARROW, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def solved_line(game: Game, history: History, secret: Code | None = None) -> str:
    """Return how a game was won: `Solved in 4 guesses: CRANE`; without a secret, what was found."""
    turns = len(history.turns)
    if secret is None:
        secret = tuple(symbol for code in game.found(history) for symbol in code or ())
    plural = "guess" if turns == 1 else "guesses"
    return f"Solved in {turns} {plural}: {game.format_code(secret)}"


def suggestions_table(game: Game, advice: Advice) -> Table:
    """Return the suggestions as a table."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("guess", overflow="fold")
    table.add_column(advice.measure, justify="right")
    table.add_column("largest", justify="right")
    table.add_column("may win")
    for suggestion in advice.suggestions:
        shown = (
            "" if suggestion.value is None else f"{suggestion.value:.2f}".rstrip("0").rstrip(".")
        )
        worst = _largest(suggestion)
        may_win = "yes" if suggestion.candidate else "no"
        if suggestion.candidate and suggestion.chance is not None:
            may_win = percent(suggestion.chance)
        table.add_row(coloured_code(game, suggestion.guess), shown, worst, may_win)
    return table


def tried_lines(game: Game, tried: Tried, name_best: bool = True) -> list[str]:
    """Return what a guess is worth: `CRATE - 5.2 bits (best SLATE 5.9), may be it`.

    The best guess may be left unnamed, for those who want to find it.
    """
    (own,), measure = tried.rated.suggestions, tried.rated.measure
    best = tried.best.suggestions[0]
    told = [f"{game.format_code(own.guess)} - {_worth(own, measure)}"]
    if best.value is not None:
        named = f" {game.format_code(best.guess)}" if name_best else ""
        better = f"best{named} {_number(best.value, measure)}"
        better = "none better" if tried.is_best else better
        whole = f"{told[0]} ({better})"
        told = [whole] if len(whole) < NARROW else [*told, better]
    may_win = "may be it" if own.candidate else "cannot be it"
    return wrapped(*told, *_worst(own, measure), may_win)


def review_table(game: Game, review: Review) -> Table:
    """Return each guess with its bits, expected and told, and the best guess with its own."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("", justify="right", style="dim")
    table.add_column("guess", overflow="fold")
    table.add_column("expected", justify="right")
    table.add_column("told", justify="right")
    table.add_column("best", overflow="fold")
    table.add_column("bits", justify="right")
    for turn in review.turns:
        table.add_row(
            str(turn.number),
            coloured_guess(game, turn.turn),
            f"{turn.expected:.1f}",
            "-" if turn.told is None else f"{turn.told:.1f}",
            coloured_code(game, turn.best),
            f"{turn.most:.1f}",
        )
    return table


def skill_line(review: Review) -> str:
    """Return `Skill 94 %, luck +1.3 bits`; nothing for a review without guesses."""
    if review.skill is None:
        return ""
    about = "" if review.exact else "about "
    luck = "" if review.luck is None else f", luck {round(review.luck, 1) + 0.0:+.1f} bits"
    return f"Skill {about}{100 * review.skill:.0f} %{luck}"


def text_table(shown: markup.Table) -> Table:
    """Return a table of texts for a terminal."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in shown.header:
        table.add_column(name, justify="left" if name in shown.left else "right", overflow="fold")
    for row in shown.rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


def games_table(rows: Sequence[Sequence[str]]) -> Table:
    """Return the built-in games as a table: name, secrets, feedback, source."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("game", no_wrap=True)
    table.add_column("secrets", justify="right", no_wrap=True)
    for heading in ("what", "feedback", "source"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
