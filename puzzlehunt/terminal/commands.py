"""The commands of the conversation: `/suggest`, `/why`, and what each does."""

from collections.abc import Callable, Container
from dataclasses import dataclass
from pathlib import Path

from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.errors import (
    InvalidClueError,
    InvalidTurnError,
    PuzzlehuntError,
    SessionError,
    UnknownNameError,
    did_you_mean,
)
from puzzlehunt.explain.certainty import certain
from puzzlehunt.explain.conflict import conflicts
from puzzlehunt.explain.remaining import Remaining, remaining, remaining_on_boards
from puzzlehunt.explain.review import try_guess
from puzzlehunt.explain.suspicion import WORTH_SHOWING, nearly, suspects
from puzzlehunt.explain.why import Explanation, ask
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import parse_doubt
from puzzlehunt.session.storage import write_whole
from puzzlehunt.strategies.registry import find_strategy
from puzzlehunt.terminal.playing import Playing
from puzzlehunt.views.candidates import candidate_lines, near_lines
from puzzlehunt.views.certain import certain_lines
from puzzlehunt.views.channel import channel_lines
from puzzlehunt.views.conflicts import conflict_lines
from puzzlehunt.views.counts import count_line
from puzzlehunt.views.explanations import suspect_line, why_lines
from puzzlehunt.views.names import name_item
from puzzlehunt.views.review import review_table, skill_line
from puzzlehunt.views.share import share_lines
from puzzlehunt.views.suggestions import suggestions_table, tried_lines
from puzzlehunt.views.turns import history_lines

_NEARLY = 5
"""So many rows, or codes that nearly fit, are worth showing."""
_LONGEST_REVIEW = 10
"""A review of many guesses may take as long as so many suggestions."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the REPL: what runs it, how it is written, and what it does."""

    run: Callable[[Playing, str], None]
    usage: str
    help: str


def is_command(line: str, names: Container[str], alphabet: Alphabet) -> bool:
    """Return whether a line is a command, given the names and short forms of all that there are.

    Where a slash is a symbol of codes, only a line that begins with one of these names is.
    """
    if not line.startswith("/"):
        return False
    name = "".join(line[1:].split(maxsplit=1)[:1])
    return name.casefold() in names or alphabet.number("/") is None


def run_command(at: Playing, line: str) -> None:
    """Do what a line with a command says. Raises UnknownNameError for one that does not exist."""
    name, *rest = line[1:].split(maxsplit=1) or [""]
    name = _SHORT.get(name.casefold(), name.casefold())
    command = COMMANDS.get(name)
    if command is None:
        known = [f"/{known}" for known in COMMANDS]
        raise UnknownNameError(f"no command /{name}{did_you_mean(f'/{name}', known)}")
    command.run(at, "".join(rest).strip())


def do_suggest(at: Playing, rest: str) -> None:
    """Print the best guesses."""
    if _nothing_to_suggest(at):
        return
    advice = at.session.advise(_number(rest, 5), at.budget)
    at.suggested = advice.suggestions[0].guess
    at.screen.table(suggestions_table(at.game, advice))
    if advice.basis:
        at.screen.note(f"(from {advice.basis})")


def do_candidates(at: Playing, rest: str) -> None:
    """Print what is still possible, board by board."""
    limit = _number(rest, 20)
    engine = at.session.engine
    boards = remaining_on_boards(engine, limit)
    for number, board in enumerate(boards, start=1):
        at.screen.line(f"board {number}: {count_line(board.count)}")
        _candidates(at, at.game.one_board, board, limit)
    if not boards:
        _candidates(at, at.game, remaining(engine, limit), limit)
    if near := nearly(engine, _NEARLY, WORTH_SHOWING):
        at.screen.line("If one row is wrong:")
        at.screen.lines(near_lines(at.game, near))


