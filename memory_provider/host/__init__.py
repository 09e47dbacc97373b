"""The other half of the protocol: asks providers under consent, composes what they offer, and keeps the books."""
