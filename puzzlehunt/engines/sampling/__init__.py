"""Candidates of huge spaces without a solver: samples, counts, all of them where few are left."""
