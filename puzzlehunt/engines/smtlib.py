"""A game with its rows for other solvers: as a pySMT formula, or as an SMT-LIB 2 script.

`model` returns the formula and its variables, `script` the text, and `read_model` the code in what
a solver answers to either.

There is a Boolean for each position and symbol (`p1_H`: the first position holds H); exactly one
per position is true. A clue becomes a few sums of `ite` terms, in the logic QF_LIA. If symbols may
repeat, there is also a Boolean for each symbol and number (`n2_H`: H occurs twice or more), which
is defined once and used in all clues. Each turn that may lie has a Boolean (`lie_3`: turn 3 lies).
The script has the formulas that the symbolic engine solves.

>>> text = puzzlehunt.smtlib.script("4x6", ["AABB 1b"])
>>> text.splitlines()[-2:]
['(check-sat)', '(get-model)']
>>> puzzlehunt.smtlib.read_model("4x6", "unsat") is None
True
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import StringIO
from itertools import chain, repeat
from typing import Any

from pysmt.environment import Environment
from pysmt.fnode import FNode
from pysmt.smtlib.printers import SmtPrinter
from pysmt.solvers.solver import Model as SolverModel

from puzzlehunt import __version__
from puzzlehunt.codes.constraints import AllOf, At, Bound, Constraint, Literal
from puzzlehunt.engines.base import check_literals
from puzzlehunt.errors import PuzzlehuntError, check_type, one_line
from puzzlehunt.game import meaning
from puzzlehunt.game.files.gamefile import GameLike, as_game
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import Item, Rows, Turn
from puzzlehunt.game.turn_notation import describe_answer

__all__ = ["Model", "model", "read_model", "script"]

_HEAD = f"""(set-info :smt-lib-version 2.6)
(set-info :source |puzzlehunt {__version__}|)
(set-option :produce-models true)
(set-option :produce-unsat-cores true)
(set-logic QF_LIA)
"""
_PLAIN = re.compile(r"[A-Za-z0-9]+")
"""Names of a symbol that may be part of a Boolean's name; other symbols get their numbers there."""