def _candidates(at: Playing, game: Game, listed: Remaining, limit: int) -> None:
    at.screen.lines(candidate_lines(game, listed))
    if listed.more:
        at.screen.note(f"... and more: /candidates {limit * 5}")
    elif not listed.codes:
        at.screen.note("none")


def do_try(at: Playing, rest: str) -> None:
    """Print what a guess of the player's would be worth, and the best, which a coach only rates."""
    if _nothing_to_suggest(at):
        return
    guess = at.game.parse_guess(rest)
    tried = try_guess(at.session.adviser, at.session.engine, guess, at.budget)
    for line in tried_lines(at.game, tried, name_best=not at.coach):
        at.screen.line(line)


def do_why(at: Playing, rest: str) -> None:
    """Print which rows rule a code out."""
    code, board = ask(at.game, rest)
    for line in why_lines(at.game, at.session.history, code, board):
        at.screen.line(line)


def do_certain(at: Playing, _rest: str) -> None:
    """Print what all candidates have in common, and which rows prove it."""
    if not at.session.engine.satisfiable():
        at.tell_state()
        return
    for line in certain_lines(at.game, certain(at.session.engine)):
        at.screen.line(line)


def do_review(at: Playing, _rest: str) -> None:
    """Print how good each guess was, and how skilful and lucky they were together."""
    review = at.review(_LONGEST_REVIEW * at.game.play.budget)
    if not review.turns:
        at.screen.note("nothing to review yet")
        return
    at.screen.table(review_table(at.game, review))
    if review.contradiction is not None:
        named = name_item(at.game, review.history, review.contradiction)
        at.screen.line(f"Nothing fits since {named}")
    at.screen.line(skill_line(review))
    if not review.complete:
        at.screen.note(f"(no time for what came after row {review.turns[-1].number})")


def do_share(at: Playing, _rest: str) -> None:
    """Print how each guess was answered, without its letters, to show to others."""
    if not at.session.history.turns:
        at.screen.note("nothing to share yet")
        return
    for line in share_lines(at.game, at.session.history):
        at.screen.line(line)


def do_suspect(at: Playing, _rest: str) -> None:
    """Print which rows are likeliest to be wrong."""
    found = suspects(at.session.engine)
    if not at.session.history.turns:
        at.screen.note("no row yet")
    elif not found:
        at.screen.note("too many codes to weigh one row against another")
    for suspect in found[:_NEARLY]:
        at.screen.line(suspect_line(at.game, suspect))


def do_rates(at: Playing, rest: str) -> None:
    """Print how often marks are read, or change it."""
    if rest:
        at.session.set_reads(rest)
    for line in channel_lines(at.game, at.session.engine):
        at.screen.line(line)
    if rest:
        at.tell_state()


def do_conflicts(at: Playing, rest: str) -> None:
    """Print the smallest sets of rows that cannot all be right."""
    for places in conflicts(at.session.engine, _number(rest, _NEARLY)) or [()]:
        if not places:
            at.screen.line("The rows agree with each other.")
            return
        explanation = Explanation(at.game, at.session.history, places)
        for line in conflict_lines(explanation):
            at.screen.line(line)


def do_history(at: Playing, _rest: str) -> None:
    """Print all rows."""
    at.screen.lines(history_lines(at.game, at.session.history))


def do_edit(at: Playing, rest: str) -> None:
    """Change a row: its clue, or guess and clue."""
    digits, _, text = rest.partition(" ")
    number = _row(digits)
    old = at.session.history.turn(number)
    if not text.strip():
        at.screen.line(f"{number}. {at.game.format_turn(old)}")
        at.screen.note(f"write /edit {number} CLUE, or /edit {number} GUESS CLUE")
        return
    new = _edited(at, old, text.strip())
    if new.guess != old.guess:
        before = History(at.session.history.turns[: number - 1])
        at.game.check_guess(new.guess, before)
    at.session.edit(number, new)
    at.show(number)
    at.tell_state()


