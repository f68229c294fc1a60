"""A person at a terminal, or a pipe: `prompt` hands lines to a dialogue and shows its outcomes."""