class Encoding:
    """The formulas of one game, in a pySMT environment of their own.

    `position_booleans[p][s]` says that position p holds symbol s, or (the last, of several lengths)
    that the secret ended before. If symbols may repeat,
    `occurrence_booleans[s][n]` says that symbol s occurs n + 1 times or more.
    """

    def __init__(self, game: Game) -> None:
        check_literals(game)
        if reason := game.rule.no_constraint:
            raise PuzzlehuntError(f"no script for a solver can be made here: {reason}")
        if game.boards > 1:
            raise PuzzlehuntError(
                "a script for a solver is about one board: take a game of one board, such as "
                "wordle for quordle, and give it the rows of that board"
            )
        self.game = game
        self.environment = Environment()
        self.manager = self.environment.formula_manager
        self.literal = cache(self._literal)
        alphabet, places = game.secrets.alphabet, range(game.length)
        self.symbol_names = [
            next(filter(_PLAIN.fullmatch, (symbol, *alphabet.aliases_of(symbol))), f"symbol_{n}")
            for n, symbol in enumerate(alphabet.symbols, start=1)
        ]
        """The name of each symbol within names of Booleans: `H`, or `heart`, or `symbol_3`."""
        self.symbol_names += [""] * (len(game.secrets.lengths) > 1)
        symbols = range(len(self.symbol_names))
        self.position_booleans = [[self._boolean("p", p, s) for s in symbols] for p in places]
        counted = symbols if game.secrets.may_repeat else ()
        self.occurrence_booleans = [[self._boolean("n", n, s) for n in places] for s in counted]

    def _boolean(self, letter: str, number: int, symbol: int) -> FNode:
        """Return the Boolean `p1_H` or `n2_H`."""
        return self.manager.Symbol(f"{letter}{number + 1}_{self.symbol_names[symbol]}")

    def one_symbol_a_position(self) -> list[FNode]:
        """Return formulas that exactly one Boolean per position is true.

        If there are occurrence Booleans, the last formula is that as many position Booleans are
        true as there are positions. It follows from the others, but it saves the solver a search:
        if some symbols occur too often to leave room for the others, the sum shows this at once.
        """
        manager, rows = self.manager, self.position_booleans
        formulas = [manager.Equals(self._true_count(row), manager.Int(1)) for row in rows]
        if self.occurrence_booleans:
            placed = self._true_count([node for row in rows for node in row])
            formulas.append(manager.Equals(placed, manager.Int(self.game.length)))
        return formulas

    def occurrence_definitions(self) -> list[FNode]:
        """Return the definitions of occurrence Booleans (`n2_H`: two positions or more hold H)."""
        formulas = []
        for symbol, numbers in enumerate(self.occurrence_booleans):
            places = self._true_count([row[symbol] for row in self.position_booleans])
            for times, node in enumerate(numbers, start=1):
                enough = self.manager.GE(places, self.manager.Int(times))
                formulas.append(self.manager.Iff(node, enough))
        return formulas

    def occurrence_bounds(self, fewest: Iterable[int], most: Iterable[int]) -> list[FNode]:
        """Return literals that are all true if each symbol occurs `fewest` to `most` times."""
        literals = []
        for numbers, low, high in zip(self.occurrence_booleans, fewest, most, strict=True):
            literals += numbers[:low]
            literals += [self.manager.Not(node) for node in numbers[high:]]
        return literals

    def _true_count(self, literals: Sequence[FNode], weights: Iterable[int] = repeat(1)) -> FNode:
        manager, zero = self.manager, self.manager.Int(0)
        pairs = zip(literals, weights, strict=False)
        return manager.Plus([manager.Ite(node, manager.Int(n), zero) for node, n in pairs])

    def item_formula(self, item: Item, lie: FNode | None) -> FNode:
        """Return the formula of an item; a true `lie` permits that a turn's clue is false."""
        clue = self.formula(meaning.clue_constraint(self.game, item))
        if not isinstance(item, Turn):
            return clue
        if lie is not None:
            clue = self.manager.Or(lie, clue)
        lost = self.formula(meaning.losing_guess_constraint(self.game, item))
        return self.manager.And(clue, lost)

    def lie_boolean(self, item: Item, number: int) -> FNode | None:
        """Return the Boolean `lie_N` (turn N lies) of an item; None for an item that cannot lie."""
        return self.manager.Symbol(f"lie_{number}") if meaning.may_lie(self.game, item) else None

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
        manager, literals = self.manager, [self.literal(each) for _, each in bound.terms]
        weights = [weight for weight, _ in bound.terms]
        least = sum(min(weight, 0) for weight in weights)
        greatest = sum(max(weight, 0) for weight in weights)
        low = least if bound.low is None else max(bound.low, least)
        high = greatest if bound.high is None else min(bound.high, greatest)
        if low > high:
            return manager.FALSE()
        if (low, high) == (least, greatest):
            return manager.TRUE()
        if least == 0 and low == greatest:
            return manager.And(literals)
        if least == 0 and high == 0:
            return manager.And([manager.Not(literal) for literal in literals])
        if least == 0 and (low, high) == (1, greatest):
            return manager.Or(literals)
        total = self._true_count(literals, weights)
        if low == high:
            return manager.Equals(total, manager.Int(low))
        above = [manager.GE(total, manager.Int(low))] if low > least else []
        below = [manager.LE(total, manager.Int(high))] if high < greatest else []
        return manager.And([*above, *below])

    def _literal(self, literal: Literal) -> FNode:
        if isinstance(literal, At):
            row, last = self.position_booleans[literal.position], len(self.symbol_names) - 1
            return self.manager.Or([row[min(s, last)] for s in literal.symbols])  # PAD is the last
        single = len(literal.symbols) == 1 and literal.times <= self.game.length
        if self.occurrence_booleans and single:
            return self.occurrence_booleans[literal.symbols[0]][literal.times - 1]
        places = tuple((1, At(p, (s,))) for p in range(self.game.length) for s in literal.symbols)
        return self._bound(Bound(literal.times, places, None))


@dataclass(frozen=True, slots=True)
class Model:
    """A game with its rows as one pySMT formula, whose models are the candidates.

    `variables[p][text]` is the Boolean that position p (from 0) of the secret holds the symbol with
    this text or, with "", that a secret of several lengths ended before. All is of
    `environment`, whose `formula_manager` makes further constraints.

    >>> model = puzzlehunt.smtlib.model("4x6", ["AABB 1b"])
    >>> model.variables[0]["A"], model.formula.is_and()
    (p1_A, True)
    """

    environment: Environment
    variables: tuple[Mapping[str, FNode], ...]
    formula: FNode


def model(game: GameLike, rows: Rows | None = None) -> Model:
    """Return a game with its rows as a formula; `game` and `rows` are as in `candidates`.

    Raises PuzzlehuntError for a rule without a constraint and for several boards.
    """
    encoding = Encoding(as_game(game, rows))
    symbols = encoding.game.secrets.alphabet.symbols
    variables = (dict(zip((*symbols, ""), row, strict=False)) for row in encoding.position_booleans)
    formula = encoding.manager.And([node for _, nodes, _ in _parts(encoding) for node in nodes])
    return Model(encoding.environment, tuple(variables), formula)


