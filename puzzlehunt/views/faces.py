"""Faces: each shows values in one place, such as a terminal or a page, by a function for each type.

A type for which a face has no function raises TypeError, unless it is one of the face's exceptions.
"""

from collections.abc import Callable
from typing import Concatenate, Generic, ParamSpec, TypeVar

Value = TypeVar("Value")
Kind = TypeVar("Kind")
Shown = TypeVar("Shown")
Arguments = ParamSpec("Arguments")


class Face(Generic[Value, Arguments, Shown]):
    """Shows values by their types; the `exceptions` are all shown by one function, `otherwise`.

    `place` names in errors where values are shown.
    """

    def __init__(
        self,
        place: str,
        exceptions: frozenset[type[object]] = frozenset(),
        otherwise: Callable[Concatenate[Value, Arguments], Shown] | None = None,
    ) -> None:
        self.place = place
        self.exceptions = exceptions
        self._functions: dict[type[object], Callable[..., Shown]] = {}
        if otherwise is not None:
            self._functions = dict.fromkeys(exceptions, otherwise)

    @property
    def kinds(self) -> set[type[object]]:
        """The types that can be shown."""
        return {*self._functions}

    def shows(
        self, kind: type[Kind]
    ) -> Callable[
        [Callable[Concatenate[Kind, Arguments], Shown]],
        Callable[Concatenate[Kind, Arguments], Shown],
    ]:
        """Register the decorated function for values of a type. Raises TypeError at a second."""

        def register(
            function: Callable[Concatenate[Kind, Arguments], Shown],
        ) -> Callable[Concatenate[Kind, Arguments], Shown]:
            if kind in self._functions:
                raise TypeError(f"{self.place} shows {kind.__name__} already")
            self._functions[kind] = function
            return function

        return register

    def show(self, value: Value, *args: Arguments.args, **options: Arguments.kwargs) -> Shown:
        """Return what the function for the value's type, or the nearest base of it, returns."""
        for kind in type(value).__mro__:
            if kind in self._functions:
                return self._functions[kind](value, *args, **options)
        raise TypeError(f"{self.place} cannot show {type(value).__name__}")
