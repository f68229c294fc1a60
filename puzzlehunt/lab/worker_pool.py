"""Where the batches of a tournament run: in this process, on all cores, or on a cluster."""

import os
import pickle
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

from puzzlehunt.errors import PuzzlehuntError, check_number, missing_package
from puzzlehunt.kernels import fast
from puzzlehunt.lab.batches import Batch, BatchResult, Player
from puzzlehunt.strategies.search.branch_and_bound import Task
from puzzlehunt.strategies.search.optimal import Optimal

Piece = TypeVar("Piece")
Done = TypeVar("Done")

_SECONDS_ALONE = 2.0
"""Processes are started only after this many seconds of work: starting them takes as long."""
_CLUSTER_SECONDS = 10
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
    """Yield the results of the batches, in any order.

    Raises PuzzlehuntError if the scheduler of a cluster does not answer.
    """
    if execution.cluster is not None:
        play = partial(_play, _pickled(player))
        yield from (result for _, result in map_on_cluster(play, batches, execution.cluster))
        return
    processes = execution.jobs or (os.cpu_count() if fast.is_installed() else None) or 1
    if processes > 1:
        fast.check_installed(f"{processes} processes need joblib")
    end = time.monotonic() + _SECONDS_ALONE
    done = 0
    while done < len(batches) and (processes == 1 or time.monotonic() < end):
        yield player.play(batches[done])
        done += 1
    if done < len(batches):
        from joblib import Parallel, delayed

        parallel = Parallel(n_jobs=processes, return_as="generator_unordered")
        pickled = _pickled(player)
        yield from parallel(delayed(_play)(pickled, batch) for batch in batches[done:])


def _pickled(player: Player) -> bytes:
    """Return a player's game and budget as bytes; cloudpickle takes what pickle does not."""
    import cloudpickle

    pickled: bytes = cloudpickle.dumps((player.game, player.budget))
    return pickled


def _play(pickled: bytes, batch: Batch) -> BatchResult:
    """Play a batch in another process, which keeps its player for the next batch."""
    return _player(pickled).play(batch)


@lru_cache(maxsize=2)
def _player(pickled: bytes) -> Player:
    return Player(*pickle.loads(pickled))


def check_cluster(cluster: str) -> None:
    """Raise PuzzlehuntError if no cluster is at an address, or Dask is not installed."""
    _connected(cluster).close()


def _connected(cluster: str) -> Any:
    """Return a client of a Dask cluster. Raises PuzzlehuntError, also without Dask."""
    try:
        from distributed import Client
    except ImportError:
        raise missing_package("a cluster needs Dask", "cluster") from None
    host, _, port = cluster.rpartition("//")[2].rpartition(":")
    try:  # Dask takes long to notice that nothing listens
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CLUSTER_SECONDS).close()
        client = Client(cluster, timeout=_CLUSTER_SECONDS, set_as_default=False)
    except (OSError, ValueError, OverflowError, TypeError, ImportError) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise PuzzlehuntError(
            f"--cluster {cluster}: no scheduler answers there ({reason.splitlines()[0]}); expected "
            "an address such as tcp://127.0.0.1:8786"
        ) from None
    if client.scheduler_info()["workers"]:
        return client
    client.close()
    raise PuzzlehuntError(f"--cluster {cluster}: the scheduler has no workers; start some first")


def map_on_cluster(
    function: Callable[[Piece], Done], items: Sequence[Piece], cluster: str
) -> Iterator[tuple[int, Done]]:
    """Yield the number of each item and the result of a function for it, in any order."""
    from distributed import KilledWorker, as_completed

    client = _connected(cluster)
    try:
        with client.as_current():
            futures = client.map(function, items, pure=False)
            numbers = {future.key: number for number, future in enumerate(futures)}
            finished = as_completed(futures)
        for future in finished:
            yield numbers[future.key], future.result()
    except (KilledWorker, CancelledError, OSError) as error:
        raise PuzzlehuntError(
            f"--cluster {cluster}: it was lost on the way ({type(error).__name__}); with "
            "--checkpoint FILE a run continues where it stopped"
        ) from None
    finally:
        client.close()


def solve_on_cluster(
    player: Player, tasks: Sequence[Task], cluster: str
) -> Iterator[tuple[int, int, int]]:
    """Yield number, value and guess of each task of a proof, in any order."""
    for number, solved in map_on_cluster(partial(_solve, _pickled(player)), tasks, cluster):
        yield number, *solved


def _solve(pickled: bytes, task: Task) -> tuple[int, int]:
    """Solve a task of a proof in another process, which keeps its search for the next one."""
    player = _player(pickled)
    return cast(Optimal, player.strategy).search_of(player.position(())).solve(task)
