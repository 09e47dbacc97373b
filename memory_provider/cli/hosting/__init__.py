"""What the commands of `host` share."""
