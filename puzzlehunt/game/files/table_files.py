"""Tables whose rows are secrets: a CSV or TSV file with a header, or a list of mappings.

Errors name the file and the line, or the number of the mapping. `game_of_table` proposes a game
file: which column has the names, and how each of the others may answer.
"""

import csv
import io
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
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
_LATITUDES, _LONGITUDES = ("lat", "latitude"), ("lon", "lng", "long", "longitude")
_SET = re.compile(r"(?!n/a$)[^,;/|]+(?:[,;/|][^,;/|]+)+")
"""A cell with several members, in lower case."""
_NUMBER = re.compile(r"\W*\d(?:[\d.,']*[^\d,;|]*|\d*(?:[-/.]\d+){2})")
"""One number, also with a unit or with commas, which no column takes, or a date."""
_DISTANCE = "{{distance: {}, round: 100, compass: 8}}"


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
