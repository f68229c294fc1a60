"""A family of benchmarks for SMT solvers: positions of games, as `puzzlehunt export` writes them.

usage: python tools/smtlib_family.py FOLDER [--seed N] [--only REGEX]

Writes some 500 instances in the folders and with the headers that SMT-LIB asks for. Their statuses
are found by counting candidates, never by a solver. `instances.tsv` has them, and the exact number
of models of each instance (assignments of pN_X). The same seed gives the same files.

Encodings: *sums* of `ite` terms (the package's scripts), *integers* (pseudo-Boolean: variables that
are 0 or 1), *bits* (sums of bits), *totalizers* (Booleans alone).
"""

import argparse
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from pathlib import Path

from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.smtlib.parser import SmtLibParser
from pysmt.walkers import IdentityDagWalker

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
from sums import BitVectorRewriter, IntegerRewriter, TotalizerRewriter

from puzzlehunt import __version__, smtlib
from puzzlehunt.engines.base import Engine
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.engines.smtlib import as_text
from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Turn
from puzzlehunt.session.codemaker import Codemaker, open_codemaker

DATE = "2026-11-27"
SET = f"{DATE.replace('-', '')}-Mastermind-puzzlehunt"
ENCODINGS = {"sums": "QF_LIA", "integers": "QF_LIA", "bits": "QF_BV", "totalizers": "QF_UF"}
REWRITERS = {"bits": BitVectorRewriter, "totalizers": TotalizerRewriter}
HALF_READ = ["reads.black=0.9", "reads.white=0.9", "reads.miss=0.9"]
MOST_ROWS = 40
_BOOLEAN = re.compile(r"\(declare-const (\S+) Bool\)")
_INTEGER = r"(declare-const \1 Int)\n(assert (and (<= 0 \1) (<= \1 1)))"
GAMES: dict[str, tuple[str, list[str], list[str], str]] = {
    # By name: the game, settings, what its channel does to the rows, tasks (see `problem`).
    "pegs-8x6": ("8x6", [], [], "sat-5000 sat-1 unsat-2 false-200 play-1"),
    "pegs-10x6": ("10x6", [], [], "sat-9000 sat-1 unsat-2 false-200 play-1"),
    "pegs-12x6": ("12x6", [], [], "sat-9000 sat-20 unsat-2 false-200 play-1"),
    "pegs-14x6": ("14x6", [], [], "sat-9000 sat-20 sat-1 unsat-2 unsat-6 false-200 play-1"),
    "pegs-16x6": ("16x6", [], [], "sat-1 unsat-1 false-20"),
    "pegs-14x8": ("14x8", [], [], "sat-9000 sat-1 unsat-3 false-200 play-1"),
    "pegs-16x4": ("16x4", [], [], "sat-9000 sat-100 sat-1 unsat-3 false-200 play-1"),
    "pegs-18x4": ("18x4", [], [], "sat-100 unsat-3"),
    "pegs-20x4": ("20x4", [], [], "sat-100 unsat-3"),
    "half-7x8": ("7x8", [], HALF_READ, "sat-9000 sat-100 sat-1 unsat-5 false-200 play-1"),
    "half-8x6": ("8x6", [], HALF_READ, "sat-9000 sat-100 sat-1 unsat-5 false-200 play-1"),
    "half-12x6": ("12x6", [], HALF_READ, "sat-9000 unsat-3 false-200 play-1"),
    "half-16x4": ("16x4", [], HALF_READ, "sat-100 unsat-3 false-200 play-1"),
    "lies-8x6": ("8x6", ["lies.at_most=1"], [], "sat-9000 sat-1 unsat-3 play-1"),
    "lies-7x8": ("7x8", ["lies.at_most=2"], [], "sat-9000 sat-1 unsat-3 play-1"),
    "bulls-8x10": ("8x10", ["secret.distinct=true"], [], "sat-9000 sat-1 unsat-3 false-100 play-1"),
    "bulls-12x12": ("12x12", ["secret.distinct=true"], [], "sat-9000 sat-1 unsat-3 false-100"),
    "matches-10x4": ("10x4", ["rule=matches"], [], "sat-9000 sat-1 unsat-3 false-100 play-1"),
    "matches-20x2": ("20x2", ["rule=matches"], [], "sat-9000 sat-1 unsat-3 false-100 play-1"),
    "matches-9x9": ("9x9", ["rule=matches", "secret.distinct=true"], [], "sat-1 unsat-3 play-1"),
    "letters-7x7": ("7x7", ["rule=letters"], [], "sat-9000 false-2000"),
    "directions": ("6x10", ["rule=directions"], [], "sat-9000 sat-4 unsat-8 false-1000"),
    "near": ("6x10", ["rule=near"], [], "sat-300 sat-4 unsat-8"),
    "order": ("safe-cracker", ["secret.length=6"], [], "sat-3000 sat-4 unsat-8 play-4"),
    "pairs": ("grand", [], [], "sat-9000 sat-1 unsat-3 false-100 play-1"),
    "marks-words": ("wordle", [], [], "sat-1 unsat-3 play-1"),
    "pegs-words": ("cryptic", ["reads=off"], HALF_READ, "sat-100 sat-1 unsat-3 false-30 play-1"),
    "letters-words": ("jotto", [], [], "sat-100 sat-1 unsat-3 play-1"),
    "lies-words": ("fibble", [], [], "sat-100 sat-1 unsat-3 play-1"),
    "equations": ("mini-nerdle", [], [], "sat-1 unsat-3"),
}
NAMES = [f"{game}-{task}" for game, (*_, tasks) in GAMES.items() for task in tasks.split()]


