"""Tables whose rows are secrets: a CSV or TSV file with a header, or a list of mappings.

Errors name the file and the line, or the number of the mapping. `game_of_table` proposes a game
file: which column has the names, and how each of the others may answer.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from puzzlehunt.codes.files import read_bytes
from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import GameFileError, counted, did_you_mean
from puzzlehunt.game.files.document import dump, dump_in_line
from puzzlehunt.rules.column_kinds import column_kind

MOST_ROWS = 200_000
"""Cap on the rows of a table."""
_MOST_COLUMNS = 100
_MOST_BYTES = 64_000_000
_SEPARATORS = "\t;,"
"""What may separate the cells of a file; of those in its header, the most frequent does."""
_SET = re.compile(r"(?!n/a$)[^,;/|]+(?:[,;/|][^,;/|]+)+")
"""A cell with several members, in lower case."""


def built_in_tables() -> dict[str, Path]:
    """Return a dict from the name of each built-in table to the path of its file."""
    files = resource_folder("tables").glob("*.csv")
    return {file.name: file for file in sorted(files)}


def read_table(path: Path, name: str | None, checked: bool = True) -> NamedRows:
    """Return the rows of a file, called by the column `name` (None: the first one).

    Without `checked`, rows may have no name, or share one. Raises GameFileError for a file that
    cannot be read, and for a table without such a column, with ragged or no rows, or with two rows
    of one name.
    """
    try:
        text = read_bytes(path, _MOST_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise GameFileError(f"cannot be read ({error.strerror})", f"{path!s:.300}") from None
    except UnicodeDecodeError:
        raise GameFileError("this is not a text file in UTF-8", str(path)) from None
    header = re.sub('"[^"]*"', "", text.partition("\n")[0])
    separator = max(reversed(_SEPARATORS), key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        numbered = [(f"{path}:{reader.line_num}", row) for row in reader if row]
    except csv.Error as error:
        raise GameFileError(f"not CSV: {error}", f"{path}:{reader.line_num}") from None
    for place, row in numbered:
        if len(row) != len(numbered[0][1]):
            problem = f"{counted(len(row), 'cell')}, but the header has {len(numbered[0][1])}"
            is_open = "; a quote is not closed" if any("\n" in cell for cell in row) else ""
            raise GameFileError(f"{problem}{is_open}", place)
    return _table(numbered, str(path), name, checked)


def listed_table(rows: Sequence[Mapping[str, str]], name: str | None) -> NamedRows:
    """Return the rows of a list of mappings; a key that a row lacks is a missing value.

    Raises GameFileError as `read_table` does.
    """
    titles = list(dict.fromkeys(key for row in rows for key in row))
    cells = [[row.get(title, "") for title in titles] for row in rows]
    numbered = [(f"row {number}", row) for number, row in enumerate([titles, *cells])]
    return _table(numbered, "the table", name, True)


def _table(
    numbered: Sequence[tuple[str, Sequence[str]]], where: str, name: str | None, checked: bool
) -> NamedRows:
    """Return the table of a header and its rows, each with its place, for messages."""
    titles = [" ".join(title.split()) for title in numbered[0][1]] if numbered else []
    places, rows = [place for place, _ in numbered[1:]], [row for _, row in numbered[1:]]
    twice = [title for title in titles if title and titles.count(title) > 1]
    named = titles[0] if name is None and titles else name
    problem = ""
    if len(rows) < 2:
        problem = "a game needs a header and two rows, or there is nothing to find"
    elif len(rows) > MOST_ROWS:
        problem = f"{len(rows):,} rows are too many; at most {MOST_ROWS:,}"
    elif len(titles) > _MOST_COLUMNS:
        problem = f"{len(titles):,} columns are too many; at most {_MOST_COLUMNS}"
    elif twice:
        problem = f"two columns have the title {twice[0]!r:.40}"
    elif named not in titles:
        problem = f"there is no column {named!r:.40}{did_you_mean(str(named), titles)}"
    if problem or named is None:
        raise GameFileError(problem, where)
    names = [" ".join(row[titles.index(named)].split()) for row in rows]
    place_of: dict[str, str] = {}
    for called, place in zip(names, places, strict=True) if checked else ():
        first = place_of.setdefault(called.casefold(), place)
        if not called:
            problem = "the row has no name"
        elif called[0] in "/#" or " #" in called:
            problem = f"{called!r:.40} cannot be typed: it begins a command or a note"
        elif first != place:
            problem = f"two rows have the name {called!r:.40}; the first is {first}"
        if problem:
            raise GameFileError(problem, place)
    cells = [tuple(map(str.strip, column)) for column in zip(*rows, strict=True)]
    columns = {title: column for title, column in zip(titles, cells, strict=True) if title}
    return replace(NamedRows.of(names), columns=columns, places=places)


# A game file for a table.


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
    names = {title: len(_texts(cells)) for title, cells in columns.items() if not _count(cells)}
    name = max(names, key=lambda title: names[title], default="")
    if not name or names[name] * 2 <= len(columns[name]):
        raise GameFileError("no column has a name of its own for each row", f"{path}:1")
    rows = read_table(path, name)
    proposed = [(title, *_kind(rows, title)) for title in columns if title != name]
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


def _texts(cells: Sequence[str]) -> set[str]:
    """Return the different texts of some cells, in lower case, without that of a blank one."""
    return {" ".join(cell.split()).casefold() for cell in cells} - {""}


def _count(cells: Sequence[str]) -> int:
    """Return how many cells look like a number, 0 if it is the lesser part."""
    numbers = sum(bool(re.match(r"\W*\d", cell)) for cell in cells)
    return numbers if numbers * 2 > len(cells) else 0


def _kind(rows: NamedRows, title: str) -> tuple[str, str]:
    """Return how a column may answer, or "" and why it does not."""
    cells, troubles = rows.columns[title], dict[str, str]()
    for kind in ("order", "distance"):
        try:
            column_kind(title, kind).fill(rows)
        except ValueError as error:
            troubles[kind] = str(error)
    texts = _texts(cells)
    if len(texts) < 2:
        return "", "all rows are alike"
    if len(troubles) < 2:
        return "distance" if "order" in troubles else "order", ""
    sets = list(filter(_SET.fullmatch, texts))
    members = [member.strip() for each in sets for member in re.split("[,;/|]", each)]
    recur = len({*members}) < len(members) and len(sets) * 4 > len(texts)
    if not _count(cells) and (recur or {*members} & texts):
        return "overlap", ""
    if len(texts) < sum(map(bool, cells)):
        return "equal", ""
    return "", troubles["order"] if _count(cells) else "no two rows are alike"
