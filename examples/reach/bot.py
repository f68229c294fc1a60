"""Answers messages about guessing games, in any chat: `answer("wordle CRANE GY..G")`."""

import re

import puzzlehunt

USAGE = (
    "send a game and its rows, with a line break or `;` between rows: wordle CRANE GY..G; MOULD *"
)
GAME = re.compile(r"[a-z][a-z0-9-]*|[0-9]{1,2}x[0-9]{1,2}")
"""Pattern of names of games and of sizes such as 4x6; a path is neither."""


def answer(text: str) -> str:
    """Return one line in reply to a message: how many candidates are left, and what to guess.

    The message is a game and its rows, as in `USAGE`; a command such as `/suggest` may stand first.
    Nothing is kept from earlier messages. An error is a reply, too.
    """
    words = re.sub(r"^\s*/\w+(?!\S)", "", text).split(maxsplit=1)
    if not words:
        return USAGE
    name, rows = words[0].lower(), "".join(words[1:])
    if not GAME.fullmatch(name):
        return f"{name[:40]!r} is not a game; {USAGE}"
    lines = [row for row in re.split("[;\n]", rows) if row.strip()]
    try:
        advice = puzzlehunt.suggest(name, lines, top=3)
    except puzzlehunt.PuzzlehuntError as error:
        return " ".join(str(error).split())
    if not advice.guesses:
        return "solved"
    best, *others = advice.guesses
    left = "too many left to count" if advice.count is None else f"{advice.count:,} left"
    return f"{left}; try {best}" + (f", or {' or '.join(others)}" if others else "")
