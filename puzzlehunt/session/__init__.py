"""One game being played: undo and redo, its file and lock, and the codemaker."""
