"""Outcomes as text, JSON, HTML, pictures: the only room that writes for eyes.

- `json`: what `--json` prints; `html`: what a notebook shows, made with `markup`.
- `turns`, `candidates`, `counts`, `suggestions`, `review`, `channel`: lines and tables of a game;
  `basis`: what suggestions measure and are based on.
- `explanations`, `clashes`, `certain`: why, in lines; `unread`: which mark to solve next; `names`:
  how a sentence names turns, facts and chances.
- `conversation`: what a typed line did; `screen`: where lines are printed; `tables`: in a
  terminal, `narrow`: in one of few columns; `colours`: the one table of colours; `coloured`: codes
  and clues in their colours.
- `page`: outcomes as fragments of a board's page in a browser, with `page_screen` for what has no
  fragment of its own; `tiles`: codes and marks on tiles, for notebooks and pages.
- `tournaments`, `report`, `plots`: results of the lab in lines, tables, pages and pictures.
- `escapes`: texts of others, so that no terminal, browser or spreadsheet obeys them.
- `meaning`: what a game file means, with `word_lists`: what is passed over.
  `share`: a game as a text for others.
"""
