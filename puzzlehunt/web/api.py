"""The routes of programs and spreadsheets: JSON as `--json` prints it, and CSV."""

import asyncio
import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import StringIO
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import AfterValidator

from puzzlehunt.explanation.why import parse_question
from puzzlehunt.game.blocks import read_rows
from puzzlehunt.game.files import gamefile
from puzzlehunt.game.files.serialise import history_keys
from puzzlehunt.game.game import Game
from puzzlehunt.game.history import History
from puzzlehunt.game.merging import RowEffect, merge
from puzzlehunt.game.turn_notation import format_row, parse_doubt
from puzzlehunt.session import changes
from puzzlehunt.session.changes import Change, Question, RecordTurns, load_change
from puzzlehunt.session.commands import row_edited
from puzzlehunt.views.escapes import csv_cell
from puzzlehunt.web import models, schemas
from puzzlehunt.web.board import (
    AlreadyAppliedError,
    Draft,
    OutdatedChangeError,
    Submission,
    TeamBoard,
)
from puzzlehunt.web.feed import BoardFeed
from puzzlehunt.web.http_errors import HttpError, check_modified, etag, wanted_versions
from puzzlehunt.web.pages import address_of, board_file, events, feed_of, id_of, server_of
from puzzlehunt.web.schemas import answered_with
from puzzlehunt.web.snapshot import (
    BoardSnapshot,
    IsWon,
    LineResult,
    TypedLine,
    WorkerRequest,
)
from puzzlehunt.web.state import check_game
from puzzlehunt.web.workers import WorkerRequestError

_boards, _rows_and_facts, _questions, _single = (
    APIRouter(prefix="/api/v1", responses=models.REFUSALS, tags=[tag])
    for tag in ("boards", "rows", "questions", "without a board")
)
router = APIRouter(generate_unique_id_function=lambda route: route.name)


async def _newest(request: Request, board: models.BoardId) -> BoardFeed:
    return await feed_of(request, board)


Newest = Annotated[BoardFeed, Depends(_newest)]


async def _read(feed: Newest, if_none_match: models.IfNoneMatch = None) -> BoardFeed:
    """Return a board. Raises HttpError (304) if the program has its newest version already."""
    check_modified(if_none_match, feed.board.version)
    return feed


@dataclass(frozen=True, slots=True)
class _Target:
    """The board that a request changes, the version that it is for, and the request's key."""

    feed: Newest
    response: Response
    if_match: models.IfMatch = None
    once: models.Once = None

    async def submit(self, change: Draft, by: str, seen: int | None = None) -> models.ChangeAnswer:
        """Apply a change or a line; return its effect.

        A change that was sent and made before is not made again: its rows are found where they are
        now.
        """
        board, once = self.feed.board, self.once or ""
        submission = Submission(change, by, seen, once, wanted_versions(self.if_match))
        try:
            result, version = await self.feed.submit(submission)
            if result.failed is not None:
                raise WorkerRequestError(result.failed.kind, result.failed.message)
        except AlreadyAppliedError as error:
            effects = _placed_again(board, change) if isinstance(change, RecordTurns) else ()
            result, version = LineResult(text=(str(error),), effects=effects), error.version
        except OutdatedChangeError as error:
            if self.if_match is None:
                raise
            raise HttpError(412, str(error), etag(board.version)) from None
        self.response.headers.update(etag(version))
        rows = [
            models.PlacedRow(
                turn=one.number, text=format_row(board.game, one.turn), effect=one.effect
            )
            for one in result.effects
        ]
        return models.ChangeAnswer(
            version=version, said=list(result.text), standing=result.pending, rows=rows
        )


def _placed_again(board: TeamBoard, change: RecordTurns) -> tuple[RowEffect, ...]:
    """Return where rows are that were added before, of those that are still on the board."""
    history = board.session.history
    numbers = (history.number_of(turn.guess) for turn in change.turns)
    return tuple(RowEffect(n, history.turn(n), "known") for n in numbers if n is not None)


Board = Annotated[BoardFeed, Depends(_read)]
Target = Annotated[_Target, Depends()]


@_boards.post("/boards", status_code=201)
async def make_board(
    request: Request, response: Response, body: models.NewBoard
) -> models.BoardAnswer:
    """Make a board, and return it with its secret address."""
    server = server_of(request)
    feed = await server.create(body.game, body.file, body.name, body.rows, body.by)
    response.headers["Location"] = f"/api/v1/boards/{feed.board.id}"
    return await get_board(request, response, feed)


