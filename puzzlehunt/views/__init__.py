"""Outcomes as text, JSON, HTML, plots: the only room that writes text for people.

- `terminal`, and `page` for a board in a browser: how each outcome is shown. `shown`: the
  text of values. `json`: what `--json` prints.
- `rows`, `candidates`: turns, and candidates and guesses, in lines and tables of a game.
- `wording`: turns, facts, chances and explanations in words.
- `summary`: the meaning of a game file.
- `screen`: printing, with tables; `elements`: HTML.
- `drawn_tiles`: codes and marks on tiles, and the table of colours.
- `tournaments`, `plots`: results of the lab in lines, tables and pictures.
- `escapes`: untrusted text, made harmless for terminals, browsers and spreadsheets.
"""
