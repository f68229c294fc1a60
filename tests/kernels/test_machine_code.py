import os
import pickle
import subprocess
import sys


def test_a_cache_that_names_what_is_no_longer_there_is_begun_anew(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from puzzlehunt.kernels.compiled.jit import kernel\n"
        "@kernel\ndef doubled(number): return 2 * number\n"
        "print(doubled(21))\n"
    )

    def printed():
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        run = subprocess.run(
            [sys.executable, str(program)],
            check=False,
            capture_output=True,
            text=True,
            env=environment,
        )
        assert not run.stderr
        return run.stdout

    first = printed()
    indices = {path: path.read_bytes() for path in tmp_path.rglob("*.nbi")}
    assert indices
    for path, content in indices.items():
        version = pickle.dumps(pickle.loads(content))
        path.write_bytes(version + b"cpuzzlehunt.kernels.compiled.bounds\nMoved\n.")
    assert printed() == first
    assert all(b"Moved" not in path.read_bytes() for path in indices)
