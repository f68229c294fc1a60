"""The commands of the conversation: `/suggest`, `/why`, and what each does."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from puzzlehunt.errors import (
    FixedListError,
    InvalidClueError,
    InvalidTurnError,
    PuzzlehuntError,
    SessionError,
)
from puzzlehunt.explain.certainty import certain
from puzzlehunt.explain.conflict import conflicts
from puzzlehunt.explain.remaining import remaining, remaining_on_boards
from puzzlehunt.explain.review import try_guess
from puzzlehunt.explain.suspicion import WORTH_SHOWING, nearly, suspects
from puzzlehunt.explain.why import Explanation, ask, verdicts
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import parse_doubt
from puzzlehunt.session.dialogue import unknown_command
from puzzlehunt.session.outcomes import (
    Candidates,
    Certainties,
    CommandHelped,
    ConflictFound,
    Exported,
    FactAdded,
    GuessTried,
    Helped,
    HistoryShown,
    ListTaken,
    NearlyFitting,
    Outcome,
    Quit,
    Rates,
    RepairsListed,
    Reviewed,
    Saved,
    Shared,
    StrategyNamed,
    Suggestions,
    SuspectsListed,
    TurnsAgree,
    TurnToEdit,
    Usage,
    Why,
    Written,
)
from puzzlehunt.session.player import Player
from puzzlehunt.session.storage import write_whole
from puzzlehunt.strategies.registry import find_strategy

_FEW = 5
"""Conflicts, suspects and codes that nearly fit are listed up to this number."""
_LONGEST_REVIEW = 10
"""A review may take as long as this number of suggestions."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: what runs it, given the player and what stands behind its name, and its usage."""

    run: Callable[[Player, str], Iterator[Outcome]]
    usage: Usage


def run_command(at: Player, line: str) -> Iterator[Outcome]:
    """Return what a line with a command does. Raises UnknownNameError if there is no such one."""
    name, *rest = line[1:].split(maxsplit=1) or [""]
    name = _full_name(name)
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS)
    return COMMANDS[name].run(at, "".join(rest).strip())


def _full_name(name: str) -> str:
    return _SHORT.get(name.casefold(), name.casefold())


# Questions.


def suggest(at: Player, rest: str) -> Iterator[Outcome]:
    """Yield the best guesses."""
    if _is_over(at):
        yield from at.state()
        return
    advice = at.session.advise(_number(rest, 5), at.budget)
    at.suggested = advice.suggestions[0].guess
    yield Suggestions(advice)


def candidates(at: Player, rest: str) -> Iterator[Outcome]:
    """Yield what is still possible, board by board."""
    limit = _number(rest, 20)
    engine = at.session.engine
    boards = remaining_on_boards(engine, limit)
    for number, board in enumerate(boards):
        yield Candidates(board, limit, number)
    if not boards:
        yield Candidates(remaining(engine, limit), limit)
    if near := nearly(engine, _FEW, WORTH_SHOWING):
        yield NearlyFitting(tuple(near))


def try_one(at: Player, rest: str) -> Iterator[Outcome]:
    """Yield what a guess would be worth, and the best, which a coach only rates."""
    if _is_over(at):
        yield from at.state()
        return
    guess = at.game.parse_guess(rest)
    tried = try_guess(at.session.adviser, at.session.engine, guess, at.budget)
    yield GuessTried(tried, name_best=not at.coach)


def why(at: Player, rest: str) -> Iterator[Outcome]:
    """Yield which turns rule a code out."""
    code, board = ask(at.game, rest)
    yield Why(verdicts(at.game, at.session.history, code, board))


def show_certain(at: Player, _rest: str) -> Iterator[Outcome]:
    """Yield what all candidates have in common, and which turns prove it."""
    if not at.session.engine.satisfiable():
        yield from at.state()
        return
    yield Certainties(tuple(certain(at.session.engine)))


def review(at: Player, _rest: str) -> Iterator[Outcome]:
    """Yield how good each guess was, and how skilful and lucky they were together."""
    yield Reviewed(at.review(_LONGEST_REVIEW * at.game.play.budget))


def share(at: Player, _rest: str) -> Iterator[Outcome]:
    """Yield how each guess was answered, to be shown to others."""
    yield Shared(at.session.history)


def suspect(at: Player, _rest: str) -> Iterator[Outcome]:
    """Yield which turns are likeliest to be wrong."""
    listed = suspects(at.session.engine)[:_FEW]
    yield SuspectsListed(at.session.history, tuple(listed))


