"""Commands that play: a person at a prompt or through a pipe, the program by itself, a team."""

import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

import puzzlehunt
from puzzlehunt.cli import options
from puzzlehunt.cli.options import Begun, File, Played, Text, argument, command, option
from puzzlehunt.cli.streams import INTERRUPTED, fail, note, print_json, read_lines, result
from puzzlehunt.errors import PuzzlehuntError, SessionError, UnknownNameError, counted

if TYPE_CHECKING:
    from puzzlehunt.rules import Code

app = typer.Typer()


@command(app)
def play(
    given: Begun,
    session_file: Annotated[File, option("--session FILE", "Keep the game in this file.")] = None,
    watched: Annotated[File, option("--watch FILE", "Follow a sheet as it is saved.")] = None,
    coach: Annotated[bool, Option("--coach", help="No suggestions until /suggest.")] = False,
) -> None:
    r"""Play: type guesses and what you could read of the answers. Without GAME you are asked.

    puzzlehunt play cryptic

    puzzlehunt play mine.yaml (rows are written to this file)

    printf 'HORSE B_WR_\n/candidates 5\n' | puzzlehunt play cryptic
    """
    from puzzlehunt.cli.opening import check_play, typed_rows
    from puzzlehunt.game.play import names_code
    from puzzlehunt.session.conversation import Conversation
    from puzzlehunt.session.limits import limited, longest_wait
    from puzzlehunt.terminal import prompt
    from puzzlehunt.views.screen import Screen

    is_terminal = sys.stdin.isatty()
    if not (given.name or session_file) and is_terminal and sys.stdout.isatty():
        given = replace(given, name=_asked_game())
    session = _session(given, session_file, watched)
    try:
        check_play(session.game)
        conversation = Conversation(session, "count" if coach else "status")
        rows = "\n".join(typed_rows(given))
        in_time = prompt.run(conversation, Screen(), sys.stdin, rows)
        with limited(longest_wait(session.game.play.budget), "--set play.budget="):
            agree = is_terminal or session.answers.is_won or session.engine.satisfiable()
    finally:
        session.close()
    file = _game_file(given.name)
    if file and not (session.path or is_terminal) and session.history != session.game.history:
        note(f"{file} stays as it was; --session {file} writes the rows of a pipe there")
    if session.path and names_code(strategy := session.game.play.strategy_name):
        note(f"{session.path} does not keep {strategy}: name it again to continue with it")
    if session.unsaved is not None and not is_terminal:
        raise SessionError(f"{session.unsaved}; the rows of this game are not in the file")
    if not (agree and in_time):
        raise SystemExit(1 if in_time else 3)


def _asked_game() -> str:
    from puzzlehunt.game.files import gamefile
    from puzzlehunt.views.screen import Screen

    titles = {"words": "Words", "table": "Tables", "formula": "Numbers"}
    kinds, screen = dict[str, list[str]](), Screen()
    for name in options.games():
        secret = gamefile.document_of(name).value.get("secret", {})
        title = next((title for key, title in titles.items() if key in secret), "Codes")
        kinds.setdefault(title, []).append(name)
    for title, names in kinds.items():
        screen.sentence(f"{title}: {', '.join(names)}")
    screen.sentence("Or a size as 4x6, or a file. puzzlehunt games says what each is.")
    with suppress(EOFError):
        if name := input("Which game: ").strip():
            return name
    raise SystemExit(0)


def _game_file(name: str) -> Path | None:
    from puzzlehunt.game.files.gamefile import path_of

    path = path_of(name)
    return path if path is not None and path.is_file() else None


def _session(given: Begun, path: Path | None, watched: Path | None) -> "puzzlehunt.Session":
    """Return the session to play, which is kept in the file `path`, or has the rows of `watched`.

    In a terminal, the session of a game file is kept in that file, and others in the user's state
    folder. From a pipe, a session is kept only in the file of `--session`.
    """
    from puzzlehunt.cli.opening import changed_keys, open_document, open_game
    from puzzlehunt.session.file_store import absolute_reference, kept_settings
    from puzzlehunt.session.session import WatchedSession

    is_terminal = sys.stdin.isatty()
    if watched and not (given.name and is_terminal and path is None):
        way = f"rows from a pipe: puzzlehunt play GAME < {quote(str(watched))}"
        raise SessionError(f"--watch needs a terminal and a GAME, and no --session; {way}")
    if options.is_address(given.name):
        if path is not None or watched or given.changes() or given.settings:
            raise SessionError("the server keeps this board: no --session, and no other settings")
        return puzzlehunt.connect(given.name)
    if path is None and is_terminal and not watched:
        path = _game_file(given.name)
    old = None
    if path is not None and path.exists():
        old = _resumed(given, path)
    elif not given.name:
        raise UnknownNameError("play what? puzzlehunt play GAME; puzzlehunt games lists them")
    else:
        document = open_document(given)
        game = open_game(given, document)
        settings = kept_settings(changed_keys(given))
        if given.reads:
            # Rates that the option leaves out are those of the game.
            settings["reads"] = document.value["reads"]
        reference = absolute_reference(given.name)
        if watched:
            session = WatchedSession(game, watched, reference, settings)
            is_there = watched.exists()
            for problem in session.read_again() if is_there else ():
                note(f"{watched}:{problem.line}: {problem.message}")
            state = "followed" if is_there else "not there yet, and read as soon as it is"
            note(f"{watched} is {state}; /save FILE keeps what you type besides")
            return session
        new = puzzlehunt.Session(game, reference, settings)
        if path is not None:
            new.keep_in(path)
        elif is_terminal:
            old = _autosaved(given, new)
    if old is None:
        return new
    if given.reads:
        old.apply(puzzlehunt.changes.SetReadRates(given.reads))
    return old


