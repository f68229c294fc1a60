"""Candidates and guesses in lines and tables: how many and which are left, and what is next."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING

from rich.text import Text

from puzzlehunt.channel.model import SUSPICION
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Count, Counted
from puzzlehunt.errors import counted, in_number
from puzzlehunt.game import meaning
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.turn_notation import format_row
from puzzlehunt.rules.rule_registry import find_rule
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.views.rows import styled_code, styled_guess
from puzzlehunt.views.screen import Cell, Screen, Table, cell, wrapped
from puzzlehunt.views.wording import ESTIMATED_GUESSES, measure_text, percent

if TYPE_CHECKING:
    from puzzlehunt.engines.legends import Hypothesis
    from puzzlehunt.explanation.identification import Identification
    from puzzlehunt.explanation.remaining import CandidatesListed, NearMiss, Remaining, WiderList
    from puzzlehunt.explanation.review import Review, TriedGuess, UnreadMark
    from puzzlehunt.session.outcomes import WordsCounted

_THOUSANDS = {10**6: " million", 10**9: " billion", 10**12: " trillion"}
_LEAST_POWER = 10**15
"""Counts of at least this many candidates are shown rounded, with a power of ten."""
HARDLY_POSSIBLE = 0.001
"""A list says nothing if the likeliest of its codes has less than this chance (0 to 1)."""
_WORTH_TELLING = 0.005
"""Least chance (0 to 1) of what a list of chances lacks to be told."""
_LARGEST_GROUP = "largest group"
"""The measure of the strategy `minimax`: how many candidates the worst answer leaves."""
_MOST_HYPOTHESES, _MOST_CANDIDATES = 3, 5


# Numbers.


def count_line(count: Count) -> str:
    """Return how many candidates are left, in words: `1,296 left`, `about 7,400 left (...)`."""
    if count.high is None:
        return "too many left to count"
    if count.exact is not None:
        return f"{count_text(count.exact)} left"
    if count.number is None:
        return f"at most {rounded(count.high)} left"
    low, high = rounded(count.low), rounded(count.high)
    number, _, unit = low.partition(" ")
    bounds = f" ({number if unit and high.endswith(unit) else low}-{high})" if low != high else ""
    return f"about {rounded(count.number)} left{bounds}"


def counted_lines(game: Game, counted: Counted) -> list[str]:
    """Return lines on how many candidates are left: `47 left`, `board 1: 3, 2: solved SLATE`."""
    counts = counted.counts
    if not counted.solved:
        return [count_line(counts[0]), *outside_lines(counted.outside)]
    if len(set(counts)) == 1 and not any(counted.solved):
        return [f"{count_line(counts[0])} on each board"]
    boards = []
    for number, (code, count) in enumerate(zip(counted.solved, counts, strict=True), start=1):
        amount = "many" if count.exact is None else str(count.exact)
        boards.append(f"{number}: {f'solved {game.format_code(code)}' if code else amount}")
    return wrapped(f"board {boards[0]}", *boards[1:])


def letters_text(game: Game, counted: "WordsCounted") -> str:
    """Return what is known of the letters: `: C__R_, in E, out A N`, or "" for nothing."""
    where = "".join("_" if one is None else game.format_code((one,)) for one in counted.where)
    parts = [where] if where.strip("_") else []
    for word, symbols in (("in", counted.present), ("out", counted.absent)):
        parts += [" ".join([word, *game.alphabet.names(symbols)])] if symbols else []
    return f": {', '.join(parts)}" if parts else ""


def outside_lines(outside: float | None) -> list[str]:
    """Return the line `96 %: the secret is none of these`; none if that is not so probable.

    `outside` is the chance (0 to 1) that the secret is not a candidate, None if unknown.
    """
    if outside is None or outside < SUSPICION:
        return []
    return [f"{percent(outside)}: the secret is none of these"]


def count_text(count: int, noun: str = "") -> str:
    """Return an exact count in words, with its noun: `1 secret`, `1,296`, `about 2.8e21`."""
    number = f"{count:,}" if count < _LEAST_POWER else f"about {rounded(count)}"
    return f"{number} {in_number(noun, count)}" if noun else number


def rounded(number: float) -> str:
    """Return a number of candidates with two digits: `7,400`, `5.8 billion`, `2.8e21`."""
    short = f"{Decimal(number):.1e}"
    count = round(Decimal(short))
    if count >= _LEAST_POWER:
        return short.replace("+", "").replace(".0e", "e")
    unit = max((unit for unit in _THOUSANDS if unit <= count), default=0)
    return f"{count / unit:g}{_THOUSANDS[unit]}" if unit else f"{count:,}"


def size_text(game: Game, noun: str = "") -> str:
    """Return how many secrets a game has: `1,296`, or `3,461 x 4` on four boards; then a noun."""
    size = game.one_board.secrets.size
    boards = "" if game.boards == 1 else f" x {game.boards}"
    nouns = f" {in_number(noun, size * game.boards)}" if noun else ""
    return f"{count_text(size)}{boards}{nouns}"


# Codes.


def show_candidates(game: Game, listed: "CandidatesListed", screen: Screen) -> None:
    """Print candidates of each board, how many more there are, and near misses."""
    one = game.one_board if listed.boards else game
    for number, left in enumerate(listed.boards or (listed.remaining,), start=1):
        if listed.boards:
            screen.line(Text(f"board {number}: {count_line(Count.of(left.count))}", "bold"))
        screen.columns([*candidate_lines(one, left)])
        if left.stopped:
            screen.note(unfinished_line(left))
        elif left.more:
            screen.offer(more_text(left), f"{listed.hint} {5 * max(1, listed.limit)}")
        elif not left.codes:
            screen.note("none")
        if (others := left.outside or 0.0) >= _WORTH_TELLING:
            if_wrong = f"others, if a row is wrong: {percent(others)}"
            screen.note("".join(outside_lines(others)) or if_wrong)
    if not listed.fits or outside_lines(listed.remaining.outside):
        near = [*near_lines(listed.near)]
        screen.lines(near[:1])
        screen.columns(near[1:])


def candidate_lines(game: Game, left: "Remaining") -> Iterator[Text]:
    """Yield candidates, one per line, with their chances where these are known, and not tiny."""
    for place, code in enumerate(left.codes):
        chance = left.chances[place] if left.chances else 0.0
        said = f"  {percent(chance)}" if chance >= HARDLY_POSSIBLE else ""
        yield Text.assemble(styled_code(game, code), (said, "dim"))


def more_text(left: "Remaining") -> str:
    """Return how many candidates are not listed: `... and 42 more, 30 %`, or `... and more`."""
    number = "" if left.count is None else f"{count_text(left.count - len(left.codes))} "
    is_told = max(left.chances, default=0.0) >= HARDLY_POSSIBLE
    rest = max(0.0, 1 - sum(left.chances) - (left.outside or 0.0))
    return f"... and {number}more{f', {percent(rest)}' if is_told else ''}"


def unfinished_line(left: "Remaining") -> str:
    """Return a line about a listing that was stopped."""
    if not left.codes:
        return "no code found in time; there may be some"
    return f"{counted(len(left.codes), 'code')} found in time; there may be more"


def says_nothing(left: "Remaining") -> bool:
    """Return whether a list of candidates is so short a part of all that it says nothing."""
    if not left.more or left.stopped:
        return False
    if left.chances:
        return max(left.chances) < HARDLY_POSSIBLE
    return left.count is None or left.count * HARDLY_POSSIBLE > 1


def near_lines(near: "Sequence[NearMiss]") -> Iterator[Text]:
    """Yield near misses that are worth a look, below a title, with chance and wrong turns."""
    worth_a_look = [one for one in near if one.probability >= HARDLY_POSSIBLE]
    if worth_a_look:
        yield Text("If one row is wrong:")
    for one in worth_a_look:
        note = f"  {percent(one.probability)}, row {' and '.join(map(str, one.rows))}"
        yield Text.assemble(styled_code(one.game, one.code), (note, "dim"))


def wider_line(wider: "WiderList") -> str:
    """Return a line with candidates of a wider word list: `No word of its list fits; ...`."""
    most, count = 5 if wider.game.boards == 1 else 1, wider.remaining.count
    examples = ", ".join(map(wider.game.format_code, wider.remaining.codes[:most]))
    dots = "" if (count or 0) <= most else ", ..."
    return f"No word of its list fits; {wider.name} has {count:,}: {examples}{dots}"


# Guesses.


def suggestion_line(advice: Advice) -> Text:
    """Return the best guess as a line: `try CRATE`, with a reason in plain words."""
    code = styled_code(advice.game, advice.suggestions[0].code)
    code.style = "bold"
    is_last = advice.only_candidate is not None and not advice.outside
    reason = "the only one left" if is_last else advice.question
    return Text.assemble("try ", code, f" - {reason}" if reason else "")


def suggestions_table(advice: Advice) -> Table:
    """Return a table of suggestions: guess, value, candidates left at worst, chance to win."""
    measure, suggestions = measure_text(advice), advice.suggestions
    titles = {GUESSES_ON_AVERAGE: "guesses", ESTIMATED_GUESSES: "~guesses"}
    figure = "{:,.0f}" if measure in ("parts", _LARGEST_GROUP) else "{:,.2f}"
    wins, chances = _chances(advice)
    columns: dict[str, list[Cell]] = {
        "guess": [styled_code(advice.game, one.code) for one in suggestions],
        titles.get(measure, measure): [cell(one.value, figure.format) for one in suggestions],
        "at worst left": [cell(one.worst, count_text) for one in suggestions],
        wins: [] if _same_chance(wins, chances) else chances,
    }
    columns.pop(_LARGEST_GROUP, None)
    return Table(columns, ["guess", wins])


def _chances(advice: Advice) -> tuple[str, list[Cell]]:
    title = "wins" if any(one.chance for one in advice) else "may win"
    lengths = advice.game.one_board.secrets.lengths
    return title, [percent(one.chance) if one.chance else _may_win(one, lengths) for one in advice]


def _same_chance(title: str, cells: Sequence[Cell]) -> str:
    """Return what three suggestions or more have in common: `each may win`; else ""."""
    if len(cells) < 3 or len({*cells}) > 1:
        return ""
    words = {"yes": "each may win", "no": "none can win now"}
    return words.get(str(cells[0]), f"each: {title} {cells[0]}")


def _may_win(one: Suggestion, lengths: Sequence[int]) -> str:
    """Return whether a guess may win, and why it never does if no secret has its length."""
    if one.candidate or len(one.code) in lengths:
        return "yes" if one.candidate else "no"
    return f"no, {counted(len(one.code), 'symbol')}"


def show_suggestions(advice: Advice, screen: Screen) -> None:
    """Print the next guess, or a table of several, with what they were computed from."""
    if len(advice) == 1:
        screen.line(suggestion_line(advice))
        return
    if advice:
        screen.table(suggestions_table(advice))
        if said := _same_chance(*_chances(advice)):
            screen.note(f"({said})")
    if advice.basis:
        screen.note(f"(from {advice.basis})")


def show_tried(tried: "TriedGuess", screen: Screen) -> None:
    """Print the value of a player's guess above that of the best one, if that is to be named."""
    rated, best = tried.rated, tried.best
    others = () if tried.is_best or not tried.names_best else best.suggestions[:1]
    if best.measure != rated.measure:
        others = tuple(replace(one, value=None) for one in others)
    screen.table(suggestions_table(replace(rated, suggestions=(*rated, *others))))
    if tried.is_best and best.suggestions and best.suggestions[0].value is not None:
        is_proved = best.exact and measure_text(best) != ESTIMATED_GUESSES
        screen.line("none is better" if is_proved else "none seems better")


