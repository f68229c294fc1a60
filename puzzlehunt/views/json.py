"""Answers as JSON, as commands print them with `--json`; programs may rely on all keys.

Turns, positions and boards are numbered from 1. A key that would say nothing is left out, where
the forms of `web.schemas` allow it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from puzzlehunt import explanation
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.base import UNKNOWN, Engine
from puzzlehunt.errors import SessionError, TooLargeError
from puzzlehunt.explanation.remaining import remaining_on_boards
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Fact, ItemName, Turn, in_order
from puzzlehunt.session.answers import Answers
from puzzlehunt.session.changes import Question
from puzzlehunt.session.limits import LISTED_CANDIDATES, LISTED_GUESSES
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.wording import (
    certain_text,
    fact_texts,
    measure_text,
    name_item,
    proof_sentence,
    shown_instead,
    turn_numbers,
    violation_text,
)

if TYPE_CHECKING:
    from puzzlehunt.explanation.certainty import Certainties
    from puzzlehunt.explanation.identification import Identification
    from puzzlehunt.explanation.remaining import CandidatesListed, Remaining, WiderList
    from puzzlehunt.explanation.repair import Repairs, Suspects
    from puzzlehunt.explanation.review import Review, TriedGuess
    from puzzlehunt.explanation.unread import UnreadMarks
    from puzzlehunt.explanation.why import Explanation, Verdict

Json: TypeAlias = dict[str, object]
_CODES = ("guess", "code", "best")
"""The keys of codes, which are written as text."""
_PLACES = ("position", "board")
"""The keys of places, which count from 0 in values, and from 1 in JSON."""
_CHANCES = ("probability", "chance", "outside")
"""The keys of chances, which have 12 decimals: further ones may differ between machines."""
_SUGGESTED = ("guess", "value", "worst", "candidate", "chance")


def answer_json(answers: Answers, question: Question) -> Json:
    """Return the answer to a question as JSON, with the keys that a command prints with `--json`.

    Raises TypeError for the questions of people alone: the status, the rates, the script.
    """
    engine, game, code = answers.engine, answers.game, question.code
    number = question.number or LISTED_GUESSES
    match question.kind:
        case "suggest":
            return _suggest_json(answers, answers.suggest(number))
        case "try" if code is not None:
            if not engine.satisfiable() or None not in game.winning_guesses(answers.history):
                return _suggest_json(answers, answers.suggest(1)) | {"best": None}
            tried = answers.tried(code)
            return _suggest_json(answers, tried.rated) | tried_json(game, tried)
        case "candidates":
            limit = LISTED_CANDIDATES if question.number is None else question.number
            return candidates_json(engine, answers.candidates(limit, limit))
        case "explain" | "why":
            return explain_json(answers, code, question.board)
        case "unread":
            return unread_json(engine, answers.unread(number))
        case "review":
            return review_json(answers, answers.review())
        case "certain":
            return _certain_json(explanation.certainty.certain(engine)) | _unproved(engine)
        case "suspects":
            return _suspects_json(explanation.repair.suspects(engine))
        case "repairs":
            return _repairs_json(answers.repairs)
        case "conflicts":
            found = explanation.conflict.conflicts(engine, most=number)
            every = [_items(names, turns="turns", facts="facts") for names in found]
            more: Json = {"conflicts": every} if len(every) > 1 else {}
            return _explanation_json(explanation.why.explain(game, engine)) | more
        case "legend":
            if game.hidden is None:
                raise SessionError("the marks are known: this game has no `legend: unknown`")
            return identification_json(answers.identified)
    raise TypeError(question)


# Parts of several answers.


def _keys(game: Game, value: object, *names: str, **renamed: str) -> Json:
    """Return attributes of a value as JSON, by their names or by other keys.

    Codes are written as text, places count from 1, and chances are rounded. A place or a chance
    that is None is left out.
    """
    answer: Json = {}
    for key, name in {**dict(zip(names, names, strict=True)), **renamed}.items():
        part = getattr(value, name)
        if key in _CODES:
            answer[key] = game.format_code(part)
        elif key not in _PLACES and key not in _CHANCES:
            answer[key] = part
        elif part is not None:
            answer[key] = part + 1 if key in _PLACES else round(part, 12)
    return answer


def _items(names: Sequence[ItemName], *, turns: str, facts: str) -> Json:
    """Return the numbers of turns and the texts of facts, below these keys."""
    return {turns: turn_numbers(names), facts: fact_texts(names)}


def _turn_json(game: Game, number: int, turn: Turn) -> Json:
    guess, clue = game.format_code(turn.guess), game.rule.notation.format(turn.clue)
    return {"turn": number, "guess": guess, "clue": clue}


def _unproved(engine: Engine) -> Json:
    return {} if engine.proves else {"exact": False}


def _estimate(engine: Engine, count: int | None) -> Json:
    """Return an engine's count or estimate of the candidates if `count` is None, else {}."""
    estimate = engine.count() if count is None else UNKNOWN
    if estimate.high is None:
        return {}
    if estimate.exact is not None:
        return {"count": estimate.exact}
    ends = {"low": estimate.low, "high": estimate.high}
    return {"estimate": {"count": estimate.number, **ends}}


