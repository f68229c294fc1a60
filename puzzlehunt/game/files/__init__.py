"""YAML to a game and back.

- `document`: YAML as nested text that remembers where each value stands.
- `schema`: the keys of a game file, and what is said where one is wrong.
- `gamefile`: from a name, a path or a size to a `Game`; `spaces` and `channel` build parts of it.
- `rates`: how often marks are read, as text and back.
- `writing`: the log of a game, and a commented file for a new one.
"""
