"""Evidence: what is served as frames, under which ids, where it comes from, and whether it still stands."""
