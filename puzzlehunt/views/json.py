"""Answers as JSON, as commands print them with `--json`; programs may rely on all keys.

Turns, positions and boards are numbered from 1. A key that would say nothing is left out. `FORMS`
has the form of the answer to each question: it writes the answer, and it is its schema.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter
from typing import TypeAlias

from puzzlehunt import explanation
from puzzlehunt.engines.base import UNKNOWN, Engine
from puzzlehunt.errors import SessionError, TooLargeError
from puzzlehunt.explanation.remaining import CandidatesListed, Remaining, WiderList, left_on_boards
from puzzlehunt.game import meaning
from puzzlehunt.game.files.document import Document
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, ItemName, in_order
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.changes import Question
from puzzlehunt.session.limits import LISTED_CANDIDATES, LISTED_GUESSES
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views import wording

Json: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class Form:
    """A part of answers: its JSON schema, and what writes a value of a game as such a part.

    `read` finds the value in whatever has the part; without it, it is the attribute of that name.
    """

    schema: Mapping[str, object]
    write: Callable[..., object] = lambda _, value: value
    read: Callable[..., object] | None = None

    def of(self, read: str | int | Callable[..., object]) -> "Form":
        """Return this form of an attribute (`turn.code`), an element, or a function."""
        if not callable(read):
            read = attrgetter(read) if isinstance(read, str) else itemgetter(read)
        return replace(self, read=read)

    @property
    def or_null(self) -> "Form":
        """This form, or null."""
        return replace(self, schema={"anyOf": [self.schema, {"type": "null"}]})


Keys: TypeAlias = Mapping[str, Form]
"""The forms of the keys of an object; a key with `?` is left out where its value is None."""


def written(keys: Keys, game: Game, value: object) -> Json:
    """Return a value of a game as a JSON object with these keys."""
    answer: Json = {}
    for name, form in keys.items():
        key = name.rstrip("?")
        part = form.read(value) if form.read else getattr(value, key)
        if part is not None or key == name:
            answer[key] = None if part is None else form.write(game, part)
    return answer


def object_of(keys: Keys) -> Form:
    """Return the form of an object with these keys."""
    known = {key.rstrip("?"): form.schema for key, form in keys.items()}
    needed = [key for key in keys if not key.endswith("?")]
    return Form({"type": "object", "properties": known, "required": needed}, partial(written, keys))


def list_of(form: Form | Keys) -> Form:
    """Return the form of a list of such parts, or of objects with such keys."""
    one = form if isinstance(form, Form) else object_of(form)
    schema = {"type": "array", "items": one.schema}
    return Form(schema, lambda game, values: [one.write(game, value) for value in values])


TEXT, WHOLE, NUMBER, TRUTH, OBJECT = (
    Form({"type": name}) for name in ("string", "integer", "number", "boolean", "object")
)
_CODE = Form(TEXT.schema, Game.format_code)
_CLUE = Form(TEXT.schema, lambda game, clue: game.rule.notation.format(clue))
_PLACE = Form(WHOLE.schema, lambda _, place: place + 1)
"""A position or a board, which counts from 0 in values."""
_CHANCE = Form(NUMBER.schema, lambda _, chance: round(chance, 12))
"""A probability: further decimals may differ between machines."""
ROUGH = Form(NUMBER.schema, lambda _, number: round(number, 6))
_TURNS = Form(list_of(WHOLE).schema, lambda _, items: wording.turn_numbers(items))
FACTS = Form(list_of(TEXT).schema, lambda _, items: wording.fact_texts(items))

# Candidates and guesses.

_PLAIN = list_of(_CODE)
_WEIGHED = list_of({"code": _CODE.of(0), "probability": _CHANCE.of(1)})


def _codes(game: Game, left: Remaining) -> object:
    pairs = zip(left.codes, left.chances, strict=False)
    return _WEIGHED.write(game, pairs) if left.chances else _PLAIN.write(game, left.codes)


_CODES = Form({"anyOf": [_PLAIN.schema, _WEIGHED.schema]}, _codes)
_LEFT = list_of({"count": WHOLE.or_null, "candidates": _CODES.of(lambda left: left)})
_WIDER = object_of({
    "list": TEXT.of("name"), "count": WHOLE.or_null.of("remaining.count"),
    "candidates": _PLAIN.of("remaining.codes"),
})  # fmt: skip
_ESTIMATE = object_of({"count": NUMBER.of("number"), "low": NUMBER, "high": NUMBER})
_COUNT = {"count": WHOLE.or_null, "exact": TRUTH, "estimate?": _ESTIMATE}
_COUNTED = {**_COUNT, "wider?": _WIDER, "outside?": _CHANCE, "boards?": _LEFT}
_NEAR = list_of({"code": _CODE, "probability": _CHANCE, "turns": _TURNS.of("rows")})
_GUESS = object_of({
    "guess": TEXT, "value": NUMBER.or_null, "worst": WHOLE.or_null, "candidate": TRUTH,
    "chance?": _CHANCE,
})  # fmt: skip
_ADVICE = {
    "count": WHOLE.or_null, "exact": TRUTH, "strategy": TEXT,
    "measure": TEXT.of(wording.measure_text), "suggestions": list_of(_GUESS),
    "book?": TEXT.of(lambda advice: advice.book or None), "outside?": _CHANCE,
}  # fmt: skip
_SUGGESTIONS = object_of(_COUNTED | _ADVICE | {"best?": _GUESS.or_null})


def _estimate(engine: Engine, count: int | None) -> Json:
    """Return an engine's count or estimate of the candidates if `count` is None, else {}."""
    estimate = engine.count() if count is None else UNKNOWN
    if estimate.high is None:
        return {}
    if estimate.exact is not None:
        return {"count": estimate.exact}
    return {"estimate": _ESTIMATE.write(engine.game, estimate)}