def _resumed(given: Begun, path: Path) -> "puzzlehunt.Session":
    """Return the session in a file, which must be of the game that the command names."""
    from puzzlehunt.cli.opening import changed_keys
    from puzzlehunt.session.file_store import absolute_reference

    changes, name = changed_keys(given), given.name
    session = puzzlehunt.Session.resume(path, changes=changes, played=name)
    ours = session.reference, absolute_reference(str(path))
    if name and absolute_reference(name) not in ours:
        session.close()
        is_of = f"is a session of {session.reference or session.game.title}, not of {name}"
        play = f"puzzlehunt play --session {quote(str(path))}"
        raise SessionError(f"{path} {is_of}; to continue it: {play}")
    return session


def _autosaved(given: Begun, new: "puzzlehunt.Session") -> "puzzlehunt.Session | None":
    """Let a session save itself after every line, in the user's state folder.

    Returns the unfinished session of the same game instead, if any, unless rows were given: those
    begin a new game, and set it aside. What another program plays is not kept.
    """
    from puzzlehunt.cli.opening import changed_keys
    from puzzlehunt.game.files.atomic import make_folder
    from puzzlehunt.session.file_store import default_path, set_aside

    changed = [f"{key}={value}" for _, key, value in given.changes() if key != "reads"]
    # How a game is played does not make it another game.
    settings = [each for each in (given.settings or []) + changed if not each.startswith("play.")]
    path, changes = default_path(new.reference, settings), changed_keys(given)
    changes.value = {key: value for key, value in changes.value.items() if key == "play"}
    try:
        make_folder(path.parent)
        if path.exists():
            old = puzzlehunt.Session.resume(path, changes=changes)
            has_begun = old.history.items and old.history != new.history and not old.answers.is_won
            if has_begun and not given.rows:
                size = counted(len(old.history.turns), "row")
                note(f"resumed your game of {size}; /new starts anew")
                return old
            if has_begun:
                note(f"the old game is kept: puzzlehunt play {quote(str(set_aside(path)))}")
            old.close()
            path.unlink(missing_ok=True)
        new.keep_in(path)
    except PuzzlehuntError as error:
        note(f"this game is not kept, unless by /save FILE: {error}")
    return None


@dataclass(eq=False, repr=False)
class Hidden(Played):
    """A game with a secret to be found."""

    secret: Annotated[Text, option("--secret CODE", "The secret; by default a random one.")] = None
    seed: options.Seed = None


@command(app)
def host(given: Hidden) -> None:
    r"""Practise: the program has a secret, and answers your guesses.

    puzzlehunt host mastermind

    printf 'CRANE\nSLOTH\n' | puzzlehunt host wordle --secret CRANE
    """
    from puzzlehunt.cli.opening import open_document, open_game
    from puzzlehunt.session.conversation import Practice
    from puzzlehunt.terminal import prompt
    from puzzlehunt.views.screen import Screen

    if not open_document(given).is_option("play.seed"):
        given.seed = random.SystemRandom().getrandbits(32)
    game = open_game(given)
    hidden, problem = _secret_to_find(game, given.secret)
    if problem:
        fail(problem, 2 if given.secret else 1)
    rng = random.Random(f"{game.play.seed}:given")
    practice = Practice(puzzlehunt.open_codemaker(game, hidden, rng=rng))
    prompt.run(practice, Screen(), sys.stdin)
    if not practice.is_solved:
        raise SystemExit(1)


