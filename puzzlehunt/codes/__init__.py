"""What can be guessed, and what can be said of it.

- `alphabet`: symbols, and codes as text and back.
- `spaces`: all codes of some symbols, or the words of a list; `boards`: several secrets at once.
- `words`: word lists, built in or from a file; `formulas`: secrets that a formula generates.
- `constraints`: literals about the secret, and `AllOf`, `AnyOf`, `Bound` over them.
"""
