"""Mutants: one-line faults, each of which the fast tests should find.

usage: python tools/mutants.py [TEXT] [--jobs N]

Copies the checkout as often as there are jobs, puts one fault into a copy, runs the tests that
should find it until one fails, and mends the copy again. Only the mutants whose file or new line
holds TEXT are tried. Prints a Markdown table; exit status 1 if one lived without a reason, or if a
line is not in its file just once.
"""

import argparse
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fragment of one file under `puzzlehunt/`, what stands there instead, and who finds it.

    `tests` are files or folders under `tests/`. `lives` says why no test can tell the two apart.
    """

    file: str
    old: str
    new: str
    tests: str
    lives: str = ""


# fmt: off
MUTANTS = [
    # codes
    Mutant("codes/constraints.py", "Bound(None, terms, low - 1)", "Bound(None, terms, low)", "engines/test_engines.py channel/test_lies.py"),
    Mutant("codes/constraints.py", "(high is None or total <= high)", "(high is None or total < high)", "rules"),
    # kernels
    Mutant("kernels/packed_codes.py", "words[symbol, j + 1 :, bit >> 6]", "words[symbol, j:, bit >> 6]", "kernels/test_codes.py rules/test_rules.py"),
    Mutant("kernels/packed_codes.py", "counts.reshape(len(block), width)[:, :symbols]", "counts.reshape(len(block), width)[:, 1:]", "rules/test_pegs.py rules/test_rules.py"),
    Mutant("kernels/packed_codes.py", "_bit_rows(words, np.minimum(codes, symbols))", "_bit_rows(words, np.minimum(codes, symbols - 1))", "kernels/test_codes.py"),
    Mutant("kernels/packed_codes.py", "return np.where(known_keys[order[found]] == wanted_keys, order[found], -1)", "return order[found]", "strategies rules"),
    Mutant("kernels/packed_codes.py", "(longer[:, :-1] != longer[:, -1:]).all(axis=1)", "(longer[:, :-1] != longer[:, -1:]).any(axis=1)", "rules engines/test_engines.py"),
    Mutant("kernels/feedback_matrix.py", "if other < place:", "if other <= place:", "rules"),
    Mutant("kernels/feedback_matrix.py", "if values <= 1 << 8:", "if values <= 1 << 9:", "rules"),
    Mutant("kernels/partitions.py", "parts += np.arange(guesses)[:, None] * secrets", "parts += 0", "rules strategies/test_strategies.py"),
    Mutant("kernels/partitions.py", "np.arange(len(block))[:, None] * feedbacks", "np.arange(len(block))[:, None] * (feedbacks - 1)", "rules/test_rules.py strategies/test_strategies.py"),
    Mutant("kernels/compiled/grouping.py", "weights_differ = weights.shape[0] > 1", "weights_differ = weights.shape[0] > 2", "rules/test_pegs.py"),
    Mutant("kernels/compiled/lookahead.py", "if size and answer != problem.winning:", "if size:", "strategies/test_deep.py"),
    Mutant("kernels/compiled/one_ply.py", "(parts - larger) * summands[size] - parts * rounding", "parts * summands[size + 1]", "lab/test_tournaments.py"),
    # rules
    Mutant("rules/pegs.py", "return Pegs(black, common.total() - black)", "return Pegs(black, common.total())", "rules/test_pegs.py"),
    Mutant("rules/pegs.py", '!= (self.length - 1, 1)', '!= (self.length - 1, 2)', "rules"),
    Mutant("rules/pegs.py", "offsets = [t * (t + 1) // 2", "offsets = [t * (t - 1) // 2", "rules/test_rules.py"),
    Mutant("rules/marks.py", "zip(guess, secret, strict=True) if g != s)", "zip(guess, secret, strict=True))", "rules/test_marks.py rules/test_rules.py"),
    Mutant("rules/marks.py", "(unclaimed > tile.earlier)", "(unclaimed >= tile.earlier)", "rules/test_rules.py"),
    Mutant("rules/marks.py", "Bound(earlier + 1, unclaimed, None)", "Bound(earlier, unclaimed, None)", "rules/test_rules.py"),
    Mutant("rules/marks.py", "if _ABSENT not in cell and symbol != FOREIGN:", "if symbol != FOREIGN:", "strategies/test_hard_mode.py rules"),
    Mutant("rules/letters.py", "table[sums == base * base - 1] = base", "table[sums == base * base - 1] = base - 1", "rules/test_rules.py"),
    Mutant("rules/matches.py", "if terminal is not None and int(terminal[2] or len(guess)) == len(guess):", "if terminal is not None:", "rules"),
    Mutant("rules/pairs.py", "(f == first) != (s == second)", "(f == first) or (s == second)", "rules/test_rules.py"),
    Mutant("rules/pairs.py", "fits = black + white <= known and black + half <= known", "fits = black + white <= known", "rules"),
    Mutant("rules/notation/numbers.py", "return (low + 1, max(low + 1, marks))", "return (low, max(low, marks))", "rules/test_single_rules.py"),
    # channel
    Mutant("channel/model.py", "length = max(length, played)", "length = played", "channel/test_lies.py"),
    # game
    Mutant("game/game.py", "feedback != self.rule.winning and not turn.doubted and", "feedback != self.rule.winning and", "game engines/test_engines.py channel/test_lies.py"),
    Mutant("game/game.py", "if self.one_board.rule.wins(clue) and not item.doubted:", "if False:", "engines/test_boards.py"),
    Mutant("game/files/atomic.py", "os.fsync(file.fileno())", "pass", "session/test_session.py"),
    Mutant("system.py", "                os.fsync(handle)", "                pass", "session/test_session.py"),
    Mutant("game/files/document.py", "if _CONTROL.search(node.value):", "if False:", "game/test_bad_gamefiles.py"),
    Mutant("game/files/document.py", "if _CONTROL.search(key.value):", "if False:", "game/test_bad_gamefiles.py"),
    Mutant("game/history.py", "else 0.0 if doubted else DEFAULT_DOUBT", "else DEFAULT_DOUBT if doubted else 0.0", "game/test_history.py session"),
    Mutant("game/history.py", "if not 1 <= number <= len(places):", "if not 0 <= number <= len(places):", "game/test_history.py session"),
    # engines
    Mutant("engines/explicit.py", "np.where(self.game.admitted(item, feedbacks), 0, 1)", "np.where(self.game.rule.mask(item.clue, feedbacks), 0, 1)", "engines/test_engines.py channel/test_lies.py"),
    Mutant("engines/explicit.py", "kept = total <= self._budget", "kept = total < self._budget", "channel/test_lies.py"),
    Mutant("engines/explicit.py", "while shared < len(chosen) and chosen[shared] == shared:", "while shared < len(chosen):", "explanation/test_conflict.py"),
    Mutant("engines/explicit.py", ", self._broken[height + 1 :]", ", self._broken[height + 2 :]", "channel/test_lies.py"),
    Mutant("engines/explicit.py", "conflicts & (not game.rule.wins(turn.clue))", "conflicts", "channel/test_lies.py"),
    Mutant("engines/base.py", "self.keep(shared)", "self.keep(shared + 1)", "engines/test_engines.py"),
    Mutant("engines/linear.py", "self._program.add_row(None, symbols, self._length - 1)", "self._program.add_row(None, symbols, self._length - 2)", "engines/test_engines.py"),
    Mutant("engines/linear.py", "self._require_sum(None, total, literal.times - 1, {enough: 0})", "self._require_sum(None, total, literal.times, {enough: 0})", "engines/test_engines.py channel/test_lies.py"),
    Mutant("engines/symbolic.py", "first = middle + 1", "first = middle + 2", "engines/test_engines.py"),
    Mutant("engines/symbolic.py", "lie_boolean(self._items[place], place + 1)", "lie_boolean(self._items[place], 1)", "channel/test_lies.py"),
    Mutant("engines/symbolic.py", "satisfiable = False if before.satisfiable is False else None", "satisfiable = before.satisfiable", "engines/test_engines.py"),
    Mutant("engines/explicit.py", "if self._posterior is None or self._posterior[0] != self.items:", "if self._posterior is None:", "engines/test_posterior.py"),
    Mutant("engines/sampling/sampler.py", "inv_cdf(0.975)", "inv_cdf(0.95)", "engines/test_sampling.py"),
    Mutant("engines/product.py", "complete = ways <= size and all(sample.complete for sample in samples)", "complete = ways <= size", "engines/test_boards.py"),
    # posterior
    Mutant("channel/likelihood.py", "_log((1 - doubt) * misread)", "_log(misread)", "engines/test_posterior.py channel"),
    Mutant("engines/posterior.py", "longer[1:] = np.logaddexp(longer[1:], ways[:-1] + lie)", "longer[1:] = ways[:-1] + lie", "engines/test_posterior.py"),
    Mutant("channel/likelihood.py", "0.0 if wins else self.channel.misread", "self.channel.misread", "engines/test_posterior.py channel"),
    Mutant("engines/posterior.py", "_log_pochhammer(b, marks - read)", "_log_pochhammer(b, marks)", "engines/test_posterior.py"),
    Mutant("engines/posterior.py", "variances = mean * (1 - mean) / (pseudo_count + 1)", "variances = mean * (1 - mean) / pseudo_count", "engines/test_posterior.py"),
    Mutant("engines/posterior.py", "return max(1, round(1000", "return max(2, round(1000", "channel/test_lies.py engines/test_posterior.py"),
    # strategies
    Mutant("strategies/measures.py", 'return np.asarray(squares / np.einsum("...i->...", exact))', "return np.asarray(squares)", "strategies/test_strategies.py"),
    Mutant("strategies/measures.py", "present = (counts > 0)", "present = (counts > 1)", "strategies/test_strategies.py"),
    Mutant("strategies/oneply.py", "if position.weights is None or not self._measure.uses_weights:", "if True:", "strategies engines/test_posterior.py"),
    Mutant("strategies/oneply.py", 'if self._measure.uses_sizes else None', 'if False else None', "strategies/test_strategies.py"),
    Mutant("strategies/oneply.py", "near = costs <= np.partition(costs, top - 1)[top - 1]", "near = costs < np.partition(costs, top - 1)[top - 1]", "strategies/test_strategies.py"),
    Mutant("strategies/oneply.py", "behind = ~np.isin(tried, guess_of)", "behind = np.isin(tried, guess_of)", "strategies/test_strategies.py"),
    Mutant("strategies/symmetry.py", "if names[old] not in (-1, new):", "if False:", "strategies/test_optimal.py"),
    Mutant("strategies/prior_weighted.py", "return 2 * weights - largest + weights * more", "return 2 * weights - 2 * largest + weights * more", "strategies/test_prior_weighted.py"),
    # explanation
    Mutant("explanation/conflict.py", "for place in reversed(_places(fewest)):", "for place in _places(fewest):", "explanation"),
    Mutant("explanation/conflict.py", "_sizes(forgivable & bits) <= budget", "_sizes(forgivable & bits) < budget", "explanation"),
    Mutant("explanation/repair.py", "place != last and game.rule.wins(turn.clue)", "game.rule.wins(turn.clue)", "explanation/test_repairs.py"),
    Mutant("explanation/repair.py", "key=lambda one: -round(one[0] / total, 9)", "key=lambda one: round(one[0] / total, 9)", "explanation/test_repairs.py"),
    Mutant("explanation/repair.py", "wrong[number - 1] += repair.probability", "wrong[number - 2] += repair.probability", "explanation/test_suspects.py"),
    Mutant("explanation/repair.py", "breaking=1)", "breaking=2)", "explanation/test_suspects.py"),
    Mutant("explanation/certainty.py", "if fewest == most < times.max():", "if fewest == most:", "explanation/test_certain.py"),
    Mutant("explanation/certainty.py", "forgiven = np.bitwise_count(broken[1] & mask) <= lies", "forgiven = np.bitwise_count(broken[1] & mask) < lies", "explanation/test_certain.py"),
    Mutant("explanation/review.py", "best if turn.counts_as_best else min(best, turn.expected_bits)", "min(best, turn.expected_bits)", "explanation/test_review.py"),
    Mutant("explanation/review.py", "else min(best, turn.expected_bits)", "else turn.expected_bits", "explanation/test_review.py", lives="a guess that tells more than the best is taken to be the best when it is judged"),
    Mutant("explanation/review.py", "return max(0.0, round(bits, 9))", "return round(bits, 9)", "explanation/test_review.py", lives="a divergence is never below 0; the floor only spares the reader -0.0"),
    Mutant("explanation/conflict.py", "key=lambda places: (len(places), places)", "key=lambda places: places", "explanation/test_conflict.py"),
    Mutant("explanation/repair.py", '"doubt": 0.06', '"doubt": 0.6', "explanation/test_repairs.py"),
    # session
    Mutant("session/timeline.py", "return Timeline(history, (*self.past, self.present))", "return Timeline(history, (*self.past, self.present), self.future)", "session/test_timeline.py"),
    Mutant("session/timeline.py", "again = (self.present, *reversed", "again = (self.past[kept], *reversed", "session/test_timeline.py"),
    Mutant("session/session.py", "self._store.save(self._state)\n        self.unsaved = None\n", "self._store.save(self._state)\n", "session/test_session.py session"),
    Mutant("session/codemaker.py", "(-counts[feedback], feedback == winning)", "(-counts[feedback], feedback != winning)", "session/test_practice.py session game cli"),
    Mutant("session/codemaker.py", "is_lie = by_chance or place in self._lying_places or", "is_lie = by_chance or", "channel/test_noise.py"),
    Mutant("session/session.py", "        if old is not None:\n            old.close()", "        if False:\n            pass", "session/test_session.py", lives="a file that nothing refers to any more lets go of its lock by itself"),
    # cli
    Mutant("cli/main.py", 'error.hint}", 3)', 'error.hint}", 2)', "terminal/test_limits.py"),
    Mutant("session/limits.py", "        self._is_heard = True\n", "        pass\n", "terminal/test_limits.py"),
    Mutant("explanation/remaining.py", "codes[:limit]), counted, more=True, stopped=True", "codes[:limit]), counted, more=True", "terminal/test_limits.py"),
    Mutant("cli/hosting.py", "fail(problem, 1)", "fail(problem, 2)", "cli"),
    Mutant("cli/hosting.py", "number >= game.play.attempts:", "number > game.play.attempts:", "cli game"),
    Mutant("cli/analysis.py", "_CONFLICTS if all_ else 1", "1 if all_ else _CONFLICTS", "cli explanation"),
    Mutant("views/json.py", 'answer["exact"] = answer["count"] is not None', 'answer["exact"] = answer["count"] is None', "cli/test_cli_json.py"),
    # faults that lived together once
    Mutant("game/merging.py", "History(turns[: placed.number - 1])", "History(turns[: placed.number])", "game/test_merging.py"),
    Mutant("game/merging.py", "is_first = first[turns[place].guess] == place", "is_first = True", "game/test_merging.py"),
    Mutant("engines/symbolic.py", "if needed.isdisjoint(count_literals):", "if not needed.isdisjoint(count_literals):", "engines/test_cores.py"),
    Mutant("explanation/counting_proof.py", "times > d.high", "times >= d.high", "explanation/test_counting_proof.py"),
    Mutant("explanation/counting_proof.py", "counted.get(symbol, 0) >= times", "counted.get(symbol, 0)", "explanation/test_counting_proof.py"),
    Mutant("views/json.py", '"marks": mark.count,', '"marks": 1,', "views/test_json_figures.py"),
    Mutant("views/json.py", "if not reply.boards and not left.stopped:", "if not reply.boards:", "views/test_json_figures.py"),
    Mutant("strategies/search/proof.py", "record.floor, guess is not None", "record.floor, True", "strategies/test_proof.py"),
    Mutant("strategies/search/proof.py", "return self.upper + (first.rank < self.best.rank)", "return self.upper", "strategies/test_proof.py"),
    Mutant("strategies/search/proof.py", "rank, exact = ranks[number], value < bounds[number]", "rank, exact = ranks[number], value <= bounds[number]", "strategies/test_proof.py"),
    Mutant("strategies/search/deep.py", "budget >= len(position", "budget > len(position", "strategies/test_deep.py"),
    Mutant("kernels/reference_lookahead.py", "if best < UNSOLVED_UNITS and attempts", "if attempts", "strategies/test_deep.py"),
    Mutant("rules/notation/edits.py", "read.count(cell) / len(read)", "1 / len(read)", "channel/test_shares.py"),
    Mutant("session/session.py", "Timeline.ending_in(stored.history)", "Timeline(stored.history)", "session/test_session_files.py"),
    Mutant("web/guard.py", "return min(most, left + (now - then) * self._a_minute / 60)", "return left + (now - then) * self._a_minute / 60", "web/test_visitors.py"),
    Mutant("session/rebase.py", 'effect.effect == "replaced" and', 'effect.effect != "replaced" and', "web/test_boards.py"),
    Mutant("views/tournaments.py", '"yes" if adjusted_p < REAL_BELOW else "no"', '"yes" if pair.exact else "no"', "lab/test_compare.py"),
    Mutant("engines/refutations.py", "return code_of(codes[int(true.argmax())]) if true.any() else None", "return None", "engines/test_denying_solvers.py"),
    Mutant("game/facts.py", "for first in range(0, self.length, places)\n", "for first in range(0, places, places)\n", "game/test_facts.py"),
    Mutant("game/facts.py", 'at_end("ends with", self.length - 1,', 'at_end("ends with", -1,', "game/test_facts.py"),
    Mutant("game/tables.py", "if guess and doubt and not clue:", "if False:", "game/test_pasted.py"),
    Mutant("game/pasted.py", r'r"(?<=[^\s.])[.!]', r'r"(?<=[^\s])[.!]', "game/test_pasted.py"),
    Mutant("game/pasted.py", "if any(re.fullmatch(_DOUBT, note, re.IGNORECASE) for note in notes):", "if False:", "game/test_pasted.py"),
    Mutant("codes/words.py", "if len({words[word] for word in listed}) == 1:", "if len({words[word] for word in listed}) <= 2:", "codes/test_words.py"),
    Mutant("rules/notation/numbers.py", "            return (0, high)", "            return (0, high - 1)", "rules/test_clues.py"),
    Mutant("rules/notation/cells.py", "if len(cells) < most and _WIDE_GAP", "if len(cells) <= most and _WIDE_GAP", "rules/test_clues.py"),
    Mutant("engines/symbolic.py", "others if satisfiable is False and self.proves else None", "others if satisfiable is False else None", "engines/test_denying_solvers.py"),
    Mutant("session/store.py", "return text[: found.start()] + text[found.end() :]", "return text[: found.start()]", "session/test_pending.py"),
    Mutant("session/practice.py", "if rest and self.game.alphabet.foreign_names(text):", "if rest:", "session/test_practice.py"),
    Mutant("web/journal.py", "entries[-1].version >= entry.version", "entries[-1].version > entry.version", "web/test_journal.py"),
    Mutant("web/board.py", "is_known = self._text in (None, text)", "is_known = True", "web/test_journal.py"),
    Mutant("web/connections.py", "self._kinds[kind] = then, left_out + 1", "self._kinds[kind] = now, left_out + 1", "web/test_visitors.py"),
    Mutant("game/merging.py", "and all(one.overlong for one in winning)", "and any(one.overlong for one in winning)", "game/test_merging.py"),
    Mutant("engines/explicit.py", "costs_paid[tried] = _NEVER_PAID", "pass", "engines/test_two_on_a_board.py"),
    Mutant("web/journal.py", 'self.token = self.token or str(said["token"])', 'self.token = str(said["token"])', "web/test_journal.py"),
    Mutant("strategies/prior_weighted.py", "few = 4 * table.shape[1] < feedbacks", "few = True", "strategies/test_prior_weighted.py", lives="feedbacks may always be renumbered: it only takes longer where they are few"),
]
# fmt: on


def copied(folder: Path) -> Path:
    """Return a copy of the checkout's tracked files, as they are on disk."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def verdict(mutant: Mutant, copy: Path) -> str:
    """Return the test that finds a mutant, or what is to be said instead."""
    path = copy / "puzzlehunt" / mutant.file
    if not path.exists():
        return "**no such file**"
    text = path.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        return f"**stands there {text.count(mutant.old)} times**"
    files = [f"tests/{name}" for name in mutant.tests.split() if (copy / "tests" / name).exists()]
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        done = tested(copy, files)
    except subprocess.TimeoutExpired:
        return "the tests never end"
    finally:
        path.write_text(text, encoding="utf-8")
    if done.returncode == 0:
        return f"lives: {mutant.lives}" if mutant.lives else "**lived**"
    found = re.search(r"^(?:FAILED|ERROR) tests/(.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if found is None:
        return f"**pytest ended with {done.returncode}**"
    if tested(copy, [f"tests/{found[1]}"]).returncode != 0:
        return f"**{found[1]} fails without the fault, too**"
    return found[1]


def tested(copy: Path, tests: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run some tests of a copy until one fails. Raises TimeoutExpired after 15 minutes."""
    program = str(Path(sys.executable).with_name("pytest"))
    return subprocess.run(
        [program, "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *tests],
        cwd=copy,
        env={
            **os.environ,
            "PYTHONPATH": str(copy),
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "300",
        },
        check=False,
        capture_output=True,
        text=True,
        timeout=900,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="One-line faults, and the tests that find them.")
    parser.add_argument("text", nargs="?", default="")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    tried = [mutant for mutant in MUTANTS if asked.text in mutant.file + mutant.new]
    copies: queue.SimpleQueue[Path] = queue.SimpleQueue()

    def judged(mutant: Mutant) -> str:
        copy = copies.get()
        try:
            said = verdict(mutant, copy)
        finally:
            copies.put(copy)
        print(f"{mutant.file}: {mutant.new.strip()}: {said}", file=sys.stderr, flush=True)
        return said

    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.jobs):
            copies.put(copied(Path(folder) / str(number)))
        with ThreadPoolExecutor(asked.jobs) as pool:
            verdicts = list(pool.map(judged, tried))
    print("| file | was | is | found by |\n|---|---|---|---|")
    for mutant, said in zip(tried, verdicts, strict=True):
        cells = [mutant.file, f"`{mutant.old.strip()}`", f"`{mutant.new.strip()}`", said]
        print("|", " | ".join(cell.replace("|", "\\|") for cell in cells), "|")
    wrong = [said for said in verdicts if said.startswith("**")]
    print(f"\n{len(tried) - len(wrong)} of {len(tried)} found or equivalent")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
