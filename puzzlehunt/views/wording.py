"""The words for turns, facts and chances, and for what explains the rows.

These are conflicts, repairs, suspects, certainties, and why a code is out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from puzzlehunt import explanation
from puzzlehunt.codes.spaces import describe_lengths
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import counted, in_number
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName, Turn, in_order, item_named
from puzzlehunt.game.turn_notation import describe_doubt, format_answer, format_turn
from puzzlehunt.rules.columns import ColumnsRule
from puzzlehunt.rules.notation.clue_values import CellsClue
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.strategies.measures import GUESSES_ON_AVERAGE
from puzzlehunt.views.drawn_tiles import board_clues

if TYPE_CHECKING:
    from puzzlehunt.explanation import why
    from puzzlehunt.explanation.repair import Repair, Suspect, Suspects

MOST_REPAIRS = 5
"""At most this many repairs are shown, the likeliest first: more would hide these."""
PROBABLY_WRONG = "probably wrong"
"""What is said of a row that is named without a question."""


def name_item(game: Game, history: History, name: ItemName) -> str:
    """Return how a player would name an item: `3. HORSE BWR__`, or `fact: contains E`."""
    if isinstance(name, Fact):
        return f"fact: {name}"
    return f"{name}. {format_turn(game, history.turn(name))}"


def name_items(names: Sequence[ItemName]) -> str:
    """Return some items in a few words: `rows 1 and 4`, `row 2 and fact contains E`."""
    said = [str(number) for number in turn_numbers(names)]
    if said:
        said[0] = f"{in_number('row', len(said))} {said[0]}"
    said += [f"fact {text}" for text in fact_texts(names)]
    return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]]))


def turn_numbers(names: Iterable[ItemName]) -> list[int]:
    """Return the numbers of the turns among some items."""
    return [name for name in names if isinstance(name, int)]


def fact_texts(names: Iterable[ItemName]) -> list[str]:
    """Return the texts of the facts among some items."""
    return [name.text for name in names if isinstance(name, Fact)]


def percent(chance: float) -> str:
    """Return a chance as a person reads it: `25 %`, `2.1 %`, `under 0.1 %`."""
    if chance and chance < 0.001:
        return "under 0.1 %"
    return f"{chance * 100:.0f} %" if chance >= 0.0995 else f"{chance * 100:.1f} %"


ESTIMATED_GUESSES = "estimated guesses"
"""The unit of values that compare guesses, half a guess more or less than what play takes."""


def measure_text(advice: Advice) -> str:
    """Return the unit of the suggestions' values (`bits`); without values, the guess's purpose.

    Values in guesses are what play takes on average after a search to the end, from a book, and
    where the next guess finds the secret: the estimates for one candidate and for two are exact.
    """
    if advice.question:
        return advice.question
    if advice.measure != GUESSES_ON_AVERAGE or advice.searched or advice.book:
        return advice.measure
    finds_secret = any(
        one.value is not None and one.value <= 2  # guesses
        for one in advice.suggestions[:1]
        if one.chance is None  # candidates are equally likely
    )
    return advice.measure if finds_secret else ESTIMATED_GUESSES


def contradiction_line(engine: Engine) -> str:
    """Return a line that names the first item which left no candidate."""
    place, history = engine.first_conflict(), engine.history
    alone = "" if engine.proves else f", {unconfirmed_text(engine.game)}"
    if place is None:
        return f"no candidate was found{alone}"
    item = name_item(engine.game, history, history.names[place])
    return f"the clues contradict each other: nothing fits since {item}{alone}"


def unconfirmed_text(game: Game) -> str:
    """Return the caveat for an answer that relies on the game's solver alone."""
    return f"as {game.play.solver} says; nobody can confirm it"


# What explains the rows.


