"""The house as it is said to be: few names at the top, one idea a file, and text in views alone."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

import house
from puzzlehunt.rules.rule_registry import BUILT_IN as RULES
from puzzlehunt.strategies.registry import BUILT_IN as STRATEGIES

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "puzzlehunt"
FILES = sorted(PACKAGE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ROOMS, FAMILIES = (c["layers"] for c in SETTINGS["tool"]["importlinter"]["contracts"][:2])


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def is_compiled(function: ast.FunctionDef) -> bool:
    return any(
        re.match("kernel|makes_no_array|inner|inlined|numba", ast.unparse(d))
        for d in function.decorator_list
    )


def test_the_top_of_the_package_is_its_rooms() -> None:
    known = {room.strip("() ") for layer in ROOMS for room in layer.split("|")} | {"__init__", "py"}
    assert {path.stem for path in PACKAGE.iterdir()} - {"__pycache__"} <= known


@pytest.mark.parametrize("room", sorted(PACKAGE.rglob("__init__.py")), ids=str)
def test_a_room_says_what_it_holds_and_loads_nothing(room: Path) -> None:
    tree = ast.parse(room.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    # Some rooms load each name when it is used.
    is_lazy = any(isinstance(node, ast.FunctionDef) for node in tree.body)
    assert room.parent == PACKAGE or is_lazy or len(tree.body) == 1


def test_a_room_names_its_files() -> None:
    for file in FILES:
        if file.parent != PACKAGE and file.stem != "__init__":
            room = (file.parent / "__init__.py").read_text(encoding="utf-8")
            assert re.search(rf"\b{file.stem}\b", room), (
                f"{file.parent.name}/__init__.py lacks `{file.stem}`"
            )


def test_no_file_and_no_function_is_two_ideas() -> None:
    for file, tree in TREES.items():
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 600, file
        for function in functions(tree):
            parts = [function.body]
            if isinstance(table := function.body[-1], ast.Match) and len(function.body) == 2:
                parts = [case.body for case in table.cases]
            length = max((part[-1].end_lineno or 0) - part[0].lineno + 1 for part in parts)
            assert length <= 60 or is_compiled(function), f"{file.name}: {function.name}"


def test_nothing_but_a_view_makes_html_json_or_lines() -> None:
    for file, tree in TREES.items():
        if file.parent != PACKAGE / "views":
            for function in functions(tree):
                hook = function.name == "_repr_html_" and len(function.body) <= 2
                named = function.name in ("_repr_html_", "as_json", "lines")
                assert hook or not named, f"{file.name}: {function.name}"


def test_the_contract_of_families_names_every_rule_and_strategy() -> None:
    named = set(re.findall(r"\w+", " ".join(FAMILIES)))
    kinds = [type(strategy()) for strategy in STRATEGIES.values()] + list(RULES.values())
    assert {kind.__module__.rpartition(".")[2] for kind in kinds} <= named


def test_values_are_frozen_and_slotted() -> None:
    building_up = {
        "_Level",
        "Document",
        "_Entry",
        "_Reviewer",
        "Player",
        "Pool",
        "Subproblem",
        "RootMove",
    }
    unslotted = {"BoardSpace", "Game", "Partition", "_Answer", "Table", "Document", "Player"}
    for file, tree in TREES.items():
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            for decorator in map(ast.unparse, node.decorator_list):
                if decorator.startswith("dataclass"):
                    keeps = node.name in unslotted or "cached_property" in ast.unparse(node)
                    where = f"{file}: {node.name}"
                    assert ("frozen=True" in decorator) == (node.name not in building_up), where
                    assert ("slots=True" in decorator) == (not keeps), where


def test_no_files_import_each_other_in_a_circle() -> None:
    """Be it for types alone or within a function; but engines name types that list codes."""
    engines = {f"puzzlehunt.engines.{name}" for name in ("base", "explicit", "sampling.sampler")}
    graph = grimp.build_graph("puzzlehunt")
    assert engines == {
        name
        for name in graph.modules
        for imported in graph.find_modules_directly_imported_by(name)
        if graph.chain_exists(importer=imported, imported=name)
    }


def test_budgets_only_fall() -> None:
    table: house.Budgets = {"codes": (30, 20), "rules": (40, 40), house.BYTES: (900, 500)}
    sizes = {"codes": 30, "rules": 35, house.BYTES: 900}
    moved = table | {"codes": (35, 20), "rules": (35, 40)}
    assert not [*house.faults(table, sizes, {"a": table, "b": moved})]
    assert len([*house.faults(table, sizes | {"codes": 31}, {})]) == 1
    assert len([*house.faults(table, sizes | {"codes": 29}, {})]) == 1
    for lower in ({"codes": (29, 20)}, {house.BYTES: (899, 500)}):
        assert len([*house.faults(table, sizes, {"a": table | lower})]) == 1
