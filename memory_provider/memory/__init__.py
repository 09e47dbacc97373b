"""The use cases: write, view, recall, timeline, explain, verify. Imports `temporal` and the store's contract."""
