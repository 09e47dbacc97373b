"""Time itself: instants, half-open windows, the transaction clock and the rewriting rules.

Pure: no I/O, and no import of anything else in this package.
"""
