"""What unexplained marks mean, as lines and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from puzzlehunt.engines.legends import NOT_READ, NOTHING, Hypothesis
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.rules.rule_registry import find_rule
from puzzlehunt.views.candidates import wrapped
from puzzlehunt.views.wording import percent

_T = TypeVar("_T")
_MOST_HYPOTHESES, _MOST_CANDIDATES = 3, 5
_LEAST = 0.001
"""The least probability of a further hypothesis or secret that is shown."""


def identification_lines(found: Identification) -> Iterator[str]:
    """Yield lines that say what the marks mean, which secrets are likely, and what to guess."""
    game = found.game
    if not found.hypotheses:
        yield "Nothing explains these rows: no rule with any meaning of the marks."
    told = _shown(found.hypotheses, _MOST_HYPOTHESES) if found.history.turns else []
    for hypothesis, chance in told:
        yield f"{percent(chance)} {hypothesis_text(hypothesis)}"
    if told and found.candidates:
        likely = _shown(found.candidates, _MOST_CANDIDATES)
        parts = [f"{game.format_code(code)} {percent(chance)}" for code, chance in likely]
        yield from wrapped(f"secret: {parts[0]}", *parts[1:])
    if found.suggestions:
        best = found.suggestions[0]
        yield f"try {game.format_code(best.guess)} - {best.value or 0:.1f} bits"


def _shown(likely: Sequence[tuple[_T, float]], most: int) -> list[tuple[_T, float]]:
    """Return the first of some values with probabilities, and others that are likely enough."""
    return [*likely[:1], *(pair for pair in likely[1:most] if pair[1] >= _LEAST)]


def hypothesis_text(hypothesis: Hypothesis) -> str:
    """Return a hypothesis in words: `pegs: X black, Y white`."""
    options = "".join(f" {key} {value}" for key, value in hypothesis.options)
    names = {NOT_READ: "not read", NOTHING: "without meaning"}
    legend = ", ".join(f"{sign} {names.get(kind, kind)}" for sign, kind in hypothesis.legend)
    known = getattr(find_rule(hypothesis.rule), "positional", False)
    how = " in any order" if hypothesis.shown == "tally" and known else ""
    how += " of the secret against the guess" if hypothesis.reversed else ""
    return f"{hypothesis.rule}{options}{how}: {legend or 'no mark yet'}"


def identification_json(found: Identification) -> dict[str, Any]:
    """Return an identification as JSON, with the keys of `identify --json`."""
    game = found.game
    return {
        "hypotheses": [
            {**_hypothesis_json(hypothesis), "probability": round(chance, 6)}
            for hypothesis, chance in found.hypotheses
        ],
        "candidates": [
            {"code": game.format_code(code), "probability": round(chance, 6)}
            for code, chance in found.candidates
        ],
        "suggestions": [
            {
                "guess": game.format_code(one.guess),
                "value": one.value,
                "probability": round(one.chance or 0.0, 6),
            }
            for one in found.suggestions
        ],
        "exact": False,
    }


def _hypothesis_json(hypothesis: Hypothesis) -> dict[str, Any]:
    return {
        "rule": hypothesis.rule,
        "options": dict(hypothesis.options),
        "shown": hypothesis.shown,
        "reversed": hypothesis.reversed,
        "legend": dict(hypothesis.legend),
    }
