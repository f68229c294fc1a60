"""Input from terminals and pipes: `prompt` passes lines to a dialogue and prints its outcomes."""
