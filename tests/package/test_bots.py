"""The bots of `examples/reach`: their replies, and the command of Discord without a network."""

import asyncio
import doctest
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "reach"


@pytest.fixture(autouse=True)
def _imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("2x3 AB w", "2 left; try BC, or CA or AA"),
        ("/suggest 2X3 AB w; AC *;", "2 left; try BC, or CA or AA"),
        ("2x3\nAB w\n\nBB b", "1 left; try BC"),
        ("2x3 AB bb", "solved"),
        ("200x100", "'200x100' is not a game; send"),
        ("/suggest", "send a game and its rows"),
        ("/etc/passwd AB b", "'/etc/passwd' is not a game; send"),
        ("bot.py AB b", "'bot.py' is not a game; send"),
        ("nowhere AB b", "no game 'nowhere'"),
        ("2x3 AZ b", "AZ: 'Z' is not a symbol"),
        ("2x3 AB bw", "1 black, 1 white cannot happen"),
        ("2x3 AB bb; CC bb", "the turns contradict each other"),
    ],
)
def test_a_message_is_answered_in_one_line(message: str, reply: str) -> None:
    from bot import answer

    answered = answer(message)
    assert answered.startswith(reply)
    assert "\n" not in answered


def test_the_replies_in_the_document_are_those_of_the_bot() -> None:
    failed, tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
    assert (failed, tried) == (0, 3)


def test_the_command_of_discord_replies_to_whoever_typed_it() -> None:
    import discord
    import discord_bot

    said: list[Any] = []

    async def defer(**options: bool) -> None:
        said.append(options)

    async def send(text: str, **options: Any) -> None:
        said.append((text, options["allowed_mentions"].everyone))

    asked = SimpleNamespace(
        response=SimpleNamespace(defer=defer), followup=SimpleNamespace(send=send)
    )

    async def typed() -> None:
        client = discord.Client(intents=discord.Intents(guilds=True))
        (command,) = discord_bot.commands_of(client).get_commands()
        assert command.name == "suggest"
        names = [(one.name, one.required) for one in command.parameters]
        assert names == [("game", True), ("rows", False)]
        await command.callback(asked, "2x3", "AB w; BB b")
        await command.callback(asked, "@everyone")

    asyncio.run(typed())
    first, second = said[1::2]
    assert said[::2] == [{"thinking": True}] * 2
    assert first == ("1 left; try BC", False)
    assert second[0].startswith("'@everyone' is not a game")
