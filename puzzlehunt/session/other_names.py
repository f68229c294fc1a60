"""What people who come from other programs call the commands of a dialogue."""

from collections.abc import Iterable

from puzzlehunt.errors import UnknownNameError, did_you_mean

OTHER_NAMES = {
    "suggest": "hint hints tip best advice advise recommend solve move next-guess help-me",
    "hint": "suggest suggestion tip best advice solve help-me clue",
    "candidates": "list show left remaining possible possibilities words answers options codes all",
    "why": "explain because whynot why-not reason",
    "certain": "known sure decided letters fixed",
    "try": "test check evaluate eval value score what-if whatif",
    "review": "stats statistics skill luck analyse analyze analysis",
    "share": "copy emoji squares publish",
    "conflicts": "contradictions errors wrong inconsistent",
    "suspect": "misread typos suspicious",
    "next": "unread missing",
    "history": "rows log turns guesses status print board table",
    "edit": "change correct replace modify set update",
    "repair": "fix mend solve-conflict",
    "drop": "delete remove del rm erase",
    "doubt": "unsure maybe uncertain ignore question",
    "fact": "contains include exclude must not filter where constraint letter",
    "undo": "back revert takeback take-back ctrl-z",
    "redo": "forward again repeat",
    "widen": "wordlist word-list dictionary dict",
    "strategy": "algorithm method mode solver",
    "rates": "probabilities channel",
    "save": "write store keep",
    "new": "reset restart clear start newgame new-game start-over wipe",
    "export": "smt smtlib smt2 dump",
    "help": "commands man manual usage info about",
    "quit": "leave stop end bye close abort logout wq q!",
    "give-up": "reveal answer solution secret surrender resign giveup give",
}
"""For each command of any dialogue, words that mean it elsewhere."""
_NO_COMMANDS = {
    "guess play enter type row add-row": "just type it, without a command",
    "answer reveal solution secret give-up resign": "nobody knows it here; see /candidates",
    "load open read import game": "a file or another game: puzzlehunt play NAME",
    "new reset restart start newgame new-game again": "/quit, and start it again",
    "paste": "paste the rows themselves",
    "hard": "start with --hard",
}
"""Words for which there is no command, and what does that."""


def unknown_command(name: str, names: Iterable[str]) -> UnknownNameError:
    """Return the error for a command that does not exist, with what was probably meant.

    `names` are the commands of the dialogue.
    """
    return UnknownNameError(f"no command /{name}{_what_was_meant(name, list(names))}")


def other_name(word: str, names: Iterable[str]) -> str | None:
    """Return the command that a word means in other programs, None for a word that means none."""
    words = {other: known for known in names for other in OTHER_NAMES.get(known, "").split()}
    return words.get(word.casefold())


def _what_was_meant(name: str, names: list[str]) -> str:
    if (command := other_name(name, names)) is not None:
        return f"; did you mean /{command}?"
    for words, remedy in _NO_COMMANDS.items():
        if name.casefold() in words.split():
            return f"; {remedy}"
    near = did_you_mean(name, names)
    return near.replace("you mean ", "you mean /") if "you mean" in near else "; /help lists them"
