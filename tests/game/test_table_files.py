"""Tables in files and in game files, and the game file that is proposed for one."""

from pathlib import Path

import pytest

import puzzlehunt
from cases import cases, unescaped
from puzzlehunt.codes.constraints import holds
from puzzlehunt.engines import open_engine
from puzzlehunt.errors import GameFileError, PuzzlehuntError
from puzzlehunt.game.files.table_files import MOST_ROWS, built_in_tables, game_of_table, read_table
from puzzlehunt.game.turn_notation import format_turn
from puzzlehunt.web.uploads import check_upload
from random_games import game_of


def written(folder, text, name="t.csv"):
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("text", [one for (one,) in cases("ways to write a table")])
def test_a_table_may_be_written_in_many_ways(tmp_path, text):
    rows = read_table(written(tmp_path, unescaped(text)), "name")
    assert rows.plain_names == ("X y", "Z")
    assert [*rows.columns["a"]] == ["1", "2"]


@pytest.mark.parametrize(("said", "text"), cases("what is wrong with a table"))
def test_what_is_wrong_with_a_table_is_said_with_its_line(tmp_path, said, text):
    with pytest.raises(GameFileError, match=said):
        read_table(written(tmp_path, unescaped(text)), "name")


def test_too_many_rows_are_refused_at_once(tmp_path):
    path = written(tmp_path, "name,a\n" + "".join(f"{n},1\n" for n in range(MOST_ROWS + 1)))
    with pytest.raises(GameFileError, match="200,001 rows are too many"):
        read_table(path, "name")
    (tmp_path / "latin.csv").write_bytes(b"name\n\xff\n")
    with pytest.raises(GameFileError, match="UTF-8"):
        read_table(tmp_path / "latin.csv", "name")


