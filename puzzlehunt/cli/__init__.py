"""The command line: each command reads its options, asks the library, and prints the answer.

- `main`: the program, its errors and exit statuses.
- `commands`, and for tournaments `lab`: each command with its options and help; `options`: those
  that several commands share. What a command does is imported when it is called.
- `opening`: the game that options describe, and its rows; `streams`: results, notes, errors.
- `play`, `suggest`, `candidates`, `score`, `host`, `solve`, `serve`, `explain`, `review`, `export`,
  `check`, `games`, `init`: what one command does each.
- `lab_run`, `lab_compare` (with `plot` and `report`), `lab_trees` (`verify` and `book`): the
  commands of `lab`.
"""
