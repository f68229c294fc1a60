"""How probable something must be to be shown to a person who did not ask for all of it."""

NEAR_CHANCE = 0.001
"""Least probability at which a code that nearly fits is shown beside the candidates."""
SUSPECT_CHANCE = 0.3
"""Least probability to be wrong at which a turn is mentioned unasked."""