# Candidates and guesses.


def candidates_json(engine: Engine, listed: "CandidatesListed") -> Json:
    """Return candidates as JSON, with the keys of `candidates --json`."""
    game, left = engine.game, listed.remaining
    answer = {"count": None, "exact": False, **_left_json(game, left)}
    if not listed.boards and not left.stopped:
        answer |= _estimate(engine, left.count)
    answer |= {"exact": answer["count"] is not None, **_keys(game, left, "outside")}
    if game.channel.misread:
        near = [_keys(game, one, "code", "probability", turns="numbers") for one in listed.near]
        answer["nearly"] = near
    return answer | _boards(game, listed.boards) | _wider(listed.wider_list)


def _left_json(game: Game, left: "Remaining") -> Json:
    codes = [game.format_code(code) for code in left.codes]
    chances = zip(codes, left.chances, strict=False)
    weighed = [{"code": code, "probability": round(chance, 12)} for code, chance in chances]
    return {"count": left.count, "candidates": weighed if left.chances else codes}


def _boards(game: Game, boards: "Sequence[Remaining]") -> Json:
    return {"boards": [_left_json(game.one_board, left) for left in boards]} if boards else {}


def _wider(wider: "WiderList | None") -> Json:
    if wider is None:
        return {}
    codes = [wider.game.format_code(code) for code in wider.remaining.codes]
    return {"wider": {"list": wider.name, "count": wider.remaining.count, "candidates": codes}}


def advice_json(game: Game, advice: Advice) -> Json:
    """Return advice as JSON, with the keys of `suggest --json`."""
    return {
        **_keys(game, advice, "count", "exact", "strategy"),
        "measure": measure_text(advice),
        "suggestions": [_keys(game, one, *_SUGGESTED) for one in advice.suggestions],
        **({"book": advice.book} if advice.book else {}),
        **_keys(game, advice, "outside"),
    }


def _suggest_json(answers: Answers, advice: Advice) -> Json:
    engine, game = answers.engine, answers.game
    boards = remaining_on_boards(engine, LISTED_CANDIDATES)
    answer = advice_json(game, advice) | _estimate(engine, advice.count)
    return answer | _wider(answers.wider_list()) | _boards(game, boards)


def tried_json(game: Game, tried: "TriedGuess") -> Json:
    """Return the value of a guess, and the best guess, with the keys of `suggest --try --json`."""
    (best,) = tried.best.suggestions
    answer = {**advice_json(game, tried.rated), "best": _keys(game, best, *_SUGGESTED)}
    return answer if tried.illegal is None else {**answer, "illegal": str(tried.illegal)}


def unread_json(engine: Engine, ranked: "UnreadMarks") -> Json:
    """Return unread marks as JSON, with the keys of `suggest --unread --json`."""
    game, count = engine.game.one_board, engine.count(quickly=True).exact
    marks = [
        {
            **_turn_json(game, mark.number, mark.turn),
            **_keys(game, mark, "position", "board", marks="count"),
            "bits": round(mark.bits, 6),
            "all_bits": round(mark.turn_bits, 6),
        }
        for mark in ranked
    ]
    return {"count": count, "exact": True, "unread": marks, **_estimate(engine, count)}


def review_json(answers: Answers, review: "Review") -> Json:
    """Return a review as JSON, with the keys of `review --json`."""
    game, name = review.game, review.contradiction
    figures = {"expected": "expected_bits", "told": "gained_bits", "most": "best_bits"}
    turns = [
        _turn_json(game, one.number, one.turn)
        | _keys(game, one, "best", "exact", left="candidates_left", **figures)
        for one in review.turns
    ]
    answer: Json = {"turns": turns, **_keys(game, review, "skill", "luck")}
    if name is None:
        return answer | {"contradiction": None}
    contradiction = name_item(game, review.history, name)
    return answer | {"contradiction": contradiction, **_wider(answers.wider_list())}


# Explanations.


def explain_json(
    answers: Answers,
    code: Code | None,
    board: int | None,
    on_stop: Callable[[BaseException], None] | None = None,
) -> Json:
    """Return conflicts, repairs, suspects and certainties, with the keys of `explain --json`.

    With a code there is also why it is ruled out, on `board` (from 0), or on every board if that is
    None. A search that is stopped or too large is given to `on_stop`, and what it would have found
    is None; without `on_stop`, its error is raised.
    """
    engine, game = answers.engine, answers.game
    explained = explanation.why.explain(game, engine, code, board=board)
    answer = _explanation_json(explained)
    if explained.conflict:
        answer |= _wider(answers.wider_list())
    answer |= dict.fromkeys(("certain", "suspects", "repairs"))
    share = None
    try:
        answer |= _repairs_json(answers.repairs)
        suspects = explanation.repair.suspects(engine)
        share = explanation.repair.assumed_misread(game) if suspects else None
        answer |= _suspects_json(suspects)
        answer |= _certain_json(explanation.certainty.certain(engine))
    except (TooLargeError, KeyboardInterrupt) as error:
        if on_stop is None:
            raise
        on_stop(error)
    return answer | _unproved(engine) | ({} if share is None else {"assumed_misread": share})


