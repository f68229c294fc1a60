"""The library as somebody types it: games, lines and functions where they are expected to work."""

import pytest

import puzzlehunt
from puzzlehunt.engines import open_engine
from puzzlehunt.rules import ScoreRule
from puzzlehunt.rules.rule_registry import find_rule
from puzzlehunt.strategies import Adviser, Position, Strategy, find_strategy


def largest(counts):
    return counts.max(axis=-1)


class FirstCandidate(Strategy):
    """Guesses the first candidate: what a strategy of one's own looks like."""

    measure = "nothing"

    def rank(self, position: Position, top: int):
        return [self.rate(position, position.candidate(0))], True


@pytest.mark.parametrize(
    "turns",
    [["AAB 1b", "/fact no C"], "AAB 1b\n/fact no C", iter(["AAB 1b", "/fact no C"])],
    ids=["list", "text", "iterator"],
)
def test_suggestions_are_one_call_away(turns):
    game = puzzlehunt.load("3x4")
    engine = open_engine(game)
    engine.follow(["AAB 1b", "/fact no C"])
    advice = puzzlehunt.suggest("3x4", turns, top=3)
    assert advice == Adviser(game).advise(engine, 3, budget=puzzlehunt.Budget(seconds=1))
    assert advice.guesses == [game.format_code(one.code) for one in advice.suggestions]
    assert repr(advice) == f"<Advice: {', '.join(advice.guesses)}; {engine.count().exact} left>"


def test_rows_come_after_those_of_the_game_and_are_named_as_people_see_them():
    log = puzzlehunt.load("heart-2018")
    (verdict,) = puzzlehunt.why(log, ["/fact no C", "CHAIR WRRRR"], code="CHORD")
    explanation = puzzlehunt.explain(log, ["/fact no C", "CHAIR WRRRR"], code="CHORD")
    (fact,) = verdict.history.facts
    assert verdict.because == explanation.verdicts[0].because == (5, 6, 16, 24, 28, fact)
    assert puzzlehunt.why(log, verdict.history, code="CHORD") == (verdict,)
    assert len(puzzlehunt.review(log, ["CHAIR WRRRR"])) == 28
    rows = ["/fact no A", "AABB 1b", "/fact no B", "CCDD none"]
    found = puzzlehunt.conflicts("4x6", rows, top=9)
    assert [[str(name) for name in names] for names in found] == [["1", "no A", "no B"]]
    assert puzzlehunt.explain("4x6", rows).conflict == found[0]
    assert puzzlehunt.review("4x6", rows).contradiction == found[0][-1]


def test_suggestions_go_on_from_the_rows_of_the_game_until_it_is_won():
    game = puzzlehunt.load("mastermind", ["turns=[RRGG 1b]"])
    assert puzzlehunt.suggest(game).count == 500
    assert puzzlehunt.suggest(game, ["RYBO 1b 1w"]).count < 100
    assert puzzlehunt.suggest(game, ["RRGG 1b"]).count == 500
    won = puzzlehunt.suggest(game, ["RYBO 4b"])
    assert (won.guesses, won.count) == ([], 1)
    with pytest.raises(puzzlehunt.PuzzlehuntError, match="contradict each other"):
        puzzlehunt.suggest(game, ["RRGY 4b", "RRGO 4b"])


# One meaning of a game, and of rows.

