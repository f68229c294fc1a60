"""Why a code is ruled out, and whether a history is consistent."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from pathlib import Path

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine, check_engine
from puzzlehunt.engines.choice import as_engine, history_after
from puzzlehunt.errors import InvalidCodeError, check_number
from puzzlehunt.explanation.conflict import CountingProof, conflicts, counting_proof
from puzzlehunt.game.files.gamefile import as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History, ItemName, Row, in_order
from puzzlehunt.game.notebook import NotebookShown
from puzzlehunt.rules.notation.clue import Feedback


def not_a_secret(game: Game, code: Code) -> str:
    """Return why a code is not a secret of a game of one board; "" if it is one.

    The code must have the right length.
    """
    if code in game.secrets:
        return ""
    if game.secrets.distinct and len({*code}) < len(code):
        return "a symbol is repeated, and none may be"
    for name, wider in game.wider_games():
        if code in wider.one_board.secrets:
            return f"only in the wider list {Path(name).name}"
    return "it is not in the list of secrets"


@dataclass(frozen=True, slots=True)
class Violation:
    """An item that rules a code out: a turn, by its number (from 1), or a fact.

    `feedback` is what the guess would have got with the code as the secret. `marks_off` is the
    number of marks of the clue that would have to change. They are None and 0 for a fact, and for a
    guess that is the code itself.
    """

    item: ItemName
    feedback: Feedback | None = None
    marks_off: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Verdict:
    """Whether a code is ruled out, and by which items; on one board, in a game of several.

    `history` has the turns and facts about that board; `violations` are those that rule the code
    out.

    >>> import puzzlehunt
    >>> (verdict,) = puzzlehunt.why("bulls-and-cows", [], "1123")
    >>> verdict.candidate, verdict.not_a_secret
    (False, 'a symbol is repeated, and none may be')
    """

    game: Game
    history: History
    code: Code
    board: int | None
    violations: tuple[Violation, ...]

    def __repr__(self) -> str:
        code, says = self.game.format_code(self.code), "a candidate" if self.candidate else "out"
        return f"<Verdict on {code}: {says}, because {self.because}>"

    @property
    def because(self) -> tuple[ItemName, ...]:
        """The numbers (from 1) of the turns that rule the code out, and the facts that do."""
        return in_order(violation.item for violation in self.violations)

    @property
    def candidate(self) -> bool:
        """Whether the code is a secret of the game that no item rules out."""
        return not self.because and self.code in self.game.secrets

    @property
    def not_a_secret(self) -> str:
        """Why the code is not among the game's secrets, whatever the turns; "" if it is."""
        return not_a_secret(self.game, self.code)


def parse_question(game: Game, text: str) -> tuple[Code, int | None]:
    """Return the code in a question, and its board (from 0; None if the text names no board).

    In a game of several boards, the text is `2: B` (a secret for one board), or one secret for any
    board. Raises InvalidCodeError.
    """
    number, colon, word = text.partition(":")
    if game.boards > 1 and "/" in text and game.alphabet.number("/") is None:
        example = f"1: {text.partition('/')[0].strip()}"
        raise InvalidCodeError(f"{text!r}: name one secret, for a board as in {example}")
    if game.boards == 1 or not colon:
        return game.one_board.parse_secret(text.strip()), None
    if not (number.strip().isdecimal() and 1 <= int(number[:9]) <= game.boards):
        raise InvalidCodeError(
            f"{text!r}: the boards are 1 to {game.boards}, as in 1: {word.strip()}"
        )
    return game.one_board.parse_secret(word.strip()), int(number) - 1


def verdicts(
    game: Game, history: History, code: Code, board: int | None = None
) -> tuple[Verdict, ...]:
    """Return the verdict on a code for each board that the code is for."""
    if game.boards == 1:
        return (_verdict(game, history, code, None),)
    return tuple(
        _verdict(game.one_board, game.on_board(history, number), code, number)
        for number in (range(game.boards) if board is None else [board])
    )


