"""Whole tournaments, which count guesses until played and until known."""
