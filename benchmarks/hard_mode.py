"""How hard mode is played where a person waits: every secret of a word list after an opening.

Nothing depends on the clock: what a guess may take while a person waits is a number of scores.
"""

import argparse
import time
from collections import Counter

import numpy as np
from report import table

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.engines.explicit import ExplicitEngine
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.kernels.packed_codes import array_of, code_of
from puzzlehunt.strategies.base import Strategy
from puzzlehunt.strategies.position import Budget, Position
from puzzlehunt.strategies.registry import find_strategy


class Games:
    """The games of all secrets: how many took each number of guesses, and the slowest guess."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.histogram: Counter[int] = Counter()
        self.slowest = 0.0

    def play(self, position: Position, guess: Code, number: int) -> None:
        """Play on with the guess of that number, whatever is answered."""
        rule = position.game.rule
        row = rule.rows(array_of([guess], position.game.length))
        answers = rule.table(row, position.secrets[position.candidates])[0]
        for answer in np.unique(answers).tolist():
            feedback = tuple(rule.feedbacks[answer])
            if feedback == rule.winning:
                self.histogram[number] += 1
                continue
            behind = position.after(guess, position.candidates[answers == answer], feedback)
            began = time.process_time()
            later = code_of(self.strategy.choose(behind).codes[0])
            self.slowest = max(self.slowest, time.process_time() - began)
            self.play(behind, later, number + 1)


def row(name: str, words: str, opening: str) -> list[str]:
    game = load("wordle", [f"secret.words={words}", "hard=true", f"play.strategy={name}"])
    position = Position.of(game, ExplicitEngine(game), budget=Budget(seconds=1))
    games = Games(find_strategy(name))
    games.play(position, game.parse_guess(opening), 1)
    played = games.histogram
    total = sum(number * count for number, count in played.items())
    lost = sum(count for number, count in played.items() if number > (game.play.attempts or number))
    average = total / played.total()
    return [name, f"{total:,}", f"{average:.4f}", str(max(played)), str(lost),
            f"{games.slowest:.1f}"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strategies", nargs="+", default=["entropy", "deep"])
    parser.add_argument("--words", default="common")
    parser.add_argument("--opening", default="SALET")
    given = parser.parse_args()
    header = ["strategy", "guesses", "average", "worst", "lost", "slowest (processor seconds)"]
    print(table(header, [row(name, given.words, given.opening) for name in given.strategies]))


if __name__ == "__main__":
    main()
