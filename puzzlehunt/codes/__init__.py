"""The codes that can be guessed, and constraints on codes.

- `alphabet`: the symbols of a game; codes to text and back; ranges such as `1-6` and `A-F`; what
  readers see as one character.
- `spaces`: all codes over an alphabet, the words of a list, or several secrets at once.
- `words`: word lists, built in or from a file; `languages`: the letters and words of a language;
  `formulas`: secrets that a formula generates.
- `files`: safe reading of files from others (no named pipes, no devices, bounded size).
- `named_codes`: codes that have names of their own, and those that are rows of a table.
- `constraints`: literals about the secret, and the nodes `AllOf`, `AnyOf` and `Bound` over them.
"""
