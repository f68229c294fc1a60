"""Where the batches of a tournament run: in this process, on all cores, or on a cluster."""

import os
import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar, cast

from puzzlehunt.errors import PuzzlehuntError, check_number, missing_package
from puzzlehunt.kernels import fast
from puzzlehunt.lab.batches import Batch, BatchResult, Player
from puzzlehunt.strategies.search.branch_and_bound import Task
from puzzlehunt.strategies.search.optimal import Optimal

Piece = TypeVar("Piece")
Done = TypeVar("Done")

_SECONDS_ALONE = 2.0
"""Processes are started only after this many seconds of work: starting them takes as long."""
_CLUSTER_SECONDS = 5
"""Seconds that a cluster has to answer."""


@dataclass(frozen=True, slots=True)
class Execution:
    """Where a run's games are played, and the file from which an interrupted run continues.

    `jobs` is the number of processes: by default one for each core, or a single one without the
    extra `fast`. `cluster` is the address of the scheduler of a Dask cluster, which plays the games
    instead. The results are the same. `checkpoint` is the file.

    >>> import puzzlehunt
    >>> puzzlehunt.run("2x2", "first", execution=puzzlehunt.Execution(jobs=1)).played.total()
    4
    """

    jobs: int | None = None
    cluster: str | None = None
    checkpoint: str | Path | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None:
            check_number("jobs", self.jobs, 1, whole=True)


def play_all(
    player: Player, batches: Sequence[Batch], execution: Execution
) -> Iterator[BatchResult]:
    """Yield the results of the batches, in any order."""
    processes = execution.jobs or (os.cpu_count() if fast.is_installed() else None) or 1
    alone = 0
    if execution.cluster is None:
        if processes > 1:
            fast.check_installed(f"{processes} processes need joblib")
        end = time.monotonic() + _SECONDS_ALONE
        while alone < len(batches) and (processes == 1 or time.monotonic() < end):
            yield player.play(batches[alone])
            alone += 1
    if alone < len(batches):
        yield from _elsewhere(_play, player, batches[alone:], processes)


def solve_all(player: Player, tasks: Sequence[Task]) -> Iterator[tuple[int, int, int]]:
    """Yield number, value and guess of each task of a proof on a cluster, in any order."""
    yield from _elsewhere(_solve, player, list(enumerate(tasks)))


def _elsewhere(
    function: Callable[[bytes, Piece], Done],
    player: Player,
    pieces: Sequence[Piece],
    processes: int | None = None,
) -> Iterator[Done]:
    """Yield the results of a function for each piece of work, in other processes."""
    import cloudpickle
    from joblib import Parallel, delayed

    pickled = cloudpickle.dumps((player.game, player.budget))
    parallel = Parallel(n_jobs=processes, return_as="generator_unordered")
    yield from parallel(delayed(function)(pickled, piece) for piece in pieces)


def _play(pickled: bytes, batch: Batch) -> BatchResult:
    return _player(pickled).play(batch)


def _solve(pickled: bytes, numbered: tuple[int, Task]) -> tuple[int, int, int]:
    player, (number, task) = _player(pickled), numbered
    return number, *cast(Optimal, player.strategy).search_of(player.position(())).solve(task)


@lru_cache(maxsize=2)
def _player(pickled: bytes) -> Player:
    """Return the player of another process, which it keeps for the next piece of work."""
    return Player(*pickle.loads(pickled))


@contextmanager
def on_cluster(address: str | None) -> Iterator[None]:
    """Give the work inside the `with` block to the Dask cluster at an address, if there is one.

    Raises PuzzlehuntError if it does not answer, is lost on the way, or Dask is not installed.
    """
    if address is None:
        yield
        return
    try:
        from distributed import Client, KilledWorker
        from joblib import parallel_config
    except ImportError:
        raise missing_package("a cluster needs Dask", "cluster") from None
    try:
        client = Client(address, timeout=_CLUSTER_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError):
        raise PuzzlehuntError(
            f"--cluster {address}: no scheduler answers there; expected an address such as "
            "tcp://127.0.0.1:8786"
        ) from None
    with client, parallel_config(backend="dask", client=client):
        if not client.ncores():
            raise PuzzlehuntError(f"--cluster {address}: it has no workers; start some first")
        try:
            yield
        except (KilledWorker, CancelledError, OSError) as error:
            raise PuzzlehuntError(
                f"--cluster {address}: it was lost on the way ({type(error).__name__}); with "
                "--checkpoint FILE a run continues where it stopped"
            ) from None
