"""Game files broken at random: no error but the package's own may come out of loading one."""

import random
import re

from puzzlehunt.errors import PuzzlehuntError
from puzzlehunt.game.files import gamefile

TOKENS = [
    *["~", "null", "no", "on", "0123", "1e999", ".nan", "-1", "0", "9" * 400, "0x10", "5-4"],
    *["[", "]", "{", "}", "[[[[", "}}", ": ", "- ", "? ", "&a ", "*a", "|", ">", "(", "#", "'"],
    *['"', "\\", "\t", "\r", "\n", "\0", "\a", "\u2028", "\ufeff", "é", "日本", "😀", "ß", "İ"],
    *["!!python/name:os ", "%YAML 1.1", "---", "...", "<<: *a", "0-1000", "A" * 3000],
    *["words: huge.txt", "length: 99", "game: a.yaml", "symbols: []", "turns: [x]"],
    *["facts: ['[']", "reads: {}", "also: {}"],
]


def mutated(rng: random.Random, text: str, others: list[str]) -> bytes:
    """A text with a few random changes, of bytes, tokens, numbers, lines and keys."""
    for _ in range(rng.randint(1, 4)):
        change = rng.choice([swap_token, swap_number, change_lines, swap_keys, splice])
        text = change(rng, text, others)
    raw = bytearray(text.encode(errors="surrogatepass"))
    for _ in range(rng.choice([0, 0, 1, 3])):
        if raw:
            raw[rng.randrange(len(raw))] = rng.randrange(256)
    return bytes(raw)


def swap_token(rng, text, others):
    places = [match.span() for match in re.finditer(r"\w+|\W", text)] or [(0, 0)]
    start, end = rng.choice(places)
    return text[:start] + rng.choice([*TOKENS, ""]) + text[rng.choice([start, end]) :]


def swap_number(rng, text, others):
    number = str(rng.choice([0, -1, 7, 22, 250, 999, 1001, 10**9, 10**30]))
    return re.sub(r"\d+", lambda _: number if rng.random() < 0.5 else _[0], text)


def change_lines(rng, text, others):
    lines = text.split("\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case _:
            lines[at] = rng.choice(["  ", " ", "\t", "- "]) + lines[at]
    return "\n".join(lines)


def swap_keys(rng, text, others):
    keys = re.findall(r"\w+(?=:)", text) or ["title"]
    one, other = rng.choice(keys), rng.choice([*keys, "play", "strategy", "words", "symbols"])
    return re.sub(rf"\b{one}\b(?=:)", other, text, count=rng.choice([0, 1]))


def splice(rng, text, others):
    other = rng.choice(others)
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other)) :]


def test_nothing_but_its_own_errors_escapes_from_five_thousand_broken_files(tmp_path):
    texts = []
    for name, path in gamefile.built_in_games().items():
        text = re.sub(r"\b(standard|common)\b", "words.txt", path.read_text())
        texts.append(re.sub(r"^game: (\S+)", r"game: \1.yaml", text, flags=re.MULTILINE))
        (tmp_path / f"{name}.yaml").write_text(texts[-1])
    (tmp_path / "words.txt").write_text("heart\nhorse\nworse\ncrane 2\nfour\nslate\nforty\n")
    path = tmp_path / "mutated.yaml"
    rng = random.Random(2018)
    loaded, messages = 0, []
    for _ in range(5_000):
        path.write_bytes(mutated(rng, rng.choice(texts), texts))
        try:
            gamefile.load(str(path))
            loaded += 1
        except PuzzlehuntError as error:
            messages.append(str(error))
    assert 250 < loaded < 2500
    assert all(len(message.splitlines()) == 1 for message in messages)
    assert all(len(message) < 1000 for message in messages)
    assert all(str(tmp_path) in message for message in messages)
