"""Outcomes of a conversation, and of practice, as they are printed in a terminal."""

import textwrap
from pathlib import Path

from rich.cells import cell_len

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.count import Count
from puzzlehunt.errors import counted
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.lines import format_answer, format_turn
from puzzlehunt.game.merging import EFFECTS, RowEffect, agreed_clue
from puzzlehunt.rules.notation.clue import marks_line
from puzzlehunt.session import outcomes
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.views.advice import (
    review_table,
    show_unread,
    skill_line,
    solved_line,
    suggestion_line,
    suggestions_table,
    tried_lines,
)
from puzzlehunt.views.candidates import (
    boards_lines,
    candidate_lines,
    count_line,
    left_lines,
    misread_line,
    more_command,
    more_text,
    near_lines,
    others_line,
    size_text,
    unfinished_line,
    wider_line,
)
from puzzlehunt.views.escapes import printable
from puzzlehunt.views.explanations import (
    MOST_REPAIRS,
    NO_CONFLICT,
    basis_text,
    certain_lines,
    conflict_sentence,
    name_item,
    repair_lines,
    suspect_line,
    suspects_lines,
    unconfirmed_text,
    verdict_lines,
)
from puzzlehunt.views.faces import Face
from puzzlehunt.views.rows import (
    change_line,
    difference_lines,
    history_lines,
    item_lines,
    turn_lines,
)
from puzzlehunt.views.screen import LINE_WIDTH, Screen
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.summary import lies_lines, passed_over, rates_lines

_LONGEST_EXAMPLE = 60
"""Longest example of a row that is shown (characters)."""


def prompt(game: Game, expected_line: Code | int | None) -> str:
    """Return the text before the cursor: `> `, `FLESH clue> `, or the number of a turn: `4> `."""
    if isinstance(expected_line, tuple):
        return printable(f"{game.format_code(expected_line)} clue> ")
    return "> " if expected_line is None else f"{expected_line}> "


def _print_nothing(_outcome: Outcome, _screen: Screen, _game: Game) -> None:
    """The prompt, or its absence, says enough."""


SILENT: frozenset[type[object]] = frozenset({outcomes.GuessStands, outcomes.Quit})
"""Outcomes that are not printed."""
terminal: Face[Outcome, [Screen, Game], None] = Face("a terminal", SILENT, _print_nothing)
"""Prints an outcome of a game on a screen."""


# The beginning and the end.


@terminal.shows(outcomes.Begun)
def _(outcome: outcomes.Begun, screen: Screen, game: Game) -> None:
    screen.line(f"{game.title} ({size_text(game, 'code')})")
    for line in passed_over(game):
        screen.lines(textwrap.wrap(line, LINE_WIDTH))
    if outcome.practice:
        screen.line(marks_line(game.rule.named_marks()))
        screen.lines(lies_lines(game))
        screen.lines(item_lines(game, outcome.history))
        attempts = game.play.attempts
        limit = "any number of attempts" if attempts is None else counted(attempts, "attempt")
        screen.line(f"{limit}; see /help")
        return
    if outcome.history.items:
        screen.lines(history_lines(game, outcome.history))
    screen.line(game.rule.legend())
    screen.lines(lies_lines(game))
    screen.lines(_what_to_type(game, outcome.example))


def _what_to_type(game: Game, example: Turn | None) -> list[str]:
    """Return how a row is written, with an example if there is one that is not too long."""
    text = "" if example is None else format_turn(game, example)
    if not 0 < len(text) <= _LONGEST_EXAMPLE:
        return ["type GUESS CLUE (/help)"]
    line = f"type GUESS CLUE, as {text} (/help)"
    return [line] if cell_len(line) <= LINE_WIDTH else ["type GUESS CLUE (/help), as", text]


@terminal.shows(outcomes.WriterChanged)
def _(outcome: outcomes.WriterChanged, screen: Screen, _game: Game) -> None:
    path = outcome.path
    if outcome.here:
        screen.note(f"the other puzzlehunt has left: {path} is written here now")
    else:
        screen.note(f"{path} is open in another puzzlehunt: rows are typed there, shown here")


