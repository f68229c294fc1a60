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

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURES = {
    "session.svg": ("play cryptic", "cryptic-session.txt"),
    "unexplained.svg": (
        "play wordle --set legend=unknown --set secret.words=common",
        "unexplained-session.txt",
    ),
}
"""The pictures: a command without `puzzlehunt`, and the lines that are typed, from examples/."""
WIDTH = 60


def played(command: str, lines: str) -> str:
    """Return what the program prints when it plays the lines of a file, colours included."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **{k: v for k, v in os.environ.items() if k != "NO_COLOR"},
            "FORCE_COLOR": "1",
            "COLUMNS": str(WIDTH),
            "TERM": "xterm-256color",
            "XDG_STATE_HOME": folder,
        }
        done = subprocess.run(
            [sys.executable, "-m", "puzzlehunt", *command.split(), "--echo"],
            stdin=(ROOT / "examples" / lines).open(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            text=True,
            check=True,
        )
    return f"$ puzzlehunt {command}\n{done.stdout}"


def picture(text: str) -> str:
    """Return the picture of a terminal's text."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text), highlight=False)
    return re.sub(
        r'textLength="([\d.]+)"([^>]*)>([^<]*)', _widened, console.export_svg(title="puzzlehunt")
    )


def _widened(found: re.Match[str]) -> str:
    """Return a text with the width of its cells; rich counts characters, and signs take two."""
    length, rest, text = found.groups()
    shown = html.unescape(text)
    signs = cell_len(shown) - len(shown)
    width = float(length) * (1 + max(0, signs) / max(1, len(shown)))
    return f'textLength="{width:g}"{rest}>{text}'


def words(svg: str) -> list[str]:
    """Return the words that a picture shows, whatever release of rich drew it."""
    shown = re.findall(r"<text[^>]*>(.*?)</text>", svg)
    return " ".join(html.unescape(part).replace("\xa0", " ") for part in shown).split()


def main() -> int:
    """Write the pictures, or check them."""
    is_same = True
    for name, (command, lines) in PICTURES.items():
        drawn, file = picture(played(command, lines)), ROOT / "docs" / name
        if "--check" in sys.argv:
            is_same &= words(drawn) == words(file.read_text(encoding="utf-8"))
        else:
            file.write_text(drawn, encoding="utf-8")
    return 0 if is_same else 1


if __name__ == "__main__":
    sys.exit(main())
