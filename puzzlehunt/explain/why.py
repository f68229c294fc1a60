"""Why: what rules a code out, and an explanation of all that is known.

A tool over the engine's interface: any engine serves.
"""

from dataclasses import dataclass
from typing import Any

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import split
from puzzlehunt.engines.base import Engine
from puzzlehunt.errors import InvalidCodeError
from puzzlehunt.explain.arithmetic import arithmetic
from puzzlehunt.explain.conflict import conflicts, smallest_conflict
from puzzlehunt.explain.rows import (
    fact_texts,
    name_item,
    name_places,
    places_on_board,
    turn_number,
    turn_numbers,
)
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, History

# What rules a code out.


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a code is out: an item by its name; of a row what the code would have `shown` instead.

    `off` is how many marks of the row would have to be others; 0 where it is no matter of marks.
    """

    item: str
    shown: str = ""
    off: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a history says of a code as the secret, in a game of several boards that of one.

    `because` are the places in the whole history of all that rules it out; `reasons` say what each
    is and, of a row, what the code would have shown and by how many marks that is off.
    """

    game: Game
    code: Code
    board: int | None
    because: tuple[int, ...]
    reasons: tuple["Reason", ...]

    @property
    def candidate(self) -> bool:
        """Whether the code is a secret of the game that nothing rules out."""
        return not self.because and self.code in self.game.secrets

    def lines(self) -> list[str]:
        """Return, a line each, what rules the code out, or that it is still in."""
        named = self.game.format_code(self.code)
        if self.board is not None:
            named = f"board {self.board + 1}: {named}"
        if self.candidate:
            return [f"{named} is still in" if self.board is not None else f"{named}: still in"]
        if not self.because:
            return [f"{named}: fits every row, but cannot be a secret"]
        told = []
        for reason in self.reasons:
            told += [f"{named} is out by {reason.item}"]
            told += [f"  it would show {reason.shown}, {reason.off} off"] * bool(reason.shown)
        return told


def ask(game: Game, text: str) -> tuple[Code, int | None]:
    """Return the code that somebody asks about, and of which board (from 0), if it says.

    Where there are several boards it is `A/B`, one secret a board; `2: B`, of one board; or one
    word for any of them. Raises InvalidCodeError.
    """
    slash = game.alphabet.number("/") is not None
    if game.boards == 1 or ("/" in text and not (slash and len(text) < game.length)):
        return game.parse_secret(text), None
    number, colon, word = text.partition(":")
    if not colon:
        return game.one_board.parse_secret(text.strip()), None
    if not (number.strip().isdecimal() and 1 <= int(number[:9]) <= game.boards):
        raise InvalidCodeError(
            f"{text!r}: the boards are 1 to {game.boards}, as in 1: {word.strip()}"
        )
    return game.one_board.parse_secret(word.strip()), int(number) - 1


def verdicts(
    game: Game, history: History, code: Code, board: int | None = None
) -> tuple[Verdict, ...]:
    """Return what a history says of a code, for each board that the code is for."""
    if game.boards == 1:
        return (_verdict(game, history, code, None, tuple(range(len(history)))),)
    if len(code) == game.length:
        codes = dict(enumerate(split(code, game.boards)))
    else:
        codes = dict.fromkeys(range(game.boards) if board is None else [board], code)
    return tuple(
        _verdict(
            game.one_board,
            game.on_board(history, number),
            secret,
            number,
            tuple(places_on_board(game, history, number)),
        )
        for number, secret in codes.items()
    )


def _verdict(
    game: Game, said: History, code: Code, board: int | None, places: tuple[int, ...]
) -> Verdict:
    """Return the verdict on a code by a history of one board; its items stand at `places`."""
    surely, maybe = game.broken(said, code)
    forgiven = len(maybe) <= game.channel.lies.at_most
    out = sorted(surely) if forgiven else sorted((*surely, *maybe))
    because = tuple(places[at] for at in out)
    return Verdict(game, code, board, because, tuple(_reason(game, said, at, code) for at in out))


def _reason(game: Game, said: History, at: int, code: Code) -> Reason:
    """Return why an item rules a code out."""
    item, name = said.items[at], name_item(game, said, at)
    if isinstance(item, Fact) or item.guess == code:
        return Reason(name)
    feedback = game.score(item.guess, code)
    shown = game.rule.format(game.rule.exactly(feedback, item.guess))
    return Reason(name, shown, game.likelihood.off(item.clue, feedback))


def ruled_out_by(game: Game, history: History, code: Code) -> list[int]:
    """Return the places in the history of all that rules a code out; [] if it fits everything."""
    return sorted({place for said in verdicts(game, history, code) for place in said.because})