def _lists(game: Game, wider: WiderList | None, boards: Sequence[Remaining] = ()) -> Json:
    answer: Json = {} if wider is None else {"wider": _WIDER.write(wider.game, wider)}
    return answer | ({"boards": _LEFT.write(game.one_board, boards)} if boards else {})


def candidates_json(engine: Engine, listed: CandidatesListed) -> Json:
    """Return candidates as JSON, with the keys of `candidates --json`."""
    game, left = engine.game, listed.remaining
    answer: Json = {"count": left.count, "exact": False, "candidates": _codes(game, left)}
    if not listed.boards and not left.stopped:
        answer |= _estimate(engine, left.count)
    answer |= {"exact": answer["count"] is not None, **written({"outside?": _CHANCE}, game, left)}
    if game.channel.misread:
        answer["nearly"] = _NEAR.write(game, listed.near)
    return answer | _lists(game, listed.wider_list, listed.boards)


def advice_json(advice: Advice) -> Json:
    """Return advice as JSON, with the keys of `suggest --json`."""
    return written(_ADVICE, advice.game, advice)


# Rows.

TURN = {"turn": WHOLE.of("row"), "guess": _CODE.of("turn.code"), "clue": _CLUE.of("turn.clue")}
_UNREAD = list_of({
    **TURN, "position?": _PLACE, "board?": _PLACE, "marks": WHOLE.of("count"), "bits": ROUGH,
    "all_bits": ROUGH.of("turn_bits"),
})  # fmt: skip
_REVIEWED = list_of({
    **TURN, "best": TEXT, "exact": TRUTH, "left": WHOLE.or_null.of("candidates_left"),
    "expected": NUMBER.of("expected_bits"), "told": NUMBER.or_null.of("gained_bits"),
    "most": NUMBER.of("best_bits"),
})  # fmt: skip
_REVIEW = {"turns": _REVIEWED, "skill": NUMBER.or_null, "luck": NUMBER.or_null}


# Explanations.


def _reasons(explained: "explanation.why.Explanation") -> Iterator[tuple[object, ...]]:
    """Yield why a code is out: the board, the kind of reason, the turn, and the reason in words.

    Of a turn, what it would show and how many marks are off come last.
    """
    for verdict in explained.verdicts:
        for one in verdict.violations:
            if isinstance(one.item, Fact):
                yield verdict.board, "fact", None, one.item.text
            else:
                kind = "guessed" if one.feedback is None else "row"
                text = wording.violation_text(verdict, one)
                shown = wording.shown_instead(verdict, one)
                yield verdict.board, kind, one.item, text, shown, one.marks_off
        if verdict.not_a_secret:
            yield verdict.board, "not a secret", None, verdict.not_a_secret


def _because(explained: "explanation.why.Explanation") -> Sequence[ItemName]:
    return in_order(name for verdict in explained.verdicts for name in verdict.because)


