"""Recall: from a question to ranked evidence within a budget, and why it came to that."""
