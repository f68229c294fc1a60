"""Clues and feedback as text: formatting and parsing."""