def _edited(at: Playing, old: Turn, text: str) -> Turn:
    game = at.game
    try:
        return game.parse_turn(f"{game.format_code(old.guess)} {text}")
    except InvalidClueError as error:
        if len(text.split()) > 1:
            return game.parse_turn(text)
        raise error from None


def do_repair(at: Playing, rest: str) -> None:
    """Apply a repair where nothing fits, as one step, or list them."""
    found = at.repairs
    if not found:
        fits = at.session.engine.satisfiable()
        raise SessionError("nothing to repair" if fits else "no change of one row mends this")
    if not rest:
        at.tell_repairs()
        return
    number = _row(rest)
    if not 1 <= number <= len(found):
        raise InvalidTurnError(f"{rest!r}: the repairs are 1 to {len(found)}")
    repair = found[number - 1]
    at.session.revise(repair.mended(at.session.history))
    at.echo([row - 1 for row, _ in repair.turns])
    at.tell_state()


def do_drop(at: Playing, rest: str) -> None:
    """Take a row out."""
    at.session.drop(_row(rest))
    at.tell_change()


def do_doubt(at: Playing, rest: str) -> None:
    """Doubt a row, as much as said, or doubt it no more."""
    digits, _, chance = rest.partition(" ")
    number = _row(digits)
    at.session.doubt(number, parse_doubt(chance.lstrip(" ?")) if chance.strip(" ?") else None)
    at.show(number)
    at.tell_state()


def do_fact(at: Playing, rest: str) -> None:
    """Add something known of the secret."""
    fact = at.game.parse_fact(rest)
    at.session.add_fact(fact)
    at.screen.line(f"fact: {fact.text}")
    at.tell_state()


def do_undo(at: Playing, _rest: str) -> None:
    """Take the last step back; first a guess that waits for its clue."""
    if at.standing is not None:
        at.standing = None
    else:
        at.session.undo()
    at.tell_change()


def do_redo(at: Playing, _rest: str) -> None:
    """Take the last undo back."""
    at.session.redo()
    at.tell_change()


def do_widen(at: Playing, rest: str) -> None:
    """Take the secrets from a wider word list, or from any that is named."""
    before = at.session.list_name
    merged = at.game.boards < at.game.secrets_at_once
    # Looking for the next list would build all its pairs, only to hear that they are too many.
    name = rest or (before if merged else _next_list(at))
    at.session.widen(name)
    back = f"; /widen {before} goes back" if before else ""
    at.screen.line(f"secrets: {Path(name).name}{back}")
    at.tell_state()


def _next_list(at: Playing) -> str:
    """Return the list to widen to: the first with candidates where nothing fits, or the next.

    Raises SessionError where there is none.
    """
    found = at.session.wider()
    if found is not None:
        return found.name
    size = at.game.one_board.secrets.size
    lists = at.game.wider()
    name = next((name for name, wider in lists if wider.one_board.secrets.size > size), None)
    if name is None:
        own = at.session.list_name
        if not own:
            raise SessionError("the secrets of this game come from no word list")
        raise SessionError(f"no list is wider than {own}; /widen LIST takes another")
    return name


def do_strategy(at: Playing, rest: str) -> None:
    """Change how guesses are picked, or say how."""
    if not rest:
        at.screen.line(at.game.play.strategy)
        return
    find_strategy(rest)
    before = at.game.play.strategy
    at.session.set_play(strategy=rest)
    try:
        at.tell_state()
    except PuzzlehuntError:
        at.session.set_play(strategy=before)
        raise


def do_save(at: Playing, rest: str) -> None:
    """Keep the session in a file from now on."""
    if rest:
        at.session.keep_in(_path(rest))
    elif at.session.path is None:
        raise InvalidTurnError("this game has no file yet: /save FILE")
    else:
        at.session.save()
    at.screen.line(f"saved: {at.session.path}")


def do_new(at: Playing, _rest: str) -> None:
    """Start anew."""
    at.standing = None
    at.session.clear()
    at.tell_change()


