"""The keys of a session's file other than its turns: its game, its word lists, its settings.

A reference is the value of the key `game`: the name of a built-in game, a size such as 4x6, or the
path of a game file. The paths of games and word lists are absolute in memory, and relative to the
session's file on the disk, so that a folder can be moved.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from puzzlehunt.codes import words
from puzzlehunt.codes.files import path_written
from puzzlehunt.errors import GameFileError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import real_path
from puzzlehunt.game.files.document import Document, KeyPath, set_option
from puzzlehunt.game.files.reads import REST, RateError, split_reads
from puzzlehunt.game.play import SOLVERS, TREE_PREFIX, names_code


def with_reads(document: Document, text: str, option: str) -> Document:
    """Return a game file with its key `reads` changed, which says how often marks are read.

    A text such as `black=0.1,red=easy` changes the rates of those kinds of marks only; a word such
    as `learn` changes the rates of all kinds. Error messages call the setting by the name `option`:
    `--reads` or `/rates`. Raises GameFileError for a malformed text. It is not checked whether the
    game has these kinds of marks.
    """
    try:
        rates = split_reads(text)
    except RateError as error:
        raise GameFileError(str(error), f"{option} {text}") from None
    if isinstance(rates, str):
        return set_option(document, option, ("reads",), rates)
    if isinstance(word := document.value.get("reads"), str):
        document = replace(document, value={**document.value, "reads": {REST: word}})
    for key, rate in rates.items():
        document = set_option(document, f"{option} {key}=", ("reads", key), rate)
    return document


def absolute_reference(name: str, folder: Path) -> str:
    """Return a reference that means the same in every folder: a file becomes an absolute path.

    A built-in game or a size keeps its name. A relative path counts from `folder`.
    """
    name = gamefile.own_name(name, folder)
    return name if name in gamefile.built_in_games() else _absolute_path(name, folder)


def kept_settings(document: Document) -> dict[str, Any]:
    """Return the keys of a game file that a session stores, with absolute paths.

    The keys for the game, the facts and the turns are left out.
    """
    value = keepable(document.value)
    settings = {k: v for k, v in value.items() if k not in ("game", "facts", "turns")}

    def rename(path: KeyPath, name: str) -> str:
        absolute = _absolute_path if path[0] == "play" else absolute_list
        return absolute(name, document.folder(path))

    return with_renamed_files(settings, rename)


def keepable(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a game file except those that name code or commands."""
    play = value.get("play")
    if not isinstance(play, dict):
        return dict(value)
    kept = {
        key: text
        for key, text in play.items()
        if not (key == "solver" and text not in SOLVERS)
        and not (key == "strategy" and isinstance(text, str) and names_code(text))
    }
    if kept == play:
        return dict(value)
    return {**value, "play": kept} if kept else {k: v for k, v in value.items() if k != "play"}


def absolute_list(name: str, folder: Path) -> str:
    """Return a built-in word list's name unchanged, and a file's name as an absolute path."""
    return name if name in words.built_in_lists() else _absolute_path(name, folder)


def _absolute_path(name: str, folder: Path) -> str:
    try:
        path = folder / path_written(name)
        return str(real_path(path.parent) / path.name) if name and path.is_file() else name
    except (OSError, RuntimeError, ValueError):
        return name


_FILE_KEYS: tuple[KeyPath, ...] = (("secret", "words"), ("guess", "words"), ("play", "strategy"))
"""The keys, besides `game`, that can name a file: two word lists, and a tree (after `tree:`)."""


def with_renamed_files(
    settings: Mapping[str, Any], rename: Callable[[KeyPath, str], str]
) -> dict[str, Any]:
    """Return settings in which the word lists and the tree have other names.

    `rename` is called with the path of a key, and the name of its word list or its tree's file; it
    returns the new name.
    """
    renamed = dict(settings)
    for path, name in _named_files(settings):
        section, key = str(path[0]), str(path[1])
        prefix = TREE_PREFIX if key == "strategy" else ""
        renamed[section] = {**renamed[section], key: prefix + rename(path, name)}
    return renamed


def _named_files(settings: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Yield the names of word lists, the built-in ones too, and of the tree, with their keys."""
    for path in _FILE_KEYS:
        section = settings.get(str(path[0]))
        name = section.get(path[1]) if isinstance(section, dict) else None
        if isinstance(name, str) and (path[1] == "words" or name.startswith(TREE_PREFIX)):
            yield path, name.removeprefix(TREE_PREFIX) if path[1] == "strategy" else name


def file_keys(
    authored: Document, reference: str, settings: Mapping[str, Any], path: Path
) -> dict[str, Any]:
    """Return the keys, except facts and turns, that a session's file at `path` should have.

    `authored` is what the file's author wrote there; a key of it is kept as written if its meaning
    has not changed. The other keys come from the session's `reference` and its `settings`, whose
    absolute paths become relative to the file.
    """
    # A file behind a link is read from two folders: absolute paths are right in both.
    folder = Path() if path.is_symlink() else real_path(path.parent)
    kept = keepable(settings)
    keys = with_renamed_files(kept, lambda _, name: relative_reference(name, folder))
    game_key = {"game": relative_reference(reference, folder)} if reference else {}
    meanings = kept_settings(authored)
    as_written = {key: authored.value[key] for key, v in meanings.items() if v == settings.get(key)}
    written = authored.value.get("game")
    if written is not None and absolute_reference(written, path.parent) == reference:
        as_written["game"] = written
    return game_key | keys | as_written


def relative_reference(reference: str, folder: Path) -> str:
    """Return an absolute reference, or a word list's name, as a file in `folder` writes it.

    A path becomes relative to the folder if both are below a common folder other than the root. If
    the folder is `.`, paths stay absolute.
    """
    if not Path(reference).is_absolute() or folder == Path():
        return reference
    try:
        common = Path(os.path.commonpath([reference, folder]))
    except ValueError:
        return reference
    if common.parent == common:
        return reference
    return Path(os.path.relpath(reference, folder)).as_posix()