def _parts(encoding: Encoding) -> Iterator[tuple[str, list[FNode], str]]:
    """Yield what a game and its rows mean: words, the formulas, and the name of a single one."""
    game, lies, turns = encoding.game, list[FNode](), 0
    yield "One symbol a position.", encoding.one_symbol_a_position(), ""
    if encoding.occurrence_booleans:
        words = "nN_X: the secret holds X at least N times."
        yield words, encoding.occurrence_definitions(), ""
    space = encoding.formula(game.secrets.constraint())
    if not space.is_true():
        words = "All symbols differ." if game.secrets.free else "One of the words of the list."
        yield words, [space], ""
    for number, item in enumerate(game.history, start=1):
        turns += isinstance(item, Turn)
        lie = encoding.lie_boolean(item, turns)
        lies += [] if lie is None else [lie]
        words, name = str(item), f"fact_{number - turns}"
        if isinstance(item, Turn):
            guess, answer = game.format_code(item.code), describe_answer(game, item)
            words, name = f"{turns}. {guess}: {answer}", f"turn_{turns}"
        yield words, [encoding.item_formula(item, lie)], name
    if lies:
        most = game.channel.lies.at_most
        words = f"lie_N: turn N lies; {most} {'does' if most == 1 else 'do'} at most."
        yield words, [encoding.budget_formula(lies)], "lies"


def script(game: GameLike, rows: Rows | None = None) -> str:
    """Return a game with its rows as an SMT-LIB 2 script in the logic QF_LIA.

    `game` and `rows` are as in `candidates`. Each turn is one assertion, named by its number
    (`turn_3`), after a comment that describes it; facts are named `fact_1` and so on. The clue of a
    doubted turn is left out. Raises what `model` raises.
    """
    encoding = Encoding(as_game(game, rows))
    game = encoding.game
    lies = (encoding.lie_boolean(turn, n) for n, turn in enumerate(game.history.turns, start=1))
    booleans = chain(*encoding.position_booleans, *encoding.occurrence_booleans, filter(None, lies))
    symbols = zip(encoding.symbol_names, game.secrets.alphabet.symbols, strict=False)
    renamed = ", ".join(f"{name} is {symbol}" for name, symbol in symbols if name != symbol)
    text = f"; {one_line(game.title)}\n"
    text += "; pN_X: position N of the secret holds the symbol X.\n"
    if len(game.secrets.lengths) > 1:
        text += "; pN_: position N is after the end of the secret.\n"
    text += f"; {one_line(renamed)}\n" if renamed else ""
    text += _HEAD
    text += "".join(f"(declare-const {node.symbol_name()} Bool)\n" for node in booleans)
    text += "".join(_paragraph(*part) for part in _parts(encoding))
    return f"{text}\n(check-sat)\n(get-model)\n"


def _paragraph(words: str, formulas: Iterable[FNode], name: str) -> str:
    texts = (f"(! {as_text(node)} :named {name})" if name else as_text(node) for node in formulas)
    return f"\n; {one_line(words)}\n" + "".join(f"(assert {text})\n" for text in texts)


def as_text(node: FNode) -> str:
    """Return a formula in the syntax of SMT-LIB."""
    buffer = StringIO()
    SmtPrinter(buffer).printer(node)
    return buffer.getvalue()


VALUE = re.compile(r"\|?(\w+)\|?\s*(?:\(\s*\)\s*Bool)?\s+(true|false)\s*\)")
"""A Boolean and its value, as the answers to `get-model` and `get-value` have them."""


def read_model(game: GameLike, answer: str | Mapping[Any, object] | SolverModel) -> str | None:
    """Return the code in a solver's answer, as the game writes it; None if the answer is `unsat`.

    The answer is text with `define-fun` models or `get-value` pairs, a mapping from variables, or
    their names, to values, or a model of pySMT's. Raises PuzzlehuntError for all other answers.
    """
    expected = "a solver's answer, or a mapping to true and false"
    check_type("answer", answer, str | Mapping | SolverModel, expected)
    encoding, code = Encoding(as_game(game)), list[int]()
    names = list(map(str, chain(*encoding.position_booleans)))
    start: object = answer
    if isinstance(answer, str):
        words, start = answer.split(), answer.strip().partition("\n")[0]
        if words[:1] == ["unsat"]:
            return None
        if words[:1] == ["unknown"]:
            raise PuzzlehuntError("the solver answered unknown: there is no model to read")
        answer = dict(VALUE.findall(answer))
    elif isinstance(answer, SolverModel):
        known = answer.environment.formula_manager.symbols
        answer = {name: answer.get_value(known[name]) for name in names if name in known}
    # Values of pySMT and of z3 are no bool, but are written as one.
    values = {str(name): str(value).casefold() == "true" for name, value in answer.items()}
    if values.keys().isdisjoint(names):
        expected = "no variable of the game found, as in (define-fun p1_A () Bool true)"
        raise PuzzlehuntError(f"{expected}; the answer begins {start!r:.60}")
    for position, row in enumerate(encoding.position_booleans, start=1):
        symbols = [symbol for symbol, node in enumerate(row) if values.get(str(node))]
        if len(symbols) != 1:
            number = f"{len(symbols)} symbols" if symbols else "no symbol"
            raise PuzzlehuntError(f"the model has {number} at position {position}")
        code += symbols
    ended = (s for s in code if s < len(encoding.game.secrets.alphabet))
    return encoding.game.format_code(tuple(ended))
