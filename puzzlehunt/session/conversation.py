"""A conversation with a player who reads the clues elsewhere: what each typed line means.

A line is a turn, a clue alone, a guess alone, or a command; several lines at once are a pasted
block. The standing guess is one that was typed without its clue. The target is the guess that a
clue alone answers: the standing guess if there is one, else the suggested guess.
"""

from collections.abc import Iterator, Sequence

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import (
    AmbiguousClueError,
    ImpossibleClueError,
    InvalidClueError,
    InvalidCodeError,
    InvalidTurnError,
    PuzzlehuntError,
    UnknownNameError,
)
from puzzlehunt.game.blocks import read_block
from puzzlehunt.game.example import example_turn
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.lines import (
    Line,
    other_reading,
    parse_answer,
    parse_plain_turn,
    read_line,
    try_answer,
    unread_turn,
)
from puzzlehunt.game.merging import merge
from puzzlehunt.game.pasted import is_heading
from puzzlehunt.game.shared import SharedResult, read_shared
from puzzlehunt.game.tables import Heading, read_heading
from puzzlehunt.rules.notation.clue import NOTHING_WORDS
from puzzlehunt.rules.notation.numbers import is_number_word
from puzzlehunt.rules.notation.tiles import only_squares
from puzzlehunt.session import commands
from puzzlehunt.session.commands import COMMANDS, NAMES, NAMES_WITHOUT_SLASH, run_command
from puzzlehunt.session.dialogue import (
    Dialogue,
    ExpectedLine,
    is_command,
    plain_command,
    with_failures,
)
from puzzlehunt.session.other_names import other_name
from puzzlehunt.session.outcomes import (
    Begun,
    BlockMerged,
    BlockRefused,
    CommandWithoutSlash,
    CountsAs,
    GuessStands,
    HeadingRead,
    Outcome,
    Quit,
    ReadAsClue,
    Unsaved,
    WriterChanged,
)
from puzzlehunt.session.player import Player
from puzzlehunt.session.session import Session