_CONFLICT = {
    "consistent": TRUTH.of(lambda explained: not explained.conflict),
    "conflict": _TURNS, "conflict_facts": FACTS.of("conflict"),
    "reason": TEXT.of(wording.proof_sentence),
}  # fmt: skip
_EVERY = list_of({"turns": _TURNS.of(tuple), "facts": FACTS.of(tuple)})
"""Conflicts, if there are several."""
_VERDICT = object_of({
    "board": _PLACE, "code": _CODE, "candidate": TRUTH, "because": _TURNS,
    "because_facts": FACTS.of("because"),
})  # fmt: skip
_RULED_OUT = {
    "code": _CODE,
    "candidate": TRUTH.of(lambda explained: any(one.candidate for one in explained.verdicts)),
    "because": _TURNS.of(_because),
    "because_facts": FACTS.of(_because),
    "because_rows": list_of({"turn": WHOLE.of(2), "shown": TEXT.of(4), "off": WHOLE.of(5)}).of(
        lambda explained: (reason for reason in _reasons(explained) if reason[2] is not None)
    ),
    "why": list_of(
        {"board?": _PLACE.of(0), "kind": TEXT.of(1), "turn?": WHOLE.of(2), "text": TEXT.of(3)}
    ).of(_reasons),
    "boards?": list_of(Form(_VERDICT.schema, lambda _, one: _VERDICT.write(one.game, one))).of(
        lambda explained: explained.verdicts if explained.game.boards > 1 else None
    ),
}
"""Why a code is out or still in."""
_SUSPECTS = list_of({"named": TRUTH, "turn": WHOLE.of("row"), "probability": ROUGH})
_MENDED = {
    "turn": WHOLE.of(lambda repair: repair.turns[0][0]),
    "guess": _CODE.of(lambda repair: repair.turns[0][1].code),
    "clue": _CLUE.of(lambda repair: repair.turns[0][1].clue),
}
"""The first turn that a repair changes."""
_REPAIRS = list_of({
    **_MENDED, "kind": TEXT, "board?": _PLACE, "candidates": WHOLE.or_null.of("count"),
    "probability": ROUGH, "with?": object_of(_MENDED).of(lambda repair: (
        replace(repair, turns=repair.turns[1:]) if len(repair.turns) > 1 else None)),
})  # fmt: skip
_CERTAIN = list_of({
    "text": TEXT.of(wording.certain_text),
    "symbol": TEXT, "position?": _PLACE, "count?": WHOLE,
    "at_least?": TRUTH.of(lambda one: None if one.count is None else one.at_least),
    "board?": _PLACE, "turns": _TURNS.of("because"), "facts": FACTS.of("because"),
})  # fmt: skip
_UNPROVED = {"exact?": TRUTH.of(lambda engine: None if engine.proves else False)}
_EXPLANATION = {
    **_CONFLICT, "wider?": _WIDER, "certain": _CERTAIN.or_null, "suspects": _SUSPECTS,
    "repairs": _REPAIRS, "assumed_misread?": NUMBER, **_UNPROVED,
}  # fmt: skip


def _explain_json(answers: Answers, asked: Question) -> Json:
    """Return conflicts, repairs, suspects and certainties; of a code also why it is ruled out.

    `certain` is None if no candidate of a huge space is found in time.
    """
    engine, game, code = answers.engine, answers.game, asked.code
    explained = explanation.why.explain(engine, code=code, board=asked.board)
    answer = written(_CONFLICT if code is None else _CONFLICT | _RULED_OUT, game, explained)
    answer |= _lists(game, answers.wider_list() if explained.conflict else None)
    suspects = explanation.repair.suspects(engine)
    share = explanation.repair.assumed_misread(game) if suspects else None
    answer |= {"certain": None, "suspects": _SUSPECTS.write(game, suspects)}
    answer["repairs"] = _REPAIRS.write(game, answers.repairs)
    with suppress(TooLargeError):
        answer["certain"] = _CERTAIN.write(game, explanation.why.certain(engine))
    answer |= written(_UNPROVED, game, engine)
    return answer if share is None else answer | {"assumed_misread": share}


# What marks mean.

