"""A server of boards in a process of its own, for tests and benchmarks."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx

http = httpx.Client(verify=False, timeout=30, limits=httpx.Limits(max_keepalive_connections=0))
"""A client without certificates, which take as long to load as a request, and without cookies."""
http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))


class ServerProcess:
    """`puzzlehunt serve` on a free port, with a folder of its own.

    `files` is how many files it may open, None for as many as usual; `port` its port where it
    prints none, since visitors know it by another name.
    """

    program: Sequence[str] = (sys.executable, "-m", "puzzlehunt")

    def __init__(
        self, folder: Path, *arguments: str, files: int | None = None, port: int = 0
    ) -> None:
        self.folder = folder
        self._port = port
        self._files = files
        self._arguments = arguments
        self.addresses: dict[str, str] = {}
        """The addresses of the boards that were named, by name, and of the home page, by ""."""
        self.output = ""
        self.start(port)
        assert self.addresses, self.output

    def start(self, port: int = 0) -> None:
        """Start the process, and wait until it serves."""
        log = self.folder.with_suffix(".log")
        command = [*self.program, "serve", *self._arguments]
        if self._files is not None:
            command = ["sh", "-c", f'ulimit -n {self._files} && exec "$@"', "sh", *command]
        with log.open("w") as file:
            self.process = subprocess.Popen(
                [*command, "--data", str(self.folder), "--port", str(port)],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )
        for _ in range(600):
            self.output = log.read_text()
            if "Ctrl-C ends" in self.output or self.process.poll() is not None:
                break
            time.sleep(0.05)
        found = re.findall(r"^(.*): (http\S+)$", self.output, re.MULTILINE)
        self.addresses = {name.replace("a new board", ""): address for name, address in found}

    @property
    def port(self) -> int:
        """The port that is served."""
        return self._port or int(self.addresses[""].rstrip("/").rpartition(":")[2])

    def url(self, path: str) -> str:
        """Return an address on this server."""
        address = f"http://127.0.0.1:{self._port}" if self._port else self.addresses[""]
        return address.rstrip("/") + path

    def api(self, name: str) -> str:
        """Return the address of a board in the API."""
        return self.url(f"/api/v1/boards/{self.addresses[name].rpartition('/')[2]}")

    def make(self, **body: Any) -> str:
        """Make a board; return its address in the API."""
        answer = http.post(self.url("/api/v1/boards"), json=body)
        assert answer.status_code == 201, answer.text
        return self.url(f"/api/v1/boards/{answer.json()['board']}")

    def kill(self) -> None:
        """Kill the server and its workers, as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End the server as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()


def free_port() -> int:
    """Return a port that nothing listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
