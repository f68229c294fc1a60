"""Repairs of random games in which nothing fits: how many are offered, and whether each is one.

Small games of every rule, some with lies, unread marks, misreadings and doubts. The history with
each repair is written as a session file has it and read again: it has to be the same history, and
to have as many candidates as was said. The seeds of games with a wrong repair are printed.
"""

import argparse
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from report import table

from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.explanation.repair import repairs
from puzzlehunt.game.files.document import Document, dump, read_document
from puzzlehunt.game.files.gamefile import build
from puzzlehunt.game.files.serialise import history_keys
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import DEFAULT_DOUBT, Turn
from puzzlehunt.game.merging import merge
from puzzlehunt.rules.families import CountRule, TileRule

RULES: list[dict[str, Any]] = [
    {},
    {"marks": {"miss": "R"}, "names": {"miss": "red"}},
    {"names": {"black": "gear", "white": "tumbler"}},
    {"marks": {"black": "A", "white": "B"}, "names": {"black": "bull", "white": "cow"}},
    {"rule": "matches"},
    {"rule": "matches", "marks": {"miss": "-"}},
    {"rule": "letters"},
    {"rule": "pairs"},
    {"rule": "marks"},
    {"rule": "order"},
    {"rule": "near"},
]
LIES = [None, None, {"at_most": "1"}, {"at_most": "2"}, {"chance": "0.2"}]
READS = [None, None, {"misread": "0.05"}, {"rest": "0.5"}, {"rest": "about 0.3"}, {"rest": "1"}]
LONGEST = 6
"""Most rows of a game."""


@dataclass
class Tally:
    """How many games were played, how many of them had no candidate, and their repairs."""

    games: int = 0
    contradictory: int = 0
    repairs: int = 0
    unmended: int = 0
    wrong: int = 0


def drawn_game(rng: random.Random) -> tuple[Game, dict[str, Any]] | None:
    """Return a small game with rows in which nothing fits, and its file without the rows.

    None where something still fits.
    """
    rule, lies, reads = rng.choice(RULES), rng.choice(LIES), rng.choice(READS)
    length = rng.randint(1, 3)
    secret: dict[str, Any] = {"symbols": "ABCD"[: rng.randint(2, 4)], "length": str(length)}
    if rule.get("rule") == "pairs":
        secret = {"pairs": ["AB", "xy"], "length": str(min(length, 2))}
    value: dict[str, Any] = {"secret": secret, **rule}
    value |= {"lies": lies} if lies else {"reads": reads} if reads else {}
    game = build(Document(value))
    for _ in range(LONGEST):
        guess = game.guesses.random(rng)
        doubt = DEFAULT_DOUBT if rng.random() < 0.1 else 0.0
        try:
            turn = Turn(guess, game.parse_clue(typed(rng, game, guess), guess), doubt)
        except PuzzlehuntError:
            continue
        game = replace(game, history=merge(game, game.history, [turn]).history)
        if not any(game.fits(game.history, code) for code in game.secrets):
            return game, value
    return None


def typed(rng: random.Random, game: Game, guess: tuple[int, ...]) -> str:
    """Return marks, unread ones among them, counts, or a word, as somebody may type them."""
    rule = game.rule
    if rng.random() < 0.15:
        return rng.choice(["*", "won"])
    if isinstance(rule, CountRule):
        kinds = rule.notation.kinds
        size, marks = rule.mark_count(guess), [kind.mark or "." for kind in kinds]
        if rng.random() < 0.3:
            ways = [(rng.choice(["", ">=", "<="]), kind.label) for kind in kinds]
            some = [way for way in ways if rng.random() < 0.6]
            return " ".join(f"{sign}{rng.randint(0, size)} {name}" for sign, name in some) or "*"
    else:
        assert isinstance(rule, TileRule)
        size, marks = len(guess), list(rule.notation.marks)
    marks += [rng.choice(marks), "_", f"[{rng.choice(marks)}{rng.choice(marks)}]"]
    return "".join(rng.choice(marks) for _ in range(size))


def wrong_repairs(game: Game, value: dict[str, Any], tally: Tally) -> list[str]:
    """Return what is wrong with the repairs of a game in which nothing fits, a line for each."""
    engine = open_engine(game)
    found = repairs(engine)
    tally.repairs += len(found)
    tally.unmended += not found
    wrong = []
    for repair in found:
        mended = repair.mended(game.history)
        left = sum(game.fits(mended, code) for code in game.secrets)
        try:
            text = dump({**value, **history_keys(game, mended)})
            same = build(read_document(text, "game.yaml", Path())).history == mended
        except PuzzlehuntError:
            same = False
        if not same or not left or left != repair.count:
            said = ", ".join(f"{n}. {game.format_turn(turn)}" for n, turn in repair.turns)
            wrong.append(f"{said}: {left} left, {repair.count} said, read back: {same}")
    return wrong


def main() -> None:
    """Print the table for the games and the seed that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000, help="games in which nothing fits")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first game")
    asked = parser.parse_args()
    tally, seed = Tally(), asked.seed
    while tally.contradictory < asked.games:
        drawn = drawn_game(random.Random(seed))
        tally.games += 1
        if drawn is not None:
            tally.contradictory += 1
            wrong = wrong_repairs(*drawn, tally)
            tally.wrong += len(wrong)
            for line in wrong:
                print(f"seed {seed}: {line}")
        seed += 1
    titles = ["games drawn", "nothing fits", "of these not mended", "repairs", "wrong"]
    numbers = [tally.games, tally.contradictory, tally.unmended, tally.repairs, tally.wrong]
    print(table(titles, [[f"{number:,}" for number in numbers]]))


if __name__ == "__main__":
    main()
