"""Tables whose rows are secrets: a CSV or TSV file with a header, or a list of mappings.

Errors name the file and the line, or the number of the mapping. `game_of_table` proposes a game
file: the first column has the names, each of the others answers in some way.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from puzzlehunt.codes.named_codes import NamedRows, text_of
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import GameFileError, counted, did_you_mean
from puzzlehunt.game.files.document import dump, dump_in_line, read_text
from puzzlehunt.rules.column_kinds import column_kind

MOST_ROWS = 200_000
"""Cap on the rows of a table."""
_MOST_BYTES = 64_000_000


def built_in_tables() -> dict[str, Path]:
    """Return a dict from the name of each built-in table to the path of its file."""
    return {file.name: file for file in sorted(resource_folder("tables").glob("*.csv"))}


def read_table(table: Path | Sequence[Mapping[str, str]], name: str | None) -> NamedRows:
    """Return the rows of a file or a list, called by the column `name` (None: the first one).

    A key that a row of a list lacks is a missing value. Raises GameFileError for a bad file, no
    such column, ragged or no rows, or two of one name.
    """
    if isinstance(table, Path):
        return _named(_cells(table), table.name, name)
    titles = list(dict.fromkeys(key for row in table for key in row))
    cells = [titles, *([row.get(title, "") for title in titles] for row in table)]
    return _named([(f"row {n}", row) for n, row in enumerate(cells)], "the table", name)


def _cells(path: Path) -> list[tuple[str, list[str]]]:
    text = read_text(path, _MOST_BYTES).removeprefix("\ufeff")
    header = re.sub('"[^"]*"', "", text.partition("\n")[0])
    separator = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        cells = [(f"{path.name}:{reader.line_num}", row) for row in reader if row]
    except csv.Error as error:
        raise GameFileError(f"not CSV: {error}", f"{path.name}:{reader.line_num}") from None
    for place, row in cells:
        if len(row) != len(cells[0][1]):
            problem = f"{counted(len(row), 'cell')}, but the header has {len(cells[0][1])}"
            is_open = "; a quote is not closed" if any("\n" in cell for cell in row) else ""
            raise GameFileError(f"{problem}{is_open}", place)
    return cells


def _named(cells: list[tuple[str, list[str]]], where: str, name: str | None) -> NamedRows:
    (_, header), *rows = cells or [("", [])]
    titles = [*map(text_of, header)]
    named = next(filter(None, titles), "") if name is None else name
    if len(rows) < 2:
        raise GameFileError("a game needs a header and two rows to choose from", where)
    if len(rows) > MOST_ROWS:
        raise GameFileError(f"{len(rows):,} rows are too many; at most {MOST_ROWS:,}", where)
    if twice := [title for title in titles if title and titles.count(title) > 1]:
        raise GameFileError(f"two columns have the title {twice[0]!r:.40}", where)
    if named not in titles:
        raise GameFileError(f"no column {named!r:.40}{did_you_mean(named, titles)}", where)
    place_of: dict[str, str] = {}
    names = [text_of(row[titles.index(named)]) for _, row in rows]
    for (place, _), called in zip(rows, names, strict=True):
        first = place_of.setdefault(called.casefold(), place)
        if not called:
            raise GameFileError("the row has no name", place)
        if called[0] in "/#" or " #" in called:
            raise GameFileError(f"{called!r:.40} begins a command or a note; rename it", place)
        if first != place:
            raise GameFileError(f"two rows have the name {called!r:.40}, also {first}", place)
    cells_of = zip(titles, zip(*(row for _, row in rows), strict=True), strict=True)
    columns = {title: tuple(map(str.strip, column)) for title, column in cells_of if title}
    return replace(NamedRows.of(names), columns=columns, places=[place for place, _ in rows])


def game_of_table(path: Path, folder: Path) -> tuple[str, list[str]]:
    """Return the text of a game file in `folder` for a table below it, and remarks on columns.

    The remarks tell which columns do not answer, and why. Raises GameFileError.
    """
    try:
        written = path.resolve().relative_to(folder.resolve())
    except ValueError:
        problem = "a game file reads no table outside of its folder; write it beside the table"
        raise GameFileError(problem, str(path)) from None
    rows = read_table(path, None)
    name = next(iter(rows.columns), "")
    proposed = [(title, *_kind(rows, title)) for title in rows.columns if title != name]
    remarks = [f"{title} is left out: {why}" for title, kind, why in proposed if not kind]
    if len(remarks) == len(proposed):
        problem = "no column of numbers, sets or recurring words to tell of"
        raise GameFileError("; ".join([problem, *remarks[:1]]), f"{path}:1")
    kinds = {title: kind for title, kind, _ in proposed if kind}
    return (
        f"{dump({'title': path.stem})}"
        f"secret: {{table: {dump_in_line(str(written))}, name: {dump_in_line(name)}}}\n"
        "# How each column answers: equal, overlap (sets), order (with near: N), or as a place:\n"
        "# {distance: [LATITUDE, LONGITUDE], round: 100, compass: 8}, of two columns.\n"
        f"{dump({'rule': {'name': 'columns', 'columns': kinds}})}"
        "# What is known already, and the rows so far.\nfacts: []\nturns: []\n"
    ), remarks


def _kind(rows: NamedRows, title: str) -> tuple[str, str]:
    """Return how a column may answer, or "" and why it does not."""
    cells, trouble = rows.columns[title], ""
    texts = {text_of(cell).casefold() for cell in cells} - {""}
    are_numbers = 2 * sum(bool(re.match(r"\W*\d", cell)) for cell in cells) > len(cells)
    if len(texts) < 2:
        return "", "all rows are alike"
    for kind in ("order", "distance"):
        try:
            column_kind(title, kind).fill(rows)
            return kind, ""
        except ValueError as error:
            trouble = trouble or str(error)
    if not are_numbers and 4 * sum(bool(re.search("[,;/|]", text)) for text in texts) > len(texts):
        return "overlap", ""
    if len(texts) < sum(map(bool, cells)):
        return "equal", ""
    return "", trouble if are_numbers else "no two rows are alike"
