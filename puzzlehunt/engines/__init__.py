"""Which secrets are left: one file an engine, and what tells how likely each secret is."""
