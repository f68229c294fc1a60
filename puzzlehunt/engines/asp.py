"""Write a game and its history as an answer-set program.

The atom `holds(1,"H")` means that the first position of the secret holds H, `atleast("H",2)` that H
occurs twice or more, and `lies(3)` that turn 3 lies. A clue becomes a few counts of such atoms. The
logic engine solves the rules that `script` writes. Writing them requires no solver.
"""

from collections.abc import Sequence

from puzzlehunt import __version__
from puzzlehunt.codes.constraints import TRUE, AllOf, AnyOf, At, Bound, Constraint, Literal
from puzzlehunt.engines.base import check_constraints
from puzzlehunt.engines.posterior import doubt_cost
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History, Turn


class RuleWriter:
    """Writes the constraints of a game as rules; an atom is defined where it is first used."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names = [_quoted(symbol) for symbol in game.secrets.alphabet.symbols]
        self._single = game.secrets.single
        self._defined_literals: set[Literal] = set()
        self._any_of_count = 0
        """Number of atoms `fits(N)` so far, one for each `AnyOf`."""

    def position_rules(self) -> list[str]:
        """Return the rules that there is exactly one symbol per position."""
        facts = [f"position(1..{self.game.length}).", f"symbol({';'.join(self.names)})."]
        if self._single.listed:
            return facts
        return [*facts, "1 { holds(P,S) : symbol(S) } 1 :- position(P)."]

    def occurrence_rules(self) -> list[str]:
        """Return the definition of `atleast(S,N)`."""
        times = f"N = 1..{self.game.length}"
        return [f"atleast(S,N) :- symbol(S), {times}, N {{ holds(P,S) : position(P) }}."]

    def space_rules(self) -> list[str]:
        """Return the rules for secrets: their symbols are distinct, or they are listed words."""
        rules = []
        if self._single.listed:
            rules = self._words()
        elif self._single.distinct:
            length = self._single.lengths[0]
            for last in range(length, self.game.length + 1, length):
                places = f"P = {last - length + 1}..{last}"
                rules.append(f":- symbol(S), 2 {{ holds(P,S) : {places} }}.")
        return rules

    def _words(self) -> list[str]:
        space = self._single
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

    def rules_asserting(self, constraint: Constraint) -> list[str]:
        """Return rules that require a constraint."""
        rules: list[str] = []
        for condition in self._conditions(constraint, rules):
            rules.append(f":- {_negated(condition)}.")
        return rules

    def rules_defining(self, atom: str, constraint: Constraint) -> list[str]:
        """Return rules that make the atom `atom` true if a constraint holds."""
        rules: list[str] = []
        conditions = self._conditions(constraint, rules)
        return [*rules, f"{atom} :- {', '.join(conditions)}." if conditions else f"{atom}."]

    def _conditions(self, constraint: Constraint, rules: list[str]) -> list[str]:
        """Return the conditions under which a constraint holds; definitions go to `rules`."""
        match constraint:
            case AllOf(parts):
                return [c for part in parts for c in self._conditions(part, rules)]
            case AnyOf(parts):
                self._any_of_count += 1
                atom = f"fits({self._any_of_count})"
                for part in parts:
                    rules += self.rules_defining(atom, part)
                return [atom]
            case Bound():
                return self._bound(constraint, rules)

    def _bound(self, bound: Bound, rules: list[str]) -> list[str]:
        if bound.low is None and bound.high is None:
            return []
        elements = []
        has_weights = any(weight != 1 for weight, _ in bound.terms)
        for number, (weight, literal) in enumerate(bound.terms, start=1):
            key = f"{weight},{number}" if has_weights else f"{number}"
            elements += [f"{key} : {atom}" for atom in self._atoms(literal, rules)]
        if len(elements) == 1 and not has_weights:
            atom = elements[0].partition(" : ")[2]
            if bound.low == 1 and (bound.high is None or bound.high >= 1):
                return [atom]
            if bound.high == 0 and (bound.low is None or bound.low <= 0):
                return [f"not {atom}"]
        total = f"{'#sum' if has_weights else '#count'} {{ {'; '.join(elements)} }}"
        if bound.low == bound.high:
            return [f"{total} = {bound.low}"]
        low = "" if bound.low is None else f"{bound.low} <= "
        high = "" if bound.high is None else f" <= {bound.high}"
        return [f"{low}{total}{high}"]

    def _atoms(self, literal: Literal, rules: list[str]) -> list[str]:
        """Return atoms; one of them is true if and only if a literal is. Define them in `rules`."""
        if isinstance(literal, At):
            return [f"holds({literal.position + 1},{self.names[s]})" for s in literal.symbols]
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
        if literal not in self._defined_literals:
            self._defined_literals.add(literal)
            symbols = names[0] if len(names) == 1 else f"({';'.join(names)})"
            rules.append(f"{atom} :- {literal.times} {{ holds(P,{symbols}) : {where} }}.")
        return [atom]


def _negated(condition: str) -> str:
    return condition[4:] if condition.startswith("not ") else f"not {condition}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\")  # no symbol holds a quotation mark
    return f'"{escaped}"'


def script(game: Game, history: History, also: Constraint = TRUE) -> str:
    """Return a game with its history as a program for clingo; its models are the candidates.

    `also` is a further constraint on the secret.
    The rules of each turn and fact follow a comment with its description. The clue of a doubted
    turn is itself a comment: a weak constraint, with its cost in thousandths of a bit.
    """
    check_constraints(game, "program for clingo")
    writer = RuleWriter(game)
    parts = [_paragraph(_space_in_words(game), writer.space_rules())]
    turns, lies = 0, []
    for place, item in enumerate(history):
        if isinstance(item, Turn):
            turns += 1
            rules = _turn_rules(writer, history, place, turns)
            parts.append(_paragraph(f"{turns}. {game.describe_turn(item)}", rules))
            lies += [turns] if game.may_lie(item) else []
        else:
            rules = writer.rules_asserting(game.item_constraint(history, place))
            parts.append(_paragraph(item.text, rules))
    parts += [f"{rule}\n" for rule in writer.rules_asserting(also)]
    if lies:
        most = game.channel.lies.at_most
        words = f"lies(N): turn N lies; {most} {'does' if most == 1 else 'do'} at most."
        atoms = "; ".join(f"lies({number})" for number in lies)
        parts.append(_paragraph(words, [f":- {most + 1} {{ {atoms} }}."]))
    body = "".join(parts)
    counted = "atleast(S,N): the secret holds S at least N times." if "atleast(" in body else ""
    length = game.secret_length
    each = f" Each secret has {length}, in a row." if game.boards > 1 else ""
    head = [
        f"% {_in_one_line(game.title)}",
        f"% written by puzzlehunt {__version__}",
        f"% holds(P,S): position P of the secret holds the symbol S.{each}",
        *writer.position_rules(),
    ]
    counts = _paragraph(counted, writer.occurrence_rules())
    return "\n".join(head) + f"\n{counts}{body}\n#show holds/2.\n"


def _turn_rules(writer: RuleWriter, history: History, place: int, number: int) -> list[str]:
    game, turn = writer.game, history.items[place]
    assert isinstance(turn, Turn)
    if game.boards > 1:
        return writer.rules_asserting(game.item_constraint(history, place))
    not_won = writer.rules_asserting(game.losing_guess_constraint(turn))
    if game.may_lie(turn):
        clue = writer.rules_defining(f"told({number})", game.clue_constraint(turn))
        return [*clue, f"lies({number}) :- not told({number}).", *not_won]
    if turn.doubted:
        clue = writer.rules_defining(f"told({number})", game.clue_constraint(turn.undoubted))
        cost = f"% :~ not told({number}). [{doubt_cost(game, turn)},{number}]"
        return [*clue, cost, *not_won]
    return [*writer.rules_asserting(game.clue_constraint(turn)), *not_won]


def _paragraph(words: str, rules: Sequence[str]) -> str:
    lines = ("", f"% {_in_one_line(words)}", *rules) if words else ()
    return "".join(f"{line}\n" for line in lines)


def _space_in_words(game: Game) -> str:
    space = game.secrets.single
    if space.listed:
        which = "Each secret" if game.boards > 1 else "The secret"
        return f"{which} is one of the words of the list."
    return "All symbols of a secret differ." if space.distinct else ""


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
