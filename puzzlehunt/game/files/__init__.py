"""YAML to a game and back.

- `document`: YAML as nested text, with the file and line of each value.
- `yaml_errors`: what keeps a text from being YAML, in plain words.
- `schema`: the keys of a game file and their types; `validation`: a document held against them.
- `gamefile`: from a name, a path or a size to a `Game`; `symbols`, `spaces` and
  `channel` build parts of it.
- `naming`: which other files a game file may name.
- `rates`: how often marks are read, as text and back.
- `editing`: a file's text changed in place, with its comments.
- `output`: how every file is written: whole or not at all, and over nothing.
- `writing`: a history as keys of a game file, and a commented file for a new game.
"""