@_boards.get("/boards/{board}")
async def get_board(request: Request, response: Response, feed: Board) -> models.BoardAnswer:
    """Return a board: its game, rows, facts and people."""
    board, session = feed.board, feed.board.session
    won = session.game.is_won(session.history)
    if session.game.only_questions:
        _, won = await feed.ask(IsWon())
    response.headers.update(etag(board.version))
    return models.BoardAnswer(
        board=id_of(request, feed),
        name=board.title,
        title=session.game.title,
        version=board.version,
        address=address_of(request, id_of(request, feed)),
        view=address_of(request, board.view_id),
        status=board.record.status.status,
        game=session.reference,
        won=won,
        facts=[fact.text for fact in session.history.facts],
        rows=_rows(board),
        history=history_keys(session.game, session.history),
        game_tag=board.game_tag,
        people=feed.presence.names,
        guests=feed.presence.guests,
    )


@_boards.patch("/boards/{board}")
async def set_settings(target: Target, body: models.Settings) -> models.ChangeAnswer:
    """Change the game's strategy, its word list, or how often marks are read."""
    kinds = changes.SetStrategy, changes.SetWordList, changes.SetReadRates
    named = zip(kinds, (body.strategy, body.words, body.reads), strict=True)
    made = [kind(text.strip()) for kind, text in named if text is not None and text.strip()]
    if not made:
        raise HttpError(422, "name a strategy, words or reads")
    for number, change in enumerate(made):
        # What the author saw and If-Match are for the first change; the next ones are made on that.
        key = target.once and f"{number} {target.once}"
        one = replace(target, once=key, if_match=None if number else target.if_match)
        answer = await one.submit(change, body.by, None if number else body.version)
    return answer


@_boards.put("/boards/{board}/status")
async def set_status(
    request: Request, response: Response, feed: Newest, body: models.NewStatus
) -> models.BoardAnswer:
    """Name a board, archive it, delete it, or open it again."""
    await feed.set_status(body.name, body.status, body.by)
    return await get_board(request, response, feed)


@_boards.post("/boards/{board}/restore/{version}")
async def restore(
    target: Target, version: models.VersionNumber, body: models.ByWhom
) -> models.ChangeAnswer:
    """Take back the change to a version, whoever made it; later changes are kept."""
    return await target.submit(target.feed.board.restoring(version), body.by)


@_boards.get("/boards/{board}/file", response_class=models.Yaml, responses=models.YAML)
async def get_file(request: Request, feed: Board) -> Response:
    """Return the board's file, which every command of the program takes."""
    return await board_file(request, feed)


@_boards.get("/boards/{board}/game", response_class=models.Yaml, responses=models.YAML)
async def get_game(feed: Newest) -> Response:
    """Return the game without its rows as a game file that needs no other file."""
    headers = etag(feed.board.version)
    return models.Yaml(await asyncio.to_thread(feed.board.game_text), headers=headers)


@_boards.get("/boards/{board}/events", response_class=models.Events, responses=models.EVENTS)
async def follow(request: Request, feed: Newest) -> Response:
    """Return an endless stream of server-sent events, one for each change of the board."""
    return await events(request, feed)


def _rows(board: TeamBoard) -> list[models.Row]:
    game, authors = board.game, board.authors()
    return [
        models.Row(
            turn=number,
            guess=game.format_code(turn.guess),
            clue=game.rule.notation.format(turn.clue),
            text=format_row(game, turn),
            note=turn.note,
            doubt=turn.doubt,
            by=authors[number].name if number in authors else "",
            at=authors[number].when.isoformat() if number in authors else "",
        )
        for number, turn in enumerate(board.session.history.turns, start=1)
    ]


# Rows.


@_rows_and_facts.get("/boards/{board}/rows")
async def get_rows(response: Response, feed: Board) -> models.RowsAnswer:
    """Return the rows, each with its author and time."""
    response.headers.update(etag(feed.board.version))
    return models.RowsAnswer(version=feed.board.version, rows=_rows(feed.board))


@_rows_and_facts.get("/boards/{board}/rows.csv", response_class=models.Csv, responses=models.CSV)
async def get_rows_as_csv(feed: Board) -> Response:
    """Return the rows as a table for a sheet."""
    rows = ([r.turn, r.guess, r.clue, r.note, r.by, r.at] for r in _rows(feed.board))
    return _csv(["row", "guess", "clue", "note", "by", "at"], rows, etag(feed.board.version))


@_rows_and_facts.post("/boards/{board}/changes")
async def make_change(target: Target, body: models.NewChange) -> models.ChangeAnswer:
    """Make any change, as one step of undo. Rows are turns, numbered from 1."""
    change = load_change(target.feed.board.game, body.change)
    return await target.submit(change, body.by, body.version)


@_rows_and_facts.post("/boards/{board}/rows")
async def add_rows(target: Target, body: models.NewRows) -> models.ChangeAnswer:
    """Add rows, as one step of undo. A guess that is on the board is completed or replaced."""
    turns = tuple(map(target.feed.board.game.parse_turn, body.rows))
    answer = await target.submit(RecordTurns(turns, body.log), body.by, body.version)
    return answer.model_copy(update={"said": []})