def certain_lines(certainties: "why.Certainties") -> list[str]:
    """Return the certainties in words; those with the same proof share a line."""
    game = certainties.game
    if game.rule.column_names:
        return ["/candidates lists the rows of the table that are left"]
    placed = [(one.board, one.symbol) for one in certainties if one.position is not None]
    groups: dict[tuple[object, ...], list[why.Certainty]] = {}
    for one in sorted(certainties, key=lambda one: one.board or 0):
        whole = sum(board == one.board for board, _ in placed) == game.one_board.length
        implied = one.at_least and placed.count((one.board, one.symbol)) >= (one.count or 0)
        if one.position is not None or not (whole or implied):
            same = one.board, one.count, one.at_least, one.because
            groups.setdefault(same, []).append(one)
    return [certain_line(*group) for group in groups.values()] or ["nothing is certain yet"]


def certain_line(*group: "why.Certainty") -> str:
    """Return certainties of one kind with their proof: `board 2: no A, B (row 1)`."""
    first = group[0]
    title = "" if first.board is None else f"board {first.board + 1}: "
    return f"{title}{certain_text(*group)} ({name_items(first.because)})"


def certain_text(*group: "why.Certainty") -> str:
    """Return certainties of one kind in words: `position 1 is H`, `no A`, `E occurs just once`."""
    first = group[0]
    names = [certainty.symbol for certainty in group]
    if first.position is not None:
        positions = [(certainty.position or 0) + 1 for certainty in group]
        return "position " + ", ".join(map("{} is {}".format, positions, names))
    if not first.count:
        return f"no {', '.join(names)}"
    times = {1: "once", 2: "twice"}.get(first.count, f"{first.count} times")
    verb = "occurs" if len(group) == 1 else "occur"
    how_often = f" at least {times}" if first.at_least else f" just {times}"
    return f"{', '.join(names)} {verb}{how_often}"


def proof_sentence(explained: "why.Explanation") -> str:
    """Return its proof in words: `row 1 needs 2 of R, G; row 2 leaves none of them`; "" for none.

    It begins in lower case and has no full stop.
    """

    def rows(bounds: "Sequence[why.SymbolBound]", verb: str) -> str:
        """Return turns and facts as the subject of a verb, which is given in its plural form."""
        items = in_order(bound.item for bound in bounds)
        return f"{name_items(items)} {verb}{'s' * (len(items) == 1)}"

    def symbols(numbers: Iterable[int]) -> str:
        return ", ".join(game.format_code((number,)) for number in sorted(numbers))

    game, proof = explained.game, explained.counting_proof
    if proof is None:
        return ""
    needs, allows, total = proof.needs, proof.allows, counted(proof.total, "symbol")
    length = describe_lengths(game.secrets.lengths)
    if not allows:
        return f"{rows(needs, 'need')} at least {total}; a code has {length}"
    if not needs:
        return f"{rows(allows, 'allow')} at most {total} in all; a code has {length}"
    first, last = needs[0], allows[-1]
    said = f"{rows(needs, 'need')} {first.low} of {symbols(first.times)}; "
    if last.high:
        return f"{said}{rows(allows, 'allow')} at most {last.high} of {symbols(last.times)}"
    return f"{said}{rows(allows, 'leave')} {symbols(proof.kept) or 'none of them'}"


def conflict_sentence(explained: "why.Explanation") -> str:
    """Return a sentence on which items contradict each other, and why, or that none do."""
    conflict = explained.conflict
    if not conflict:
        return "The rows agree with each other."
    reason = proof_sentence(explained)
    if len(conflict) == 1:
        reason = reason or "no code of this game fits it"
    number = {1: "", 2: "both "}.get(len(conflict), "all ")
    where = "" if explained.board is None else f" on board {explained.board + 1}"
    sentence = f"Nothing fits{where}: {name_items(conflict)} cannot {number}be right"
    return f"{sentence}: {reason}." if reason else f"{sentence}."


def verdict_lines(verdict: "why.Verdict") -> Iterator[str]:
    """Yield lines that name what rules a code out, or say it is still in."""
    code = verdict.text
    if verdict.board is not None:
        code = f"board {verdict.board + 1}: {code}"
    if verdict.candidate:
        yield f"{code}: still in"
    for violation in verdict.violations:
        yield f"{code} is out by {name_item(verdict.game, verdict.history, violation.item)}"
        if text := violation_text(verdict, violation):
            yield f"  {text}"
    if verdict.not_a_secret:
        yield f"{code} is not a secret here: {verdict.not_a_secret}"


