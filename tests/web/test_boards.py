"""Boards: changes of several people, version by version, without a server."""

import random
import resource
from pathlib import Path

import pytest

from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.game.files import gamefile
from puzzlehunt.session.changes import RecordTurns
from puzzlehunt.session.questions import Candidates, ReadRates, Status
from puzzlehunt.web.board import (
    BrokenBoardError,
    FullError,
    OutdatedChangeError,
    RefusedLineError,
    Submission,
    TeamBoard,
)
from puzzlehunt.web.board_folder import Boards
from puzzlehunt.web.snapshot import TypedLine
from puzzlehunt.web.uploads import check_upload


@pytest.fixture
def boards(tmp_path: Path) -> Boards:
    return Boards(tmp_path, 5)


@pytest.fixture
def board(boards: Boards) -> TeamBoard:
    return boards.create("2x3")


def run_line(
    board: TeamBoard, line: str, by: str = "Ann", version: int | None = None, once: str = "",
    **more: str,
) -> str:  # fmt: skip
    return "\n".join(board.submit(Submission(TypedLine(line, **more), by, version, once)).text)


def rows(board: TeamBoard) -> list[str]:
    game = board.game
    return [game.format_turn(turn) for turn in board.session.history.turns]


def test_settings_are_a_new_version_though_a_worker_answers_the_line(boards: Boards) -> None:
    board = boards.create("cryptic")
    run_line(board, "HORSE B_WR_")
    result = board.submit(Submission(TypedLine("/rates 5%"), "Bob"))
    assert result.left == (ReadRates(), Status())
    assert board.version == 2
    assert board.journal.last is not None
    assert board.journal.last.line == "/rates 5%"
    assert board.journal.last.change == {"kind": "set_read_rates", "rates": "5%"}
    assert "reads: 5%" in board.path.read_text()
    assert board.submit(Submission(TypedLine("/candidates"), "Bob")).left == (Candidates(20),)
    assert board.version == 2


def test_every_change_is_in_the_file_and_names_its_writer(board: TeamBoard) -> None:
    assert run_line(board, "AB b") == "1. AB: 1 black, 0 white"
    assert run_line(board, "AC W", "Bob").startswith("2. AC")
    assert board.version == 2
    assert gamefile.load(board.path).history.turns == board.session.history.turns
    names = {number: author.name for number, author in board.authors().items()}
    assert names == {1: "Ann", 2: "Bob"}
    again = TeamBoard(board.name, board.path)
    board.close()
    assert again.id == board.id
    assert again.version == 2
    assert {n: w.name for n, w in again.authors().items()} == names


def test_rows_of_two_people_are_both_kept(board: TeamBoard) -> None:
    run_line(board, "AB *", version=0)
    run_line(board, "AC *", "Bob", version=0)
    assert rows(board) == ["AB *", "AC *"]


def test_of_two_who_change_a_row_the_second_is_told(board: TeamBoard) -> None:
    run_line(board, "AB *")
    run_line(board, "/edit 1 b", version=1)
    for line in ("/edit 1 w", "/edit AB w", "/drop 1", "/doubt 1", "/add 1 w", "AB 0b 2w"):
        with pytest.raises(OutdatedChangeError, match="another by now; Ann wrote last"):
            run_line(board, line, "Bob", version=1)
    assert board.version == 2


@pytest.mark.parametrize("line", ["/undo", "/redo", "/new", "/repair 1"])
def test_nobody_takes_back_what_they_have_not_seen(board: TeamBoard, line: str) -> None:
    run_line(board, "AB *")
    with pytest.raises(OutdatedChangeError, match=r"Ann has changed the board meanwhile \(AB \*\)"):
        run_line(board, line, "Bob", version=0)
    assert rows(board) == ["AB *"]


def test_a_row_that_was_not_seen_may_be_completed_and_not_replaced(board: TeamBoard) -> None:
    run_line(board, "AB *")
    run_line(board, "AB B", "Bob")
    with pytest.raises(OutdatedChangeError, match="row 1 is another by now"):
        run_line(board, "AB WW", version=1)
    run_line(board, "AB WW", version=2)
    run_line(board, "BC *", "Bob")
    run_line(board, "BC W", version=1)
    assert rows(board) == ["AB WW", "BC W"]