@terminal.shows(outcomes.Solved)
def _(outcome: outcomes.Solved, screen: Screen, game: Game) -> None:
    screen.line(solved_line(game, outcome.history, outcome.secret))


@terminal.shows(outcomes.SecretNamed)
def _(outcome: outcomes.SecretNamed, screen: Screen, game: Game) -> None:
    it = "Out of attempts; it" if outcome.out_of_attempts else "It"
    screen.line(f"{it} was {game.format_code(outcome.secret)}")


@terminal.shows(outcomes.Ended)
def _(outcome: outcomes.Ended, screen: Screen, game: Game) -> None:
    review = outcome.review
    if review.complete and (line := skill_line(review)):
        screen.line(line)
    screen.line()
    screen.lines(share_lines(game, review.history))
    if outcome.can_be_reviewed and not review.complete:
        screen.note("/review says how good each guess was")


# Turns.


@terminal.shows(outcomes.TurnTaken)
def _(outcome: outcomes.TurnTaken, screen: Screen, game: Game) -> None:
    screen.lines(turn_lines(game, outcome.number, outcome.turn, outcome.history_before))


@terminal.shows(outcomes.TurnMerged)
def _(outcome: outcomes.TurnMerged, screen: Screen, game: Game) -> None:
    placed, typed = outcome.placed, outcome.typed
    if typed is None:
        screen.line(change_line(game, placed))
        if both := _both_clues(game, placed):
            screen.note(f"to keep both: /edit {placed.number} {both}")
        return
    says_more = typed.clue != placed.turn.clue
    known = "says that already" if says_more else "is known already"
    screen.line(f"{placed.number}. {format_turn(game, placed.turn)} {known}")
    if says_more and typed.clue != game.unread_clue(placed.turn.guess):
        screen.note(f"to replace it: /edit {placed.number} {format_answer(game, typed)}")


def _both_clues(game: Game, placed: RowEffect) -> str:
    """Return the intersection of a replaced clue and the new one, "" where it is empty."""
    old, new = placed.old, placed.turn
    if placed.effect != "replaced" or old is None or old.guess != new.guess:
        return ""
    clue = agreed_clue(game, new.guess, old.clue, new.clue)
    return "" if clue in (None, old.clue, new.clue) else game.rule.format(clue)


@terminal.shows(outcomes.BlockMerged)
def _(outcome: outcomes.BlockMerged, screen: Screen, _game: Game) -> None:
    effects = [name for name in reversed(EFFECTS) if outcome.counts.get(name)]
    counts = [f"{outcome.counts[name]} {name}" for name in effects]
    screen.line(f"rows: {', '.join(counts)}")


@terminal.shows(outcomes.OneFound)
def _(outcome: outcomes.OneFound, screen: Screen, game: Game) -> None:
    found = "one found" if outcome.board is None else f"board {outcome.board + 1} solved"
    screen.line(f"{found}: {game.format_code(outcome.code)}")


@terminal.shows(outcomes.GuessNoted)
def _(outcome: outcomes.GuessNoted, screen: Screen, game: Game) -> None:
    guess = game.format_code(outcome.guess)
    if outcome.typed:
        screen.note(f"{outcome.typed} counts as {guess} in this game")
    else:
        screen.note(f"{guess} is in no list; it counts as a guess all the same")


@terminal.shows(outcomes.WordRead)
def _(outcome: outcomes.WordRead, screen: Screen, _game: Game) -> None:
    word = outcome.word
    if outcome.as_what == "clue":
        screen.note(f"read as a clue; the guess is written {word.upper()} *")
    else:
        screen.note(f"/{word.casefold()}? Commands start with a slash; a guess: {word} *")


@terminal.shows(outcomes.HeadingRead)
def _(outcome: outcomes.HeadingRead, screen: Screen, _game: Game) -> None:
    if outcome.columns:
        screen.note("a heading; rows are read by its columns, until an empty line")
    else:
        screen.note("a heading, passed over; rows are typed GUESS CLUE")


