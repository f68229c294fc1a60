"""Four ways to find NetHack's tune by hand, without a list of tunes. Only the lab plays them.

The player keeps the prefix, which is the notes known so far from the left, and a list of notes that
may come next. The prefix is played with the first note of the list. If a tumbler clicks, that note
comes later: it goes to the end of the list. If more gears turn than the prefix is long, the note
joins the prefix. If neither happens, the note does not occur any more and leaves the list. This is
`naive-1`; each further strategy adds a rule to the one before it:

- `naive-2`: when one note is left in the list, the rest is that note, without playing it;
- `naive-3`: once as many notes have clicked or turned as the tune is long, all others leave;
- `naive-4`: a note that has turned a gear goes to the end of the list.
"""

from puzzlehunt.codes.alphabet import Code
from puzzlehunt.errors import UnknownNameError
from puzzlehunt.game.game import Game
from puzzlehunt.rules.notation.clue import Feedback

NAMES: tuple[str, ...] = ("naive-1", "naive-2", "naive-3", "naive-4")
"""The names of these strategies, the simplest first."""


def check(game: Game, name: str) -> None:
    """Raise UnknownNameError for a game that is not like NetHack's tune."""
    rule, secrets, guesses = game.rule, game.secrets, game.guesses
    if not (
        rule.name == "pegs"
        and {name for name, _ in rule.kinds[:-1]} == {"black", "white"}
        and secrets.free
        and guesses.free
        and not secrets.distinct
        and not guesses.distinct
        and guesses.lengths[0] <= 1
        and game.host == "truthful"
        and not (game.hard or game.channel.weighs or game.gives or game.history.items)
    ):
        raise UnknownNameError(
            f"strategy {name}: expected a game like nethack, with pegs and short guesses; "
            "first plays any game"
        )


def play(game: Game, name: str, secret: Code) -> tuple[int, int]:
    """Return guesses until the secret is played, and until it is known.

    A secret that is known before it is played takes one more guess. The game is one
    that `check` admits.
    """
    level = NAMES.index(name) + 1
    kinds = [name for name, _ in game.rule.kinds]
    black, white = kinds.index("black"), kinds.index("white")
    prefix: list[int] = []
    notes = list(range(len(game.alphabet)))
    heard: set[int] = set()
    plays = 0
    while len(prefix) < game.length:
        if level >= 2 and len(notes) == 1:
            return plays + 1, plays
        note = notes[0]
        feedback: Feedback = game.rule.score((*prefix, note), secret)
        plays += 1
        turned = feedback[black] > len(prefix)
        if feedback[white] or turned:
            heard.add(note)
        if turned:
            prefix.append(note)
        if feedback[white] or (turned and level >= 4):
            notes.append(notes.pop(0))
        elif not turned:
            notes.pop(0)
        if level >= 3 and len(heard) >= game.length:
            notes = [note for note in notes if note in heard]
    return plays, plays
