"""What carries the provider's messages. Thin: a transport knows bytes and when to stop, nothing of what they say."""
