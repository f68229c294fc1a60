"""Somebody who guesses in practice, and keeps what was printed."""

import random
from functools import cache

from player import KeptScreen
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.codemaker import open_codemaker
from puzzlehunt.session.practice import Practice
from puzzlehunt.views.terminal import prompt

_load = cache(gamefile.load)


class Guesser:
    """Types lines, and keeps what the last of them printed."""

    def __init__(self, game: str, secret: str | None, settings: tuple[str, ...] = ()) -> None:
        loaded = _load(game, ("play.strategy=entropy", *settings))
        hidden = None if secret is None else loaded.parse_secret(secret)
        self.screen = KeptScreen()
        codemaker = open_codemaker(loaded, hidden, rng=random.Random(1))
        self.practice = Practice(codemaker)
        self.screen.show(self.practice, self.practice.start())
        self.greeting, _ = self.screen.take()
        self.out = self.notes = ""

    def say(self, *lines: str) -> "Guesser":
        """Type lines; `out` and `notes` are what they printed."""
        for line in lines:
            self.screen.show(self.practice, self.practice.handle(line))
        self.out, self.notes = self.screen.take()
        return self

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        return prompt(self.practice.game, self.practice.expected_line)

    @property
    def rows(self) -> int:
        """How many rows were played."""
        return len(self.practice.codemaker.history.turns)
