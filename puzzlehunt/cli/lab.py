"""The commands of `lab`: tournaments, comparisons of strategies, and files of decision trees."""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn, cast

from puzzlehunt.cli.opening import (
    allow_local_modules,
    check_free,
    open_game,
    write_file,
)
from puzzlehunt.cli.options import Given
from puzzlehunt.cli.streams import (
    INTERRUPTED,
    fail,
    note,
    print_json,
    progress_bar,
    progress_note,
    result,
)
from puzzlehunt.codes import words as word_lists
from puzzlehunt.codes.files import path_written
from puzzlehunt.engines.choice import open_engine
from puzzlehunt.errors import (
    InvalidCodeError,
    PuzzlehuntError,
    TreeError,
    UnknownNameError,
    in_number,
    unknown_name,
)
from puzzlehunt.game.files.gamefile import path_of
from puzzlehunt.game.files.trusted_files import may_read
from puzzlehunt.game.game import Game
from puzzlehunt.lab import comparison, tournament
from puzzlehunt.lab.batches import Player, Secrets, open_player
from puzzlehunt.lab.comparison import Comparison
from puzzlehunt.lab.execution import Execution
from puzzlehunt.lab.published import Published, published
from puzzlehunt.lab.statistics import CountName
from puzzlehunt.lab.tournament import MOST_SECRETS, Tournament
from puzzlehunt.lab.trees import check_grows, file_of_tree, tree_of_game
from puzzlehunt.strategies.search import tree_file as tree_files
from puzzlehunt.strategies.search.book import verify as verified
from puzzlehunt.strategies.search.certificate import certificate_text, check_certifiable
from puzzlehunt.strategies.search.optimal import Optimal
from puzzlehunt.strategies.search.proof import Bounds
from puzzlehunt.strategies.search.tree_file import TreeFile
from puzzlehunt.views import plots
from puzzlehunt.views.screen import Screen
from puzzlehunt.views.tournaments import (
    bounds_line,
    comparison_json,
    headline,
    pair_sentence,
    published_json,
    published_table,
    result_csv,
    result_json,
    result_lines,
    result_notes,
    results_table,
    stopped_json,
    unlisted_line,
)
from puzzlehunt.views.wording import contradiction_line


def run(
    given: Given,
    secrets: str,
    budget: int | None,
    execution: Execution,
    files: dict[str, Path | None],
    force: bool,
    json: bool,
) -> None:
    """Play a tournament against all secrets or some, and print the numbers of guesses.

    `files` has the file to write for each option that names one. The results are printed last, so
    that nothing is printed if a file cannot be written.
    """
    checkpoint = execution.checkpoint
    csv, tree, certificate = files["--csv"], files["--tree"], files["--certificate"]
    _check_apart(files | {"--checkpoint": checkpoint})
    check_free(force, *files.values())
    player = open_player(open_game(given), budget=budget)
    game = player.game
    sample = _secrets_to_play(secrets, game)
    if sample is not None and (tree or certificate):
        option = "--tree" if tree else "--certificate"
        raise PuzzlehuntError(
            f"{option} {files[option]}: it is of all secrets; leave out --secrets"
        )
    if tree is not None:
        check_grows(player)
    if certificate is not None:
        _check_certificate(certificate, player)
    try:
        played = _played(given.name, player, sample, execution, json)
        if csv is not None:
            write_file(force, csv, result_csv(played))
        if tree is not None:
            file = file_of_tree(game, played.game_name, tree_of_game(player), player.budget)
            tree_files.write(tree, file, overwrite=force)
        if certificate is not None:
            write_file(force, certificate, _certificate(certificate, played, player))
    except KeyboardInterrupt:
        if checkpoint is not None and Path(checkpoint).exists():
            fail(f"stopped; the same command continues from {checkpoint}", INTERRUPTED)
        raise
    if json:
        print_json(result_json(played))
    elif len(played.secrets):
        Screen().lines(result_lines(played))
        for line in result_notes(played):
            note(line)
    if not len(played.secrets):
        if played.unlisted:
            fail(f"--secrets {secrets}: {unlisted_line(played)}", 1)
        fail(contradiction_line(game, open_engine(game)), 1)