def test_a_row_is_found_again_where_its_number_has_moved(board: TeamBoard) -> None:
    run_line(board, "AB *")
    run_line(board, "AC *")
    run_line(board, "/drop 1", "Bob", version=2)
    run_line(board, "/edit 2 b", version=2)
    assert rows(board) == ["AC B"]
    assert board.authors()[1].name == "Ann"


def test_undo_brings_back_rows_and_their_writers(board: TeamBoard) -> None:
    run_line(board, "AB *")
    run_line(board, "/new", "Bob")
    assert rows(board) == []
    assert run_line(board, "/undo", "Bob").splitlines()[0] == "back: 1. AB * (Ann)"
    assert board.authors()[1].name == "Ann"
    assert board.version == 3


def test_a_clue_alone_answers_what_its_author_saw(board: TeamBoard) -> None:
    said = board.submit(Submission(TypedLine("AB"), "Ann"))
    assert (said.pending, board.version) == ("AB", 0)
    run_line(board, "b", pending="AB")
    run_line(board, "w", suggested="AC")
    run_line(board, "CC *", pending="BB")
    assert rows(board) == ["AB B", "AC W", "BB *", "CC *"]


def test_a_clue_alone_answers_all_that_was_played_and_not_the_guess_it_counts_as(
    boards: Boards,
) -> None:
    board = boards.create("nethack")
    standing = board.submit(Submission(TypedLine("AABBCD"), "Ann")).pending
    said = run_line(board, "5 gears", pending=standing)
    assert "right, but more was played: play AABBC alone" in said
    assert rows(board) == ["AABBCx 5G0T"]
    assert not board.session.is_won
    run_line(
        board,
        "You see a drawbridge coming down!",
        pending=board.submit(Submission(TypedLine("AABBC"), "Ann")).pending,
    )
    assert board.session.is_won


def test_a_guess_that_waits_for_its_clue_is_no_concern_of_the_board(
    boards: Boards, tmp_path: Path
) -> None:
    comment = "# Row 1 waits for its clue: AB\n"
    path = tmp_path / "mine.yaml"
    path.write_text(f"game: 2x3\n{comment}")
    board = boards.open_file(path)
    assert board.submit(Submission(TypedLine("CC"), "Ann")).pending == "CC"
    run_line(board, "AC B", "Bob")
    assert rows(board) == ["AC B"]
    assert path.read_text() == f"game: 2x3\nturns:\n- AC B\n{comment}"
    run_line(board, "AB W", "Bob")
    assert path.read_text() == "game: 2x3\nturns:\n- AC B\n- AB W\n"


def test_what_needs_an_engine_is_left_to_a_worker(board: TeamBoard) -> None:
    run_line(board, "AB *")
    for line in ("/suggest", "/candidates", "/certain", "/repair", "/next", "/review"):
        result = board.submit(Submission(TypedLine(line), "Ann"))
        assert result.left
        assert not result.text


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("/save x.yaml", "saved with every change"),
        ("/export /tmp/x", "no file is written"),
        ("/widen /etc/passwd", "only lists that come with the program"),
        ("/strategy tree:/etc/passwd", "only strategies that come with"),
        ("/strategy os:system", "only strategies that come with"),
        ("/quit", "stays open"),
        ("A" * 20_001, "at most 20,000 characters"),
    ],
)
def test_lines_that_a_board_does_not_take(board: TeamBoard, line: str, problem: str) -> None:
    with pytest.raises(RefusedLineError, match=problem):
        run_line(board, line)
    assert board.version == 0


def test_a_line_that_fails_changes_nothing_and_comes_back(board: TeamBoard) -> None:
    said = board.submit(Submission(TypedLine("AZ b"), "Ann"))
    assert said.failed
    assert said.line == "AZ b"
    assert "no symbol" in said.failed or "Z" in said.failed
    said = board.submit(Submission(TypedLine("AB b\nAZ b"), "Ann"))
    assert said.failed.startswith("line 2: ")
    assert said.line == "AB b\nAZ b"
    assert board.version == 0


