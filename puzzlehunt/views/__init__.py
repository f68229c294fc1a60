"""Outcomes as text, JSON, HTML, plots: the only room that writes text for people."""