def _check_apart(files: Mapping[str, str | Path | None]) -> None:
    option_of: dict[Path, str] = {}
    for option, path in files.items():
        if path and (other := option_of.setdefault(Path(path).absolute(), option)) != option:
            raise UnknownNameError(f"{option} {path}: {other} names that file, too; name another")


def sample_size(text: str) -> int | None:
    """Return the number of secrets in the value of `--secrets`, None for `all`.

    Raises UnknownNameError if the value is neither `all` nor a number above 0.
    """
    if text == "all":
        return None
    if not (text.isdecimal() and len(text) < 1_000 and int(text) > 0):
        raise UnknownNameError(f"--secrets {text}: expected all, or a number above 0")
    return int(text)


def _secrets_to_play(text: str, game: Game) -> Secrets:
    """Return the secrets to play: None for all, a number, or the codes in a file.

    Raises UnknownNameError.
    """
    if text == "all" or text.lstrip("-").isdecimal():
        return sample_size(text)
    path = path_written(text)
    if not path.is_file():
        raise UnknownNameError(
            f"--secrets {text}: expected all, a number above 0, or a file with one secret a line"
        )
    try:
        secrets = [game.parse_secret(word) for word in dict(word_lists.read(path))]
    except InvalidCodeError as error:
        raise UnknownNameError(f"--secrets {text}: {error}") from None
    if not secrets:
        raise UnknownNameError(f"--secrets {text}: the file holds no secret")
    return secrets


def _played(
    name: str, player: Player, secrets: Secrets, execution: Execution, json: bool
) -> Tournament:
    game = player.game
    games = game.secrets.size if secrets is None else secrets
    games = games if isinstance(games, int) else len(games)
    proof = _Proof(game)
    try:
        with progress_bar(games if games <= MOST_SECRETS else 0) as progress:
            return tournament.run(
                player,
                secrets=secrets,
                name=name,
                progress=progress,
                bounds=proof.show,
                execution=execution,
            )
    except KeyboardInterrupt:
        if proof.bounds is not None:
            proof.stop(name, execution.checkpoint, json)
        raise


class _Proof:
    """The progress of a proof, which is shown on stderr now and then."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.bounds: Bounds | None = None
        self._begun = self._shown = time.monotonic()

    def show(self, bounds: Bounds) -> None:
        """Store the newest bounds of the proof; print them if enough time has passed."""
        self.bounds = bounds
        pause = 2.0 if sys.stderr.isatty() else 60.0
        if not bounds.proved and time.monotonic() - self._shown >= pause:
            self._shown = time.monotonic()
            progress_note(f"{self._line()}, {self._shown - self._begun:.0f} s")

    def stop(self, name: str, checkpoint: str | Path | None, as_json: bool) -> NoReturn:
        """Print the bounds that an interrupted proof has found, and exit with status 3."""
        assert self.bounds is not None
        if as_json:
            seconds = time.monotonic() - self._begun
            print_json(stopped_json(self.game, name, self.bounds, seconds))
        else:
            result(f"{name}: {self._line()}")
        if checkpoint is not None:
            fail(f"stopped; the same command continues from {checkpoint}", 3)
        fail("stopped; with --checkpoint FILE a proof continues where it was stopped", 3)

    def _line(self) -> str:
        assert self.bounds is not None
        return bounds_line(self.bounds, self.game)


def _check_certificate(path: Path, player: Player) -> None:
    """Raise PuzzlehuntError if no certificate can be written after the tournament."""
    if not (player.proves and isinstance(player.strategy, Optimal)) or player.budget is not None:
        raise PuzzlehuntError(f"--certificate {path}: needs --strategy optimal without --budget")
    check_certifiable(player.game)


def _certificate(path: Path, played: Tournament, player: Player) -> str:
    """Return the text of the certificate of a game that was played. Raises PuzzlehuntError."""
    strategy, bounds = cast(Optimal, player.strategy), played.bounds
    if bounds is None or not bounds.proved:
        raise PuzzlehuntError(f"--certificate {path}: nothing was proved about {played.game_name}")
    search = strategy.search_of(player.position())
    return certificate_text(player.game, search, bounds, player.records)


# Strategies side by side.


@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared: strategies, `all` secrets or a number of them, and which count.

    `budget` is the largest number of guesses that are evaluated for a suggestion.
    """

    strategies: list[str]
    secrets: str
    count: str
    budget: int | None


