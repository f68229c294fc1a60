"""Commands that answer a question about a game and its rows: what is left, what next, and why."""

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from puzzlehunt.cli import options
from puzzlehunt.cli.options import Advised, Asked, Given, Text, Unnamed, argument, command, option
from puzzlehunt.cli.streams import STDIN, answered, note, print_json, read_lines, result
from puzzlehunt.errors import PuzzlehuntError, TooLargeError, UnknownNameError
from puzzlehunt.session.limits import LISTED_CANDIDATES, LISTED_GUESSES

if TYPE_CHECKING:
    from puzzlehunt.session.changes import QuestionKind

app = typer.Typer()


@command(app)
def suggest(
    given: Advised,
    top: options.Top = LISTED_GUESSES,
    try_: Annotated[Text, option("--try CODE", "How good is a guess of yours?")] = None,
    unread: Annotated[bool, Option("--unread", help="Rank unread marks, not guesses.")] = False,
    json: options.Json = False,
) -> None:
    """The best next guesses, and what each is worth.

    puzzlehunt suggest cryptic "HORSE B_WR_" "WORSE __RW_"

    puzzlehunt suggest heart-2018 --unread
    """
    if unread and try_ is not None:
        raise PuzzlehuntError("--unread ranks marks and --try a guess: ask for one of them")
    kind: QuestionKind = "unread" if unread else "suggest" if try_ is None else "try"
    _answer(given, json, kind, top, try_)


def _answer(
    given: Asked, json: bool, kind: "QuestionKind", number: int | None = None, code: Text = None
) -> None:
    """Print the answer to a question, as a conversation does or as JSON; fail if nothing fits."""
    from puzzlehunt.cli.opening import fail_without_candidates, open_answers
    from puzzlehunt.session.changes import Question
    from puzzlehunt.strategies.adviser import Advice
    from puzzlehunt.views.json import answer_json
    from puzzlehunt.views.screen import Screen
    from puzzlehunt.views.terminal import print_outcome

    answers = open_answers(given)
    with answered(given.seconds, answers.game, json):
        guess = None if code is None else answers.game.parse_guess(code)
        question, fits = Question(kind, number, guess), answers.engine.satisfiable()
        if json:
            print_json(answer_json(answers, question))
        elif fits or kind == "review":
            notes = Screen(sys.stderr, sys.stderr)
            screen = notes if answers.is_won and kind != "review" else Screen()
            for outcome in answers.ask(question):
                if isinstance(outcome, Advice) and (left := answers.counted(outcome)):
                    print_outcome(left, notes, answers.game)
                print_outcome(outcome, screen, answers.game)
        if not (fits or (kind == "review" and answers.is_won)):
            fail_without_candidates(answers)


@command(app)
def candidates(
    given: Asked,
    limit: Annotated[
        int, option("--limit N", "How many are listed at most.", least=0)
    ] = LISTED_CANDIDATES,
    json: options.Json = False,
) -> None:
    """What is still possible, one code per line; of several boards, board by board.

    If rows are weighed, the likeliest code comes first, and each has its chance after it.

    puzzlehunt candidates cryptic -t "HORSE B_WR_" --limit 100
    """
    from puzzlehunt.cli.opening import fail_without_candidates, open_answers
    from puzzlehunt.views import candidates as lines
    from puzzlehunt.views.json import candidates_json
    from puzzlehunt.views.screen import Screen

    answers = open_answers(given)
    with answered(given.seconds, answers.game, json):
        listed = answers.candidates(limit, limit if json else LISTED_GUESSES)
        if json:
            print_json(candidates_json(answers.engine, listed))
            if listed.stopped:
                note(lines.unfinished_line(listed.remaining))
        elif listed.fits or listed.stopped:
            # Only codes are results; what else is known of them are notes.
            codes = replace(listed, near=(), hint="--limit")
            lines.show_candidates(answers.game, codes, Screen())
            Screen(sys.stderr, sys.stderr).lines(lines.near_lines(listed.near))
        if listed.stopped:
            raise SystemExit(3)
        if not listed.fits:
            fail_without_candidates(answers)