@command(app)
def solve(given: Hidden, budget: options.Budget = None, json: options.Json = False) -> None:
    """Play by itself against a secret, and print the transcript.

    puzzlehunt solve cryptic --secret HEART

    puzzlehunt solve absurdle
    """
    from puzzlehunt.cli.opening import open_game
    from puzzlehunt.engines import open_engine
    from puzzlehunt.session.codemaker import play_against
    from puzzlehunt.strategies import Adviser
    from puzzlehunt.views.rows import history_lines, turn_line
    from puzzlehunt.views.screen import Screen

    game, screen = open_game(given), Screen()
    hidden, problem = _secret_to_find(game, given.secret)
    started, seed, choosers = time.perf_counter(), game.play.seed, list[str]()
    if problem:
        log, solved = game.history, False
    else:
        maker = puzzlehunt.open_codemaker(game, hidden, rng=random.Random(f"{seed}:given"))
        if not json:
            screen.lines(history_lines(game, maker.history))
        adviser, engine = Adviser(game), open_engine(game)
        a_guess, rng = puzzlehunt.Budget(guesses=budget), random.Random(seed)
        plays = play_against(maker, adviser, engine, rng, a_guess)
        attempts, played = game.play.attempts, len(maker.history.turns)
        for turn, advice in islice(plays, None if attempts is None else max(0, attempts - played)):
            chooser = f"a book ({advice.book})" if advice.book else advice.strategy
            choosers.append(chooser if advice.only_candidate is None else "the only candidate")
            if not json:
                screen.line(turn_line(game, len(maker.history.turns), turn))
        log, solved, hidden = maker.history, maker.is_over, maker.secret
    if json:
        code, clue = game.format_code, game.rule.notation.format
        solution = {
            "secret": code(hidden),
            "solved": solved,
            "guesses": len(log.turns),
            "facts": [fact.text for fact in log.facts],
            "turns": [{"guess": code(one.code), "clue": clue(one.clue)} for one in log.turns],
            "seconds": round(time.perf_counter() - started, 3),
            "strategies": choosers,
        }
        print_json(solution)
    if problem:
        fail(problem, 1)
    if not json:
        outcome, guesses = "Solved" if solved else "Not solved", counted(len(log.turns), "guess")
        result(f"{outcome} in {guesses}: {game.format_code(hidden)}")
        if by := dict.fromkeys(name for name in choosers if name != "the only candidate"):
            note(f"(guesses by {', then '.join(by)})")
    if not solved:
        raise SystemExit(1)


def _secret_to_find(game: "puzzlehunt.Game", text: str | None) -> "tuple[Code, str]":
    """Return a secret, and the reason why the game's history excludes it ("" if it does not).

    `text` is its code; None or `random` draws one.
    """
    from puzzlehunt.engines import open_engine
    from puzzlehunt.game import meaning
    from puzzlehunt.session.codemaker import draw_secret
    from puzzlehunt.views.wording import contradiction_line

    rng = random.Random(game.play.seed)
    if text is None or text.casefold() == "random":
        if game.history.items and not (engine := open_engine(game)).satisfiable():
            return game.secrets.random(rng), contradiction_line(engine)
        return draw_secret(game, rng), ""
    if game.host.adversarial:
        raise UnknownNameError("an adversarial host has no secret; leave --secret out")
    secret = game.parse_secret(text)
    secret_text = game.format_code(secret)
    if secret not in game.secrets:
        raise UnknownNameError(f"{secret_text} is not among the game's secrets; another --secret")
    fits = meaning.fits(game, game.history, secret)
    return secret, "" if fits else f"{secret_text} does not fit the rows"


@dataclass(eq=False, repr=False)
class Served:
    """What is served, and to whom, as `web.server.serve` takes it."""

    boards: Annotated[
        list[str] | None,
        argument("GAME|FILE", "Games, sizes or files to make boards of.", options.games),
    ] = None
    folder: Annotated[File, option("--data DIR", "The folder where boards are kept.")] = None
    host: Annotated[str, option("--host HOST", "0.0.0.0 admits other machines.")] = "127.0.0.1"
    port: Annotated[int, option("--port PORT", "The port.", least=0)] = 8765
    name: Annotated[str, option("--name NAME", "The host name behind a reverse proxy.")] = ""
    root_path: Annotated[str, option("--root-path PATH", "What the proxy's paths begin with.")] = ""
    password: Annotated[
        File, option("--password-file FILE", "Visitors need the password in this file.")
    ] = None
    most_boards: Annotated[int, option("--boards N", "At most N boards.", least=1)] = 1_000
    workers: Annotated[int, option("--workers N", "How many processes answer.", least=1)] = 3


@command(app)
def serve(given: Served) -> None:
    """A team's boards in a browser: a page to open, and a link to share.

    puzzlehunt serve cryptic

    puzzlehunt serve --data hunt --port 8080 --password-file secret.txt
    """
    try:
        from puzzlehunt.web import server
    except ModuleNotFoundError as error:
        raise puzzlehunt.errors.missing_package(f"serve needs {error.name}", "web") from None
    from puzzlehunt.game.files.document import state_folder

    file = given.password
    password = "".join(read_lines(str(file))[:1]).strip() if file else ""
    if file and not password:
        raise SessionError(f"{file}: the first line is empty, where the password should be")
    asked = vars(given) | {
        "boards": given.boards or [],
        "folder": given.folder or state_folder("boards"),
        "password": password,
    }
    try:
        server.serve(note, **asked)
    except KeyboardInterrupt:  # its usual end, which needs no message
        raise SystemExit(INTERRUPTED) from None
