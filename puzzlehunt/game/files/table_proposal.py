"""A game file for a table: which column has the names, and how each of the others may answer."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from puzzlehunt.codes.table_cells import Cells
from puzzlehunt.errors import GameFileError, counted
from puzzlehunt.game.files.document import dump, dump_in_line
from puzzlehunt.game.files.table_files import read_table
from puzzlehunt.rules.column_kinds import CellError, column_kind

_LATITUDES, _LONGITUDES = ("lat", "latitude"), ("lon", "lng", "long", "longitude")
_SET = re.compile(r"[^,;/|]+(?:[,;/|][^,;/|]+)+")
"""A cell with several members."""
_FEW = 0.5
"""A text tells whether it is equal if a column has at most this share of different cells."""


def game_of_table(path: Path, folder: Path) -> str:
    """Return the text of a game file in `folder` for a table below it. Raises GameFileError."""
    try:
        written = path.resolve().relative_to(folder.resolve())
    except ValueError:
        problem = "a game file reads tables below its own folder alone; write it beside the table"
        raise GameFileError(problem, str(path)) from None
    columns = read_table(path, None, checked=False).columns
    name = next(filter(None, (_names(title, cells) for title, cells in columns.items())), None)
    if name is None:
        raise GameFileError("no column has a name of its own for each row", f"{path}:1")
    read_table(path, name)
    proposed = list(_proposed({t: cells for t, cells in columns.items() if t != name}))
    if not any(kind for _, kind, _ in proposed):
        raise GameFileError("no column of numbers, sets or recurring words to tell of", f"{path}:1")
    width = max(len(title) + len(kind) for title, kind, _ in proposed) + 6
    lines = [
        f"{f'    {title}: {kind}':{width}} # {why}" if kind else f"    # {title}: {why}"
        for title, kind, why in proposed
    ]
    return (
        f"{dump({'title': path.stem})}"
        f"secret: {{table: {dump_in_line(str(written))}, name: {dump_in_line(name)}}}\n"
        "# How each column answers: equal, overlap (sets), order (with near: N) or distance.\n"
        "rule:\n  name: columns\n  columns:\n" + "\n".join(lines) + "\n"
        "# What is known already, and the rows so far.\nfacts: []\nturns: []\n"
    )


def _names(title: str, cells: Cells) -> str | None:
    """Return the title of a column that can name the rows: words, all different."""
    plain = {" ".join(cell.split()).casefold() for cell in cells}
    differs = len(plain) == len(cells) and "" not in plain
    return title if differs and not _fits("order", title, cells) else None


def _fits(kind: object, title: str, cells: Cells) -> bool:
    with suppress(CellError, ValueError):
        column_kind(title, kind).filled(cells)
        return True
    return False


def _proposed(columns: Mapping[str, Cells]) -> Iterator[tuple[str, str, str]]:
    """Yield each column's title, its kind as YAML ("" for none), and why."""
    degrees = [
        next((title for title in columns if title.casefold() in names), None)
        for names in (_LATITUDES, _LONGITUDES)
    ]
    if None not in degrees:
        both = dump_in_line([str(title) for title in degrees])
        yield "place", f"{{distance: {both}, round: 100, compass: 8}}", "kilometres apart"
    for title, cells in columns.items():
        if title in degrees and None not in degrees:
            continue
        written, known = dump_in_line(title), [cell for cell in cells if cell]
        blank = f", {len(cells) - len(known):,} missing" if len(known) < len(cells) else ""
        different = counted(len({*known}), "value") + blank
        if not known:
            yield written, "", "every cell is blank"
        elif len({*known}) == 1:
            yield written, "", "all rows are alike"
        elif _fits("order", title, cells):
            yield written, "order", f"numbers or dates, {different}"
        elif _fits("distance", title, cells):
            yield written, "{distance: true, round: 100, compass: 8}", f"degrees{blank}"
        elif sum(map(bool, map(_SET.fullmatch, known))) * 4 > len(known):
            yield written, "overlap", f"sets, {different}"
        elif len({*known}) <= len(known) * _FEW:
            yield written, "equal", different
        else:
            yield written, "", f"seldom the same, {different}"
