"""The command line. Nothing is imported before it is needed: `--version` costs what starting Python costs."""

from __future__ import annotations


def main() -> None:
    """Run `memory-provider` with the arguments of the process, and exit."""
    import sys

    if sys.argv[1:] == ["--version"]:
        from .._version import __version__

        print(f"memory-provider {__version__}")
        return
    if None in (sys.stdin, sys.stdout, sys.stderr):
        from .streams import open_missing

        open_missing()
    from .app import run

    sys.exit(run(sys.argv[1:]))
