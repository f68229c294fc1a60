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

from sphinx.util.nodes import make_refnode  # noqa: E402

import puzzlehunt  # noqa: E402
from reference_pages import PAGES, PARTS, public_name  # noqa: E402

project = "puzzlehunt"
author = "The puzzlehunt authors"
release = version = puzzlehunt.__version__

root_doc = "docs/index"
include_patterns = PAGES
exclude_patterns = [".venv", ".git", "build", "dist", "tests", "puzzlehunt", ".*_cache"]
CHILDREN = {
    "benchmarks": "/benchmarks/results/*",
    "decisions/README": "/docs/decisions/*",
    "examples/transcripts/README": "/examples/transcripts/[0-9]*",
}
"""Pages that list others, which stand below them in the tree: the pattern of those."""

extensions = ["myst_parser", "sphinx.ext.autodoc"]
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
html_copy_source = False
html_show_sphinx = False

FOLDER_LINK = re.compile(r"\[([^\]]+)\]\([^)#:]*/\)")


def add_parts(_app: Any, name: str, source: list[str]) -> None:
    """Add to a page what is made from the program, and the tree of the pages below it.

    A link to a folder, which is no page, becomes text.
    """
    source[0] = FOLDER_LINK.sub(r"\1", source[0])
    name = name.removeprefix("docs/")
    if name in PARTS:
        source[0] = PARTS[name](source[0])
    if name in CHILDREN:
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{CHILDREN[name]}\n```\n"


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
    app.connect("missing-reference", find_public)
    app.connect("html-page-context", make_accessible, priority=900)