def compare(given: Given, compared: Compared, with_published: bool, json: bool) -> None:
    """Play strategies against the same secrets, and print how their results differ."""
    game, strategies = open_game(given), compared.strategies
    if not strategies or (len(strategies) == 1 and not with_published):
        raise UnknownNameError("give two strategies or more: --strategy entropy --strategy parts")
    played = _compared(given.name, game, compared)
    rows = published(game) if with_published else []
    if with_published and not rows:
        note(f"no published results are known for {given.name}")
    if json:
        others = {"published": [published_json(row) for row in rows]} if with_published else {}
        print_json(comparison_json(played) | others)
    else:
        _show_comparison(played, rows)


def plot(given: Given, compared: Compared, picture: Path, kind: str, force: bool) -> None:
    """Write a picture of the games of one or more strategies."""
    game = open_game(given)
    if kind not in plots.PLOTS:
        raise unknown_name("kind of plot", kind, plots.PLOTS)
    file_format = plots.picture_format(picture)
    plots.check_plots()
    check_free(force, picture)
    if not compared.strategies:
        own = open_player(game).game.play.strategy_name
        compared = replace(compared, strategies=[own])
    played = _compared(given.name, game, compared)
    drawn = plots.plot(played, kind, budget=compared.budget)
    write_file(force, picture, drawn.bytes(file_format))


def _compared(name: str, game: Game, compared: Compared) -> Comparison:
    strategies, secret_count = compared.strategies, sample_size(compared.secrets)
    allow_local_modules(*strategies)
    engine = open_engine(game)
    if not engine.satisfiable():
        fail(contradiction_line(game, engine), 1)
    games = game.secrets.size if secret_count is None else secret_count
    with progress_bar(games * len(strategies) if games <= MOST_SECRETS else 0) as progress:
        return comparison.compare(
            game,
            strategies,
            secrets=secret_count,
            budget=compared.budget,
            count=cast(CountName, compared.count),  # any other is refused
            progress=progress,
            name=name,
        )


def _show_comparison(comparison: Comparison, rows: Sequence[Published]) -> None:
    screen = Screen()
    screen.line(headline(comparison))
    screen.table(results_table(comparison))
    for pair in comparison.pairs:
        screen.line(pair_sentence(pair))
    if rows:
        screen.line()
        screen.table(published_table(rows, comparison.results.values()))


# Files of decision trees.


def verify(given: Given, file: Path, json: bool) -> None:
    """Check that a decision tree finds every secret, and print its numbers of guesses."""
    tree_file = tree_files.read(file)
    name = given.name or _game_of(tree_file, file)
    game = open_game(replace(given, name=name))
    try:
        counts = verified(tree_file, game)
    except TreeError as error:
        raise TreeError(f"{file}: {error}") from None
    if json:
        print_json({"file": str(file), "game": name, **counts})
        return
    average = counts["total"] / counts["secrets"]
    result(
        f"{file}: every secret of {name} is found: {counts['secrets']} "
        f"{in_number('secret', counts['secrets'])}, "
        f"total {counts['total']}, average {average:.4f}, worst {counts['worst']}, "
        f"known {counts['known']}"
    )


def _game_of(tree_file: TreeFile, file: Path) -> str:
    """Return the name of the game that a tree file names. Raises TreeError if it may not be read.

    Since tree files may come from strangers, they may name only built-in games and files in or
    below their own folder.
    """
    name = tree_file.head.get("game", "")
    if not name:
        raise TreeError(f"{file}: the file does not name its game; add --game GAME")
    game_file = path_of(name, Path())
    if game_file is not None and not may_read(game_file, file.absolute().parent):
        raise TreeError(f"{file}: its game is in another folder; to allow that, add --game {name}")
    return name
