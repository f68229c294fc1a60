"""The commands of a conversation, such as `/suggest` and `/why`.

Each is a function of the player and of the text behind the command's name, which yields outcomes.
"""

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
from puzzlehunt.explain.suspicion import nearly, suspects
from puzzlehunt.explain.why import Explanation, ask, verdicts
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import parse_doubt
from puzzlehunt.session.dialogue import unknown_command
from puzzlehunt.session.notable import NEAR_CHANCE
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
from puzzlehunt.session.storage import write_atomically
from puzzlehunt.strategies.registry import find_strategy

_LISTED = 5
"""Number of conflicts, suspects, or codes that nearly fit, that are listed at most."""
_LONGEST_REVIEW = 10
"""Longest time of a review that the player asks for (budgets of one suggestion)."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the function that runs it, and its usage."""

    run: Callable[[Player, str], Iterator[Outcome]]
    usage: Usage


def run_command(player: Player, line: str) -> Iterator[Outcome]:
    """Return the outcomes of a line `/NAME ...`. Raises UnknownNameError for an unknown name."""
    name, *rest = line[1:].split(maxsplit=1) or [""]
    name = _full_name(name)
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS)
    return COMMANDS[name].run(player, "".join(rest).strip())


def _full_name(name: str) -> str:
    """Return the name of the command that a name or its short form means, in lower case."""
    return _SHORT.get(name.casefold(), name.casefold())


# Questions.


def suggest(player: Player, rest: str) -> Iterator[Outcome]:
    """Yield the best next guesses: 5, or the number in `rest`."""
    if _no_suggestion(player):
        yield from player.state()
        return
    advice = player.session.advise(_number(rest, 5), player.budget)
    player.suggested = advice.suggestions[0].guess
    yield Suggestions(advice)


def candidates(player: Player, rest: str) -> Iterator[Outcome]:
    """Yield up to 20 candidates, or the number in `rest`, board by board, and what nearly fits."""
    limit = _number(rest, 20)
    engine = player.session.engine
    boards = remaining_on_boards(engine, limit)
    for number, board in enumerate(boards):
        yield Candidates(board, limit, number)
    if not boards:
        yield Candidates(remaining(engine, limit), limit)
    if near := nearly(engine, _LISTED, NEAR_CHANCE):
        yield NearlyFitting(tuple(near))


def try_one(player: Player, rest: str) -> Iterator[Outcome]:
    """Yield what a guess would be worth beside the best, which a coach does not name."""
    if _no_suggestion(player):
        yield from player.state()
        return
    guess = player.game.parse_guess(rest)
    tried = try_guess(player.session.adviser, player.session.engine, guess, player.budget)
    yield GuessTried(tried, name_best=not player.coach)


def why(player: Player, rest: str) -> Iterator[Outcome]:
    """Yield which turns and facts rule a code out."""
    code, board = ask(player.game, rest)
    yield Why(verdicts(player.game, player.session.history, code, board))


def show_certain(player: Player, _rest: str) -> Iterator[Outcome]:
    """Yield what all candidates have in common, and which turns prove it."""
    if not player.session.engine.satisfiable():
        yield from player.state()
        return
    yield Certainties(tuple(certain(player.session.engine)))


def review(player: Player, _rest: str) -> Iterator[Outcome]:
    """Yield how good each guess was, and the skill and luck of all together."""
    yield Reviewed(player.review(_LONGEST_REVIEW * player.game.play.budget))


def share(player: Player, _rest: str) -> Iterator[Outcome]:
    """Yield the history, to be shown to others without its symbols."""
    yield Shared(player.session.history)


def suspect(player: Player, _rest: str) -> Iterator[Outcome]:
    """Yield the turns that are likeliest to be wrong."""
    likeliest = suspects(player.session.engine)[:_LISTED]
    yield SuspectsListed(player.session.history, tuple(likeliest))


