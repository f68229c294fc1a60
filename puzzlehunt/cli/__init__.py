"""The command line: each command reads its options, asks the library, and prints the answer.

- `main`: the program: its commands, loaded when they are called, its errors and exit statuses.
- `options`: options that several commands share; `opening`: the game that they describe.
- `streams`: results, notes, errors, progress.
- `play`, `suggest`, `candidates`, `score`, `host`, `solve`, `serve`, `explain`, `review`, `export`,
  `check`, `games`, `init`: one command each.
- `lab_run`, `lab_compare` (with `plot` and `report`), `lab_trees` (`verify` and `book`): the
  commands of `lab`.
"""