def why_lines(game: Game, history: History, code: Code, board: int | None = None) -> list[str]:
    """Return, a line each, what rules a code out, or that it is still in."""
    return [line for said in verdicts(game, history, code, board) for line in said.lines()]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Whether a history agrees with itself, and what rules a code out; places in the history.

    `conflict` is a smallest set of items that cannot all be right, `others` are more such sets, as
    many as were asked for.
    """

    game: Game
    history: History
    conflict: tuple[int, ...]
    code: Code | None = None
    verdicts: tuple[Verdict, ...] = ()
    others: tuple[tuple[int, ...], ...] = ()

    @property
    def reason(self) -> str:
        """Why the items of the conflict cannot all be right, where a sentence can say it."""
        return arithmetic(self.game, self.history, self.conflict)

    @property
    def because(self) -> tuple[int, ...]:
        """The places in the history of all that rules the code out."""
        return tuple(sorted({place for said in self.verdicts for place in said.because}))

    @property
    def candidate(self) -> bool:
        """Whether the code is a secret of the game, or of some board, that nothing rules out."""
        fits = [said.candidate for said in self.verdicts]
        whole = self.code is not None and len(self.code) == self.game.length
        return bool(fits) and (all(fits) if whole else any(fits))

    def lines(self) -> list[str]:
        """Return the explanation in words."""
        told = []
        if self.conflict:
            told.append("These cannot all be right; without any one of them the rest agree:")
            told += [f"  {name_item(self.game, self.history, p)}" for p in self.conflict]
            told += [f"{self.reason[:1].upper()}{self.reason[1:]}."] * bool(self.reason)
            told += ["Nor can these:"] * bool(self.others)
            told += [f"  {name_places(self.history, places)}" for places in self.others]
        elif self.code is None:
            told.append("The rows agree with each other.")
        return told + [line for said in self.verdicts for line in said.lines()]

    def as_json(self) -> dict[str, Any]:
        """Return the explanation under the keys of `explain --json`; turns count from 1."""
        told: dict[str, Any] = {
            "consistent": not self.conflict,
            "conflict": self._turns(self.conflict),
            "conflict_facts": self._facts(self.conflict),
            "reason": self.reason,
        }
        if self.others:
            every = (self.conflict, *self.others)
            told["conflicts"] = [
                {"turns": self._turns(places), "facts": self._facts(places)} for places in every
            ]
        if self.code is not None:
            told["code"] = self.game.format_code(self.code)
            told["candidate"] = self.candidate
            told["because"] = self._turns(self.because)
            told["because_facts"] = self._facts(self.because)
            told["because_rows"] = [
                {"turn": number, "shown": reason.shown, "off": reason.off}
                for said in self.verdicts
                for place, reason in zip(said.because, said.reasons, strict=True)
                if (number := turn_number(self.history, place)) is not None
            ]
            if self.game.boards > 1:
                told["boards"] = [
                    {
                        "board": (said.board or 0) + 1,
                        "code": said.game.format_code(said.code),
                        "candidate": said.candidate,
                        "because": self._turns(said.because),
                        "because_facts": self._facts(said.because),
                    }
                    for said in self.verdicts
                ]
        return told

    def _facts(self, places: tuple[int, ...]) -> list[str]:
        return fact_texts(self.history, places)

    def _turns(self, places: tuple[int, ...]) -> list[int]:
        return turn_numbers(self.history, places)


def explained(
    game: Game,
    engine: Engine,
    code: Code | None = None,
    board: int | None = None,
    most_conflicts: int = 1,
) -> Explanation:
    """Return the explanation of what an engine knows, and of a code if one is given.

    In a game of several boards the code is that of all, or of `board` (from 0), or of any.
    `most_conflicts` smallest sets of rows that cannot all be right are looked for.
    """
    history = History(engine.items)
    said = () if code is None else verdicts(game, history, code, board)
    if most_conflicts == 1:
        return Explanation(game, history, _plainest_conflict(game, history, engine), code, said)
    first, *others = conflicts(engine, most_conflicts) or [()]
    return Explanation(game, history, first, code, said, tuple(others))


def _plainest_conflict(game: Game, history: History, engine: Engine) -> tuple[int, ...]:
    """Return a smallest conflict, one that a sum shows if some are and codes can be listed."""
    if engine.listed is None:
        return tuple(smallest_conflict(engine))
    some = conflicts(engine, _LOOKED_AT)
    least = [places for places in some if len(places) == len(some[0])]
    plain = (places for places in least if arithmetic(game, history, places))
    return next(plain, least[0] if least else ())


_LOOKED_AT = 10
"""So many conflicts are looked at for one that a sum shows."""
