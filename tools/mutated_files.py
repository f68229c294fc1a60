"""Mutated game files: each is a game, or refused in one line that names a file."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
_LONGEST = 4_000
"""Longest file that is mutated (characters): long ones, full of words, change little."""
_SIGNS = [
    *"&*!{}[]: \n\t'\"#-?|>%@0\0\x1b\u202e~", "\\e", "---", "-1", "99999999999", "1-6", "null",
    "  ", "game: ..", "tree:x", "a:b", "strategy: os:system", "words: /etc/passwd",
    "lies: {at_most: 3}", "boards: 4", "turns: [A B]", "reads: learn", "hard: true", "<<: x",
    "&a ", "*a", "[[[[", "}}", "...", "%YAML 1.1", "!!python/name:os ", "~", "on", "0123", "1e999",
    ".nan", "0x10", "5-4", "0-1000", "9" * 400, "A" * 3000, "\a", "\t", "\r", "\u2028", "\ufeff",
    "é", "日本", "😀", "ß", "İ",
    "length: 99", "symbols: []", "facts: ['[']", "reads: {}", "also: {}",
]  # fmt: skip
_NUMBERS = ["0", "-1", "7", "22", "250", "999", "1001", "1" + "0" * 30]


def mutated_files(seed: int, count: int) -> Iterator[bytes]:
    """Yield the contents of files of built-in games with one to six changes, of bytes too."""
    rng = random.Random(seed)
    files = sorted(EXAMPLES.glob("*.yaml"))
    texts = [text for file in files if len(text := file.read_text(encoding="utf-8")) < _LONGEST]
    for _ in range(count):
        text = rng.choice(texts) + (rng.choice(texts) if rng.random() < 0.3 else "")
        for _ in range(rng.randint(1, 6)):
            text = changed(text, rng)
        content = bytearray(text.encode())
        for _ in range(rng.choice([0, 0, 0, 2]) if content else 0):
            content[rng.randrange(len(content))] = rng.randrange(256)
        yield bytes(content)


def changed(text: str, rng: random.Random) -> str:
    """Return a text with one change: of characters, of numbers, of two lines or of a key."""
    start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    match rng.choice(("leave out", "put in", "put in", "repeat", "numbers", "lines", "key")):
        case "leave out":
            return text[:start] + text[start + rng.randint(1, 12) :]
        case "put in":
            return text[:start] + rng.choice(_SIGNS) + text[start:]
        case "repeat":
            return text[:start] + text[start:end] + text[start:]
        case "numbers":
            number = rng.choice(_NUMBERS)
            return re.sub(r"\d+", lambda found: rng.choice([number, found[0]]), text)
        case "lines":
            lines = text.split("\n")
            one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[one]
            return "\n".join(lines)
    keys = re.findall(r"\w+(?=:)", text) or ["title"]
    one, other = rng.choice(keys), rng.choice([*keys, "play", "strategy", "words", "symbols"])
    return re.sub(rf"\b{one}\b(?=:)", other, text, count=rng.choice([0, 1]))


def problem_of(content: bytes, file: Path) -> str | None:
    """Return what is wrong with how a file is taken; "" for a game, None if refused.

    Right is a game, or a refusal in one line that begins with the name of a file.
    """
    file.write_bytes(content)
    try:
        gamefile.load(str(file))
    except PuzzlehuntError as error:
        said = str(error)
        names_a_file = said.startswith((str(file), *gamefile.built_in_games()))
        if len(said.splitlines()) == 1 and len(said) < 1_000 and names_a_file:
            return None
        return f"refused as {said!r}"
    except Exception as error:  # noqa: BLE001 - the very thing that is looked for
        return f"{type(error).__name__}: {error}"
    return ""
