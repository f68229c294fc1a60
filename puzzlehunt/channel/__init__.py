"""How a true feedback becomes a clue: unread marks, lies and misreadings, with probabilities."""
