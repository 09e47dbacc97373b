"""Writes memory_provider/sync.py from the asynchronous source, so that nothing is written twice by hand.

    scripts/generate-sync [--check]

Every public method and property of `Memory`, `View` and `Transaction` becomes one of the same name, parameters,
annotations and docstring. What was awaited is run in the event loop of one background thread. With --check nothing
is written, and a file that is not up to date is an error.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEMORY = ROOT / "memory_provider" / "memory"
TARGET = ROOT / "memory_provider" / "sync.py"

HEADER = '''"""The memory without await: `Memory`, `View` and `Transaction`, run in a background thread.

Written by scripts/generate-sync from memory/api.py, memory/view.py and memory/writing/transaction.py; change those.
"""
'''

PORTAL = '''
Answer = TypeVar("Answer")

_EVENT_LOOP = BlockingPortalProvider("asyncio")
"""One thread with an event loop for the whole process, while any memory is open."""


class _Runner:
    """Runs what would be awaited; holds the event loop from its first use until it is let go."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._portal: BlockingPortal | None = None

    def __call__(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        with self._lock:
            if self._portal is None:
                self._portal = _EVENT_LOOP.__enter__()
                _OPEN.add(self)
                _let_go_at_the_end()
            portal = self._portal
        return portal.call(ask)

    def let_go(self) -> None:
        with self._lock:
            held, self._portal = self._portal, None
        if held is not None:
            _OPEN.discard(self)
            _EVENT_LOOP.__exit__(None, None, None)


_OPEN: set[_Runner] = set()


@cache
def _let_go_at_the_end() -> None:
    """Without this a program that does not close its memory would never end: workers of the loop wait for more."""

    def wait() -> None:
        main_thread().join()
        for runner in list(_OPEN):
            runner.let_go()

    Thread(target=wait, name="memory-closer", daemon=True).start()
'''

MEMORY_OPENING = '''
    def __init__(self, store: Store, scope: str) -> None:
        self._run = _Runner()
        self._asynchronous = api.Memory(store, scope)
        self._owner = True

    @classmethod
    def open({parameters}) -> Memory:
        """{docstring}"""
        opened = api.Memory.open({arguments})
        return cls(opened.store, opened.scope)

    def scoped({scoped_parameters}) -> Memory:
        """{scoped_docstring}"""
        other = Memory(self.store, scope)
        other._run, other._owner = self._run, False
        other._asynchronous = self._asynchronous.scoped({scoped_arguments})
        return other

    def __enter__(self) -> Memory:
        try:
            self._run(self._asynchronous.__aenter__)
        except BaseException:
            self._let_go()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close({close_parameters}) -> None:
        """{close_docstring}"""
        try:
            self._run(self._asynchronous.close)
        finally:
            self._let_go()

    def _let_go(self) -> None:
        if self._owner:
            self._run.let_go()
'''

VIEW_OPENING = """
    def __init__(self, run: _Runner, view: asynchronous_view.View) -> None:
        self._run = run
        self._asynchronous = view

    def __repr__(self) -> str:
        return repr(self._asynchronous)
"""

TRANSACTION_OPENING = """
    def __init__(self, run: _Runner, transaction: asynchronous_transaction.Transaction) -> None:
        self._run = run
        self._asynchronous = transaction

    def __enter__(self) -> Transaction:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(partial(self._asynchronous.__aexit__, kind, problem, trace))

    def __len__(self) -> int:
        return len(self._asynchronous)
"""

WRAPPED = {"View": "View(self._run, {})", "Transaction": "Transaction(self._run, {})"}
"""Return types that have a synchronous class of their own."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module:
    """One module of the asynchronous API, by its name within `memory`."""

    def __init__(self, name: str) -> None:
        *rooms, file = name.split(".")
        self.package = ["memory", *rooms]
        self.tree = ast.parse(MEMORY.joinpath(*rooms, f"{file}.py").read_text(encoding="utf-8"))

    def class_named(self, name: str) -> ast.ClassDef:
        return next(node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name == name)

    def imports(self) -> Iterator[tuple[str, str]]:
        """Names this module imports, each with the statement that imports it from `memory_provider`."""
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module != "__future__":
                origin = node.module or ""
                if node.level:
                    above = self.package[: len(self.package) - node.level + 1]
                    origin = "." + ".".join([*above, *([node.module] if node.module else [])])
                for alias in node.names:
                    renamed = f" as {alias.asname}" if alias.asname else ""
                    yield alias.asname or alias.name, f"from {origin} import {alias.name}{renamed}"


def public(node: ast.ClassDef) -> Iterator[Function]:
    """Methods and properties that callers may use, in order."""
    for each in node.body:
        if isinstance(each, Function) and not each.name.startswith("_"):
            yield each


def docstring(node: ast.ClassDef | Function) -> str:
    """As it stands in the source, with its indentation."""
    first = node.body[0]
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return first.value.value
    return ""


def decorators(function: Function) -> set[str]:
    return {ast.unparse(each) for each in function.decorator_list}


def arguments_of(function: Function) -> str:
    """The call that passes a method's own arguments on."""
    positional = [each.arg for each in [*function.args.posonlyargs, *function.args.args]][1:]
    named = [f"{each.arg}={each.arg}" for each in function.args.kwonlyargs]
    return ", ".join([*positional, *named])


def proxy(function: Function) -> str:
    """The synchronous method or property that stands for one of the asynchronous class."""
    returns = ast.unparse(function.returns) if function.returns else "None"
    target = f"self._asynchronous.{function.name}"
    passed = arguments_of(function)
    if "property" in decorators(function):
        head, body = "    @property\n", f"return {target}"
    elif isinstance(function, ast.AsyncFunctionDef):
        ask = f"partial({target}, {passed})" if passed else target
        head, body = "", f"return self._run({ask})"
        if returns == "None":
            body = f"self._run({ask})"
    else:
        head, body = "", f"return {WRAPPED.get(returns, '{}').format(f'{target}({passed})')}"
        if returns == "None":
            body = f"{target}({passed})"
    said = docstring(function)
    quoted = f'        """{said}"""\n' if said else ""
    return (
        f"{head}    def {function.name}({ast.unparse(function.args)}) -> {returns}:\n{quoted}        {body}\n"
    )


def class_text(node: ast.ClassDef, opening: str, functions: list[Function], said: str) -> str:
    methods = "\n".join(proxy(function) for function in functions)
    return f'\n\nclass {node.name}:\n    """{said}"""\n{opening}\n{methods}'


def memory_text(node: ast.ClassDef) -> str:
    functions = {each.name: each for each in public(node)}
    opened, closed, scoped = (functions.pop(name) for name in ("open", "close", "scoped"))
    opening = MEMORY_OPENING.format(
        parameters=ast.unparse(opened.args),
        arguments=arguments_of(opened),
        docstring=docstring(opened).replace("`async with`", "`with`"),
        close_parameters=ast.unparse(closed.args),
        close_docstring=docstring(closed),
        scoped_parameters=ast.unparse(scoped.args),
        scoped_arguments=arguments_of(scoped),
        scoped_docstring=docstring(scoped),
    )
    said = docstring(node).replace("an async context manager", "a context manager")
    return class_text(node, opening, list(functions.values()), said)


def transaction_text(node: ast.ClassDef, buffer: ast.ClassDef) -> str:
    receipts = '''
    @property
    def receipts(self) -> list[Receipt]:
        """One for each operation, in order; filled once the block has ended."""
        return self._asynchronous.receipts
'''
    said = docstring(node).replace("`async with`", "`with`")
    return class_text(node, TRANSACTION_OPENING + receipts, [*public(buffer), *public(node)], said)


def generated() -> str:
    """The text of memory_provider/sync.py."""
    api, view, transaction = Module("api"), Module("view"), Module("writing.transaction")
    body = (
        memory_text(api.class_named("Memory"))
        + class_text(
            view.class_named("View"),
            VIEW_OPENING,
            list(public(view.class_named("View"))),
            docstring(view.class_named("View")),
        )
        + transaction_text(transaction.class_named("Transaction"), transaction.class_named("OperationBuffer"))
    ).replace("`async with ", "`with ")
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    imports = {
        "from functools import cache, partial",
        "from threading import Lock, Thread, main_thread",
        "from collections.abc import Awaitable, Callable",
        "from typing import TypeVar",
        "from anyio.from_thread import BlockingPortal, BlockingPortalProvider",
        "from .memory import api",
        "from .memory import view as asynchronous_view",
        "from .memory.writing import transaction as asynchronous_transaction",
        "from .memory.view import Graph",
    }
    for module in (api, view, transaction):
        imports |= {
            statement
            for name, statement in module.imports()
            if name in used and name not in ("View", "Transaction")
        }
    text = "\n".join([HEADER, "from __future__ import annotations", *sorted(imports), PORTAL, body])
    return tidy(text)


def tidy(text: str) -> str:
    """Imports in order, and formatted as the rest."""
    for command in (["check", "--select", "I", "--fix", "--quiet"], ["format"]):
        text = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(TARGET), "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout
    return text


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/generate-sync", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")
    options = parser.parse_args()
    text = generated()
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    if options.check:
        print(f"{TARGET.relative_to(ROOT)} is not up to date: run scripts/generate-sync", file=sys.stderr)
        return 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
