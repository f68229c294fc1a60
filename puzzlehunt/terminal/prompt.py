"""The prompt: it passes lines from a terminal or a pipe to a dialogue and prints the outcomes."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from puzzlehunt.engines.base import Counted
from puzzlehunt.errors import LimitError, counted
from puzzlehunt.game.blocks import read_heading
from puzzlehunt.game.history import History
from puzzlehunt.game.turn_notation import tried
from puzzlehunt.rules.notation.tiles import only_squares
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.limits import limited, longest_wait
from puzzlehunt.session.outcomes import NothingFits, Outcome
from puzzlehunt.strategies import BUILT_IN
from puzzlehunt.views.candidates import counted_lines
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.terminal import print_outcome, prompt


def run(dialogue: Conversation, screen: Screen, lines: TextIO, first: str = "") -> bool:
    """Pass lines to a dialogue and print its answers until the dialogue closes or the lines end.

    `lines` is a terminal or a pipe, whose lines are printed, too, if the screen is a terminal.
    `first` is a line or a pasted block answered before them. Returns False if an answer to a line
    of a pipe reached its limit of time, otherwise True.
    """
    answers = _Answers(dialogue, screen)
    answers.show(dialogue.start())
    if first:
        answers.record(first)
    if lines.isatty():
        run_terminal(answers)
        return True
    for text in _texts(dialogue, lines if dialogue.is_open else ()):
        for line in text.splitlines() if screen.width else ():
            screen.typed(prompt(dialogue.game, dialogue.expected_line), line)
        answers.record(text)
        if not dialogue.is_open:
            break
    return not answers.is_any_stopped


class _Answers:
    """Prints the answers of a dialogue, each within a limit of time."""

    def __init__(self, dialogue: Conversation, screen: Screen) -> None:
        self.dialogue = dialogue
        self.screen = screen
        self._left = dict[History, str]()
        """How many candidates were left when that was printed last, by the rows."""
        self.is_any_stopped = False
        """Whether at least one answer has reached a limit."""

    def show(self, outcomes: Iterable[Outcome]) -> None:
        try:
            with limited(longest_wait(self.dialogue.game.play.budget)) as watch:
                for outcome in outcomes:
                    print_outcome(outcome, self.screen, self.dialogue.game)
                    if isinstance(outcome, Counted):
                        rows = self.dialogue.session.answers.history
                        self._left[rows] = counted_lines(self.dialogue.game, outcome)[0]
                    elif isinstance(outcome, NothingFits):
                        self._left[outcome.history] = "nothing fits"
            self.is_any_stopped |= bool(watch.reached)
        except LimitError as error:
            self.is_any_stopped = True
            self.screen.note(f"{error}; /history shows the rows recorded")

    def record(self, text: str) -> None:
        """Print the answer to a text; of a block, what can be read is recorded."""
        self.show(self.dialogue.handle(text))
        if self.dialogue.offer:
            self.show(self.dialogue.handle(""))

    def status(self) -> str:
        """Return the game, its rows, and how many candidates they leave, if known."""
        session, number = self.dialogue.session, len(self.dialogue.history.turns)
        left = self._left.get(session.answers.history, "") if number else ""
        rows = counted(number, "row") if number else ""
        return ", ".join(filter(None, [session.game.title, rows, left]))


def _texts(dialogue: Conversation, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, but squares of a shared result, and a table, as one text each.

    A table begins with a heading and ends before an empty line or a command.
    """
    block = kind = ""
    for line in lines:
        is_row = kind == "table" and line.strip() and not line.startswith("/")
        may_be_heading = not {*"\t,;|"}.isdisjoint(line)
        is_heading = may_be_heading and tried(read_heading, dialogue.game, line) is not None
        now = "squares" if only_squares(line) else "table" if is_row or is_heading else ""
        if block and now != kind:
            yield block
            block = ""
        if now:
            block += line
        else:
            yield line
        kind = now
    if block:
        yield block


class _Completions(Completer):
    """Completes commands, what follows them, and listed guesses of two letters or more."""

    def __init__(self, dialogue: Conversation) -> None:
        self._dialogue = dialogue

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterator[Completion]:
        text = document.text_before_cursor
        for line in self._lines(text):
            if line.casefold().startswith(text.casefold()):
                yield Completion(line, start_position=-len(text))

    def _lines(self, text: str) -> Iterator[str]:
        game = self._dialogue.game
        command, blank, word = text.partition(" ")
        if command.startswith("/") and not blank:
            yield from (f"/{name}" for name in self._dialogue.commands)
        elif command in ("/edit", "/e", "/drop", "/doubt"):
            for number, turn in enumerate(self._dialogue.session.history.turns, start=1):
                clue = f" {turn.answer}" if command in ("/edit", "/e") else ""
                yield from (f"{command} {name}{clue}" for name in (number, turn.guess))
        elif command == "/strategy":
            yield from (f"{command} {name}" for name in BUILT_IN)
        elif game.guesses.listed and len(word or text) > 1:
            start = f"{command} " if command in ("/why", "/w", "/try") else ""
            yield from (start + game.format_code(code) for code in game.guesses)


def run_terminal(answers: _Answers) -> None:
    """Answer lines typed in a terminal until the dialogue closes or the input ends (Ctrl-D).

    Ctrl-C discards the typed line or stops the answer. The up arrow brings back earlier lines, and
    a block as one text to correct.
    """
    dialogue = answers.dialogue
    keys = KeyBindings()

    @keys.add(Keys.BracketedPaste)
    def _paste(event: KeyPressEvent) -> None:
        text = event.data.replace("\r\n", "\n").replace("\r", "\n")
        buffer = event.current_buffer
        buffer.insert_text(text.rstrip("\n"))
        if text.endswith("\n"):
            buffer.validate_and_handle()

    prompts: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        completer=_Completions(dialogue),
        complete_while_typing=False,
        key_bindings=keys,
        bottom_toolbar=answers.status,
    )

    def watch() -> None:
        get_app().create_background_task(_show_news(answers))

    while dialogue.is_open:
        try:
            text = prompts.prompt(prompt(dialogue.game, dialogue.expected_line), pre_run=watch)
        except KeyboardInterrupt:
            continue
        except EOFError:
            answers.show(dialogue.handle("/quit"))
            return
        try:
            answers.show(dialogue.handle(text))
        except KeyboardInterrupt:
            answers.screen.note("stopped; /history shows the rows recorded")


async def _show_news(answers: _Answers) -> None:
    dialogue = answers.dialogue
    while True:
        await asyncio.sleep(0.5)
        if dialogue.session.is_outdated:
            await run_in_terminal(lambda: answers.show(dialogue.news()))
