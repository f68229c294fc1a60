"""Explanations in lines: conflicts, repairs and suspects, and why a code is out."""

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlehunt.errors import counted
from puzzlehunt.explanation.why import NotASecret, Reason
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import describe_doubt
from puzzlehunt.views.certain import certain_lines
from puzzlehunt.views.clashes import proof_sentence, symbol_noun
from puzzlehunt.views.names import name_item, name_places, percent

if TYPE_CHECKING:
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.explanation.certainty import Certainty
    from puzzlehunt.explanation.repair import Repair
    from puzzlehunt.explanation.suspects import Suspect
    from puzzlehunt.explanation.why import Explanation, Verdict, Violation

MOST_REPAIRS = 5
"""How many repairs are shown at most, the likeliest first: more would hide those."""
_PROBABLE = 0.5
"""Least probability of a suspect that is listed as probably wrong to a person who asked."""
NO_CONFLICT = "The rows agree with each other."
_NO_CODE_FITS = "no code of this game fits it"
"""Why one turn or fact alone cannot be right, where no sum shows it."""


def explanation_lines(explanation: "Explanation") -> list[str]:
    """Return which turns and facts cannot all be right, and what rules a code out."""
    game, history = explanation.game, explanation.history
    lines = []
    if explanation.conflict:
        reason = proof_sentence(game, history, explanation.counting_proof)
        lines.append(_conflict_title(len(explanation.conflict)))
        lines += [f"  {name_item(game, history, place)}" for place in explanation.conflict]
        lines += [f"{reason[:1].upper()}{reason[1:]}."] * bool(reason)
        lines += ["Nor can these:"] * bool(explanation.others)
        lines += [f"  {name_places(history, places)}" for places in explanation.others]
    elif explanation.code is None:
        lines.append(NO_CONFLICT)
    return lines + [line for verdict in explanation.verdicts for line in verdict_lines(verdict)]


def conflict_lines(explanation: "Explanation") -> list[str]:
    """Return, in narrow lines, which turns cannot all be right; none if they agree.

    Where adding up shows why, the lines say so.
    """
    from puzzlehunt.views.screen import LINE_WIDTH

    if not explanation.conflict:
        return []
    game, history = explanation.game, explanation.history
    turns = name_places(history, explanation.conflict, last=" and ")
    reason = proof_sentence(game, history, explanation.counting_proof)
    if len(explanation.conflict) == 1:
        reason = reason or _NO_CODE_FITS
    sentence = f"{turns} {_cannot_be_right(len(explanation.conflict))}"
    sentence += f": {reason}" if reason else ""
    capitalised = f"{sentence[:1].upper()}{sentence[1:]}."
    return textwrap.wrap(capitalised, LINE_WIDTH, subsequent_indent="  ")


def _conflict_title(size: int) -> str:
    """Return the line above the items of a conflict, given how many items it has."""
    if size == 1:
        return f"This {_cannot_be_right(size)}: {_NO_CODE_FITS}."
    return f"These {_cannot_be_right(size)}; without any one of them the rest agree:"


def _cannot_be_right(size: int) -> str:
    """Return what is said of the items of a conflict, given how many items it has."""
    return f"cannot {({1: '', 2: 'both '}).get(size, 'all ')}be right"


def explanation_sections(
    game: Game,
    repairs: "Sequence[Repair] | None",
    suspects: "Sequence[Suspect] | None",
    certainties: "Sequence[Certainty] | None",
) -> list[str]:
    """Return the likeliest repairs, the probable suspects and what is certain, each below a title.

    A section that is not known (None) or has no lines has no title.
    """
    sections = {
        "One of these mends it, the likeliest first:": [
            line
            for repair in (repairs or ())[:MOST_REPAIRS]
            for line in repair_lines(game, game.history, repair)
        ],
        f"Probably wrong{assumption_text(game)}:": [
            suspect_line(game, suspect)
            for suspect in suspects or ()
            if suspect.probability >= _PROBABLE
        ],
        "What is decided:": certain_lines(game, certainties) if certainties else [],
    }
    return [
        line
        for title, lines in sections.items()
        if lines
        for line in (title, *(f"  {line}" for line in lines))
    ]


def verdict_lines(verdict: "Verdict") -> list[str]:
    """Return what rules a code out, a line for each turn or fact, or that it is a candidate."""
    code = verdict.game.format_code(verdict.code)
    if verdict.board is not None:
        code = f"board {verdict.board + 1}: {code}"
    if verdict.candidate:
        return [f"{code} is still in" if verdict.board is not None else f"{code}: still in"]
    lines = []
    for violation in verdict.violations:
        lines.append(
            f"{code} is out by {name_item(verdict.game, verdict.history, violation.place)}"
        )
        if text := violation_text(verdict, violation):
            lines.append(f"  {text}")
    if text := not_a_secret_text(verdict.game, verdict.not_a_secret):
        lines.append(f"{code} is no secret here: {text}")
    return lines