def _explanation_json(explained: "Explanation") -> Json:
    """Return conflicts, and the reasons against a code, with the keys of `explain --json`."""
    game, verdicts = explained.game, explained.verdicts
    answer: Json = {
        "consistent": not explained.conflict,
        **_items(explained.conflict, turns="conflict", facts="conflict_facts"),
        "reason": proof_sentence(game, explained.counting_proof),
    }
    if explained.code is None:
        return answer
    answer |= {
        "code": game.format_code(explained.code),
        "candidate": any(verdict.candidate for verdict in verdicts),
        **_because(in_order(name for verdict in verdicts for name in verdict.because)),
        "because_rows": [
            {"turn": one.item, "shown": shown_instead(verdict, one), "off": one.marks_off}
            for verdict in verdicts
            for one in verdict.violations
            if isinstance(one.item, int)
        ],
        "why": [reason for verdict in verdicts for reason in _why_json(verdict)],
    }
    boards = [
        {**_keys(one.game, one, "board", "code", "candidate"), **_because(one.because)}
        for one in verdicts
    ]
    return answer | ({"boards": boards} if game.boards > 1 else {})


def _because(names: Sequence[ItemName]) -> Json:
    return _items(names, turns="because", facts="because_facts")


def _why_json(verdict: "Verdict") -> Iterator[Json]:
    board = _keys(verdict.game, verdict, "board")
    for one in verdict.violations:
        if isinstance(one.item, Fact):
            yield {**board, "kind": "fact", "text": one.item.text}
        else:
            kind = "guessed" if one.feedback is None else "row"
            yield {**board, "kind": kind, "turn": one.item, "text": violation_text(verdict, one)}
    if verdict.not_a_secret:
        yield {**board, "kind": "not a secret", "text": verdict.not_a_secret}


def _repairs_json(repairs: "Repairs") -> Json:
    """Return `repairs` of `explain --json`; a second changed turn has the key `with`."""
    answers, game = [], repairs.game
    for repair in repairs:
        first_turn, *other_turns = (_turn_json(game, number, turn) for number, turn in repair.turns)
        answer = first_turn | _keys(game, repair, "kind", "board", candidates="count")
        answer["probability"] = round(repair.probability, 6)
        answers.append(answer | ({"with": other_turns[0]} if other_turns else {}))
    return {"repairs": answers}


def _suspects_json(suspects: "Suspects") -> Json:
    return {
        "suspects": [
            {"named": one.named, "turn": one.number, "probability": round(one.probability, 6)}
            for one in suspects
        ]
    }


def _certain_json(certainties: "Certainties") -> Json:
    game, answers = certainties.game, []
    for one in certainties:
        counted = () if one.count is None else ("count", "at_least")
        answer: Json = {
            "text": certain_text(game, one),
            "symbol": game.alphabet.symbols[one.symbol],
            **_keys(game, one, "position", *counted, "board", "turns"),
            "facts": fact_texts(one.facts),
        }
        answers.append(answer)
    return {"certain": answers}


def identification_json(found: "Identification") -> Json:
    """Return an identification as JSON, with the keys of `identify --json`."""
    game = found.game
    hypotheses = [
        {
            **_keys(game, one, "rule", "shown", "reversed"),
            "options": dict(one.options),
            "legend": dict(one.legend),
            "probability": round(chance, 6),
        }
        for one, chance in found.hypotheses
    ]
    codes = [
        {"code": game.format_code(code), "probability": round(chance, 6)}
        for code, chance in found.candidates
    ]
    suggestions = [
        {**_keys(game, one, "guess", "value"), "probability": round(one.chance or 0.0, 6)}
        for one in found.suggestions
    ]
    return {
        "hypotheses": hypotheses,
        "candidates": codes,
        "suggestions": suggestions,
        "exact": False,
    }


# Games.


def game_json(name: str, game: Game) -> Json:
    """Return a built-in game as JSON, with the keys of `games --json`."""
    sizes = {"secrets": game.secrets.size, "guesses": game.guesses.size}
    rule = game.one_board.rule.name
    known = _keys(game, game, "title", "about", "boards", "source")
    return {"name": name, "rule": rule, **sizes, **known}


def check_json(
    name: str,
    engine: Engine,
    advice: Advice | None,
    meaning: Iterable[str],
    notes: Sequence[str],
) -> Json:
    """Return a summary of a game file as JSON, with the keys of `check --json`.

    `advice` is the next guess, None if there is none; `meaning` and `notes` are lines of text.
    """
    game, fits = engine.game, engine.satisfiable()
    count = 0 if engine.proves and not fits else engine.count().exact
    known: Json = {"count": count, "exact": count is not None, "suggestions": []}
    return {
        **game_json(name, game),
        "rows": len(game.history.turns),
        "facts": len(game.history.facts),
        "meaning": list(meaning),
        "notes": list(notes),
        "consistent": fits,
        **(known if advice is None else advice_json(game, advice)),
    }