@dataclass(frozen=True)
class Problem:
    """A game with rows and facts; how many secrets each row leaves (None: many), and all items."""

    name: str
    game: Game
    items: tuple[Item, ...]
    counts: tuple[int | None, ...]
    models: int
    another: Item  # the fact that the secret is not the one that the rows tell of

    @property
    def incremental(self) -> bool:
        return "-play-" in self.name

    @property
    def checks(self) -> list[list[str]]:
        """The statuses of the checks after each item."""
        if not self.incremental:
            return [[]] * (len(self.items) - 1) + [["sat" if self.models else "unsat"]]
        others = [[] if n is None else ["sat" if n > 1 else "unsat"] for n in self.counts]
        return [["sat", *other] for other in others]


def problem(name: str, seed: int) -> Problem:
    """Return the problem `GAME-TASK-N`: random rows until at most N candidates are left.

    `sat`: just these. `unsat`: facts exclude the candidates that are left. `false`: one more row
    that none of them fits. `play`: checks after every row, and whether another secret is left.
    """
    game_name, task, most = name.rsplit("-", 2)
    base, settings, channel, _ = GAMES[game_name]
    game, rng = load(base, settings), random.Random(f"{seed}:{name}")
    secret = game.secrets.random(rng)
    codemaker = open_codemaker(load(base, [*settings, *channel]), secret, rng=rng)
    engine = open_engine(game)
    counts: list[int | None] = []
    while not counts or counts[-1] is None or counts[-1] > int(most):
        if len(counts) == MOST_ROWS:
            raise ValueError(f"{name}: {MOST_ROWS} rows leave {counts[-1]}")
        guess = game.guesses.random(rng)
        if guess != secret:
            engine.push(codemaker.answer(guess))
            counts.append(_count(engine))
    assert secret in engine
    rows = engine.items
    others: list[Item] = []
    if task == "unsat":
        others = [game.as_item(f"/fact not {text}") for text in engine.candidates().texts()]
    elif task == "false":
        others = [_false_row(engine, codemaker, rng)]
    another = game.as_item(f"/fact not {game.format_code(secret)}")
    engine.follow([*rows, *others])
    models = _count(engine)
    assert models is not None
    return Problem(name, game, engine.items, tuple(counts), models, another)


def _count(engine: Engine) -> int | None:
    """Return the number of candidates, found without a solver; None if there are too many."""
    if engine.listed is not None:
        return engine.count().exact
    codes = engine.sampler.listed_candidates(engine.items)
    return None if codes is None else len(codes)


def _false_row(engine: Engine, codemaker: Codemaker, rng: random.Random) -> Turn:
    """Return a row that no candidate fits, but whose marks are as many as the true ones."""
    game, rows = engine.game, engine.items
    for _ in range(MOST_ROWS):
        guess = game.guesses.random(rng)
        true = codemaker.feedback(guess)
        feedbacks = [f for f in game.rule.feedbacks if f != game.rule.winning]
        rng.shuffle(feedbacks)
        for feedback in sorted(feedbacks, key=lambda each: abs(sum(each) - sum(true)))[:20]:
            turn = Turn(guess, game.rule.notation.full_clue(feedback, guess))
            if not game.rule.refusal(guess, turn.clue):
                engine.follow([*rows, turn])
                if _count(engine) == 0:
                    return turn
    raise ValueError(f"{game.title}: no row is false for all of them")


