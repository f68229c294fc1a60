"""Bad game files and settings: the line and the key, and what would have been right."""

import pytest

from puzzlehunt.errors import GameFileError, UnknownNameError
from puzzlehunt.game.files import gamefile, schema

SMALL = "secret: {symbols: ABC, length: 3}\n"


@pytest.fixture
def refused(write):
    """A function that returns the message about a bad file, its path left out."""

    def message(content: str | bytes) -> str:
        path = write(content)
        with pytest.raises(GameFileError) as error:
            gamefile.load(path)
        said = str(error.value)
        assert len(said.splitlines()) <= 2
        assert said.startswith(path)
        return said.removeprefix(path).removeprefix(":")

    return message


def test_an_unknown_parent_is_refused_with_the_nearest(refused):
    assert "1: game: no game 'criptic'" in refused("game: criptic\n")
    assert "did you mean cryptic?" in refused("game: criptic\n")
    assert refused("title: x\ngame: 0x4\n").startswith("2: game: 0x4: a size is 1 to 250")
    assert refused("game: 'a: b'\n").startswith("1: game: 'a: b' is no name of a file")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("seed", "--set seed: expected key=value"),
        ("=4", "--set =4: expected key=value"),
        ("play.sed=4", "--set play.sed=4: play.sed: no such key; did you mean seed?"),
        ("play.seed=x", "--set play.seed=x: play.seed: expected a whole number, not 'x'"),
        ("play=4", "--set play=4: play: expected `key: value` lines"),
        ("secret.length=[", "--set secret.length=[:2: a value is missing, a bracket is not closed"),
        ("secret.length=1\nx: 2", "expected one line"),
        (".".join("a" * 40) + "=1", "nested too deeply"),
        ("secret..length=4", "secret."),
        ("title=\0", "not a text file"),
        ("title=\ud800", "not YAML"),
    ],
)
def test_a_bad_setting_is_an_error_that_shows_it(setting, said):
    with pytest.raises(GameFileError) as error:
        gamefile.load("4x6", [setting])
    assert said in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("titel: x\n" + SMALL, "1: titel: no such key; did you mean title?"),
        (
            "secret:\n  symbols: AB\n  lenght: 2",
            "3: secret.lenght: no such key; did you mean length?",
        ),
        (SMALL + "guess: {foreing: cut}", "2: guess.foreing: no such key; did you mean foreign?"),
        (SMALL + "play:\n  strategi: x", "3: play.strategi: no such key; did you mean strategy?"),
        (SMALL + "marks: {blak: B}", "2: marks.blak: no such key; did you mean black?"),
        (SMALL + "names: {whit: B}", "2: names.whit: no such key; did you mean white?"),
        (SMALL + "zzz: 1", "2: zzz: no such key; known: title"),
        (SMALL + "rule: pegz", "2: rule: no rule is called 'pegz'; did you mean pegs?"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest(refused, content, said):
    assert refused(content).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("attempts: 6", "2: attempts: this key belongs under play: `play: {attempts: 6}`"),
        *(
            (f"{key}: x", f"2: {key}: this key belongs under play: `play: {{{key}: x}}`")
            for key in schema.PlayKeys.model_fields
        ),
        ("tries: 6", "2: tries: no such key; how many guesses there are is `play: {attempts: 6}`"),
        ("guesses: 6", "2: guesses: no such key; how many guesses there are is `play: "),
        ("guesses: large", "2: guesses: no such key; did you mean guess?"),
        ("play: {max_guesses: 6}", "2: play.max_guesses: no such key; how many guesses there are"),
        ("atempts: 6", "2: atempts: no such key; did you mean play.attempts?"),
        ("words: large", "2: words: this key belongs under secret: `secret: {words: large}`"),
        ("length: 3", "2: length: this key belongs under secret"),
        ("overlong: cut", "2: overlong: this key belongs under guess: `guess: {overlong: cut}`"),
        ("also: {H: A}", "2: also: this key belongs under guess: `guess: {also: ...}`"),
        ("merged: true", "2: merged: this key belongs under boards"),
        ("at_most: 1", "2: at_most: this key belongs under lies: `lies: {at_most: 1}`"),
        ("misread: 0.1", "2: misread: this key belongs under reads: `reads: {misread: 0.1}`"),
        ("black: X", "2: black: this key belongs under marks: `marks: {black: X}`"),
        ("within: 3", "2: within: this key belongs under rule: `rule: {within: 3}`"),
        (
            "play: {hard: true}",
            "2: play.hard: this key belongs at the top of the file: `hard",
        ),
        (
            "play: {length: 3}",
            "2: play.length: this key belongs under secret: `secret: {len",
        ),
        ("guess: {attempts: 3}", "2: guess.attempts: this key belongs under play"),
        ("boards: {count: 2, hard: true}", "2: boards.hard: this key belongs at the top of the"),
        ("lies: {misread: 0.1}", "2: lies.misread: this key belongs under reads"),
        ("rule: {name: pegs, black: X}", "2: rule.black: this key belongs under marks"),
        ("marks: {attempts: 3}", "2: marks.attempts: this key belongs under play"),
        ("names: {counts: x}", "2: names.counts: this key belongs under rule"),
        ("marks: {match: X}", "2: marks.match: no such key; known: black, white, miss"),
    ],
)
def test_a_key_in_the_wrong_place_is_refused_with_the_right_one(refused, content, said):
    assert refused(SMALL + content).startswith(said)


