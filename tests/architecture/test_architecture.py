"""The architecture as a test: what may import what, who may touch the world, how large things may grow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("discovery", "hypernode", "scheduler")
"""Each may import those before it, never those behind it."""

SHELL = {
    "discovery.recorded": "opens recorded files",
    "hypernode.store": "keeps HyperNodes in a directory",
    "hypernode.__main__": "is the process",
}
SHELL_FOLDERS = {
    "hypernode.cli": "composes the parts and talks to people",
    "hypernode.screen": "draws on a terminal",
}
WORLD = {
    *("asyncio", "ctypes", "fcntl", "ftplib", "glob", "http", "io", "kubernetes", "logging", "multiprocessing", "os"),
    *("pathlib", "pyroute2", "pysnmp", "random", "requests", "rich", "secrets", "select", "shutil", "signal", "socket"),
    *("subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid"),
}
ENDS = {
    "hypernode.__main__": "is the process",
    "hypernode.cli.together": "ends the second process that it started",
}
WORLD_CALLS = {"open", "print", "input", "exec", "eval", "compile", "breakpoint"}
CLOCKS = {"now", "utcnow", "today"}
DUMPING_GROUNDS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "handler", "data", "info", "base"}


def _modules() -> dict[str, Path]:
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in MODULES.items()}
every_module = pytest.mark.parametrize("module", [pytest.param(name, id=name) for name in MODULES])


def imports(module: str, *, lazy: bool = True) -> set[str]:
    """Full names that a module imports; without ``lazy`` only those at its top."""
    found = set()
    for node in ast.walk(TREES[module]) if lazy else TREES[module].body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            deeper = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = deeper & MODULES.keys()
            found |= modules
            if len(modules) < len(deeper):
                found.add(node.module)
    return found


def is_shell(module: str) -> bool:
    return module in SHELL or module.startswith(tuple(SHELL_FOLDERS))


def composes(module: str) -> bool:
    return module == "hypernode.__main__" or module.startswith("hypernode.cli")


@every_module
def test_imports_point_downward(module: str) -> None:
    package = module.split(".")[0]
    above = PACKAGES[PACKAGES.index(package) + 1 :]
    reached = {name for name in imports(module) if name.split(".")[0] in above}
    assert not reached or composes(module), f"{module} imports {reached}"


@every_module
def test_only_the_composition_root_knows_the_commands(module: str) -> None:
    assert composes(module) or not {name for name in imports(module) if name.startswith("hypernode.cli")}


@every_module
def test_only_the_command_line_draws(module: str) -> None:
    draws = {name for name in imports(module) if name.startswith("hypernode.screen") or name.split(".")[0] == "rich"}
    assert not draws or composes(module) or module.startswith("hypernode.screen")


@every_module
def test_the_core_is_pure(module: str) -> None:
    if is_shell(module):
        return
    touched = {name for name in imports(module) if name.split(".")[0] in WORLD}
    assert not touched, f"{module} imports {touched}; only the shell touches the world"
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in WORLD_CALLS, f"{module}:{node.lineno} calls {node.func.id}()"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in CLOCKS, f"{module}:{node.lineno} reads a clock"


@pytest.mark.parametrize("module", [pytest.param(name, id=name) for name in SHELL])
def test_the_list_of_shell_modules_does_not_rot(module: str) -> None:
    assert module in MODULES, f"{module} is gone: take it off the list"
    assert {name.split(".")[0] for name in imports(module)} & WORLD, f"{module} is pure: take it off the list"


@pytest.mark.parametrize("folder", ["discovery.probes", "hypernode.exporters"])
def test_plug_ins_do_not_know_each_other(folder: str) -> None:
    for module in MODULES:
        if module.startswith(f"{folder}."):
            others = {name for name in imports(module) if name.startswith(f"{folder}.") and name != module}
            assert not others, f"{module} imports {others}"


def test_no_import_goes_in_a_circle() -> None:
    graph = {name: imports(name, lazy=False) & MODULES.keys() for name in MODULES}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@every_module
def test_modules_are_short_and_say_what_they_know(module: str) -> None:
    assert len(MODULES[module].read_text("utf-8").splitlines()) <= 400
    assert ast.get_docstring(TREES[module]), f"{module} has no docstring"


@every_module
def test_functions_fit_a_screen(module: str) -> None:
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            assert lines <= 50, f"{module}.{node.name} has {lines} lines"


@every_module
def test_names_say_something(module: str) -> None:
    words = {word for part in module.split(".") for word in part.strip("_").split("_")}
    assert not words & DUMPING_GROUNDS


def test_packages_hold_a_docstring_and_no_code() -> None:
    for module, path in MODULES.items():
        if path.name == "__init__.py":
            assert len(TREES[module].body) == 1, f"{module} does something on import"
    for package in PACKAGES:
        assert "Probes hear, the fabric joins" in (ast.get_docstring(TREES[package]) or "")


def _dataclasses(module: str) -> Iterator[tuple[str, set[str]]]:
    for node in ast.walk(TREES[module]):
        for mark in node.decorator_list if isinstance(node, ast.ClassDef) else ():
            name = mark.func if isinstance(mark, ast.Call) else mark
            if isinstance(name, ast.Name) and name.id == "dataclass":
                words = mark.keywords if isinstance(mark, ast.Call) else []
                true = {word.arg for word in words if isinstance(word.value, ast.Constant) and word.value.value is True}
                yield node.name, {word for word in true if word}


@every_module
def test_values_are_frozen(module: str) -> None:
    for name, options in _dataclasses(module):
        assert {"frozen", "slots"} <= options, f"{module}.{name} is not frozen with slots"


@every_module
def test_only_the_last_wall_catches_everything(module: str) -> None:
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "BaseException"
            wide = caught in ("Exception", "BaseException")
            assert not wide or module == "hypernode.__main__", f"{module}:{node.lineno} hides defects"
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("sys.exit", "exit", "quit", "os._exit"):
            assert module in ENDS, f"{module}:{node.lineno} ends the process"


def test_tests_do_not_sleep() -> None:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                assert not ast.unparse(node.func).endswith("sleep"), f"{path}:{node.lineno}"
