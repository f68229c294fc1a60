"""A referee for a player in any language: `score -` answers its guesses, `review` grades them.

usage: referee.py GAME SECRET COMMAND...

COMMAND prints a guess a line, and reads after each a line of JSON: its feedback, or an error.
"""

import json
import subprocess
import sys
from typing import Any

PUZZLEHUNT = [sys.executable, "-m", "puzzlehunt"]
NOVICE = "for word in 'HI ZZZZZ CRANE CROWD CHOIR'.split(): print(word, flush=True), input()"
"""A player that hears nothing; the first two of its guesses are refused."""


def start(command: list[str]) -> Any:
    """Start a program between two pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")


def rows_of(game: str, secret: str, command: list[str], attempts: int = 6) -> list[str]:
    """Let a player play one game, and return its rows; print what it was told."""
    rows: list[str] = []
    with start([*PUZZLEHUNT, "score", game, "-"]) as scorer, start(command) as player:
        for guess in player.stdout:
            print(secret, guess.strip(), file=scorer.stdin, flush=True)
            answer = json.loads(scorer.stdout.readline())
            is_won = answer.pop("secret") == answer["guess"]
            if not answer.get("listed", True):
                answer = {"guess": answer["guess"], "error": "it is in no list of this game"}
            print(json.dumps(answer))
            print(json.dumps(answer), file=player.stdin, flush=True)
            if "error" not in answer:
                rows.append(f"{answer['guess']} {answer['feedback']}")
            if is_won or len(rows) == attempts:
                break
    return rows


def main(game: str = "wordle", secret: str = "CHOIR", *command: str) -> None:
    """Print the game of a player, and its grade."""
    rows = rows_of(game, secret, list(command) or [sys.executable, "-c", NOVICE])
    asked = [*PUZZLEHUNT, "review", game, "--json", "--history", "-"]
    grade = json.loads(subprocess.check_output(asked, input="\n".join(rows), text=True))
    for turn in grade["turns"]:
        best = f"{turn['best']} {turn['most']:.1f}"
        print(f"{turn['guess']} {turn['clue']}: {turn['expected']:.1f} bits expected, best {best}")
    print(f"skill {grade['skill']:.2f}, luck {grade['luck']:+.1f} bits")


if __name__ == "__main__":
    main(*sys.argv[1:])
