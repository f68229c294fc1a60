"""The codes that can be guessed, and constraints on codes."""