def violation_text(verdict: "Verdict", violation: "Violation") -> str:
    """Return in words how a turn rules a code out; empty for a fact, which says so itself."""
    if shown := shown_instead(verdict, violation):
        off = f", {counted(violation.marks_off, 'mark')} off" if violation.marks_off else ""
        return f"it would show {shown}{off}"
    if not isinstance(verdict.history.items[violation.place], Turn):
        return ""
    if not verdict.game.rule.win_ends:
        return "both had been guessed, and the game went on"
    return "it was guessed, and was not the secret"


def not_a_secret_text(game: Game, why: NotASecret | None) -> str:
    """Return in words why a code is no secret of a game; empty if it is one."""
    if why is None:
        return ""
    symbols = ", ".join(game.format_code((symbol,)) for symbol in why.symbols)
    noun = symbol_noun(game)
    part = "it" if len(why.part) == game.length else game.alphabet.format(why.part)
    match why.reason:
        case Reason.REPEATED_SYMBOL:
            return f"{symbols} repeated, and no {noun} may be"
        case Reason.SHARED_SYMBOL:
            return f"{symbols} in both, and no {noun} may be"
        case Reason.SAME_TWICE:
            return "the two must differ"
        case Reason.FORMULA:
            formula, text = game.formula, game.format_code(why.part)
            return "" if formula is None else formula.trouble(text) or ""
        case Reason.WIDER_LIST:
            return f"only in the wider list {Path(why.list_name).name}"
        case Reason.GUESS_ONLY:
            return f"{part} may be guessed, but is never hidden"
        case Reason.NO_LIST:
            return f"{part} is in no list"


def shown_instead(verdict: "Verdict", violation: "Violation") -> str:
    """Return what the code would have shown for a turn that rules it out; empty for a fact."""
    item, rule = verdict.history.items[violation.place], verdict.game.rule
    if violation.feedback is None or not isinstance(item, Turn):
        return ""
    return rule.format(rule.full_clue(violation.feedback, item.guess))


def contradiction_line(game: Game, engine: "Engine") -> str:
    """Return a line that names the first item which left no candidate."""
    place = engine.first_conflict()
    if place is None:
        return "the clues agree"
    item = name_item(game, History(engine.items), place)
    alone = "" if engine.proves else f", {unconfirmed_text(game)}"
    return f"the clues contradict each other: nothing fits since {item}{alone}"


def unconfirmed_text(game: Game) -> str:
    """Return what is said of an answer that rests on the word of the game's solver alone."""
    return f"as {game.play.solver} says; nobody can confirm it"


def repair_lines(game: Game, history: History, repair: "Repair") -> list[str]:
    """Return a repair in words: `1) 3. HORSE BWR__ -> clue BBR__, 4 left`.

    A repair that exchanges the clues of two turns has a line for each turn.
    """
    lines = []
    for number, turn in repair.turns:
        old_turn = history.turn(number)
        if turn.doubt != old_turn.doubt:
            new_text = describe_doubt(turn.doubt)
        elif turn.guess != old_turn.guess:
            new_text = f"guess {game.format_code(turn.guess)}"
        else:
            new_text = f"clue {game.rule.format(turn.clue)}"
        lines.append(f"{number}. {game.format_turn(old_turn)} -> {new_text}")
    if repair.count is not None:
        lines[-1] += f", {repair.count:,} left"
    return [f"{repair.number}) {lines[0]}", *(f"   {line}" for line in lines[1:])]


def suspects_lines(game: Game, suspects: "Iterable[Suspect]") -> list[str]:
    """Return suspicions, one a line, below what they assume, if anything."""
    lines = [suspect_line(game, suspect) for suspect in suspects]
    assumption = assumption_text(game)
    return [f"{assumption.strip()}:", *lines] if lines and assumption else lines


def assumption_text(game: Game) -> str:
    """Return the condition of all suspicions, ` if 5 % of rows are misread`; empty without one."""
    from puzzlehunt.explanation.suspects import assumed_misread

    share = assumed_misread(game)
    return "" if share is None else f" if {share * 100:.0f} % of rows are misread"


def suspect_line(game: Game, suspect: "Suspect") -> str:
    """Return a suspicion in words: `5. HORSE B_WR_: 22 %`."""
    turn = game.format_turn(suspect.turn)
    return f"{suspect.number}. {turn}: {percent(suspect.probability)}"