class Conversation(Dialogue):
    """One player's conversation about a session."""

    def __init__(self, session: Session, coach: bool = False) -> None:
        self.player = Player(session, coach)
        self.player.standing = session.standing
        self.answers_one_line = False
        """Whether each line has a conversation of its own, so that no heading is kept for rows."""
        self._heading: Heading | None = None
        """The heading of the table whose rows are typed or piped one by one."""

    @property
    def session(self) -> Session:
        """The session that the lines change."""
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
    def expected_line(self) -> ExpectedLine:
        """The standing guess, whose clue is expected next, if there is one."""
        return ExpectedLine(guess=self.player.standing_guess)

    def start(self) -> Iterator[Outcome]:
        """Yield the history that the game begins with, and where the game stands."""
        yield Begun(self.session.history, example_turn(self.game))
        if self.is_follower and self.session.path is not None:
            yield WriterChanged(self.session.path, here=False)
        yield from self._unsaved_warning()
        yield from with_failures(self.player.state())

    def handle(self, text: str) -> Iterator[Outcome]:
        """Yield the outcomes of one line, or of a pasted block; a mistake is an outcome, too."""
        self.session.save_interrupted()
        yield from self.news()
        followed = self.session.path if self.is_follower else None
        for outcome in self._keeping_standing(with_failures(self._read(text))):
            self.is_open = self.is_open and not isinstance(outcome, Quit)
            if followed is not None and not self.is_follower:
                if followed == self.session.path:
                    yield WriterChanged(followed, here=True)
                followed = None
            yield outcome
        yield from self._unsaved_warning()

    def end(self) -> Iterator[Outcome]:
        """Record the standing guess, if there is one, as a turn with nothing read."""
        if self.player.standing_guess is not None:
            yield from self._keeping_standing(self.player.record_standing_guess())
            yield from self._unsaved_warning()

    def _keeping_standing(self, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        """Yield outcomes; then the session keeps the standing guess, where that is another now."""
        player, before = self.player, self.player.standing
        try:
            yield from outcomes
        finally:
            if player.standing != before:
                self.session.keep_standing(player.standing)

    def _unsaved_warning(self) -> Iterator[Outcome]:
        """Yield Unsaved while the file could not be written; nothing otherwise."""
        if self.session.unsaved is not None:
            yield Unsaved(str(self.session.unsaved))

    @property
    def is_follower(self) -> bool:
        """Whether another program writes the session's file."""
        return self.session.is_followed

    @property
    def has_news(self) -> bool:
        """Whether that program has written the file since it was read."""
        return self.session.is_outdated

    def news(self) -> Iterator[Outcome]:
        """Yield what another program has written to the session's file since it was read."""
        if self.has_news:
            yield from with_failures(self.player.read_again())

    # Reading lines.

    def _read(self, text: str) -> Iterator[Outcome]:
        """Answer a text typed or pasted at once: a block if two lines or more are not blank."""
        lines = text.splitlines()
        filled_lines = [line for line in lines if line.strip()]
        if len(filled_lines) > 1:
            yield from self._block(lines)
        else:
            yield from self._line("".join(filled_lines))

    def _line(self, line: str) -> Iterator[Outcome]:
        """Answer one line; a blank one shows where the game stands, and ends a table."""
        text = line.strip()
        if not text:
            self._heading = None
            yield from self.player.state()
        elif is_command(text, NAMES, self.game.alphabet):
            yield from run_command(self.player, text)
        elif (heading := read_heading(self.game, line)) and not heading.may_be_row:
            if self.answers_one_line:
                raise InvalidTurnError(f"{text!r} is a heading; paste it together with its rows")
            self._heading = heading
            yield HeadingRead(tuple(column.title for column in heading.columns))
        elif self._heading and (row := self._heading.line(self.game, line)):
            if row.text:
                yield from self._play(parse_plain_turn(self.game, row), row.guess)
        else:
            try:
                yield from self._row(read_line(self.game, line))
            except AmbiguousClueError:
                raise
            except PuzzlehuntError:
                if text.isalpha() or not is_heading(text):
                    raise
                yield HeadingRead()

    def _row(self, line: Line) -> Iterator[Outcome]:
        """Answer a line that is no command; nothing for a line with a note alone."""
        if line.clue:
            yield from self._guess_and_clue(line) if line.guess else self._answer(line)
        elif line.guess:
            yield from self._lone_word(line)

    def _guess_and_clue(self, line: Line) -> Iterator[Outcome]:
        """Play a line of several words: a guess with its clue, or a clue written in words."""
        player, game = self.player, self.game
        try:
            turn = parse_plain_turn(game, line)
        except (InvalidCodeError, InvalidClueError) as error:
            if self._answer_to_target(line) is not None:
                yield from self._answer(line)
            elif player.target is None and self._could_be_clue(line.text):
                raise _no_target_error(line.text) from None
            else:
                yield from self._other_reading(line, error)
            return
        if game.alphabet.foreign_names(line.guess) and self._could_be_clue(line.text):
            # A clue of several words, such as `>=1g 1t`.
            yield from self._answer(line)
            return
        yield from self._play(turn, line.guess)

    def _play(self, turn: Turn, guess: str) -> Iterator[Outcome]:
        """Play a turn whose guess was written as some text."""
        self._check(turn.guess)
        if turn.guess != self.player.standing_guess:
            yield from self.player.record_standing_guess()
        yield from self._if_counts_as(guess)
        yield from self.player.play(turn)

    def _other_reading(self, line: Line, error: PuzzlehuntError) -> Iterator[Outcome]:
        """Answer a line that is no turn as it stands, if there is one other reading of it.

        Raises the error that tells most of why it is none.
        """
        if self.game.begins_with_count(line.guess) and self.player.target is not None:
            try:
                parse_answer(self.game, line.text, self.player.target)
            except InvalidClueError as clue_error:
                error = clue_error
        other = other_reading(self.game, line, error)
        if other.clue:
            yield from self._guess_and_clue(other)
        else:
            yield from self._lone_word(other)

    def _if_counts_as(self, text: str) -> Iterator[Outcome]:
        """Yield what a guess counts as in this game, if that is not just what was written."""
        guess = self.game.counts_as(text)
        if guess is not None:
            yield CountsAs(text, guess)

    def _lone_word(self, line: Line) -> Iterator[Outcome]:
        """Play a word alone: a clue where it can answer the target, else a guess."""
        player, game, word = self.player, self.game, line.guess
        lower_case = word.casefold()
        # After a guess alone `?` is its clue: nothing was read.
        may_be_command = word != "?" or player.standing_guess is None
        if may_be_command and (command := plain_command(word, game)):
            yield from run_command(player, f"/{command}")
            return
        if may_be_command and lower_case in NAMES_WITHOUT_SLASH:
            yield CommandWithoutSlash(word)
            return
        answer = self._answer_to_target(line)
        if game.ignore_foreign and lower_case in game.rule.clue_words and answer is None:
            raise _no_target_error(word)
        try:
            guess = game.parse_lone_guess(word)
        except InvalidCodeError:
            if answer is not None:
                yield from player.play(answer)
            elif self._is_repair(word):
                yield from commands.repair(player, word)
            elif (other := self._undecorated(line)) is not None:
                yield from self._row(other)
            else:
                self._raise_as_clue(word)
                if (command := other_name(word, COMMANDS)) is not None:
                    problem = f"{word} is no guess; did you mean /{command}?"
                    raise UnknownNameError(problem) from None
                raise
            return
        if answer is not None and (player.standing is not None or not is_number_word(word)):
            yield ReadAsClue(word)
            yield from player.play(answer)
            return
        if game.has_guess_list and not game.is_listed(guess):
            self._raise_if_impossible(word)
        self._check(guess)
        self.session.become_writer()
        if guess != player.standing_guess:
            yield from player.record_standing_guess()
        player.standing = unread_turn(game, line)
        yield GuessStands(guess)
        yield from self._if_counts_as(word)
        yield from player.unlisted_warning(guess)

    def _undecorated(self, line: Line) -> Line | None:
        """Return a word such as `HORSE(BWR)` or `"HORSE"` as guess and clue; None for others."""
        error = InvalidCodeError(line.text)
        try:
            return None if line.guess.isalnum() else other_reading(self.game, line, error)
        except AmbiguousClueError:
            raise
        except PuzzlehuntError:
            return None

    def _check(self, guess: Code) -> None:
        """Raise IllegalGuessError for a new guess that hard mode forbids."""
        if self.session.history.number_of(guess) is None:
            self.game.check_guess(guess, self.session.history)

    def _is_repair(self, word: str) -> bool:
        """Return whether a word is the number (from 1) of a repair of the history."""
        return word.isdecimal() and len(word) < 8 and 1 <= int(word) <= len(self.player.repairs)

    def _raise_if_impossible(self, word: str) -> None:
        """Raise ImpossibleClueError for a well-written clue that the target cannot get."""
        if self.player.target is not None:
            try:
                self.game.parse_clue(word, self.player.target)
            except ImpossibleClueError:
                raise
            except InvalidClueError:
                return

    def _raise_as_clue(self, word: str) -> None:
        """Raise the error of reading a word as a clue, where it looks more like that than a guess.

        Marks, digits and signs of counts, words for clues and squares look like a clue.
        """
        code, lengths = self.game.alphabet.spell(word), self.game.guesses.lengths
        if code is not None and len(code) in lengths:
            return
        is_long = word.isdecimal() and (len(word) > 9 or int(word) > lengths[-1])
        if code is not None and is_long:
            return
        rule = self.game.rule
        marks = {mark.upper() for mark, _ in rule.named_marks()}
        clue_signs = marks | {rule.unread_mark.upper()} | set("_?*[].0123456789")
        is_clue_word = word.casefold() in (*rule.clue_words, *NOTHING_WORDS)
        if is_clue_word or only_squares(word) or all(c.upper() in clue_signs for c in word):
            if self.player.target is None:
                raise _no_target_error(word)
            self.game.parse_clue(word, self.player.target)

    def _answer_to_target(self, line: Line) -> Turn | None:
        """Return the target with a line as its clue; None where that cannot be."""
        target = self.player.target
        if target is None:
            return None
        return try_answer(self.game, line.text, target, self._note(line), self._is_overlong)

    def _answer(self, line: Line) -> Iterator[Outcome]:
        """Play the target with a line as its clue."""
        target = self.player.target
        if target is None:
            raise _no_target_error(line.text)
        note = self._note(line)
        yield from self.player.play(
            parse_answer(self.game, line.text, target, note, self._is_overlong)
        )

    @property
    def _is_overlong(self) -> bool:
        """Whether more was played than the guess that a clue alone answers."""
        return self.player.standing is not None and self.player.standing.overlong

    def _note(self, line: Line) -> str:
        """Return the note of a line that is a clue, or else that of the guess that it answers."""
        standing = self.player.standing
        return line.note or ("" if standing is None else standing.note)

    def _could_be_clue(self, text: str) -> bool:
        """Return whether a text is a clue in the game's notation, for a guess that is made up."""
        symbols = len(self.game.alphabet)
        guess = tuple(place % symbols for place in range(self.game.guesses.lengths[-1]))
        return try_answer(self.game, text, guess) is not None

    # Pasted blocks.

    def _block(self, lines: Sequence[str]) -> Iterator[Outcome]:
        """Play a pasted block as one step of undo, or nothing of it if a line is bad."""
        player = self.player
        shared = read_shared(self.game, lines)
        if shared is not None:
            yield from self._shared_result(shared)
            return
        standing = player.standing
        block = read_block(self.game, lines, self.session.history, standing, self._heading)
        if block.problems:
            yield BlockRefused(block.problems, "\n".join(lines))
            return
        turns = list(block.turns)
        # A standing guess that the block does not answer is a step of undo of its own.
        if standing is not None and turns[0] == standing:
            yield from player.record_standing_guess()
            turns = turns[1:]
        if turns:
            player.standing = None
            yield from player.record_block(turns)
            yield from player.state()

    def _shared_result(self, shared: SharedResult) -> Iterator[Outcome]:
        """Give the unread turns the clues of a result that players share, as one step of undo."""
        player, old_history = self.player, self.session.history
        standing_turns = [] if player.standing is None else [player.standing]
        new_history = shared.fill(self.game, merge(self.game, old_history, standing_turns).history)
        if not self.session.fits(new_history):
            raise InvalidTurnError(
                "nothing would fit these guesses any more: the text is of another game"
            )
        player.standing = None
        old_turns = dict(enumerate(old_history.turns, start=1))
        changed_numbers = [
            number
            for number, turn in enumerate(new_history.turns, start=1)
            if turn != old_turns.get(number)
        ]
        if changed_numbers:
            self.session.revise(new_history)
        else:
            yield BlockMerged({"known": len(new_history.turns)})
        yield from player.turns_taken(changed_numbers)
        yield from player.state()


def _no_target_error(text: str) -> InvalidTurnError:
    """Return the error for a clue alone where there is no target that it could answer."""
    return InvalidTurnError(f"{text!r} is a clue, but to which guess? GUESS CLUE")
