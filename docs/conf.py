"""How Sphinx builds the site: `sphinx-build -W -n -c docs . build/site`.

The source folder is the checkout, so that links between its Markdown files work on the site as they
do on disk. The pages that have a part made from the program are those of `reference_pages.PARTS`.
"""

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import numpy.typing as npt  # noqa: E402
from sphinx.util.nodes import make_refnode  # noqa: E402
from sphinx.util.typing import stringify_annotation  # noqa: E402

import puzzlehunt  # noqa: E402
from puzzlehunt.game.files.gamefile import GameLike, GameText  # noqa: E402
from puzzlehunt.game.history import Row  # noqa: E402
from puzzlehunt.strategies.registry import StrategyLike  # noqa: E402
from reference_pages import PAGES, PARTS, public_name  # noqa: E402

project = "puzzlehunt"
author = "The puzzlehunt authors"
release = version = puzzlehunt.__version__

root_doc = "docs/index"
include_patterns = PAGES
exclude_patterns = [
    ".venv", ".git", "build", "dist", "tests", "puzzlehunt", ".*_cache", "docs/decisions",
]  # fmt: skip
CHILDREN = {
    "benchmarks": "/benchmarks/results/*",
    "examples/transcripts/README": "/examples/transcripts/[0-9]*",
}
"""Pages that list others, which stand below them in the tree: the pattern of those."""

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
autosummary_generate = False
myst_heading_anchors = 3
default_role = "code"
smartquotes = False
nitpick_ignore_regex = [
    # Annotations name private types, and those of the standard library and of numpy, whose pages
    # are elsewhere: they are shown without a link. A public name has to have one.
    (r"py:.*", r"(?!puzzlehunt\.[A-Z]\w*$).*"),
]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"

html_theme = "furo"
html_title = f"puzzlehunt {release}"
html_extra_path = ["redirect"]
html_static_path = ["static"]
html_css_files = ["wide.css"]
html_copy_source = False
html_show_sphinx = False

NO_PAGE = re.compile(r"\[([^\]]+)\]\([^)#:]*(?:/|decisions/[\w-]+\.md)\)")
"""A link to a folder, or to a decision: files of the checkout that are no pages."""
TYPES = {
    "StrategyLike": (StrategyLike, "the name of a strategy, a class, or a function of counts"),
    "GameLike": (GameLike, "a `Game`, what `load` takes, or a session, with its present rows"),
    "GameText": (GameText, "a name, a size such as `4x6`, a file, its text, or its keys"),
    "Row": (Row, "a turn, a fact, a line such as `CRANE GY..G`, or a guess with its answer"),
    "Array": (npt.NDArray[Any], "an array of numpy"),
}
"""The names by which signatures call what is long, each with what it stands for; longest first."""


def add_parts(_app: Any, name: str, source: list[str]) -> None:
    """Add to a page what is made from the program, and the tree of the pages below it.

    A link to what is no page becomes text.
    """
    source[0] = NO_PAGE.sub(r"\1", source[0])
    name = name.removeprefix("docs/")
    if name in PARTS:
        source[0] = PARTS[name](source[0])
    if name == "api":
        types = (
            f".. py:type:: puzzlehunt.{one}\n\n   {about}\n" for one, (_, about) in TYPES.items()
        )
        source[0] += "\n## Types\n\nSignatures call some types by these names:\n\n```{eval-rst}\n"
        source[0] += "\n".join(types) + "```\n"
    if name in CHILDREN:
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{CHILDREN[name]}\n```\n"


def name_types(*event: Any) -> tuple[str | None, ...]:
    """Return the signature of something and what it returns, with the names of `TYPES`."""

    def named(text: str | None) -> str | None:
        for name, (found, _) in TYPES.items():
            text = text and text.replace(
                stringify_annotation(found, "smart"), f"~puzzlehunt.{name}"
            )
        return text

    return tuple(map(named, event[-2:]))


def find_public(app: Any, _environment: Any, node: Any, content: Any) -> Any:
    """Return the link of a public name that an annotation calls by the module where it is."""
    target = public_name(node.get("reftarget", ""))
    if node.get("refdomain") != "py" or target is None:
        return None
    found = app.env.domains["py"].objects.get(target)
    if found is None:
        return None
    page = node.get("refdoc", root_doc)
    return make_refnode(app.builder, page, found.docname, found.node_id, content, target)


ACCESSIBLE = {
    'role="heading"': 'role="heading" aria-level="2"',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}
"""What Sphinx and the theme write, with what people without a mouse or a screen need."""


def make_accessible(
    _app: Any, _page: str, _template: str, context: dict[str, Any], _document: Any
) -> None:
    """Give captions a level, and let keys scroll what is wider than the page."""
    for key in {"body", "furo_navigation_tree"} & context.keys():
        for written, needed in ACCESSIBLE.items():
            context[key] = context[key].replace(written, needed)


def setup(app: Any) -> None:
    """Connect the functions of this file to Sphinx."""
    app.connect("source-read", add_parts)
    app.connect("autodoc-process-signature", name_types)
    app.connect("missing-reference", find_public)
    app.connect("html-page-context", make_accessible, priority=900)
