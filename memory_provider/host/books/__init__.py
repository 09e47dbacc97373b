"""The books of a host: what was asked for and served, what was used and cited, what may be used again."""
