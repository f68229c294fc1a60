"""Write a game and its history as formulas or as an SMT-LIB 2 script, and read models.

There is a Boolean for each position and symbol (`p1_H`: the first position holds H); exactly one
per position is true. A clue becomes a few sums of `ite` terms, in the logic QF_LIA. If symbols may
repeat, there is also a Boolean for each symbol and number (`n2_H`: H occurs twice or more), which
is defined once and used in all clues. Each turn that may lie has a Boolean (`lie_3`: turn 3 lies).
The script has the formulas that the symbolic engine solves.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from io import StringIO
from itertools import accumulate, chain, pairwise
from pathlib import Path

from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.smtlib.printers import SmtPrinter

from puzzlehunt import __version__
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.constraints import AllOf, At, Bound, Constraint, Literal
from puzzlehunt.engines.base import check_constraints, check_literals, counts_symbols
from puzzlehunt.engines.posterior import doubt_cost
from puzzlehunt.errors import PuzzlehuntError, check_type
from puzzlehunt.game.files.gamefile import as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Item, Row, Turn

_MOST_PAIRED_SYMBOLS = 40
"""Largest alphabet (symbols) for which "exactly one" is written as a clause for each pair."""
_PLAIN = re.compile(r"[A-Za-z0-9]+")
"""Names of a symbol that may be part of a Boolean's name; other symbols get their numbers there."""


