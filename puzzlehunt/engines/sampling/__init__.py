"""Candidates of huge spaces without a solver: samples, counts, and all of few."""
