"""The command line: commands read their options, call the library, and print its answers.

- `main`: the program, its errors and exit statuses. `options`: the options of several commands, in
  classes, and `command`, which makes a function with such a parameter a command.
- `playing`, `questions`, `files`, `lab`: the commands. Their bodies import what they need, so that
  help and completion are quick.
- `opening`: the game that options describe, and its rows; `streams`: printing and reading.
"""

import gc

gc.set_threshold(150_000)  # new objects before unused ones are searched: 700 is too eager
