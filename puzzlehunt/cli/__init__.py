"""The command line: each command reads its options, asks the library, and prints the answer.

- `main`: the program, its errors and exit statuses.
- `command_line`: each command with its options and help; `options`: those that several share.
  What a command does is imported when it is called.
- `opening`: the game that options describe, and its rows; `streams`: results, notes, errors.
- `analysis`: `suggest`, `candidates`, `explain` and `review`; `hosting`: `host` and `solve`;
  `games`: `games`, `check` and `init`; `playing`, `score`, `serve`, `export`: one command each.
- `lab`: tournaments, comparisons of strategies, and files of trees.
"""
