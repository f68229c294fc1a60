"""What decides how a rule scores and how its clues are written: rules with the same are equal."""

from abc import ABC, abstractmethod


class Settled(ABC):
    """Equal to another of its class with the same settings."""

    @property
    @abstractmethod
    def settings(self) -> tuple[object, ...]:
        """What it was made with."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Settled):
            return NotImplemented
        return self is other or self.settings == other.settings

    def __hash__(self) -> int:
        return hash((type(self), *self.settings[:2]))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(map(str, self.settings[:2]))}>"
