"""Practice: a dialogue in which a codemaker of this program answers a person's guesses."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import InvalidCodeError, InvalidTurnError
from puzzlehunt.explanation.review import review
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.lines import strip_line
from puzzlehunt.session.answers import END_REVIEW_TIME
from puzzlehunt.session.codemaker import Codemaker
from puzzlehunt.session.dialogue import (
    PLAIN_COMMANDS,
    Dialogue,
    ExpectedLine,
    is_command,
    plain_command,
    with_failures,
)
from puzzlehunt.session.other_names import unknown_command
from puzzlehunt.session.outcomes import (
    Advised,
    Begun,
    Ended,
    Helped,
    HistoryShown,
    OneFound,
    Outcome,
    Quit,
    SecretNamed,
    Solved,
    TurnTaken,
    Usage,
)
from puzzlehunt.strategies.adviser import Adviser
from puzzlehunt.strategies.position import Budget


@dataclass(frozen=True, slots=True)
class PracticeCommand:
    """A command of practice: the function that runs it, and its usage."""

    run: Callable[["Practice"], Iterator[Outcome]]
    usage: Usage


class Practice(Dialogue):
    """One person's game against a codemaker."""

    def __init__(self, codemaker: Codemaker) -> None:
        self.codemaker = codemaker
        self.is_solved = False
        """Whether everything was found within the attempts."""
        self._turns_given = len(codemaker.history.turns)
        """Number of turns before the player's first guess."""
        self._engine: Engine | None = None
        self._adviser: Adviser | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.codemaker.game

    @property
    def commands(self) -> list[str]:
        """The names of the commands, without their slash."""
        return list(COMMANDS)

    @property
    def expected_line(self) -> ExpectedLine:
        """The number (from 1) of the next turn."""
        return ExpectedLine(number=len(self.codemaker.history.turns) + 1)

    def start(self) -> Iterator[Outcome]:
        """Yield the history that the game begins with, and its end if it is over already."""
        yield Begun(self.codemaker.history, practice=True)
        yield from self._end_if_over()

    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of each line: the answer to a guess, or what a command does."""
        for line in text.splitlines():
            if not self.is_open:
                return
            yield from with_failures(self._line(line))

    def end(self) -> Iterator[Outcome]:
        """Close the dialogue; there is nothing to record."""
        self.is_open = False
        return iter(())

    # Guesses.

    def _line(self, line: str) -> Iterator[Outcome]:
        text = line.strip()
        if is_command(text, {*COMMANDS, *_SHORT_FORMS}, self.game.alphabet):
            yield from self._command(text[1:])
        elif command := plain_command(text, self.game):
            yield from self._command(command)
        elif text := strip_line(line, self.game.alphabet)[0]:
            yield from self._guess(self._parse_guess(text), self.game.is_cut(text))

    def _parse_guess(self, text: str) -> Code:
        """Return the guess that a line writes.

        Raises InvalidTurnError for a guess with a clue or a command's name, InvalidCodeError for a
        text that is no guess, and IllegalGuessError for a guess that the game forbids now.
        """
        first, *rest = text.split()
        if rest and self.game.alphabet.foreign_names(text) and self._is_guess(first):
            raise InvalidTurnError("one guess a line, without a clue: the answer comes from here")
        try:
            guess = self.game.parse_lone_guess(text)
            self._check_listed(guess)
        except InvalidCodeError as error:
            if text.casefold() in COMMANDS:
                raise InvalidTurnError(f"{error}; the command is /{text.casefold()}") from None
            raise
        self.game.check_guess(guess, self.codemaker.history)
        return guess

    def _is_guess(self, word: str) -> bool:
        """Return whether a word is a whole guess."""
        try:
            self.game.parse_guess(word)
        except InvalidCodeError:
            return False
        return True

    def _check_listed(self, guess: Code) -> None:
        """Raise InvalidCodeError for a word in no list, in a game whose guesses are words."""
        game = self.game
        if not game.has_guess_list or game.is_listed(guess):
            return
        word = game.format_code(guess)
        words_with_same_start = (
            game.format_code(code) for code in game.guesses if code[:1] == guess[:1]
        )
        nearest_words = get_close_matches(word, words_with_same_start, n=1, cutoff=0.7)
        hint = f"; did you mean {nearest_words[0]}?" if nearest_words else ""
        raise InvalidCodeError(f"{word} is not in the list of this game{hint}")

    def _guess(self, guess: Code, overlong: bool) -> Iterator[Outcome]:
        history_before = self.codemaker.history
        turn = self.codemaker.answer(guess, overlong)
        yield TurnTaken(len(history_before.turns) + 1, turn, history_before)
        yield from self._new_finds(history_before)
        yield from self._end_if_over()

    def _new_finds(self, history_before: History) -> Iterator[Outcome]:
        """Yield which of several secrets the newest guess found, unless it found the last."""
        game = self.game
        if game.secrets_at_once == 1 or self.codemaker.is_over:
            return
        old_codes = game.winning_guesses(history_before)
        new_codes = game.winning_guesses(self.codemaker.history)
        for number, (old, new) in enumerate(zip(old_codes, new_codes, strict=True)):
            if old is None and new is not None:
                yield OneFound(new, number if game.boards > 1 else None)

    def _end_if_over(self) -> Iterator[Outcome]:
        """Yield the end of the game if everything is found, or no attempt is left."""
        codemaker, attempts = self.codemaker, self.game.play.attempts
        if codemaker.is_over:
            self.is_solved = True
            yield from self._finish(Solved(codemaker.history, codemaker.secret))
        elif attempts is not None and len(codemaker.history.turns) >= attempts:
            yield from self._finish(SecretNamed(codemaker.secret, out_of_attempts=True))

    def _finish(self, result: Outcome) -> Iterator[Outcome]:
        """Close the dialogue; yield the result, then how good the player's guesses were."""
        self.is_open = False
        yield result
        game, first_number = self.game, self._turns_given + 1
        budget = Budget(seconds=game.play.budget)
        history, engine = self.codemaker.history, self._current_engine()
        most_seconds = END_REVIEW_TIME * game.play.budget
        yield Ended(
            review(game, history, budget, engine, first_number, most_seconds),
            can_be_reviewed=False,
        )

    def _current_engine(self) -> Engine:
        """Return the game's engine, at the codemaker's history."""
        if self._engine is None:
            self._engine = open_engine(self.game)
        self._engine.follow(self.codemaker.history)
        return self._engine

    # Commands.

    def _command(self, text: str) -> Iterator[Outcome]:
        """Return the outcomes of a command, given without its slash."""
        name = "".join(text.split(maxsplit=1)[:1]).casefold()
        name = _SHORT_FORMS.get(name, name)
        if name not in COMMANDS:
            raise unknown_command(name, COMMANDS)
        return COMMANDS[name].run(self)

    def hint(self) -> Iterator[Outcome]:
        """Yield the best next guess by the game's strategy."""
        if self._adviser is None:
            self._adviser = Adviser(self.game)
        budget = Budget(seconds=self.game.play.budget)
        yield Advised(self._adviser.advise(self._current_engine(), 1, budget))

    def history(self) -> Iterator[Outcome]:
        """Yield all turns and facts."""
        yield HistoryShown(self.codemaker.history)

    def give_up(self) -> Iterator[Outcome]:
        """Reveal the secret and close the dialogue."""
        self.is_open = False
        yield SecretNamed(self.codemaker.secret, out_of_attempts=False)

    def help(self) -> Iterator[Outcome]:
        """Yield how to play, and all commands."""
        yield Helped("practice", tuple(command.usage for command in COMMANDS.values()))

    def quit(self) -> Iterator[Outcome]:
        """Close the dialogue without revealing the secret."""
        self.is_open = False
        yield Quit()


COMMANDS = {
    "hint": PracticeCommand(Practice.hint, Usage("hint", "a good guess")),
    "history": PracticeCommand(Practice.history, Usage("history", "all rows")),
    "give-up": PracticeCommand(Practice.give_up, Usage("give-up", "say what it was")),
    "help": PracticeCommand(Practice.help, Usage("help", "this; also help, ?")),
    "quit": PracticeCommand(Practice.quit, Usage("quit", "leave; also exit")),
}
_SHORT_FORMS = {"h": "help", "q": "quit", "s": "hint", **PLAIN_COMMANDS}