@pytest.mark.parametrize(
    ("lies", "said"),
    [
        (
            "2",
            "2 of what? {at_most: 2} is up to 2 rows of the game, {exactly: 2} is 2 marks of",
        ),
        (
            "1",
            "1 of what? {at_most: 1} is up to 1 row of the game, {exactly: 1} is 1 mark of",
        ),
        ("10 %", "expected {at_most: 1}, {exactly: 1} or {chance: 10 %}, not 10 %"),
        ("0.2", "expected {at_most: 1}, {exactly: 1} or {chance: 0.2}, not 0.2"),
        ("yes", "expected {at_most: 1}, {exactly: 1} or {chance: 0.1}, not yes"),
        ("[2]", "expected {at_most: 1}, {exactly: 1} or {chance: 0.1}, not a list"),
    ],
)
def test_lies_without_their_kind_are_asked_about(refused, lies, said):
    assert refused(f"{SMALL}lies: {lies}\n").startswith(f"2: lies: {said}")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("facts:\n  - [123]___", '3: a text with brackets needs quotes: "[123]___"'),
        (
            "facts:\n  - no A\n  - [AB]__\n  - no C",
            '4: a text with brackets needs quotes: "[AB]__"',
        ),
        ("facts: [[AB]__]", '2: a text with brackets needs quotes: "[AB]__"'),
        ("facts: [no C, [A-B]__, no A]", '2: a text with brackets needs quotes: "[A-B]__"'),
        ("turns: [ABC [BW], AAA B]", '2: a text with brackets needs quotes: "ABC [BW]"'),
        (
            "title: [My game]",
            "2: title: expected one word or text, not a list; a text with",
        ),
        ("turns: - ABC B", "2: a list with dashes begins on the line below its key"),
        ("turns: ABC B, ABB *", "2: turns: write each row on a line of its own: `- ABC B`"),
        ("guess: {words: abc, cab}", "2: guess.cab: no such key; values with commas stand in br"),
        ("turns:\n  - >=1b", "3: > and | mean something else in YAML; put a text that holds such"),
        ("turns:\n  - | ABC B", "3: > and | mean something else in YAML"),
        ("rule:pegs", "3: a colon with a blank has to stand behind rule: write `rule: p"),
        (
            "play:\n  seed:3\n  ties: first",
            "4: a colon with a blank has to stand behind seed",
        ),
        ("play: {seed\uff1a3}", "2: play.seed\uff1a3: \uff1a is no colon in YAML; write `seed: 3`"),
        ("facts: [\u201cno A\u201d]", "2: facts.1: “no A” stands in curly quotes, which belong"),
        (
            "rule: \u2018pegs\u2019",
            "2: rule: \u2018pegs\u2019 stands in curly quotes, which belong to it",
        ),
        ("play: {seed: \u201e3\u201c}", "2: play.seed: „3“ stands in curly quotes"),
        ("\u201crule\u201d: pegs", "2: “rule”: “rule” stands in curly quotes"),
        ("guess: {words: [\u00ababc\u00bb]}", "2: guess.words.1: «abc» stands in curly quotes"),
    ],
)
def test_what_yaml_takes_for_something_else_is_refused_with_how_to_write_it(refused, content, said):
    assert refused(SMALL + content).startswith(said)