def _verdict(game: Game, history: History, code: Code, board: int | None) -> Verdict:
    """Return the verdict by one board's own history, which ends with the turn that solves it."""
    unforgivable, forgivable = game.violations(history, code)
    forgiven = len(forgivable) <= game.channel.lies.at_most
    violations = []
    for place in sorted(unforgivable if forgiven else (*unforgivable, *forgivable)):
        item = history.items[place]
        (name,) = history.named([place])
        if isinstance(item, Fact) or code == item.guess:
            violations.append(Violation(name))
            continue
        feedback = game.score(item.guess, code)
        marks_off = game.likelihood.rule.edits.distance(item.clue, feedback)
        violations.append(Violation(name, feedback, marks_off))
    return Verdict(game, history, code, board, tuple(violations))


def why(
    game: Game | str | Path, turns: Iterable[Row], code: Hashable, *, board: int | None = None
) -> tuple[Verdict, ...]:
    """Return the verdict of a history on a code: whether it is out, and by which items.

    `game` is a game, its name or its file; the turns, which may be lines, come after its own. The
    code may be a text. There is one verdict, or in a game of several boards one for each board that
    the code is for: `board` (from 0), or every board if that is None. No engine is needed. Raises
    InvalidCodeError, and the errors of `Game.as_history`.

    >>> import puzzlehunt
    >>> (verdict,) = puzzlehunt.why("mastermind", ["RRGG 1b 1w", "RYBO 1b"], "RRRR")
    >>> verdict.candidate, verdict.because
    (False, (1,))
    """
    game = as_game(game)
    return verdicts(game, history_after(game, turns), *_parsed(game, code, board))


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(NotebookShown):
    """Whether a history is consistent, and the verdicts on a code, if one was asked about.

    `conflict` is a smallest set of items that cannot all be right: the numbers (from 1) of turns,
    and facts. It is empty if all items agree. `board` (from 0) is the only board that the conflict
    is about, None if that is not said.

    >>> import puzzlehunt
    >>> puzzlehunt.explain("4x6", ["AABB 1b", "ABCD none"])
    <Explanation: conflict (1, 2)>
    """

    game: Game
    history: History
    conflict: tuple[ItemName, ...]
    code: Code | None = None
    verdicts: tuple[Verdict, ...] = ()
    board: int | None = None

    def __repr__(self) -> str:
        about = "" if self.code is None else f" of {self.game.format_code(self.code)}"
        return f"<Explanation{about}: conflict {self.conflict}>"

    @property
    def counting_proof(self) -> CountingProof | None:
        """A sum that shows why the conflict's items cannot all be right; None if none does."""
        return counting_proof(self.game, self.history, self.conflict)


def _parsed(game: Game, code: Hashable, board: int | None) -> tuple[Code, int | None]:
    """Return the code that a text or value names, and its board (from 0; None for any)."""
    if isinstance(code, str) and board is None:
        return parse_question(game, code)
    if board is not None:
        check_number("board", board, 0, game.boards - 1, whole=True)
    return game.one_board.as_secret(code), board


def explain(
    game: Game | str | Path,
    engine: Engine | Iterable[Row],
    code: Hashable | None = None,
    *,
    board: int | None = None,
) -> Explanation:
    """Return whether an engine's history is consistent, and why a code is ruled out, if given.

    In place of an engine, turns may be given, which come after those of the game.
    In a game of several boards, the code is a secret for `board` (from 0), or for any board if
    that is None.
    `game` is a game, its name or its file; the code may be a text. Raises InvalidCodeError, and
    ValueError for an engine of another game.

    >>> import puzzlehunt
    >>> (verdict,) = puzzlehunt.explain("4x6", ["AABB 1b"], "AAAA").verdicts
    >>> verdict.candidate, verdict.because
    (False, (1,))
    """
    game = as_game(game)
    engine = engine if isinstance(engine, Engine) else as_engine(game, engine)
    check_engine(engine, game)
    history, judged = History(engine.items), tuple[Verdict, ...]()
    if code is not None:
        code, board = _parsed(game, code, board)
        judged = verdicts(game, history, code, board)
    found = conflicts(engine, most=1 if engine.listed is None else 10) or [()]
    smallest = [names for names in found if len(names) == len(found[0])]
    # One that a sum shows is easier to see.
    shown = (names for names in smallest if counting_proof(game, history, names))
    return Explanation(game, history, next(shown, smallest[0]), code, judged)
