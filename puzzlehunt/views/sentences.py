"""The state of a game in sentences for a page: how many are left, which guess to try, terms."""

from dataclasses import dataclass

from puzzlehunt.errors import counted
from puzzlehunt.explanation.partition import Outlook
from puzzlehunt.explanation.remaining import Remaining
from puzzlehunt.game.game import Game
from puzzlehunt.strategies.adviser import Advice
from puzzlehunt.views.advice import ONLY_ONE
from puzzlehunt.views.candidates import outside_lines, rounded
from puzzlehunt.views.wording import measure_text, percent

_CLOSE = 0.1
"""Largest relative error of a chance that is given as one in a whole number."""
_EXACT = 1e-6
"""Rounding error of an expected number of candidates."""
_HARDLY_POSSIBLE = 0.001
"""A list says nothing if the likeliest of its codes has less than this chance (0 to 1)."""


def says_nothing(remaining: Remaining) -> bool:
    """Return whether a list of candidates is so short a part of all that it says nothing."""
    if not remaining.more or remaining.stopped:
        return False
    if remaining.chances:
        return max(remaining.chances) < _HARDLY_POSSIBLE
    return remaining.count is None or remaining.count * _HARDLY_POSSIBLE > 1


def odds(chance: float) -> str:
    """Return a chance (over 0, to 1) as a person says it: `1 in 5`, or `64 %`."""
    number = round(1 / chance)
    if abs(number * chance - 1) > _CLOSE:
        return percent(chance)
    return f"1 in {number if number < 1000 else rounded(number)}"


@dataclass(frozen=True, slots=True)
class GuessSentence:
    """A sentence about a guess: the text before the guess, the guess, and the text after it."""

    before: str
    guess: str
    after: str

    def __str__(self) -> str:
        return f"{self.before} {self.guess}{self.after}"


def guess_sentence(game: Game, advice: Advice, outlook: Outlook) -> GuessSentence:
    """Return what the best guess may do, such as `Try HEART: 1 in 5 to win, else about 4 left`."""
    best = advice.suggestions[0]
    guess, may_be_misread = game.format_code(best.guess), bool(outside_lines(advice.outside))
    if advice.question:
        return GuessSentence("Try", guess, f" {measure_text(advice)}.")
    if advice.only_candidate is not None:
        chance = (
            f"; {odds(best.chance)} to win, as a row may be misread"
            if best.chance and may_be_misread
            else ""
        )
        return GuessSentence("Play", guess, f": it is {ONLY_ONE}{chance}.")
    wins = "" if outlook.win is None else _wins(game, outlook.win, best.candidate)
    is_futile = outlook.win is not None and outlook.win < _HARDLY_POSSIBLE
    if outlook.attempts == 1:
        comma = ", but " if is_futile else ", "
        return GuessSentence("Last guess: try", guess, f"{comma if wins else ''}{wins}.")
    rest = _rest(outlook, "it leaves" if not wins else "leaves" if is_futile else "")
    if rest and may_be_misread:
        rest += " if the rows are right"
    comma = (", but " if is_futile else ", else ") if wins and rest else ""
    colon = ": " if wins or rest else ""
    verb = "Ask" if game.only_questions else "Try"
    return GuessSentence(verb, guess, f"{colon}{wins}{comma}{rest}.")


def _wins(game: Game, win: float, is_candidate: bool) -> str:
    """Return the chance to win (0 to 1) in words; "" in a game of questions alone."""
    if game.only_questions:
        return ""
    if win < _HARDLY_POSSIBLE:
        return f"it {'will hardly' if win else 'cannot'} win"
    return f"{odds(win)} to win{'' if is_candidate else ', if a row is misread'}"


def _rest(outlook: Outlook, leaves: str) -> str:
    """Return in words what an answer leaves if the guess does not win; "" if that is unknown.

    `leaves` is the verb that follows the guess, "" if the words follow the chance to win.
    """
    left = outlook.left
    if left is None:
        return ""
    if left < 1 + _EXACT:
        return f"you will{' then' if leaves else ''} know the secret"
    amount = f"about {'1 or 2' if left < 1.5 else rounded(left)}"
    tries = ""
    if outlook.attempts is not None:
        tries = f", with {counted(outlook.attempts - 1, 'more guess')}"
    return f"{leaves} {amount}{tries}" if leaves else f"{amount} left{tries}"


MEANINGS = {
    "bits": "how much the answer is expected to tell; one bit halves what is left",
    "parts": "how many different answers there can be",
    "largest group": "how many are left after the least helpful answer",
    "left on average": "how many are left after the answer, on average",
    "guesses": "how many guesses the secret takes on average, this one included",
    "estimate": "roughly how many guesses the secret takes: it compares guesses, no more",
    "at worst left": "how many are left after the least helpful answer",
    "wins": "the chance that the guess is the secret",
    "may win": "whether the guess can be a secret",
}
"""What the columns of a table of suggestions mean."""
MEANINGS_OF_UNREAD = {
    "bits": "how much one more mark of the row is expected to tell; one bit halves what is left",
    "bits of all": "how much all unread marks of the row would tell together",
}
MEANINGS_OF_REVIEW = {
    "expected": "how many bits the guess was expected to tell; one bit halves what is left",
    "told": "how many bits its answer did tell",
    "left": "how many were left after it",
    "best": "the best guess at that time, and the bits that it was expected to tell",
    "skill": "the bits that your guesses were expected to tell, as a share of those of the best",
    "luck": "how many more bits the answers told than was expected",
}
