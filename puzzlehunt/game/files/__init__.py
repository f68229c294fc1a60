"""YAML to a game and back.

- `document`: YAML as nested text, with the file and line of each value, and the files it may name;
  a file's text edited to hold other values.
- `schema`: the keys of a game file and their types, and the validation of a document.
- `gamefile`: makes a `Game` from a name, a path or a size, and `codes_and_channel` its symbols,
  codes and channel; a history as keys of a game file.
- `table_files`: tables whose rows are secrets, from a file or a list, and a game file for a table.
- `atomic`: writes files atomically, and does not overwrite files that somebody may need.
"""
