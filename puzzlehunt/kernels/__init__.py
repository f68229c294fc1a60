"""Fast arithmetic on arrays of codes: feedbacks, partitions, searches. No file here knows games."""
