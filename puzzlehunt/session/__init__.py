"""A game being played: each typed line yields outcomes."""
