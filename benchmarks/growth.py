"""How cost grows: processor seconds and memory of whole commands, by codes and by rows.

Rows are seeded random guesses, truly answered for a seeded secret. Each command is a process of its
own, all in turn, after one round to warm up. `for twice` is how many times the seconds of the step
before are needed, as if each step were twice the work. With `--plot` they are drawn, too.
"""

import argparse
import random
import sys
import tempfile
from itertools import pairwise
from math import log2
from pathlib import Path
from statistics import median

from commands import Command
from report import spread, table

from puzzlehunt.game.files.gamefile import load
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session.codemaker import open_codemaker

CODES = [f"4x{symbols}" for symbols in (6, 7, 8, 10, 12, 14, 17, 20, 25)]
BY_ROWS = ("cryptic", "4x25", "quordle", "16x6")
ROWS = (1, 4, 8, 64, 128, 500)


def true_rows(name: str, count: int) -> list[str]:
    """Return random guesses with their answers, one a line; none is the secret."""
    settings = ["reads.misread=0"] if name == "cryptic" else []
    game, rng = load(name, [*settings, "play.attempts=9999"]), random.Random(count)
    maker, rows = open_codemaker(game, rng=rng), list[str]()
    while len(rows) < count:
        rows.append(format_turn(game, maker.answer(game.guesses.random(rng))))
        if maker.is_over:
            return true_rows(name, count + 1)[:count]
    return rows


def command(folder: Path, question: str, name: str, count: int) -> Command:
    file = folder / f"{name}-{count}.txt"
    file.write_text("\n".join(true_rows(name, count)), encoding="utf-8")
    program = [sys.executable, "-m", "puzzlehunt", question, name]
    return Command(f"`{question} {name}`", [*program, "--seconds", "60", "--history", str(file)])


def rows_of(work: list[int], commands: list[Command]) -> list[list[str]]:
    """Return a row for each command of a series that grows as `work` does."""
    steps, rows = [""], []
    for (less, one), (more, other) in pairwise(zip(work, commands, strict=True)):
        grown = median(other.processor) / median(one.processor)
        steps.append(f"{grown ** (1 / log2(more / less)):.2f}")
    for size, each, step in zip(work, commands, steps, strict=True):
        figures = [spread(each.processor), f"{max(each.megabytes):.0f}"]
        rows.append([each.name, f"{size:,}", *figures, step])
    return rows


def draw(path: Path, series: dict[str, tuple[list[int], list[Command]]]) -> None:
    """Draw the seconds of each series of commands by its work, in a panel for each title's end."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    panels = dict(zip(("codes", "rows"), figure.subplots(1, 2, sharey=True), strict=True))
    for title, (work, commands) in series.items():
        name, _, unit = title.rpartition(", by ")
        seconds = [median(each.processor) for each in commands]
        panels[unit].loglog(work, seconds, marker=".", label=name)
    for unit, panel in panels.items():
        panel.set(xlabel=unit, ylabel="processor seconds")
        panel.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--runs", type=int, default=3, help="runs of each command")
    parser.add_argument("--plot", type=Path, help="an .svg file for the seconds")
    given = parser.parse_args()
    series = dict[str, tuple[list[int], list[Command]]]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for question in ("suggest", "explain"):
            made = [command(folder, question, game, 1) for game in CODES]
            sizes = [load(game).secrets.size for game in CODES]
            series[f"{question} 4xN, by codes"] = sizes, made
            for game in BY_ROWS:
                made = [command(folder, question, game, count) for count in ROWS]
                series[f"{question} {game}, by rows"] = [*ROWS], made
        for number in range(given.runs + 1):
            for _, commands in series.values():
                for one in commands:
                    one.run()
                    del one.processor[: not number]
    header = ["command", "codes or rows", "processor seconds", "peak MB", "for twice"]
    print(table(header, [row for work, made in series.values() for row in rows_of(work, made)]))
    if given.plot:
        draw(given.plot, series)


if __name__ == "__main__":
    main()