def test_an_inheriting_game_tells_of_its_own_columns(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("game: elements\nrule: {columns: {symbol: equal}}\n", encoding="utf-8")
    assert puzzlehunt.load(path).rule.column_names == ("symbol",)


def test_a_file_from_somebody_else_names_built_in_tables_alone():
    assert {*built_in_tables()} == {"capitals.csv", "countries.csv", "elements.csv"}
    check_upload("secret: {table: elements.csv}")
    with pytest.raises(GameFileError, match="only a table that comes with the program"):
        check_upload("secret: {table: mine.csv}")
    with pytest.raises(GameFileError, match="outside of the folder"):
        game_of({"secret": {"table": "../t.csv"}})


def test_a_game_file_is_proposed_for_a_table(tmp_path):
    text = (
        "who,id,born,teams,side,lat,lon,quote\n"
        'Ann,1,1970-01-02,"red, blue",a,1,2,p\n'
        "Bob,2,1980-01-02,red,b,3,4,q\n"
        "Cy,3,,blue/red,a,5,6,r\n"
        "Di,4,1990-01-02,blue;green,b,7,8,s\n"
    )
    proposed, remarks = game_of_table(written(tmp_path, text), tmp_path)
    (tmp_path / "t.yaml").write_text(proposed, encoding="utf-8")
    game = puzzlehunt.load(tmp_path / "t.yaml")
    assert [(column.title, column.kind) for column in game.rule.columns] == [
        ("id", "order"), ("born", "order"), ("teams", "overlap"), ("side", "equal"),
        ("lat", "order"), ("lon", "order"),
    ]  # fmt: skip
    assert game.alphabet.plain_names == ("Ann", "Bob", "Cy", "Di")
    assert remarks == ["quote is left out: no two rows are alike"]
    with pytest.raises(GameFileError, match="beside the table"):
        game_of_table(tmp_path / "t.csv", tmp_path / "below")
    with pytest.raises(GameFileError, match=r"v.csv:4: two rows have the name 'x'"):
        game_of_table(written(tmp_path, "a,b\nx,1\ny,2\nx,3\n", "v.csv"), tmp_path)


@pytest.mark.parametrize(("cells", "kind"), cases("columns of words"))
@pytest.mark.parametrize(("mark", "sign"), [("", ","), ("\ufeff", ";"), ("", "\t")])
def test_a_column_of_words_tells_of_members_or_whether_it_is_equal(
    tmp_path, cells, kind, mark, sign
):
    named = zip("abcdef", cells.split("|"), "111112", strict=True)
    rows = [("name", "it", "size"), *named]
    text = "\r\n".join(sign.join(f'"{cell}"' for cell in row) for row in rows)
    proposed, _ = game_of_table(written(tmp_path, f"{mark}{text}"), tmp_path)
    columns = puzzlehunt.load(written(tmp_path, proposed, "t.yaml")).rule.columns
    assert [column.kind for column in columns if column.title == "it"] == [kind] * bool(kind)


@pytest.mark.parametrize(("cells", "kind", "remark"), cases("columns of tables"))
def test_a_column_that_is_not_what_most_of_its_cells_are_is_remarked_on(
    tmp_path, cells, kind, remark
):
    lines = [f'{"abcdef"[n]},"{cell}",{n // 2}\n' for n, cell in enumerate(cells.split())]
    text = "".join(["name,it,side\n", *lines])
    proposed, remarks = game_of_table(written(tmp_path, text, "d.csv"), tmp_path)
    (tmp_path / "t.yaml").write_text(proposed, encoding="utf-8")
    columns = puzzlehunt.load(tmp_path / "t.yaml").rule.columns
    assert [column.kind for column in columns if column.title == "it"] == [kind] * bool(kind)
    assert (remark in remarks[0]) if remark else not remarks


@pytest.mark.parametrize(("text", "count"), cases("facts about columns"))
def test_a_fact_may_be_about_a_column(text, count):
    game = puzzlehunt.load("elements")
    fact = game.parse_fact(text)
    assert game.parse_fact(fact.text) == fact
    engine = open_engine(game)
    engine.push(fact)
    assert engine.count().exact == int(count)


PROBES = """\
secret:
  table:
    - {name: Luna 1, melts: -100, launched: 1959-01-02}
    - {name: Apollo, melts: -40, launched: 1969-07-20}
    - {name: Mir, melts: 55, launched: 1986-02-20}
    - {name: New Dawn, melts: '', launched: ''}
rule: {name: columns, columns: {melts: order, launched: order}}
"""


@pytest.mark.parametrize(("rows", "texts"), cases("rows of facts about columns"))
def test_values_with_a_sign_and_dates_are_no_ranges(rows, texts, tmp_path):
    game = puzzlehunt.load(written(tmp_path, PROBES, "probes.yaml"))
    codes = list(game.secrets)
    for text in texts.split("; "):
        fact = game.parse_fact(text)
        found = (str(n) for n, code in enumerate(codes) if holds(fact.constraint, code))
        assert " ".join(found) == rows, text
    for text in ("launched > 1969", "melts 10 -", "melts", "melts 9", "boils > 10", "H____"):
        with pytest.raises(PuzzlehuntError):
            game.parse_fact(text)


def test_a_cell_that_no_other_row_has_in_its_column_names_its_row_too(tmp_path):
    elements, capitals = map(puzzlehunt.load, ("elements", "capitals"))
    for game, text, name in (
        (elements, "Fe", "Iron"), (elements, "no", "Nobelium"), (elements, " FE ", "Iron"),
        (capitals, "south africa", "Pretoria"), (capitals, "Mexico City", "Mexico City"),
    ):  # fmt: skip
        assert game.format_code(game.parse_guess(text)) == name, text
    row = elements.turn("In > < . . = <")
    assert format_turn(elements, row) == "Indium > < . . = <"
    table = "name,a,b,size,kind\nX,p,r,1,k\nY,q,p,2,k\nZ,x,s,3,l\n"
    rows = read_table(written(tmp_path, table), "name")
    assert {each: rows.spell(each) for each in ("q", "r", "x", "p", "1", "k")} == {
        "q": (1,), "r": (0,), "x": (0,), "p": None, "1": None, "k": None,
    }  # fmt: skip


def test_a_fact_of_a_set_admits_the_set_itself_and_what_all_rows_have_is_no_news(
    tmp_path: Path,
) -> None:
    file = tmp_path / "kinds.yaml"
    file.write_text(
        "secret:\n  name: who\n  table:\n"
        "  - {who: ant, kinds: water, size: 1}\n"
        "  - {who: bee, kinds: 'water, fire', size: 2}\n"
        "  - {who: cow, kinds: fire, size: 3}\n"
        "rule: {name: columns, columns: {kinds: overlap, size: order}}\n",
        encoding="utf-8",
    )
    game = puzzlehunt.load(str(file))
    engine = open_engine(game)
    assert puzzlehunt.certain(engine) == []
    engine.push(game.parse_fact("kinds water"))
    assert [game.format_code(code) for code in engine.candidates().codes] == ["ant", "bee"]