def test_curly_quotes_are_no_symbols_but_may_stand_in_a_title_and_around_a_row(write):
    with pytest.raises(GameFileError, match=r'secret\.symbols: “ABC” stands in .*write "ABC"'):
        gamefile.load(write("secret: {symbols: “ABC”, length: 3}"))
    game = gamefile.load(write(SMALL + "title: “My game”\nturns: [“ABC BW”]"))
    assert (game.title, len(game.history)) == ("“My game”", 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SMALL + "title: a\nabout: b\ntitle: a\n", "4: title: this key stands twice"),
        (
            "secret:\n  length: 2\n  symbols: A\n  length: 2\n",
            "4: secret.length: this key stands twice",
        ),
        (
            "secret: {symbols: {A: x, B: y, A: z}, length: 1}",
            "1: secret.symbols.A: this key stands",
        ),
    ],
)
def test_a_duplicate_key_is_refused(refused, content, said):
    assert refused(content).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("secret: 4x6", "1: secret: expected `key: value` lines, as in `secret: {symbols: R"),
        ("secret:\n", "1: secret: expected `key: value` lines"),
        ("secret: [a]", "1: secret: expected `key: value` lines, as in `secret: {symbols: R"),
        (SMALL + "title: [a]", "2: title: expected one word or text, not a list"),
        (SMALL + "game: {a: b}", "2: game: expected"),
        (SMALL + "turns: ABC BW", "2: turns: write each row on a line of its own: `- ABC BW`"),
        (
            SMALL + "turns: {ABC: BW}",
            "2: turns: write each row on a line of its own: `- ABC BW`",
        ),
        (
            SMALL + "turns:\n  - ABC *\n  - ABB: BW",
            "4: turns.2: write each row on a line of its own: `- ABB BW`",
        ),
        (SMALL + "turns: [[ABC, BW]]", "2: turns.1: write each row on a line of its own: `- ABC"),
        (SMALL + "turns: {}", "2: turns: write each row on a line of its own: `- HORSE B_WR_`"),
        (
            SMALL + "facts: [[A, B]]",
            '2: facts.1: write each fact on a line of its own: `- "[A,',
        ),
        (
            SMALL + "play: attempts=6",
            "2: play: expected `key: value` lines, as in `play: {att",
        ),
        (SMALL + "gives: row", "2: gives: expected a list, as in [row], not 'row'"),
        (SMALL + "facts: distinct", "2: facts: write each fact on a line of its own: `- distinct`"),
        (SMALL + "facts: {no: A}", "2: facts: write each fact on a line of its own: `- no A`"),
        (
            SMALL + "marks: B",
            "2: marks: expected `key: value` lines, as in `marks: {black: B, white: W}`, not 'B'",
        ),
        ("secret: {symbols: ABC, length: [3]}", "1: secret.length: expected one word"),
        (
            "secret: {symbols: ABC, length: 3, distinct: maybe}",
            "1: secret.distinct: expected true or",
        ),
        ("secret: {symbols: [[A]], length: 1}", "1: secret.symbols: expected"),
        ("secret: {symbols: {A: {b: c}}, length: 1}", "1: secret.symbols: expected"),
        (SMALL + "play: {attempts: many}", "2: play.attempts: expected a whole number, not 'many'"),
        (SMALL + "play: {attempts: 0}", "2: play.attempts: expected at least 1, not '0'"),
        (SMALL + "play: {seed: -1}", "2: play.seed: expected at least 0, not '-1'"),
        (SMALL + "play: {seed: 1.5}", "2: play.seed: expected a whole number"),
        (SMALL + "play: {seed: " + "9" * 9999 + "}", "2: play.seed: expected a whole number"),
        (SMALL + "play: {budget: 0}", "2: play.budget: expected more than 0"),
        (SMALL + "play: {budget: .inf}", "2: play.budget: expected a number"),
        (
            SMALL + "play: {engine: z3}",
            "2: play.engine: expected auto, explicit, symbolic, linear or logic",
        ),
        (SMALL + "play: {pool: every}", "2: play.pool: expected candidates, secrets or all"),
        (SMALL + "play: {ties: last}", "2: play.ties: expected first or candidate"),
        (SMALL + "guess: {overlong: yes}", "2: guess.overlong: expected cut or refuse, not 'yes'"),
        (SMALL + "names: {black: two words}", "2: names.black: expected one word of letters"),
    ],
)
def test_a_wrong_type_is_refused_with_what_was_expected(refused, content, said):
    assert refused(content).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("secret: {symbols: ABC}", "1: secret: secret.length is missing"),
        ("secret: {length: 3}", "1: secret: a game needs secret.words, or secret.symbols"),
        ("title: x", "1: a game needs secret.words, or secret.symbols"),
        ("secret: {symbols: ABC, length: 0}", "1: secret.length: expected lengths from 1 to 250"),
        ("secret: {symbols: ABC, length: 251}", "1: secret.length: expected lengths from 1 to 250"),
        ("secret: {symbols: ABC, length: 1e9}", "1: secret.length: expected a length such as 5"),
        (
            "secret: {symbols: ABC, length: 99999999999999999999}",
            "1: secret.length: expected a length",
        ),
        ("secret: {symbols: ABC, length: 2-3}", "1: secret.length: a secret has one length"),
        (
            "secret: {symbols: ABC, length: 4, distinct: true}",
            "1: secret.length: 4 distinct symbols",
        ),
        (
            "secret: {symbols: [" + ", ".join(map(str, range(251))) + "], length: 3}",
            "1: secret.symbols: 251",
        ),
        ("secret: {symbols: '', length: 4}", "1: secret.symbols: an alphabet needs"),
        ("secret: {symbols: ABA, length: 4}", "1: secret.symbols: the symbol 'A' stands twice"),
        ("secret: {symbols: ['A B'], length: 4}", "1: secret.symbols: 'A B' cannot be a symbol"),
        ("secret: {symbols: {A: x, B: x}, length: 4}", "1: secret.symbols: 'x' stands for two"),
        (SMALL + "guess: {length: 4}", "2: guess.length: a guess has at most the secret's 3"),
        (SMALL + "guess: {length: 3-2}", "2: guess.length: expected lengths from 0"),
        (
            SMALL + "guess: {symbols: ABCD}",
            "2: guess.symbols: guesses are written with the secret's",
        ),
        (SMALL + "guess: {also: {H: Q}}", "2: guess.also.H: 'Q' is no symbol"),
        (SMALL + "guess: {also: {A: B}}", "2: guess.also: the name 'A' stands for two"),
        (
            SMALL + "marks: {black: B, white: B}",
            "2: marks: the mark 'B' stands for black and white",
        ),
        (SMALL + "marks: {black: BB}", "2: marks: 'BB' cannot be a mark"),
        (
            SMALL + "names: {black: hit, white: here}",
            "2: names: the mark 'H' stands for hit and here; under marks, write another",
        ),
        (SMALL + "names: {black: W}", "2: names: the mark 'W' stands for w and white; under marks"),
        (
            SMALL + "names: {black: red, white: red}",
            "2: names: the name 'red' stands for two kinds of marks",
        ),
        (
            SMALL + "marks: {black: X, white: Y}\nnames: {white: x}",
            "3: names: the name 'x' is also the mark of black",
        ),
        (SMALL + "names: {miss: black}", "2: names: the name 'black' stands for two kinds"),
        *((SMALL + f"marks: {{white: '{m}'}}", f"2: marks: '{m}' cannot be a") for m in "<=>≤≥"),
        (SMALL + "names: {black: won}", "2: names: the name 'won' is a whole clue already"),
        (SMALL + "names: {black: unread}", "2: names: the name 'unread' stands for two kinds"),
        (SMALL + "rule: marks\nnames: {right: none}", "3: names: the name 'none' is a whole clue"),
        (SMALL + "names: {white: one}", "2: names: the name 'one' has a meaning in counts"),
        (SMALL + "names: {white: more}", "2: names: the name 'more' has a meaning in counts"),
        (SMALL + "names: {miss: whites}", "2: names: the name 'whites' stands for several white"),
        (
            SMALL + "names: {black: or}\nmarks: {miss: R}",
            "2: names: the marks O, R spell 'or', a word of clues",
        ),
        (
            SMALL + "marks: {black: W, white: O, miss: N}",
            "2: marks: the marks W, O, N spell 'won', a word of clues",
        ),
        (SMALL + "play: {opening: ABD}", "2: play.opening: ABD: 'D' is no symbol"),
    ],
)
def test_what_no_game_can_have_is_refused(refused, content, said):
    assert refused(content).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("rule: [pegs]", "2: rule: expected one word or text"),
        ("rule: {counts: black}", "2: rule: the rule has no name; write rule: pegs"),
        ("rule: {name: [pegs]}", "2: rule: the rule has no name"),
        ("rule: {name: ''}", "2: rule: the rule has no name"),
        ("rule: {name: peg}", "2: rule: no rule is called 'peg'; did you mean pegs?"),
        ("rule:\n  name: pegs\n  count: black", "4: rule.count: no such key; did you mean counts?"),
        ("rule: {name: marks, within: 2}", "2: rule.within: no such key"),
        ("rule: {name: pegs, counts: [white]}", "2: rule: counts: expected [black, white], [white"),
        ("rule: {name: pegs, counts: {black: 1}}", "2: rule: expected one word or text"),
        ("rule: {name: near, within: 0}", "2: rule: within: expected a number of places above 0"),
        (
            "rule: {name: near, within: far}\nmarks: {near: w}\nnames: {near: warm}",
            "2: rule: within: expected a number of places above 0, not 'far'",
        ),
        ("rule: pairs", "2: rule: the rule pairs needs symbols of two characters or more"),
        ("rule: marks\nmarks: {black: B}", "3: marks.black: no such key; known: absent, elsewhere"),
        ("rule: order\nnames: {right: x}", "3: names.right: no such key; known: earlier, later"),
        ("rule: marks\nmarks: {right: ','}", "3: marks: ',' cannot be a mark"),
        ("rule: marks\nmarks: {right: y}", "3: marks: the mark 'Y' stands for right and elsewhere"),
        ("rule: marks\nnames: {right: absent}", "3: names: the name 'absent' stands for two kinds"),
        ("marks: {black: ';'}", "2: marks: ';' cannot be a mark"),
        (
            "names: {black: hit}\nmarks: {white: H}",
            "2: names: the mark 'H' stands for hit and white; under marks, write",
        ),
        (
            "rule: marks\nguess: {length: 1-3}",
            "3: guess.length: the rule marks needs guesses as long as the secret",
        ),
        (
            "rule: order\nguess: {foreign: ignore}",
            "3: guess.foreign: the rule order compares symbols; an unknown one has no place",
        ),
        (
            "rule: near\nguess: {foreign: ignore}",
            "3: guess.foreign: the rule near compares symbols; an unknown one has no place",
        ),
    ],
)
def test_a_rule_that_cannot_be_is_refused(refused, content, said):
    assert refused(SMALL + content).startswith(said)


