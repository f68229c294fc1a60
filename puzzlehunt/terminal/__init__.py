"""A person at a terminal, or a pipe.

- `prompt` hands lines to a dialogue and shows its outcomes.
- `limits` ends an answer that takes longer than a person waits.
"""
