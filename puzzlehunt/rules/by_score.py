"""`ScoreRule`: a rule of which only `score` is written; all else is derived from it.

The game's own guesses are scored against its own secrets, once, when the rule becomes part of a
game. `FunctionRule` is such a rule whose score is a function of two values.
"""

import hashlib
import time
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from enum import Enum
from functools import cached_property, partial
from itertools import count, islice
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import TRUE, Constraint
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.errors import (
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    PuzzlehuntError,
    RuleError,
    TooLargeError,
    did_you_mean,
    in_one_line,
)
from puzzlehunt.rules.base import Options, Rule
from puzzlehunt.rules.notation.cells_clue import CellsClue
from puzzlehunt.rules.notation.clue import UNREAD_WORDS, WON_WORDS, Clue, Feedback
from puzzlehunt.rules.notation.edits import CellsEdits

if TYPE_CHECKING:
    import numpy as np

    from puzzlehunt.kernels.feedback_matrix import Table
    from puzzlehunt.kernels.packed_codes import CodeArray, PackedCodes
    from puzzlehunt.rules.base import Indices
    from puzzlehunt.rules.notation.clue import FeedbackArray, Mask

MOST_SCORES = 20_000_000
"""Most scores (a guess against a secret) of a game with a `ScoreRule`."""
_BY_SCORES = ("_digit_of", "_index_of", "_feedback_of", "_places")
_MOST_COMPARED = 5_000
"""Feedbacks among which a message looks for the nearest: comparing more takes too long."""
_MOST_SHOWN = 12
"""Most feedbacks that a message or a legend lists."""


class _Never(Enum):
    """The winning feedback of a rule under which no guess wins."""

    WON = "won"

    def __str__(self) -> str:
        return self.value


