"""What to guess next: one file a family of strategies, the adviser, search and its trees."""
