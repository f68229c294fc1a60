"""Answers as JSON, as commands print them with `--json`; programs may rely on all keys.

Turns, positions and boards are numbered from 1.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from puzzlehunt import explanation, views
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
from puzzlehunt.strategies.base import Suggestion
from puzzlehunt.views.wording import fact_texts, measure_text, name_item, turn_numbers

if TYPE_CHECKING:
    from puzzlehunt.explanation.certainty import Certainty
    from puzzlehunt.explanation.remaining import CandidatesListed, Remaining, WiderList
    from puzzlehunt.explanation.repair import Repair, Suspect
    from puzzlehunt.explanation.review import Review, ReviewedTurn, TriedGuess
    from puzzlehunt.explanation.unread import UnreadMark, UnreadMarks
    from puzzlehunt.explanation.why import Explanation, Verdict

Json: TypeAlias = dict[str, object]
_DECIMALS = 12
"""Decimals of a chance; further decimals may differ between machines."""

# Questions.


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
            return _rated_json(answers, code)
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
            found = explanation.certainty.certain(engine)
            return {"certain": certain_json(game, found), **_unconfirmed_json(engine)}
        case "suspects":
            return {"suspects": suspects_json(explanation.repair.suspects(engine))}
        case "repairs":
            return {"repairs": repairs_json(game, answers.repairs)}
        case "conflicts":
            every = conflicts_json(explanation.conflict.conflicts(engine, most=number))
            more: Json = {"conflicts": every} if len(every) > 1 else {}
            return explanation_json(explanation.why.explain(game, engine)) | more
        case "legend":
            if game.hidden is None:
                raise SessionError("the marks are known: this game has no `legend: unknown`")
            return views.meanings.identification_json(answers.identified)
    raise TypeError(question)


def _wider_key(found: "Answers | WiderList | None") -> Json:
    wider = found.wider_list() if isinstance(found, Answers) else found
    if wider is None:
        return {}
    codes = [wider.game.format_code(code) for code in wider.remaining.codes]
    return {"wider": {"list": wider.name, "count": wider.remaining.count, "candidates": codes}}


# Candidates and guesses.


def candidates_json(engine: Engine, listed: "CandidatesListed") -> Json:
    """Return candidates as JSON, with the keys of `candidates --json`."""
    game, left = engine.game, listed.remaining
    answer: Json = {
        "count": left.count,
        "exact": False,
        "candidates": _codes_json(game, left),
    }
    if not listed.boards and not left.stopped:
        answer |= _estimate_json(engine, left.count)
    answer |= _outside_json(left.outside)
    answer["exact"] = answer["count"] is not None
    if game.channel.misread:
        answer["nearly"] = [
            {
                "code": game.format_code(near.code),
                "probability": round(near.probability, _DECIMALS),
                "turns": list(near.numbers),
            }
            for near in listed.near
        ]
    return answer | _boards_key(game, listed.boards) | _wider_key(listed.wider_list)


def _outside_json(outside: float | None) -> dict[str, float]:
    return {} if outside is None else {"outside": round(outside, _DECIMALS)}


def _estimate_json(engine: Engine, count: int | None) -> Json:
    """Return an engine's estimate of the candidates if `count` is None; {} without an estimate."""
    estimate = engine.count() if count is None else UNKNOWN
    if estimate.high is None:
        return {}
    if estimate.exact is not None:
        return {"count": estimate.exact}
    ends = {"low": estimate.low, "high": estimate.high}
    return {"estimate": {"count": estimate.number, **ends}}


def _codes_json(game: Game, remaining: "Remaining") -> Sequence[object]:
    codes = [game.format_code(code) for code in remaining.codes]
    if not remaining.chances:
        return codes
    return [
        {"code": code, "probability": round(chance, _DECIMALS)}
        for code, chance in zip(codes, remaining.chances, strict=True)
    ]


def _boards_key(game: Game, boards: "Sequence[Remaining]") -> Json:
    board_game = game.one_board
    answers = [{"count": one.count, "candidates": _codes_json(board_game, one)} for one in boards]
    return {"boards": answers} if boards else {}


def advice_json(game: Game, advice: Advice) -> Json:
    """Return advice as JSON, with the keys of `suggest --json`."""
    return {
        "count": advice.count,
        "exact": advice.exact,
        "strategy": advice.strategy,
        "measure": measure_text(advice),
        "suggestions": [_suggestion_json(game, one) for one in advice.suggestions],
        **({"book": advice.book} if advice.book else {}),
        **_outside_json(advice.outside),
    }


