"""The word lists in the wheel: compressed, each length alone. hatchling runs it as a build hook."""

import gzip
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackedWords(BuildHookInterface):
    """Adds compressed copies of the lists to a wheel that is not for `pip install -e`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to those of the wheel."""
        if version == "editable":
            return
        folder = Path(tempfile.mkdtemp())
        for path in Path(self.root, "wordlists", "english").glob("*.txt"):
            packed = folder / f"{path.name}.gz"
            packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
            build_data["force_include"][str(packed)] = f"puzzlehunt/wordlists/english/{packed.name}"
