"""What this memory costs beside what one would write by hand. Run by `scripts/bench`; nothing here is a test."""
