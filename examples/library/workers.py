"""Eight threads with an engine each, and a pool of processes to which engines are pickled."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import puzzlehunt
from puzzlehunt.engines import Engine, open_engine
from puzzlehunt.strategies import Adviser

FIRST_ROWS = ["RRGG 1b", "RRGG 2b", "RRGG 1w", "RRGG none", "RGBY 2b", "RGBY 1b 2w", "RGBY 4w"]


def left_after(row: str) -> int:
    """Return how many candidates a row leaves: each call opens an engine of its own."""
    return len(puzzlehunt.candidates("mastermind", [row]))


def best_guess(engine: Engine) -> str:
    """Return the best guess for an engine that came from another process."""
    return Adviser(engine.game, "entropy").advise(engine).guesses[0]


def main() -> None:
    """Ask about all rows at once, in threads and then in processes."""
    with ThreadPoolExecutor(8) as threads:
        print(dict(zip(FIRST_ROWS, threads.map(left_after, FIRST_ROWS), strict=True)))
    engines = [open_engine("mastermind") for _ in FIRST_ROWS[:3]]
    for engine, row in zip(engines, FIRST_ROWS, strict=False):
        engine.push(row)
    with ProcessPoolExecutor(2) as processes:
        print(list(processes.map(best_guess, engines)))


if __name__ == "__main__":
    main()