def test_a_file_that_is_edited_underneath_is_read_again(board: TeamBoard) -> None:
    run_line(board, "AB *")
    board.path.write_text("game: 2x3\nturns: [AC b]\n", encoding="utf-8")
    board.refresh()
    assert rows(board) == ["AC B"]
    assert board.version == 2
    run_line(board, "BB *")
    assert rows(board) == ["AC B", "BB *"]


def test_a_file_that_is_broken_underneath_breaks_its_own_board_alone(
    boards: Boards, board: TeamBoard
) -> None:
    run_line(board, "AB *")
    board.path.write_text("turns: [", encoding="utf-8")
    with pytest.raises(BrokenBoardError, match=r"2x3\.yaml") as caught:
        run_line(board, "AC *")
    assert str(board.path.parent) not in str(caught.value)
    other = boards.create("2x3")
    run_line(other, "AB *")
    board.path.write_text("game: 2x3\n", encoding="utf-8")
    run_line(board, "AC *")
    assert rows(board) == ["AC *"]


def test_what_cannot_be_written_is_taken_back(board: TeamBoard) -> None:
    run_line(board, "AB *")
    text = board.path.read_text() + f"# {'long ' * 2_000}\n"
    board.path.write_text(text)
    board.refresh()
    version = board.version
    former = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The journal can be written, and the file cannot.
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, former[1]))
    try:
        with pytest.raises(BrokenBoardError, match="not written, so nothing has changed"):
            run_line(board, "AC *", once="k")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, former)
    assert board.path.read_text() == text
    for known in (board, TeamBoard(board.name, board.path)):
        board.close()
        assert (rows(known), known.version) == (["AB *"], version)
        known.close()
    assert run_line(board, "AC *", "Bob", once="k")
    board.close()
    again = TeamBoard(board.name, board.path)
    assert (rows(again), again.version) == (["AB *", "AC *"], version + 1)
    assert [author.name for author in again.authors().values()] == ["Ann", "Bob"]


def test_an_address_cannot_be_guessed(boards: Boards, board: TeamBoard) -> None:
    assert boards.find(board.id) is board
    assert len(board.journal.token) == 22
    for wrong in ("", "2x3", "2x3-", f"2x3-{'a' * 22}", f"../{board.id}", board.id[:-1], "-" * 23):
        assert boards.find(wrong) is None
    assert boards.create("2x3").journal.token != board.journal.token


def test_there_is_room_for_so_many_boards_and_no_more(boards: Boards) -> None:
    made = [boards.create("2x3").name for _ in range(5)]
    assert made == ["2x3", "2x3-2", "2x3-3", "2x3-4", "2x3-5"]
    with pytest.raises(FullError, match="5 boards already"):
        boards.create("2x3")
    with pytest.raises(FullError):
        boards.upload("game: 2x3")


def test_an_uploaded_session_is_a_board(boards: Boards) -> None:
    board = boards.upload("# ours\ngame: 2x3\nturns: [AB b]\n", "Our hunt!")
    assert board.name == "our-hunt"
    assert rows(board) == ["AB B"]
    run_line(board, "AC w")
    assert board.file_text() == "# ours\ngame: 2x3\nturns: [AB b, AC W]\n"


@pytest.mark.parametrize(
    "text",
    [
        "game: /etc/passwd",
        "game: ./other.yaml",
        "secret: {words: /etc/passwd}\nrule: pegs",
        "secret: {words: ../list.txt}\nrule: pegs",
        "game: 2x3\nguess: {words: /dev/zero}",
        "game: 2x3\nplay: {strategy: 'tree:/etc/passwd'}",
        "game: 2x3\nplay: {strategy: 'os:system'}",
        "game: 2x3\nplay: {solver: 'touch /tmp/x'}",
        "!!python/object/apply:os.system [id]",
        "game: [2x3",
        "- 1",
        "x" * 100_001,
        "a: &a [1]\nb: *a",
        "game: 2x3\nturns: [ZZ b]",
        "game: nothing-of-that-name",
    ],
)
def test_game_files_of_others_name_nothing_but_what_is_built_in(
    boards: Boards, text: str, tmp_path: Path
) -> None:
    (tmp_path / "other.yaml").write_text("game: 2x3", encoding="utf-8")
    with pytest.raises(PuzzlehuntError) as caught:
        boards.upload(text)
    assert str(tmp_path) not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["other.yaml"]


