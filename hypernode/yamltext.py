"""YAML that anybody may have written, as far as JSON could say it: nothing in it costs more than its length. Pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import yaml

LONGEST_NUMBER = 100
"""Digits; YAML's base 60 (``1:30:00``) makes a number of a million of them that takes minutes to compute."""
DEEPEST = 100
_PREFIX = "tag:yaml.org,2002:"
_JSON_TAGS = ("null", "bool", "int", "float", "str")


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
        return _document(_loader()(text))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise YamlError(error.problem or "it breaks off", line) from error
    except (yaml.YAMLError, ValueError, TypeError, LookupError, OverflowError) as error:
        raise YamlError(getattr(error, "reason", "a value does not have the form of its kind")) from error


def _document(loader: Any) -> object:
    """Values straight from the parser's events: PyYAML's own way makes objects of 700 bytes for each of them first."""
    import yaml

    roots: list[Any] = []
    stack: list[_Open] = [_Open(roots)]
    while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
        line = event.start_mark.line + 1
        match event:
            case yaml.DocumentStartEvent() if roots:
                raise YamlError("but found another document", line)
            case yaml.AliasEvent():
                raise YamlError("aliases are not accepted: a small text of them can stand for a huge object", line)
            case yaml.ScalarEvent():
                tag = event.tag if event.tag not in (None, "!") else None
                node = yaml.ScalarNode(tag or loader.resolve(yaml.ScalarNode, event.value, event.implicit), event.value)
                stack[-1].add(_scalar(loader, node, line), line)
            case yaml.CollectionStartEvent():
                kind = "map" if isinstance(event, yaml.MappingStartEvent) else "seq"
                if event.tag not in (None, "!", f"tag:yaml.org,2002:{kind}"):
                    raise YamlError(f"could not determine a constructor for the tag {event.tag!r}", line)
                if len(stack) > DEEPEST:
                    raise YamlError(f"its nesting is deeper than {DEEPEST}", line)
                stack.append(_Open({} if kind == "map" else []))
                stack[-2].add(stack[-1].value, line)
            case yaml.CollectionEndEvent():
                stack.pop()
    return roots[0] if roots else None


class _Open:
    """A list or mapping that is being read."""

    __slots__ = ("keys", "value")

    def __init__(self, value: list[Any] | dict[Any, Any]) -> None:
        self.value = value
        self.keys: list[Any] = []

    def add(self, value: object, line: int) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.keys:
            self.value[self.keys.pop()] = value
        elif isinstance(value, list | dict):
            raise YamlError("found unhashable key", line)
        else:
            self.keys.append(value)


def _scalar(loader: Any, node: yaml.ScalarNode, line: int) -> object:
    if not node.tag.startswith(_PREFIX) or node.tag.removeprefix(_PREFIX) not in _JSON_TAGS:
        raise YamlError(f"could not determine a constructor for the tag {node.tag!r}", line)
    if node.tag.endswith((":int", ":float")) and len(node.value) > LONGEST_NUMBER:
        raise YamlError(f"a number has more than {LONGEST_NUMBER} digits", line)
    return loader.yaml_constructors[node.tag](loader, node)


@cache
def _loader() -> type[yaml.SafeLoader]:
    """The safe loader, for which a time stays the text that it is."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader: type[yaml.SafeLoader] = type("Loader", (base,), {})
    loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in rules if not tag.endswith(":timestamp")]
        for first, rules in base.yaml_implicit_resolvers.items()
    }
    return loader
