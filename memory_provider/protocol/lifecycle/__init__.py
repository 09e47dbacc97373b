"""The lifecycle profile `contextgraph/lifecycle/1.0-draft`: context records, their hashes, what is asked about them."""
