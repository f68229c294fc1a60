"""Whole games: the fewest guesses of a game, proved or within a budget, and decision trees."""
