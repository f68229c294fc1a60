"""A game and its history as an answer-set program, and models read back.

`holds(1,"H")`: the first position of the secret holds H. Every clue is a few counts of what holds;
how often a symbol occurs is an atom a number (`atleast("H",2)`: H occurs twice or more). Where some
rows may lie, `lies(3)` says that turn 3 does. The logic engine solves the rules that the program
prints; to write them needs no solver.
"""

import re
from collections.abc import Sequence
from io import StringIO

from puzzlehunt import __version__
from puzzlehunt.codes.alphabet import Code
from puzzlehunt.codes.boards import BoardSpace, PairSpace
from puzzlehunt.codes.constraints import (
    AllOf,
    AnyOf,
    At,
    Bound,
    Constraint,
    Literal,
    mutual_constraint,
)
from puzzlehunt.codes.spaces import SymbolSpace, WordSpace
from puzzlehunt.engines.posterior import doubt_cost
from puzzlehunt.errors import ModelError
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn

SHOWN = "#show holds/2."
"""The answer is what stands where, and nothing else."""


class Rules:
    """Writes the rules of one game; a literal that needs a definition gets it where first used."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = [_quoted(symbol) for symbol in game.secrets.alphabet.symbols]
        secrets = game.secrets
        self._one = secrets.single_space if isinstance(secrets, BoardSpace | PairSpace) else secrets
        self._defined: set[Literal] = set()
        self._fits = 0

    def positions(self) -> list[str]:
        """Return what positions and symbols there are, and that each position holds one symbol."""
        facts = [f"position(1..{self.game.length}).", f"symbol({';'.join(self.names)})."]
        if isinstance(self._one, WordSpace):
            return facts
        return [*facts, "1 { holds(P,S) : symbol(S) } 1 :- position(P)."]

    def occurrences(self) -> list[str]:
        """Return the definition of how often symbols occur."""
        times = f"N = 1..{self.game.length}"
        return [f"atleast(S,N) :- symbol(S), {times}, N {{ holds(P,S) : position(P) }}."]

    def space(self) -> list[str]:
        """Return what the secret space demands beyond that: distinct symbols, or a word list."""
        rules = []
        if isinstance(self._one, WordSpace):
            rules += self._words(self._one)
        elif isinstance(self._one, SymbolSpace) and self._one.distinct:
            length = self._one.lengths[0]
            for last in range(length, self.game.length + 1, length):
                places = f"P = {last - length + 1}..{last}"
                rules.append(f":- symbol(S), 2 {{ holds(P,S) : {places} }}.")
        if isinstance(self.game.secrets, PairSpace):
            rules += self.demanded(mutual_constraint(self.game.secrets))
        return rules

    def _words(self, space: WordSpace) -> list[str]:
        length = space.lengths[0]
        variables = ",".join(f"X{place + 1}" for place in range(length))
        rules = [f"word({','.join(self.names[symbol] for symbol in word)})." for word in space]
        for start in range(0, self.game.length, length):
            secret = f"secret_{start // length + 1}" if self.game.length > length else "secret"
            rules.append(f"1 {{ {secret}({variables}) : word({variables}) }} 1.")
            for place in range(length):
                cells = ",".join("X" if other == place else "_" for other in range(length))
                rules.append(f"holds({start + place + 1},X) :- {secret}({cells}).")
        return rules

    def demanded(self, constraint: Constraint, when: str = "") -> list[str]:
        """Return the rules that a constraint holds, with `when` where that atom does."""
        rules: list[str] = []
        for condition in self._conditions(constraint, rules):
            body = [when, _denied(condition)] if when else [_denied(condition)]
            rules.append(f":- {', '.join(body)}.")
        return rules

    def defined(self, atom: str, constraint: Constraint) -> list[str]:
        """Return the rules that an atom is true where a constraint holds."""
        rules: list[str] = []
        conditions = self._conditions(constraint, rules)
        return [*rules, f"{atom} :- {', '.join(conditions)}." if conditions else f"{atom}."]

    def _conditions(self, constraint: Constraint, rules: list[str]) -> list[str]:
        """Return what must be true for a constraint to hold; what that is by adds to the rules."""
        match constraint:
            case AllOf(parts):
                return [c for part in parts for c in self._conditions(part, rules)]
            case AnyOf(parts):
                self._fits += 1
                atom = f"fits({self._fits})"
                for part in parts:
                    rules += self.defined(atom, part)
                return [atom]
            case Bound():
                return self._bound(constraint, rules)

    def _bound(self, bound: Bound, rules: list[str]) -> list[str]:
        if bound.low is None and bound.high is None:
            return []
        elements = []
        weighs = any(weight != 1 for weight, _ in bound.terms)
        for number, (weight, literal) in enumerate(bound.terms, start=1):
            key = f"{weight},{number}" if weighs else f"{number}"
            elements += [f"{key} : {atom}" for atom in self._atoms(literal, rules)]
        if len(elements) == 1 and not weighs:
            atom = elements[0].partition(" : ")[2]
            if bound.low == 1 and (bound.high is None or bound.high >= 1):
                return [atom]
            if bound.high == 0 and (bound.low is None or bound.low <= 0):
                return [f"not {atom}"]
        total = f"{'#sum' if weighs else '#count'} {{ {'; '.join(elements)} }}"
        if bound.low == bound.high:
            return [f"{total} = {bound.low}"]
        low = "" if bound.low is None else f"{bound.low} <= "
        high = "" if bound.high is None else f" <= {bound.high}"
        return [f"{low}{total}{high}"]

    def _atoms(self, literal: Literal, rules: list[str]) -> list[str]:
        """Return the atoms one of which is true, and no more, where a literal is true."""
        if isinstance(literal, At):
            return [self.holds(literal.position, symbol) for symbol in literal.symbols]
        if literal.times < 1:
            return ["#true"]
        names = [self.names[symbol] for symbol in literal.symbols]
        which = names[0] if len(names) == 1 else f"({','.join(names)})"
        if literal.places is None and len(names) == 1:
            return [f"atleast({which},{literal.times})"]
        where, atom = "position(P)", f"atleast({which},{literal.times})"
        if literal.places is not None:
            first, last = literal.places.start + 1, literal.places.stop
            where, atom = f"P = {first}..{last}", f"atleast({which},{literal.times},{first},{last})"
        if literal not in self._defined:
            self._defined.add(literal)
            symbols = names[0] if len(names) == 1 else f"({';'.join(names)})"
            rules.append(f"{atom} :- {literal.times} {{ holds(P,{symbols}) : {where} }}.")
        return [atom]

    def holds(self, position: int, symbol: int) -> str:
        """Return the atom that a position (from 0) holds a symbol."""
        return f"holds({position + 1},{self.names[symbol]})"


def _denied(condition: str) -> str:
    """Return that a condition is not true."""
    return condition[4:] if condition.startswith("not ") else f"not {condition}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\")  # no symbol holds a quotation mark
    return f'"{escaped}"'


def script(game: Game, history: History) -> str:
    """Return a game with its history as a program for clingo; its models are the candidates.

    What each turn and fact says stands under a comment that says it in words. What a doubted turn's
    clue says follows as a comment, as a weak constraint in thousandths of a bit.
    """
    rules = Rules(game)
    parts = [_paragraph(_space_in_words(game), rules.space())]
    turns, lies = 0, []
    for place, item in enumerate(history):
        if not isinstance(item, Turn):
            parts.append(
                _paragraph(item.text, rules.demanded(game.item_constraint(history, place)))
            )
            continue
        turns += 1
        lines = _turn(rules, history, place, turns)
        lies += [turns] if game.may_lie(item) else []
        parts.append(_paragraph(f"{turns}. {game.describe_turn(item)}", lines))
    if lies:
        most = game.channel.lies.at_most
        words = f"lies(N): turn N lies; {most} {'does' if most == 1 else 'do'} at most."
        counted = "; ".join(f"lies({number})" for number in lies)
        parts.append(_paragraph(words, [f":- {most + 1} {{ {counted} }}."]))
    told = "".join(parts)
    out = StringIO()
    out.write(f"% {_in_one_line(game.title)}\n% written by puzzlehunt {__version__}\n")
    out.write(f"% holds(P,S): position P of the secret holds the symbol S.{_several(game)}\n")
    out.write("".join(f"{rule}\n" for rule in rules.positions()))
    if "atleast(" in told:
        words = "atleast(S,N): the secret holds S at least N times."
        out.write(_paragraph(words, rules.occurrences()))
    out.write(told)
    out.write(f"\n{SHOWN}\n")
    return out.getvalue()


def _turn(rules: Rules, history: History, place: int, number: int) -> list[str]:
    """Return what a turn says: its clue unless that is a lie, and that the guess did not win."""
    game, turn = rules.game, history.items[place]
    assert isinstance(turn, Turn)
    if game.boards > 1:
        return rules.demanded(game.item_constraint(history, place))
    not_won = rules.demanded(game.losing_guess_constraint(turn))
    if game.may_lie(turn):
        told = rules.defined(f"told({number})", game.clue_constraint(turn))
        return [*told, f"lies({number}) :- not told({number}).", *not_won]
    if turn.doubted:
        told = rules.defined(f"told({number})", game.clue_constraint(turn.undoubted))
        cost = f"% :~ not told({number}). [{doubt_cost(game, turn)},{number}]"
        return [*told, cost, *not_won]
    return [*rules.demanded(game.clue_constraint(turn)), *not_won]


def _paragraph(words: str, rules: Sequence[str]) -> str:
    return (
        "".join(f"{line}\n" for line in ("", f"% {_in_one_line(words)}", *rules)) if words else ""
    )


def _space_in_words(game: Game) -> str:
    one = (
        game.secrets.single_space
        if isinstance(game.secrets, BoardSpace | PairSpace)
        else game.secrets
    )
    if isinstance(one, WordSpace):
        which = "Each secret" if game.secrets_at_once > 1 else "The secret"
        return f"{which} is one of the words of the list."
    differ = isinstance(one, SymbolSpace) and one.distinct
    return "All symbols of a secret differ." if differ else ""


def _several(game: Game) -> str:
    """Return whose positions they are, where there are several secrets."""
    length = game.length // game.secrets_at_once
    return f" Each secret has {length}, in a row." if game.secrets_at_once > 1 else ""


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


_ATOM = re.compile(r'holds\((\d+),"([^"]*)"\)')
_VERDICT = re.compile(r"^(?:UN)?SATISFIABLE$|^UNKNOWN$|^OPTIMUM FOUND$|^Answer:", re.MULTILINE)


def wrote(answer: str) -> bool:
    """Return whether an answer is one to `script`, and not to a script of another format."""
    return bool(_VERDICT.search(answer) or _ATOM.search(answer))


def read_model(game: Game, answer: str) -> Code | None:
    """Return the code that clingo's last answer gives, None if it says that there is none.

    Raises ModelError for all that is no model.
    """
    if re.search(r"^UNSATISFIABLE$", answer, re.MULTILINE):
        return None
    last = re.split(r"^Answer:.*$", answer, flags=re.MULTILINE)[-1]
    found = _ATOM.findall(last)
    if not found:
        raise ModelError('no model found; expected atoms such as holds(1,"A")')
    return _code(game, [(int(place), name.replace("\\\\", "\\")) for place, name in found])


def _code(game: Game, found: Sequence[tuple[int, str]]) -> Code:
    """Return the code of a model. Raises ModelError where a position has no symbol, or two."""
    symbols = {name: number for number, name in enumerate(game.secrets.alphabet.symbols)}
    code = []
    for place in range(1, game.length + 1):
        names = {name for position, name in found if position == place}
        if len(names) != 1 or not names <= symbols.keys():
            shown = " and ".join(sorted(names)) or "no symbol"
            raise ModelError(f"the model has {shown} at position {place}")
        code.append(symbols[names.pop()])
    return tuple(code)