TWO_ON_ONE = "rule: marks\nboards: {count: 2, merged: true"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SMALL + "boards: 1", "2: boards: expected at least 2, not '1'"),
        (SMALL + "boards: 33", "2: boards: expected at most 32, not '33'"),
        (SMALL + "boards: two", "2: boards: expected a whole number, not 'two'"),
        (SMALL + "boards: 2.5", "2: boards: expected a whole number, not '2.5'"),
        (SMALL + "boards: [2]", "2: boards: expected `key: value` lines"),
        (SMALL + "boards: {merged: true}", "2: boards: count is missing"),
        (SMALL + "boards: {count: 1}", "2: boards.count: expected at least 2, not '1'"),
        (SMALL + "boards: {count: 2, merge: true}", "2: boards.merge: no such key; did you mean"),
        (SMALL + "boards: {count: 2, merged: maybe}", "2: boards.merged: expected true or false"),
        (
            SMALL + "boards: {count: 2, merged: true}",
            "2: boards.merged: only two secrets share a board, and only by a rule of tiles",
        ),
        (
            f"secret: {{words: [ab, cd]}}\n{TWO_ON_ONE.replace('2', '3')}}}",
            "3: boards.merged: only two secrets share a board, and only by a rule of tiles",
        ),
        (
            SMALL + TWO_ON_ONE + "}",
            "3: boards.merged: secrets that share a board come from a list",
        ),
        (
            f"secret: {{words: [ab, ac]}}\n{TWO_ON_ONE}}}",
            "3: boards: no two of its words can share a board, and no symbol may be in both",
        ),
        (
            f"secret: {{words: [ab]}}\n{TWO_ON_ONE}, disjoint: false}}",
            "3: boards: no two of its words can share a board",
        ),
        (SMALL + "boards: 2\nturns: [ABC B]", "3: turns.1: 'B' has 1 clue for 2 boards"),
        (SMALL + "boards: 2\nturns: [ABC B Q]", "3: turns.1: board 2: 'Q' is no clue here"),
        (SMALL + "boards: 2\nfacts: [A__]", "3: facts.1: 'A__': say of which board"),
        (SMALL + "boards: 2\nturns: ['/fact 3: A__']", "3: turns.1: '3: A__': say of which"),
    ],
)
def test_boards_that_cannot_be_are_refused(refused, content, said):
    assert refused(content).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (SMALL + "hard: very", "2: hard: expected true or false, not 'very'"),
        (SMALL + "boards: 2\nhard: true", "3: hard: hard mode is for games of one secret"),
        (
            f"secret: {{words: [ab, cd]}}\nhard: true\n{TWO_ON_ONE}}}",
            "2: hard: hard mode is for games of one secret",
        ),
        (SMALL + "host: evil", "2: host: expected truthful or adversarial, not 'evil'"),
        (
            SMALL + "boards: 2\nhost: adversarial",
            "3: host: an adversarial host plays on one board, with one secret",
        ),
        (
            f"secret: {{words: [ab, cd]}}\nhost: adversarial\n{TWO_ON_ONE}}}",
            "2: host: an adversarial host plays on one board, with one secret",
        ),
        (
            SMALL + "gives:\n  - row\n  - rows\n",
            "4: gives.2: expected first, sum, row or letters, not 'rows'",
        ),
        (SMALL + "boards: 2\ngives: [row, sum]", "3: gives: with several boards only a row"),
        (SMALL + "boards: 2\ngives: [first]", "3: gives: with several boards only a row"),
        (SMALL + "gives: [sum]", "2: gives: a sum needs symbols that are numbers"),
        ("secret: {words: [ab]}\ngives: [row]", "2: gives: there is no row to give that is not"),
        (
            "secret: {symbols: A, length: 2}\ngives: [letters]",
            "2: gives: there is no row to give that is not the secret",
        ),
        (
            "secret: {formula: primes, length: 2}\ngives: [letters]",
            "2: gives: a row of any symbols does not follow the formula",
        ),
    ],
)
def test_a_way_to_play_that_cannot_be_is_refused(refused, content, said):
    assert refused(content).startswith(said)


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("formula: primez\n  length: 2", "2: secret.formula: no formula is called 'primez'; did"),
        ("formula: primes", "1: secret: secret.length is missing"),
        ("formula: primes\n  length: 8", "3: secret.length: there are too many primes of 8 digits"),
        ("formula: equations\n  length: 4", "3: secret.length: no equation has 4 symbols"),
        ("formula: primes\n  length: 2-3", "3: secret.length: a secret has one length"),
        ("formula: primes\n  length: 2\n  words: [ab]", "2: secret.formula: secret.words says it"),
        ("formula: primes\n  symbols: AB\n  length: 2", "2: secret.formula: secret.symbols says"),
        ("pairs: [A, b]\n  formula: primes\n  length: 2", "3: secret.formula: secret.pairs says"),
        ("pairs: [A, b]\n  symbols: AB\n  length: 2", "2: secret.pairs: secret.symbols says it"),
        ("pairs: [A]\n  length: 2", "2: secret.pairs: expected two texts, such as [CSTXH, RGBYO]"),
        ("pairs: [A, b, c]\n  length: 2", "2: secret.pairs: expected two texts"),
        ("pairs: [A, '']\n  length: 2", "2: secret.pairs: expected two texts"),
        ("pairs: AB\n  length: 2", "2: secret.pairs: expected a list, not 'AB'"),
        ("length: 2\n  pairs: [AA, b]", "3: secret.pairs: the symbol 'Ab' stands twice"),
        ("length: 2\n  pairs: [A-, b]", "3: secret.pairs: '-b' cannot be a symbol"),
        ("length: 2\n  pairs: [A, b]\n  distinct: true", "2: secret.length: 2 distinct symbols"),
        (
            f"length: 2\n  pairs: ['{'ABCDEFGHIJKLMNOP'}', '{'abcdefghijklmnop'}']",
            "3: secret.pairs: 256 symbols are too many; at most 250",
        ),
        (
            "formula: primes\n  length: 2\nguess: {words: large}",
            "4: guess.words: guesses follow the secret's formula; leave it out",
        ),
        (
            "formula: primes\n  length: 2\nguess: {length: 2}",
            "4: guess.length: guesses follow the secret's formula; leave it out",
        ),
        (
            "formula: primes\n  length: 2\nguess: {distinct: true}",
            "4: guess.distinct: guesses follow the secret's formula; leave it out",
        ),
        (
            "symbols: AB\n  length: 2\nguess: {formula: primes}",
            "4: guess.formula: guesses are written with the secret's symbols; leave it out",
        ),
        (
            "symbols: AB\n  length: 2\nguess: {pairs: [A, b]}",
            "4: guess.pairs: guesses are written with the secret's symbols; leave it out",
        ),
        (
            "formula: primes\n  length: 2\nturns: [15 BW]",
            "4: turns.1: 15 is not prime: 3 x 5",
        ),
        (
            "formula: equations\n  length: 5\nplay: {opening: 1+1=3}",
            "4: play.opening: 1+1=3: 1+1 is 2, not 3",
        ),
    ],
)
def test_secrets_that_no_formula_or_pair_makes_are_refused(refused, secret, said):
    assert refused(f"secret:\n  {secret}").startswith(said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "standrad",
            "no word list 'standrad': neither a file nor built in; did you mean standard?",
        ),
        ("gone.txt", "no word list 'gone.txt'"),
        ("[]", "the word list is empty"),
        ("[crane, slates]", "none of its words has 4 letters; they have 5 to 6"),
        ("[slates]", "none of its words has 4 letters; they have 6"),
        ("[noon, deed]", "every word of 4 letters repeats a letter"),
        ("[noon x]", "the weight 'x' is no number above 0"),
        ("['']", "'' is not a word"),
    ],
)
def test_a_word_list_without_a_word_says_why(refused, words, said):
    message = refused(f"title: x\nsecret: {{words: {words}, length: 4, distinct: true}}")
    assert message.startswith("2: secret.words: ")
    assert said in message