def show_conflicts(at: Player, rest: str) -> Iterator[Outcome]:
    """Yield the smallest sets of turns that cannot all be right."""
    listed = conflicts(at.session.engine, _number(rest, _FEW))
    if not any(listed):
        yield TurnsAgree()
    for places in listed:
        yield ConflictFound(Explanation(at.game, at.session.history, places))


def history(at: Player, _rest: str) -> Iterator[Outcome]:
    """Yield all turns."""
    yield HistoryShown(at.session.history)


def help_with(_at: Player, rest: str) -> Iterator[Outcome]:
    """Yield how to write clues, and the commands; or one command."""
    name = _full_name(rest.lstrip("/"))
    if rest and name in COMMANDS:
        yield CommandHelped(COMMANDS[name].usage)
        return
    yield Helped(tuple(command.usage for command in COMMANDS.values()))


# Changes of turns.


def edit(at: Player, rest: str) -> Iterator[Outcome]:
    """Change a turn: its clue, or guess and clue."""
    digits, _, text = rest.partition(" ")
    number = _turn_number(digits)
    old = at.session.history.turn(number)
    if not text.strip():
        yield TurnToEdit(number, old)
        return
    new = _edited(at, old, text.strip())
    if new.guess != old.guess:
        before = History(at.session.history.turns[: number - 1])
        at.game.check_guess(new.guess, before)
    at.session.edit(number, new)
    yield at.taken(number)
    yield from at.state()


def _edited(at: Player, old: Turn, text: str) -> Turn:
    game = at.game
    try:
        return game.parse_turn(f"{game.format_code(old.guess)} {text}")
    except InvalidClueError as error:
        if len(text.split()) > 1:
            return game.parse_turn(text)
        raise error from None


def repair(at: Player, rest: str) -> Iterator[Outcome]:
    """Apply a repair where nothing fits, as one step, or list them."""
    listed = at.repairs
    if not listed:
        fits = at.session.engine.satisfiable()
        raise SessionError("nothing to repair" if fits else "no change of one row mends this")
    if not rest:
        yield RepairsListed(at.session.history, tuple(listed))
        return
    number = _turn_number(rest)
    if not 1 <= number <= len(listed):
        raise InvalidTurnError(f"{rest!r}: the repairs are 1 to {len(listed)}")
    chosen = listed[number - 1]
    at.session.revise(chosen.mended(at.session.history))
    yield from at.understood([number - 1 for number, _ in chosen.turns])
    yield from at.state()


def drop(at: Player, rest: str) -> Iterator[Outcome]:
    """Take a turn out."""
    at.session.drop(_turn_number(rest))
    yield from at.changed()


def doubt(at: Player, rest: str) -> Iterator[Outcome]:
    """Doubt a turn, as much as said, or doubt it no more."""
    digits, _, chance = rest.partition(" ")
    number = _turn_number(digits)
    at.session.doubt(number, parse_doubt(chance.lstrip(" ?")) if chance.strip(" ?") else None)
    yield at.taken(number)
    yield from at.state()


def add_fact(at: Player, rest: str) -> Iterator[Outcome]:
    """Add something known of the secret."""
    fact = at.game.parse_fact(rest)
    at.session.add_fact(fact)
    yield FactAdded(fact)
    yield from at.state()


def undo(at: Player, _rest: str) -> Iterator[Outcome]:
    """Take the last step back; first a guess that waits for its clue."""
    if at.standing is not None:
        at.standing = None
    else:
        at.session.undo()
    yield from at.changed()


def redo(at: Player, _rest: str) -> Iterator[Outcome]:
    """Take the last undo back."""
    at.session.redo()
    yield from at.changed()


def start_anew(at: Player, _rest: str) -> Iterator[Outcome]:
    """Forget all turns and facts."""
    at.standing = None
    at.session.clear()
    yield from at.changed()


# Settings and files.


def rates(at: Player, rest: str) -> Iterator[Outcome]:
    """Yield how often marks are read, or change it."""
    if rest:
        at.session.set_reads(rest, written="/rates")
    listing = at.session.engine.listed
    learned = at.game.channel.reads is not None and listing is not None
    yield Rates(tuple(listing.posterior.rates) if learned and listing is not None else None)
    if rest:
        yield from at.state()


def widen(at: Player, rest: str) -> Iterator[Outcome]:
    """Take the secrets from a wider word list, or from any that is named."""
    before = at.session.list_name
    merged = at.game.boards < at.game.secrets_at_once
    # Looking for the next list would build all its pairs, only to hear that they are too many.
    name = rest or (before if merged else _next_list(at))
    try:
        at.session.widen(name, written="/widen")
    except FixedListError as error:
        raise FixedListError(f"{error}; another: play --words LIST") from None
    yield ListTaken(name, before)
    yield from at.state()


