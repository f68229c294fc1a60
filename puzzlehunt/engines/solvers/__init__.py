"""The solvers that the symbolic engine asks: one file each."""
