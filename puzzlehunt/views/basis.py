"""Advice in words: the unit of its values, and which guesses and candidates were evaluated."""

from typing import TYPE_CHECKING

from puzzlehunt.strategies.basis import Basis, Evaluated, Question

if TYPE_CHECKING:
    from puzzlehunt.strategies.adviser import Advice

_EVALUATED = {
    Evaluated.CANDIDATE_SAMPLE: "a sample of {size} candidates",
    Evaluated.BOARD_SAMPLES: "samples of the candidates",
    Evaluated.CANDIDATES_AS_GUESSES: "candidates alone, of too many guesses",
    Evaluated.GUESSES_NEAR_CANDIDATES: "candidates and codes near them, of too many guesses",
    Evaluated.GUESS_SAMPLE: "a sample of the guesses",
    Evaluated.GUESS_SAMPLE_AT_FIRST: "a sample of the guesses where many candidates are left",
    Evaluated.ANSWERS_READ_AND_TRUE: "answers as if all were read and true",
    Evaluated.ROWS_AS_IF_RIGHT: "rows as if none were misread",
    Evaluated.TURNS: "the rows alone",
    Evaluated.BOOK: "a book: {book}",
}
_QUESTIONS = {
    Question.HOW_OFTEN_SYMBOLS_OCCUR: "to settle how often symbols occur",
    Question.WHERE_SYMBOLS_STAND: "to settle where some symbols stand",
}


def basis_text(basis: Basis | None) -> str:
    """Return what was evaluated: `a sample of the guesses`; empty where everything was."""
    if basis is None:
        return ""
    return _EVALUATED[basis.evaluated].format(size=basis.size, book=basis.book)


def measure_text(advice: "Advice") -> str:
    """Return the unit of the suggestions' values (`bits`); without values, what a guess is for."""
    return advice.measure if advice.question is None else _QUESTIONS[advice.question]
