"""The best play of a small game, by trying every guess everywhere."""

from functools import cache


def optimum(answer, guesses, secrets, attempts):
    """Lost candidates and guesses in all of the best play, by trying every guess everywhere.

    Where no guesses are given, candidates alone are guessed.
    """

    @cache
    def best(alive, left):
        if len(alive) == 1:
            return (0, 1)
        if left == 1:
            return (len(alive) - 1, len(alive))
        return min(filter(None, (cost(alive, left, guess) for guess in guesses or alive)))

    def cost(alive, left, guess):
        parts = {}
        for secret in alive:
            parts.setdefault(answer(guess, secret), []).append(secret)
        if len(parts) == 1 and guess not in alive:
            return None
        lost, total = 0, len(alive)
        for part in parts.values():
            if part != [guess]:
                more = best(tuple(part), left - 1)
                lost, total = lost + more[0], total + more[1]
        return (lost, total)

    return best(tuple(secrets), attempts or 99)