_LEGEND = {
    "hypotheses": list_of({
        "rule": TEXT.of(lambda pair: pair[0].rule), "shown": TEXT.of(lambda pair: pair[0].shown),
        "reversed": TRUTH.of(lambda pair: pair[0].reversed),
        "options": OBJECT.of(lambda pair: dict(pair[0].options)),
        "legend": OBJECT.of(lambda pair: dict(pair[0].legend)), "probability": ROUGH.of(1),
    }),
    "candidates": list_of({"code": _CODE.of(0), "probability": ROUGH.of(1)}),
    "suggestions": list_of(
        {"guess": TEXT, "value": NUMBER, "probability": ROUGH.of(lambda one: one.chance or 0.0)}
    ),
    "exact": TRUTH.of(lambda _: False),
}  # fmt: skip


def identification_json(found: "explanation.identification.Identification") -> Json:
    """Return an identification as JSON, with the keys of `identify --json`."""
    return written(_LEGEND, found.game, found)


# Questions.

FORMS = {
    "suggest": _SUGGESTIONS, "try": _SUGGESTIONS,
    "candidates": object_of({**_COUNTED, "candidates": _CODES, "nearly?": _NEAR}),
    "unread": object_of({**_COUNT, "unread": _UNREAD}),
    "review": object_of({**_REVIEW, "contradiction": TEXT.or_null, "wider?": _WIDER}),
    "explain": object_of(_EXPLANATION), "why": object_of(_EXPLANATION | _RULED_OUT),
    "conflicts": object_of({**_CONFLICT, "conflicts?": _EVERY}),
    "certain": object_of({"certain": _CERTAIN, **_UNPROVED}),
    "suspects": object_of({"suspects": _SUSPECTS}), "repairs": object_of({"repairs": _REPAIRS}),
    "legend": object_of(_LEGEND),
}  # fmt: skip


def answer_json(answers: Answers, question: Question) -> Json:
    """Return the answer to a question as JSON, with the keys that a command prints with `--json`.

    Raises TypeError for the questions of people alone: the status, the rates, the script.
    """
    engine, game, code = answers.engine, answers.game, question.code
    number = question.number or LISTED_GUESSES
    match question.kind:
        case "suggest" | "try":
            best: Json = {} if code is None else {"best": None}
            if not engine.satisfiable():
                advice = answers.adviser.no_advice(0, proved=engine.proves)
            elif code is None or meaning.all_found(game, answers.history):
                advice = answers.advise(number if code is None else 1)
            else:
                tried = answers.tried(code)
                advice = tried.rated
                best["best"] = _GUESS.write(game, tried.best.suggestions[0])
            answer = advice_json(advice) | _estimate(engine, advice.count)
            boards = left_on_boards(engine, LISTED_CANDIDATES)
            return answer | _lists(game, answers.wider_list(), boards) | best
        case "candidates":
            limit = LISTED_CANDIDATES if question.number is None else question.number
            return candidates_json(engine, answers.candidates(limit, limit))
        case "explain" | "why":
            return _explain_json(answers, question)
        case "unread":
            marks = _UNREAD.write(game.one_board, answers.unread(number))
            count = engine.count(quickly=True).exact
            return {"count": count, "exact": True, "unread": marks, **_estimate(engine, count)}
        case "review":
            reviewed = answers.review()
            answer, name = written(_REVIEW, game, reviewed), reviewed.contradiction
            said = None if name is None else wording.name_item(game, reviewed.history, name)
            return answer | {"contradiction": said, **_lists(game, answers.wider_list())}
        case "certain":
            certain = _CERTAIN.write(game, explanation.why.certain(engine))
            return {"certain": certain, **written(_UNPROVED, game, engine)}
        case "suspects":
            return {"suspects": _SUSPECTS.write(game, explanation.repair.suspects(engine))}
        case "repairs":
            return {"repairs": _REPAIRS.write(game, answers.repairs)}
        case "conflicts":
            found = explanation.why.conflicts(engine, top=number)
            answer = written(_CONFLICT, game, explanation.why.explain(engine))
            return answer | ({"conflicts": _EVERY.write(game, found)} if len(found) > 1 else {})
        case "legend":
            if meaning.is_explained(game):
                raise SessionError("the marks are known: this game has no `legend: unknown`")
            return identification_json(answers.identify())
    raise TypeError(question)


# Games.


def game_json(name: str, game: Game, document: Document) -> Json:
    """Return the game of a document as JSON, with the keys of `games --json`."""
    sizes = {"secrets": game.secrets.size, "guesses": game.guesses.size}
    known = {key: getattr(game, key) for key in ("title", "about", "boards")}
    source = document.value.get("source", "")
    return {"name": name, "rule": game.one_board.rule.name, **sizes, **known, "source": source}
