"""What can be guessed: alphabets, spaces of codes, word lists, formulas; literals, bounds."""
