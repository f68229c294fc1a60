"""Practice: a dialogue in which a codemaker answers the guesses of a person."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import InvalidCodeError, InvalidTurnError
from puzzlehunt.game.game import Game
from puzzlehunt.game.turn_notation import Line, read_line, tried
from puzzlehunt.session import outcomes
from puzzlehunt.session.answers import END_REVIEW_TIME, Answers
from puzzlehunt.session.codemaker import Codemaker
from puzzlehunt.session.commands import command_of, plain_command, unknown_command
from puzzlehunt.session.conversation import Conversation, with_failures
from puzzlehunt.session.outcomes import Note, Outcome

_USAGES = {
    "hint": "a good guess",
    "history": "all rows",
    "give-up": "say what it was",
    "help": "this; also help, ?",
    "quit": "leave; also exit",
}


class Practice:
    """One person's game against a codemaker."""

    commands = tuple(_USAGES)

    def __init__(self, codemaker: Codemaker) -> None:
        self.codemaker = codemaker
        self.is_open = True
        """Whether the game goes on."""
        self.is_solved = False
        """Whether the player found every secret within the allowed attempts."""
        self._turns_given = len(codemaker.history.turns)
        """Number of turns before the player's first guess."""
        self._answers = Answers(codemaker.game)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.codemaker.game

    @property
    def expected_line(self) -> int:
        """The number (from 1) of the turn that is expected."""
        return len(self.codemaker.history.turns) + 1

    def start(self) -> Iterator[Outcome]:
        """Yield the history with which the game begins, and the end if the game is over already."""
        yield outcomes.Begun(self.codemaker.history, practice=True)
        yield from self._end_if_over()

    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of each line: the answer to a guess, or the effect of a command."""
        for line in text.splitlines():
            if self.is_open:
                yield from with_failures(self._line(line))

    def _line(self, line: str) -> Iterator[Outcome]:
        text = line.strip()
        if named := command_of(text, self.game.alphabet, (*self.commands, "suggest")):
            yield from self._command(named[0])
        elif command := plain_command(text, self.game):
            yield from self._command(command)
        elif (read := read_line(self.game, line)).text:
            yield from self._guess(self._legal(read), self.game.is_cut(read.text))

    def _legal(self, line: Line) -> Code:
        """Return the guess that a line is.

        Raises InvalidTurnError for a guess with a clue, InvalidCodeError for what is no guess or in
        no list of the game, and IllegalGuessError for a guess that the game forbids now.
        """
        game = self.game
        try:
            guess = game.parse_lone_guess(line.text)
        except InvalidCodeError:
            if not line.clue or tried(game.parse_guess, line.guess) is None:
                raise
            why = "one guess a line, no clue: the answer comes from here"
            raise InvalidTurnError(why) from None
        if game.guesses.listed and not game.is_listed(guess):
            word = game.format_code(guess)
            raise InvalidCodeError(f"{word} is not in the list of this game")
        game.check_guess(guess, self.codemaker.history)
        return guess

    def _guess(self, guess: Code, overlong: bool) -> Iterator[Outcome]:
        game, before = self.game, self.codemaker.history
        turn = self.codemaker.answer(guess, overlong=overlong)
        yield outcomes.TurnTaken(len(before.turns) + 1, turn)
        if game.boards > 1 and not self.codemaker.is_over:
            found = map(game.winning_guesses, (before, self.codemaker.history))
            for board, (old, new) in enumerate(zip(*found, strict=True), start=1):
                if old is None and new is not None:
                    yield Note(f"board {board} solved: {game.format_code(new)}")
        yield from self._end_if_over()

    def _end_if_over(self) -> Iterator[Outcome]:
        codemaker, attempts = self.codemaker, self.game.play.attempts
        history = codemaker.history
        self.is_solved = codemaker.is_over
        if not self.is_solved and (attempts is None or len(history.turns) < attempts):
            return
        self.is_open = False
        if self.is_solved:
            yield outcomes.Solved(history, codemaker.secret)
        else:
            yield Note(f"Out of attempts; it was {self.game.format_code(codemaker.secret)}")
        self._answers.history = history
        review = self._answers.review(END_REVIEW_TIME * self.game.play.budget)
        own = tuple(turn for turn in review.turns if turn.number > self._turns_given)
        yield outcomes.Shared(history, replace(review, turns=own))

    def _command(self, name: str) -> Iterator[Outcome]:
        match name:
            case "hint" | "suggest":
                self._answers.history = self.codemaker.history
                yield self._answers.advise(1, self._answers.budget)
            case "history":
                yield self.codemaker.history
            case "give-up":
                self.is_open = False
                yield Note(f"It was {self.game.format_code(self.codemaker.secret)}")
            case "help":
                yield outcomes.Helped(_USAGES, practice=True)
            case "quit":
                self.is_open = False
            case unknown:
                raise unknown_command(unknown, self.commands)


Dialogue: TypeAlias = Conversation | Practice
"""What answers the lines that one person types."""
