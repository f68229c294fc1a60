"""A game, its history, and the lines that are typed or pasted."""
