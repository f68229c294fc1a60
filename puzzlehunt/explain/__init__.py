"""Why: conflicts, repairs, suspects, what is certain, why a code is out, how good guesses were.

Outcomes are values; the room `views` puts them into words.

- `remaining`: `Remaining` candidates, on each board, and in a `Wider` word list.
- `conflict`: the smallest sets of turns and facts that cannot all be right; `arithmetic`: the
  `Clash` of their demands, where a sum shows it.
- `repair`: each `Repair`, a smallest change after which something fits again.
- `suspicion`: each `Suspect`, a turn that is probably misread, and each `Near` code.
- `certainty`: what is `Certain`, and the turns that prove it.
- `why`: a `Verdict` on a code, and an `Explanation` of all that is known.
- `review`: how good the guesses were; `partition`: what the answers to one would leave.
- `turns`: the numbers of turns.
"""
