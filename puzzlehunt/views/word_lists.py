"""What word lists pass over, in words."""

from collections.abc import Iterator

from puzzlehunt.codes.product_spaces import PairSpace
from puzzlehunt.codes.spaces import CodeSpace, WordSpace
from puzzlehunt.errors import counted, in_number
from puzzlehunt.game.game import Game
from puzzlehunt.views.escapes import one_line

_MOST_LETTERS = 6
"""Letters of words passed over that are shown."""


def passed_over(game: Game) -> Iterator[str]:
    """Yield for the list of secrets and for that of guesses what they pass over.

    That is `8 words passed over: 7 with other letters (Ñ, Á), 1 twice`. Words that were not asked
    for, in length or with a letter twice, are not named.
    """
    for role, space in (("", game.one_board.secrets), ("guesses: ", game.guesses)):
        if text := _passed_over(space):
            yield f"{role}{text}"


def _passed_over(space: CodeSpace) -> str:
    listed = space.single_space if isinstance(space, PairSpace) else space
    if not isinstance(listed, WordSpace):
        return ""
    passed, parts = listed.passed_over, []
    if passed.foreign:
        letters = list(map(one_line, passed.letters))
        shown = ", ".join(letters[:_MOST_LETTERS]) + ", ..." * (len(letters) > _MOST_LETTERS)
        with_letters = f"with {in_number('other letter', len(letters))}"
        parts.append(f"{passed.foreign:,} {with_letters} ({shown})")
    if passed.twice:
        parts.append(f"{passed.twice:,} twice")
    total = counted(passed.foreign + passed.twice, "word")
    return f"{total} passed over: {', '.join(parts)}" if parts else ""
