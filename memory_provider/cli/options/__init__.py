"""What people type: options that several commands have, and how times, objects and files are read."""
