"""What a player's lines mean for the session: turns, clues, guesses, pasted blocks, commands."""

from collections.abc import Iterator, Sequence

from puzzlehunt.codes.alphabet import FOREIGN, Code
from puzzlehunt.errors import (
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
)
from puzzlehunt.game.blocks import read_block
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.lines import Line, parse_answer, parse_turn, read_line, try_answer
from puzzlehunt.game.shared import SharedResult, read_shared
from puzzlehunt.rules.notation.clue import NONE_WORDS, UNREAD_WORDS, WON_WORDS
from puzzlehunt.rules.notation.tiles import only_squares
from puzzlehunt.session import commands
from puzzlehunt.session.commands import COMMANDS, NAMES, run_command
from puzzlehunt.session.dialogue import Awaited, Dialogue, is_command, with_failures
from puzzlehunt.session.outcomes import (
    Begun,
    BlockRefused,
    CommandWithoutSlash,
    GuessStands,
    Outcome,
    Quit,
    ReadAsClue,
    Unsaved,
)
from puzzlehunt.session.player import Player
from puzzlehunt.session.session import Session

_CLUE_WORDS = {*UNREAD_WORDS, *WON_WORDS, *NONE_WORDS}
_CLUES_AND_COMMANDS = ("won", "none")
"""Words that would be clues even if a command were called so."""


