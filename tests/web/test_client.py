"""Sessions from afar: two people on one board, without a browser."""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial

import httpx
import pytest

import puzzlehunt
from cases import cases
from program import Program
from puzzlehunt.errors import GameFileError, SessionError
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.session import changes
from puzzlehunt.session.conversation import Conversation
from puzzlehunt.session.session import Session
from puzzlehunt.web.remote import SharedSession, connect, document_of
from servers import ServerProcess, http


@pytest.fixture
def two(server: ServerProcess) -> Iterator[tuple[Session, Session]]:
    address = server.make(game="2x3").replace("/api/v1/boards/", "/b/")
    ann, bob = connect(address, name="Ann"), connect(address, name="Bob")
    yield ann, bob
    ann.close()
    bob.close()


def hear(session: Session) -> None:
    end = time.monotonic() + 5
    while not session.is_outdated:
        assert time.monotonic() < end
        time.sleep(0.02)


def rows(session: Session) -> list[str]:
    return [format_turn(session.game, turn) for turn in session.history.turns]


def test_what_one_writes_the_other_reads(two: tuple[Session, Session]) -> None:
    ann, bob = two
    assert not bob.is_outdated
    (placed,) = ann.play(ann.game.turn("AB b")).placed
    assert (placed.row, placed.effect) == (1, "new")
    hear(bob)
    bob.read_again()
    assert not bob.is_outdated
    assert rows(bob) == ["AB B"]
    bob.play(bob.game.turn("AC w # mine"))
    bob.apply(changes.EditRows(((1, bob.game.turn("AB w ?30%")),)))
    bob.apply(changes.SetDoubt(2, 0.5))
    bob.apply(changes.AddFact(bob.game.parse_fact("no A")))
    ann.read_again()
    assert ann.history == bob.history
    assert ann.history.turns[1].note == "mine"
    ann.apply(changes.DropRow(1))
    ann.undo()
    with pytest.raises(SessionError, match="nothing is undone: Bob has changed AB B since"):
        ann.undo()
    assert [turn.doubt for turn in ann.history.turns] == [0.3, 0.5]
    ann.redo()
    ann.apply(changes.Clear())
    ann.apply(changes.SetStrategy("parts"))
    bob.read_again()
    assert bob.game.play.strategy == "parts"
    assert rows(bob) == []
    assert bob.suggest().suggestions


def test_nobody_changes_what_they_have_not_seen(two: tuple[Session, Session]) -> None:
    ann, bob = two
    ann.play(ann.game.turn("AB b"))
    for change in (changes.Clear(), changes.ReplaceHistory(bob.history)):
        with pytest.raises(SessionError, match="the rows have changed; Ann wrote last"):
            bob.apply(change)
    with pytest.raises(SessionError, match="nothing of yours is left to undo"):
        bob.undo()
    bob.play(bob.game.turn("AC w"))
    assert rows(bob) == ["AB B", "AC W"]


def test_a_conversation_shows_the_rows_of_others(two: tuple[Session, Session]) -> None:
    ann, bob = two
    conversation = Conversation(bob)
    list(conversation.start())
    ann.play(ann.game.turn("AB b"))
    hear(bob)
    assert conversation.session.is_outdated
    kinds = [type(outcome).__name__ for outcome in conversation.news()]
    assert kinds[0] == "HistoryChanged"
    list(conversation.handle("AC w"))
    list(conversation.handle("/undo"))
    assert rows(bob) == ["AB B"]


def test_a_guess_alone_is_a_row_for_everybody(two: tuple[Session, Session]) -> None:
    ann, bob = two
    list(Conversation(ann).handle("AB # mine"))
    bob.read_again()
    for session in (ann, bob):
        assert rows(session) == ["AB *"]
        pending = Conversation(session).pending
        assert pending is not None
        assert pending.note == "mine"
    list(Conversation(bob).handle("b"))
    typing = Conversation(ann)
    list(typing.handle("AC"))
    list(typing.handle("CC *"))
    assert rows(ann) == ["AB B", "AC *", "CC *"]
    list(typing.handle("/undo"))
    list(typing.handle("/undo"))
    assert rows(ann) == ["AB B"]