def _next_list(at: Player) -> str:
    """Return the list to widen to: the first with candidates where nothing fits, or the next.

    Raises SessionError where there is none.
    """
    wider = at.session.wider()
    if wider is not None:
        return wider.name
    size = at.game.one_board.secrets.size
    lists = at.game.wider_games()
    name = next((name for name, game in lists if game.one_board.secrets.size > size), None)
    if name is None:
        own = at.session.list_name
        if not own:
            raise SessionError("the secrets of this game come from no word list")
        raise SessionError(f"no list is wider than {own}; /widen LIST takes another")
    return name


def strategy(at: Player, rest: str) -> Iterator[Outcome]:
    """Change how guesses are picked, or say how."""
    if not rest:
        yield StrategyNamed(at.game.play.strategy)
        return
    find_strategy(rest)
    before = at.game.play.strategy
    at.session.set_play(strategy=rest)
    try:
        yield from at.state()
    except PuzzlehuntError:
        at.session.set_play(strategy=before)
        raise


def save(at: Player, rest: str) -> Iterator[Outcome]:
    """Keep the session in a file from now on."""
    if rest:
        at.session.keep_in(_path(rest))
    elif at.session.path is None:
        raise InvalidTurnError("this game has no file yet: /save FILE")
    else:
        at.session.save()
    assert at.session.path is not None
    yield Saved(at.session.path)


def export(at: Player, rest: str) -> Iterator[Outcome]:
    """Yield the SMT-LIB script, or write it to a file."""
    from puzzlehunt.engines import smtlib

    script = smtlib.script(at.game, at.session.history)
    if rest:
        write_whole(_path(rest), script)
        yield Written(rest)
    else:
        yield Exported(script)


def leave(at: Player, _rest: str) -> Iterator[Outcome]:
    """Record a guess that still stands, and leave."""
    yield from at.record_standing()
    yield Quit()


COMMANDS = {
    "suggest": Command(suggest, Usage("suggest [N]", "the best guesses")),
    "candidates": Command(candidates, Usage("candidates [N]", "what is possible")),
    "why": Command(why, Usage("why CODE", "what rules it out")),
    "certain": Command(show_certain, Usage("certain", "what is decided")),
    "try": Command(try_one, Usage("try CODE", "what it is worth")),
    "review": Command(review, Usage("review", "how good you were")),
    "share": Command(share, Usage("share", "a text for others")),
    "conflicts": Command(show_conflicts, Usage("conflicts [N]", "rows at odds")),
    "suspect": Command(suspect, Usage("suspect", "rows to doubt")),
    "rates": Command(rates, Usage("rates [B=0.1 ...]", "how marks are read")),
    "history": Command(history, Usage("history", "all rows")),
    "edit": Command(edit, Usage("edit N [CLUE]", "change a row")),
    "repair": Command(repair, Usage("repair [N]", "mend a wrong row")),
    "drop": Command(drop, Usage("drop N", "take a row out")),
    "doubt": Command(doubt, Usage("doubt N [20%]", "a row may be wrong")),
    "fact": Command(add_fact, Usage("fact H____", "contains E, no Q")),
    "undo": Command(undo, Usage("undo", "take it back")),
    "redo": Command(redo, Usage("redo", "undo the undo")),
    "widen": Command(widen, Usage("widen [LIST]", "a wider word list")),
    "strategy": Command(strategy, Usage("strategy [NAME]", "how to guess")),
    "save": Command(save, Usage("save [FILE]", "keep it in a file")),
    "new": Command(start_anew, Usage("new", "start anew")),
    "export": Command(export, Usage("export [FILE]", "SMT-LIB script")),
    "help": Command(help_with, Usage("help [COMMAND]", "this")),
    "quit": Command(leave, Usage("quit", "leave")),
}
_SHORT = {
    "s": "suggest", "c": "candidates", "w": "why", "u": "undo", "e": "edit", "h": "help",
    "q": "quit",
}  # fmt: skip
NAMES = frozenset([*COMMANDS, *_SHORT])
"""Every word that begins a command."""


def _is_over(at: Player) -> bool:
    """Return whether there is nothing to suggest: all is found, or nothing fits."""
    return at.session.is_won or not at.session.engine.satisfiable()


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


def _turn_number(text: str) -> int:
    if not (text.isdecimal() and len(text) < 8):
        raise InvalidTurnError(f"{text!r}: expected the number of a row, as /history shows it")
    return int(text)
