"""`python -m memory_provider`: the same as `memory-provider`."""

from .cli import main

if __name__ == "__main__":
    main()