class ScoreRule(Rule):
    """A rule that a subclass defines by `name` and `score` alone.

    A feedback is any hashable value, and its text is `str(feedback)`. The rule becomes part of a
    game by `for_codes`, which scores each of the game's guesses against each of its secrets; until
    then it has no feedbacks. Only listed guesses and secrets have scores. A feedback wins if every
    secret that is guessed gets it, and no other pair of codes does; without such a feedback no
    guess wins, and a game ends when one secret is left.

    A clue is the text of a feedback, `a|b` for one of several, `*` for an answer that was not read,
    and `won`. There is no constraint, so that only the explicit engine works.
    """

    can_win: bool = True
    """Whether a guess can win; if none can, a game ends when one secret is left."""
    scoring_seconds: float = 0.0
    """How long all scores of the game took."""
    only_listed: ClassVar[bool] = True
    edits: ClassVar[CellsEdits] = CellsEdits((None,), MOST_SCORES)
    no_constraint: ClassVar[str] = "a rule by score alone has no constraint"

    def __init__(
        self,
        length: int = 0,
        symbols: int = 0,
        repeats: int | None = None,
        marks: Mapping[str, str] | None = None,
        names: Mapping[str, str] | None = None,
        options: Options | None = None,
        alphabet: Sequence[str] = (),
    ) -> None:
        self._spaces: tuple[CodeSpace, CodeSpace] | None = None
        self._values: tuple[Feedback, ...] = ()
        super().__init__(length, symbols, repeats, marks, names, options, alphabet)

    @abstractmethod
    def score(self, guess: Code, secret: Code) -> Any:
        """Return the feedback for a guess against a secret: any hashable value with a text."""

    @property
    def settings(self) -> tuple[object, ...]:
        return (self.length, self.symbols, self.options, self.digest)

    # What is derived from the scores of a game.

    def for_codes(self, secrets: CodeSpace, guesses: CodeSpace, wins: bool = True) -> Self:
        """Return this rule with the scores of a game's guesses against its secrets.

        If not `wins`, no feedback wins, even if only the secret itself gets it. An interrupt says
        how many scores were made. Raises TooLargeError for more than `MOST_SCORES` scores,
        RuleError for a score that fails or is not hashable, and for feedbacks whose texts cannot be
        told apart.
        """
        is_same = self._spaces is not None and self._spaces == (secrets, guesses)
        if is_same and (wins or not self.can_win):
            return self
        if secrets.single is not secrets:
            raise RuleError(f"rule {self.name}: a rule by score alone is for one secret")
        scores = secrets.size * guesses.size
        if scores > MOST_SCORES:
            raise TooLargeError(
                f"rule {self.name}: {guesses.size:,} guesses against {secrets.size:,} secrets are "
                f"{scores:,} scores, more than {MOST_SCORES:,}; subclass CountRule or TileRule, "
                "or take fewer codes"
            )
        made = copy(self)
        # What was cached is of other codes.
        for name in ("winning_index", "digest", *_BY_SCORES):
            vars(made).pop(name, None)
        made.length, made.symbols = secrets.lengths[-1], len(secrets.alphabet)
        began = time.monotonic()
        made._score_all(secrets, guesses, wins)
        made.scoring_seconds = time.monotonic() - began
        return made

    def _score_all(self, secrets: CodeSpace, guesses: CodeSpace, wins: bool) -> None:
        import numpy as np

        from puzzlehunt.kernels.feedback_matrix import unsigned_type

        listed, place_of = list(secrets), {guess: place for place, guess in enumerate(guesses)}
        number_of: defaultdict[Feedback, int] = defaultdict(count().__next__)
        table = np.empty((len(place_of), len(listed)), dtype=np.uint32)
        for guess, number in place_of.items():
            row = table[number]
            try:
                row[:] = list(map(number_of.__getitem__, self._scores(guess, listed)))
            except (Exception, SystemExit) as error:
                reason = f"score of {guesses.alphabet.format(guess)}: {in_one_line(error)}"
                raise RuleError(f"rule {self.name}, {reason}") from error
            except KeyboardInterrupt:
                raise KeyboardInterrupt(
                    f"rule {self.name} has made {number * len(listed):,} of {table.size:,} scores"
                ) from None
        values = _in_order(number_of)
        self._check_texts(values)
        new_number = np.empty(len(values), dtype=np.uint32)
        new_number[[number_of[value] for value in values]] = np.arange(len(values))
        table = new_number[table]
        own = [place_of.get(secret, -1) if wins else -1 for secret in listed]
        best = table[own, range(len(own))] if -1 not in own else np.arange(0)
        self.can_win = (
            len(best) > 0 and (table == best[0]).sum() == len(best) == (best == best[0]).sum()
        )
        self._values = tuple(values) if self.can_win else (*values, _Never.WON)
        self._winning = values[int(best[0])] if self.can_win else _Never.WON
        self._table: Table = table.astype(unsigned_type(len(self._values)))
        self._spaces = secrets, guesses

    def _scores(self, guess: Code, secrets: Sequence[Code]) -> Iterable[Feedback]:
        return map(partial(self.score, guess), secrets)

    def _check_texts(self, feedbacks: Sequence[Feedback]) -> None:
        value_of: dict[str, Feedback] = {}
        for feedback in feedbacks:
            text = _text(feedback)
            if trouble := _trouble(text):
                raise RuleError(f"rule {self.name}: the feedback {text!r:.40} {trouble}")
            other = value_of.setdefault(text.casefold(), feedback)
            if other is not feedback:
                raise RuleError(
                    f"rule {self.name}: two feedbacks, {other!r:.40} and {feedback!r:.40}, are "
                    f"both written {text!r:.40}; give them texts that differ"
                )

    @property
    def feedbacks(self) -> Sequence[Feedback]:
        """All scores of a game in ascending order or, if they have none, in that of their texts.

        If no guess wins, a winning feedback that never occurs stands last.
        """
        return self._values

    @property
    def winning(self) -> Feedback:
        self._codes()
        return self._winning

    def _codes(self) -> tuple[CodeSpace, CodeSpace]:
        """Return the secrets and the guesses of the rule's game. Raises RuleError without one."""
        if self._spaces is None:
            raise RuleError(
                f"rule {self.name} has no scores yet: a game makes them, as in "
                f"Game(title, secrets, guesses, {type(self).__name__}(...)).rule"
            )
        return self._spaces

    @cached_property
    def digest(self) -> str:
        if self._spaces is None:
            return ""
        hashed = hashlib.blake2b(repr(tuple(map(_text, self._values))).encode(), digest_size=16)
        hashed.update(self._table.tobytes())
        return hashed.hexdigest()

    @property
    def losing(self) -> tuple[Feedback, ...]:
        """The feedbacks that do not win."""
        winning = self.winning
        return tuple(feedback for feedback in self._values if feedback != winning)

    @cached_property
    def _digit_of(self) -> dict[Feedback, int]:
        """The digit of each feedback in clues: the winning one has the last."""
        return {value: digit for digit, value in enumerate((*self.losing, self.winning))}

    @cached_property
    def _index_of(self) -> dict[Feedback, int]:
        return {feedback: index for index, feedback in enumerate(self._values)}

    @cached_property
    def _feedback_of(self) -> dict[str, Feedback]:
        """The feedbacks that occur, by their texts in lower case."""
        occurring = self._values if self.can_win else self.losing
        return {_text(feedback).casefold(): feedback for feedback in occurring}

    def kept_score(self, guess: Code, secret: Code) -> Feedback:
        """Return the feedback as it was scored when the rule became part of a game."""
        rows, columns = self._places
        if guess not in rows or secret not in columns:
            raise InvalidCodeError(f"rule {self.name}: only the codes of its game have scores")
        return self._values[self._table[rows[guess], columns[secret]]]

    @cached_property
    def _places(self) -> tuple[dict[Code, int], dict[Code, int]]:
        """The row of each guess in the table of scores, and the column of each secret."""
        secrets, guesses = self._codes()
        rows = {guess: place for place, guess in enumerate(guesses)}
        return rows, {secret: place for place, secret in enumerate(secrets)}

    def _possible(self, guess: Code) -> tuple[Feedback, ...]:
        """Return the feedbacks that some secret gives to a guess."""
        import numpy as np

        row = self._table[self._places[0][guess]]
        return tuple(self._values[index] for index in np.unique(row).tolist())

    # Arrays.

    def feedback_array(self, indices: "Indices") -> "FeedbackArray":
        return indices.astype("int64").reshape(-1, 1)

    def mask(self, clue: Clue, feedbacks: "FeedbackArray") -> "Mask":
        import numpy as np

        admitted = [self._index_of[feedback] for feedback in clue]
        return np.isin(feedbacks[:, 0], admitted)

    def rows(self, codes: "CodeArray") -> "PackedCodes":
        """Return an array of codes with the row and the column of each in the table of scores."""
        from puzzlehunt.kernels.packed_codes import PackedCodes, code_of

        def places(place_of: dict[Code, int]) -> "np.ndarray[Any, np.dtype[np.uint64]]":
            found = [place_of.get(code_of(code), len(place_of)) for code in codes]
            return _column(found)

        rows, columns = self._places
        return PackedCodes(codes, places(rows), places(columns))

    def table(self, guesses: "PackedCodes", secrets: "PackedCodes") -> "Table":
        import numpy as np

        return self._table[np.ix_(guesses.position_bits[:, 0], secrets.count_bits[:, 0])]

    # Bounds.

    def constraint(self, guess: Code, clue: Clue) -> Constraint:
        raise PuzzlehuntError(f"rule {self.name}: {self.no_constraint}")

    def is_not_secret(self, guess: Code) -> Constraint:
        return super().is_not_secret(guess) if self.can_win else TRUE

    # Notation.

    @property
    def unread_mark(self) -> str:
        return UNREAD_WORDS[0]

    @property
    def none_words(self) -> tuple[str, ...]:
        return ()

    @property
    def clue_words(self) -> tuple[str, ...]:
        return (*UNREAD_WORDS, *WON_WORDS, *self._feedback_of)

    def legend(self) -> str:
        occurring = self._values if self.can_win else self.losing
        return f"{_listed(occurring)}, * nothing read"

    def readings(self, guess: Code) -> list[tuple[str, str]]:
        possible = [f for f in self._possible(guess) if f != self._winning]
        return [("one of several", "|".join(map(_text, possible[:2])))] if possible[1:] else []

    def parse(self, text: str, guess: Code) -> CellsClue:
        clue = self.parse_unchecked(text, guess)
        if clue.nothing_read or self.may_lose(guess, clue):
            return clue
        if self.is_possible(guess, clue):
            return self.full_clue(self._winning, guess)
        raise ImpossibleClueError(
            f"{text.strip()!r:.60} cannot happen with this guess, whose answers are "
            f"{_listed(self._possible(guess))}"
        )

    def parse_unchecked(self, text: str, guess: Code) -> CellsClue:
        plain = " ".join(text.split())
        if plain.casefold() in (*UNREAD_WORDS, "?"):
            return self.unread_clue(guess)
        if self.says_won(plain):
            if not self.can_win:
                raise ImpossibleClueError("no guess wins this game; it ends with one secret left")
            return self.full_clue(self._winning, guess)
        found = [self._feedback(part, text) for part in plain.split("|")]
        return self.clue_of(found)

    def clue_of(self, found: Collection[Feedback]) -> CellsClue:
        """Return the clue that admits some of the feedbacks; none of them means nothing read."""
        cell, values = sorted({self._digit_of[value] for value in found}), (*self._digit_of,)
        return CellsClue((tuple(cell),), (len(values) - 1,), values=values)

    def _feedback(self, part: str, text: str) -> Feedback:
        if (name := part.strip().casefold()) in self._feedback_of:
            return self._feedback_of[name]
        occurring = self._values if self.can_win else self.losing
        hint = did_you_mean(part.strip(), islice(self._feedback_of, _MOST_COMPARED))
        if "did you mean" not in hint:
            hint = f"; known: {_listed(occurring)}"
        raise InvalidClueError(f"{text.strip()!r:.60} is not an answer here{hint}")

    def says_won(self, text: str) -> bool:
        feedback = self._feedback_of.get(text.strip().casefold(), self.winning)
        return super().says_won(text) and feedback == self._winning

    def unread_clue(self, guess: Code) -> CellsClue:
        return self.clue_of(())

    def is_clue(self, clue: object, guess: Code) -> bool:
        is_own = isinstance(clue, CellsClue) and bool(clue.values)
        return is_own and all(f in self._index_of for f in cast(CellsClue, clue))

    def is_possible(self, guess: Code, clue: Clue) -> bool:
        return any(feedback in clue for feedback in self._possible(guess))

    def may_lose(self, guess: Code, clue: Clue) -> bool:
        return any(f in clue and f != self._winning for f in self._possible(guess))

    def _format(self, clue: Clue) -> str:
        own = cast(CellsClue, clue)
        return UNREAD_WORDS[0] if own.nothing_read else "|".join(map(_text, own))

    def describe(self, clue: Clue) -> str:
        own = cast(CellsClue, clue)
        return "nothing read" if own.nothing_read else " or ".join(map(_text, own))

    def full_clue(self, feedback: Feedback, guess: Code) -> CellsClue:
        return self.clue_of((feedback,))

    def intersect(self, old: Clue, new: Clue) -> Clue | None:
        return cast(CellsClue, old) & cast(CellsClue, new)

    def json_parts(self, feedback: Feedback, guess: Code) -> dict[str, int | str]:
        """Return `answer`: the feedback itself if it is a whole number, otherwise its text."""
        return {"answer": feedback if isinstance(feedback, int) else _text(feedback)}


