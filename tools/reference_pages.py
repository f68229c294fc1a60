"""The parts of the site's pages that are made from the program: options, keys, names and routes.

`docs/conf.py` adds them when the site is built.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from fastapi import FastAPI
from typer.main import get_command

import puzzlehunt
from puzzlehunt.cli.main import app
from puzzlehunt.game.files.schema import GameKeys
from puzzlehunt.web import api

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    "docs/**.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/results/*.md",
    "examples/plugins/README.md", "examples/reach/README.md", "examples/transcripts/*.md",
    "wordlists/README.md",
]  # fmt: skip
"""The pages of the site, as patterns of Sphinx: `**` is any folder."""
_COMMENT = re.compile(r" \((.*)\)$")
_LIST = re.compile(r"^`\w+`(?:,\s|\.$|`\w+`)+", re.MULTILINE)
"""A list of names in docs/api.md."""
Json = dict[str, Any]
STUB = Path(f"{puzzlehunt.__file__}i").read_text(encoding="utf-8")
"""The list of public names, each with its module."""


def commands(page: str) -> str:
    """Return the page of commands with the options of each, as `--help` has them."""
    parts = [page, "## Options of each command\n"]
    for name, command in leaves(get_command(app)):
        about, *examples = command.help.split("\n\n")
        parts += [f"### puzzlehunt {name}\n", about + "\n"]
        parts += ["```sh", *(_COMMENT.sub(r"  # \1", example) for example in examples), "```\n"]
        parts += _table("given as|what it is|default", map(_option, command.params))
    return "\n".join(parts)


def leaves(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the full name of each command, and the command."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from leaves(command, f"{name} ")
        else:
            yield before + name, command


def _option(option: Any) -> list[str]:
    is_flag = getattr(option, "is_flag", False)
    is_argument = option.param_type_name == "argument"
    names = [] if is_argument else [f"`{name}`" for name in option.opts]
    metavar = (option.metavar or option.name.upper()).replace("|", r"\|")
    value = [] if is_flag else [f"`{metavar}`"]
    given = isinstance(option.default, str | int | float) and not is_flag
    shown = f"`{option.default:g}`" if isinstance(option.default, float) else f"`{option.default}`"
    default = "required" if option.required else shown if given else ""
    return [" ".join([", ".join(names), *value]).strip(), option.help or "", default]


def keys(page: str) -> str:
    """Return the page of game files, its table with the values of each key.

    Raises ValueError if the table and the schema have other keys.
    """
    schema = dict(_keys_of(GameKeys))
    old = re.search(r"^\| key \| means \|\n\|---\|---\|\n((?:\|.*\n)+)", page, re.MULTILINE)
    if old is None:
        raise ValueError("docs/game-files.md has no table of keys")
    rows, listed = list[list[str]](), set[str]()
    for line in old[1].splitlines():
        first, meaning = line.strip("| ").split(" | ", 1)
        named = re.findall(r"`([a-z._]+)(?:: \w+)?`", first)
        listed |= {*named}
        values = dict.fromkeys(schema[name] for name in named if schema.get(name))
        rows.append([first, "; ".join(values), meaning])
    for key, values in schema.items():
        section = key.partition(".")[0]
        if section in ("lies", "play") and section != key:
            rows.append([f"`{key}`", values, f"see `{section}`"])
    # What a section holds is in the rows of its keys.
    wrong = {key for key in schema if key not in listed and not _is_told(key, listed)}
    wrong |= listed - {*schema, "rule.name", "rule.columns"}
    if wrong:
        raise ValueError(f"docs/game-files.md or the schema lacks {', '.join(sorted(wrong))}")
    table = "\n".join(_table("key|value|means", rows))
    return page[: old.start()] + table + page[old.end() :]


def _is_told(key: str, listed: set[str]) -> bool:
    """Return whether a key is told of by the row of its section, of its keys, or of `secret`."""
    section, _, rest = key.partition(".")
    if section == "guess" and rest:
        return f"secret.{rest}" in listed
    return section in listed if rest else any(one.startswith(f"{key}.") for one in listed)


def _keys_of(model: Any, section: str = "") -> Iterator[tuple[str, str]]:
    """Yield each key, dotted, with its values as text, the default first."""
    for field in fields(model):
        name, kinds = field.name, _kinds(field.type)
        inner = [kind for kind in kinds if is_dataclass(kind)]
        for kind in inner:
            yield from _keys_of(kind, f"{section}{name}.")
        default = None if field.default is MISSING else field.default
        values = [] if inner else [*dict.fromkeys(map(_value, kinds))]
        if values and default not in (None, "", [], {}):
            shown = f"`{str(default).lower()}`"
            values = [f"{shown} (default)", *(value for value in values if value != shown)]
        yield section + name, " or ".join(values)


def _kinds(annotation: Any) -> list[Any]:
    """Return the alternatives of an annotation: types, and the values of a Literal."""
    if get_origin(annotation) is Annotated:
        return _kinds(get_args(annotation)[0])
    if get_origin(annotation) is Literal:
        return [*get_args(annotation)]
    if get_origin(annotation) in (Union, UnionType):
        return [
            one for kind in get_args(annotation) if kind is not NoneType for one in _kinds(kind)
        ]
    return [True, False] if annotation is bool else [annotation]


def _value(kind: Any) -> str:
    """Return what may be written, as text."""
    told = {int: "a whole number", float: "a number", str: "text", dict: "a mapping"}
    told[range] = "a length, or a range"
    if isinstance(kind, str | bool):
        return f"`{str(kind).lower()}`"
    return told.get(get_origin(kind) or kind, "a list")


def overview(page: str) -> str:
    """Return the page of all names, each list as a table with what each name is."""
    table = (
        "```{eval-rst}\n.. currentmodule:: puzzlehunt\n.. autosummary::\n   :nosignatures:\n\n   "
    )
    return _LIST.sub(lambda listed: table + "\n   ".join(_listed(listed)) + "\n```\n", page)


def _listed(found: re.Match[str]) -> list[str]:
    return [name for name in re.findall(r"\w+", found[0]) if not name.startswith("__")]


def names(page: str) -> str:
    """Return a page with each name that docs/api.md lists under its title, and its docstring."""
    title = page.partition("\n")[0].removeprefix("# ")
    lists = (ROOT / "docs" / "api.md").read_text(encoding="utf-8").partition(f"## [{title}]")[2]
    parts = [page]
    for name in _listed(next(_LIST.finditer(lists))):
        found = getattr(puzzlehunt, name)
        if inspect.ismodule(found):
            # What is also a name of the package stands there.
            twice = ", ".join(sorted({*dir(found)} & {*puzzlehunt.__all__}))
            kind, more = "module", f"   :members:\n   :exclude-members: {twice}\n"
        elif inspect.isclass(found):
            kind, more = "class", "   :members:\n"
        else:
            kind, more = ("function" if inspect.isroutine(found) else "data"), ""
        block = f".. auto{kind}:: puzzlehunt.{name}\n{more}"
        parts += f"## {name}\n", f"```{{eval-rst}}\n{block}```\n", *_inherited(found)
    return "\n".join(parts)


def _inherited(found: Any) -> Iterator[str]:
    """Yield a sentence with the public members that a class has from others of the package."""
    seen, words = {*vars(found)}, list[str]()
    for base in inspect.getmro(found)[1:-1] if inspect.isclass(found) else ():
        new = [name for name in vars(base) if name[0] != "_" and name not in seen]
        seen |= {*new}
        if base.__module__.startswith("puzzlehunt."):
            owner = public_name(f"{base.__module__}.{base.__name__}")
            words += (f"{{py:obj}}`{one} <{owner}.{one}>`" if owner else f"`{one}`" for one in new)
    if words:
        yield f"Inherited: {', '.join(words)}.\n"


def routes(page: str) -> str:
    """Return the page of the HTTP interface with each route, its parameters and its models."""
    application = FastAPI(title="puzzlehunt", version=puzzlehunt.__version__)
    application.include_router(api.router)
    document = application.openapi()
    models = document["components"]["schemas"]
    parts = [page, "## Routes\n"]
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            parts += [f"### {method.upper()} `{path}`\n", route["description"] + "\n"]
            parts += _table("parameter|in|value|what it is", map(_parameter, _parameters(route)))
            if body := route.get("requestBody"):
                ((kind, content),) = body["content"].items()
                parts.append(f"Body ({kind}): {_kind(content.get('schema', {}))}\n")
            parts.append(f"Answer: {', '.join(_answers(route))}\n")
    parts.append("## Models\n")
    for name in sorted(models, key=str.casefold):
        model = models[name]
        parts += [f"(model-{name.lower()})=\n### {name}\n", model.get("description", "") + "\n"]
        fields = model.get("properties", {})
        needed = model.get("required", [])
        parts += _table(
            "field|value|what it is",
            (
                [f"`{field}`" + ("" if field in needed else " (optional)"), _kind(told),
                 told.get("description", "")]
                for field, told in fields.items()
            ),
        )  # fmt: skip
    return "\n".join(parts)


def _parameters(route: Json) -> list[Json]:
    return [one for one in route.get("parameters", []) if one["name"] != "board"]


def _parameter(told: Json) -> list[str]:
    about = told.get("description", told["schema"].get("description", ""))
    return [f"`{told['name']}`", told["in"], _kind(told["schema"]), about]


def _answers(route: Json) -> Iterator[str]:
    """Yield the statuses of success, each with what is answered."""
    for status, answer in route["responses"].items():
        if status.startswith("2"):
            kinds = answer.get("content", {}).items()
            told = [f"{kind} {_kind(content.get('schema', {}))}".strip() for kind, content in kinds]
            yield f"{status} ({' or '.join(told)})" if told else status


def _kind(schema: Json) -> str:
    """Return what a value is, as text."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#model-{name.lower()})"
    if "enum" in schema or "const" in schema:
        return " or ".join(f"`{one}`" for one in schema.get("enum", [schema.get("const")]))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(map(_kind, schema[key])))
    kind = schema.get("type", "")
    if kind == "array":
        return f"list of {_kind(schema.get('items', {})) or 'anything'}"
    if keys := schema.get("properties"):
        return "object of " + ", ".join(f"`{key}`" for key in keys)
    return str(kind)


def _table(head: str, rows: Any) -> list[str]:
    """Return the lines of a Markdown table, none without rows."""
    lines = [f"| {' | '.join(cell for cell in row)} |" for row in rows]
    titles = head.split("|")
    return [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|", *lines, ""] if lines else []


def public_name(target: str) -> str | None:
    """Return the public name of something by its module and name, None if it is private."""
    module, _, name = target.rpartition(".")
    if not re.search(rf"^from {re.escape(module)} import {name} as", STUB, re.MULTILINE):
        return None
    return f"puzzlehunt.{name}"


PARTS: dict[str, Callable[[str], str]] = {
    "api": overview, "commands": commands, "game-files": keys, "http": routes
} | {f"api/{path.stem}": names for path in (ROOT / "docs" / "api").glob("*.md")}  # fmt: skip
"""The pages of `docs/` with a part that is made, and the function that adds it."""
