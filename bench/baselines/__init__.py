"""What one would write by hand for the same answers: plain statements over the same tables, plain rows as results.

Kept short and readable. A baseline answers the same questions with the same information (a fact with its sources; a
question with the facts and episodes that match best, the entities it names and their relations), and nothing of what a
product adds: no checks, no classes, no cursors, no guarantee about commits in progress.
"""
