"""Why: conflicts, repairs, suspects, what is certain, why not; how good each guess was."""
