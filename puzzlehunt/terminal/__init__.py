"""A person at a terminal: prompt, completion, paste."""
