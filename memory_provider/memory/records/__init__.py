"""Context records: checked, appended along their lineage, read, and shared with some."""