def telling_marks(ranked: "Sequence[UnreadMark]") -> "list[UnreadMark]":
    """Return the marks that tell anything, the most informative first."""
    return [mark for mark in ranked if f"{mark.bits:.2f}" != "0.00"]


def show_unread(ranked: "Sequence[UnreadMark]", screen: Screen) -> None:
    """Print a table of unread marks, with the bits of each, and of all in its row."""
    if not (marks := telling_marks(ranked)):
        screen.note("no unread mark would tell anything")
        return
    game = marks[0].game.one_board
    names, tiles = game.rule.column_names, []
    for mark in marks:
        place = mark.position
        if place is None or names:
            tiles.append("" if place is None else names[place])
        else:
            tiles.append(f"{place + 1} {game.format_code((mark.turn.code[place],))}")
    columns = {
        "row": [f"{mark.row}. {format_row(game, mark.turn)}" for mark in marks],
        "board": [cell(mark.board, lambda board: str(board + 1)) for mark in marks],
        "column" if names else "tile": tiles,
        "mark": [f"{mark.bits:.2f}" for mark in marks],
        "all": [f"{mark.turn_bits:.2f}" for mark in marks],
    }
    screen.table(Table(columns, ["row", "board", "tile", "column"]))
    screen.note("(bits expected of one mark, and of all)")


