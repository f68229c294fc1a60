"""Checks a certificate, a proof that no play takes fewer guesses: see docs/certificates.md.
usage: python tools/check_certificate.py FILE [SECRETS [GUESSES]]; imports nothing of puzzlehunt"""

import hashlib
import re
import sys
from collections import namedtuple
from itertools import permutations, product
from pathlib import Path

import numba
import numpy as np
from numba.typed import Dict

LOST = 1 << 28  # the cost of a secret that is not found, in addition to the guesses made
NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
U = np.uint64
EVERY_2ND, TWO_OF_4, FOUR_OF_8, EVERY_8TH = (U((1 << 64) // part) for part in (3, 5, 17, 255))
MOST_CODES, MOST_CELLS, MOST_KNOWN, BLOCK, FEW = 1 << 24, 1 << 30, 1 << 23, 1 << 10, 32
KEYS = "rule {} attempts pool small lost total"

# rows (G, S), columns (S, G): a number for each answer, 0 if it wins; guess_of (S,)
# told (G,): v (point 3) among all secrets, descending; bounds (attempts, x of point 2, size)
# exchanges (T, S): what exchange t makes of secrets; larger (G,): bit t: it makes a smaller index
# known, lemmas: proved bounds; of those known twice, plus 1 if it cannot be raised
FIELDS = "rows columns count told guess_of bounds exchanges larger only_candidates small numbers"
Game = namedtuple("Game", f"{FIELDS} lemmas known")


@numba.njit
def key_of(game, state, left):
    """Return the exclusive or of the random numbers of a state."""
    a, b = game.numbers[len(game.guess_of) + left]
    for s in state:
        a, b = a ^ game.numbers[s, 0], b ^ game.numbers[s, 1]
    return a, b


@numba.njit
def shapes(game, state, enough):
    """Return x of the first guesses (all others have v <= `enough`), the most v, and the most x."""
    n, best, masks = len(state), 0, np.zeros(BLOCK, U)
    found = np.full(len(game.told), -2 * n * game.only_candidates, np.int32)
    found[game.guess_of[state]] = -1
    for start in range(0, len(found), BLOCK):
        if game.told[start] <= min(best, enough):
            return found[:start], best, max(found[:start].max(), 2 * game.told[start])
        block = found[start : start + BLOCK]
        for word in range(game.told[start] // 64 + 1):
            masks[:] = 0
            for s in state:
                for g, answer in enumerate(game.columns[s][start : start + BLOCK]):
                    masks[g] |= U(answer >> 6 == word) << (U(answer) & U(63))
            for g in range(len(block)):
                two = masks[g] - (masks[g] >> U(1) & EVERY_2ND)  # counts the bits that are set
                four = (two & TWO_OF_4) + (two >> U(2) & TWO_OF_4)
                block[g] += 2 * np.int64((four + (four >> U(4)) & FOUR_OF_8) * EVERY_8TH >> U(56))
        best = max(best, ((block >> 1) + 2 * (block & 1)).max())
    return found, best, found.max()


@numba.njit
def of_state(game, state, left, most, cap, deep):
    """Return a lower bound of a state's cost; `cap` is enough. No guess has an x above `most`."""
    bound = game.bounds[left, most, len(state)]
    if len(state) <= 2 or left == 1 or bound >= cap:
        return bound
    key = key_of(game, state, left)
    known = game.known.get(key, 0)
    bound = max(bound, game.lemmas.get(key, 0), known // 2)
    if bound >= cap or known % 2:
        return bound
    here, fixed = np.zeros(len(game.guess_of), np.bool_), U(0)
    here[state] = True
    for t, moved in enumerate(game.exchanges):
        fixed |= U(deep and here[moved[state]].all()) << U(t)
    deep = deep and len(state) <= game.small
    value = over_guesses(game, state, left, game.larger, fixed, most, cap, deep)
    if len(game.known) < MOST_KNOWN:
        game.known[key] = 2 * max(bound, value) + (deep and value < cap)
    return max(bound, value)


@numba.njit
def is_separated(row, state):
    """Return whether a guess has another answer for each candidate."""
    for i in range(len(state)):
        for j in range(i):
            if row[state[i]] == row[state[j]]:
                return False
    return True


@numba.njit
def over_guesses(game, state, left, larger, fixed, most, cap, deep):
    """Return what of_state does, for 3 candidates or more; `larger` & `fixed` are left out."""
    n, later, kept = len(state), max(left - 1, 0), 0
    if n <= FEW:
        for guess in game.guess_of[state]:
            if is_separated(game.rows[guess], state):
                return 2 * n - 1
        if (n == 3 and left != 2) or cap <= 2 * n:
            return 2 * n
    found, best, top = shapes(game, state, 3 * n - cap if deep else n + 1)
    top = min(top, most)
    bound = max(3 * n - best, game.bounds[left, top, n])
    if bound >= cap or not deep or best > n or (best == n and left != 2):
        return bound
    low, short = np.zeros(len(found), np.int64), np.zeros(len(found), np.int64)
    sizes, price = np.zeros(game.count, np.int64), game.bounds[later, top]
    for guess, x in enumerate(found):
        if x > 2 and (x >> 1) + 2 * (x & 1) > 3 * n - cap and not larger[guess] & fixed:
            low[kept], short[kept], row = n, guess, game.rows[guess]
            for s in state:
                sizes[row[s]] += 1
            sizes[0] = 0
            for s in state:
                low[kept] += price[sizes[row[s]]]
                sizes[row[s]] = 0
            kept += low[kept] < cap
    for i in np.argsort(low[:kept], kind="mergesort"):
        if low[i] < cap:
            cap = min(cap, of_guess(game, state, left, short[i], top, cap))
    return cap


@numba.njit
def of_guess(game, state, left, guess, most, cap):
    """Return a lower bound of the cost of a state after a guess; `cap` is enough."""
    row, later, turn = game.rows[guess][state], max(left - 1, 0), 0
    sizes = np.bincount(row[row > 0], minlength=game.count)
    floors, is_open = game.bounds[later, most][sizes], sizes > 2
    total = len(state) + floors.sum()
    while total < cap and is_open.any():
        for f in np.argsort(sizes if turn else -sizes, kind="mergesort"):
            if is_open[f] and total < cap:
                step = LOST if turn == 0 or cap - total > LOST // 2 else sizes[f] * turn // 64
                target = floors[f] + min(cap - total, max(1, step))
                value = of_state(game, state[row == f], later, most, target, turn > 0)
                is_open[f] = not turn or value >= target
                total, floors[f] = total + value - floors[f], value
        turn += 1
    return total


def scores(rule, guess, those):
    """Return (S,): the answer of each secret as the number that its digits make in some base."""
    right, marks = those == guess, 2 * (those == guess)
    for p, symbol in enumerate(guess):
        elsewhere = ((those == symbol) & ~right).sum(axis=1)
        marked = (marks[:, guess == symbol] == 1).sum(axis=1)
        marks[:, p] += ~right[:, p] & (marked < elsewhere)
    if rule == "marks":
        return marks @ 3 ** np.arange(len(guess))[::-1]
    return (marks == 2).sum(axis=1) * (len(guess) + 1) + (marks == 1).sum(axis=1)


def tree_bounds(answers, size, attempts):
    """Return (attempts + 1, x, size + 1): a lower bound of the cost, by the greatest x."""
    table, n = np.zeros((attempts + 1, 2 * answers, size + 1), np.int64), np.arange(size + 1)
    for left, x in product(range(attempts + 1), range(2 * answers)):
        found = 0
        for guess in range(left or size + 1):
            table[left, x] += np.maximum(n - found, 0)
            found = min(size, max(x, 3) // 2 * found + max(x, 3) % 2) if guess else 1
        table[left, x] += LOST * np.maximum(n - found, 0)
    return table


class Checker:
    def __init__(self, head, words, guesses):
        """Build the game that the head of a certificate describes; `words` may be the secret."""
        rule, pool, self.attempts = head["rule"], head["pool"], int(head["attempts"])
        texts, secret_texts = sorted(words | guesses), sorted(words)
        text = "\n".join(["guesses", *texts, "secrets", *secret_texts])
        if "words" not in head:
            length, names = min(int(head["length"]), 25), NAMES[: int(head["symbols"])]
            if str(len(names)) != head["symbols"] or len(names) ** length > MOST_CODES:
                raise ValueError("a game that is not supported")
            every = {"no": product(names, repeat=length), "yes": permutations(names, length)}
            texts = secret_texts = ["".join(each) for each in every[head["distinct"]]]
        elif hashlib.sha256(text.encode()).hexdigest() != head["words"]:
            raise ValueError("the certificate is about other words")
        letters, codes = np.unique([list(text) for text in texts], return_inverse=True)
        codes, guess_of = codes.reshape(len(texts), -1), np.searchsorted(texts, secret_texts)
        (count, self.length), self.symbols, size = codes.shape, len(letters), len(guess_of)
        known = rule in ("pegs", "marks") and pool in ("all", "candidates") and self.length < 10
        if not known or self.attempts not in range(100) or count * size > MOST_CELLS:
            raise ValueError("a game that is not supported")
        self.rule, self.base = rule, 3 if rule == "marks" else self.length + 1
        those = codes[guess_of]
        table = np.fromiter((scores(rule, code, those) for code in codes), (np.int32, size), count)
        rows, told = np.zeros(table.shape, np.uint16), np.zeros(count, np.int64)
        for g, row in enumerate(table.max() - table):
            values, rows[g] = np.unique(row, return_inverse=True)
            rows[g], told[g] = rows[g] + (values[0] > 0), len(values) + (values[0] == 0)
        order, count = np.argsort(-told, kind="stable"), int(rows.max()) + 1
        self.codes, self.index = codes[order], {texts[g]: i for i, g in enumerate(order)}
        rows = rows[order].astype(np.min_scalar_type(count))
        self.guess_of, self.secret_of = np.argsort(order)[guess_of], np.full(len(codes), -1)
        self.secret_of[self.guess_of] = np.arange(size)
        self.exchanges, larger = self.symmetries(table[order]), np.zeros(len(codes), U)
        for t, (guesses, _) in enumerate(self.exchanges):
            larger[guesses < np.arange(len(codes))] |= U(1 << t)
        self.game = Game(
            *(rows, np.ascontiguousarray(rows.T), count, told[order], self.guess_of),
            tree_bounds(count, size, self.attempts),
            np.array([those for _, those in self.exchanges], np.int64).reshape(-1, size),
            *(larger, pool == "candidates", int(head["small"])),
            np.random.default_rng().integers(1 << 64, size=(size + 100, 2), dtype=U),
            *(Dict.empty(numba.types.UniTuple(numba.uint64, 2), numba.int64) for _ in "ab"),
        )

    def moved(self, order, names):
        """Return what positions in another order and renamed symbols make of guesses, secrets."""
        guesses = self.guess_at[names[self.codes[:, order]] @ self.powers]
        return guesses, self.secret_of[guesses[self.guess_of]]

    def symmetries(self, table):
        """Return what exchanges of neighbouring symbols or positions make of guesses, secrets."""
        found, names, order = [], np.arange(self.symbols), np.arange(self.length)
        if self.symbols**self.length > MOST_CODES or self.symbols + self.length > 64:
            return []
        self.powers, self.guess_at = self.symbols**order, np.full(self.symbols**self.length, -1)
        self.guess_at[self.codes @ self.powers] = np.arange(len(self.codes))
        for array, t in [(names, t) for t in names[1:]] + [(order, t) for t in order[1:]]:
            array[t - 1], array[t] = t, t - 1
            found.append(self.moved(order, names))
            array[t - 1], array[t] = t - 1, t
            if min(map(np.min, found[-1])) < 0 or (table[np.ix_(*found[-1])] != table).any():
                return []
        return found

    def others(self, path, state):
        """Return (G,): 0 for one guess of each class that symmetries of a state exchange."""
        label, past, moves = np.arange(len(self.codes)), self.codes[path], [*self.exchanges]
        unused = np.setdiff1d(np.arange(self.symbols), past)
        orders = permutations(range(self.length)) if moves and self.length < 7 else ()
        for order in map(list, orders):
            name = np.full(self.symbols, -1)
            name[past[:, order]], name[unused] = past, unused
            if len({*name.tolist()} - {-1}) == self.symbols:
                moves.append(self.moved(order, name))
        moves = [each for each, those in moves if np.array_equal(np.sort(those[state]), state)]
        while any((label[each] < label).any() for each in moves):
            for each in moves:
                label = np.minimum(label, label[each])
        return (label != np.arange(len(label))).astype(U)

    def prove(self, line):
        """Prove a lemma. Returns its bound, and whether it is about the whole game."""
        least, *turns = line.split(" ")
        path, least = [self.index[text] for text in turns[::2]], int(least)
        state = np.arange(len(self.guess_of))
        for guess, digits in zip(path, turns[1::2], strict=True):
            found = scores(self.rule, self.codes[guess], self.codes[self.guess_of[state]])
            state = state[found == int(digits, self.base)]
        left, most = max(self.attempts - len(path), 0), 2 * self.game.count - 1
        if len(state) == 0 or (self.attempts and not left):
            raise ValueError("there is no such state")
        proved = self.game.bounds[left, most, len(state)]
        if len(state) > 2 and left != 1 and proved < least:
            others = self.others(path, state)
            proved = over_guesses(self.game, state, left, others, U(1), most, least, True)
        if proved < least:
            raise ValueError(f"{len(state):,} candidates take at least {proved:,}, not {least:,}")
        self.game.lemmas[tuple(map(np.uint64, key_of(self.game, state, left)))] = least
        return least, not path


def check(text, words, guesses):
    """Return what a certificate proves, as text. Raises ValueError or LookupError."""
    lines = text.split("\n")
    if lines[0] != "puzzlehunt certificate 1" or lines[-1] or "" not in lines[:-1]:
        raise ValueError("no certificate of this version, or cut off")
    end, keys = lines.index(""), KEYS.format("words" if words else "length symbols distinct")
    head = dict(line.split(": ", 1) for line in lines[1:end])
    odd = re.search(r"[^ -~\n]|[-+_]|\b\d{19,}\b", text)
    if odd or list(head) != keys.split() or len(head) != end - 1:
        raise ValueError(f"odd signs or keys; lists of words not given or not needed ({keys})")
    checker, proved = Checker(head, words, guesses), None
    total, lost = map(int, [*head.values()][:-3:-1])
    most = len(checker.guess_of) * checker.attempts
    for number, line in enumerate(lines[end + 1 : -1], start=end + 2):
        try:
            proved = checker.prove(line)
        except (LookupError, ValueError) as error:
            raise ValueError(f"line {number}: {error}") from None
    if proved != (lost * LOST + total, True) or total > (most or LOST - 1) or lost > most:
        raise ValueError("the last line does not prove the claim; perhaps the file is cut off")
    least = f"loses fewer than {lost:,}, and none with {lost:,} " * bool(most)
    return f"proved: no play {least}takes fewer than {total:,} guesses in all ({head})"


if __name__ == "__main__":
    try:
        file, *lists = [Path(each).read_text() for each in sys.argv[1:4]]
        print(check(file, *[set(each.upper().split()) for each in [*lists, "", ""][:2]]))
    except (OSError, LookupError, ValueError, OverflowError) as error:
        sys.exit(f"refused: {error}; {__doc__.splitlines()[1]}")
