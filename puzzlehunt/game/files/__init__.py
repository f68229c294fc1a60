"""YAML to a game and back.

- `document`: YAML as nested text, with the file and line of each value; YAML errors explained.
- `schema`: the keys of a game file and their types, and a document held against them.
- `gamefile`: from a name, a path or a size to a `Game`; `secret_and_guess` (symbols, codes) and
  `reads` (how often marks are read) build parts of it.
- `trusted_files`: which other files a game file may name.
- `editing`: a file's text changed in place, with its comments.
- `atomic`: files written atomically, and never over one that somebody may still want.
- `serialise`: a history as keys of a game file, and a commented file for a new game.
"""
