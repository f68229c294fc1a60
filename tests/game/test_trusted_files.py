"""What a game file from a stranger may name: no code, and only files below its own folder."""

import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from program import Program
from puzzlehunt.errors import GameFileError, RuleError, UnknownNameError
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.document import state_folder
from puzzlehunt.rules import rule_registry
from puzzlehunt.rules.rule_registry import find_rule
from puzzlehunt.session.session import Session
from puzzlehunt.strategies.registry import find_strategy

_COMMANDS = (
    ["check"], ["suggest"], ["candidates"], ["score"], ["explain"], ["export"], ["solve"],
    ["review"], ["host"], ["play"], ["lab", "run"], ["lab", "compare"], ["play", "--session"],
)  # fmt: skip


@pytest.fixture
def stranger(home: Path) -> Path:
    """The folder of a stranger's files, beside one with a file that is none of theirs."""
    (home / "own.txt").write_text("ACE\nBED\n")
    (home / "own.yaml").write_text("game: 2x2\n")
    folder = home / "stranger"
    folder.mkdir()
    (folder / "evil.py").write_text("raise SystemExit('evil was imported')\n")
    return folder


def _refused(folder: Path, text: str) -> str:
    """Return the message that refuses a stranger's file; it names the file and a line."""
    file = folder / "game.yaml"
    file.write_text(text)
    with pytest.raises(GameFileError) as caught:
        gamefile.load(str(file))
    assert str(caught.value).startswith(f"{file}:")
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value).removeprefix(f"{file}:")


@pytest.mark.parametrize("command", _COMMANDS, ids=" ".join)
def test_no_command_loads_code_that_a_file_names(
    command: list[str], run: Program, stranger: Path
) -> None:
    (stranger / "game.yaml").write_text("game: 2x2\nplay: {strategy: 'stranger/evil.py:f'}\n")
    given = {"score": ["AB", "AA"], "lab compare": ["--strategy", "first", "--strategy", "parts"]}
    done = run(*command, "stranger/game.yaml", *given.get(" ".join(command), []), stdin="AB 1 0\n")
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    problem = "a file loads no code; name the strategy yourself: stranger/evil.py:f"
    expected = f"stranger/game.yaml:2: play.strategy: {problem}"
    assert done.err.endswith(f"{expected}\n")


@pytest.mark.parametrize("kind", ["rule", "strategy"])
def test_no_name_loads_code_of_the_folder(kind: str, home: Path) -> None:
    (home / ".py").write_text("raise SystemExit('.py was run')\n")
    find = {"rule": find_rule, "strategy": find_strategy}[kind]
    with pytest.raises(UnknownNameError, match=f"no {kind} is called 'none'"):
        find("none")


def test_a_package_imports_nothing_from_the_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "shadow.py").write_text("raise SystemExit('shadow was imported')\n")
    monkeypatch.setattr(sys, "path", [one for one in sys.path if one not in ("", str(home))])
    entry = EntryPoint("shaded", "shadow:Rule", "puzzlehunt.rules")
    monkeypatch.setattr(rule_registry, "plug_ins", lambda kind: [entry])
    with pytest.raises(RuleError, match="No module named 'shadow'"):
        find_rule("shaded")


def test_a_file_names_no_file_outside_of_its_folder(stranger: Path) -> None:
    (stranger / "link.txt").symlink_to(stranger.parent / "own.txt")
    for name in ("../own.txt", str(stranger.parent / "own.txt"), "link.txt", "/dev/zero", "~/x"):
        for text in (
            f"secret: {{words: {name}}}",
            f"secret: {{words: common, length: 3}}\nguess: {{words: {name}}}",
        ):
            message = _refused(stranger, text)
            assert f"'{name}' lies outside of the folder of this file; name it yourself" in message
            option = f"{'guess' if 'guess' in text else 'secret'}.words="
            assert message.endswith(option + os.path.normpath(stranger / Path(name).expanduser()))
    message = _refused(stranger, "game: 2x2\nplay: {strategy: tree:/etc/passwd}\n")
    assert message.startswith("2: play.strategy: '/etc/passwd' lies outside")
    assert _refused(stranger, "game: ../own.yaml\n").startswith("1: game: '../own.yaml' lies out")


