import pickle
from importlib.util import module_from_spec, spec_from_file_location

import pytest


@pytest.mark.needs("numba")
def test_a_cache_that_names_what_is_no_longer_there_is_begun_anew(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    program = tmp_path / "program.py"
    program.write_text(
        "from puzzlehunt.kernels.compiled.jit import makes_no_array\n"
        "@makes_no_array\ndef doubled(number): return 2 * number\n"
    )

    def doubled():
        spec = spec_from_file_location("program", program)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.doubled(21)

    first = doubled()
    indices = {path: path.read_bytes() for path in tmp_path.rglob("*.nbi")}
    assert indices
    for path, content in indices.items():
        version = pickle.dumps(pickle.loads(content))
        path.write_bytes(version + b"cpuzzlehunt.kernels.compiled.bounds\nMoved\n.")
    assert doubled() == first == 42
    assert all(b"Moved" not in path.read_bytes() for path in indices)
