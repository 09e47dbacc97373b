"""Texts: cut into sentences, chunks and extracts, measured in tokens, and turned into search terms. Pure."""
