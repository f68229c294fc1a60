"""Answers as JSON, as far as a command puts them together from several outcomes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzlehunt.codes.alphabet import Code
    from puzzlehunt.engines.base import Engine
    from puzzlehunt.explain.certainty import Certain
    from puzzlehunt.explain.remaining import Left
    from puzzlehunt.explain.repair import Repair
    from puzzlehunt.explain.suspicion import Near, Suspect
    from puzzlehunt.explain.why import Explanation
    from puzzlehunt.game.game import Game
    from puzzlehunt.game.history import History


def candidates_json(
    engine: "Engine", listed: "Left", boards: "Sequence[Left]", near: "Sequence[Near]"
) -> dict[str, Any]:
    """Return what is left under the keys of `candidates --json`."""
    from puzzlehunt.explain.remaining import boards_json

    game = engine.game
    answer: dict[str, Any] = {
        "count": listed.count,
        "exact": False,
        "candidates": listed.as_json(game),
    }
    if not boards:
        answer |= estimate_json(engine, listed.count)
    answer["exact"] = answer["count"] is not None
    if game.channel.misread:
        answer["nearly"] = [
            {
                "code": game.format_code(one.code),
                "probability": round(one.probability, 6),
                "turns": list(one.numbers),
            }
            for one in near
        ]
    if boards:
        answer["boards"] = boards_json(game, boards)
    return answer


def estimate_json(engine: "Engine", count: int | None) -> dict[str, Any]:
    """Return what an engine estimates where a number of candidates is not known; {} where it is."""
    from puzzlehunt.engines.base import UNKNOWN

    estimated = engine.count() if count is None else UNKNOWN
    if estimated.high is None:
        return {}
    if estimated.exact is not None:
        return {"count": estimated.exact}
    return {
        "estimate": {
            "count": estimated.number,
            "low": estimated.low,
            "high": estimated.high,
        }
    }


def score_json(game: "Game", secret: "Code", guess: "Code") -> dict[str, Any]:
    """Return the feedback of a guess under the keys of `score --json`."""
    feedback = game.score(guess, secret)
    return {
        "secret": game.format_code(secret),
        "guess": game.format_code(guess) if guess else "",
        "feedback": game.rule.format(game.rule.exactly(feedback, guess)),
        **game.rule.parts(feedback, guess),
    }


def explanation_json(
    game: "Game",
    explanation: "Explanation",
    wider: dict[str, Any],
    certain: "list[Certain]",
    suspects: "list[Suspect]",
    repairs: "Sequence[Repair]",
) -> dict[str, Any]:
    """Return an explanation and what goes with it under the keys of `explain --json`."""
    from puzzlehunt.explain import certainty, suspicion

    return {
        **explanation.as_json(),
        **wider,
        "certain": certainty.as_json(game, certain),
        "suspects": suspicion.as_json(suspects),
        "repairs": [repair.as_json(game) for repair in repairs],
    }


def solution_json(
    game: "Game", history: "History", secret: "Code", *, solved: bool, seconds: float
) -> dict[str, Any]:
    """Return a game that was played to its end under the keys of `solve --json`."""
    return {
        "secret": game.format_code(secret),
        "solved": solved,
        "guesses": len(history.turns),
        "facts": [fact.text for fact in history.facts],
        "turns": [
            {"guess": game.format_code(turn.guess), "clue": game.rule.format(turn.clue)}
            for turn in history.turns
        ],
        "seconds": round(seconds, 3),
    }


def game_json(name: str, game: "Game") -> dict[str, Any]:
    """Return a built-in game under the keys of `games --json`."""
    return {
        "name": name,
        "title": game.title,
        "about": game.about,
        "secrets": game.secrets.size,
        "guesses": game.guesses.size,
        "rule": rule_name(game),
        "boards": game.boards,
        "source": game.source,
    }


def rule_name(game: "Game") -> str:
    """Return the name of a game's rule, as a game file says it."""
    from puzzlehunt.rules.boards import BoardsRule
    from puzzlehunt.rules.merged import MergedRule

    rule = game.rule.one if isinstance(game.rule, BoardsRule | MergedRule) else game.rule
    return rule.name
