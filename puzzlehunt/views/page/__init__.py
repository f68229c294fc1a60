"""A board's page: `board_rows`, the `keyboard` of the next row, and outcomes as `fragments`."""