class Encoding:
    """The formulas of one game, in a pySMT environment of their own.

    `position_booleans[p][s]` says that position p holds symbol s; if symbols may repeat on one
    board, `occurrence_booleans[s][n]` says that symbol s occurs n + 1 times or more.
    """

    def __init__(self, game: Game) -> None:
        check_literals(game)
        self.game = game
        self.environment = Environment()
        self.manager = self.environment.formula_manager
        self.literal = cache(self._literal)

    # Made when first asked for: large games are mostly played without the solver.

    @cached_property
    def position_booleans(self) -> list[list[FNode]]:
        """For each position, a Boolean for each symbol: it is at that position."""
        symbols = range(len(self.game.secrets.alphabet))
        places = range(self.game.length)
        return [[self.manager.Symbol(self._name(p, s)) for s in symbols] for p in places]

    @cached_property
    def occurrence_booleans(self) -> list[list[FNode]]:
        """For each symbol, a Boolean for each n from 1: it occurs n times or more."""
        symbols = range(len(self.game.secrets.alphabet) if counts_symbols(self.game) else 0)
        times = range(self.game.length)
        return [[self.manager.Symbol(self._name(n, s, "n")) for n in times] for s in symbols]

    def _name(self, number: int, symbol: int, letter: str = "p") -> str:
        """Return the name of a Boolean: `p1_H`, `n2_H`, or `s2_p1_H` of the second secret."""
        secret, within = divmod(number, self.game.secret_length)
        owner = f"s{secret + 1}_" if self.game.boards > 1 else ""
        return f"{owner}{letter}{within + 1}_{self.symbol_names[symbol]}"

    @cached_property
    def symbol_names(self) -> list[str]:
        """The name of each symbol within names of Booleans: `H`, or `heart`, or `symbol_3`."""
        alphabet = self.game.secrets.alphabet
        return [
            next(filter(_PLAIN.fullmatch, (symbol, *alphabet.aliases_of(symbol))), f"symbol_{n}")
            for n, symbol in enumerate(alphabet.symbols, start=1)
        ]

    def one_symbol_a_position(self) -> list[FNode]:
        """Return formulas that exactly one Boolean per position is true, one for each position."""
        if len(self.game.secrets.alphabet) <= _MOST_PAIRED_SYMBOLS:
            return [self.manager.ExactlyOne(row) for row in self.position_booleans]
        return [
            self.manager.And(
                self.manager.Or(row), self.manager.LE(self._true_count(row), self.manager.Int(1))
            )
            for row in self.position_booleans
        ]

    def position_sum(self) -> list[FNode]:
        """Return a list of one formula: as many position Booleans are true as there are positions.

        The list is empty if there are no occurrence Booleans. The formula follows from
        `one_symbol_a_position`, but it saves the solver a search: if some symbols occur too often
        to leave room for the others, the sum shows this at once.
        """
        if not self.occurrence_booleans:
            return []
        placed = self._true_count([node for row in self.position_booleans for node in row])
        return [self.manager.Equals(placed, self.manager.Int(self.game.length))]

    def occurrence_definitions(self) -> list[FNode]:
        """Return the definitions of occurrence Booleans (`n2_H`: two positions or more hold H)."""
        formulas = []
        for symbol, numbers in enumerate(self.occurrence_booleans):
            places = self._true_count([row[symbol] for row in self.position_booleans])
            for times, node in enumerate(numbers, start=1):
                enough = self.manager.GE(places, self.manager.Int(times))
                formulas.append(self.manager.Iff(node, enough))
        return formulas

    def occurrence_sums(self) -> list[FNode]:
        """Return formulas that relate the occurrence Booleans of each symbol to its positions.

        Of a symbol's Booleans `n1_H`, `n2_H`, ..., as many are true as of `p1_H`, `p2_H`, ..., and
        each implies the one before. This follows from `occurrence_definitions`, but a solver finds
        some contradictions between turns only by adding up these sums.
        """
        formulas = []
        for symbol, numbers in enumerate(self.occurrence_booleans):
            places = self._true_count([row[symbol] for row in self.position_booleans])
            formulas.append(self.manager.Equals(self._true_count(numbers), places))
            for fewer, more in pairwise(numbers):
                formulas.append(self.manager.Implies(more, fewer))
        return formulas

    def occurrence_bounds(self, fewest: Iterable[int], most: Iterable[int]) -> list[FNode]:
        """Return literals that are all true if each symbol occurs `fewest` to `most` times."""
        literals = []
        for numbers, low, high in zip(self.occurrence_booleans, fewest, most, strict=True):
            literals += numbers[:low]
            literals += [self.manager.Not(node) for node in numbers[high:]]
        return literals

    def _true_count(self, literals: Sequence[FNode]) -> FNode:
        one, zero = self.manager.Int(1), self.manager.Int(0)
        return self.manager.Plus([self.manager.Ite(node, one, zero) for node in literals])

    def space_formula(self) -> FNode:
        """Return the formula that a code may be a secret.

        It requires distinct symbols, or one of the words of a list; it is the constant true if all
        codes may be secrets.
        """
        return self.formula(self.game.secrets.constraint())

    def item_formula(self, item: Item, lie: FNode | None = None) -> FNode:
        """Return the formula of an item; a true `lie` permits that a turn's clue is false."""
        if not isinstance(item, Turn):
            return self.formula(item.constraint)
        clue = self.formula(self.game.clue_constraint(item))
        if lie is not None:
            clue = self.manager.Or(lie, clue)
        return self.manager.And(clue, self.formula(self.game.losing_guess_constraint(item)))

    def lie_boolean(self, item: Item, number: int) -> FNode | None:
        """Return the Boolean `lie_N` (turn N lies) of an item; None for an item that cannot lie."""
        if not isinstance(item, Turn) or not self.game.may_lie(item):
            return None
        return self.manager.Symbol(f"lie_{number}")

    def budget_formula(self, lies: Sequence[FNode]) -> FNode:
        """Return the formula that no more of the Booleans `lies` are true than turns may lie."""
        most = self.game.channel.lies.at_most
        return self.manager.LE(self._true_count(lies), self.manager.Int(most))

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
        least_sum = sum(min(weight, 0) for weight, _ in bound.terms)
        greatest_sum = sum(max(weight, 0) for weight, _ in bound.terms)
        asked_low = least_sum if bound.low is None else bound.low
        asked_high = greatest_sum if bound.high is None else bound.high
        if asked_low > greatest_sum or asked_high < least_sum or asked_low > asked_high:
            return self.manager.FALSE()
        if asked_low <= least_sum and asked_high >= greatest_sum:
            return self.manager.TRUE()
        if asked_low >= greatest_sum and least_sum == 0:
            return self.manager.And([self.literal(lit) for _, lit in bound.terms])
        if asked_high <= least_sum == 0:
            return self.manager.And([self.manager.Not(self.literal(lit)) for _, lit in bound.terms])
        if least_sum == 0 and asked_low == 1 and asked_high >= greatest_sum:
            return self.manager.Or([self.literal(lit) for _, lit in bound.terms])
        integer = self.manager.Int
        total = self.manager.Plus(
            [self.manager.Ite(self.literal(lit), integer(n), integer(0)) for n, lit in bound.terms]
        )
        if asked_low == asked_high:
            return self.manager.Equals(total, integer(asked_low))
        within = []
        if asked_low > least_sum:
            within.append(self.manager.GE(total, integer(asked_low)))
        if asked_high < greatest_sum:
            within.append(self.manager.LE(total, integer(asked_high)))
        return self.manager.And(within)

    def _literal(self, literal: Literal) -> FNode:
        if isinstance(literal, At):
            return self.manager.Or(
                [self.position_booleans[literal.position][s] for s in literal.symbols]
            )
        has_boolean = len(literal.symbols) == 1 and literal.places is None
        if self.occurrence_booleans and has_boolean and literal.times <= self.game.length:
            return self.occurrence_booleans[literal.symbols[0]][literal.times - 1]
        positions = range(self.game.length) if literal.places is None else literal.places
        places = tuple((1, At(p, (s,))) for p in positions for s in literal.symbols)
        return self._bound(Bound(literal.times, places, None))

    def code(self, true_names: set[str]) -> Code:
        """Return the code of a model, given the names of its true Booleans.

        Raises PuzzlehuntError unless exactly one symbol is at each position.
        """
        code = []
        for position, row in enumerate(self.position_booleans):
            symbols = [s for s, node in enumerate(row) if node.symbol_name() in true_names]
            if len(symbols) != 1:
                number = f"{len(symbols)} symbols" if symbols else "no symbol"
                raise PuzzlehuntError(f"the model has {number} at position {position + 1}")
            code.append(symbols[0])
        return tuple(code)


