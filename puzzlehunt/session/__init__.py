"""A game being played: each typed line yields outcomes.

- `session`: `Session`, the facade: a game, its timeline, what stores it, and its answers.
- `timeline`: undo and redo, the effect of a change on a history, and rebasing on a newer one.
- `store`: the protocol of stores, and the guess that waits for its clue; `file_store`: a file with
  its lock and its text; `settings`: the keys of the file other than its turns.
- `changes`: what can be done and asked, as values and as JSON.
- `lines`: parses a typed line; `commands`: `/suggest` and all others; `steps`: what a line
  requests, as values.
- `answers`: engine and adviser at the history; `responses`: the outcomes
  that answer a question; `outcomes`: everything that a line can do, as values.
- `dialogue`: the base of both dialogues: `conversation`, whose player reads the clues elsewhere,
  and `practice`, whose guesses a codemaker answers.
- `codemaker`: answers guesses; plays a strategy against a codemaker.
- `limits`: limits of time and memory for an answer.
"""
