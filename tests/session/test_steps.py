"""Lines and questions as values: what a line asks for, without an engine, and what answers it."""

from typing import get_args

import pytest

import puzzlehunt
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.history import History
from puzzlehunt.session import changes, steps
from puzzlehunt.session.changes import Question, QuestionKind
from puzzlehunt.session.commands import COMMANDS
from puzzlehunt.session.lines import parse
from puzzlehunt.session.outcomes import Outcome
from puzzlehunt.session.session import Session
from puzzlehunt.session.steps import Situation

GAME = puzzlehunt.load("2x3")
ROWS = GAME.as_history(["AB b", "CC *"])
AB, CC = ROWS.turns
STATUS = Question("status")
AT = Situation(GAME, ROWS)
WAITING = Situation(GAME, ROWS, pending=GAME.parse_turn("BC *"), suggested=AB.guess)


@pytest.mark.parametrize(
    ("line", "at", "asked"),
    [
        ("", AT, [steps.KeepHeading(None), STATUS]),
        ("BC w", AT, [changes.RecordTurns((GAME.parse_turn("BC w"),)), STATUS]),
        ("BC", AT, [steps.PendGuess(GAME.parse_turn("BC *"))]),
        ("w", WAITING, [changes.RecordTurns((GAME.parse_turn("BC w"),)), STATUS]),
        (
            "BA w",
            WAITING,
            [
                changes.RecordTurns((GAME.parse_turn("BC *"),)),
                changes.RecordTurns((GAME.parse_turn("BA w"),)),
                STATUS,
            ],
        ),
        (
            "BC w\nBA w",
            AT,
            [
                changes.RecordTurns(
                    (GAME.parse_turn("BC w"), GAME.parse_turn("BA w")), whole_log=True
                ),
                STATUS,
            ],
        ),
        ("/drop CC", AT, [changes.DropRow(2), STATUS]),
        ("/edit 2 w", AT, [changes.EditRows(((2, GAME.parse_turn("CC w")),)), STATUS]),
        ("/doubt 1", AT, [changes.SetDoubt(1, 0.5), STATUS]),
        ("/doubt 1 20%", AT, [changes.SetDoubt(1, 0.2), STATUS]),
        ("/undo 3", WAITING, [changes.Undo(3), STATUS]),
        ("/rates learn", AT, [changes.SetReadRates("learn"), Question("rates"), STATUS]),
        ("/widen", AT, [steps.WidenList(), STATUS]),
        ("/repair 2", AT, [steps.TakeRepair("2")]),
        ("/s 3", AT, [Question("suggest", 3)]),
        ("/c all", AT, [Question("candidates", 100_000)]),
        ("/why AB", AT, [Question("why", code=AB.guess)]),
        ("/export", AT, [Question("export")]),
        ("/history", AT, [ROWS]),
    ],
)
def test_a_line_is_read_once_into_values(line, at, asked) -> None:
    assert list(parse(line, at)) == asked


def test_every_command_asks_for_something_or_says_what_it_lacks() -> None:
    for name in COMMANDS:
        if name in ("why", "try", "edit", "add", "drop", "doubt", "fact"):
            with pytest.raises(PuzzlehuntError, match=r"which|fact"):
                parse(f"/{name}", AT)
        else:
            assert parse(f"/{name}", AT)


@pytest.mark.parametrize("rows", [[], ["AB b"], ["AB b", "AB won"], ["AA bb", "BB bb"]], ids=str)
def test_every_question_has_an_answer_wherever_the_game_stands(rows: list[str]) -> None:
    asked = [
        Question(kind, code=AB.guess if kind in ("try", "why") else None)
        for kind in get_args(QuestionKind)
    ]
    session = Session(GAME, "2x3")
    session.history = History(tuple(map(GAME.parse_turn, rows)))
    for question in asked:
        answers = list(session.ask(question))
        assert answers
        assert all(isinstance(one, Outcome) for one in answers)