def test_a_file_names_files_below_its_folder(stranger: Path) -> None:
    (stranger / "deep").mkdir()
    (stranger / "deep" / "list.txt").write_text("ACE\nBED\n")
    (stranger / "deep" / "game.yaml").write_text("secret: {words: list.txt, length: 3}\n")
    file = stranger / "game.yaml"
    file.write_text("game: deep/game.yaml\nguess: {words: ./deep/../deep/list.txt}\n")
    assert gamefile.load(str(file)).secrets.size == 2
    file.write_text("game: 2x2\nplay: {strategy: 'tree:deep/x.tree'}\n")
    assert gamefile.load(str(file)).play.strategy == f"tree:{stranger / 'deep' / 'x.tree'}"


def test_a_session_that_the_program_kept_by_itself_names_files_anywhere(stranger: Path) -> None:
    folder = state_folder("sessions")
    folder.mkdir(parents=True)
    (folder / "s.yaml").write_text(f"game: {stranger.parent / 'own.yaml'}\n")
    assert gamefile.load(str(folder / "s.yaml")).secrets.size == 4


@pytest.mark.skipif(os.name != "posix", reason="there are no such files")
def test_a_pipe_that_nobody_writes_is_one_line(stranger: Path) -> None:
    for name in ("pipe", "pipe.tree"):
        os.mkfifo(stranger / name)
    assert "neither a file nor built in" in _refused(stranger, "secret: {words: pipe}\n")
    (stranger / "game.yaml").write_text("game: pipe\n")
    with pytest.raises(GameFileError, match=r"pipe: cannot be read \(it is not a regular file"):
        gamefile.load(str(stranger / "game.yaml"))


def test_what_is_named_on_the_command_line_may_lie_anywhere_and_is_named_again(
    run: Program, home: Path, stranger: Path
) -> None:
    kept = ["play", "--session", "stranger/s.yaml"]
    game = ["2x2", "--set", "secret.symbols=ABCDE", "--set", "secret.length=3"]
    words = ["--words", str(home / "own.txt")]
    assert run(*kept[:1], *game, *kept[1:], *words, stdin="ACE *\n").status == 0
    assert "words: ../own.txt" in (stranger / "s.yaml").read_text()
    assert run("candidates", "stranger/s.yaml", "--words", "own.txt").out == "BED\n"
    assert run(*kept, *words, stdin="/drop 1\n").status == 0
    refused = run("candidates", "stranger/s.yaml")
    assert refused.status == 2
    assert "name it yourself: secret.words=own.txt" in refused.err
    assert run("candidates", "stranger/s.yaml", "--words", "own.txt").out == "ACE\nBED\n"


def test_a_strategy_that_is_code_leaves_a_session_readable(run: Program, home: Path) -> None:
    (home / "mine.py").write_text("def f(counts): return max(counts)\n")
    (home / "s.yaml").write_text("game: 2x3\nplay: {strategy: parts}  # mine\nturns: [AB 1 0]\n")
    done = run("play", "--session", "s.yaml", "--strategy", "mine.py:f", stdin="AC 1 0\n")
    assert done.status == 0
    assert (home / "s.yaml").read_text().endswith("}  # mine\nturns:\n- AB 1 0\n- AC B\n")
    started = run(
        "play", "2x3", "--session", "new.yaml", "--strategy", "mine.py:f", stdin="AB 1 0\n"
    )
    assert started.err.endswith("does not keep mine.py:f: name it again to continue with it\n")
    assert Session.resume(home / "new.yaml").game.play.strategy == "book"