def test_an_empty_list_file_and_words_of_many_lengths_are_refused(write, refused):
    write("# nothing yet\n", "empty.txt")
    assert "empty.txt: the word list is empty" in refused("secret: {words: empty.txt, length: 5}")
    message = refused("secret: {words: [as, cat]}")
    assert "its words have 2 to 3 letters; say how many with secret.length" in message


@pytest.mark.parametrize("key", schema.RESERVED)
def test_a_reserved_key_says_that_it_is_not_built_yet(refused, key):
    assert refused(SMALL + f"{key}: x\n") == (
        f"2: {key}: this key is reserved and not built yet; leave it out"
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("turns:\n  - ABC BW\n  - ABX B\n", "4: turns.2: ABX: 'X' is no symbol"),
        ("turns: [ABC Q]", "2: turns.1: 'Q' is no clue here"),
        ("turns: [ABC BBW]", "2: turns.1: 2 black, 1 white cannot happen with 3 pegs"),
        ("turns: [AB *]", "2: turns.1: 'AB' has 2 symbols; a guess has 3"),
        ("turns: ['']", "2: turns.1: '' has no guess"),
        ("facts:\n- contains Q\n", "3: facts.1: contains Q: 'Q' is no symbol"),
        ("facts: [A__B]", "2: facts.1: 'A__B' is no fact: a pattern has 3 places"),
        ("facts: ['contains ,']", "2: facts.1: 'contains ,' is no fact; facts are written A__"),
    ],
)
def test_a_bad_turn_or_fact_is_refused_with_its_line(refused, content, said):
    assert refused(SMALL + content).startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "1: the file is empty"),
        ("# a comment\n", "1: the file is empty"),
        ("hello", "1: a game file has `key: value` lines, such as"),
        ("- a\n- b\n", "1: a game file has `key: value` lines, such as"),
        ("secret:\n  symbols: {A: B", "3: the { of line 2 is not closed"),
        ("title: x\nsecret:\n\tsymbols: AB", "3: a tab stands where the line is indented"),
        ("secret:\n  symbols: AB\n\tlength: 2", "3: a tab stands where the line is indented"),
        (SMALL + "turns:\n  -\tAB BW", "3: a tab stands where the line is indented"),
        ("title: a: b\n" + SMALL, "1: a second colon stands after title: put a text"),
        ("secret\n  symbols: AB", "2: a key stands where none can; the line above lacks its"),
        (SMALL + "turns:\n- 'AB' BW\n", "3: a text goes on behind its closing quote; put all of"),
        (SMALL + 'title: "x" y\n', "2: a text goes on behind its closing quote; put all of it"),
        (SMALL + " rule: pegs", "2: this line is not indented like the lines"),
        ("secret: {symbols: @#, length: 2}", "1: no text begins with @; put it between quotes"),
        (
            "secret: {symbols: #AB, length: 2}\n",
            "2: a value is missing, a bracket is not closed, or",
        ),
        ("secret: {symbols: !AB, length: 2}", "1: !AB means something else in YAML; put"),
        ("secret: {symbols: &AB, length: 2}", "1: &AB means something else in YAML; put"),
        ("secret: {symbols: *, length: 2}", "1: * and & mean something else in YAML; put"),
        ("title: 'x\n" + SMALL, "3: the quote that opens in line 1 is never closed"),
        (SMALL + "---\n" + SMALL, "2: a second document begins here"),
        ("a: 1\nb: &x [y]\nc: *x\n", "3: aliases (*x) are not used"),
        ("base: &b {length: 3}\nsecret:\n  <<: *b\n", "3: aliases (*b) are not used"),
        ("a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]\n", "2: aliases"),
        ("title: *gone\n", "1: aliases"),
        ("title: !wow a game\n", "1: !wow means something else in YAML; put the text between"),
        ("title: &x a game\n", "1: &x means something else in YAML; put the text between quotes"),
        (
            'title: !!python/object/apply:os.getcwd "x"\n',
            "1: !!python/object/apply:os.getcwd means",
        ),
        ("play: !!map {}\n", "1: !!map means something else in YAML"),
        ("? [a, b]\n: c\n", "1: a key must be a plain word"),
        ("title: x\nabout: '\a'\n", "2: not YAML: a character that is no text"),
        ("%FOO\n---\n" + SMALL, "1: not YAML"),
        (b"title: caf\xe9\n", " this is not a text file in UTF-8"),
        (SMALL.encode("utf-16"), " this is not a text file"),
        (SMALL.encode("utf-16-le"), " this is not a text file"),
        ("title: [" * 20, "1: nested too deeply"),
        ("turns: [" + "a," * 100_000, "1: more than 100,000 keys and values"),
        ("title: " + "[" * 1_000_000, "1: nested too deeply"),
        ("- " * 1_000_000, "1: nested too deeply"),
        ('"a\\nb": x', "1: a b: no such key"),
        ('game: 2x2\n"\\e[31m": x', "2: a control character stands in this key"),
        ('game: 2x2\ntitle: "\\e[31m"', "2: title: a control character stands in this text"),
    ],
)
def test_what_is_no_plain_yaml_is_refused(refused, content, said):
    assert refused(content).startswith(said)


def test_a_file_that_is_too_large_is_refused(refused):
    said = " cannot be read (it is larger than 16 MB)"
    assert refused(b"\n" * 16_000_001) == said


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(GameFileError, match="cannot be read"):
        gamefile.load(str(tmp_path))


@pytest.mark.parametrize("name", ["criptic", "gone.yaml", "", "a\0b", "x" * 5000, "~nobody-here/x"])
def test_a_name_that_stands_for_nothing_is_refused(name, tmp_path):
    with pytest.raises((UnknownNameError, GameFileError)) as error:
        gamefile.load(name, folder=tmp_path)
    assert len(str(error.value).splitlines()) <= 2


def test_an_unknown_game_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match=r"no game 'criptic': .*; did you mean cryptic\?"):
        gamefile.load("criptic")


def test_an_opening_of_ones_own_must_be_a_guess():
    with pytest.raises(GameFileError, match="'12' has 2 symbols"):
        gamefile.load("nerdle", ["play.opening=12"])
