"""The commands of a conversation, such as `/suggest` and `/why`.

Each is a function that yields outcomes. `argument` is the text after the command's name.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from puzzlehunt.codes.alphabet import Alphabet
from puzzlehunt.codes.files import path_written
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import (
    FixedListError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
    SessionError,
    UnknownNameError,
)
from puzzlehunt.explanation.certainty import certain
from puzzlehunt.explanation.conflict import conflicts
from puzzlehunt.explanation.remaining import remaining, remaining_on_boards
from puzzlehunt.explanation.review import try_guess
from puzzlehunt.explanation.suspects import NEAR_CHANCE, near_misses, suspects
from puzzlehunt.explanation.unread import unread_marks
from puzzlehunt.explanation.why import Explanation, parse_question, verdicts
from puzzlehunt.game.files.atomic import write_new
from puzzlehunt.game.history import History, Turn
from puzzlehunt.game.lines import parse_doubt, with_text
from puzzlehunt.game.merging import Effect
from puzzlehunt.game.play import names_code
from puzzlehunt.session.dialogue import PLAIN_COMMANDS, is_command
from puzzlehunt.session.other_names import unknown_command
from puzzlehunt.session.outcomes import (
    Candidates,
    Certainties,
    ConflictShown,
    FactAdded,
    GuessTried,
    Helped,
    HistoryShown,
    ListTaken,
    NearMissesListed,
    Outcome,
    Quit,
    ReadRatesShown,
    RepairsListed,
    Reviewed,
    Saved,
    ScriptExported,
    Shared,
    StrategyNamed,
    Suggestions,
    SuspectsListed,
    TurnToEdit,
    UnreadRanked,
    Usage,
    Why,
)
from puzzlehunt.session.player import Player
from puzzlehunt.strategies.registry import find_strategy

_MOST_LISTED = 5
"""How many conflicts, suspects, or codes that nearly fit are listed at most."""
_LONGEST_LIST = 100_000
"""How many candidates are listed at most where the player asks for all (of each board)."""
_LONGEST_REVIEW = 10
"""Longest time of a review that the player asks for (as a multiple of one suggestion's budget)."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the function that runs it, and its usage."""

    run: Callable[[Player, str], Iterator[Outcome]]
    usage: Usage


def run_command(player: Player, line: str) -> Iterator[Outcome]:
    """Return the outcomes of a line `/NAME ...`. Raises UnknownNameError for an unknown name."""
    name, *argument = line[1:].split(maxsplit=1) or [""]
    name = _full_name(name)
    if name not in COMMANDS:
        raise unknown_command(name, COMMANDS)
    return COMMANDS[name].run(player, "".join(argument).strip())


def command_of(line: str, alphabet: Alphabet) -> tuple[str, str]:
    """Return the full name of the command that a line is, and its argument; two "" for no command.

    The name is that which is typed, in lower case, where there is no such command.
    """
    line = line.strip()
    if not is_command(line, NAMES, alphabet):
        return "", ""
    name, *argument = line[1:].split(maxsplit=1) or [""]
    return _full_name(name), "".join(argument).strip()


def _full_name(name: str) -> str:
    """Return the name of the command that a name or its short form means, in lower case."""
    return _SHORT_FORMS.get(name.casefold(), name.casefold())


# Questions.


def suggest(player: Player, argument: str) -> Iterator[Outcome]:
    """Yield the best next guesses: 5, or the number in `argument`."""
    if _nothing_to_suggest(player):
        yield from player.state()
        return
    advice = player.session.advise(_number(argument, 5), player.budget)
    player.suggested_guess = advice.suggestions[0].guess
    yield Suggestions(advice)


def candidates(player: Player, argument: str) -> Iterator[Outcome]:
    """Yield candidates by board, and what nearly fits: up to 20, the number asked for, or all."""
    engine = player.session.engine
    limit = _all(engine) if argument.casefold() == "all" else _number(argument, 20)
    boards = remaining_on_boards(engine, limit)
    for board, remaining_codes in enumerate(boards):
        yield Candidates(remaining_codes, limit, board)
    if not boards:
        yield Candidates(remaining(engine, limit), limit)
    if near := near_misses(engine, _MOST_LISTED, NEAR_CHANCE):
        yield NearMissesListed(tuple(near))


def _all(engine: Engine) -> int:
    """Return how many candidates to list for all of them. Raises SessionError if too many."""
    counts = [board.count() for board in engine.boards()]
    if any(count.high is None or count.high > _LONGEST_LIST for count in counts):
        raise SessionError(f"more than {_LONGEST_LIST:,} are left; /candidates 1000 lists as many")
    return _LONGEST_LIST


def try_code(player: Player, argument: str) -> Iterator[Outcome]:
    """Yield what a guess would be worth, and the best one, which a coached player is not told."""
    if _nothing_to_suggest(player):
        yield from player.state()
        return
    guess = player.game.parse_guess(_code_text(player, "try", argument))
    tried = try_guess(player.session.adviser, player.session.engine, guess, player.budget)
    yield GuessTried(tried, name_best=not player.coach)


def why(player: Player, argument: str) -> Iterator[Outcome]:
    """Yield which turns and facts rule a code out."""
    code, board = parse_question(player.game, _code_text(player, "why", argument))
    yield Why(verdicts(player.game, player.session.history, code, board))


def _code_text(player: Player, command: str, argument: str) -> str:
    """Return the text of the code that a command is about. Raises InvalidTurnError for none."""
    if not argument:
        asks_for_pair = command == "why" and player.game.boards < player.game.secrets_at_once
        first = next(iter(player.game.one_board.secrets))
        code = first if asks_for_pair or player.target is None else player.target
        raise InvalidTurnError(f"which code? e.g. /{command} {player.game.format_code(code)}")
    return argument


def show_certain(player: Player, _argument: str) -> Iterator[Outcome]:
    """Yield what all candidates have in common, and which turns prove it."""
    engine = player.session.engine
    if not engine.satisfiable():
        yield from player.state()
        return
    yield Certainties(tuple(certain(engine)), engine.proves)


def review(player: Player, _argument: str) -> Iterator[Outcome]:
    """Yield how good each guess was, and the skill and luck of all guesses together."""
    yield Reviewed(player.review(_LONGEST_REVIEW * player.game.play.budget))


def share(player: Player, _argument: str) -> Iterator[Outcome]:
    """Yield the history, to be shown to others without its symbols."""
    yield Shared(player.session.history)


def suspect(player: Player, _argument: str) -> Iterator[Outcome]:
    """Yield the turns that are likeliest to be wrong."""
    likeliest = suspects(player.session.engine)[:_MOST_LISTED]
    yield SuspectsListed(player.session.history, tuple(likeliest))


def rank_unread(player: Player, argument: str) -> Iterator[Outcome]:
    """Yield which unread marks tell most: 5, or the number in `argument`."""
    if _nothing_to_suggest(player):
        yield from player.state()
        return
    limit = _number(argument, _MOST_LISTED)
    yield UnreadRanked(unread_marks(player.session.engine, player.budget), limit)


def show_conflicts(player: Player, argument: str) -> Iterator[Outcome]:
    """Yield smallest sets of turns and facts that cannot all be right: 5, or as many as asked."""
    smallest_conflicts = conflicts(player.session.engine, _number(argument, _MOST_LISTED))
    for places in smallest_conflicts or [()]:
        yield ConflictShown(Explanation(player.game, player.session.history, places))


def history(player: Player, _argument: str) -> Iterator[Outcome]:
    """Yield all turns and facts."""
    yield HistoryShown(player.session.history)


def help_with(_player: Player, argument: str) -> Iterator[Outcome]:
    """Yield how to write clues and all commands, or the usage of the command in `argument`."""
    name = _full_name(argument.lstrip("/"))
    if argument and name in COMMANDS:
        yield Helped("command", (COMMANDS[name].usage,))
        return
    yield Helped("conversation", tuple(command.usage for command in COMMANDS.values()))


# Changes of turns.


def edit(player: Player, argument: str) -> Iterator[Outcome]:
    """Change a turn: its clue, or guess and clue. Without either, yield what stands there."""
    number, text = _turn_named(player, argument, "edit")
    old_turn = player.session.history.turn(number)
    if not text:
        yield TurnToEdit(number, old_turn)
        return
    new_turn = _edited(player, old_turn, text)
    if new_turn.guess != old_turn.guess:
        earlier_turns = History(player.session.history.turns[: number - 1])
        player.game.check_guess(new_turn.guess, earlier_turns)
    yield from player.turn_placed(player.session.edit(number, new_turn))
    yield from player.state()


def add(player: Player, argument: str) -> Iterator[Outcome]:
    """Add marks to a turn that were read besides those that stand there."""
    number, text = _turn_named(player, argument, "add")
    turn = player.session.history.turn(number)
    if not text:
        raise InvalidTurnError(f"which mark? /add ROW MARK, e.g. /add {number} {_any_mark(player)}")
    clue = player.game.rule.add_marks(turn.clue, text, turn.guess)
    clue = player.game.parse_clue(player.game.rule.format(clue), turn.guess)
    placed = player.session.edit(number, with_text(player.game, replace(turn, clue=clue)))
    effect: Effect = "completed" if placed.effect == "replaced" else placed.effect
    yield from player.turn_placed(replace(placed, effect=effect))
    yield from player.state()


def _any_mark(player: Player) -> str:
    return player.game.rule.named_marks()[0][0]


def _edited(player: Player, old_turn: Turn, text: str) -> Turn:
    """Return an old turn with the clue that a text writes, or the turn that it writes."""
    game = player.game
    try:
        return game.parse_turn(f"{game.format_code(old_turn.guess)} {text}")
    except InvalidClueError as error:
        if len(text.split()) > 1:
            return game.parse_turn(text)
        raise error from None


def repair(player: Player, argument: str) -> Iterator[Outcome]:
    """Apply the repair whose number is given, as one step; without a number, list the repairs.

    Where that number was another repair when they were shown last, they are listed instead.
    """
    repairs = player.repairs
    if not repairs:
        fits = player.session.engine.satisfiable()
        raise SessionError("nothing to repair" if fits else "no change of one row mends this")
    shown, player.repairs_shown = player.repairs_shown, tuple(repairs)
    if not argument:
        yield RepairsListed(player.session.history, tuple(repairs))
        return
    is_number = argument.isdecimal() and len(argument) < 8
    if not (is_number and 1 <= int(argument) <= len(repairs)):
        raise InvalidTurnError(f"{argument!r}: the repairs are 1 to {len(repairs)}")
    place = int(argument) - 1
    chosen_repair = repairs[place]
    if shown is not None and [one.turns for one in shown[place : place + 1]] != [
        chosen_repair.turns
    ]:
        yield RepairsListed(player.session.history, tuple(repairs))
        raise InvalidTurnError("the rows have changed: these are the repairs now; which one?")
    player.session.revise(chosen_repair.mended(player.session.history))
    yield from player.turns_taken(number for number, _ in chosen_repair.turns)
    yield from player.state()


def drop(player: Player, argument: str) -> Iterator[Outcome]:
    """Remove a turn."""
    before = player.session.history
    number, _ = _turn_named(player, argument, "drop")
    player.session.drop(number)
    yield from player.after_change("drop", before)


def doubt(player: Player, argument: str) -> Iterator[Outcome]:
    """Doubt a turn, by a chance such as 20% where one is given; or doubt it no longer."""
    number, chance = _turn_named(player, argument, "doubt")
    player.session.doubt(number, parse_doubt(chance.lstrip(" ?")) if chance.strip(" ?") else None)
    yield player.turn_taken(number)
    yield from player.state()


def add_fact(player: Player, argument: str) -> Iterator[Outcome]:
    """Add a fact about the secret."""
    fact = player.game.parse_fact(argument)
    player.session.add_fact(fact)
    yield FactAdded(fact)
    yield from player.state()


def undo(player: Player, argument: str) -> Iterator[Outcome]:
    """Take the last step back, or the last N; a standing guess is the newest step."""
    steps, before, standing = _number(argument, 1), player.session.history, player.standing_guess
    player.standing = None
    if standing is None or steps > 1:
        _repeat(player.session.undo, steps - (standing is not None), required=standing is None)
    yield from player.after_change("undo", before, standing)


def redo(player: Player, argument: str) -> Iterator[Outcome]:
    """Take the last undo back, or the last N."""
    before = player.session.history
    _repeat(player.session.redo, _number(argument, 1))
    yield from player.after_change("redo", before)


def _repeat(step: Callable[[], None], times: int, required: bool = True) -> None:
    """Take a step some times, or as often as it can be taken.

    Raises SessionError if it is `required` and cannot be taken once.
    """
    for number in range(times):
        try:
            step()
        except SessionError:
            if required and number == 0:
                raise
            return


def start_anew(player: Player, _argument: str) -> Iterator[Outcome]:
    """Remove all turns and facts, and the standing guess."""
    before, standing = player.session.history, player.standing_guess
    player.standing = None
    player.session.clear()
    yield from player.after_change("new", before, standing)


# Settings and files.


def rates(player: Player, argument: str) -> Iterator[Outcome]:
    """Change how often marks are read, where rates are given, and yield the rates."""
    if argument:
        player.session.set_reads(argument, option="/rates")
    listing = player.session.engine.listed
    if player.game.channel.reads is None or listing is None:
        yield ReadRatesShown(None)
    else:
        yield ReadRatesShown(tuple(listing.posterior.rates))
    if argument:
        yield from player.state()


def widen(player: Player, argument: str) -> Iterator[Outcome]:
    """Take the secrets from the word list named in `argument`, or from the next wider one."""
    old_name = player.session.list_name
    has_pairs = player.game.boards < player.game.secrets_at_once
    # `Session.widen` refuses pairs of words: do not build all pairs of the next list for its name.
    name = argument or (old_name if has_pairs else _next_list(player))
    try:
        player.session.widen(name, option="/widen")
    except FixedListError as error:
        remedy = "start with --words" if has_pairs else "another: play --words LIST"
        raise FixedListError(f"{error}; {remedy}") from None
    yield ListTaken(name, old_name)
    yield from player.state()


def _next_list(player: Player) -> str:
    """Return the name of the next wider word list; where nothing fits, the first with candidates.

    Raises SessionError where there is no such list.
    """
    wider = player.session.wider()
    if wider is not None:
        return wider.name
    size = player.game.one_board.secrets.size
    lists = player.game.wider_games()
    name = next((name for name, game in lists if game.one_board.secrets.size > size), None)
    if name is None:
        own_list = player.session.list_name
        if not own_list:
            raise SessionError("the secrets of this game come from no word list")
        raise SessionError(f"no list is wider than {own_list}; /widen LIST takes another")
    return name


def strategy(player: Player, argument: str) -> Iterator[Outcome]:
    """Change the strategy to the one named in `argument`; without a name, yield the present one.

    Where the new strategy fails to advise in this game, the old one stays.
    """
    if not argument:
        yield StrategyNamed(player.session.adviser.strategy_name)
        return
    if names_code(argument):
        raise UnknownNameError(f"code is only loaded at the start, from --strategy {argument}")
    find_strategy(argument)
    old = player.game.play
    player.session.set_play(strategy=argument)
    try:
        outcomes = list(player.state())
    except PuzzlehuntError:
        player.session.set_play(strategy=old.strategy)
        raise
    yield StrategyNamed(argument, "" if argument == old.strategy else old.strategy_name)
    yield from outcomes


def save(player: Player, argument: str) -> Iterator[Outcome]:
    """Keep the session in the file that `argument` names from now on, or save its present file."""
    if argument:
        player.session.keep_in(_path(argument))
    elif player.session.path is None:
        raise InvalidTurnError("this game has no file yet: /save FILE")
    else:
        player.session.save()
    assert player.session.path is not None
    yield Saved(player.session.path)


def export(player: Player, argument: str) -> Iterator[Outcome]:
    """Write the game as an SMT-LIB script to the file named in `argument`, or yield the script."""
    from puzzlehunt.engines import smtlib

    script = smtlib.script(player.game, player.session.history)
    if argument:
        write_new(_path(argument), script)
    yield ScriptExported(script, argument)


def leave(player: Player, _argument: str) -> Iterator[Outcome]:
    """Leave; where nothing keeps the standing guess until later, it is recorded as unread."""
    if not player.session.keeps_standing:
        yield from player.record_standing_guess()
    yield Quit()


COMMANDS = {
    "suggest": Command(suggest, Usage("suggest [N]", "the best guesses")),
    "candidates": Command(candidates, Usage("candidates [N|all]", "what is possible")),
    "why": Command(why, Usage("why CODE", "what rules it out")),
    "certain": Command(show_certain, Usage("certain", "what is decided")),
    "try": Command(try_code, Usage("try CODE", "what it is worth")),
    "review": Command(review, Usage("review", "how good you were")),
    "share": Command(share, Usage("share", "a text for others")),
    "conflicts": Command(show_conflicts, Usage("conflicts [N]", "rows at odds")),
    "next": Command(rank_unread, Usage("next [N]", "mark to solve next")),
    "suspect": Command(suspect, Usage("suspect", "rows to doubt")),
    "rates": Command(rates, Usage("rates [B=0.1 ...]", "how marks are read")),
    "history": Command(history, Usage("history", "all rows")),
    "edit": Command(edit, Usage("edit ROW [CLUE]", "change a row")),
    "add": Command(add, Usage("add ROW MARK", "a mark more")),
    "repair": Command(repair, Usage("repair [N]", "mend a wrong row")),
    "drop": Command(drop, Usage("drop ROW", "take a row out")),
    "doubt": Command(doubt, Usage("doubt ROW [20%]", "it may be wrong")),
    "fact": Command(add_fact, Usage("fact H____", "contains E, no Q")),
    "undo": Command(undo, Usage("undo [N]", "take it back")),
    "redo": Command(redo, Usage("redo [N]", "undo the undo")),
    "widen": Command(widen, Usage("widen [LIST]", "a wider word list")),
    "strategy": Command(strategy, Usage("strategy [NAME]", "how to guess")),
    "save": Command(save, Usage("save [FILE]", "keep it in a file")),
    "new": Command(start_anew, Usage("new", "start anew")),
    "export": Command(export, Usage("export [FILE]", "SMT-LIB script")),
    "help": Command(help_with, Usage("help [COMMAND]", "this; also help, ?")),
    "quit": Command(leave, Usage("quit", "leave; also exit")),
}
_SHORT_FORMS = {
    "s": "suggest", "c": "candidates", "w": "why", "u": "undo", "e": "edit", "h": "help",
    "q": "quit", **PLAIN_COMMANDS,
}  # fmt: skip
NAMES = frozenset([*COMMANDS, *_SHORT_FORMS])
"""The names and short forms of all commands."""
NAMES_WITHOUT_SLASH = frozenset([*COMMANDS, *PLAIN_COMMANDS])
"""Words that are taken for a command whose slash is missing."""


def _nothing_to_suggest(player: Player) -> bool:
    """Return whether no guess can be suggested: everything is found, or nothing fits."""
    return player.session.is_won or not player.session.engine.satisfiable()


def _number(text: str, default: int) -> int:
    """Return the number, 1 or more, that a text writes; for an empty text, the default."""
    if not text:
        return default
    if not (text.isdecimal() and len(text) < 8 and int(text) > 0):
        raise InvalidTurnError(f"{text!r}: expected a number above 0")
    return int(text)


def _path(text: str) -> Path:
    """Return the path that a player writes, where `~` is the home folder."""
    path = path_written(text)
    if len(path.parts) > 1 and path.parts[0].startswith("~"):
        raise SessionError(f"{text}: there is no such home folder")
    return path


def _turn_named(player: Player, argument: str, command: str) -> tuple[int, str]:
    """Return the number of the turn that an argument begins with, and the rest of the argument.

    A turn is named by its number or by its guess. Raises InvalidTurnError where none is named, or
    two have the guess, and SessionError where there is no such turn.
    """
    history, game = player.session.history, player.game
    name, _, rest = argument.partition(" ")
    last = len(history.turns)
    if not name:
        raise InvalidTurnError(f"which row? e.g. /{command} {last or 1}")
    number = int(name) if name.isdecimal() and len(name) < 8 else None
    if number is not None and 1 <= number <= last:
        return number, rest.strip()
    try:
        guess = game.parse_guess(name)
    except InvalidCodeError:
        guess = None
    numbers = [n for n, turn in enumerate(history.turns, start=1) if turn.guess == guess]
    if len(numbers) == 1:
        return numbers[0], rest.strip()
    if numbers:
        which = " and ".join(map(str, numbers))
        raise InvalidTurnError(
            f"{name.upper()} is in rows {which}: which? e.g. /{command} {numbers[-1]}"
        )
    if number is not None:
        history.turn(number)
    raise InvalidTurnError(f"{name}: no row has this number or guess; /history lists them")
