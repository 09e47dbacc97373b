"""Writes: operations, gathered in a transaction, planned purely, and answered by receipts. Erasing too."""
