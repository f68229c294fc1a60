"""Whole tournaments, which count guesses until played and until known.

- `tournament`: a strategy against every secret, and how many guesses each game took
- `secrets`: the secrets to play: all, a sample, or given ones
- `batches`, `worker_pool`: batches of games, and the processes or the cluster that plays them
- `checkpoint`: files from which interrupted runs and proofs continue
- `trees`: decision trees as files, and how many candidates each guess leaves
- `naive`: strategies that only the lab plays
- `comparison`, `statistics`, `published`: several strategies, their differences, others' figures
"""
