"""A game, its history, and the lines that people write about it.

- `game`: `Game`: secrets, guesses, rule and channel; what a turn says of the secret.
- `play`: how a game is played where nobody says otherwise.
- `history`: turns and facts in order; `facts`: facts as text and back.
- `lines`: a line taken apart, and the turn that it writes; `blocks`: many lines at once.
- `shared`: results that people share, in rows of squares.
- `gifts`: what a codemaker gives away at the start.
- `fingerprint`: a short name for what decides a game.
- `viewed`: how a notebook asks for HTML.
- `files/`: YAML to a game and back.
"""
