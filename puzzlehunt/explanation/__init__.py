"""Why: conflicts, repairs, suspects, what is certain, why a code is out, how good guesses were.

Outcomes are values; the room `views` puts them into words.

- `remaining`: the `Remaining` candidates, also of each board, and of a `WiderList` of words, and
  whether `OnlyOne` is left.
- `conflict`: the smallest sets of turns and facts that cannot all be right; `counting_proof`:
  a `CountingProof`, where a sum shows why they cannot.
- `repair`: each `Repair`, a smallest change of the turns after which a candidate is left, each
  `Suspect`, a turn that may be misread, and each `NearMiss`, a code that fits all turns but one.
- `certainty`: each `Certainty`, and the turns that prove it.
- `why`: a `Verdict` on a code, with why the game can hide no such code at all, and an
  `Explanation` of all that is known.
- `review`: how good the guesses were; `partition`: how many candidates each feedback to a guess
  would leave.
- `unread`: the `UnreadMarks`, by what reading each is expected to tell.
"""
