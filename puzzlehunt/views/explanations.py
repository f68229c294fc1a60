"""Why, in sentences: conflicts, repairs, suspects, certainties, why a code is out."""

from collections.abc import Iterable, Sequence
from typing import cast

from puzzlehunt.errors import counted, in_number
from puzzlehunt.explanation.certainty import Certainty
from puzzlehunt.explanation.conflict import CountingProof
from puzzlehunt.explanation.repair import Repair, Repairs, Suspect, assumed_misread
from puzzlehunt.explanation.why import Explanation, Verdict, Violation
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName, Turn, in_order
from puzzlehunt.game.turn_notation import describe_doubt
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.views.wording import name_item, name_items, percent

_TIMES = {1: "once", 2: "twice"}


def certain_lines(game: Game, certainties: Sequence[Certainty]) -> list[str]:
    """Return the certainties in words; those with the same proof share a line."""
    if game.rule.column_names:
        return ["/candidates lists the rows of the table that are left"]
    lines = []
    for board in dict.fromkeys(sorted(one.board or 0 for one in certainties)):
        on_board = [one for one in certainties if (one.board or 0) == board]
        title = f"board {board + 1}: " if on_board[0].board is not None else ""
        lines += [f"{title}{line}" for line in _certain_of_board(game, on_board)]
    return lines or ["nothing is certain yet"]


def _certain_of_board(game: Game, certainties: Sequence[Certainty]) -> list[str]:
    placed = [certainty for certainty in certainties if certainty.position is not None]
    placed_symbols = [certainty.symbol for certainty in placed]
    if len(placed) == game.one_board.length:
        certainties = placed
    groups: dict[tuple[int | None, bool, str], list[Certainty]] = {}
    for certainty in certainties:
        count = certainty.count or 0
        if certainty.at_least and placed_symbols.count(certainty.symbol) >= count:
            continue
        key = (certainty.count, certainty.at_least, proof_text(certainty))
        groups.setdefault(key, []).append(certainty)
    return [f"{certain_text(game, *group)} ({proof})" for (_, _, proof), group in groups.items()]


def certain_text(game: Game, *group: Certainty) -> str:
    """Return certainties of one kind in words: `position 1 is H`, `no A`, `E occurs just once`."""
    first = group[0]
    names = [game.alphabet.symbols[certainty.symbol] for certainty in group]
    if first.position is not None:
        positions = (_position(game.one_board, certainty.position or 0) for certainty in group)
        return "position " + ", ".join(map("{} is {}".format, positions, names))
    if not first.count:
        return f"no {', '.join(names)}"
    verb = "occurs" if len(group) == 1 else "occur"
    times = _TIMES.get(first.count, f"{first.count} times")
    how_often = f" just {times}"
    if first.at_least:
        how_often = "" if first.count == 1 else f" at least {times}"
    return f"{', '.join(names)} {verb}{how_often}"


def _position(game: Game, position: int) -> str:
    """Return a position (from 0) as a person counts: from 1, in the secret that it belongs to."""
    length = game.secret_length
    if game.boards == 1:
        return f"{position + 1}"
    return f"{position % length + 1} of secret {position // length + 1}"


def proof_text(certainty: Certainty) -> str:
    """Return the proof of a certainty in words: `rows 1, 4; fact: contains E`."""
    names = []
    if certainty.turns:
        noun = in_number("row", len(certainty.turns))
        names.append(f"{noun} {', '.join(map(str, certainty.turns))}")
    return "; ".join([*names, *(f"fact: {fact.text}" for fact in certainty.facts)])


def proof_sentence(game: Game, proof: CountingProof | None) -> str:
    """Return a proof in words: `row 1 needs 2 of R, G; row 2 leaves none of them`; "" for none.

    It begins in lower case and has no full stop.
    """

    def rows(items: Sequence[ItemName], verb: str) -> str:
        """Return turns and facts as the subject of a verb, which is given in its plural form."""
        return f"{name_items(items, ' and ')} {verb}{'s' * (len(items) == 1)}"

    def symbols(numbers: Iterable[int]) -> str:
        return ", ".join(game.format_code((number,)) for number in sorted(numbers))

    if proof is None:
        return ""
    needs, allows = proof.needs, proof.allows
    needing = in_order(bound.item for bound in needs)
    allowing = in_order(bound.item for bound in allows)
    total = counted(proof.total, symbol_noun(game))
    if not allows:
        return f"{rows(needing, 'need')} at least {total}; a code has {game.length}"
    if not needs:
        return f"{rows(allowing, 'allow')} at most {total} in all; a code has {game.length}"
    first, last = needs[0], allows[-1]
    said = f"{rows(needing, 'need')} {first.low} of {symbols(first.times)}; "
    if last.high:
        allow = rows(allowing, "allow")
        return f"{said}{allow} at most {last.high} of {symbols(last.times)}"
    return f"{said}{rows(allowing, 'leave')} {symbols(proof.kept) or 'none of them'}"


def symbol_noun(game: Game) -> str:
    """Return the noun for a game's symbols: letter or symbol."""
    all_letters = not game.alphabet.joiner and all(map(str.isalpha, game.alphabet.symbols))
    about_words = game.guesses.listed or len(game.alphabet) == 26  # A to Z
    return "letter" if all_letters and about_words else "symbol"