def test_the_check_of_an_upload_names_key_and_mend() -> None:
    with pytest.raises(GameFileError, match=r"2: secret.words: only a list that comes with"):
        check_upload("rule: pegs\nsecret: {words: /etc/passwd}")
    assert check_upload("game: cryptic\nturns: [HORSE B]").value["game"] == "cryptic"


def test_too_many_rows_are_refused_at_once(
    board: TeamBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlehunt.web.board.MOST_ROWS", 2)
    turns = tuple(map(board.game.parse_turn, ["AA *", "AB *", "AC *"]))
    with pytest.raises(FullError, match="at most 2 rows"):
        board.submit(Submission(RecordTurns(turns), "Ann"))
    assert board.version == 0


def test_a_long_journal_is_written_anew_and_says_the_same(
    board: TeamBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlehunt.web.journal._LONGEST", 2_000)
    run_line(board, "AB *")
    run_line(board, "AC *", "Bob")
    for _ in range(30):
        run_line(board, "/new", "Cid")
        run_line(board, "/undo", "Bob")
    (journal,) = board.path.parent.glob(".*.journal")
    assert journal.stat().st_size < 2_500
    assert journal.stat().st_mode & 0o777 == 0o600
    again = TeamBoard(board.name, board.path)
    board.close()
    assert (again.id, again.version) == (board.id, 62)
    assert [author.name for author in again.authors().values()] == ["Ann", "Bob"]


def test_a_journal_whose_last_line_was_cut_off_is_read(board: TeamBoard) -> None:
    run_line(board, "AB *")
    board.close()
    (journal,) = board.path.parent.glob(".*.journal")
    with journal.open("a", encoding="utf-8") as file:
        file.write('\n{"version": 2, "by": "B')
    again = TeamBoard(board.name, board.path)
    assert again.id == board.id
    assert again.version == 1
    run_line(again, "AC *", "Bob")
    assert TeamBoard(board.name, board.path).version == 2


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 8))]
)
def test_people_who_type_at_once_lose_nothing_and_hit_what_they_saw(
    boards: Boards, seed: int
) -> None:
    rng = random.Random(seed)
    board = boards.create("3x4")
    codes = ["".join(rng.choice("ABCD") for _ in range(3)) for _ in range(40)]
    seen = dict.fromkeys(("Ann", "Bob", "Cid"), 0)
    shown: dict[int, list[str]] = {0: []}
    for _ in range(60):
        name = rng.choice(list(seen))
        if rng.random() < 0.4:
            seen[name] = board.version
        before, known = rows(board), shown[seen[name]]
        number = rng.randint(1, max(1, len(known)))
        line = rng.choice(
            [f"{rng.choice(codes)} *", f"{rng.choice(codes)} b_.", f"/drop {number}",
             f"/edit {number} w__", f"/doubt {number}", "/undo", "/redo"]
        )  # fmt: skip
        version = board.version
        try:
            said = board.submit(Submission(TypedLine(line), name, seen[name]))
        except OutdatedChangeError:
            assert seen[name] < version
            assert (rows(board), board.version) == (before, version)
            continue
        now = rows(board)
        assert board.version == version + (now != before)
        shown[board.version] = now
        assert [board.game.format_turn(t) for t in gamefile.load(board.path).history.turns] == now
        if said.failed:
            assert now == before
        elif line.startswith("/drop"):
            assert sorted([*now, known[number - 1]]) == sorted(before)
        elif line.startswith(("/edit", "/doubt")):
            assert {row.split()[0] for row in now} == {row.split()[0] for row in before}
            others = [row for row in before if row.split()[0] != known[number - 1].split()[0]]
            assert set(others) <= set(now)
        elif not line.startswith("/"):
            assert {row.split()[0] for row in before} <= {row.split()[0] for row in now}
            assert line.split()[0] in {row.split()[0] for row in now}
        seen[name] = board.version
    again = TeamBoard(board.name, board.path)
    assert again.version == board.version
    assert again.journal.names == board.journal.names
