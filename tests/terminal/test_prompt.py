"""The prompt, without a terminal: what the tab key completes."""

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from puzzlehunt.game.files import gamefile
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.session import Session
from puzzlehunt.terminal.prompt import _Completions


@pytest.mark.parametrize(
    ("game", "typed", "completed"),
    [
        ("cryptic", "/und", ["/undo"]),
        ("cryptic", "/UND", ["/undo"]),
        ("cryptic", "pizz", []),
        ("cryptic", "hors", ["HORSE"]),
        ("cryptic", "h", []),
        ("mastermind", "RR", []),
    ],
)
def test_the_tab_key_completes_commands_and_words_of_two_letters_or_more(game, typed, completed):
    conversation = Conversation(Session(gamefile.load(game), ""))
    found = list(_Completions(conversation).get_completions(Document(typed), CompleteEvent()))
    assert [completion.text for completion in found] == completed
    assert all(completion.start_position == -len(typed) for completion in found)
