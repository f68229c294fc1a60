"""A hash of everything that affects the best play of a game, the same in every version.

Trees, opening books and lab checkpoints store the hash to identify their game.
"""

import hashlib

from puzzlehunt.channel.model import PERFECT
from puzzlehunt.codes.spaces import CodeSpace
from puzzlehunt.game.game import Game


def fingerprint(game: Game, by_names: bool = True) -> str:
    """Return 12 hexadecimal digits (48 bits), the same for games whose best play is the same.

    Unless `by_names`, symbols are hashed by their places, so that 4x6 is Mastermind in six colours.
    """
    formula, rule = game.one_board.secrets.formula, game.one_board.rule
    digest = f" {rule.digest}" if rule.only_listed else ""
    rule_options = "".join(f" {key}={rule.options[key]}" for key in sorted(rule.options))
    options = (
        (game.boards > 1, f"boards {game.boards}"),
        (game.play.attempts is not None, f"attempts {game.play.attempts}"),
        (game.hard, "hard"),
        (formula is not None, f"formula {formula}"),
        (game.host.gives, f"gives {' '.join(game.host.gives)}"),
        (game.channel != PERFECT, f"channel {game.channel}"),
        (game.host.adversarial, "host adversarial"),
        (game.only_questions, "only questions"),
    )
    lines = [
        f"symbols {' '.join(game.alphabet.symbols) if by_names else len(game.alphabet)}",
        f"secrets {_space(game.one_board.secrets)}",
        f"guesses {_space(game.guesses)}",
        f"rule {rule.name}{rule_options}{digest}",
        # A default has no line, so that new options change no game.
        *(line for is_set, line in options if is_set),
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _space(space: CodeSpace) -> str:
    if space.free:
        distinct = " distinct" if space.distinct else ""
        return f"{space.lengths[0]} to {space.lengths[-1]}{distinct}"
    digest = hashlib.sha256()
    for code in space:
        digest.update(f"{code} {space.weight(code)}\n".encode())
    return f"words {digest.hexdigest()}"
