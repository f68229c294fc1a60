"""Fast arithmetic on arrays of codes: feedbacks, partitions, searches. No file here knows games.

- `packed_codes`: arrays of codes, their bit-rows, and which of them satisfy a constraint
- `feedback_matrix`: the feedback of every secret to every guess, and partitions of secrets by it
- `problem`: the input of searches: the problem, its limits, and costs
- `lookahead`: depth-limited search: the cost of guesses, found by looking two guesses ahead
- `compiled/`: loops compiled by numba
- `fast`: checks whether numba is installed, which comes with the extra `fast`
"""
