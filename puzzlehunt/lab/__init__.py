"""The lab: whole tournaments, which count guesses until played and until known.

- `tournament`, `outcomes`: a strategy against every secret, and what each game took
- `work`, `workers`, `checkpoint`: units of work, who does them, how an interrupted run goes on
- `walk`, `compiled_walk`: many secrets at once, along a decision tree
- `growing`, `shrinking`: the tree as a file, and how many candidates each guess leaves
- `naive`, `lazy`: strategies that only the lab plays
- `comparison`, `paired`, `published`: several strategies, their differences, others' figures
"""
