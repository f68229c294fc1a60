"""Reads NetHack's tune from a decision tree: `python tune.py nethack.tree`, an answer a line."""

import sys
from pathlib import Path


def load(path: str) -> dict[str, str]:
    """Return the tune to play after each sequence of answers, such as `"00 11 "`; first `""`.

    Raises ValueError if the file is no decision tree, and OSError if it cannot be read.
    """
    head, _, lines = Path(path).read_text(encoding="ascii").partition("\n\n")
    if not head.startswith("puzzlehunt tree 1\n"):
        raise ValueError("this is no decision tree")
    tunes: dict[str, str] = {}
    answers: list[str] = []
    for line in lines.splitlines():
        words = line.split()
        depth = len(line) - len(line.lstrip(" "))
        if depth:
            answers[depth - 1 :] = [words.pop(0) + " "]
        tunes["".join(answers)] = words[0]
    return tunes


def main() -> None:
    """Play games one after the other: print a tune, then read how many gears and tumblers move."""
    try:
        tunes = load(sys.argv[1])
    except (IndexError, OSError, ValueError) as error:
        sys.exit(f"usage: python tune.py nethack.tree ({error})")
    path = ""
    print(tunes[path], flush=True)
    for line in sys.stdin:
        numbers = line.split()
        if len(numbers) != 2 or not all(n in ("0", "1", "2", "3", "4", "5") for n in numbers):
            print("expected GEARS TUMBLERS, such as 1 2", file=sys.stderr)
        elif numbers == ["5", "0"]:
            print("found")
            path = ""
        elif (longer := f"{path}{''.join(numbers)} ") in tunes:
            path = longer
        else:
            print("impossible")
            path = ""
        print(tunes[path], flush=True)


if __name__ == "__main__":
    main()