def test_commands_take_an_address(server: ServerProcess, run: Program) -> None:
    address = server.make(game="2x3", rows="AB b").replace("/api/v1/boards/", "/b/")
    assert run("candidates", address).out.split() == ["AA", "AC", "BB", "CB"]
    assert json.loads(run("explain", address, "--why", "AB", "--json").out)["because"] == [1]
    played = run("play", address, stdin="AC w\n")
    assert "1 left" in played.out
    assert run("candidates", address).out.split() == ["CB"]
    version = http.get(address.replace("/b/", "/api/v1/boards/")).json()["version"]
    for line in ("AA\n", ""):
        assert "known already" not in run("play", address, stdin=line).out
    known = http.get(address.replace("/b/", "/api/v1/boards/")).json()
    assert (known["version"], known["rows"][-1]["text"]) == (version + 1, "AA *")
    assert run("play", address, "--session", "x.yaml").status == 2


def test_a_game_of_own_words_is_sent_whole(server: ServerProcess) -> None:
    session = connect(server.addresses["own"], name="Ann")
    assert session.game.title == "Own words"
    session.play(session.game.turn("ABBA GGGG"))
    assert session.engine.count().exact == 1
    session.close()


@pytest.mark.parametrize(("address", "problem"), cases("addresses that lead nowhere"))
def test_an_address_that_leads_nowhere_is_one_line_without_its_token(
    server: ServerProcess, address: str, problem: str
) -> None:
    with pytest.raises(SessionError, match=problem) as caught:
        puzzlehunt.connect(address.replace("SERVER", server.url("")))
    assert "aaaa" not in str(caught.value)
    assert "\n" not in str(caught.value)


Handler = Callable[[httpx.Request], httpx.Response]


@pytest.fixture
def answer_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Handler], None]:
    """A function that lets all new clients send their requests to a handler."""

    def patch(handler: Handler) -> None:
        transport = httpx.MockTransport(handler)
        monkeypatch.setattr(httpx, "Client", partial(httpx.Client, transport=transport))

    return patch


@pytest.mark.parametrize(
    "content",
    [
        b"", b"1" * 6_000, b"[" * 100_000, b"game: /etc/passwd", b"game: 2x3", b"\xff\x00",
        b'{"version": 1, "game_tag": "", "rows": 1, "history": {"facts": [], "turns": []}}',
    ],
    ids=range(7),
)  # fmt: skip
def test_a_server_that_answers_nonsense_is_one_line(
    answer_by: Callable[[Handler], None], content: bytes
) -> None:
    answer_by(lambda _: httpx.Response(200, content=content))
    for join in (connect, document_of):
        with pytest.raises((SessionError, GameFileError)) as caught:
            join(f"http://host/b/2x3-{'a' * 22}")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("lost", ["the request", "the answer"])
def test_a_change_whose_answer_was_lost_is_sent_again_and_made_once(
    server: ServerProcess, answer_by: Callable[[Handler], None], lost: str
) -> None:
    drops = False

    def pass_on(request: httpx.Request) -> httpx.Response:
        nonlocal drops
        is_lost, drops = drops and request.method == "POST", drops and request.method != "POST"
        if request.url.path.endswith("/events") or (is_lost and lost == "the request"):
            raise httpx.ReadError("lost")
        answer = http.request(
            request.method, request.url, content=request.content, headers=request.headers
        )
        if is_lost:
            raise httpx.ReadError("lost")
        return httpx.Response(answer.status_code, content=answer.content)

    answer_by(pass_on)
    session = connect(server.make(game="2x3").replace("/api/v1/boards/", "/b/"), name="Ann")
    assert isinstance(session, SharedSession)
    drops = True
    (placed,) = session.play("AB b").placed
    assert not drops
    assert (placed.row, placed.effect) == (1, "new")
    drops = True
    session.apply(changes.AddFact(session.game.parse_fact("no C")))
    assert (session.version, len(session.history)) == (2, 2)
    session.close()
