"""How probable something must be (0 to 1) to be shown to a person who did not ask for it."""

NEAR_CHANCE = 0.001
"""Least probability of a code that nearly fits at which the code is shown below the candidates."""
SUSPECT_CHANCE = 0.3
"""Least probability that a turn is wrong at which the turn is named unasked."""