MOST_REPAIRS = 5
"""At most this many repairs are shown, the likeliest first: more would hide these."""
PROBABLY_WRONG = "probably wrong"
"""What is said of a row that is named without a question."""
NO_CONFLICT = "The rows agree with each other."


def conflict_sentence(explanation: Explanation) -> str:
    """Return a sentence on which items contradict each other, and why; empty if none do."""
    conflict = explanation.conflict
    if not conflict:
        return ""
    reason = proof_sentence(explanation.game, explanation.counting_proof)
    if len(conflict) == 1:
        reason = reason or "no code of this game fits it"
    sentence = f"{name_items(conflict, last=' and ')} {_cannot_be_right(conflict)}"
    sentence += "" if explanation.board is None else f" on board {explanation.board + 1}"
    sentence += f": {reason}" if reason else ""
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _cannot_be_right(conflict: Sequence[ItemName]) -> str:
    return f"cannot {({1: '', 2: 'both '}).get(len(conflict), 'all ')}be right"


def verdict_lines(verdict: Verdict) -> list[str]:
    """Return lines that name each turn or fact that rules a code out, or say it is still in."""
    code = verdict.game.format_code(verdict.code)
    if verdict.board is not None:
        code = f"board {verdict.board + 1}: {code}"
    if verdict.candidate:
        return [f"{code} is still in" if verdict.board is not None else f"{code}: still in"]
    lines = []
    for violation in verdict.violations:
        lines.append(f"{code} is out by {name_item(verdict.game, verdict.history, violation.item)}")
        if text := violation_text(verdict, violation):
            lines.append(f"  {text}")
    if verdict.not_a_secret:
        lines.append(f"{code} is not a secret here: {verdict.not_a_secret}")
    return lines


def violation_text(verdict: Verdict, violation: Violation) -> str:
    """Return words on how a turn rules a code out; empty for a fact."""
    if shown := shown_instead(verdict, violation):
        if false := verdict.game.channel.lies.exactly:
            return f"true marks {shown}: {violation.marks_off} false, not {false}"
        has_marks = violation.marks_off and verdict.game.one_board.rule.kinds
        off = f", {counted(violation.marks_off, 'mark')} off" if has_marks else ""
        return f"it would show {shown}{off}"
    if isinstance(violation.item, Fact):
        return ""
    return "it was guessed, and was not the secret"


def shown_instead(verdict: Verdict, violation: Violation) -> str:
    """Return the clue that a turn would have got with the code as the secret; empty for a fact."""
    item, rule = verdict.history.item(violation.item), verdict.game.rule
    if violation.feedback is None or not isinstance(item, Turn):
        return ""
    return rule.notation.format(rule.notation.full_clue(violation.feedback, item.guess))


def repairs_lines(repairs: Repairs) -> list[str]:
    """Return the likeliest repairs in words, and how many more there are."""
    game, history = repairs.game, repairs.history
    shown = repairs[:MOST_REPAIRS]
    lines = [line for repair in shown for line in repair_lines(game, history, repair)]
    more = len(repairs) - len(shown)
    return [*lines, f"and {more} more"] if more else lines


def repair_lines(game: Game, history: History, repair: Repair) -> list[str]:
    """Return a repair and its number in words: `1) 3. HORSE BWR__ -> clue BBR__, 4 left`."""
    first, *others = repair_parts(game, history, repair)
    return [f"{repair.number}) {first}", *(f"   {line}" for line in others)]


def _clue_of(game: Game, repair: Repair, turn: Turn) -> str:
    """Return the new clue of a turn, only that of the board that is mended if there are several."""
    if repair.board is None:
        return game.rule.notation.format(turn.clue)
    return game.one_board.rule.notation.format(cast(BoardsClue, turn.clue).clues[repair.board])


def repair_parts(game: Game, history: History, repair: Repair) -> list[str]:
    """Return a repair in words: `3. HORSE BWR__ -> clue BBR__, 4 left`."""
    lines = []
    for number, turn in repair.turns:
        old_turn = history.turn(number)
        if turn.doubt != old_turn.doubt:
            new_text = describe_doubt(turn.doubt)
        elif turn.guess != old_turn.guess:
            new_text = f"guess {game.format_code(turn.guess)}"
        else:
            board = "" if repair.board is None else f"board {repair.board + 1} "
            new_text = f"{board}clue {_clue_of(game, repair, turn)}"
        lines.append(f"{number}. {game.format_turn(old_turn)} -> {new_text}")
    if repair.count is not None:
        lines[-1] += f", {repair.count:,} left"
    return lines


def suspects_lines(game: Game, suspects: Sequence[Suspect]) -> list[str]:
    """Return suspicions, one per line, after what they assume and whether all are named unasked."""
    lines = [suspect_line(game, suspect) for suspect in suspects]
    title = PROBABLY_WRONG if lines and all(suspect.named for suspect in suspects) else ""
    title = f"{title}{assumption_text(game)}".strip() if lines else ""
    return [f"{title.capitalize()}:", *lines] if title else lines


def assumption_text(game: Game) -> str:
    """Return what suspicions assume, ` if 5 % of rows are misread`; empty if nothing is assumed."""
    share = assumed_misread(game)
    return "" if share is None else f" if {share * 100:.0f} % of rows are misread"


def suspect_line(game: Game, suspect: Suspect) -> str:
    """Return a suspicion in words: `5. HORSE B_WR_: 22 %`."""
    turn = game.format_turn(suspect.turn)
    return f"{suspect.number}. {turn}: {percent(suspect.probability)}"
