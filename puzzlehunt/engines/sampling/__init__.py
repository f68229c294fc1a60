"""Candidates of huge spaces without a solver: samples, counts, and all codes if few are left."""
