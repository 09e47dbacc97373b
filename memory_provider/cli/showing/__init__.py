"""What is printed: tables and words for people, JSON for programs."""