@_rows_and_facts.patch("/boards/{board}/rows/{turn}")
async def change_row(
    target: Target, number: models.RowNumber, body: models.RowChange
) -> models.ChangeAnswer:
    """Change a row: its clue, or guess and clue, or how likely it is to be wrong."""
    if bool(body.row.strip()) == (body.doubt is not None):
        raise HttpError(422, "name either row, a clue or a row, or doubt, such as 20%")

    def change(game: Game, history: History) -> Change:
        if body.doubt is None:
            return row_edited(game, history, number, body.row.strip())
        chance = parse_doubt(body.doubt) if body.doubt else None
        return changes.SetDoubt(number, history.doubt_after(number, chance))

    answer = await target.submit(change, body.by, body.version)
    return answer.model_copy(update={"rows": []})


@_rows_and_facts.delete("/boards/{board}/rows/{turn}")
async def drop_row(
    target: Target,
    number: models.RowNumber,
    by: Annotated[str, Query(max_length=60), AfterValidator(models.plain_name)] = "",
    version: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> models.ChangeAnswer:
    """Remove a row."""
    return await target.submit(changes.DropRow(number), by, version)


@_rows_and_facts.put("/boards/{board}/history")
async def replace_history(target: Target, body: models.NewHistory) -> models.ChangeAnswer:
    """Replace all facts and turns, as one step of undo; If-Match is needed."""
    if target.if_match is None:
        raise HttpError(422, "If-Match: name the version that is replaced")
    game = target.feed.board.game
    items = [f"/fact {fact}" for fact in body.facts] + body.turns
    history = merge(game, History(), map(game.as_item, items)).history
    return await target.submit(changes.ReplaceHistory(history), body.by)


@_rows_and_facts.post("/boards/{board}/facts")
async def add_fact(target: Target, body: models.NewFact) -> models.ChangeAnswer:
    """Add a fact about the secret."""
    fact = target.feed.board.game.parse_fact(body.fact)
    return await target.submit(changes.AddFact(fact), body.by, body.version)


@_rows_and_facts.post("/boards/{board}/undo")
async def undo(target: Target, body: models.Steps) -> models.ChangeAnswer:
    """Undo the newest steps of `by`, unless somebody has changed their rows since."""
    return await target.submit(changes.Undo(body.steps), body.by, body.version)


@_rows_and_facts.post("/boards/{board}/redo")
async def redo(target: Target, body: models.Steps) -> models.ChangeAnswer:
    """Redo the steps that `by` undid last."""
    return await target.submit(changes.Redo(body.steps), body.by, body.version)


@_rows_and_facts.post("/boards/{board}/lines")
async def type_line(target: Target, body: models.NewLine) -> models.ChangeAnswer:
    """Apply a line typed as in a terminal: a row, a pasted block, a command; return its answer."""
    standing = body.standing or target.feed.board.waiting_at(body.version)
    line = TypedLine(body.line, standing, body.suggested)
    answer = await target.submit(line, body.by, body.version)
    return answer.model_copy(update={"rows": []})


@_questions.get("/boards/{board}/suggestions", responses=answered_with(schemas.Suggestions))
async def suggestions(feed: Board, top: models.Top = 5) -> Response:
    """Return the best next guesses, under the keys of `suggest --json`."""
    return await _answer(feed, Question("suggest", top))


@_questions.get("/boards/{board}/worth", responses=answered_with(schemas.Suggestions))
async def worth(feed: Board, code: models.CodeText) -> Response:
    """Return the value of a guess, under the keys of `suggest --try --json`."""
    return await _answer(feed, Question("try", code=feed.board.game.parse_guess(code)))


@_questions.get("/boards/{board}/candidates", responses=answered_with(schemas.CandidatesAnswer))
async def candidates(feed: Board, limit: models.Limit = 20) -> Response:
    """Return the candidates, under the keys of `candidates --json`."""
    return await _answer(feed, Question("candidates", limit))


@_questions.get("/boards/{board}/candidates.csv", response_class=models.Csv, responses=models.CSV)
async def candidates_as_csv(feed: Board, limit: models.Limit = 1_000) -> Response:
    """Return the candidates as a CSV table for a spreadsheet."""
    version, answer = await feed.ask(Question("candidates", limit))
    return _candidates_csv(answer, etag(version))


@_questions.get("/boards/{board}/why", responses=answered_with(schemas.WhyAnswer))
async def why(feed: Board, code: models.CodeText) -> Response:
    """Return which rows rule a code out, under the keys of `explain --json`."""
    secret, board = parse_question(feed.board.game, code)
    return await _answer(feed, Question("why", code=secret, board=board))


@_questions.get("/boards/{board}/conflicts", responses=answered_with(schemas.ConflictsAnswer))
async def conflicts(feed: Board, limit: Annotated[int, Query(ge=1, le=100)] = 20) -> Response:
    """Return smallest sets of rows that contradict each other."""
    return await _answer(feed, Question("conflicts", limit))


@_questions.get("/boards/{board}/unread", responses=answered_with(schemas.UnreadAnswer))
async def unread(feed: Board, top: models.Top = 5) -> Response:
    """Return the most informative unread marks, under the keys of `suggest --unread --json`."""
    return await _answer(feed, Question("unread", top))


@_questions.get("/boards/{board}/export", response_class=PlainTextResponse, responses=models.SCRIPT)
async def export(feed: Board) -> Response:
    """Return the game and its rows as a script for a solver."""
    version, text = await feed.ask(Question("export"))
    return PlainTextResponse(text, headers=etag(version))


async def _answer(feed: BoardFeed, question: Question) -> Response:
    version, answer = await feed.ask(question)
    return JSONResponse(answer, headers=etag(version))


def _add_question(name: str, question: Question, form: Any, about: str) -> None:
    """Add the route of a question that has no parameters."""

    @_questions.get(
        f"/boards/{{board}}/{name}", name=name, responses=answered_with(form),
        description=f"Return {about}.",
    )  # fmt: skip
    async def ask(feed: Board) -> Response:
        return await _answer(feed, question)


for _name, _question, _form, _about in (
    ("certain", Question("certain"), schemas.CertainAnswer,
     "what all candidates have in common, and which rows prove it"),
    ("repairs", Question("repairs"), schemas.RepairsAnswer,
     "one-row changes after which something fits, likeliest first"),
    ("suspects", Question("suspects"), schemas.SuspectsAnswer,
     "the rows that are likeliest to be wrong"),
    ("explanation", Question("explain"), schemas.ExplanationAnswer,
     "all that `explain --json` prints"),
    ("review", Question("review"), schemas.ReviewAnswer,
     "how good each guess was, as `review --json` does"),
    ("legend", Question("legend"), schemas.LegendAnswer,
     "what the marks mean in a game with `legend: unknown`, as `identify --json` does"),
):  # fmt: skip
    _add_question(_name, _question, _form, _about)


# One question in one address.


@dataclass(frozen=True, slots=True)
class _Rows:
    """Some rows of a built-in game, without a board: each a parameter, or all in one."""

    request: Request
    game: models.GameName
    turn: models.Turns = ()
    row: models.SheetRows = ()
    rows: models.PastedRows = ""

    async def ask(self, question: Question) -> Any:
        """Return the answer to a question."""
        check_game(self.game)
        rows = "\n".join([*self.row, self.rows]).replace(";", "\n")
        snapshot = await asyncio.to_thread(_snapshot, self.game, tuple(self.turn), rows)
        task = WorkerRequest(snapshot, question)
        return await server_of(self.request).workers.ask(task).result()


Rows = Annotated[_Rows, Depends()]


@lru_cache(500)
def _snapshot(name: str, turns: tuple[str, ...], rows: str) -> BoardSnapshot:
    game = gamefile.load(name)
    history = merge(game, game.history, map(game.parse_turn, turns)).history
    history = merge(game, history, read_rows(game, rows, history), is_log=True).history
    return BoardSnapshot(f"/{name}", name, {}, history)


@_single.get("/suggest", responses=answered_with(schemas.Suggestions))
async def suggest_once(rows: Rows, top: models.Top = 5) -> Response:
    """Return the best next guesses after some rows, without a board."""
    return JSONResponse(await rows.ask(Question("suggest", top)))


@_single.get("/candidates", responses=answered_with(schemas.CandidatesAnswer))
async def candidates_once(rows: Rows, limit: models.Limit = 20) -> Response:
    """Return the candidates after some rows, without a board."""
    return JSONResponse(await rows.ask(Question("candidates", limit)))


# Tables.


def _candidates_csv(answer: Mapping[str, Any], headers: Mapping[str, str]) -> Response:
    codes = answer["candidates"]
    if codes and isinstance(codes[0], dict):
        rows = ([one["code"], one["probability"]] for one in codes)
        return _csv(["candidate", "probability"], rows, headers)
    return _csv(["candidate"], ([code] for code in codes), headers)


def _csv(
    header: Sequence[str], rows: Iterable[Sequence[object]], headers: Mapping[str, str]
) -> Response:
    """Return a table as CSV, none of whose cells a sheet takes for a formula."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    for row in rows:
        writer.writerow(map(_cell, row))
    return models.Csv(text.getvalue(), headers=dict(headers))


def _cell(value: object) -> object:
    """Return a cell as sheets read it: truth values in lower case, as in JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return csv_cell(value) if isinstance(value, str) else value


for _part in (_boards, _rows_and_facts, _questions, _single):
    router.include_router(_part)
