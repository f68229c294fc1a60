"""What a session's file says beside its turns: its game, its word lists, changed settings.

In memory every game and list that is a file has its whole path; in the session's file it has the
path from that file's own folder, so that a folder may move.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from puzzlehunt.codes import words
from puzzlehunt.errors import GameFileError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import Document, set_option
from puzzlehunt.game.files.rates import REST, RateError, split_reads
from puzzlehunt.game.play import SOLVERS
from puzzlehunt.session.storage import real_path


def with_reads(document: Document, text: str, option: str) -> Document:
    """Return a document with how often marks are read.

    `black=0.1,red=easy` changes those kinds alone, a word such as `learn` all. `option` is what
    the setting was called by whoever wrote it. Raises GameFileError.
    """
    try:
        rates = split_reads(text)
    except RateError as error:
        raise GameFileError(f"{option} {text}: {error}") from None
    if isinstance(rates, str):
        return set_option(document, option, ("reads",), rates)
    if isinstance(own := document.value.get("reads"), str):
        document = replace(document, value={**document.value, "reads": {REST: own}})
    for key, rate in rates.items():
        document = set_option(document, f"{option} {key}=", ("reads", key), rate)
    return document


def whole_reference(name: str, folder: Path) -> str:
    """Return a game's name as it holds everywhere: a file's whole path, all else as it is."""
    return name if name in gamefile.built_in_games() else _whole_path(name, folder)


def kept_settings(document: Document) -> dict[str, Any]:
    """Return what a document says beside its game and turns, lists of words by their whole paths.

    A solver that is a command is not kept: no file may have one run.
    """
    kept = {k: v for k, v in document.value.items() if k not in ("game", "facts", "turns")}
    play = kept.get("play")
    if isinstance(play, dict) and play.get("solver", SOLVERS[0]) not in SOLVERS:
        kept["play"] = {k: v for k, v in play.items() if k != "solver"}

    return with_lists(kept, lambda key, n: whole_list(n, document.folder((key, "words"))))


def whole_list(name: str, folder: Path) -> str:
    """Return the name of a list as it holds everywhere: a file's whole path, or a built-in name."""
    return name if name in words.built_in_lists() else _whole_path(name, folder)


def _whole_path(name: str, folder: Path) -> str:
    try:
        path = folder / Path(name).expanduser()
        return str(real_path(path.parent) / path.name) if name and path.is_file() else name
    except (OSError, RuntimeError, ValueError):
        return name


def with_lists(settings: Mapping[str, Any], rename: Callable[[str, str], str]) -> dict[str, Any]:
    """Return settings with each list of words renamed, given its key and its name."""
    renamed = dict(settings)
    for key in ("secret", "guess"):
        part = renamed.get(key)
        if isinstance(part, dict) and isinstance(part.get("words"), str):
            renamed[key] = {**part, "words": rename(key, part["words"])}
    return renamed


def reference_from(reference: str, folder: Path) -> str:
    """Return a whole reference as it must stand in a file of that folder.

    Files that share nothing with the folder but the root keep their whole path, and so do all for
    the folder `.`: what is behind a link is found from two folders.
    """
    if not Path(reference).is_absolute() or folder == Path():
        return reference
    try:
        shared = Path(os.path.commonpath([reference, folder]))
    except ValueError:
        return reference
    if shared.parent == shared:
        return reference
    return Path(os.path.relpath(reference, folder)).as_posix()
