"""The prompt: lines from a terminal or a pipe, answered by a dialogue and shown on a screen."""

import select
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from puzzlehunt.codes.spaces import WordSpace
from puzzlehunt.rules.notation.tiles import only_squares
from puzzlehunt.session.dialogue import Dialogue
from puzzlehunt.session.outcomes import BlockRefused, Outcome
from puzzlehunt.views.conversation import prompt, show
from puzzlehunt.views.screen import Screen

_PASTED = 3
"""Lines that arrive at once are a pasted block from this number on."""
_PASTE_PAUSE = 0.05
"""Time in which the next line of a pasted block arrives (seconds)."""


def run(dialogue: Dialogue, screen: Screen, lines: TextIO, echo: bool = False) -> None:
    """Answer a person's lines until that person leaves, or they end."""
    if lines.isatty():
        run_terminal(dialogue, screen)
    else:
        run_pipe(dialogue, screen, lines, echo)


def run_pipe(dialogue: Dialogue, screen: Screen, lines: Iterable[str], echo: bool = False) -> None:
    """Read lines from a pipe until they end, or one says /quit; with `echo`, repeat each.

    Rows of squares that follow each other are handled as the block that they were shared as.
    """
    _show(dialogue.start(), dialogue, screen)
    for text in _blocks(lines) if dialogue.open else ():
        for line in text.splitlines() if echo else ():
            screen.typed(prompt(dialogue.game, dialogue.awaited), line)
        _show(dialogue.handle(text), dialogue, screen)
        if not dialogue.open:
            return
    _show(dialogue.end(), dialogue, screen)


def _show(outcomes: Iterable[Outcome], dialogue: Dialogue, screen: Screen) -> str:
    """Print outcomes as they come; return the text that is to be mended, which is mostly empty."""
    mend = ""
    for outcome in outcomes:
        show(outcome, screen, dialogue.game)
        if isinstance(outcome, BlockRefused):
            mend = outcome.text
    return mend


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines one by one, but rows of squares all together."""
    rows: list[str] = []
    for line in lines:
        shared = only_squares(line) is not None
        if rows and not shared:
            yield "".join(rows)
            rows = []
        if shared:
            rows.append(line)
        else:
            yield line
    if rows:
        yield "".join(rows)


class _Words(Completer):
    """Completes commands after a slash, and words of the game's list."""

    def __init__(self, dialogue: Dialogue) -> None:
        self._dialogue = dialogue

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterator[Completion]:
        """Yield what the text before the cursor may become."""
        text = document.text_before_cursor
        if text.startswith("/"):
            for name in self._dialogue.commands:
                if name.startswith(text[1:].casefold()):
                    yield Completion(f"/{name}", start_position=-len(text))
            return
        game = self._dialogue.game
        word = document.get_word_before_cursor()
        if len(word) < 2 or not isinstance(game.guesses, WordSpace):
            return
        wanted = game.alphabet.spell(word)
        for code in game.guesses if wanted else ():
            if code[: len(word)] == wanted:
                yield Completion(game.format_code(code), start_position=-len(word))


def run_terminal(dialogue: Dialogue, screen: Screen) -> None:
    """Read lines from a terminal until the player leaves."""
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
        completer=_Words(dialogue),
        complete_while_typing=False,
        key_bindings=keys,
    )
    _show(dialogue.start(), dialogue, screen)
    mend = ""
    while dialogue.open:
        try:
            begun, mend = mend, ""
            for text in _typed(dialogue, prompts, begun):
                mend = _show(dialogue.handle(text), dialogue, screen) or mend
                if not dialogue.open:
                    break
        except KeyboardInterrupt:
            continue
        except EOFError:
            _show(dialogue.end(), dialogue, screen)
            return


def _typed(dialogue: Dialogue, prompts: PromptSession[str], begun: str) -> list[str]:
    """Return what was typed: one line, or lines that arrived all at once.

    The line is `begun` with text that is to be mended, mostly none. Terminals without bracketed
    paste send a pasted block as lines typed very fast; three or more of them, all turns, are one
    block.
    """
    lines = [prompts.prompt(prompt(dialogue.game, dialogue.awaited), default=begun)]
    while _more_waits(prompts, len(lines)):
        try:
            lines.append(prompts.prompt("  "))
        except KeyboardInterrupt:
            break
        except EOFError:
            store_typeahead(prompts.app.input, [KeyPress(Keys.ControlD)])
            break
    rows = [line for line in lines if line.strip()]
    if len(rows) >= _PASTED and not any(line.lstrip().startswith("/") for line in rows):
        return ["\n".join(lines)]
    return lines


def _more_waits(prompts: PromptSession[str], lines: int) -> bool:
    """Return whether a whole line is waiting already, or the unfinished last one of a block."""
    keys = get_typeahead(prompts.app.input)
    store_typeahead(prompts.app.input, keys)
    if any(key.key in (Keys.ControlM, Keys.ControlJ) for key in keys):
        return True
    if lines >= _PASTED - 1 and any(not isinstance(key.key, Keys) for key in keys):
        return True
    if sys.platform == "win32":
        return False
    return bool(select.select([sys.stdin], [], [], _PASTE_PAUSE)[0])
