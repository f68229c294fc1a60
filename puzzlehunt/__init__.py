"""An assistant for puzzles with guesses and half-readable feedback."""

__version__ = "0.1.0"