@terminal.shows(outcomes.BlockRefused)
def _(outcome: outcomes.BlockRefused, screen: Screen, _game: Game) -> None:
    for problem in outcome.problems:
        screen.error(f"line {problem.line}: {problem.message}")
    screen.note("nothing was recorded; arrow up brings the lines back to be mended")


@terminal.shows(outcomes.TurnToEdit)
def _(outcome: outcomes.TurnToEdit, screen: Screen, game: Game) -> None:
    number = outcome.number
    screen.line(f"{number}. {format_turn(game, outcome.turn)}")
    screen.note(f"write /edit {number} CLUE, or /edit {number} GUESS CLUE")


@terminal.shows(outcomes.HistoryChanged)
def _(outcome: outcomes.HistoryChanged, screen: Screen, game: Game) -> None:
    if outcome.change == "new":
        screen.line(_new_game(outcome))
        return
    out, back = _OUT_AND_BACK[outcome.change]
    if outcome.pending is not None:
        screen.line(f"{out}: {game.format_code(outcome.pending)}")
    before, after, writers = outcome.before, outcome.after, outcome.writers
    lines = list(difference_lines(game, before, after, out, back, writers))
    screen.lines(lines)
    if not lines and outcome.pending is None:
        screen.line(f"{out}: the rows are as they were")


_OUT_AND_BACK = {
    "undo": ("undone", "back"),
    "redo": ("dropped", "redone"),
    "drop": ("dropped", "back"),
    "read": ("gone", "new"),
}
"""What a change calls turns and facts that it takes out, and those that it brings back."""


def _new_game(outcome: outcomes.HistoryChanged) -> str:
    """Return what is said of a new game: how much of the old one /undo brings back."""
    rows = len(outcome.before.turns) + (outcome.pending is not None)
    numbers = {"row": rows, "fact": len(outcome.before.facts)}
    parts = [counted(n, noun) for noun, n in numbers.items() if n]
    return f"A new game; /undo brings back {' and '.join(parts)}" if parts else "A new game"


@terminal.shows(outcomes.FactAdded)
def _(outcome: outcomes.FactAdded, screen: Screen, _game: Game) -> None:
    screen.line(f"fact: {outcome.fact.text}")


@terminal.shows(outcomes.HistoryShown)
def _(outcome: outcomes.HistoryShown, screen: Screen, game: Game) -> None:
    screen.lines(history_lines(game, outcome.history))


# Where the game stands.


@terminal.shows(outcomes.Counted)
def _(outcome: outcomes.Counted, screen: Screen, game: Game) -> None:
    if outcome.solved:
        exact = [count.exact for count in outcome.counts]
        screen.lines(boards_lines(game, outcome.solved, exact))
    else:
        screen.lines(left_lines(outcome.counts[0], outcome.outside))


@terminal.shows(outcomes.MaybeMisread)
def _(outcome: outcomes.MaybeMisread, screen: Screen, game: Game) -> None:
    screen.line("Maybe misread (/suspect):")
    screen.line(suspect_line(game, outcome.suspect))


@terminal.shows(outcomes.Advised)
def _(outcome: outcomes.Advised, screen: Screen, game: Game) -> None:
    if outcome.advice.basis:
        screen.note(f"(from {basis_text(outcome.advice.basis)})")
    if outcome.only is not None and outcome.only.wider is not None:
        screen.line(f"{others_line(outcome.only.wider)} (/widen)")
    screen.line(suggestion_line(game, outcome.advice, outcome.only))


@terminal.shows(outcomes.NothingFits)
def _(outcome: outcomes.NothingFits, screen: Screen, game: Game) -> None:
    if outcome.wider is not None:
        words = wider_line(outcome.wider, Path(outcome.own_list).name)
        screen.line(f"{words}{'' if words.endswith('...') else '.'} /widen switches.")
    else:
        boards = ", ".join(str(board + 1) for board in outcome.boards)
        of_boards = f" of board {boards}" if boards else ""
        last = outcome.history.turns[-1] if outcome.history.turns else None
        if last is not None and game.boards == 1 and game.rule.wins(last.clue):
            screen.line(f"{game.format_code(last.guess)} won, but other rows say it cannot be it.")
        else:
            screen.line(f"Nothing fits: no code agrees with all rows{of_boards}.")
    if not outcome.proved:
        screen.note(f"({unconfirmed_text(game)})")
    screen.line(f"It became impossible with {name_item(game, outcome.history, outcome.place)}")