def violation_text(verdict: "why.Verdict", violation: "why.Violation") -> str:
    """Return words on how a turn rules a code out; empty for a fact."""
    if isinstance(violation.item, Fact):
        return ""
    shown = shown_instead(verdict, violation)
    if not shown:
        return "it was guessed, and was not the secret"
    if false := verdict.game.channel.lies.exactly:
        return f"true marks {shown}: {violation.marks_off} false, not {false}"
    has_marks = violation.marks_off and verdict.game.one_board.rule.kinds
    off = f", {counted(violation.marks_off, 'mark')} off" if has_marks else ""
    return f"it would show {shown}{off}"


def shown_instead(verdict: "why.Verdict", violation: "why.Violation") -> str:
    """Return the clue that a turn would have got with the code as the secret; empty for a fact."""
    item, notation = item_named(verdict.history, violation.item), verdict.game.rule.notation
    if violation.feedback is None or not isinstance(item, Turn):
        return ""
    return notation.format(notation.full_clue(violation.feedback, item.code))


def repair_lines(repair: "Repair") -> list[str]:
    """Return a repair after its rank: `1) 3. HORSE BWR__ -> BBR__, 4 left`."""
    first, *others = repair_parts(repair)
    return [f"{repair.rank}) {first}", *(f"   {line}" for line in others)]


def repair_parts(repair: "Repair") -> list[str]:
    """Return a repair in words, each changed turn: `3. HORSE BWR__ -> BBR__, 4 left`.

    Of several boards, only the one that is mended is named: `board 1: 2. SLOTH ....G -> ....Y`; of
    a table, only the columns: `3. Gold: year lower, not higher`.
    """
    game, board, where, lines = repair.game, repair.board, "", list[str]()
    if board is not None:
        game, where = game.one_board, f"board {board + 1}: "
    for number, turn in repair.turns:
        old = repair.history.turn(number)
        if board is not None:
            old, turn = (replace(one, clue=board_clues(one.clue)[board]) for one in (old, turn))
        new = format_answer(game, turn) if turn.code == old.code else format_turn(game, turn)
        new = new if turn.doubt == old.doubt else describe_doubt(turn.doubt)
        said = f"{format_turn(game, old)} -> {new}"
        if isinstance(game.rule, ColumnsRule):
            changed = _changed_columns(game.rule, old, turn) or [new]
            said = f"{game.format_code(old.code)}: {', '.join(changed)}"
        lines.append(f"{where}{number}. {said}")
    if repair.count is not None:
        lines[-1] += f", {repair.count:,} left"
    return lines


def _changed_columns(rule: ColumnsRule, old: Turn, new: Turn) -> list[str]:
    cells = (cast(CellsClue, turn.clue).lost_cells for turn in (old, new))
    lines = list[str]()
    for column, was, is_now in zip(rule.columns, *cells, strict=True):
        denied, said = f"not {column.describe_cell(was)}", column.describe_cell(is_now)
        if was != is_now:
            lines.append(f"{column.title} {said}" + f", {denied}" * (said != denied))
    return lines


def suspects_lines(suspects: "Suspects") -> list[str]:
    """Return suspicions, one per line, after what they assume and if all are named unasked."""
    wrong = PROBABLY_WRONG if all(suspect.named for suspect in suspects) else ""
    title = f"{wrong}{assumption_text(suspects.game)}".strip().capitalize()
    return [*([f"{title}:"] if title else []), *map(suspect_line, suspects)]


def suspect_line(suspect: "Suspect") -> str:
    """Return a suspicion: `5. HORSE BWR__: 16 %`."""
    turn = format_turn(suspect.game, suspect.turn)
    return f"{suspect.row}. {turn}: {percent(suspect.probability)}"


def assumption_text(game: Game) -> str:
    """Return what suspicions assume, if anything: ` if 5 % of rows are misread`."""
    share = explanation.repair.assumed_misread(game)
    return "" if share is None else f" if {share * 100:.0f} % of rows are misread"