def solved_line(game: Game, history: History, secret: Code | None) -> str:
    """Return the line about a won game: `Solved in 4 guesses: CRANE`.

    If `secret` is None, the winning guesses are named. Of questions: `Known after 3 questions: A`.
    """
    turns = len(history.turns)
    if secret is None:
        winning = filter(None, meaning.winning_guesses(game, history))
        secret = tuple(chain.from_iterable(winning))
    elif game.only_questions:
        return f"Known after {counted(turns, 'question')}: {game.format_code(secret)}"
    return f"Solved in {counted(turns, 'guess')}: {game.format_code(secret)}"


def review_table(review: "Review") -> Table:
    """Return a table of guesses: bits expected and gained, candidates left, the best guess."""
    game, turns = review.game, review.turns
    columns: dict[str, list[Cell]] = {
        "": [str(turn.row) for turn in turns],
        "guess": [styled_guess(game, turn.turn) for turn in turns],
        "expected": [f"{turn.expected_bits:.1f}" for turn in turns],
        "told": [cell(turn.gained_bits, "{:.1f}".format, "-") for turn in turns],
        "left": [cell(turn.candidates_left, count_text, "-") for turn in turns],
        "best": [styled_code(game, turn.best_code) for turn in turns],
        "bits": [f"{turn.best_bits:.1f}" for turn in turns],
    }
    return Table(columns, ("guess", "best"), gap=1)


