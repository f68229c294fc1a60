"""What unexplained marks mean, as lines."""

from collections.abc import Iterator

from puzzlehunt.engines.legends import NOT_READ, NOTHING, Hypothesis
from puzzlehunt.explanation.identification import Identification
from puzzlehunt.rules.rule_registry import find_rule
from puzzlehunt.views.candidates import HARDLY_POSSIBLE
from puzzlehunt.views.printed_tables import wrapped
from puzzlehunt.views.wording import percent

_MOST_HYPOTHESES, _MOST_CANDIDATES = 3, 5


def identification_lines(found: Identification) -> Iterator[str]:
    """Yield lines that say what the marks mean, which secrets are likely, and what to guess."""
    game, rows = found.game, found.history.turns
    if not found.hypotheses:
        yield "Nothing explains these rows: no rule with any meaning of the marks."
    for hypothesis, chance in found.hypotheses[:_MOST_HYPOTHESES]:
        if rows and chance >= HARDLY_POSSIBLE:
            yield f"{percent(chance)} {hypothesis_text(hypothesis)}"
    likely = [pair for pair in found.candidates[:_MOST_CANDIDATES] if pair[1] >= HARDLY_POSSIBLE]
    parts = [f"{game.format_code(code)} {percent(chance)}" for code, chance in likely]
    if rows and parts:
        yield from wrapped(f"secret: {parts[0]}", *parts[1:])
    for best in found.suggestions[:1]:
        yield f"try {game.format_code(best.guess)} - {best.value or 0:.1f} bits"


def hypothesis_text(hypothesis: Hypothesis) -> str:
    """Return a hypothesis in words: `pegs: X black, Y white`."""
    options = "".join(f" {key} {value}" for key, value in hypothesis.options)
    names = {NOT_READ: "not read", NOTHING: "without meaning"}
    legend = ", ".join(f"{sign} {names.get(kind, kind)}" for sign, kind in hypothesis.legend)
    known = getattr(find_rule(hypothesis.rule), "positional", False)
    how = " in any order" if hypothesis.shown == "tally" and known else ""
    how += " of the secret against the guess" if hypothesis.reversed else ""
    return f"{hypothesis.rule}{options}{how}: {legend or 'no mark yet'}"