TEXT = "title: A game\nsecret: {symbols: ABCD, length: 3}\nrule: pegs\nturns: [AAB 1b]\n"
KEYS = {
    "title": "A game",
    "secret": {"symbols": "ABCD", "length": 3},
    "rule": "pegs",
    "turns": ["AAB 1b"],
}
FUNCTIONS = {
    "suggest": lambda *asked: puzzlehunt.suggest(*asked, strategy="parts").guesses,
    "candidates": lambda *asked: [*puzzlehunt.candidates(*asked)],
    "explain": lambda *asked: puzzlehunt.explain(*asked, code="AAA").verdicts[0].because,
    "why": lambda *asked: puzzlehunt.why(*asked, code="AAA")[0].because,
    "conflicts": puzzlehunt.conflicts,
    "repairs": lambda *asked: [one.turns for one in puzzlehunt.repairs(*asked)],
    "suspects": lambda *asked: [one.row for one in puzzlehunt.suspects(*asked)],
    "certain": lambda *asked: [*puzzlehunt.certain(*asked)],
    "near_misses": lambda *asked: [*puzzlehunt.near_misses(*asked)],
    "unread_marks": lambda *asked: [one.bits for one in puzzlehunt.unread_marks(*asked)],
    "partition": lambda *asked: puzzlehunt.partition(*asked, guess="ABC").counts,
    "review": lambda *asked: [one.expected_bits for one in puzzlehunt.review(*asked)],
    "script": puzzlehunt.smtlib.script,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_takes_what_stands_for_a_game_and_adds_rows_to_its_own(name, tmp_path):
    ask, session = FUNCTIONS[name], puzzlehunt.Session(KEYS)
    (tmp_path / "game.yaml").write_text(TEXT)
    game = puzzlehunt.load(TEXT)
    alike = [KEYS, TEXT, tmp_path / "game.yaml", str(tmp_path / "game.yaml"), session]
    alike += [game, open_engine(game)]
    assert all(ask(one) == ask(game) for one in alike)
    more = ["CCA 2w", "/fact no D"]
    session.play(*more)
    alike = [(one, more) for one in (KEYS, TEXT, game, open_engine(game))]
    alike += [(session,), (session, ["CCA 2w"]), (game, "\n".join(more)), (game, iter(more))]
    assert all(ask(*one) == ask(session) for one in alike)
    for rows in (["ABC"], "ABC # no clue"):
        with pytest.raises(puzzlehunt.PuzzlehuntError, match=r"write ABC \* if nothing was read"):
            ask(game, rows)


def test_tournaments_go_on_from_the_rows_of_what_stands_for_a_game():
    session = puzzlehunt.Session(KEYS)
    for game in (KEYS, TEXT, session, puzzlehunt.load(TEXT)):
        played = puzzlehunt.run(game, "parts")
        assert len(played.secrets) == len(session.candidates())
        assert played.game_name == "A game"
    assert puzzlehunt.run("3x4", "parts").game_name == "3x4"


def test_a_game_is_scored_by_another_rule():
    def first(guess, secret):
        return guess[0] == secret[0]

    class Firsts(ScoreRule):
        name = "firsts"

        def score(self, guess, secret):
            return guess[0] == secret[0]

    for rule in (first, Firsts, Firsts()):
        assert puzzlehunt.load(KEYS | {"turns": []}, rule=rule).score("AAB", "ABC") is True
    assert puzzlehunt.load("3x4", rule="matches").score("AAB", "ABC") == (1,)
    with pytest.raises(puzzlehunt.PuzzlehuntError, match="is for 2 positions, 4 symbols"):
        puzzlehunt.load(TEXT, rule=type(puzzlehunt.load("2x4").rule)(2, 4))


def test_everything_is_listed_by_its_name_with_a_sentence():
    for name, about in puzzlehunt.games().items():
        assert puzzlehunt.load(name).about == about
    for name in puzzlehunt.strategies():
        assert find_strategy(name).name == name
    for name in puzzlehunt.engines():
        assert puzzlehunt.Play(engine=name)
    for name in puzzlehunt.rules():
        assert find_rule(name).name == name
    listed = puzzlehunt.rules() | puzzlehunt.strategies() | puzzlehunt.engines()
    assert all(about and not about.endswith(".") for about in listed.values())


# A session is all that a bot needs.


def test_a_session_answers_as_the_functions_do():
    rows = ["AAB 1b", "CCA 2w", "BDD *"]
    session = puzzlehunt.Session("3x4")
    session.play(*rows)
    assert puzzlehunt.Session("3x4").play(*session.text().splitlines()).history == session.history
    assert [*session.candidates()] == [*puzzlehunt.candidates("3x4", rows)]
    assert session.count().exact == len(session.candidates())
    assert session.suggest(3) == puzzlehunt.suggest(session, top=3)
    assert session.why("AAA") == puzzlehunt.why("3x4", rows, code="AAA")
    assert [*session.certain()] == [*puzzlehunt.certain("3x4", rows)]
    assert session.next_mark() == puzzlehunt.unread_marks("3x4", rows)[0]
    session.play("DDD 3b", "DDC 3b")
    assert session.conflicts(5) == puzzlehunt.conflicts(session, top=5) != []
    assert [one.turns for one in session.repairs()] == [
        one.turns for one in puzzlehunt.repairs(session)
    ]
    with pytest.raises(puzzlehunt.PuzzlehuntError, match="contradict each other"):
        session.suggest()


def test_a_session_makes_a_repair_and_knows_that_it_is_won():
    session = puzzlehunt.Session("mastermind")
    session.play("RRGG BW", "RGBY none", "OOPP BBW")
    broken, (repair,) = session.text(), session.repairs()
    session.play(repair)
    assert session.count().exact == repair.count == 4
    session.play(f"{session.candidates()[0]} won")
    assert session.is_won
    session.undo()
    session.undo()
    assert (session.text(), session.is_won) == (broken, False)


def test_a_repair_changes_the_rows_that_it_was_made_for_and_no_others():
    session = puzzlehunt.Session("mastermind")
    session.play("RRRR none", "RRGG BW", "RGBY none", "OOPP BBW")
    (repair,) = session.repairs()
    session.apply(puzzlehunt.changes.DropRow(1))
    session.play("YYYY none")
    session.play(repair)
    assert session.text().splitlines() == ["RRGG BW", "RGBY BBW", "OOPP none", "YYYY none"]
    with pytest.raises(puzzlehunt.errors.OvertakenError, match="row 3 has been changed meanwhile"):
        session.play(repair)
    assert len(session.history) == 4


def test_a_text_of_several_lines_is_played_and_empty_lines_are_no_rows():
    session, text = puzzlehunt.Session("3x4"), "\n  AAB 1b\n\n  /fact no D\n  CCB 1w\n"
    with pytest.raises(puzzlehunt.PuzzlehuntError, match="9b"):
        session.play(text + "CCA 9b")
    assert session.text() == ""
    session.play(text)
    assert session.text().splitlines() == ["AAB 1b", "CCB 1w", "/fact no D"]
    assert [*session.candidates()] == [*puzzlehunt.candidates("3x4", text)]
    for empty in ("", " "):
        with pytest.raises(puzzlehunt.PuzzlehuntError, match="has no guess"):
            session.play(empty)


def test_a_fact_is_played_as_a_row_is():
    session = puzzlehunt.Session("3x4")
    for fact in ("/fact no D", session.game.parse_fact("no C")):
        session.play(fact, "AAB 1b")
    assert session.text().splitlines() == ["AAB 1b", "/fact no D", "/fact no C"]
    session.undo()
    assert len(session.history) == 2
    assert repr(session.history.facts[0]) == "Fact(text='no D', board=None)"


def test_a_session_of_a_mapping_is_kept_and_that_of_a_game_needs_a_name(tmp_path):
    session = puzzlehunt.Session(KEYS | {"turns": []})
    session.play("AAB 1b")
    session.keep_in(tmp_path / "game.yaml")
    session.close()
    assert puzzlehunt.load(tmp_path / "game.yaml").history == session.history
    made = puzzlehunt.Session(puzzlehunt.load("3x4"))
    made.play("AAB 1b")
    with pytest.raises(puzzlehunt.PuzzlehuntError, match="name its file"):
        made.keep_in(tmp_path / "other.yaml")


@pytest.mark.parametrize("own", [largest, FirstCandidate, FirstCandidate()])
def test_a_strategy_of_ones_own_is_taken_wherever_a_name_is(own):
    name = "largest" if own is largest else "FirstCandidate"
    twin = "minimax" if own is largest else "first"
    game, twin_game = puzzlehunt.load("3x4"), puzzlehunt.load("3x4", [f"play.strategy={twin}"])
    own_game = game.with_play({"strategy": own})
    expected = puzzlehunt.suggest(twin_game, top=1).guesses
    by_hand = Adviser(game, own).advise(open_engine(game))
    for advice in (by_hand, puzzlehunt.suggest(game, strategy=own), puzzlehunt.suggest(own_game)):
        assert advice.guesses[:1] == expected
        assert advice.strategy == name
    played = puzzlehunt.run(twin_game).played
    for result in (puzzlehunt.run(own_game), puzzlehunt.run("3x4", strategy=own)):
        assert result.played == played
        assert name in result._repr_html_()
    compared = puzzlehunt.compare(game, [own, twin])
    assert list(compared.results) == [name, twin]
    assert compared.pairs[0].difference.total == 0
    assert isinstance(find_strategy(own), Strategy)


def test_a_session_keeps_only_strategies_that_have_a_name(tmp_path):
    game = puzzlehunt.load("3x4").with_play({"strategy": largest})
    session = puzzlehunt.Session(game, "3x4")
    session.keep_in(tmp_path / "game.yaml")
    assert session.suggest(1, budget=puzzlehunt.Budget()).strategy == "largest"
    assert puzzlehunt.load(tmp_path / "game.yaml").play.strategy == "book"
    session.apply(puzzlehunt.changes.SetStrategy("parts"))
    session.close()
    assert puzzlehunt.load(tmp_path / "game.yaml").play.strategy == "parts"


# Frames have the values of the attributes, one row for each.


@pytest.mark.needs("pandas")
def test_suspects_repairs_and_certainties_have_a_row_each() -> None:
    found = puzzlehunt.suspects("heart-2018")
    listed = found.to_frame()
    assert [*listed] == ["row", "turn", "probability", "named"]
    assert listed["row"].tolist() == [one.row for one in found]
    assert [*puzzlehunt.repairs("4x6").to_frame()][:2] == ["rank", "turns"]
    known = puzzlehunt.certain("2x3", ["AB 1b", "AC 1b"]).to_frame()
    assert str(known["position"].dtype) == "Int64"
    assert known["position"].dropna().tolist() == [0, 1]


@pytest.mark.needs("pandas")
def test_candidates_answers_and_rows_have_a_row_each() -> None:
    rows = ["AABB 1b ? # blurred", "/fact no F", "CDAD 1w"]
    history = puzzlehunt.load("4x6").as_history(rows).to_frame()
    assert history.to_dict("list") == {
        "row": [1, 2],
        "guess": ["AABB", "CDAD"],
        "clue": ["1b", "1w"],
        "doubt": [0.5, 0],
        "note": ["blurred", ""],
    }
    left = puzzlehunt.candidates("4x6", rows)
    listed = left.to_frame()
    assert listed["candidate"].tolist() == [*left]
    assert listed["chance"].sum() == pytest.approx(1)
    assert listed["chance"].nunique() > 1
    assert [*puzzlehunt.candidates("mastermind").to_frame()["chance"]] == [1 / 1296] * 1296
    for huge in ("quordle", "16x6"):
        with pytest.raises(puzzlehunt.PuzzlehuntError, match="too many candidates for a frame"):
            puzzlehunt.candidates(huge).to_frame()
    parts = puzzlehunt.partition("2x3", guess="AB")
    assert parts.to_frame().to_dict("list") == {"answer": [*parts], "count": [4, 2, 1, 1, 1]}


@pytest.mark.needs("pandas")
def test_tournaments_have_a_row_for_each_secret() -> None:
    assert "lost" not in puzzlehunt.run("2x2", "first").to_frame()
    limited = puzzlehunt.run(puzzlehunt.load("2x2", {"play.attempts": 2}), "first")
    made = limited.to_frame()
    assert made["played"].tolist() == limited.guesses["played"].tolist()
    assert made["lost"].sum() == limited.losses


@pytest.mark.needs("pandas")
def test_a_comparison_has_a_row_for_each_secret_and_a_column_for_each_contender() -> None:
    made = puzzlehunt.compare("2x2", ["first", "minimax"]).to_frame()
    assert made["secret"].tolist() == ["AA", "AB", "BA", "BB"]
    assert [*made] == ["secret", "first", "minimax"]
    for name in ("first", "minimax"):
        assert made[name].tolist() == puzzlehunt.run("2x2", name).guesses["played"].tolist()
