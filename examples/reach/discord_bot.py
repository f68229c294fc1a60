"""The slash command /suggest in Discord: `DISCORD_TOKEN=... python discord_bot.py`."""

import asyncio
import os
import sys

import discord
from bot import answer
from discord import app_commands

LONGEST = 2_000
"""Longest message that Discord takes (characters)."""
one_at_a_time = asyncio.Lock()


async def suggest(interaction: discord.Interaction, game: str, rows: str = "") -> None:
    """Reply with the best next guess; `rows` are guesses and clues, separated by `;`."""
    await interaction.response.defer(thinking=True)
    async with one_at_a_time:
        reply = await asyncio.to_thread(answer, f"{game} {rows}")
    nobody = discord.AllowedMentions.none()
    await interaction.followup.send(reply[:LONGEST], allowed_mentions=nobody)


async def main(token: str) -> None:
    """Offer the command in every server that the bot was invited to."""
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        await client.login(token)
        await commands_of(client).sync()
        await client.connect()


def commands_of(client: discord.Client) -> app_commands.CommandTree:
    """Return the commands of a client."""
    tree = app_commands.CommandTree(client)
    about = "The best next guess in a guessing game"
    tree.add_command(app_commands.Command(name="suggest", description=about, callback=suggest))
    return tree


if __name__ == "__main__":
    if "DISCORD_TOKEN" not in os.environ:
        sys.exit("set DISCORD_TOKEN to the token of your bot (discord.com/developers)")
    asyncio.run(main(os.environ["DISCORD_TOKEN"]))