class FunctionRule(ScoreRule):
    """The rule whose score is a function of two values, those of a guess and of a secret.

    `value_of` maps each code to its value; without it, a value is the text of a code. When it is
    pickled, the rule of a game keeps its scores instead of the function.
    """

    name = "function"

    def __init__(
        self,
        function: Callable[[Any, Any], Hashable],
        name: str = "",
        value_of: Mapping[Code, Hashable] | None = None,
    ) -> None:
        self._function: Callable[[Any, Any], Hashable] | None = function
        self._value_of = value_of
        self.name = name or getattr(function, "__name__", "").strip("<>") or "function"  # type: ignore[misc]
        super().__init__()

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without the function if all scores are known."""
        state = vars(self).copy()
        if self._spaces is not None:
            state |= {"_function": None, "_value_of": None}
        return state

    def _score_all(self, secrets: CodeSpace, guesses: CodeSpace, wins: bool) -> None:
        if self._value_of is None:
            codes = (*secrets, *guesses)
            self._value_of = {code: guesses.alphabet.format(code) for code in codes}
        super()._score_all(secrets, guesses, wins)

    def _scores(self, guess: Code, secrets: Sequence[Code]) -> Iterable[Feedback]:
        if self._function is None or self._value_of is None:
            return super()._scores(guess, secrets)
        value_of = self._value_of
        return map(partial(self._function, value_of[guess]), map(value_of.__getitem__, secrets))

    def score(self, guess: Code, secret: Code) -> Feedback:
        if self._function is not None and self._value_of is not None:
            return self._function(self._value_of[guess], self._value_of[secret])
        return self.kept_score(guess, secret)


def _column(numbers: Sequence[int]) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    import numpy as np

    return np.array(numbers, dtype=np.uint64).reshape(-1, 1)


def _in_order(feedbacks: Mapping[Feedback, int]) -> list[Feedback]:
    try:
        return sorted(feedbacks)
    except TypeError:
        return sorted(feedbacks, key=_text)


def _text(feedback: Feedback) -> str:
    """Return the text of a feedback, on one line and without blanks around it."""
    return " ".join(str(feedback).split())


def _trouble(text: str) -> str:
    """Return why a text cannot be a feedback's, to follow the text; "" if it can."""
    if not text:
        return "cannot be written as a clue; it has no text"
    if text.casefold() in UNREAD_WORDS or text == "?":
        return "already means that nothing was read; give it another text"
    if signs := [sign for sign in ("|", " ?", " #") if sign in f" {text}"]:
        return f"cannot be written as a clue, since {signs[0].strip()} has a meaning there"
    return ""


def _listed(feedbacks: Sequence[Feedback]) -> str:
    more = f" and {len(feedbacks) - _MOST_SHOWN:,} more" if len(feedbacks) > _MOST_SHOWN else ""
    return ", ".join(map(_text, feedbacks[:_MOST_SHOWN])) + more
