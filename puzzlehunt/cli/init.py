"""The command `init`: a game file of answers, each asked for again until it is right."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from puzzlehunt.cli.streams import fail, note, result
from puzzlehunt.codes import words
from puzzlehunt.errors import PuzzlehuntError, counted
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.atomic import check_free, write_new
from puzzlehunt.game.files.document import Document, read_document
from puzzlehunt.game.files.serialise import commented_file
from puzzlehunt.game.files.symbols import alphabet_of_symbols
from puzzlehunt.rules.registry import BUILT_IN, find_rule
from puzzlehunt.views.counts import count_of

Taken = TypeVar("Taken")

_ANSWERS = "answer"
"""What errors name instead of a file, which is not written yet."""


def init(file: Path) -> None:
    """Write a game file from answers."""
    check_free(file)
    text = _file_from_answers(file.parent)
    game = gamefile.build(read_document(text, str(file), file.parent))
    write_new(file, text)
    result(f"{file}: {count_of(game.secrets.size, 'secret')}. Now: puzzlehunt play {file}")


def _file_from_answers(folder: Path) -> str:
    """Ask what a game is like, and return the text of its game file, which will be in `folder`."""

    def list_name(answer: str) -> str:
        words.find(answer, folder)
        return answer

    def symbols(answer: str) -> str:
        names = alphabet_of_symbols(answer).symbols
        note(f"{counted(len(names), 'symbol')}: {' '.join(names)}")
        return answer

    def length(answer: str) -> str:
        _build({"secret": secret | {"length": answer}}, folder)
        return answer

    def distinct(answer: str) -> bool:
        is_distinct = _one_of(answer, "yes", "no") == "yes"
        _build({"secret": secret | {"distinct": str(is_distinct).lower()}}, folder)
        return is_distinct

    def rule_name(answer: str) -> str:
        _build({"secret": secret, "rule": find_rule(answer).name}, folder)
        return answer

    def miss_mark(answer: str) -> str:
        _build({"secret": secret, "rule": rule, "marks": {"miss": answer}}, folder)
        return answer

    title = _asked("What is the game called", "My game", str)
    kind = _asked("Are secrets words or symbols (colours, digits)", "words", _kind)
    if kind == "words":
        lists = ", ".join(words.ENGLISH_LISTS)
        secret = {"words": _asked(f"Which list ({lists}, or a file)", "standard", list_name)}
        secret["length"] = _asked("How many letters", "5", length)
    else:
        question = "The symbols, such as RGBYOP, 1-6, or red green blue"
        secret = {"symbols": _asked(question, "RGBYOP", symbols)}
        secret["length"] = _asked("How many places", "4", length)
    all_differ = _asked("Are all symbols of a secret different", "no", distinct)
    rules = ", ".join(rule for rule in BUILT_IN if rule != "pairs")
    rule = _asked(f"How a guess is answered ({rules})", "pegs", rule_name)
    has_miss = "miss" in find_rule(rule).mark_names
    miss = _asked("A mark for a miss, if it has one", "", miss_mark) if has_miss else ""
    return commented_file(title, secret, all_differ, miss, rule)


def _build(keys: dict[str, Any], folder: Path) -> None:
    """Raise GameFileError where keys make no game; relative paths in them count from a folder."""
    gamefile.build(Document(keys, {(): (_ANSWERS, 0)}, {_ANSWERS: folder}))


def _kind(answer: str) -> str:
    """Return `words` or `symbols`. Raises ValueError for an answer that means neither."""
    if any(noun.startswith(answer.casefold()) for noun in ("colours", "colors", "digits")):
        return "symbols"
    return _one_of(answer, "words", "symbols")


def _one_of(answer: str, *options: str) -> str:
    """Return the option that an answer begins. Raises ValueError for any other answer."""
    for option in options:
        if option.startswith(answer.casefold()):
            return option
    raise ValueError(f"expected {' or '.join(options)}, not {answer!r}")


def _asked(question: str, default: str, take: Callable[[str], Taken]) -> Taken:
    """Return what `take` makes of the first answer to a question that it does not refuse.

    An error that it raises is shown before the question is asked again.
    """
    prompt = f"{question} [{default}]: " if default else f"{question}: "
    while True:
        # The question goes to stderr, as stdout is for results.
        print(prompt, end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        if not answer:
            fail("nothing was written", 2)
        try:
            return take(answer.strip() or default)
        except (PuzzlehuntError, ValueError) as error:
            note(f"! {str(error).removeprefix(f'{_ANSWERS}: ')}")
