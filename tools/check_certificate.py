"""Checks a certificate, a proof that no play takes fewer guesses: see docs/certificates.md.

usage: python tools/check_certificate.py FILE [SECRETS [GUESSES]]; imports nothing of puzzlehunt"""

import hashlib
import re
import secrets
import string
import sys
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

LOST = 1 << 28  # the cost of a secret that is not found, in addition to the guesses made
NAMES = string.ascii_uppercase + string.ascii_lowercase
MOST_CODES, MOST_CELLS, MOST_KNOWN = 1 << 24, 1 << 30, 1 << 23
KEYS = "rule {} attempts pool small lost total"


class Game(NamedTuple):
    rows: np.ndarray  # (G, S): the answer to each guess for each secret
    columns: np.ndarray  # (S, G)
    count: int  # answers; `winning` is one of them
    winning: int
    guess_of: np.ndarray  # (S,): each secret as a guess
    bounds: np.ndarray  # (attempts, x, size): the least cost; row 0 is without a limit
    exchanges: np.ndarray  # (T, S): what exchange t makes of the secrets
    larger: np.ndarray  # (G,): bit t is set if exchange t makes a guess of smaller index of it
    only_candidates: bool
    small: int  # states of at most this size need no lemma
    numbers: np.ndarray  # (S + attempts, 2), random
    lemmas: dict  # of keys: the proved bound
    known: dict  # of keys: twice the proved bound, plus 1 if it cannot be raised


@numba.njit
def key_of(game, state, left):
    """Return the exclusive or of the random numbers of a state."""
    a, b = game.numbers[len(game.guess_of) + left]
    for s in state:
        a ^= game.numbers[s, 0]
        b ^= game.numbers[s, 1]
    return a, b


