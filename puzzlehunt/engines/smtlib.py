"""A game and its history as formulas, as an SMT-LIB 2 script, and models read back.

One Boolean a position and symbol (`p1_H`: the first position holds H), exactly one true a
position; every clue is a few sums of `ite` in QF_LIA. Where symbols repeat, how often is one
Boolean a number (`n2_H`: H occurs twice or more), defined once and shared by all clues. Where some
rows may lie, each has one that says it does (`lie_3`). The symbolic engine solves the same formulas
that the script writes.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from io import StringIO
from itertools import count, pairwise

from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.smtlib.printers import SmtPrinter

from puzzlehunt import __version__
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import (
    AllOf,
    At,
    Bound,
    Constraint,
    Literal,
    space_constraint,
)
from puzzlehunt.codes.spaces import SymbolSpace
from puzzlehunt.engines.posterior import doubt_cost
from puzzlehunt.errors import ModelError, TooLargeError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Turn

_MOST_IN_PAIRS = 40
_MOST_LITERALS = 100_000
_SIMPLE = re.compile(r"[A-Za-z0-9]+")


class Encoding:
    """The formulas of one game, in a pySMT environment of their own."""

    def __init__(self, game: Game) -> None:
        if game.length * len(game.secrets.alphabet) > _MOST_LITERALS:
            raise TooLargeError(
                f"{game.length} positions x {len(game.secrets.alphabet)} symbols are too many for "
                f"a model; the limit is {_MOST_LITERALS:,} in all"
            )
        self.game = game
        self.environment = Environment()
        self.manager = self.environment.formula_manager
        symbols = range(len(game.secrets.alphabet))
        self.at = [
            [self.manager.Symbol(self._name(p, s)) for s in symbols] for p in range(game.length)
        ]
        space = game.one_board.secrets
        repeats = (
            game.boards == 1
            and isinstance(space, SymbolSpace)
            and not space.distinct
            and game.length > 1
        )
        self.at_least = [
            [self.manager.Symbol(self._name(n, s, "n")) for n in range(game.length)]
            for s in (symbols if repeats else ())
        ]
        self.literal = cache(self._literal)

    def _name(self, number: int, symbol: int, letter: str = "p") -> str:
        text = self.game.secrets.alphabet.symbols[symbol]
        text = text if _SIMPLE.fullmatch(text) else f"symbol_{symbol + 1}"
        secret, place = divmod(number, self.game.length // self.game.secrets_at_once)
        which = f"s{secret + 1}_" if self.game.secrets_at_once > 1 else ""
        return f"{which}{letter}{place + 1}_{text}"

    def one_symbol_a_position(self) -> list[FNode]:
        """Return, for each position, that exactly one of its symbols is true.

        Clauses for every pair of symbols; of many symbols a sum, which grows less.
        """
        if len(self.game.secrets.alphabet) <= _MOST_IN_PAIRS:
            return [self.manager.ExactlyOne(row) for row in self.at]
        return [
            self.manager.And(
                self.manager.Or(row), self.manager.LE(self._number(row), self.manager.Int(1))
            )
            for row in self.at
        ]

    def position_sum(self) -> list[FNode]:
        """Return that as many symbols are true as there are positions, where symbols repeat.

        It follows, but from clauses: a solver that has only those tries out all ways to place too
        many of a symbol, where by adding up it sees at once that the rest has no room.
        """
        if not self.at_least:
            return []
        placed = self._number([node for row in self.at for node in row])
        return [self.manager.Equals(placed, self.manager.Int(self.game.length))]

    def occurrences(self) -> list[FNode]:
        """Return the definitions of the `n2_H`: true if two places or more hold H."""
        defined = []
        for symbol, numbers in enumerate(self.at_least):
            places = self._number([row[symbol] for row in self.at])
            for times, node in enumerate(numbers, start=1):
                enough = self.manager.GE(places, self.manager.Int(times))
                defined.append(self.manager.Iff(node, enough))
        return defined

    def occurrence_sums(self) -> list[FNode]:
        """Return how often each symbol occurs as one sum, where symbols repeat.

        It follows, but only so does a solver see by adding up that some rows cannot all be right.
        """
        found = []
        for symbol, numbers in enumerate(self.at_least):
            places = self._number([row[symbol] for row in self.at])
            found.append(self.manager.Equals(self._number(numbers), places))
            for fewer, more in pairwise(numbers):
                found.append(self.manager.Implies(more, fewer))
        return found

    def occurrence_bounds(self, fewest: Iterable[int], most: Iterable[int]) -> list[FNode]:
        """Return literals that say how often each symbol occurs at least and at most."""
        found = []
        for numbers, low, high in zip(self.at_least, fewest, most, strict=True):
            found += numbers[:low]
            found += [self.manager.Not(node) for node in numbers[high:]]
        return found

    def _number(self, literals: Sequence[FNode]) -> FNode:
        one, zero = self.manager.Int(1), self.manager.Int(0)
        return self.manager.Plus([self.manager.Ite(node, one, zero) for node in literals])

    def space(self) -> FNode:
        """Return what the secret space demands beyond that: distinct symbols, or a word list."""
        return self.formula(space_constraint(self.game.secrets))

    def history(self, history: History) -> list[FNode]:
        """Return what each turn or fact of a history says, unless it is a lie."""
        if self.game.boards == 1:
            lies = self.lies(history)
            return [self.item(item, lie) for item, lie in zip(history, lies, strict=True)]
        return [
            self.formula(self.game.item_constraint(history, place)) for place in range(len(history))
        ]

    def item(self, item: Item, lie: FNode | None = None) -> FNode:
        """Return what a turn or a fact says; with a `lie`, what a turn says unless that is true.

        That the guess did not win is no lie.
        """
        if not isinstance(item, Turn):
            return self.formula(item.constraint)
        told = self.formula(self.game.clue_constraint(item))
        if lie is not None:
            told = self.manager.Or(lie, told)
        return self.manager.And(told, self.formula(self.game.losing_guess_constraint(item)))

    def lie(self, item: Item, number: int) -> FNode | None:
        """Return the Boolean that a turn, with its number, lies; None where it cannot."""
        if not isinstance(item, Turn) or not self.game.may_lie(item):
            return None
        return self.manager.Symbol(f"lie_{number}")

    def lies(self, history: History) -> list[FNode | None]:
        """Return the same for each turn or fact of a history; turns are numbered as a user does."""
        numbers = count(1)
        return [
            self.lie(item, next(numbers)) if isinstance(item, Turn) else None for item in history
        ]

    def budget(self, lies: Sequence[FNode]) -> FNode:
        """Return that no more of some turns lie than the game allows."""
        most = self.game.channel.lies.at_most
        return self.manager.LE(self._number(lies), self.manager.Int(most))

    def formula(self, constraint: Constraint) -> FNode:
        """Return a constraint as a formula."""
        match constraint:
            case Bound():
                return self._bound(constraint)
            case AllOf(parts):
                return self.manager.And([self.formula(part) for part in parts])
            case _:
                return self.manager.Or([self.formula(part) for part in constraint.parts])

    def _bound(self, bound: Bound) -> FNode:
        low = sum(min(weight, 0) for weight, _ in bound.terms)
        high = sum(max(weight, 0) for weight, _ in bound.terms)
        asked_low = low if bound.low is None else bound.low
        asked_high = high if bound.high is None else bound.high
        if asked_low > high or asked_high < low or asked_low > asked_high:
            return self.manager.FALSE()
        if asked_low <= low and asked_high >= high:
            return self.manager.TRUE()
        if asked_low >= high and low == 0:
            return self.manager.And([self.literal(literal) for _, literal in bound.terms])
        if asked_high <= low == 0:
            return self.manager.And(
                [self.manager.Not(self.literal(literal)) for _, literal in bound.terms]
            )
        if low == 0 and asked_low == 1 and asked_high >= high:
            return self.manager.Or([self.literal(literal) for _, literal in bound.terms])
        total = self.manager.Plus([self._count(weight, lit) for weight, lit in bound.terms])
        if asked_low == asked_high:
            return self.manager.Equals(total, self.manager.Int(asked_low))
        within = []
        if asked_low > low:
            within.append(self.manager.GE(total, self.manager.Int(asked_low)))
        if asked_high < high:
            within.append(self.manager.LE(total, self.manager.Int(asked_high)))
        return self.manager.And(within)

    def _count(self, weight: int, literal: Literal) -> FNode:
        return self.manager.Ite(
            self.literal(literal), self.manager.Int(weight), self.manager.Int(0)
        )

    def _literal(self, literal: Literal) -> FNode:
        if isinstance(literal, At):
            return self.manager.Or([self.at[literal.position][s] for s in literal.symbols])
        one = len(literal.symbols) == 1 and literal.places is None
        if self.at_least and one and literal.times <= self.game.length:
            return self.at_least[literal.symbols[0]][literal.times - 1]
        searched = range(self.game.length) if literal.places is None else literal.places
        places = tuple((1, At(p, (s,))) for p in searched for s in literal.symbols)
        return self._bound(Bound(literal.times, places, None))

    def code(self, true_names: set[str]) -> Code:
        """Return the code of a model, given the names of its true symbols.

        Raises ModelError where a position has no symbol, or two.
        """
        code = []
        for position, row in enumerate(self.at):
            symbols = [s for s, node in enumerate(row) if node.symbol_name() in true_names]
            if len(symbols) != 1:
                found = f"{len(symbols)} symbols" if symbols else "no symbol"
                raise ModelError(f"the model has {found} at position {position + 1}")
            code.append(symbols[0])
        return tuple(code)


def script(game: Game, history: History) -> str:
    """Return a game with its history as an SMT-LIB 2 script in the logic QF_LIA.

    Each turn is one assertion, named `turn_3` as the user counts turns, under a comment that says
    it in words; each fact is named `fact_1`. What a doubted turn's clue says follows as a comment,
    as z3 and others that optimise read it, in thousandths of a bit.
    """
    encoding = Encoding(game)
    out = StringIO()
    out.write(f"; {_comment(game.title)}\n")
    several = " (sM_pN_X: of secret M)" if game.secrets_at_once > 1 else ""
    out.write(f"; pN_X: position N of the secret holds the symbol X{several}.\n")
    out.write("(set-info :smt-lib-version 2.6)\n")
    out.write(f"(set-info :source |puzzlehunt {__version__}|)\n")
    out.write("(set-option :produce-models true)\n")
    out.write("(set-option :produce-unsat-cores true)\n(set-logic QF_LIA)\n")
    for row in encoding.at:
        for node in row:
            out.write(f"(declare-const {node.symbol_name()} Bool)\n")
    for numbers in encoding.at_least:
        for node in numbers:
            out.write(f"(declare-const {node.symbol_name()} Bool)\n")
    lies = [lie for lie in encoding.lies(history) if lie is not None]
    for node in lies:
        out.write(f"(declare-const {node.symbol_name()} Bool)\n")
    out.write("\n; One symbol a position.\n")
    for node in (*encoding.one_symbol_a_position(), *encoding.position_sum()):
        out.write(f"(assert {as_text(node)})\n")
    if encoding.at_least:
        out.write("\n; nN_X: the secret holds X at least N times.\n")
    for node in encoding.occurrences():
        out.write(f"(assert {as_text(node)})\n")
    space = encoding.space()
    if not space.is_true():
        out.write(f"\n; {_space_in_words(game)}.\n")
        out.write(f"(assert {as_text(space)})\n")
    facts = turns = 0
    for item, formula in zip(history, encoding.history(history), strict=True):
        if isinstance(item, Turn):
            turns += 1
            name, words = f"turn_{turns}", f"{turns}. {game.describe_turn(item)}"
        else:
            facts += 1
            name, words = f"fact_{facts}", item.text
        out.write(f"\n; {_comment(words)}\n")
        out.write(f"(assert (! {as_text(formula)} :named {name}))\n")
        if isinstance(item, Turn) and item.doubted and game.boards == 1:
            told = as_text(encoding.formula(game.clue_constraint(item.undoubted)))
            out.write(f"; (assert-soft {told} :weight {doubt_cost(game, item)} :id doubts)\n")
    if lies:
        most = game.channel.lies.at_most
        out.write(f"\n; lie_N: turn N lies; {most} {'does' if most == 1 else 'do'} at most.\n")
        out.write(f"(assert (! {as_text(encoding.budget(lies))} :named lies))\n")
    out.write("\n(check-sat)\n(get-model)\n")
    return out.getvalue()


def _space_in_words(game: Game) -> str:
    if isinstance(game.one_board.secrets, SymbolSpace):
        return "All symbols differ"
    if game.secrets_at_once > 1:
        return "Each secret is one of the words of the list"
    return "One of the words of the list"


def as_text(node: FNode) -> str:
    """Return a formula as SMT-LIB writes it."""
    buffer = StringIO()
    SmtPrinter(buffer).printer(node)
    return buffer.getvalue()


def _comment(text: str) -> str:
    return " ".join(text.split())


_DEFINED = re.compile(r"\(\s*define-fun\s+\|?([\w]+)\|?\s*\(\s*\)\s*Bool\s+(true|false)\s*\)")
_VALUED = re.compile(r"\(\s*\|?([\w]+)\|?\s+(true|false)\s*\)")


def read_model(game: Game, answer: str) -> Code | None:
    """Return the code that a solver's answer to `script` gives, None if it says `unsat`.

    Reads `define-fun` models and `get-value` pairs. Raises ModelError for all other answers.
    """
    words = answer.split()
    if words and words[0] == "unsat":
        return None
    if words and words[0] == "unknown":
        raise ModelError("the solver answered unknown: there is no model to read")
    values = [*_DEFINED.findall(answer), *_VALUED.findall(answer)]
    if not values:
        raise ModelError("no model found; expected lines such as (define-fun p1_A () Bool true)")
    return Encoding(game).code({name for name, value in values if value == "true"})
