"""The lab: whole tournaments, in two counts."""
