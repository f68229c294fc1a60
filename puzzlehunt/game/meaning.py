"""What turns and facts say about the secret of a game."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from puzzlehunt.channel.model import PERFECT
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, AnyOf, Constraint, holds
from puzzlehunt.codes.spaces import split
from puzzlehunt.errors import RuleError
from puzzlehunt.game.history import Fact, History, Item, Turn
from puzzlehunt.rules.boards import BoardsClue
from puzzlehunt.rules.by_score import UnknownRule
from puzzlehunt.rules.notation.clue import OwnClue

if TYPE_CHECKING:
    from puzzlehunt.channel.likelihood import Likelihood
    from puzzlehunt.game.game import Game
    from puzzlehunt.kernels.packed_codes import Mask
    from puzzlehunt.rules.notation.clue import FeedbackArray


def is_unread(game: "Game", turn: Turn) -> bool:
    """Return whether nothing was read of a turn's answer."""
    return turn.clue == game.rule.notation.unread_clue(turn.code)


def unread_turn(game: "Game", history: History) -> Turn | None:
    """Return the last turn of a history if nothing of its answer was read, else None."""
    return next((turn for turn in history.turns[-1:] if is_unread(game, turn)), None)


def likelihood(game: "Game") -> "Likelihood":
    """Return what may be the truth behind each clue of a game, and how likely the clue then is."""
    return game._likelihood


def _true_clues(game: "Game", turn: Turn) -> Iterable[OwnClue] | None:
    """Return clues of which one has the true feedback; None if it may be any feedback."""
    if turn.doubt or game.channel.lies.chance:
        return None
    return [turn.clue] if game.channel == PERFECT else likelihood(game).clues(turn.clue)


def win_conflicts(game: "Game", turn: Turn, feedbacks: "FeedbackArray") -> "Mask":
    """Return (F,): for which of some feedbacks (F, parts) a win is contradicted (`violations`)."""
    wins, clue_wins = game.rule.win_mask(feedbacks), game.rule.wins(turn.clue)
    return wins & False if clue_wins and turn.doubt else wins != clue_wins


def admitted(game: "Game", turn: Turn, feedbacks: "FeedbackArray") -> "Mask":
    """Return (F,): for which of some feedbacks (F, parts) a turn is not contradicted."""
    clues = _true_clues(game, turn)
    admitted = game.rule.win_mask(feedbacks) | (clues is None)
    for clue in clues or ():
        admitted |= clue.mask(feedbacks)
    return admitted & ~win_conflicts(game, turn, feedbacks)


def clue_constraint(game: "Game", item: Item) -> Constraint:
    """Return a fact's constraint, or that which a secret meets if the clue admits its feedback."""
    if isinstance(item, Fact):
        return item.constraint
    if game.rule.wins(item.clue) and not item.doubt:
        return game.rule.constraint(item.code, item.clue)
    if (clues := _true_clues(game, item)) is None:
        return TRUE
    parts = [game.rule.constraint(item.code, clue) for clue in clues]
    return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))


def losing_guess_constraint(game: "Game", item: Item) -> Constraint:
    """Return that the guess of a turn is not the secret, because the game went on."""
    if isinstance(item, Fact) or game.rule.wins(item.clue):
        return TRUE
    return game.rule.is_not_secret(item.code)


def may_lie(game: "Game", item: Item) -> bool:
    """Return whether an item may be one of the limited number of lies in the game."""
    may_be_wrong = isinstance(item, Turn) and not (item.doubt or game.rule.wins(item.clue))
    return may_be_wrong and game.channel.lies.at_most > 0


def on_board(game: "Game", history: History, board: int) -> History:
    """Return the part of a history about one board (from 0), up to the turn that solves it."""
    if game.boards == 1:
        return history
    items: list[Item] = []
    for item in history:
        if isinstance(item, Fact):
            items += [item] if item.board == board else []
            continue
        clue = cast(BoardsClue, item.clue).clues[board]
        items.append(Turn(item.code, clue, item.doubt, item.guess))
        if game.one_board.rule.wins(clue) and not item.doubt:
            break
    return History(tuple(items))


def violations(game: "Game", history: Iterable[Item], secret: Code) -> tuple[list[int], list[int]]:
    """Return the places (0-based) of the items that a secret of one board contradicts.

    First those that no lie explains: facts, and wins. A secret contradicts a win, or that the game
    went on, if just one of them wins, the turn or the secret's feedback; only a doubted turn that
    wins may be wrong. Then those whose clue may be a lie.
    """
    unforgivable, forgivable = list[int](), list[int]()
    for place, item in enumerate(history):
        if isinstance(item, Fact):
            unforgivable += [] if holds(item.constraint, secret) else [place]
            continue
        feedback = game.rule.score(item.code, secret)
        wins, clue_wins = feedback == game.rule.winning, game.rule.wins(item.clue)
        if wins != clue_wins and not (clue_wins and item.doubt):
            unforgivable.append(place)
        elif not wins and (clues := _true_clues(game, item)) is not None:
            forgivable += [] if any(feedback in clue for clue in clues) else [place]
    return unforgivable, forgivable


def fits(game: "Game", history: History, secret: Code) -> bool:
    """Return whether a secret agrees with a whole history; engines must find the same."""
    if game.boards > 1:
        return all(
            fits(game.one_board, on_board(game, history, board), part)
            for board, part in enumerate(split(secret, game.boards))
        )
    unforgivable, forgivable = violations(game, history, secret)
    return not unforgivable and len(forgivable) <= game.channel.lies.at_most


def winning_guesses(game: "Game", history: History) -> list[Code | None]:
    """Return for each secret the guess that found it without doubt, None for others."""
    wins = game.one_board.rule.wins
    boards = (on_board(game, history, board).turns for board in range(game.boards))
    return [
        next((turn.code for turn in turns if wins(turn.clue) and not turn.doubt), None)
        for turns in boards
    ]


def all_found(game: "Game", history: History) -> bool:
    """Return whether turns without doubt found every secret."""
    return None not in winning_guesses(game, history)


def is_won(game: "Game", history: History) -> bool:
    """Return whether all secrets are found, the last turn wins, and nothing is contradicted."""
    codes = winning_guesses(game, history)
    if None in codes or history.turns[-1].code not in codes:
        return False
    return fits(game, history, tuple(symbol for code in codes for symbol in code or ()))


def is_listed(game: "Game", guess: Code) -> bool:
    """Return whether a code is among the game's guesses or secrets."""
    return guess in game.guesses or guess in game.one_board.secrets


def is_explained(game: "Game") -> bool:
    """Return whether anybody explained what the marks of a game mean."""
    return not isinstance(game.rule, UnknownRule)


def check_explained(game: "Game") -> None:
    """Raise RuleError if nobody explained what the marks of this game mean."""
    if not is_explained(game):
        ways = "leave `legend: unknown` out, or let Session.identify or `puzzlehunt identify` tell"
        raise RuleError(f"nobody explained what the marks mean; {ways}")
