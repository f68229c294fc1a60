"""A game, its history, and the lines that people write about it."""