def show_conflicts(player: Player, rest: str) -> Iterator[Outcome]:
    """Yield smallest sets of turns and facts that cannot all be right: 5, or as many as asked."""
    smallest = conflicts(player.session.engine, _number(rest, _LISTED))
    if not any(smallest):
        yield TurnsAgree()
    for places in smallest:
        yield ConflictFound(Explanation(player.game, player.session.history, places))


def history(player: Player, _rest: str) -> Iterator[Outcome]:
    """Yield all turns and facts."""
    yield HistoryShown(player.session.history)


def help_with(_player: Player, rest: str) -> Iterator[Outcome]:
    """Yield how to write clues and all commands, or the usage of the one in `rest`."""
    name = _full_name(rest.lstrip("/"))
    if rest and name in COMMANDS:
        yield CommandHelped(COMMANDS[name].usage)
        return
    yield Helped(tuple(command.usage for command in COMMANDS.values()))


# Changes of turns.


def edit(player: Player, rest: str) -> Iterator[Outcome]:
    """Change a turn: its clue, or guess and clue. Without either, yield what stands there."""
    digits, _, text = rest.partition(" ")
    number = _turn_number(digits)
    old = player.session.history.turn(number)
    if not text.strip():
        yield TurnToEdit(number, old)
        return
    new = _edited(player, old, text.strip())
    if new.guess != old.guess:
        before = History(player.session.history.turns[: number - 1])
        player.game.check_guess(new.guess, before)
    player.session.edit(number, new)
    yield player.turn_taken(number)
    yield from player.state()


def _edited(player: Player, old: Turn, text: str) -> Turn:
    """Return an old turn with the clue that a text writes, or the turn that it writes."""
    game = player.game
    try:
        return game.parse_turn(f"{game.format_code(old.guess)} {text}")
    except InvalidClueError as error:
        if len(text.split()) > 1:
            return game.parse_turn(text)
        raise error from None


def repair(player: Player, rest: str) -> Iterator[Outcome]:
    """Apply the repair whose number is given, as one step; without a number, list the repairs."""
    repairs = player.repairs
    if not repairs:
        fits = player.session.engine.satisfiable()
        raise SessionError("nothing to repair" if fits else "no change of one row mends this")
    if not rest:
        yield RepairsListed(player.session.history, tuple(repairs))
        return
    number = _turn_number(rest)
    if not 1 <= number <= len(repairs):
        raise InvalidTurnError(f"{rest!r}: the repairs are 1 to {len(repairs)}")
    chosen = repairs[number - 1]
    player.session.revise(chosen.mended(player.session.history))
    yield from player.turns_taken(number for number, _ in chosen.turns)
    yield from player.state()


def drop(player: Player, rest: str) -> Iterator[Outcome]:
    """Take a turn out."""
    player.session.drop(_turn_number(rest))
    yield from player.after_change()


def doubt(player: Player, rest: str) -> Iterator[Outcome]:
    """Doubt a turn, with a chance such as 20% where one is given; or doubt it no more."""
    digits, _, chance = rest.partition(" ")
    number = _turn_number(digits)
    player.session.doubt(number, parse_doubt(chance.lstrip(" ?")) if chance.strip(" ?") else None)
    yield player.turn_taken(number)
    yield from player.state()


def add_fact(player: Player, rest: str) -> Iterator[Outcome]:
    """Add something known of the secret."""
    fact = player.game.parse_fact(rest)
    player.session.add_fact(fact)
    yield FactAdded(fact)
    yield from player.state()


def undo(player: Player, _rest: str) -> Iterator[Outcome]:
    """Take back the standing guess, or if there is none the last step."""
    if player.standing is not None:
        player.standing = None
    else:
        player.session.undo()
    yield from player.after_change()


def redo(player: Player, _rest: str) -> Iterator[Outcome]:
    """Take the last undo back."""
    player.session.redo()
    yield from player.after_change()


def start_anew(player: Player, _rest: str) -> Iterator[Outcome]:
    """Remove all turns and facts, and the standing guess."""
    player.standing = None
    player.session.clear()
    yield from player.after_change()


# Settings and files.


