"""A chat bot for Wordle: each message is a row, a fact or a question, each reply is a text."""

import sys

import puzzlehunt


def reply(session: puzzlehunt.Session, message: str) -> str:
    """Return the answer to a message, which may change the game."""
    try:
        match message.split():
            case ["hint"]:
                return "won" if session.is_won else f"try {session.suggest(1)[0]}"
            case ["why", word]:
                (verdict,) = session.why(word)
                rows = ", ".join(map(str, verdict.because))
                return "still possible" if verdict.candidate else f"out by row {rows}"
            case ["undo"]:
                session.undo()
            case ["repair", number]:
                session.play(*(one for one in session.repairs() if str(one.rank) == number))
            case _:
                session.play(message)
    except puzzlehunt.PuzzlehuntError as error:
        return f"sorry: {error}"
    if session.is_won:
        return "won"
    return "\n".join(map(str, [session.count(), *session.repairs()[:3]]))


if __name__ == "__main__":
    game = puzzlehunt.Session("wordle")
    for line in sys.stdin if len(sys.argv) < 2 else sys.argv[1:]:
        print(f"> {line.strip()}\n{reply(game, line.strip())}")