class Encoder:
    """Writes the blocks of one script in an encoding; blocks are separated by empty lines."""

    def __init__(self, script: str, encoding: str) -> None:
        self._encoding, self._environment = encoding, Environment()
        self._formulas: Iterator[FNode] = iter(())
        self._definitions: list[str] = []
        self._named = 0
        if encoding != "sums":
            parsed = SmtLibParser(self._environment).get_script(StringIO(script))
            self._formulas = (each.args[0] for each in parsed.filter_by_command_name("assert"))
        self._rewriter: IdentityDagWalker = IntegerRewriter(Environment())
        if encoding in REWRITERS:
            self._rewriter = REWRITERS[encoding](self._environment, self._name)

    def _name(self, node: FNode) -> FNode:
        self._named += 1
        kind = self._environment.stc.get_type(node)
        name = f"sum_{self._named}"
        text = f"(define-fun {name} () {kind.as_smtlib(funstyle=False)} {as_text(node)})"
        self._definitions.append(text)
        return self._environment.formula_manager.Symbol(name, kind)

    def block(self, block: str) -> str:
        """Return a block of the script (the next one) in the encoding."""
        lines = []
        counts = self._encoding == "integers" and block.startswith(("; One symbol a", "; nN_X"))
        for line in block.splitlines():
            if line.startswith(("; ", "(declare-const")):
                lines.append(line)
            elif line.startswith("(assert"):
                text = re.sub(r"^\(! (.*) :named \w+\)$", r"\1", line[len("(assert ") : -1])
                if self._encoding != "sums":
                    text = as_text(self._rewriter.walk(next(self._formulas)))
                lines += [*self._definitions, *([] if counts else [f"(assert {text})"])]
                self._definitions.clear()
        text = "\n".join(lines) + "\n"
        return _BOOLEAN.sub(_INTEGER, text) if self._encoding == "integers" else text


def linear_counts(names: Iterable[str]) -> str:
    """Return linear constraints of integers: one symbol a position, and how often each occurs."""
    places, positions, numbers = defaultdict(list), defaultdict(list), defaultdict(list)
    for name in names:
        if match := re.fullmatch(r"(p\d+)_(.+)", name):
            places[match[1]].append(name)
            positions[match[2]].append(name)
        elif match := re.fullmatch(r"n\d+_(.+)", name):
            numbers[match[1]].append(name)
    lines = [f"(assert (= (+ {' '.join(row)}) 1))" for row in places.values()]
    for symbol, times in numbers.items():
        lines.append(f"(assert (= (+ {' '.join(times)}) (+ {' '.join(positions[symbol])})))")
        lines += [f"(assert (<= {more} {fewer}))" for fewer, more in pairwise(times)]
    return "; One symbol a position, and how often each symbol occurs.\n" + "\n".join(lines) + "\n"


def instance(problem: Problem, encoding: str, seed: int) -> str:
    """Return a problem as an SMT-LIB benchmark in an encoding."""
    items = [*problem.items, problem.another]
    blocks = smtlib.script(problem.game, items).split("\n\n")
    encoder = Encoder("\n\n".join(blocks), encoding)
    rows: list[str] = []
    parts: list[str] = []
    for block in blocks[:-1]:
        is_row = re.search(r":named (turn|fact)_\d+\)\)$", block)
        (rows if is_row else parts).append(encoder.block(block))
    if encoding == "integers":
        parts.append(linear_counts(re.findall(r"declare-const (\S+)", parts[0])))
    for row, statuses in zip(rows, problem.checks, strict=False):
        parts.append(row)
        for number, status in enumerate(statuses):
            told = f"(set-info :status {status})\n" if problem.incremental else ""
            other = f"(push 1)\n{rows[-1]}{told}(check-sat)\n(pop 1)\n"
            parts.append(other if number else f"{told}(check-sat)\n")
    return "\n".join([_header(problem, encoding, seed), *parts]) + "(exit)\n"


def _header(problem: Problem, encoding: str, seed: int) -> str:
    status = "" if problem.incremental else f"(set-info :status {problem.checks[-1][0]})\n"
    solvers = "z3, cvc5, Yices" + (", Bitwuzla" if ENCODINGS[encoding] != "QF_LIA" else "")
    return f"""(set-info :smt-lib-version 2.6)
(set-logic {ENCODINGS[encoding]})
(set-info :source |
Generated by: The puzzlehunt authors
Generated on: {DATE}
Generator: puzzlehunt {__version__}, tools/smtlib_family.py --seed {seed}
Application: Which secrets are left in a guessing game with half-read answers
Target solver: {solvers}
Time limit: 60
{problem.game.title}: random rows, {problem.name}, written with {encoding}.
The models have {problem.models:,} different assignments of the variables pN_X.
|)
(set-info :license "https://creativecommons.org/licenses/by/4.0/")
(set-info :category "random")
{status}"""


def write(problem: Problem, folder: Path, seed: int) -> Iterator[str]:
    """Write a problem in all encodings; yield its lines of `instances.tsv`."""
    kind = "incremental" if problem.incremental else "non-incremental"
    statuses = ",".join(status for each in problem.checks for status in each)
    for encoding, logic in ENCODINGS.items():
        path = Path(kind, logic, SET, encoding, f"{problem.name}.smt2")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(instance(problem, encoding, seed), encoding="utf-8")
        yield f"{path.as_posix()}\t{statuses}\t{problem.models}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="REGEX", help="problems whose names fit")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with (given.folder / "instances.tsv").open("w", encoding="utf-8") as file:
        file.write("instance\tstatuses\tmodels\n")
        for name in NAMES:
            if re.search(given.only, name):
                made = problem(name, given.seed)
                file.writelines(write(made, given.folder, given.seed))
                print(name, ",".join(made.checks[-1]), made.models, flush=True)


if __name__ == "__main__":
    main()