@terminal.shows(outcomes.StillNothingFits)
def _(outcome: outcomes.StillNothingFits, screen: Screen, game: Game) -> None:
    item = name_item(game, outcome.history, outcome.place)
    screen.line(f"Still nothing fits since {item}: /repair, /conflicts")


@terminal.shows(outcomes.ConflictShown)
def _(outcome: outcomes.ConflictShown, screen: Screen, _game: Game) -> None:
    sentence = conflict_sentence(outcome.explanation) or NO_CONFLICT
    screen.lines(textwrap.wrap(sentence, LINE_WIDTH, subsequent_indent="  "))


@terminal.shows(outcomes.RepairsListed)
def _(outcome: outcomes.RepairsListed, screen: Screen, game: Game) -> None:
    if outcome.place is not None:
        number = outcome.history.turn_number(outcome.place)
        ways = "" if number is None else f"/edit {number} CLUE, /drop {number}, "
        screen.line(f"Mend a row: {ways}/undo")
        if outcome.repairs:
            screen.line("Or, the likeliest first, /repair N:")
    for repair in outcome.repairs[:MOST_REPAIRS]:
        screen.lines(repair_lines(game, outcome.history, repair))


# Answers to questions.


@terminal.shows(outcomes.Suggestions)
def _(outcome: outcomes.Suggestions, screen: Screen, game: Game) -> None:
    screen.table(suggestions_table(game, outcome.advice))
    if outcome.advice.basis:
        screen.note(f"(from {basis_text(outcome.advice.basis)})")


@terminal.shows(outcomes.CandidatesListed)
def _(outcome: outcomes.CandidatesListed, screen: Screen, game: Game) -> None:
    remaining = outcome.remaining
    if outcome.board is not None:
        screen.line(f"board {outcome.board + 1}: {count_line(Count.of(remaining.count))}")
        game = game.one_board
    misread, first = misread_line(remaining.outside)
    if misread and first:
        screen.line(misread)
    screen.lines(candidate_lines(game, remaining))
    if misread and not first:
        screen.line(misread)
    if remaining.stopped:
        screen.note(unfinished_line(remaining, "in time"))
    elif remaining.more:
        screen.note(f"{more_text(remaining)}: {more_command(remaining, outcome.limit)}")
    elif not remaining.codes:
        screen.note("none")


@terminal.shows(outcomes.NearMissesListed)
def _(outcome: outcomes.NearMissesListed, screen: Screen, game: Game) -> None:
    screen.line("If one row is wrong:")
    screen.lines(near_lines(game, outcome.near))


@terminal.shows(outcomes.GuessTried)
def _(outcome: outcomes.GuessTried, screen: Screen, game: Game) -> None:
    screen.lines(tried_lines(game, outcome.tried, name_best=outcome.name_best))


@terminal.shows(outcomes.VerdictsShown)
def _(outcome: outcomes.VerdictsShown, screen: Screen, _game: Game) -> None:
    for verdict in outcome.verdicts:
        screen.lines(verdict_lines(verdict))


@terminal.shows(outcomes.Certainties)
def _(outcome: outcomes.Certainties, screen: Screen, game: Game) -> None:
    screen.lines(certain_lines(game, list(outcome.certain)))
    if outcome.certain and not outcome.proved:
        screen.note(f"({unconfirmed_text(game)})")


