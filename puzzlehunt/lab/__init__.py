"""The lab: whole tournaments, which count guesses until played and until known.

- `tournament`, `outcomes`: a strategy against every secret, and how many guesses each game took
- `secrets`: which secrets are played: all, a sample, or given ones
- `batches`, `workers`, `checkpoint`: batches of games, the processes that play them, how an
  interrupted run goes on
- `proving`: proofs as runs of the lab, with a checkpoint and on a cluster
- `trees`: many secrets at once, along a decision tree, and the tree as a file
- `candidates_left`: how many candidates each guess leaves
- `naive`: strategies that only the lab plays
- `comparison`, `statistics`, `published`: several strategies, their differences, others' figures
"""
