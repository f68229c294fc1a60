"""Tables whose rows are secrets: a CSV or TSV file with a header, or a list of mappings.

Errors name the file and the line, or the number of the mapping.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from puzzlehunt.codes.files import read_bytes
from puzzlehunt.codes.named_codes import NamedRows
from puzzlehunt.codes.words import resource_folder
from puzzlehunt.errors import GameFileError, counted, did_you_mean

MOST_ROWS = 200_000
"""Cap on the rows of a table."""
_MOST_COLUMNS = 100
_MOST_BYTES = 64_000_000
_SEPARATORS = "\t;,"
"""What may separate the cells of a file; of those in its header, the most frequent does."""


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
        numbered = [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise GameFileError(f"not CSV: {error}", f"{path}:{reader.line_num}") from None
    if not numbered:
        raise GameFileError("the file is empty; a table needs a header", f"{path}:1")
    lines, rows = [line for line, _ in numbered], [row for _, row in numbered]
    for line, row in numbered:
        if len(row) != len(rows[0]):
            problem = f"{counted(len(row), 'cell')}, but the header has {len(rows[0])}"
            is_open = "; a quote is not closed" if any("\n" in cell for cell in row) else ""
            raise GameFileError(f"{problem}{is_open}", f"{path}:{line}")
    places = [f"{path}:{line}" for line in lines]
    return _table(rows[0], rows[1:], places, name, checked)


def listed_table(rows: Sequence[Mapping[str, str]], name: str | None) -> NamedRows:
    """Return the rows of a list of mappings; a key that a row lacks is a missing value.

    Raises GameFileError as `read_table` does.
    """
    titles = list(dict.fromkeys(key for row in islice(rows, MOST_ROWS + 1) for key in row))
    cells = [[row.get(title, "") for title in titles] for row in rows]
    return _table(titles, cells, ["the table", *(f"row {n + 1}" for n in range(len(rows)))], name)


def _table(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    places: Sequence[str],
    name: str | None,
    checked: bool = True,
) -> NamedRows:
    """Return the table; `places` are those of its header and of its rows, for messages."""
    titles = [" ".join(title.split()) for title in titles]
    where, *places = places
    if len(rows) < 2:
        raise GameFileError("a game needs two rows, or there is nothing to find", where)
    if len(rows) > MOST_ROWS:
        problem = f"{len(rows):,} rows are too many; at most {MOST_ROWS:,}"
        raise GameFileError(problem, where)
    if len(titles) > _MOST_COLUMNS:
        problem = f"{len(titles):,} columns are too many; at most {_MOST_COLUMNS}"
        raise GameFileError(problem, where)
    if twice := [title for title in titles if title and titles.count(title) > 1]:
        raise GameFileError(f"two columns have the title {twice[0]!r:.40}", where)
    named = titles[0] if name is None else name
    if named not in titles:
        raise GameFileError(f"there is no column {named!r:.40}{did_you_mean(named, titles)}", where)
    names = [" ".join(row[titles.index(named)].split()) for row in rows]
    row_of: dict[str, int] = {}
    for number, called in enumerate(names if checked else ()):
        other, place = row_of.setdefault(called.casefold(), number), places[number]
        if not called:
            raise GameFileError("the row has no name", place)
        if called[0] in "/#" or " #" in called:
            problem = f"{called!r:.40} cannot be typed: it begins a command or a note"
            raise GameFileError(problem, place)
        if other != number:
            problem = f"two rows have the name {called!r:.40}; the first is {places[other]}"
            raise GameFileError(problem, place)
    cells = [tuple(map(str.strip, column)) for column in zip(*rows, strict=True)]
    columns = {title: column for title, column in zip(titles, cells, strict=True) if title}
    return replace(NamedRows.of(names), columns=columns, places=places)
