"""How a guess is answered: one file a rule, and how answers are written and read back."""
