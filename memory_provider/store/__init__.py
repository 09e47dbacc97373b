"""Where the memory is kept: one contract, its conformance kit, and two stores that keep it.

Imports `temporal` only.
"""
