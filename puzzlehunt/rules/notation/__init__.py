"""How answers are written and read back: counts of marks, and marks of tiles."""