@command(app)
def explain(
    given: Asked,
    why: Annotated[Text, option("--why CODE", "Which rows rule this code out?")] = None,
    json: options.Json = False,
) -> None:
    """Which rows cannot all be right, and what would mend them; why a code is not the secret.

    With several boards, CODE is 2: B, or one word for any board.

    puzzlehunt explain mastermind "RRRR B" "RGBY none"

    puzzlehunt explain cryptic "HORSE B_WR_" --why HEART
    """
    from puzzlehunt.cli.opening import is_row, open_answers, wider_hint
    from puzzlehunt.explanation.why import parse_question
    from puzzlehunt.session.changes import Question
    from puzzlehunt.views.json import answer_json
    from puzzlehunt.views.screen import Screen
    from puzzlehunt.views.terminal import print_outcome
    from puzzlehunt.views.wording import unconfirmed_text

    answers, screen = open_answers(given), Screen()
    with answered(given.seconds, answers.game, json):
        *rows, last = given.rows or [STDIN]
        if not (last == STDIN or is_row(last) or (rows and not any(map(is_row, rows)))):
            raise UnknownNameError(f"{last} has no clue; which rows rule it out: --why {last}")
        code, board = (None, None) if why is None else parse_question(answers.game, why)
        question, fits = Question("explain", None, code, board), answers.engine.satisfiable()
        try:
            if json:
                print_json(answer_json(answers, question))
            for outcome in () if json else answers.ask(question):
                print_outcome(outcome, screen, answers.game)
        except TooLargeError as error:
            note(str(error))
        if not fits:
            if not answers.engine.proves:
                note(f"({unconfirmed_text(answers.game)})")
            for hint in wider_hint(answers):
                note(hint)
            raise SystemExit(1)


@command(app)
def review(given: Asked, json: options.Json = False) -> None:
    """How good each guess was: what it was expected to tell, what it told, and the best, in bits.

    puzzlehunt review wordle "CRANE G...Y" "SLOTH Y..YY"
    """
    _answer(given, json, "review")


@command(app)
def identify(
    given: Unnamed,
    secret: Annotated[Text, option("--secret CODE", "The secret, if it is known.")] = None,
    top: options.Top = LISTED_GUESSES,
    json: options.Json = False,
) -> None:
    """What marks mean that nobody explained: the likeliest rules and meanings, and the secrets.

    Without GAME, secrets are words as long as the first guess. All rules are tried; with --rule
    NAME, only what the marks of that rule mean.

    puzzlehunt identify "HORSE XYX_Z" "CRANE YYXYY"

    puzzlehunt identify 4x6 "AABB O" "ABCD OX" --secret DBAA
    """
    from puzzlehunt.cli.opening import is_row, open_document, open_game
    from puzzlehunt.explanation import identification
    from puzzlehunt.game.files.document import Document
    from puzzlehunt.views.candidates import identification_lines
    from puzzlehunt.views.json import identification_json

    if is_row(given.name):
        given = replace(given, name="", rows=[given.name, *(given.rows or [])])
    if not given.name:
        given = _with_words(given)
    asked = Document({}).with_option("identify", "legend", "unknown")
    document = asked.inherit(open_document(given))
    game = open_game(given, document)
    with answered(given.seconds, game, json):
        found = identification.identify(game, game.history, document.is_option("rule"), secret, top)
        if json:
            print_json(identification_json(found))
        else:
            result("\n".join(identification_lines(found)))
        if not game.history.turns:
            note('no row yet: "HORSE XYX", for each guess with its marks')
        if not found.hypotheses:
            raise SystemExit(1)


def _with_words(given: Unnamed) -> Unnamed:
    from puzzlehunt.cli.opening import changed_keys, logs, typed_rows
    from puzzlehunt.game.blocks import is_heading

    lines = [*typed_rows(given), *(given.turns or [])]
    lines += [line for name in logs(given) for line in read_lines(name)]
    rows = [line.split("#")[0] for line in lines if not is_heading(line)]
    first = re.search(r"[^\W\d_]{2,}", " ".join(rows))
    if first is None:
        raise PuzzlehuntError('which game? GAME, or rows of words: "HORSE XYX"')
    changed = changed_keys(given).value.get("secret", {})
    if not isinstance(changed, dict):  # a mistake, which the game says
        return replace(given, name="word-mastermind")
    secret = {"words": "standard", "length": str(len(first[0]))} | changed
    return replace(given, name="word-mastermind", words=secret["words"], length=secret["length"])


@command(app)
def score(
    given: Given,
    secret: Annotated[str, argument("SECRET", "Or - for lines SECRET GUESS on stdin.")],
    guess: Annotated[str, argument("GUESS", "What is guessed.")] = "",
    json: options.Json = False,
) -> None:
    r"""The feedback of a guess.

    puzzlehunt score cryptic HEART HORSE

    printf 'HEART HORSE\n' | puzzlehunt score cryptic -
    """
    from puzzlehunt.cli.opening import open_game
    from puzzlehunt.views.rows import score_json

    game = open_game(given)
    if secret == STDIN and not guess:
        for line in filter(str.strip, sys.stdin):
            first, second = [*line.strip().split(maxsplit=1), ""][:2]
            try:
                print_json(score_json(game, game.parse_secret(first), game.parse_guess(second)))
            except PuzzlehuntError as error:
                print_json({"secret": first, "guess": second, "error": str(error)})
        return
    scored = score_json(game, game.parse_secret(secret), game.parse_guess(guess))
    if json:
        print_json(scored)
    else:
        result(str(scored["feedback"]))
        note(f"secret {scored['secret']}, guess {scored['guess'] or 'nothing'}")
