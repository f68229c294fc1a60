"""One game being played: a line in, outcomes out.

- `session`: `Session`: the game, its history with undo and redo, its settings and its advice.
- `store`: what keeps a session, and the guess that waits for its clue; `file_store`: a file,
  its lock, its text and what others do to it; `settings`: what the file says besides its turns.
- `changes`, `questions`: what can be done and asked, as values; `codec`: both as JSON.
- `timeline`: undo and redo, and what a change makes of a history; `rebase`: a change brought onto a
  newer history.
- `lines`: a typed line, read once, with `commands`: `/suggest` and all others; `steps`: what a line
  asks for, as values.
- `answers`: engine and adviser at the history, and a program's question answered by one value;
  `answering`: questions to outcomes; `outcomes`: everything that a line can do, as values.
- `dialogue`: what both kinds of dialogue share: `conversation`, where the player reads the clues
  elsewhere, and `practice`, where a codemaker here answers guesses; what other programs call
  commands.
- `limits`: ends an answer that takes longer than a person waits.
- `codemaker`: answers guesses; plays a strategy against a codemaker.
"""
