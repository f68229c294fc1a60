"""A board's page in a browser: HTML with classes only.

What can be tapped is a button of the form `ask`, whose value is a change as JSON, or a line as one
would type it.

- `board_rows`: turns and facts, the keys that type marks, the colours of the style sheet.
- `fragments`: outcomes, by the face `page`.
"""