def do_export(at: Playing, rest: str) -> None:
    """Print the SMT-LIB script, or write it to a file."""
    from puzzlehunt.engines import smtlib

    script = smtlib.script(at.game, at.session.history)
    if rest:
        write_whole(_path(rest), script)
        at.screen.line(f"written: {rest}")
    else:
        at.screen.line(script.rstrip())


def do_help(at: Playing, rest: str) -> None:
    """Print how to write clues, and the commands."""
    wanted = _SHORT.get(rest.lstrip("/").casefold(), rest.lstrip("/").casefold())
    if rest and wanted in COMMANDS:
        at.screen.line(f"/{COMMANDS[wanted].usage}  {COMMANDS[wanted].help}")
        return
    at.screen.line("GUESS CLUE plays a row; CLUE alone")
    at.screen.line("answers the suggestion; ` ?` doubts it.")
    at.screen.line(f"Clues: {at.game.rule.legend()}")
    for command in COMMANDS.values():
        at.screen.line(f"/{command.usage:<20} {command.help}")


def do_quit(at: Playing, _rest: str) -> None:
    """Leave."""
    at.end()
    at.open = False


def _nothing_to_suggest(at: Playing) -> bool:
    if at.session.is_won or not at.session.engine.satisfiable():
        at.tell_state()
        return True
    return False


COMMANDS: dict[str, Command] = {
    "suggest": Command(do_suggest, "suggest [N]", "the best guesses"),
    "candidates": Command(do_candidates, "candidates [N]", "what is possible"),
    "why": Command(do_why, "why CODE", "what rules it out"),
    "certain": Command(do_certain, "certain", "what is decided"),
    "try": Command(do_try, "try CODE", "what it is worth"),
    "review": Command(do_review, "review", "how good you were"),
    "share": Command(do_share, "share", "a text for others"),
    "conflicts": Command(do_conflicts, "conflicts [N]", "rows at odds"),
    "suspect": Command(do_suspect, "suspect", "rows to doubt"),
    "rates": Command(do_rates, "rates [B=0.1 ...]", "how marks are read"),
    "history": Command(do_history, "history", "all rows"),
    "edit": Command(do_edit, "edit N [CLUE]", "change a row"),
    "repair": Command(do_repair, "repair [N]", "mend a wrong row"),
    "drop": Command(do_drop, "drop N", "take a row out"),
    "doubt": Command(do_doubt, "doubt N [20%]", "a row may be wrong"),
    "fact": Command(do_fact, "fact H____", "contains E, no Q"),
    "undo": Command(do_undo, "undo", "take it back"),
    "redo": Command(do_redo, "redo", "undo the undo"),
    "widen": Command(do_widen, "widen [LIST]", "a wider word list"),
    "strategy": Command(do_strategy, "strategy [NAME]", "how to guess"),
    "save": Command(do_save, "save [FILE]", "keep it in a file"),
    "new": Command(do_new, "new", "start anew"),
    "export": Command(do_export, "export [FILE]", "SMT-LIB script"),
    "help": Command(do_help, "help [COMMAND]", "this"),
    "quit": Command(do_quit, "quit", "leave"),
}
_SHORT = {
    "s": "suggest", "c": "candidates", "w": "why", "u": "undo", "e": "edit", "h": "help",
    "q": "quit",
}  # fmt: skip
NAMES = frozenset([*COMMANDS, *_SHORT])
"""Every word that begins a command."""


def _number(text: str, default: int) -> int:
    if not text:
        return default
    if not (text.isdecimal() and len(text) < 8 and int(text) > 0):
        raise InvalidTurnError(f"{text!r}: expected a number above 0")
    return int(text)


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise SessionError(f"{text}: there is no such home folder") from None


def _row(text: str) -> int:
    if not (text.isdecimal() and len(text) < 8):
        raise InvalidTurnError(f"{text!r}: expected the number of a row, as /history shows it")
    return int(text)
