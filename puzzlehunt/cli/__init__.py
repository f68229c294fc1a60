"""The command line: commands read their options, call the library, and print its answers.

- `main`: the program, its errors and exit statuses.
- `command_line`: each command with its options and help; `options`: options of several commands.
  The module that runs a command is imported when the command is called.
- `opening`: the game that options describe, and its rows; `streams`: printing and reading.
- `suggesting`: `suggest` and `candidates`; `analysis`: `explain`, `review` and `identify`;
  `hosting`: `host` and `solve`; `games`: `games`, `check` and `init`; `playing`, `score`, `serve`,
  `export`: one command each.
- `lab`: tournaments, comparisons of strategies, and files of trees.
"""
