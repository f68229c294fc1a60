"""The forms of answers, for the description of the API.

A form is a type, a list of one form, a tuple of alternatives, or a dictionary with a form for each
key; a key with `?` may be missing. Turns, positions and boards are numbered from 1.
"""

from typing import Any

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", None: "null"}


def schema(form: Any) -> dict[str, Any]:
    """Return the JSON schema of a form."""
    match form:
        case dict():
            keys = {key.rstrip("?"): schema(value) for key, value in form.items()}
            needed = [key for key in form if not key.endswith("?")]
            return {"type": "object", "properties": keys, "required": needed}
        case tuple():
            return {"anyOf": [schema(one) for one in form]}
        case [each]:
            return {"type": "array", "items": schema(each)}
    return {"type": _TYPES[form]}


def answers(
    form: Any, media: str = "application/json", status: int = 200
) -> dict[int | str, dict[str, Any]]:
    """Return the description of the responses with answers of a form, as FastAPI takes it."""
    return {status: {"content": {media: {"schema": schema(form)}}}}


# Questions.

_CHANCE = {"code": str, "probability": float}
_CODES = ([str], [_CHANCE])
_LEFT = {"count": (int, None), "candidates": _CODES}
_COUNT = {
    "count": (int, None), "exact": bool, "estimate?": {"count": float, "low": float, "high": float},
}  # fmt: skip
_WIDER = {"wider?": {**_LEFT, "list": str}}
_COUNTED = {**_COUNT, **_WIDER, "outside?": float, "boards?": [_LEFT]}
CANDIDATES = {**_COUNTED, "candidates": _CODES, "nearly?": [{**_CHANCE, "turns": [int]}]}
_GUESS = {
    "guess": str, "value": (float, None), "worst": (int, None), "candidate": bool, "chance?": float,
}  # fmt: skip
SUGGESTIONS = {
    **_COUNTED, "strategy": str, "measure": str, "suggestions": [_GUESS], "best?": (_GUESS, None),
    "illegal?": str, "book?": str,
}  # fmt: skip
_TURN = {"turn": int, "guess": str, "clue": str}
_BOARD = {"board?": int}
_UNREAD_MARK = {"position?": int, "bits": float, "marks": int, "all_bits": float}
UNREAD = {**_COUNT, "unread": [{**_TURN, **_BOARD, **_UNREAD_MARK}]}
_ITEMS = {"turns": [int], "facts": [str]}
_CERTAIN = {
    **_ITEMS, **_BOARD, "text": str, "symbol": str, "position?": int, "count?": int,
    "at_least?": bool,
}  # fmt: skip
CERTAIN = {"certain": [_CERTAIN], "exact?": bool}
_SUSPECT = {"turn": int, "probability": float, "named": bool}
SUSPECTS = {"suspects": [_SUSPECT]}
_REPAIR = {
    **_TURN, **_BOARD, "with?": _TURN, "candidates": (int, None), "kind": str, "probability": float,
}  # fmt: skip
REPAIRS = {"repairs": [_REPAIR]}
CONFLICTS = {
    "consistent": bool, "conflict": [int], "conflict_facts": [str], "reason": str,
    "conflicts?": [_ITEMS],
}  # fmt: skip
EXPLANATION = {
    **CONFLICTS, **_WIDER, "certain": ([_CERTAIN], None), "suspects": ([_SUSPECT], None),
    "repairs": ([_REPAIR], None), "assumed_misread?": float, "exact?": bool,
}  # fmt: skip
_VERDICT = {"code": str, "candidate": bool, "because": [int], "because_facts": [str]}
WHY = {
    **EXPLANATION, **_VERDICT, "because_rows": [{"turn": int, "shown": str, "off": int}],
    "why": [{**_BOARD, "kind": str, "text": str, "turn?": int}],
    "boards?": [{**_VERDICT, "board": int}],
}  # fmt: skip
_REVIEWED = {
    **_TURN, "expected": float, "told": (float, None), "best": str, "most": float,
    "left": (int, None), "exact": bool,
}  # fmt: skip
REVIEW = {
    **_WIDER, "turns": [_REVIEWED], "skill": (float, None), "luck": (float, None),
    "contradiction": (str, None),
}  # fmt: skip
_HYPOTHESIS = {"rule": str, "shown": str, "reversed": bool, "probability": float}
LEGEND = {
    "hypotheses": [{**_HYPOTHESIS, "options": {}, "legend": {}}], "candidates": [_CHANCE],
    "suggestions": [{"guess": str, "value": float, "probability": float}], "exact": bool,
}  # fmt: skip

# Boards.

_ROW = {**_TURN, "text": str, "note": str, "doubt": float, "by": str, "at": str}
ROWS = {"version": int, "rows": [_ROW]}
BOARD = {
    **ROWS, "board": str, "name": str, "title": str, "address": str, "view": str, "status": str,
    "game": str, "won": bool, "facts": [str], "history": {"facts": [str], "turns": [str]},
    "game_tag": str, "people": [str], "guests": int,
}  # fmt: skip
CHANGED = {
    "version": int, "said": [str], "standing": str,
    "rows": [{"turn": int, "text": str, "effect": str}],
}  # fmt: skip
EVENT = {
    "version": int, "pending": bool, "people": [str], "guests": int, "news": [[(int, str)]],
    "fragments": {}, "items": {"length": int, "changed": [[(int, str)]]},
}  # fmt: skip