class Conversation(Dialogue):
    """One player's conversation with a session."""

    def __init__(self, session: Session, coach: bool = False) -> None:
        self.player = Player(session, coach)

    @property
    def session(self) -> Session:
        """What is played."""
        return self.player.session

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.player.game

    @property
    def commands(self) -> list[str]:
        """The names of the commands, without their slash."""
        return list(COMMANDS)

    @property
    def awaited(self) -> Awaited:
        """The guess that stands and waits for its clue, if there is one."""
        return Awaited(guess=self.player.standing)

    def start(self) -> Iterator[Outcome]:
        """Yield the history that the game begins with, and where it stands."""
        yield Begun(self.session.history)
        yield from with_failures(self.player.state())

    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield what one line does, or one pasted block; what goes wrong is an outcome, too."""
        for outcome in with_failures(self._read(text)):
            self.open = self.open and not isinstance(outcome, Quit)
            yield outcome
        yield from self._unsaved()

    def end(self) -> Iterator[Outcome]:
        """Record a guess that still stands as unread."""
        if self.player.standing is not None:
            yield from self.player.record_standing()
            yield from self._unsaved()

    def _unsaved(self) -> Iterator[Outcome]:
        if self.session.unsaved is not None:
            yield Unsaved(str(self.session.unsaved))

    # Reading lines.

    def _read(self, text: str) -> Iterator[Outcome]:
        lines = text.splitlines()
        written = [line for line in lines if line.strip()]
        if len(written) > 1:
            yield from self._block(lines)
        else:
            yield from self._line(written[0].strip() if written else "")

    def _line(self, text: str) -> Iterator[Outcome]:
        if not text:
            yield from self.player.state()
        elif is_command(text, NAMES, self.game.alphabet):
            yield from run_command(self.player, text)
        elif (line := read_line(self.game, text)).clue:
            yield from self._guess_and_clue(line) if line.guess else self._answer(line.text)
        elif line.guess:
            yield from self._lone_word(line.guess)

    def _guess_and_clue(self, line: Line) -> Iterator[Outcome]:
        player, game = self.player, self.game
        try:
            turn = parse_turn(game, line)
        except (InvalidCodeError, InvalidClueError) as error:
            if self._answer_to_target(line.text) is None:
                if player.target is None and self._could_be_clue(line.text):
                    raise _answers_nothing(line.text) from None
                raise error from None
            yield from self._answer(line.text)
            return
        if FOREIGN in turn.guess and self._reads_as_clue(line):
            yield from self._answer(line.text)
            return
        game.check_guess(turn.guess, self.session.history)
        if turn.guess != player.standing:
            yield from player.record_standing()
        yield from player.play(turn)

    def _reads_as_clue(self, line: Line) -> bool:
        """Return whether a line is a clue of several words, as `1g 1t`, and no guess before one."""
        return all(self._answer_to_target(text) is not None for text in (line.guess, line.text))

    def _lone_word(self, word: str) -> Iterator[Outcome]:
        """A word alone is a clue if something stands to be answered, else a guess."""
        player, game, folded = self.player, self.game, word.casefold()
        if folded in COMMANDS and folded not in _CLUES_AND_COMMANDS:
            yield CommandWithoutSlash(word)
            return
        answer = self._answer_to_target(word)
        if folded in _CLUE_WORDS and game.ignore_foreign:
            yield from self._answer(word)
            return
        try:
            guess = game.parse_guess(word)
        except InvalidCodeError:
            if answer is not None:
                yield from player.play(answer)
            elif self._is_repair(word):
                yield from commands.repair(player, word)
            else:
                self._explain_word(word)
                raise
            return
        if answer is not None:
            yield ReadAsClue(word)
            yield from player.play(answer)
            return
        if game.listing_matters and not game.is_listed(guess):
            self._check_clue(word)
        game.check_guess(guess, self.session.history)
        if guess != player.standing:
            yield from player.record_standing()
        player.standing = guess
        yield GuessStands(guess)
        yield from player.unlisted(guess)

    def _is_repair(self, word: str) -> bool:
        """Return whether a word is the number of a repair that was offered."""
        return word.isdecimal() and 1 <= int(word[:4]) <= len(self.player.repairs)

    def _check_clue(self, word: str) -> None:
        """Raise ImpossibleClueError for a word in no list that is a clue which cannot be."""
        if self.player.target is not None:
            try:
                self.game.parse_clue(word, self.player.target)
            except ImpossibleClueError:
                raise
            except InvalidClueError:
                return

    def _explain_word(self, word: str) -> None:
        """Raise the clue's error where a word looks more like a clue than like a guess."""
        code = self.game.alphabet.spell(word)
        if code is not None and len(code) in self.game.guesses.lengths:
            return
        rule = self.game.rule
        told = {mark.upper() for mark, _ in rule.named_marks()}
        marks = told | {rule.unread_mark.upper()} | set("_?*[].0123456789")
        spelt = word.casefold() in _CLUE_WORDS
        if spelt or only_squares(word) or all(c.upper() in marks for c in word):
            if self.player.target is None:
                raise _answers_nothing(word)
            self.game.parse_clue(word, self.player.target)

    def _answer_to_target(self, text: str) -> Turn | None:
        target = self.player.target
        return None if target is None else try_answer(self.game, text, target)

    def _answer(self, text: str) -> Iterator[Outcome]:
        """Play the standing or suggested guess with a clue."""
        target: Code | None = self.player.target
        if target is None:
            raise _answers_nothing(text)
        yield from self.player.play(parse_answer(self.game, text, target))

    def _could_be_clue(self, text: str) -> bool:
        symbols = len(self.game.alphabet)
        some_guess = tuple(n % symbols for n in range(self.game.guesses.lengths[-1]))
        return try_answer(self.game, text, some_guess) is not None

    # Pasted blocks.

    def _block(self, lines: Sequence[str]) -> Iterator[Outcome]:
        """Play a pasted block as one step, or nothing of it if a line is bad."""
        player = self.player
        shared = read_shared(self.game, lines)
        if shared is not None:
            yield from self._shared(shared)
            return
        written = [line for line in lines if line.strip()]
        block = read_block(self.game, written, self.session.history, player.standing)
        if block.problems:
            yield BlockRefused(block.problems, "\n".join(written))
            return
        turns = list(block.turns)
        if player.standing is not None and turns[0] == player.unanswered():
            yield from player.record_standing()
            turns = turns[1:]
        if turns:
            player.standing = None
            yield from player.record(turns)
            yield from player.state()

    def _shared(self, shared: SharedResult) -> Iterator[Outcome]:
        """Answer what is unread with a shared result, as one step."""
        player, before = self.player, self.session.history
        waiting = [] if player.standing is None else [player.unanswered()]
        after = shared.fill(self.game, before.add(*waiting))
        if not self.session.fits(after):
            raise InvalidTurnError(
                "nothing would fit these guesses any more: the text is of another game"
            )
        player.standing = None
        self.session.revise(after)
        old = dict(enumerate(before.turns))
        new = [place for place, turn in enumerate(after.turns) if turn != old.get(place)]
        yield from player.understood(new)
        yield from player.state()


def _answers_nothing(text: str) -> InvalidTurnError:
    return InvalidTurnError(f"{text!r} is a clue, but to which guess? GUESS CLUE")
