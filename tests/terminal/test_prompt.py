"""The prompt, without a terminal: what the tab key completes, and what is one step."""

import sys
import threading
from io import StringIO

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from cases import cases, unescaped
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.session import Session
from puzzlehunt.terminal.prompt import _Answers, _Completions, run_terminal
from puzzlehunt.views.screen import Screen


@pytest.mark.parametrize(("game", "typed", "completed"), cases("completions"))
def test_the_tab_key_completes_commands_and_words_of_two_letters_or_more(game, typed, completed):
    conversation = Conversation(Session(gamefile.load(game), ""))
    found = list(_Completions(conversation).get_completions(Document(typed), CompleteEvent()))
    assert [completion.text for completion in found] == ([completed] if completed else [])
    assert all(completion.start_position == -len(typed) for completion in found)


@pytest.mark.parametrize(
    ("sent", "later", "rows", "after_undo"),
    [
        ("AB b\rAC w\rBC *\r", "\x04", 3, 2),
        ("AB b\r/quit\rAC w\rBC *\r", "", 1, 0),
        ("\x1b[200~AB b\r\nAC w\r\n\x1b[201~", "\x04", 2, 0),
        ("\x1b[200~AB b\nAC w\x1b[201~", "\r\x04", 2, 0),
        ("\x1b[200~Guess\tBlack\tWhite\nAB\t1\t\nAC\t\t1\n\x1b[201~", "\x04", 2, 0),
    ],
    ids=["typed ahead", "quit", "bracketed", "bracketed, no last enter", "table"],
)
def test_a_pasted_block_is_one_step(sent, later, rows, after_undo, monkeypatch):
    session = Session(gamefile.load("2x3"), "")
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        monkeypatch.setattr(sys, "stdin", keys)
        keys.send_text(sent)
        threading.Timer(0.2, keys.send_text, [later]).start()
        run_terminal(_Answers(Conversation(session), Screen(StringIO(), StringIO())))
    assert len(session.history.turns) == rows
    session.undo()
    assert len(session.history.turns) == after_undo


def test_the_line_below_the_prompt_says_game_rows_and_what_is_left():
    answers = _Answers(
        Conversation(Session(gamefile.load("2x3"), "")), Screen(StringIO(), StringIO())
    )
    for line, said in cases("the line below the prompt"):
        answers.record(unescaped(line))
        assert answers.status() == said
