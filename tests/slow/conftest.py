"""Every test below this folder is slow: left out unless -m asks for it."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker("slow")
