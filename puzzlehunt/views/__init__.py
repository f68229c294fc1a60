"""Outcomes as text, JSON, HTML, pictures: the only room that writes for eyes."""
