"""A game: its secrets, its guesses, its rule, and how its lines are read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Literal, TypeAlias

from puzzlehunt.clues import UNREAD_WORDS, Clue, Feedback
from puzzlehunt.codes import Alphabet, Code, CodeSpace, WordSpace, describe_lengths
from puzzlehunt.constraints import TRUE, AllOf, Constraint, holds
from puzzlehunt.errors import InvalidCodeError, InvalidTurnError
from puzzlehunt.history import Fact, History, Turn, parse_fact
from puzzlehunt.rules.base import Rule

EngineName: TypeAlias = Literal["auto", "explicit", "symbolic"]
Pool: TypeAlias = Literal["candidates", "secrets", "all"]
Ties: TypeAlias = Literal["first", "candidate"]


@dataclass(frozen=True, slots=True)
class Play:
    """How a game is played where nobody says otherwise: the keys under `play:`.

    `budget` is the seconds that a suggestion in `play` and `suggest` may take.
    """

    attempts: int | None = None
    strategy: str = "entropy"
    engine: EngineName = "auto"
    pool: Pool = "all"
    ties: Ties = "candidate"
    opening: str | None = None
    seed: int = 0
    budget: float = 1.0


@dataclass(frozen=True, slots=True)
class Line:
    """A typed line taken apart: the text of a guess, of a clue, and whether the row is doubted."""

    guess: str
    clue: str
    doubted: bool = False


_ROW_NUMBER = re.compile(r"^\s*(?:#\s?\d+[.):]?|\d+[.)])\s+")
_COMMENT = re.compile(r"(?:^|\s)#(?!\s?\d+[.):\s]).*$")
_SEPARATOR = re.compile(r"[\s,;|]+")


@dataclass(frozen=True)
class Game:
    """The rules of one game; nothing in it changes during play.

    `guesses` lists what may be suggested; a player may type any code of the right length.
    With `cut`, a longer guess counts up to the secret's length; with `foreign`, unknown
    characters are accepted and match nothing. `history` is the log that the game starts from.
    """

    title: str
    secrets: CodeSpace
    guesses: CodeSpace
    rule: Rule
    play: Play = field(default_factory=Play)
    cut: bool = False
    foreign: bool = False
    history: History = field(default_factory=History)
    about: str = ""
    source: str = ""

    @property
    def alphabet(self) -> Alphabet:
        """The symbols of codes, with every name they may be typed by."""
        return self.guesses.alphabet

    @property
    def length(self) -> int:
        """How many symbols a secret has."""
        return self.rule.length

    def with_play(self, changes: Mapping[str, object]) -> "Game":
        """Return this game with some of its `play` settings changed."""
        return replace(self, play=replace(self.play, **changes))  # type: ignore[arg-type]

    # Codes.

    def parse_guess(self, text: str) -> Code:
        """Return the code of a guess that may be in no list.

        Raises InvalidCodeError for unknown symbols and wrong lengths.
        """
        code = self.alphabet.parse(text, foreign=self.foreign)
        if self.cut:
            code = code[: self.length]
        if len(code) not in self.guesses.lengths:
            raise InvalidCodeError(self._wrong_length(text, len(code), self.guesses, "guess"))
        return code

    def parse_secret(self, text: str) -> Code:
        """Return the code of a secret that may be in no list. Raises InvalidCodeError."""
        code = self.alphabet.parse(text)
        if len(code) != self.length:
            raise InvalidCodeError(self._wrong_length(text, len(code), self.secrets, "secret"))
        return code

    def _wrong_length(self, text: str, length: int, space: CodeSpace, role: str) -> str:
        symbols = "symbol" if length == 1 else "symbols"
        message = f"{text!r} has {length} {symbols}; a {role} has {describe_lengths(space.lengths)}"
        if isinstance(space, WordSpace) and space.size < 50_000:
            words = [self.format_code(word) for word in space]
            if near := get_close_matches(text.upper(), words, n=1, cutoff=0.7):
                message += f"; did you mean {near[0]}?"
        return message

    def format_code(self, code: Code) -> str:
        """Return the text of a code; `parse_guess` reads it back."""
        return self.alphabet.format(code)

    def is_listed(self, guess: Code) -> bool:
        """Return whether a guess is one that the game itself would suggest."""
        return guess in self.guesses or guess in self.secrets

    @cached_property
    def listing_matters(self) -> bool:
        """Whether guesses come from a word list, so that one outside it deserves a note."""
        return isinstance(self.guesses, WordSpace)

    # Turns.

    def parse_clue(self, text: str, guess: Code) -> Clue:
        """Return the clue that a text writes about a guess. Raises InvalidClueError."""
        return self.rule.parse(text, guess)

    def unread(self, guess: Code) -> Clue:
        """Return the clue of an answer of which nothing was read."""
        return self.rule.parse(UNREAD_WORDS[0], guess)

    def clean(self, line: str) -> str:
        """Return a line without comment, row number and surrounding blanks."""
        if self.alphabet.number("#") is None:
            line = _COMMENT.sub("", line)
        return _ROW_NUMBER.sub("", line).strip("| \t\r\n")

    def split(self, line: str) -> Line:
        """Take a line apart into the text of a guess and of a clue; either may be empty.

        Blanks, tabs and commas separate; one of the game's own sentences is a clue wherever it
        stands; a last ` ?` is a doubt about the row.
        """
        text = self.clean(line)
        start = self.rule.sentence_at(text)
        if start == 0:
            return Line("", text)
        parts = _SEPARATOR.split(text, maxsplit=1)
        guess, rest = parts[0], parts[1].strip() if len(parts) > 1 else ""
        if guess.count(":") == 1 and self.alphabet.number(":") is None:
            guess, clue = guess.split(":")
            rest = f"{clue} {rest}".strip()
        if start is not None and start >= len(guess):
            rest = text[start:]
        rest, doubted = without_doubt(rest, len(self.alphabet.tokens(guess)))
        return Line(guess, rest, doubted)

    def parse_turn(self, line: str) -> Turn:
        """Return the turn that a line writes: a guess, then its clue; without one, nothing read.

        Raises InvalidCodeError, InvalidClueError, or InvalidTurnError for a line without a guess.
        """
        parts = self.split(line)
        if not parts.guess:
            raise InvalidTurnError(f"{line.strip()!r} has no guess; a turn is written GUESS CLUE")
        guess = self.parse_guess(parts.guess)
        clue = self.parse_clue(parts.clue, guess) if parts.clue else self.unread(guess)
        return Turn(guess, clue, parts.doubted)

    def format_turn(self, turn: Turn) -> str:
        """Return the line of a turn; `parse_turn` reads it back."""
        doubt = " ?" if turn.doubted else ""
        return f"{self.format_code(turn.guess)} {self.rule.format(turn.clue)}{doubt}"

    def describe_turn(self, turn: Turn) -> str:
        """Return a turn as it was understood: `HORSE: 1 black, 1 white, 1 red, 2 unread`."""
        what = "solved" if self.rule.wins(turn.clue) else self.rule.describe(turn.clue)
        doubt = " (doubted)" if turn.doubted else ""
        return f"{self.format_code(turn.guess)}: {what}{doubt}"

    def parse_fact(self, text: str) -> Fact:
        """Return the fact that a text writes. Raises InvalidFactError."""
        return parse_fact(text, self.alphabet, self.length)

    # What a turn says.

    def score(self, guess: Code, secret: Code) -> Feedback:
        """Return the full feedback of a guess against a secret."""
        return self.rule.score(guess, secret)

    def admits(self, turn: Turn, feedback: Feedback) -> bool:
        """Return whether a secret with this feedback for the guess agrees with the turn.

        A guess that did not win is not the secret, whatever was read: the game went on.
        """
        if feedback == self.rule.winning:
            return self.rule.wins(turn.clue)
        return turn.doubted or feedback in turn.clue

    def constraint(self, turn: Turn) -> Constraint:
        """Return what `admits` says, as a constraint on the secret."""
        told = TRUE if turn.doubted else self.rule.constraint(turn.guess, turn.clue)
        if self.rule.wins(turn.clue):
            return told
        return AllOf((told, self.rule.refuse_winning(turn.guess)))

    def fits(self, history: History, secret: Code) -> bool:
        """Return whether a secret agrees with everything known: the specification of engines."""
        return all(
            holds(item.constraint, secret)
            if isinstance(item, Fact)
            else self.admits(item, self.score(item.guess, secret))
            for item in history
        )

    def is_won(self, history: History) -> bool:
        """Return whether the newest turn says that its guess was the secret, and all agree."""
        if not history.turns:
            return False
        newest = history.turns[-1]
        won = self.rule.wins(newest.clue) and not newest.doubted
        return won and self.fits(history, newest.guess)


def without_doubt(clue: str, pegs: int) -> tuple[str, bool]:
    """Return the text of a clue about so many pegs without a last ` ?`, and whether it had one.

    Where each cell holds one mark, and there are as many as pegs, the last is a mark like others.
    """
    marks = clue.split()
    one_mark_a_cell = len(marks) == pegs > 2 and all(len(mark) == 1 for mark in marks)
    doubted = len(marks) > 1 and marks[-1] == "?" and not one_mark_a_cell
    return (clue.rstrip("? \t") if doubted else clue), doubted
