"""The one table of colours: in a terminal, in HTML and in pictures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour: `style` for a terminal, `ground` and `ink` in HTML."""

    style: str
    ground: str
    ink: str


COLOURS = {
    "black": Colour("bold white on black", "#000", "#fff"),
    "white": Colour("bold black on white", "#fff", "#000"),
    "red": Colour("bold red", "#c0392b", "#fff"),
    "green": Colour("bold green", "#2a8439", "#fff"),
    "blue": Colour("bold blue", "#2c6fbb", "#fff"),
    "yellow": Colour("bold yellow", "#f2d21f", "#000"),
    "orange": Colour("bold dark_orange", "#e88b1a", "#000"),
    "purple": Colour("bold magenta", "#8e44ad", "#fff"),
}
"""Colours by the names that symbols and marks may have."""
_GREEN = Colour("bold white on green4", "#3c7d3f", "#fff")
_YELLOW = Colour("bold black on gold3", "#d3a518", "#000")
_GREY = Colour("white on grey37", "#6b6e70", "#fff")
TILES = {
    "right": _GREEN, "equal": _GREEN, "elsewhere": _YELLOW, "near": _YELLOW, "absent": _GREY,
    "far": _GREY, "later": Colour("bold black on sky_blue2", "#7fbfe6", "#000"),
    "earlier": Colour("bold black on orange3", "#e88b1a", "#000"),
}  # fmt: skip
"""Colours of the tiles of a guess, by what a rule calls their marks."""
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito's colours (2008) for pictures, which the colour-blind tell apart too."""


def colour_of(name: str) -> Colour | None:
    """Return the colour of a symbol or mark by its name, None where it has none."""
    return COLOURS.get(name) or TILES.get(name)