def script(game: Game | str | Path, history: History | Iterable[Row] | None = None) -> str:
    """Return a game with its history as an SMT-LIB 2 script in the logic QF_LIA.

    `game` is a game, its name or its file. `history` may consist of lines of text; by default it is
    the game's own history.
    Each turn is one assertion, named by its number (`turn_3`), after a comment that describes it;
    facts are named `fact_1` and so on. The clue of a doubted turn is itself a comment: an
    `assert-soft` for z3 and other optimising solvers, with its cost in thousandths of a bit.
    """
    game = as_game(game)
    check_constraints(game, "script for a solver")
    return _script(game, game.history if history is None else game.as_history(history))


def _script(game: Game, history: History) -> str:
    encoding = Encoding(game)
    out = StringIO()
    out.write(f"; {_comment(game.title)}\n")
    several = " (sM_pN_X: of secret M)" if game.boards > 1 else ""
    out.write(f"; pN_X: position N of the secret holds the symbol X{several}.\n")
    symbols = zip(encoding.symbol_names, game.secrets.alphabet.symbols, strict=True)
    if renamed := [f"{name} is {symbol}" for name, symbol in symbols if name != symbol]:
        out.write(f"; {_comment(', '.join(renamed))}\n")
    out.write("(set-info :smt-lib-version 2.6)\n")
    out.write(f"(set-info :source |puzzlehunt {__version__}|)\n")
    out.write("(set-option :produce-models true)\n")
    out.write("(set-option :produce-unsat-cores true)\n(set-logic QF_LIA)\n")
    numbers = accumulate(isinstance(item, Turn) for item in history)
    lie_of = [encoding.lie_boolean(item, n) for item, n in zip(history, numbers, strict=True)]
    lies = [lie for lie in lie_of if lie is not None]
    for node in chain(*encoding.position_booleans, *encoding.occurrence_booleans, lies):
        out.write(f"(declare-const {node.symbol_name()} Bool)\n")
    out.write("\n; One symbol a position.\n")
    for node in (*encoding.one_symbol_a_position(), *encoding.position_sum()):
        out.write(f"(assert {as_text(node)})\n")
    if encoding.occurrence_booleans:
        out.write("\n; nN_X: the secret holds X at least N times.\n")
    for node in encoding.occurrence_definitions():
        out.write(f"(assert {as_text(node)})\n")
    space = encoding.space_formula()
    if not space.is_true():
        words = "One of the words of the list"
        if game.one_board.secrets.free:
            words = "All symbols differ"
        elif game.boards > 1:
            words = "Each secret is one of the words of the list"
        out.write(f"\n; {words}.\n(assert {as_text(space)})\n")
    facts = turns = 0
    for place, item in enumerate(history):
        if game.boards == 1:
            formula = encoding.item_formula(item, lie_of[place])
        else:
            formula = encoding.formula(game.item_constraint(history, place))
        if isinstance(item, Turn):
            turns += 1
            name, words = f"turn_{turns}", f"{turns}. {game.describe_turn(item)}"
        else:
            facts += 1
            name, words = f"fact_{facts}", item.text
        out.write(f"\n; {_comment(words)}\n")
        out.write(f"(assert (! {as_text(formula)} :named {name}))\n")
        if isinstance(item, Turn) and item.doubted and game.boards == 1:
            clue = as_text(encoding.formula(game.clue_constraint(item.undoubted)))
            out.write(f"; (assert-soft {clue} :weight {doubt_cost(game, item)} :id doubts)\n")
    if lies:
        most = game.channel.lies.at_most
        out.write(f"\n; lie_N: turn N lies; {most} {'does' if most == 1 else 'do'} at most.\n")
        out.write(f"(assert (! {as_text(encoding.budget_formula(lies))} :named lies))\n")
    out.write("\n(check-sat)\n(get-model)\n")
    return out.getvalue()


