"""A game file for a table: which column has the names, and how each of the others may answer."""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.errors import GameFileError, counted
from puzzlehunt.game.files.document import dump, dump_in_line
from puzzlehunt.game.files.table_files import read_table
from puzzlehunt.rules.column_kinds import column_kind

_LATITUDES, _LONGITUDES = ("lat", "latitude"), ("lon", "lng", "long", "longitude")
_SET = re.compile(r"(?!n/a$)[^,;/|]+(?:[,;/|][^,;/|]+)+")
"""A cell with several members, in lower case."""
_NUMBER = re.compile(r"\W*\d(?:[\d.,']*[^\d,;|]*|\d*(?:[-/.]\d+){2})")
"""One number, also with a unit or with commas, which no column takes, or a date."""
_DISTANCE = "{{distance: {}, round: 100, compass: 8}}"


def game_of_table(path: Path, folder: Path) -> tuple[str, list[str]]:
    """Return the text of a game file in `folder` for a table below it, and remarks on columns.

    The remarks tell which columns do not answer, and why. Raises GameFileError.
    """
    try:
        written = path.resolve().relative_to(folder.resolve())
    except ValueError:
        problem = "a game file reads tables below its own folder alone; write it beside the table"
        raise GameFileError(problem, str(path)) from None
    columns = read_table(path, None, checked=False).columns
    names = {title: _names(cells) for title, cells in columns.items()}
    name = max(names, key=lambda title: names[title])
    if names[name] <= 0.5:
        raise GameFileError("no column has a name of its own for each row", f"{path}:1")
    rows = read_table(path, name)
    proposed = list(_proposed(rows, [title for title in columns if title != name]))
    remarks = [f"{title} is left out: {why}" for title, kind, why in proposed if not kind]
    if len(remarks) == len(proposed):
        problem = "no column of numbers, sets or recurring words to tell of"
        raise GameFileError("; ".join([problem, *remarks[:1]]), f"{path}:1")
    lines = [
        f"    {title}: {kind}  # {why}" if kind else f"    # {title}: {why}"
        for title, kind, why in proposed
    ]
    text = (
        f"{dump({'title': path.stem})}"
        f"secret: {{table: {dump_in_line(str(written))}, name: {dump_in_line(name)}}}\n"
        "# How each column answers: equal, overlap (sets), order (with near: N) or distance.\n"
        "rule:\n  name: columns\n  columns:\n" + "\n".join(lines) + "\n"
        "# What is known already, and the rows so far.\nfacts: []\nturns: []\n"
    )
    return text, remarks


def _share_of_numbers(texts: Collection[str]) -> float:
    return sum(map(bool, map(_NUMBER.fullmatch, texts))) / max(1, len(texts))


def _names(cells: Sequence[str]) -> float:
    """Return the share of rows that a column calls by a name of its own; 0 for numbers."""
    plain = {" ".join(cell.split()).casefold() for cell in cells} - {""}
    return 0.0 if _share_of_numbers(plain) > 0.5 else len(plain) / len(cells)


def _are_sets(cells: Sequence[str]) -> bool:
    """Return whether cells have members that are cells, too, or many have some that recur."""
    sets = list(filter(_SET.fullmatch, cells))
    members = [member.strip() for each in sets for member in re.split("[,;/|]", each)]
    recur = len({*members}) < len(members)
    return not {*members}.isdisjoint(cells) or (recur and len(sets) * 4 > len(cells))


def _trouble(kind: object, title: str, rows: NamedRows) -> str:
    """Return what is wrong with the first cell that is not of a kind, and where; "" if all are."""
    try:
        column_kind(title, kind).fill(rows)
    except ValueError as error:
        return str(error)
    return ""


def _proposed(rows: NamedRows, titles: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield some columns: the title, the kind as YAML ("" for none), and why."""
    degrees = [
        next((title for title in titles if title.casefold() in names), "")
        for names in (_LATITUDES, _LONGITUDES)
    ]
    if all(degrees):
        trouble = _trouble({"distance": degrees}, "place", rows)
        kind = "" if trouble else _DISTANCE.format(dump_in_line(degrees))
        yield "place", kind, trouble or "kilometres apart"
        titles = [title for title in titles if title not in degrees]
    for title in titles:
        yield dump_in_line(title), *_kind(rows, title)


def _kind(rows: NamedRows, title: str) -> tuple[str, str]:
    """Return the kind of a column as YAML, "" for none, and why."""
    cells = rows.columns[title]
    known = [" ".join(cell.split()).casefold() for cell in cells if cell]
    blank = f", {len(cells) - len(known):,} missing" if len(known) < len(cells) else ""
    texts = {*known}
    count, numbers = counted(len(texts), "value") + blank, _share_of_numbers(texts)
    no_order = _trouble("order", title, rows)
    if len(texts) < 2:
        return "", "all rows are alike"
    if not no_order:
        return "order", f"numbers or dates, {count}"
    if numbers < 1 and not _trouble("distance", title, rows):
        return _DISTANCE.format("true"), f"degrees{blank}"
    if numbers <= 0.5 and _are_sets(known):
        return "overlap", f"sets, {count}"
    if len(texts) < len(known):
        return "equal", count
    return "", no_order if numbers > 0.5 else "no two rows are alike"