def _suggest_json(answers: Answers, advice: Advice) -> Json:
    engine, game = answers.engine, answers.game
    boards = remaining_on_boards(engine, LISTED_CANDIDATES)
    answer = advice_json(game, advice) | _estimate_json(engine, advice.count)
    return answer | _wider_key(answers) | _boards_key(game, boards)


def _rated_json(answers: Answers, guess: Code) -> Json:
    """Return the value of a guess beside the best; `best` is None where no guess has a value."""
    if not answers.engine.satisfiable() or None not in answers.game.winning_guesses(
        answers.history
    ):
        return _suggest_json(answers, answers.suggest(1)) | {"best": None}
    tried = answers.tried(guess)
    return _suggest_json(answers, tried.rated) | tried_json(answers.game, tried)


def _suggestion_json(game: Game, suggestion: Suggestion) -> Json:
    return {
        "guess": game.format_code(suggestion.guess),
        "value": suggestion.value,
        "worst": suggestion.worst,
        "candidate": suggestion.candidate,
        **({} if suggestion.chance is None else {"chance": round(suggestion.chance, _DECIMALS)}),
    }


def tried_json(game: Game, tried: "TriedGuess") -> Json:
    """Return the value of a guess, and the best guess, with the keys of `suggest --try --json`."""
    (best,) = tried.best.suggestions
    answer = {**advice_json(game, tried.rated), "best": _suggestion_json(game, best)}
    return answer if tried.illegal is None else {**answer, "illegal": str(tried.illegal)}


def unread_json(engine: Engine, ranked: "UnreadMarks") -> Json:
    """Return unread marks as JSON, with the keys of `suggest --unread --json`."""
    game, count = engine.game.one_board, engine.count(quickly=True).exact
    marks = [_unread_mark_json(game, mark) for mark in ranked]
    return {"count": count, "exact": True, "unread": marks, **_estimate_json(engine, count)}


def _unread_mark_json(game: Game, mark: "UnreadMark") -> Json:
    return {
        **_turn_json(game, mark.number, mark.turn),
        **({} if mark.position is None else {"position": mark.position + 1}),
        **({} if mark.board is None else {"board": mark.board + 1}),
        "bits": round(mark.bits, 6),
        "marks": mark.count,
        "all_bits": round(mark.turn_bits, 6),
    }


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
    answer = explanation_json(explained) | _wider_key(answers if explained.conflict else None)
    found: Json = dict.fromkeys(("certain", "suspects", "repairs"))
    share = None
    try:
        found["repairs"] = repairs_json(game, answers.repairs)
        suspects = explanation.repair.suspects(engine)
        share = explanation.repair.assumed_misread(game) if suspects else None
        found["suspects"] = suspects_json(suspects)
        found["certain"] = certain_json(game, explanation.certainty.certain(engine))
    except (TooLargeError, KeyboardInterrupt) as error:
        if on_stop is None:
            raise
        on_stop(error)
    assumed: Json = {} if share is None else {"assumed_misread": share}
    return answer | found | _unconfirmed_json(engine) | assumed


def _unconfirmed_json(engine: Engine) -> Json:
    """Return `{"exact": False}` if the engine relies on an unconfirmed solver, else {}."""
    return {} if engine.proves else {"exact": False}


def explanation_json(explanation: "Explanation") -> Json:
    """Return conflicts, and the reasons against a code, with the keys of `explain --json`."""
    game = explanation.game
    answer: Json = {
        "consistent": not explanation.conflict,
        "conflict": turn_numbers(explanation.conflict),
        "conflict_facts": fact_texts(explanation.conflict),
        "reason": views.explanations.proof_sentence(game, explanation.counting_proof),
    }
    if explanation.code is not None:
        answer["code"] = game.format_code(explanation.code)
        verdicts = explanation.verdicts
        because = in_order(name for verdict in verdicts for name in verdict.because)
        answer["candidate"] = any(verdict.candidate for verdict in verdicts)
        answer["because"] = turn_numbers(because)
        answer["because_facts"] = fact_texts(because)
        answer["because_rows"] = _reasons_json(explanation)
        answer["why"] = _why_json(explanation)
        if game.boards > 1:
            answer["boards"] = [_verdict_json(verdict) for verdict in explanation.verdicts]
    return answer


def conflicts_json(found: "Iterable[Sequence[ItemName]]") -> list[Json]:
    """Return conflicts as a list of the numbers of their turns, and the texts of their facts."""
    return [{"turns": turn_numbers(names), "facts": fact_texts(names)} for names in found]


def _reasons_json(explanation: "Explanation") -> list[Json]:
    return [
        {
            "turn": violation.item,
            "shown": views.explanations.shown_instead(verdict, violation),
            "off": violation.marks_off,
        }
        for verdict in explanation.verdicts
        for violation in verdict.violations
        if isinstance(violation.item, int)
    ]