def as_text(node: FNode) -> str:
    """Return a formula in the syntax of SMT-LIB."""
    buffer = StringIO()
    SmtPrinter(buffer).printer(node)
    return buffer.getvalue()


def _comment(text: str) -> str:
    """Return a text on one line, as a comment must be; unprintable characters are escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))


# A Boolean's value in an answer, as `get-model` and as `get-value` write it.
_DEFINED = re.compile(r"\(\s*define-fun\s+\|?([\w]+)\|?\s*\(\s*\)\s*Bool\s+(true|false)\s*\)")
_VALUED = re.compile(r"\(\s*\|?([\w]+)\|?\s+(true|false)\s*\)")


def read_model(game: Game | str | Path, answer: str) -> Code | None:
    """Return the code in a solver's answer to `script`, None if the answer is `unsat`.

    Reads `define-fun` models and `get-value` pairs. Raises PuzzlehuntError for all other answers.
    """
    check_type("answer", answer, str, "a solver's answer")
    words = answer.split()
    if words and words[0] == "unsat":
        return None
    if words and words[0] == "unknown":
        raise PuzzlehuntError("the solver answered unknown: there is no model to read")
    values = [*_DEFINED.findall(answer), *_VALUED.findall(answer)]
    if not values:
        raise PuzzlehuntError("no model found; expected lines like (define-fun p1_A () Bool true)")
    return Encoding(as_game(game)).code({name for name, value in values if value == "true"})