@terminal.shows(outcomes.Reviewed)
def _(outcome: outcomes.Reviewed, screen: Screen, game: Game) -> None:
    review = outcome.review
    if not review.turns:
        screen.note("nothing to review yet")
        return
    screen.table(review_table(game, review))
    if review.contradiction is not None:
        item = name_item(game, review.history, review.contradiction)
        screen.line(f"Nothing fits since {item}")
    screen.line(skill_line(review))
    if not review.complete:
        screen.note(f"(no time for what came after row {review.turns[-1].number})")


@terminal.shows(outcomes.Shared)
def _(outcome: outcomes.Shared, screen: Screen, game: Game) -> None:
    if outcome.history.turns:
        screen.lines(share_lines(game, outcome.history))
    else:
        screen.note("nothing to share yet")


@terminal.shows(outcomes.SuspectsListed)
def _(outcome: outcomes.SuspectsListed, screen: Screen, game: Game) -> None:
    if not outcome.history.turns:
        screen.note("no row yet")
    elif not outcome.suspects:
        screen.note("too many codes to weigh one row against another")
    screen.lines(suspects_lines(game, outcome.suspects))


@terminal.shows(outcomes.UnreadRanked)
def _(outcome: outcomes.UnreadRanked, screen: Screen, _game: Game) -> None:
    show_unread(outcome.ranked, outcome.limit, screen)


@terminal.shows(outcomes.ReadRatesShown)
def _(outcome: outcomes.ReadRatesShown, screen: Screen, game: Game) -> None:
    screen.lines(rates_lines(game, outcome.estimates))


# Settings and files.


@terminal.shows(outcomes.ListTaken)
def _(outcome: outcomes.ListTaken, screen: Screen, _game: Game) -> None:
    way_back = f"; /widen {outcome.old_name} goes back" if outcome.old_name else ""
    screen.line(f"secrets: {Path(outcome.name).name}{way_back}")


@terminal.shows(outcomes.StrategyNamed)
def _(outcome: outcomes.StrategyNamed, screen: Screen, _game: Game) -> None:
    if outcome.old_name:
        screen.note(f"/undo leaves it; back: /strategy {outcome.old_name}")
    else:
        screen.line(outcome.name)


@terminal.shows(outcomes.Saved)
def _(outcome: outcomes.Saved, screen: Screen, _game: Game) -> None:
    screen.line(f"saved: {outcome.path}")


@terminal.shows(outcomes.ScriptExported)
def _(outcome: outcomes.ScriptExported, screen: Screen, _game: Game) -> None:
    screen.line(f"written: {outcome.name}" if outcome.name else outcome.script.rstrip())


@terminal.shows(outcomes.Helped)
def _(outcome: outcomes.Helped, screen: Screen, game: Game) -> None:
    commands, width = outcome.commands, 20
    if outcome.topic == "command":
        screen.lines(f"/{command.syntax}  {command.purpose}" for command in commands)
        return
    if outcome.topic == "practice":
        width = 10
        screen.line("Type a guess; the answer comes at once.")
        screen.line(f"Answers: {marks_line(game.rule.named_marks())}")
    else:
        _explain_rows(screen, game)
    screen.lines(f"/{command.syntax:<{width}} {command.purpose}" for command in commands)


def _explain_rows(screen: Screen, game: Game) -> None:
    screen.line("GUESS CLUE plays a row; CLUE alone")
    screen.line("answers the suggestion; ` ?` doubts it,")
    screen.line("` # ...` is a note. A guess again")
    screen.line("completes its row or replaces it.")
    screen.line("ROW below is its number or its guess.")
    screen.line(f"Clues: {game.rule.legend()}")
    # What is left out, and what an unread mark may be.
    any_guess = (0,) * game.one_board.length
    screen.lines(words for words, _ in game.one_board.rule.readings(any_guess)[:2])


# What went wrong.


@terminal.shows(outcomes.Failed)
def _(outcome: outcomes.Failed, screen: Screen, _game: Game) -> None:
    screen.error(outcome.message)


@terminal.shows(outcomes.Unsaved)
def _(outcome: outcomes.Unsaved, screen: Screen, _game: Game) -> None:
    screen.error(f"in memory only: {outcome.reason}; /save FILE elsewhere")