def _why_json(explanation: "Explanation") -> list[Json]:
    reasons = []
    for verdict in explanation.verdicts:
        board = {} if verdict.board is None else {"board": verdict.board + 1}
        for violation in verdict.violations:
            if isinstance(violation.item, Fact):
                reasons.append({**board, "kind": "fact", "text": violation.item.text})
            else:
                kind = "guessed" if violation.feedback is None else "row"
                text = views.explanations.violation_text(verdict, violation)
                reasons.append({**board, "kind": kind, "turn": violation.item, "text": text})
        if verdict.not_a_secret:
            reasons.append({**board, "kind": "not a secret", "text": verdict.not_a_secret})
    return reasons


def _verdict_json(verdict: "Verdict") -> Json:
    return {
        "board": (verdict.board or 0) + 1,
        "code": verdict.game.format_code(verdict.code),
        "candidate": verdict.candidate,
        "because": turn_numbers(verdict.because),
        "because_facts": fact_texts(verdict.because),
    }


def repairs_json(game: Game, repairs: "Iterable[Repair]") -> list[Json]:
    """Return the list `repairs` of `explain --json`; a second changed turn has the key `with`."""
    answers = []
    for repair in repairs:
        first_turn, *other_turns = (_turn_json(game, number, turn) for number, turn in repair.turns)
        answer = first_turn | {
            "candidates": repair.count,
            "kind": repair.kind,
            "probability": round(repair.probability, 6),
        }
        board = {} if repair.board is None else {"board": repair.board + 1}
        answers.append(answer | board | ({"with": other_turns[0]} if other_turns else {}))
    return answers


def _turn_json(game: Game, number: int, turn: Turn) -> Json:
    guess, clue = game.format_code(turn.guess), game.rule.notation.format(turn.clue)
    return {"turn": number, "guess": guess, "clue": clue}


def suspects_json(suspects: "Iterable[Suspect]") -> list[Json]:
    """Return the list `suspects` of `explain --json`: turns, and chances that they are wrong."""
    return [
        {"turn": one.number, "probability": round(one.probability, 6), "named": one.named}
        for one in suspects
    ]


def certain_json(game: Game, certainties: "Iterable[Certainty]") -> list[Json]:
    """Return the list `certain` of `explain --json`: properties that all candidates share."""
    return [_certain_json(game, certainty) for certainty in certainties]


def _certain_json(game: Game, certainty: "Certainty") -> Json:
    answer: Json = {
        "text": views.explanations.certain_text(game, certainty),
        "symbol": game.alphabet.symbols[certainty.symbol],
    }
    if certainty.position is not None:
        answer["position"] = certainty.position + 1
    if certainty.count is not None:
        answer |= {"count": certainty.count, "at_least": certainty.at_least}
    if certainty.board is not None:
        answer["board"] = certainty.board + 1
    return answer | {
        "turns": list(certainty.turns),
        "facts": [fact.text for fact in certainty.facts],
    }


def review_json(answers: Answers, review: "Review") -> Json:
    """Return a review as JSON, with the keys of `review --json`."""
    game, name = review.game, review.contradiction
    return {
        "turns": [_reviewed_turn_json(game, turn) for turn in review.turns],
        "skill": review.skill,
        "luck": review.luck,
        "contradiction": None if name is None else name_item(game, review.history, name),
        **_wider_key(None if name is None else answers),
    }


def _reviewed_turn_json(game: Game, reviewed: "ReviewedTurn") -> Json:
    return {
        **_turn_json(game, reviewed.number, reviewed.turn),
        "expected": reviewed.expected_bits,
        "told": reviewed.gained_bits,
        "best": game.format_code(reviewed.best),
        "most": reviewed.best_bits,
        "left": reviewed.candidates_left,
        "exact": reviewed.exact,
    }


# Games.


def game_json(name: str, game: Game) -> Json:
    """Return a built-in game as JSON, with the keys of `games --json`."""
    return {
        "name": name,
        "title": game.title,
        "about": game.about,
        "secrets": game.secrets.size,
        "guesses": game.guesses.size,
        "rule": game.one_board.rule.name,
        "boards": game.boards,
        "source": game.source,
    }


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
    game = engine.game
    contradicts = engine.proves and not engine.satisfiable()
    count = 0 if contradicts else engine.count().exact
    known: Json = {"count": count, "exact": count is not None, "suggestions": []}
    return {
        **game_json(name, game),
        "rows": len(game.history.turns),
        "facts": len(game.history.facts),
        "meaning": list(meaning),
        "notes": list(notes),
        "consistent": engine.satisfiable(),
        **(known if advice is None else advice_json(game, advice)),
    }
