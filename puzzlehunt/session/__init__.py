"""A game being played: each typed line yields outcomes.

- `session`: `Session`, the facade: a game, its timeline, what keeps it, and its answers.
- `changes`: what can be done and asked, as values and as JSON; undo and redo, and what a change
  makes of a history, or of a newer one than its author saw.
- `file_store`: a session's file: its text, its keys, its lock.
- `commands`: what a typed line requests: a row, or `/suggest` and all other commands.
- `answers`: engine and adviser at the history, and what answers a question; `outcomes`: everything
  that a line can do, as values.
- `conversation`: answers lines of a player who reads the clues elsewhere, or whose guesses a
  codemaker answers.
- `codemaker`: answers guesses, plays a strategy against one; `limits`: the time limit of an answer.
"""
