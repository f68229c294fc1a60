"""The wheel: whoever installs it gets the word lists, the games and the types."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import puzzlehunt

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """A function that runs Python in an environment of its own, from an empty folder.

    The packages that ours depends on are borrowed from the environment of the tests.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder / "venv", with_pip=True, symlinks=os.name != "nt")
    python = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [python, "-m", "pip", "install", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True)
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True)
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    (Path(done.stdout.strip()) / "borrowed.pth").write_text("\n".join(borrowed))
    empty = folder / "empty"
    empty.mkdir()

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        alone = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        return subprocess.run(
            [python, *arguments], cwd=empty, env=alone, check=True, capture_output=True, text=True
        )

    return run


def test_the_wheel_holds_lists_games_and_types_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {"puzzlehunt/py.typed", "puzzlehunt/lab/published.yaml"} <= names
    for folder, kind in (("wordlists", "[a-z]*.txt"), ("examples", "*.yaml"), ("books", "*.gz")):
        files = {f"puzzlehunt/{folder}/{file.name}" for file in (ROOT / folder).glob(kind)}
        assert files == {name for name in names if name.startswith(f"puzzlehunt/{folder}/")}
    notices = f"puzzlehunt-{puzzlehunt.__version__}.dist-info/licenses"
    assert {f"{notices}/LICENSE", f"{notices}/wordlists/COPYRIGHT-scowl.txt"} <= names
    modules = {f.relative_to(ROOT).as_posix() for f in (ROOT / "puzzlehunt").rglob("*.py")}
    assert modules <= names
    assert {name.split("/")[0] for name in names} == {
        "puzzlehunt",
        f"puzzlehunt-{puzzlehunt.__version__}.dist-info",
    }
    assert not [name for name in names if name.endswith((".pyc", ".nbi", ".nbc"))]


def test_the_installed_program_suggests_from_another_folder(
    installed: Callable[..., "subprocess.CompletedProcess[str]"],
) -> None:
    where = installed("-c", "import puzzlehunt; print(puzzlehunt.__file__)").stdout
    assert not Path(where).is_relative_to(ROOT)
    done = installed("-m", "puzzlehunt", "suggest", "cryptic", "-t", "HORSE B_WR_", "--json")
    told = json.loads(done.stdout)
    assert told["count"] == 933
    assert told["suggestions"][0]["guess"] == "HARTS"


def test_the_installed_program_knows_every_built_in_game(
    installed: Callable[..., "subprocess.CompletedProcess[str]"],
) -> None:
    told = json.loads(installed("-m", "puzzlehunt", "games", "--json").stdout)
    assert {game["name"] for game in told["games"]} == {
        file.stem for file in (ROOT / "examples").glob("*.yaml")
    }
    assert installed("-m", "puzzlehunt", "--version").stdout.split()[1] == puzzlehunt.__version__
