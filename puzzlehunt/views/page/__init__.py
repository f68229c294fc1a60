"""A board's page in a browser: HTML with classes only.

Buttons belong to the form `ask`; the value of a button is a change as JSON, or a line to type.

- `board_rows`: turns and facts, who wrote them, the colours of the style sheet.
- `keyboard`: the keys for symbols and marks.
- `fragments`: outcomes as HTML, with buttons if useful; the help, with examples of the game.
"""
