"""The provider over HTTP: one envelope in the body of a POST, one in the body of its answer.

Needs the extra `http`; nothing else of the package imports this.
"""
