"""Changes as JSON: what is written reads back, and what is none is refused."""

import json
import pickle
from contextlib import suppress
from dataclasses import FrozenInstanceError
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzlehunt
from cases import cases
from puzzlehunt import changes
from puzzlehunt.errors import InvalidCodeError, PuzzlehuntError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Turn
from puzzlehunt.game.turn_notation import with_text
from puzzlehunt.session.changes import change_adapter, dump, load_change

CRYPTIC = puzzlehunt.load("cryptic")
HORSE = CRYPTIC.turn("HORSE B_WR_ ?20% # perhaps")
EXAMPLES = [
    (changes.RecordTurns((HORSE,)), {"turns": ["HORSE BWR__ ?20% # perhaps"], "whole_log": False}),
    (changes.AddMarks(1, HORSE), {"row": 1, "turn": "HORSE BWR__ ?20% # perhaps"}),
    (changes.EditRows(((2, HORSE),)), {"rows": [[2, "HORSE BWR__ ?20% # perhaps"]]}),
    (changes.DropRow(3), {"row": 3}),
    (changes.SetDoubt(3, 0.25), {"row": 3, "chance": 0.25}),
    (changes.AddFact(CRYPTIC.parse_fact("contains E")), {"fact": "contains E"}),
    (
        changes.ReplaceHistory(CRYPTIC.as_history(["/fact no Q", "HORSE won"])),
        {"history": ["/fact no Q", "HORSE BBBBB"]},
    ),
    (changes.Clear(), {}),
    (changes.Undo(2), {"steps": 2}),
    (changes.Redo(), {"steps": 1}),
    (changes.SetStrategy("entropy"), {"name": "entropy"}),
    (changes.SetReadRates("black=0.1"), {"rates": "black=0.1"}),
    (changes.SetWordList("large"), {"name": "large"}),
]


def test_every_change_has_an_example() -> None:
    assert {type(change) for change, _ in EXAMPLES} == set(get_args(changes.Change))


@pytest.mark.parametrize(("value", "fields"), EXAMPLES, ids=str)
def test_a_value_is_written_by_its_kind_and_fields_and_read_back(value, fields) -> None:
    written = dump(CRYPTIC, value)
    assert written == {**fields, "kind": value.kind}
    assert load_change(CRYPTIC, json.loads(json.dumps(written))) == value
    assert pickle.loads(pickle.dumps(value)) == value
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        value.kind = "another"


@given(st.from_type(Game))
def test_histories_and_codes_of_every_game_are_read_back(game: Game) -> None:
    for item in game.history:
        if isinstance(item, Turn):
            turn = with_text(game, item)
            for change in (changes.RecordTurns((turn,)), changes.EditRows(((1, turn),))):
                assert load_change(game, dump(game, change)) == change
    written = dump(game, changes.ReplaceHistory(game.history))
    assert dump(game, load_change(game, written)) == written


LONG = {"kind": "replace_history", "history": ["HORSE *"] * 1001}
LONG_FACT = {"kind": "add_fact", "fact": "no Q" * 1000}


@pytest.mark.parametrize(
    ("written", "path"),
    [
        *((json.loads(text), path) for text, path in cases("no changes")),
        (LONG, "replace_history.history"),
        (LONG_FACT, "add_fact.fact"),
    ],
)
def test_what_is_no_change_is_refused_with_the_place_of_the_fault(written, path) -> None:
    with pytest.raises(PuzzlehuntError, match=rf"^{path}: \w" if path else r"^\w"):
        load_change(CRYPTIC, written)


def test_a_text_that_is_no_turn_is_refused_as_a_typed_one() -> None:
    with pytest.raises(InvalidCodeError, match="'XX' has 2 symbols"):
        load_change(CRYPTIC, {"kind": "record_turns", "turns": ["XX YY"]})


ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["kind", "row", "turns"]), inner)
    ),
)


@given(ANYTHING)
def test_no_json_does_more_than_be_refused(written: object) -> None:
    with suppress(PuzzlehuntError):
        load_change(CRYPTIC, written)


def test_the_schema_says_that_turns_are_texts() -> None:
    schema = change_adapter().json_schema()["$defs"]["RecordTurns"]["properties"]["turns"]
    assert schema["items"]["type"] == "string"