def skill_line(review: "Review") -> str:
    """Return how good the guesses were: `Skill 94 %, luck +1.3 bits`; empty without guesses."""
    if review.skill is None:
        return ""
    about = "" if review.exact else "about "
    # Adding 0.0 turns -0.0 into 0.0.
    luck = "" if review.luck is None else f", luck {round(review.luck, 1) + 0.0:+.1f} bits"
    return f"Skill {about}{100 * review.skill:.0f} %{luck}"


# What marks mean.


def identification_lines(found: "Identification") -> Iterator[str]:
    """Yield lines on what the marks mean, which secrets are likely, and what to guess."""
    rows = found.history.turns
    if not found.hypotheses:
        yield "Nothing explains these rows: no rule with any meaning of the marks."
    for hypothesis, chance in found.hypotheses[:_MOST_HYPOTHESES]:
        if rows and chance >= HARDLY_POSSIBLE:
            yield f"{percent(chance)} {hypothesis_text(hypothesis)}"
    likely = [pair for pair in found.candidates[:_MOST_CANDIDATES] if pair[1] >= HARDLY_POSSIBLE]
    parts = [f"{found.game.format_code(code)} {percent(chance)}" for code, chance in likely]
    if rows and parts:
        rest = 1 - sum(chance for _, chance in likely)
        parts += [f"others {percent(rest)}"] if rest >= _WORTH_TELLING else []
        yield from wrapped(f"secret: {parts[0]}", *parts[1:])
    for best in found.suggestions[:1]:
        yield f"try {best.guess}"


def hypothesis_text(hypothesis: "Hypothesis") -> str:
    """Return a hypothesis in words: `pegs: X black, Y white`."""
    from puzzlehunt.engines.legends import NOT_READ, NOTHING

    options = "".join(f" {key} {value}" for key, value in hypothesis.options)
    names = {NOT_READ: "not read", NOTHING: "without meaning"}
    legend = ", ".join(f"{sign} {names.get(kind, kind)}" for sign, kind in hypothesis.legend)
    known = getattr(find_rule(hypothesis.rule), "positional", False)
    how = " in any order" if hypothesis.shown == "tally" and known else ""
    how += " of the secret against the guess" if hypothesis.reversed else ""
    return f"{hypothesis.rule}{options}{how}: {legend or 'no mark yet'}"