def rates(player: Player, rest: str) -> Iterator[Outcome]:
    """Change how often marks are read, where rates are given, and yield the rates."""
    if rest:
        player.session.set_reads(rest, option="/rates")
    listing = player.session.engine.listed
    if player.game.channel.reads is None or listing is None:
        yield Rates(None)
    else:
        yield Rates(tuple(listing.posterior.rates))
    if rest:
        yield from player.state()


def widen(player: Player, rest: str) -> Iterator[Outcome]:
    """Take the secrets from the word list in `rest`, or from the next wider one."""
    before = player.session.list_name
    pairs = player.game.boards < player.game.secrets_at_once
    # Pairs are refused by `Session.widen`: do not build those of the next list to find its name.
    name = rest or (before if pairs else _next_list(player))
    try:
        player.session.widen(name, option="/widen")
    except FixedListError as error:
        instead = "start with --words" if pairs else "another: play --words LIST"
        raise FixedListError(f"{error}; {instead}") from None
    yield ListTaken(name, before)
    yield from player.state()


def _next_list(player: Player) -> str:
    """Return the name of the next wider word list; where nothing fits, the first with candidates.

    Raises SessionError where there is none.
    """
    wider = player.session.wider()
    if wider is not None:
        return wider.name
    size = player.game.one_board.secrets.size
    lists = player.game.wider_games()
    name = next((name for name, game in lists if game.one_board.secrets.size > size), None)
    if name is None:
        present = player.session.list_name
        if not present:
            raise SessionError("the secrets of this game come from no word list")
        raise SessionError(f"no list is wider than {present}; /widen LIST takes another")
    return name


def strategy(player: Player, rest: str) -> Iterator[Outcome]:
    """Change the strategy to the one in `rest`; without a name, yield the present one.

    A strategy that cannot advise here is not kept.
    """
    if not rest:
        yield StrategyNamed(player.game.play.strategy)
        return
    find_strategy(rest)
    before = player.game.play.strategy
    player.session.set_play(strategy=rest)
    try:
        yield from player.state()
    except PuzzlehuntError:
        player.session.set_play(strategy=before)
        raise


def save(player: Player, rest: str) -> Iterator[Outcome]:
    """Keep the session in the file in `rest` from now on, or write the one that it has."""
    if rest:
        player.session.keep_in(_path(rest))
    elif player.session.path is None:
        raise InvalidTurnError("this game has no file yet: /save FILE")
    else:
        player.session.save()
    assert player.session.path is not None
    yield Saved(player.session.path)


def export(player: Player, rest: str) -> Iterator[Outcome]:
    """Write the game as an SMT-LIB script to the file in `rest`; without one, yield the script."""
    from puzzlehunt.engines import smtlib

    script = smtlib.script(player.game, player.session.history)
    if rest:
        write_atomically(_path(rest), script)
        yield Written(rest)
    else:
        yield Exported(script)


def leave(player: Player, _rest: str) -> Iterator[Outcome]:
    """Record the standing guess as unread, and leave."""
    yield from player.record_standing()
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
"""The names of all commands, and their short forms."""


def _no_suggestion(player: Player) -> bool:
    """Return whether no guess can be suggested: everything is found, or nothing fits."""
    return player.session.is_won or not player.session.engine.satisfiable()


def _number(text: str, default: int) -> int:
    """Return the number, 1 or more, that a text writes; of no text, the default."""
    if not text:
        return default
    if not (text.isdecimal() and len(text) < 8 and int(text) > 0):
        raise InvalidTurnError(f"{text!r}: expected a number above 0")
    return int(text)


def _path(text: str) -> Path:
    """Return the path that a player writes, where `~` is the home folder."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise SessionError(f"{text}: there is no such home folder") from None


def _turn_number(text: str) -> int:
    """Return the number that a text writes; whether there is such a turn is not checked."""
    if not (text.isdecimal() and len(text) < 8):
        raise InvalidTurnError(f"{text!r}: expected the number of a row, as /history shows it")
    return int(text)