@numba.njit
def shapes(game, state):
    """Return x of each guess: twice the number of parts that go on, plus 1 if it may win."""
    found = np.zeros(len(game.rows), np.int64)
    for word in range((game.count + 31) // 32):
        masks = np.zeros(len(found), np.uint32)
        for s in state:
            column = game.columns[s]
            for g in range(len(masks)):
                masks[g] |= np.uint32(column[g] >> 5 == word) << (column[g] & 31)
        twos = masks - (masks >> 1 & 0x55555555)  # of bits that are set
        fours = (twos & 0x33333333) + (twos >> 2 & 0x33333333)
        found += 2 * ((fours + (fours >> 4) & 0x0F0F0F0F) * 0x01010101 >> 24 & 0xFF)
    found[game.guess_of[state]] -= 1
    return found


@numba.njit
def of_state(game, state, left, most, cap):
    """Return a lower bound of a state's cost; `cap` is enough. No guess has an x above `most`."""
    bound = game.bounds[left, most, len(state)]
    if len(state) <= 2 or left == 1 or bound >= cap:
        return bound
    key = key_of(game, state, left)
    known = game.known.get(key, 0)
    bound = max(bound, game.lemmas.get(key, 0), known // 2)
    if bound >= cap or known % 2 or len(state) > game.small:
        return bound
    here, fixed = np.zeros(len(game.guess_of), np.bool_), np.uint64(0)
    here[state] = True
    for t in range(len(game.exchanges)):
        if here[game.exchanges[t][state]].all():
            fixed |= np.uint64(1) << np.uint64(t)
    value = over_guesses(game, state, left, np.flatnonzero(game.larger & fixed == 0), most, cap)
    if len(game.known) < MOST_KNOWN:
        game.known[key] = 2 * max(bound, value) + (value < cap)
    return max(bound, value)


@numba.njit
def over_guesses(game, state, left, guesses, most, cap):
    """Return what of_state does, for 3 candidates or more; `guesses` has one of each alike."""
    n = len(state)
    for guess in game.guess_of[state]:
        if n <= game.count and len(np.unique(game.rows[guess][state])) == n:
            return 2 * n - 1
    if (n == 3 and left != 2) or cap <= 2 * n:
        return 2 * n
    found = shapes(game, state)[guesses]
    if game.only_candidates:
        guesses, found = guesses[found & 1 == 1], found[found & 1 == 1]
    if (found == 2 * n).any():
        return 2 * n
    top, later = min(found.max(), most), max(left - 1, 0)
    short = guesses[(found != 2) & (3 * n - (found >> 1) - 2 * (found & 1) < cap)]
    if len(short) == 0 or game.bounds[left, top, n] >= cap:
        return cap
    low, sizes = np.full(len(short), n), np.zeros((len(short), game.count), np.int32)
    for s in state:
        for i in range(len(short)):
            sizes[i, game.columns[s, short[i]]] += 1
    for i in range(len(short)):
        sizes[i, game.winning] = 0
        for size in sizes[i]:
            low[i] += game.bounds[later, top, size]
    for i in np.argsort(low, kind="mergesort"):
        if low[i] < cap:
            cap = min(cap, of_guess(game, state, left, short[i], top, cap))
    return cap


@numba.njit
def of_guess(game, state, left, guess, most, cap):
    """Return a lower bound of the cost of a state after a guess; `cap` is enough."""
    row, later, turn = game.rows[guess][state], max(left - 1, 0), 0
    sizes = np.bincount(row, minlength=game.count)
    sizes[game.winning] = 0
    floors, is_open = game.bounds[later, most][sizes], sizes > 2
    total = len(state) + floors.sum()
    while total < cap and is_open.any():
        for f in np.argsort(sizes, kind="mergesort"):
            if is_open[f] and total < cap:
                step = LOST if cap - total > LOST // 2 else max(1, sizes[f] * turn // 64)
                target = floors[f] + min(cap - total, step)
                value = of_state(game, state[row == f], later, most, target)
                is_open[f] = value >= target
                total += value - floors[f]
                floors[f] = value
        turn += 1
    return total


@numba.njit
def scores(rule, guesses, those, symbols):
    """Return (G, S): each answer as the number that its digits make in the base of the rule."""
    length, left = guesses.shape[1], np.zeros(symbols, np.int64)
    table = np.zeros((len(guesses), len(those)), np.int32)
    for i, j in np.ndindex(table.shape):
        guess, secret, black, white, tiles = guesses[i], those[j], 0, 0, 0
        left[:] = 0
        for p in range(length):
            left[secret[p]] += guess[p] != secret[p]
        for p in range(length):
            is_right = guess[p] == secret[p]
            is_elsewhere = not is_right and left[guess[p]] > 0
            left[guess[p]] -= is_elsewhere
            tiles = 3 * tiles + 2 * is_right + is_elsewhere
            black, white = black + is_right, white + is_elsewhere
        table[i, j] = tiles if rule == "marks" else black * (length + 1) + white
    return table


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
            length, names = int(head["length"]), NAMES[: int(head["symbols"])]
            if len(names) != int(head["symbols"]) or len(names) ** min(length, 25) > MOST_CODES:
                raise ValueError("a game that is not supported")
            every = {"no": product(names, repeat=length), "yes": permutations(names, length)}
            texts = secret_texts = ["".join(each) for each in every[head["distinct"]]]
        elif hashlib.sha256(text.encode()).hexdigest() != head["words"]:
            raise ValueError("the certificate is about other words")
        letters = sorted(set("".join(texts)))
        self.codes = np.array([[letters.index(letter) for letter in text] for text in texts])
        self.index = {text: i for i, text in enumerate(texts)}
        self.guess_of = np.array([self.index[text] for text in secret_texts])
        (count, self.length), self.symbols = self.codes.shape, len(letters)
        size, self.secret_of = len(self.guess_of), np.full(count, -1)
        self.secret_of[self.guess_of] = np.arange(size)
        known = rule in ("pegs", "marks") and pool in ("all", "candidates") and self.length < 10
        if not known or self.attempts not in range(100) or count * size > MOST_CELLS:
            raise ValueError("a game that is not supported")
        table = scores(rule, self.codes, self.codes[self.guess_of], self.symbols)
        self.base, self.answers = 3 if rule == "marks" else self.length + 1, np.unique(table)
        self.rows = np.searchsorted(self.answers, table).astype(np.uint16)
        self.exchanges, larger = self.symmetries(), np.zeros(count, np.uint64)
        for t, (guesses, _) in enumerate(self.exchanges):
            larger[guesses < np.arange(count)] |= np.uint64(1 << t)
        key = numba.types.UniTuple(numba.uint64, 2)
        self.game = Game(
            *(self.rows, np.ascontiguousarray(self.rows.T), len(self.answers)),
            *(self.rows[self.guess_of[0], 0], self.guess_of),
            tree_bounds(len(self.answers), size, self.attempts),
            np.array([those for _, those in self.exchanges], np.int64).reshape(-1, size),
            *(larger, pool == "candidates", int(head["small"])),
            np.frombuffer(secrets.token_bytes(16 * (size + 100)), np.uint64).reshape(-1, 2),
            *(numba.typed.Dict.empty(key, numba.int64) for _ in range(2)),
        )

    def moved(self, order, names):
        """Return what positions in another order and renamed symbols make of guesses, secrets."""
        guesses = self.guess_at[names[self.codes[:, order]] @ self.powers]
        return guesses, self.secret_of[guesses[self.guess_of]]

    def symmetries(self):
        """Return what exchanges of neighbouring symbols or positions make of guesses, secrets."""
        found, names, order = [], np.arange(self.symbols), np.arange(self.length)
        if self.symbols**self.length > MOST_CODES or self.symbols + self.length > 64:
            return []
        self.powers, self.guess_at = self.symbols**order, np.full(self.symbols**self.length, -1)
        self.guess_at[self.codes @ self.powers] = np.arange(len(self.codes))
        for array, t in [(names, t) for t in names[1:]] + [(order, t) for t in order[1:]]:
            array[t - 1], array[t] = t, t - 1
            guesses, those = self.moved(order, names)
            array[t - 1], array[t] = t - 1, t
            found.append((guesses, those))
            if min(*guesses, *those) < 0 or (self.rows[guesses][:, those] != self.rows).any():
                return []
        return found

    def representatives(self, path, state):
        """Return a guess of each class of those that permutations which fix a state exchange."""
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
        return np.unique(label)

    def prove(self, line):
        """Prove a lemma. Returns its bound, and whether it is about the whole game."""
        least, *turns = line.split(" ")
        path, least = [self.index[text] for text in turns[::2]], int(least)
        state = np.arange(len(self.guess_of))
        for guess, digits in zip(path, turns[1::2], strict=True):
            state = state[self.answers[self.rows[guess, state]] == int(digits, self.base)]
        left, most = max(self.attempts - len(path), 0), 2 * self.game.count - 1
        if len(state) == 0 or (self.attempts and not left):
            raise ValueError("there is no such state")
        proved = self.game.bounds[left, most, len(state)]
        if len(state) > 2 and left != 1 and proved < least:
            guesses = self.representatives(path, state)
            proved = over_guesses(self.game, state, left, guesses, most, least)
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
        sys.exit(f"refused: {error}; {__doc__.splitlines()[2]}")
