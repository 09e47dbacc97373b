"""What is tried on a provider, by subject. Each check is a function that takes the `Subject`."""
