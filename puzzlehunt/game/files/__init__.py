"""YAML to a game and back."""
