"""YAML that anybody may have written, as far as JSON could say it: nothing in it costs more than its length. Pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

LONGEST_NUMBER = 100
"""Digits; YAML's base 60 (``1:30:00``) makes a number of a million of them that takes minutes to compute."""
_JSON_TAGS = ("null", "bool", "int", "float", "str", "seq", "map")


class YamlError(Exception):
    """What is wrong with a text, and where that is known."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {problem}" if line else f"not YAML: {problem}")
        self.problem = problem
        self.line = line


def load(text: str) -> object:
    """The one document in a text; YamlError where there is no such, or where it says what JSON could not."""
    import yaml

    try:
        if "&" in text and any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=_loader())):
            raise YamlError("aliases are not accepted: a small text of them can stand for a huge object")
        return yaml.load(text, Loader=_loader())  # a safe loader, see below
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise YamlError(error.problem or "it breaks off", line) from error
    except (yaml.YAMLError, ValueError, TypeError, LookupError, RecursionError, OverflowError) as error:
        raise YamlError(getattr(error, "reason", "a value does not have the form of its kind")) from error


@cache
def _loader() -> type[yaml.SafeLoader]:
    """The safe loader for what JSON can say: a time stays the text that it is; sets and bytes are refused."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader: type[yaml.SafeLoader] = type("Loader", (base,), {})
    loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in rules if not tag.endswith(":timestamp")]
        for first, rules in base.yaml_implicit_resolvers.items()
    }
    known = {None, *(f"tag:yaml.org,2002:{name}" for name in _JSON_TAGS)}
    loader.yaml_constructors = {tag: build for tag, build in base.yaml_constructors.items() if tag in known}
    for kind in ("int", "float"):
        tag = f"tag:yaml.org,2002:{kind}"
        loader.yaml_constructors[tag] = _bounded(loader.yaml_constructors[tag])
    return loader


def _bounded(build: Any) -> Any:
    def number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> object:
        if len(node.value) > LONGEST_NUMBER:
            raise YamlError(f"a number has more than {LONGEST_NUMBER} digits", node.start_mark.line + 1)
        return build(loader, node)

    return number
