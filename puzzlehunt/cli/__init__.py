"""The command line: options and commands, which ask the library and print its answers.

- `main`: the program, its commands, its errors.
- `options`: the table of options; `asked`: their values, and the game that they describe.
- `completion`: what a shell completes.
- `output`: results, notes, errors, exit statuses.
- `play`, `suggest`, `candidates`, `score`, `host`, `solve`, `explain`, `review`, `export`: one
  command each; `games`: the commands `games`, `check` and `init`, `interview`: the
  questions of `init`; `resuming`: those of `play`.
- `serve`: a team's boards, in a browser and over HTTP.
- `lab_run`, `lab_compare` (with `plot` and `report`), `lab_trees` (`verify` and `book`): the
  commands of `lab`.
"""
