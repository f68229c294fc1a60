"""One game being played: a line in, outcomes out.

- `session`: `Session`: the game, its history with undo and redo, its settings and its advice.
- `storage`: its file: the lock, whole writes, the default place; `settings`: what the file says
  beside turns.
- `dialogue`: what answers lines; `conversation`: for a player who reads clues elsewhere;
  `practice`: for one whose guesses are answered here.
- `player`: what was typed and suggested, and where the game stands; `commands`: `/suggest` and all
  others; `outcomes`: everything that a line can do, as values.
- `codemaker`: who answers guesses; `self_play`: a strategy against a codemaker.
"""
