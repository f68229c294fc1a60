"""A game being played: each typed line yields outcomes.

- `session`: `Session`, the facade: a game, its timeline, its store, and its answers. ...
"""
