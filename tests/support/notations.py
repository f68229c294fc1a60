"""Notations of games, and what is recorded of clues in them."""

import ast
from pathlib import Path

from puzzlehunt.errors import ImpossibleClueError, InvalidClueError
from puzzlehunt.rules.built_in import MarksRule
from puzzlehunt.rules.notation.clue import Notation
from puzzlehunt.rules.notation.counts import CountNotation, Kind
from puzzlehunt.rules.notation.tiles import TileNotation


def notation(*kinds: str, unread: str = "_") -> CountNotation:
    """The notation of kinds written `label` or `label:mark`, the miss last."""
    parts = [kind.partition(":") for kind in kinds]
    names = ("black", "white", "miss")
    return CountNotation(
        tuple(
            Kind(n, label, mark or None) for n, (label, _, mark) in zip(names, parts, strict=True)
        ),
        unread,
    )


COUNTS = {
    "PEGS": notation("black:B", "white:W", "miss"),
    "CRYPTIC": notation("black:B", "white:W", "red:R"),
    "BULLS": notation("bull:A", "cow:B", "miss"),
    "TUNE": notation("gear:G", "tumbler:T", "miss"),
    "SIGNS": notation("black:+", "white:o", "miss:-", unread="u"),
    "HITS": notation("hit:H", "near:N", "miss:M"),
    "WORDS": notation("bull:+", "cow:o", "miss"),
}
TILES = {
    "WORDLE": MarksRule(5, 26).notation,
    "ARROWS": TileNotation(("far", "near", "same"), ("<", "x", "="), "u", {"-": 0, "!": 2}),
    "NERDLE": TileNotation(("black", "purple", "green"), ("B", "P", "G"), ".", {}),
}
NOTATIONS: dict[str, Notation] = {
    **COUNTS,
    **TILES,
    "UNMARKED": notation("bull", "cow", "miss"),
    "INITIALS": notation("bull:B", "cow:C", "miss"),
}


def recorded() -> dict[str, list[str]]:
    """The lines of each section of the recorded clues."""
    text = (Path(__file__).parents[1] / "data" / "clues.txt").read_text(encoding="utf-8")
    sections = (section.split("\n") for section in text.split("\n== ")[1:])
    return {title: [line for line in lines if line] for title, *lines in sections}


def read_again(section: str, line: str) -> str:
    """A recorded line with what its clue is today."""
    name, marks = section.split()
    notation, (text, _, _) = NOTATIONS[name], line.partition(" -> ")
    try:
        clue = notation.parse(ast.literal_eval(text), int(marks))
    except InvalidClueError as error:
        kind = "impossible" if isinstance(error, ImpossibleClueError) else "no clue"
        return f"{text} -> {kind}: {error}"
    return f"{text} -> {notation.format(clue)} | {notation.describe(clue)}"
