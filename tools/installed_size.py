#!/usr/bin/env python3
"""Print what an environment takes: MB of site-packages by package, pip and setuptools not counted.

    python tools/installed_size.py [--at-most MB] [PYTHON]

PYTHON is the environment's interpreter, by default the running one. With `--at-most` the exit
status is 1 where all packages together take more.
"""

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path

TOOLS = {"pip", "setuptools", "pkg_resources", "_distutils_hack"}


def sizes(folder: Path) -> Counter[str]:
    """Return how many bytes each package of a folder takes, its metadata and libraries included."""
    found: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            top = path.relative_to(folder).parts[0]
            found[top.split("-")[0].removesuffix(".libs").removesuffix(".py")] += (
                path.stat().st_size
            )
    return Counter({name: size for name, size in found.items() if name not in TOOLS})


def main() -> int:
    """Print the sizes; return the exit status."""
    parser = argparse.ArgumentParser(description="What an environment takes (MB)")
    parser.add_argument("--at-most", type=float, metavar="MB")
    parser.add_argument("python", nargs="?", default=sys.executable)
    asked = parser.parse_args()
    program = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.check_output([asked.python, "-c", program], text=True).strip()
    found = sizes(Path(folder))
    total = found.total() / 1e6
    for name, size in found.most_common(15):
        print(f"{size / 1e6:8.1f}  {name}")
    print(f"{total:8.1f}  in all, {folder}")
    if asked.at_most is not None and total > asked.at_most:
        print(f"more than {asked.at_most:g} MB", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
