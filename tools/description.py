"""The description and the addresses of the package, as its index shows them, and its word lists.

hatchling calls it when the package is built. The description is README.md without what needs a
checkout. PUZZLEHUNT_SITE is the address of the published site: with it, links and pictures lead
there. Without it there are no pictures and no page of links, and other links are plain text.
"""

import gzip
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^):]+)\)\n*")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^):]+)\)")
_CHECKOUT = re.compile(
    r"^With only .*?^```sh$.*?^```\n+After .*? is `puzzlehunt`\.", re.MULTILINE | re.DOTALL
)
"""The command that installs and plays in a checkout, and what is typed after it."""


def description(readme: str, site: str) -> str:
    """Return the text of README.md for the site at an address, which ends in `/`; "" for none."""
    text = _CHECKOUT.sub("Install it with `pip install puzzlehunt`.", readme)
    text = _section("Test it").sub("", text).replace("'.[", "'puzzlehunt[")
    if not site:
        text = re.sub(rf":\n\n{_PICTURE.pattern}", ".\n\n", _section("More").sub("", text))
        return _LINK.sub(r"\1", _PICTURE.sub("", text).replace("\n[More](docs/clues.md).\n", ""))

    def picture(found: re.Match[str]) -> str:
        return f"![{found[1]}]({site}_images/{Path(found[2]).name})\n\n"

    def page(found: re.Match[str]) -> str:
        target, _, anchor = found[2].partition("#")
        if target.endswith(".md"):
            address = f"{target.removesuffix('.md')}.html"
        elif target.endswith("/"):
            address = f"{target}README.html"
        else:
            return found[1]
        return f"[{found[1]}]({site}{address}{'#' if anchor else ''}{anchor})"

    return _LINK.sub(page, _PICTURE.sub(picture, text))


def _section(title: str) -> re.Pattern[str]:
    """Return a pattern of the section of README.md that has a title."""
    return re.compile(rf"^## {title}$.*?(?=^## |^MIT licence)", re.MULTILINE | re.DOTALL)


class Description(MetadataHookInterface):
    """The fields of the package that depend on where its pages are."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description, and the address of the pages where there is one."""
        site = os.environ.get("PUZZLEHUNT_SITE", "")
        site += "/" if site and not site.endswith("/") else ""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = description(readme, site)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        if site:
            metadata["urls"] = {"Documentation": site}


class PackedWords(BuildHookInterface):
    """The word lists in the wheel: compressed, each length alone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compressed files to a wheel that is not for `pip install -e`."""
        if version == "editable":
            return
        folder = Path(tempfile.mkdtemp())
        for path in Path(self.root, "wordlists", "english").glob("*.txt"):
            packed = folder / f"{path.name}.gz"
            packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
            build_data["force_include"][str(packed)] = f"puzzlehunt/wordlists/english/{packed.name}"
