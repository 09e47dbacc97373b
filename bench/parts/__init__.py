"""What is measured, a part a file. Each answers rows."""
