"""Draw pictures of docs/: real games, played by the program, as they look in a terminal.

python tools/terminal_picture.py            write the pictures
python tools/terminal_picture.py --check    exit with 1 if a game now looks different
"""

import html
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
UNEXPLAINED = "play wordle --set legend=unknown --set secret.words=common"
PICTURES = {
    "session.svg": ("play cryptic", "cryptic-session.txt", 4),
    "unexplained.svg": (UNEXPLAINED, "unexplained-session.txt", None),
}
"""The pictures: a command without `puzzlehunt`, the file in examples/ of the lines that are typed,
and how many of them are shown, with their answers."""
WIDTH = 60
HEIGHT = 400
"""How high a page shows a picture (pixels)."""


def played(command: str, lines: str, most: int | None) -> str:
    """Return the first lines of a file with what the program answers, colours included."""
    with tempfile.TemporaryDirectory() as folder:
        shown = {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
        environment = {**os.environ, **shown, "XDG_STATE_HOME": folder}
        environment.pop("NO_COLOR", None)
        program = f"{sys.executable} -m puzzlehunt {command} < {ROOT / 'examples' / lines}"
        done = subprocess.run(
            ["script", "--quiet", "--return", "--command", program, "/dev/null"],
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
            check=True,
        )
    _, *answered = done.stdout.split("\n> ")
    return "\n> ".join([f"$ puzzlehunt {command}", *answered[:most]])


def picture(text: str) -> str:
    """Return the picture of a terminal's text."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text), highlight=False)
    drawn = console.export_svg(title="puzzlehunt")
    return drawn.replace(" ", f' height="{HEIGHT}" ', 1)


def words(svg: str) -> list[str]:
    """Return the words that a picture shows, whatever release of rich drew it."""
    shown = re.findall(r"<text[^>]*>(.*?)</text>", svg)
    return " ".join(html.unescape(part).replace("\xa0", " ") for part in shown).split()


def main() -> int:
    """Write the pictures, or check them."""
    is_same = True
    for name, (command, lines, most) in PICTURES.items():
        drawn, file = picture(played(command, lines, most)), ROOT / "docs" / name
        if "--check" in sys.argv:
            is_same &= words(drawn) == words(file.read_text(encoding="utf-8"))
        else:
            file.write_text(drawn, encoding="utf-8")
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
